"""The description of a snapshot as JSON beside it, and back.

It names no path, no file and no time: equal content gives an equal description, and its hash pins
the snapshots it names.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from workbench.tables.control_words import Control
from workbench.tables.source import Member, Source
from workbench.tables.table import Column, Rejected, Report, Table

SCHEMA = 1


def to_record(source: Source, tables: Sequence[Table], notes: Sequence[str]) -> bytes:
    """Return the description of a file's tables; snapshots are named by their file names."""
    record = {
        "schema": SCHEMA,
        "source": {**asdict(source), "path": ""},
        "tables": [
            {**asdict(table), "path": table.path.name, "source": "", "name": ""} for table in tables
        ],
        "notes": list(notes),
    }
    return (json.dumps(record, ensure_ascii=False, sort_keys=True) + "\n").encode()


def from_record(
    data: bytes, folder: Path, path: str
) -> tuple[Source, tuple[Table, ...], tuple[str, ...]]:
    """Read a description.

    Parameters
    ----------
    data : bytes
        What `to_record` gave.
    folder : Path
        Where the snapshots lie.
    path : str
        Name of the file in the workspace.

    Raises
    ------
    ValueError, KeyError, TypeError
        If it is damaged or of another schema.
    """
    record: dict[str, Any] = json.loads(data)
    if record["schema"] != SCHEMA:
        raise ValueError("another schema")
    tables = tuple(_table(item, folder, path) for item in record["tables"])
    files = tuple(Member(**one) for one in record["source"]["files"])
    source = Source(**{**record["source"], "path": path, "files": files})
    return source, tables, tuple(record["notes"])


def _table(item: dict[str, Any], folder: Path, path: str) -> Table:
    report = {**item["report"]}
    report["rejected"] = tuple(Rejected(**cell) for cell in report["rejected"])
    report["ragged_lines"] = tuple(report["ragged_lines"])
    columns = tuple(
        Column(**{**column, "limits": tuple(column["limits"])}) for column in item["columns"]
    )
    return Table(
        **{
            **item,
            "columns": columns,
            "control": Control(**item["control"]) if item["control"] else None,
            "report": Report(**report),
            "notes": tuple(item["notes"]),
            "zones": tuple(item["zones"]),
            "path": folder / item["path"],
            "source": path,
        }
    )

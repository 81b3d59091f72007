"""What the data of a run is, from the descriptions that its reader kept beside the snapshots."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.files.recordnames import SNAPSHOTS

_MOST_BYTES = 16_000_000


@dataclass(frozen=True)
class Source:
    """A data file of a run.

    Attributes
    ----------
    name : str
        As the run called it.
    sha256 : str
        Of its content; empty where the description was removed.
    tables : list of dict
        Its tables as the reader described them.
    source : dict
        Format, encoding, lines left out.
    notes : list of str
        What the reader guessed and left out.
    """

    name: str
    sha256: str
    tables: list[dict[str, Any]]
    source: dict[str, Any]
    notes: list[str]

    @property
    def censored(self) -> list[str]:
        """Columns with values below or above a limit, with how many."""
        return [
            f"{column['name']} ({_limits(column)})"
            for table in self.tables
            for column in table.get("columns") or ()
            if column.get("below") or column.get("above")
        ]


def _limits(column: Mapping[str, Any]) -> str:
    below, above = int(column.get("below") or 0), int(column.get("above") or 0)
    parts = [f"{below:,} below" if below else "", f"{above:,} above" if above else ""]
    return ", ".join(filter(None, parts))


def sources(folder: Path, view: Mapping[str, Any], inputs: Mapping[str, str]) -> list[Source]:
    """Return the data files of a run, in name order.

    Parameters
    ----------
    folder : Path
        The run's folder.
    view : mapping
        Its view; ``snapshots`` pins a description by hash.
    inputs : mapping
        Content hashes that results tell of, for files whose description is gone.
    """
    pinned = {str(name): str(sha) for name, sha in (view.get("snapshots") or {}).items()}
    # Results of the run, and of earlier ones, are read as tables too; they are no data.
    data = sorted(name for name in {*pinned, *inputs} if not name.startswith("results/"))
    described = _described(folder.parent / SNAPSHOTS, {pinned.get(name, "") for name in data})
    return [_source(name, described.get(pinned.get(name, ""), {}), inputs) for name in data]


def _described(folder: Path, wanted: set[str]) -> dict[str, dict[str, Any]]:
    """Return descriptions by the hash of their bytes."""
    found: dict[str, dict[str, Any]] = {}
    left = wanted - {""}
    for place in sorted(folder.glob("*.json")) if left else ():
        try:
            if place.stat().st_size > _MOST_BYTES:
                continue
            data = place.read_bytes()
            sign = hashlib.sha256(data).hexdigest()
            if sign in left:
                found[sign] = dict(json.loads(data))
                left.discard(sign)
        except (OSError, ValueError, RecursionError):
            continue
        if not left:
            break
    return found


def _source(name: str, record: Mapping[str, Any], inputs: Mapping[str, str]) -> Source:
    source = record.get("source")
    told = dict(source) if isinstance(source, dict) else {}
    tables = [dict(one) for one in record.get("tables") or () if isinstance(one, dict)]
    notes = [str(note) for note in record.get("notes") or ()]
    notes += [str(note) for table in tables for note in table.get("notes") or ()]
    sha256 = str(told.get("sha256") or inputs.get(name, ""))
    return Source(name, sha256, tables, told, list(dict.fromkeys(notes)))

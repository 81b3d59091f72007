"""The first rows of a result table, as text: nothing of the rest is read."""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench import marker
from workbench.errors import Refused
from workbench.visible import visible
from workbench.workspace import Workspace

ROWS, COLUMNS = 12, 10
# Of a wide table the last columns tell as much as the first: there stands what was computed.
_FIRST = 7
_CELL = 40
_LINE_BYTES = 1_000_000
_DIGITS, _WHOLE = 6, 100_000
TABLES = frozenset({"text/csv", "application/vnd.apache.parquet"})


@dataclass(frozen=True)
class Head:
    """The first rows of a table.

    Attributes
    ----------
    columns : tuple of str
        Those that are shown.
    rows : tuple of tuple of str
        Their cells.
    total_rows, total_columns : int
        What there is.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total_rows: int
    total_columns: int

    @property
    def caption(self) -> str:
        """Say what is shown of what there is."""
        rows = _of(len(self.rows), self.total_rows, "row")
        columns = _of(len(self.columns), self.total_columns, "column")
        return f"{rows}, {columns}; numbers to six digits"

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "total_rows": self.total_rows,
            "total_columns": self.total_columns,
        }

    @classmethod
    def from_json(cls, value: object) -> Head:
        """Read it back.

        Raises
        ------
        ValueError
            If it is no table.
        """
        if not isinstance(value, dict):
            raise ValueError("no table")  # noqa: TRY004 - whatever is wrong with it is one error
        try:
            columns = tuple(str(name) for name in value["columns"][:COLUMNS])
            rows = tuple(
                tuple(str(cell) for cell in row[: len(columns)]) for row in value["rows"][:ROWS]
            )
            total = int(value["total_rows"]), int(value["total_columns"])
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError("no table") from error
        if any(len(row) != len(columns) for row in rows):
            raise ValueError("no table")
        return cls(columns, rows, *total)


def _of(shown: int, total: int, word: str) -> str:
    plural = "" if total == 1 else "s"
    if shown >= total:
        return f"{total:,} {word}{plural}"
    return f"{shown:,} of {total:,} {word}{plural}"


def head(folder: Path, item: Mapping[str, Any]) -> Head:
    """Return the first rows of a result.

    Parameters
    ----------
    folder : Path
        The run's folder.
    item : mapping
        The artefact, as in ``run.json``.

    Raises
    ------
    Refused
        If it is no table, or not there any more.
    """
    kind, name = str(item.get("media_type")), str(item.get("path"))
    if kind not in TABLES:
        raise Refused(f"result '{item.get('id')}': it is {kind}, not a table")
    with Workspace(folder, folder).open_result(folder, name) as file:
        try:
            lines = _csv(file.path) if kind == "text/csv" else _parquet(file.path)
        except (OSError, ValueError, csv.Error) as error:
            raise Refused(f"result '{item.get('id')}': it cannot be read: {error}") from None
    return _shown(lines, _count(item, "rows", len(lines) - 1), _count(item, "columns", 0))


def _count(item: Mapping[str, Any], key: str, fallback: int) -> int:
    value = item.get(key)
    return value if isinstance(value, int) else fallback


def _csv(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        bounded = iter(lambda: file.readline(_LINE_BYTES), "")
        return list(itertools.islice(csv.reader(bounded), ROWS + 1))


def _parquet(path: Path) -> list[list[str]]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        batch = next(file.iter_batches(batch_size=ROWS), None)
        names = list(file.schema_arrow.names)
    rows = [] if batch is None else [list(row.values()) for row in batch.to_pylist()]
    return [names, *([["" if cell is None else str(cell) for cell in row] for row in rows])]


def _shown(lines: list[list[str]], total: int, wide: int) -> Head:
    header, rows = (lines[0], lines[1:]) if lines else ([], [])
    wide = max(wide, len(header))
    kept = list(range(len(header)))
    if len(header) > COLUMNS:
        kept = [*range(_FIRST), *range(len(header) - (COLUMNS - _FIRST), len(header))]
    columns = tuple(marker.short(visible(header[n]), _CELL) for n in kept)
    cells = tuple(tuple(_cell(row[n]) if n < len(row) else "" for n in kept) for row in rows)
    return Head(columns, cells, max(total, len(rows)), wide)


def _cell(text: str) -> str:
    """Return a cell on one line: a number to six digits, ten from 100,000 on."""
    if len(text) > _DIGITS + 2 and is_number(text):
        value = float(text)
        digits = _DIGITS if abs(value) < _WHOLE else _DIGITS + 4
        text = f"{value:.{digits}g}" if "." in text or "e" in text.casefold() else text
    return marker.short(visible(" ".join(text.split())), _CELL)


def is_number(text: str) -> bool:
    """Tell whether a cell is a plain number."""
    try:
        json.loads(text, parse_constant=_none)
        float(text)
    except (ValueError, RecursionError):
        return False
    return True


def _none(_word: str) -> None:
    raise ValueError("no number")

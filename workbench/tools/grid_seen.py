"""Where the rows that a model saw stand in a file, and which columns of them it saw.

For people alone, as `workbench.tools.grid`: a row is known again by the cells that stood in the
text, so that the marks follow the rows however they are sorted or filtered.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench import marker, visible
from workbench.reply import Reply
from workbench.tools.context import Context
from workbench.tools.grid import rows_of
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.rowset import RowSet
    from workbench.tables.table import Column

_CELL_CHARS = 200
# Rows that are looked through; a preview shows the first rows, or those of a far smaller result.
_SCANNED = 2_000_000
Texts = tuple[set[str], ...]


@tool(effect="read", audience="people")
def grid_seen(
    context: Context,
    path: str,
    columns: list[str],
    lines: list[list[str]],
    table: str | None = None,
) -> Reply:
    """Return which rows of a table are those of a preview.

    Parameters
    ----------
    path : str
        File or result.
    columns : list of str
        Columns of the preview, as it names them.
    lines : list of list of str
        Its rows as cells.
    table : str
        Sheet or table name where the file has several.
    """
    rows = rows_of(context, path, table)
    known = {_short(column.name): column for column in rows.table.columns}
    shared = [name for name in columns if name in known]
    beside = [name for name in columns if name not in known and not _is_companion(name, known)]
    wanted = [_Line.of(columns, cells, shared) for cells in lines if len(cells) == len(columns)]
    numbers = _found(rows, [known[name] for name in shared], wanted) if shared and wanted else {}
    whole = set(shared) == set(known)
    facts: dict[str, Any] = {
        "columns": [known[name].name for name in shared],
        "of": len(known),
        "beside": beside,
        "whole": sorted(n for at, n in numbers.items() if whole and not wanted[at].cut),
        "part": sorted(n for at, n in numbers.items() if not whole or wanted[at].cut),
        "lost": len(lines) - len(numbers),
    }
    return Reply(facts=facts)


@dataclass(frozen=True)
class _Line:
    """A row of a preview: cells of the columns that the file has; None where any value will do."""

    cells: tuple[str | None, ...]
    cut: bool

    @classmethod
    def of(cls, columns: Sequence[str], cells: Sequence[str], shared: Sequence[str]) -> _Line:
        beside = dict(zip(columns, cells, strict=True))
        own = tuple(_as_written(beside, name) for name in shared)
        return cls(own, any(marker.short_marks(cell) for cell in cells))

    def is_of(self, texts: Texts) -> bool:
        pairs = zip(self.cells, texts, strict=True)
        return all(cell is None or not text.isdisjoint(_forms(cell)) for cell, text in pairs)


def _forms(cell: str | None) -> set[str | None]:
    """Return a cell as it was shown, and the number that it is written as."""
    found: set[str | None] = {cell}
    with contextlib.suppress(ValueError, TypeError):
        found.add(_short(float(cell or "")))
    return found


def _as_written(beside: Mapping[str, str], name: str) -> str | None:
    """Return a cell of a preview as the file has it: its flag and limit may stand beside it."""
    flag = beside.get(f"{name}__flag", "")
    if flag in {"<", ">"}:
        limit = beside.get(f"{name}__limit", "")
        return f"{flag}{limit}" if limit else None
    return None if flag else beside[name]


def _is_companion(name: str, known: Mapping[str, Column]) -> bool:
    base, _, ending = name.rpartition("__")
    return ending in {"flag", "limit"} and base in known


def _short(name: object) -> str:
    return marker.short(visible.cell(name), _CELL_CHARS)


def _found(rows: RowSet, columns: Sequence[Column], lines: Sequence[_Line]) -> dict[int, int]:
    """Return the row number of each line; alike lines take alike rows in their order."""
    key = max(range(len(columns)), key=lambda at: len({line.cells[at] for line in lines}))
    waiting: dict[str | None, list[int]] = {}
    for place, line in enumerate(lines):
        for form in _forms(line.cells[key]):
            waiting.setdefault(form, []).append(place)
    found: dict[int, int] = {}
    for number, texts in _candidates(rows, columns, key, waiting):
        here = sorted({place for text in (*texts[key], None) for place in waiting.get(text, ())})
        fitting = (at for at in here if at not in found and lines[at].is_of(texts))
        if (own := next(fitting, None)) is not None:
            found[own] = number
        if len(found) == len(lines):
            break
    return found


def _candidates(
    rows: RowSet, columns: Sequence[Column], key: int, keys: Mapping[str | None, object]
) -> Iterator[tuple[int, Texts]]:
    """Yield row numbers, and the texts of the cells, where the one column has a text looked for."""
    for start, stored in rows.scan(columns):
        if start >= _SCANNED:
            return
        near = [
            at
            for at, texts in enumerate(_texts(rows, stored, columns[key]))
            if None in keys or not texts.isdisjoint(keys)
        ]
        own = stored.take(near)
        cells = zip(*(_texts(rows, own, column) for column in columns), strict=True)
        yield from zip((start + at for at in near), cells, strict=True)


def _texts(rows: RowSet, stored: Any, column: Column) -> Iterator[set[str]]:  # noqa: ANN401 - a table of Arrow
    """Yield each cell as a preview may show it: as written, or by the policy for its kind."""
    values = stored.column(column.name).to_pylist()
    written, marks = rows.cells(stored, column)
    for place, value in enumerate(values):
        mark = marks.get(place, written[place])
        yield {_short(one) for one in (written[place], value, str(value), mark)}

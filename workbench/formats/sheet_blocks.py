"""The tables that stand in one sheet: one under another behind empty rows, or side by side.

A sheet is one table unless the rows say otherwise: a part is a table of its own only if it has its
own row of names over a body of other types. Empty rows and columns inside a table part nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.formats.heading_block import labelled
from workbench.formats.heading_words import Row, is_number

# Lines over the names of a further table: its title, what it is about.
_TITLES = 3
# Further tables are looked for in sheets a person could have laid out; rows by rows beyond that.
MOST_ROWS = 50_000
_HEADER_ROWS = 50


@dataclass(frozen=True)
class Place:
    """Where a table stands in a sheet, counted from 0; the ends are the first beyond it."""

    top: int
    bottom: int
    left: int
    right: int

    def cut(self, rows: Sequence[Row]) -> list[Row]:
        """Return its cells."""
        return [row[self.left : self.right] for row in rows[self.top : self.bottom]]

    @property
    def told(self) -> str:
        """Where it stands, as people count."""
        return f"rows {self.top + 1:,} to {self.bottom:,}"


def places(rows: Sequence[Row]) -> list[Place]:
    """Find the tables of a sheet.

    Parameters
    ----------
    rows : sequence of sequence of str
        All rows from the first of the sheet on.

    Returns
    -------
    list of Place
        One if nothing parts the sheet.
    """
    whole = Place(0, len(rows), 0, max(map(len, rows), default=0))
    if len(rows) > MOST_ROWS or labelled(rows[:_HEADER_ROWS]) is not None:
        return [whole]
    return [part for side in _sides(rows, whole) for part in _stacked(rows, side)]


def _sides(rows: Sequence[Row], whole: Place) -> list[Place]:
    """Part a sheet at columns that are empty in every row."""
    runs = list(_runs(_used(rows, whole.right)))
    sides = [Place(0, len(rows), run.start, run.stop) for run in runs if len(run) > 1]
    if len(sides) < 2 or len(sides) != len(runs):  # noqa: PLR2004 - two tables at least
        return [whole]
    cells = [side.cut(rows) for side in sides]
    apart = all(_stands_alone(cells[0], other) for other in cells[1:])
    return sides if apart else [whole]


def _used(rows: Sequence[Row], width: int) -> list[int]:
    """Return the columns that have a cell in some row; in most sheets a few rows tell them all."""
    empty = set(range(width))
    for row in rows:
        empty -= {at for at in empty if at < len(row) and row[at].strip()}
        if not empty:
            break
    return sorted(set(range(width)) - empty)


def _runs(numbers: Sequence[int]) -> Iterator[range]:
    """Yield unbroken runs of increasing numbers."""
    start = 0
    for at in range(1, len(numbers) + 1):
        if at == len(numbers) or numbers[at] != numbers[at - 1] + 1:
            yield range(numbers[start], numbers[at - 1] + 1)
            start = at


def _stands_alone(first: Sequence[Row], other: Sequence[Row]) -> bool:
    """Tell whether a part beside a table names its own rows, and not those of the table."""
    names = [_names(part) for part in (first, other)]
    if not all(names):
        return False
    if {name.casefold() for name in names[0]} & {name.casefold() for name in names[1]}:
        return True
    ends = [_ends(part) for part in (first, other)]
    column = [row[0].strip() for row in other[ends[1][0] : ends[1][1]]]
    listed = all(column) and not any(map(is_number, column))
    return listed and ends[0][1] != ends[1][1]


def _names(part: Sequence[Row]) -> list[str]:
    """Return the first full row of words of a part that has more rows; empty if there is none."""
    filled = [row for row in part if any(cell.strip() for cell in row)]
    for row in filled[: _TITLES + 1]:
        if _is_names(row) and len(filled) > 2:  # noqa: PLR2004 - names over two rows at least
            return [cell.strip() for cell in row if cell.strip()]
    return []


def _ends(part: Sequence[Row]) -> tuple[int, int]:
    filled = [at for at, row in enumerate(part) if any(cell.strip() for cell in row)]
    return filled[0], filled[-1] + 1


def _is_names(row: Row) -> bool:
    """Tell whether a row could be the names of a table: words only, two at least, none repeated."""
    words = [cell.strip() for cell in row if cell.strip()]
    return len(words) > 1 and len(set(words)) == len(words) and not any(map(is_number, words))


def _stacked(rows: Sequence[Row], side: Place) -> list[Place]:
    """Part a side at empty rows behind which other names stand."""
    cells = side.cut(rows)
    filled = [at for at, row in enumerate(cells) if any(cell.strip() for cell in row)]
    runs = list(_runs(filled))
    if len(runs) < 2:  # noqa: PLR2004 - nothing parts it
        return [side]
    starts = [run.start for run in runs if _opens(cells, run)]
    if len(starts) < 2:  # noqa: PLR2004 - one table
        return [side]
    starts[0] = 0
    ends = [*starts[1:], len(cells)]
    return [Place(at, end, side.left, side.right) for at, end in zip(starts, ends, strict=True)]


def _at(row: Row, columns: Sequence[int]) -> list[str]:
    """Return the cells of a row in some columns."""
    return [row[n] for n in columns if n < len(row)]


def _opens(cells: Sequence[Row], run: range) -> bool:
    """Tell whether an unbroken run of rows begins with names over a body with numbers."""
    block = [cells[at] for at in run]
    for at, row in enumerate(block[: _TITLES + 1]):
        if not _is_names(row):
            if sum(bool(cell.strip()) for cell in row) > 1:
                return False
            continue
        body = block[at + 1 :]
        within = [n for n, cell in enumerate(row) if cell.strip()]
        numeric = any(
            (below := [r[n] for r in body if n < len(r) and r[n].strip()])
            and all(map(is_number, below))
            for n in within
        )
        without = [n for n, cell in enumerate(row) if not cell.strip()]
        beside = any(cell.strip() for r in body for cell in [*_at(r, without), *r[len(row) :]])
        return bool(body) and numeric and not beside
    return False

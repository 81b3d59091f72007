"""Where the header of a table stands: what is above it, which rows belong to it, what they say.

The first data row is found by its likeness to the body, not by its place; the header is what stands
right above it. Rows of units, methods and limits around the names are read as what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.formats.format import HeaderCell
from workbench.formats.heading_block import Block, join, labelled, numbers_only, remarks
from workbench.formats.heading_body import (
    LIKE_BODY,
    filled,
    first_data,
    is_comment,
    is_words,
    last_filled,
    like_body,
    names_on_top,
    opens_body,
    says_more,
    without_sign,
)
from workbench.formats.heading_words import (
    Row,
    Says,
    is_group,
    is_methods,
    is_number,
    is_units,
    label,
    row_says,
    substances,
)

# Rows looked at: preambles of certificates run to some twenty lines.
HEAD_ROWS = 400
# Lines of job details above a table that may look like its body.
_PREAMBLE = 20
# Names of rows stand in nearly all of them.
_ALL_ALIKE = 0.95
# Of a line above the header so much is kept.
_LINE = 400
# Rows of the body that tell which columns are used at all.
_BODY_ROWS = 50
# Labelled rows over those names.
_CLIMB = 8
# A name that stands alone under the labelled rows is no longer than this.
_NAME_CHARS = 40


@dataclass(frozen=True)
class Heading:
    """What stands above the data.

    Attributes
    ----------
    cells : tuple of HeaderCell
        One a column; a column of labels has no name.
    first : int
        Index of the first row of the header; of the first data row if there is none.
    rows : int
        Rows of the header, empty ones left out; 0 for a table without names.
    data : int
        Index of the first data row.
    notes : tuple of str
        What was skipped above it, and what was joined.
    preamble : tuple of str
        The lines above it.
    """

    cells: tuple[HeaderCell, ...]
    first: int
    rows: int
    data: int
    notes: tuple[str, ...] = ()
    preamble: tuple[str, ...] = ()


def find_heading(rows: Sequence[Row], width: int) -> Heading:
    """Find the header of a table in its first rows.

    Parameters
    ----------
    rows : sequence of sequence of str
        The first rows as they stand, empty ones included.
    width : int
        Columns of the body.
    """
    rows = [without_sign(row, width) for row in rows]
    block = labelled(rows)
    if block is not None:
        return _heading(rows, block, width)
    data = first_data(rows, width)
    if data is None:
        data = _first_full(rows, width) + 1
    block = _above(rows, data, width)
    if block is not None and (above := _names_over(rows, block.names, width)) is not None:
        # A first data row with an odd cell is no row of names where one stands above it.
        data = _after(rows, above)
        block = _above(rows, data, width)
    elif block is not None and opens_body(rows, block.names):
        data, block = _run_start(rows, block.names), None
    if block is None and (below := _names_below(rows, data, width)) is not None:
        # A line of job details can look like the body: a full row of names under it decides.
        data = (first_data(rows[below + 1 :], width) or 0) + below + 1
        block = _above(rows, data, width)
    if block is None and (top := names_on_top(rows, data, width)) is not None:
        data = _after(rows, top)
        block = _above(rows, data, width)
    if block is None:
        cells = tuple(HeaderCell("") for _ in range(width))
        note = "there is no row of names; columns are numbered"
        notes = (note, *_skipped(rows[:data]))
        return Heading(cells, data, 0, data, notes, _lines(rows[:data]))
    return _heading(rows, block, width)


def _heading(rows: Sequence[Row], block: Block, width: int) -> Heading:
    """Join the rows of a header into one cell a column."""
    width = max(width, last_filled(rows[block.names]))
    if _remarks_overflow(rows, block, width):
        width = last_filled(rows[block.names])
    shift = _shift(rows, block.names, block.data, width)
    places = [place - shift for place in range(width)]
    cells = join(rows, block, places)
    if block.group is not None and cells == join(rows, replace(block, group=None), places):
        # The names are clear without it: it stays a line above the header.
        block = replace(block, group=None)
    notes = (*remarks(rows, block), *_skipped(rows[: block.first]), *_comments(rows, block, width))
    above = _lines(rows[: block.first])
    return Heading(cells, block.first, block.rows, block.data, notes, above)


def _names_over(rows: Sequence[Row], names: int, width: int) -> int | None:
    """Return the row of names above one that is data: it has numbers, or words of the body."""
    if any(is_number(cell) for cell in rows[names]):
        return next((n for n in range(names) if is_words(rows[n], width)), None)
    if not like_body(rows, names):
        return None
    over = (n for n in range(names - 1, -1, -1) if _may_name(rows[n], width))
    return next((n for n in over if not like_body(rows, n)), None)


def _may_name(row: Row, width: int) -> bool:
    """Tell whether a row could be the names: words alone, for all columns but one."""
    words = filled(row) >= max(1, min(width - 1, LIKE_BODY * width))
    return words and not any(map(is_number, row)) and not is_comment(row, width)


def _run_start(rows: Sequence[Row], index: int) -> int:
    """Return the first of the rows like the body that end with a row."""
    while index and filled(rows[index - 1]) and like_body(rows, index - 1):
        index -= 1
    return index


def _after(rows: Sequence[Row], names: int) -> int:
    """Return the first row below a row of names that says no more about the columns."""
    place = names + 1
    while place < len(rows) and (not filled(rows[place]) or row_says(rows[place]) is not None):
        place += 1
    return place


def _names_below(rows: Sequence[Row], data: int, width: int) -> int | None:
    """Return a row of names shortly below what was taken for the first data row."""
    for index in range(data + 1, min(data + _PREAMBLE, len(rows))):
        row = rows[index]
        if is_words(row, width) and not like_body(rows, index):
            return index
    return None


def _first_full(rows: Sequence[Row], width: int) -> int:
    """Return the first row that is as full as any; the row of names where all is text."""
    cells = [filled(row[:width]) for row in rows]
    first = next((n for n, count in enumerate(cells) if count), 0)
    if len(rows) > first + 1 and 1 < width == cells[first] + 1 and not rows[first][0].strip():
        return first  # names of all columns but that of the names of the rows
    return cells.index(max(cells)) if cells else 0


def _above(rows: Sequence[Row], data: int, width: int) -> Block | None:
    """Find the row of names above `data` and the rows that say more, under and above it."""
    others: dict[int, Says | None] = {}
    first_names: dict[int, str] = {}
    used = _used(rows[data : data + _BODY_ROWS]) or width
    for index in range(data - 1, -1, -1):
        row, cells = rows[index], filled(rows[index])
        above = rows[index - 1] if index else ()
        if not cells or is_comment(row, width):
            continue
        says = row_says(row) or (Says.LOWER if says_more(row, above) else None)
        if says is not None:
            others[index] = Says.OTHER if says is Says.LOWER and not _limits(row, above) else says
        elif is_methods(row) and 2 * substances(above) >= cells:
            others[index] = Says.METHOD
        elif not others and not first_names and cells < used and _names_samples(rows, index):
            first_names = {at: cell.strip() for at, cell in enumerate(row) if cell.strip()}
        elif cells >= max(1, min(width, used) / 2) or (others and cells > 1):
            block = Block(index, others, first_names=first_names, data=data)
            _climb(rows, block, width)
            return block
        else:
            break
    return None


def _names_samples(rows: Sequence[Row], index: int) -> bool:
    """Tell whether a row under the labelled ones names the columns of the samples alone."""
    row, above = rows[index], rows[max(0, index - _CLIMB) : index]
    words = [cell for cell in row if cell.strip()]
    short = all(len(cell) <= _NAME_CHARS and not is_number(cell) for cell in words)
    if not short or not above or not row_says(above[-1]) or substances(row):
        return False
    firsts = [next((cell for cell in one[:2] if cell.strip()), "") for one in above]
    return any(label(first) is Says.NAME for first in firsts) or any(
        substances(one) > 1 for one in above
    )


def _used(body: Sequence[Row]) -> int:
    """Count the columns that hold anything."""
    return len({place for row in body for place, cell in enumerate(row) if cell.strip()})


def _limits(row: Row, above: Row) -> bool:
    """Tell whether a row is one of lower limits: by its label, or right under the units."""
    return row_says(row) is Says.LOWER or (is_units(above) and numbers_only(row))


def _climb(rows: Sequence[Row], block: Block, width: int) -> None:
    """Take the rows right above the names that say more: methods, units, groups of columns."""
    for index in range(block.names - 1, -1, -1):
        row = rows[index]
        says = row_says(row)
        if filled(row) < 2 or last_filled(row) < width / 2:  # noqa: PLR2004 - one cell is a line of prose
            return
        if says is not None:
            if not is_units(row) and filled(row) < min(3, width):
                return  # "units, ft" above a table says it of the table, not of a column
            block.others[index] = says
        elif is_methods(row) and substances(rows[block.names]):
            block.others[index] = Says.METHOD
        else:
            if is_group(row, rows[block.names]):
                block.group = index
            return


def _shift(rows: Sequence[Row], names: int, data: int, width: int) -> int:
    """Return 1 if the first column has no name, as statistics packages write row names."""
    head, wide = rows[names], [row for row in rows[data:] if filled(row)]
    body = [row for row in wide if len(row) == width]
    if len(body) < _ALL_ALIKE * len(wide):
        return 0  # texts with the delimiter in them, not names of rows
    if len(head) != width - 1 or not body or not all(cell.strip() for cell in head):
        return 0
    return int(all(row[-1].strip() for row in body) and all(row[0].strip() for row in body))


def _remarks_overflow(rows: Sequence[Row], block: Block, width: int) -> bool:
    """Tell whether rows are wider than the names because a last column of remarks is cut up."""
    names, body = rows[block.names], [row for row in rows[block.data :] if filled(row)]
    named = last_filled(names)
    if not 1 < named < width or filled(names) < named:
        return False
    last = [row[named - 1] for row in body if len(row) >= named and row[named - 1].strip()]
    words = sum(not is_number(cell) for cell in last)
    even = sum(len(row) == width for row in body) >= _ALL_ALIKE * len(body)
    return bool(last) and not even and words >= LIKE_BODY * len(last)


def _skipped(rows: Sequence[Row]) -> tuple[str, ...]:
    """Keep what stood above the header as a note."""
    said = _lines(rows)
    if not said:
        return ()
    shown = " / ".join(line[:80] for line in said[:5])
    return (f"{len(rows)} lines above the header were skipped: {shown}"[:400],)


def _comments(rows: Sequence[Row], block: Block, width: int) -> tuple[str, ...]:
    """Keep comments between the names and the data as a note."""
    said = _lines([row for row in rows[block.first : block.data] if is_comment(row, width)])
    shown = " / ".join(line[:80] for line in said[:5])
    return (f"{len(said)} lines of comment under the names were skipped: {shown}"[:400],) * bool(
        said
    )


def _lines(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the lines above a header that say something."""
    lines = (" ".join(cell.strip() for cell in row if cell.strip()) for row in rows)
    return tuple(line[:_LINE] for line in lines if line)

"""Where the header of a table stands: what is above it, which rows belong to it, what they say.

The first data row is found by its likeness to the body, not by its place; the header is what stands
right above it. Rows of units, methods and limits around the names are read as what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.formats.format import HeaderCell
from workbench.formats.heading_block import Block, join, labelled, numbers_only, remarks
from workbench.formats.heading_words import (
    Row,
    Says,
    is_gap_code,
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
# Share of cells that must look like the body's for a row to be data.
_LIKE_BODY = 0.8
_NUMERIC_COLUMN = 0.6
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
    block = labelled(rows)
    if block is not None:
        return _heading(rows, block, width)
    data = _first_data(rows, width)
    if data is None:
        data = _first_full(rows, width) + 1
    block = _above(rows, data, width)
    if block is not None and (above := _words_above(rows, block.names, width)) is not None:
        # A first data row with an odd cell is no row of names where one stands above it.
        data = _after(rows, above)
        block = _above(rows, data, width)
    if block is None and (below := _names_below(rows, data, width)) is not None:
        # A line of job details can look like the body: a full row of names under it decides.
        data = (_first_data(rows[below + 1 :], width) or 0) + below + 1
        block = _above(rows, data, width)
    if block is None:
        cells = tuple(HeaderCell("") for _ in range(width))
        note = "there is no row of names; columns are numbered"
        notes = (note, *_skipped(rows[:data]))
        return Heading(cells, data, 0, data, notes, _lines(rows[:data]))
    return _heading(rows, block, width)


def _heading(rows: Sequence[Row], block: Block, width: int) -> Heading:
    """Join the rows of a header into one cell a column."""
    width = max(width, _last_filled(rows[block.names]))
    shift = _shift(rows, block.names, block.data, width)
    places = [place - shift for place in range(width)]
    cells = join(rows, block, places)
    if block.group is not None and cells == join(rows, replace(block, group=None), places):
        # The names are clear without it: it stays a line above the header.
        block = replace(block, group=None)
    notes = (*remarks(rows, block), *_skipped(rows[: block.first]))
    above = _lines(rows[: block.first])
    return Heading(cells, block.first, block.rows, block.data, notes, above)


def _first_data(rows: Sequence[Row], width: int) -> int | None:
    """Return the first row whose cells are of the body's types; None if the body is all text."""
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    body = [row for row in filled[len(filled) // 2 :] if len(row) >= width / 2]
    numeric = [place for place in range(width) if _is_numeric(body, place)]
    if not numeric:
        return None
    above: Row = ()
    for index, row in enumerate(rows):
        cells = [row[place].strip() if place < len(row) else "" for place in numeric]
        numbers = sum(is_number(cell) for cell in cells)
        # Prose above a table may begin with a number; it does not reach half across the table,
        # unless what stands right above it is a full row of names.
        under_names = _is_full(above, width)
        far = _last_filled(row) >= width / 2 or (len(row) >= width and under_names)
        more = _says_more(row, above)
        # Alone under units and limits, a cell is the name of the first column.
        lone = _filled(row) == 1 and row_says(above) is not None
        above = row if _filled(row) else above
        if not far or more:
            continue
        like = sum(not cell or is_number(cell) or is_gap_code(cell) for cell in cells)
        # Right under the names a row of nothing but gaps, or codes for them, is data as well.
        gaps = any(map(is_gap_code, cells)) or (not any(cells) and not lone)
        told = numbers or (under_names and gaps)
        if told and like >= _LIKE_BODY * len(cells):
            return index
    return None


def _says_more(row: Row, above: Row) -> bool:
    """Tell whether a row of numbers is one of limits or the like, and no data."""
    # Limits without a word stand right under the units.
    if row_says(row) is not None or (is_units(above) and numbers_only(row)):
        return True
    first = next((cell for cell in row[:2] if cell.strip()), "")
    return label(first) is Says.OTHER and row_says(above) is not None


def _words_above(rows: Sequence[Row], names: int, width: int) -> int | None:
    """Return a full row of words above a row of names that has numbers in it."""
    if not any(is_number(cell) for cell in rows[names]):
        return None
    return next((n for n in range(names) if _is_words(rows[n], width)), None)


def _after(rows: Sequence[Row], names: int) -> int:
    """Return the first row below a row of names that says no more about the columns."""
    place = names + 1
    while place < len(rows) and (not _filled(rows[place]) or row_says(rows[place]) is not None):
        place += 1
    return place


def _is_words(row: Row, width: int) -> bool:
    return _filled(row) == width and not any(is_number(cell) for cell in row)


def _names_below(rows: Sequence[Row], data: int, width: int) -> int | None:
    """Return a row of names shortly below what was taken for the first data row."""
    for index in range(data + 1, min(data + _PREAMBLE, len(rows))):
        if _is_words(rows[index], width):
            return index
    return None


def _is_full(row: Row, width: int) -> bool:
    """Tell whether a row could be the names of all columns."""
    words = sum(bool(cell.strip()) and not is_number(cell) for cell in row)
    return words >= _LIKE_BODY * width


def _filled(row: Row) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _is_numeric(body: Sequence[Row], place: int) -> bool:
    cells = [row[place].strip() for row in body if place < len(row) and row[place].strip()]
    like = sum(is_number(cell) or is_gap_code(cell) for cell in cells)
    return bool(cells) and like >= _NUMERIC_COLUMN * len(cells) and any(map(is_number, cells))


def _first_full(rows: Sequence[Row], width: int) -> int:
    """Return the first row that is as full as any; the row of names where all is text."""
    filled = [sum(bool(cell.strip()) for cell in row[:width]) for row in rows]
    return filled.index(max(filled)) if filled else 0


def _above(rows: Sequence[Row], data: int, width: int) -> Block | None:
    """Find the row of names above `data` and the rows that say more, under and above it."""
    others: dict[int, Says | None] = {}
    first_names: dict[int, str] = {}
    used = _used(rows[data : data + _BODY_ROWS]) or width
    for index in range(data - 1, -1, -1):
        row, filled = rows[index], _filled(rows[index])
        above = rows[index - 1] if index else ()
        if not filled:
            continue
        says = row_says(row) or (Says.LOWER if _says_more(row, above) else None)
        if says is not None:
            others[index] = Says.OTHER if says is Says.LOWER and not _limits(row, above) else says
        elif is_methods(row) and 2 * substances(above) >= filled:
            others[index] = Says.METHOD
        elif not others and not first_names and filled < used and _names_samples(rows, index):
            first_names = {at: cell.strip() for at, cell in enumerate(row) if cell.strip()}
        elif filled >= max(1, min(width, used) / 2) or (others and filled > 1):
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
        if _filled(row) < 2 or _last_filled(row) < width / 2:  # noqa: PLR2004 - one cell is a line of prose
            return
        if says is not None:
            if not is_units(row) and _filled(row) < min(3, width):
                return  # "units, ft" above a table says it of the table, not of a column
            block.others[index] = says
        elif is_methods(row) and substances(rows[block.names]):
            block.others[index] = Says.METHOD
        else:
            if is_group(row, rows[block.names]):
                block.group = index
            return


def _last_filled(row: Row) -> int:
    """Return the cells of a row up to its last filled one."""
    return max((place for place, cell in enumerate(row, start=1) if cell.strip()), default=0)


def _shift(rows: Sequence[Row], names: int, data: int, width: int) -> int:
    """Return 1 if the first column has no name, as statistics packages write row names."""
    head, body = rows[names], [row for row in rows[data:] if len(row) == width]
    if len(head) != width - 1 or not body or not all(cell.strip() for cell in head):
        return 0
    return int(all(row[-1].strip() for row in body) and all(row[0].strip() for row in body))


def _skipped(rows: Sequence[Row]) -> tuple[str, ...]:
    """Keep what stood above the header as a note."""
    said = _lines(rows)
    if not said:
        return ()
    shown = " / ".join(line[:80] for line in said[:5])
    return (f"{len(rows)} lines above the header were skipped: {shown}"[:400],)


def _lines(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the lines above a header that say something."""
    lines = (" ".join(cell.strip() for cell in row if cell.strip()) for row in rows)
    return tuple(line[:_LINE] for line in lines if line)

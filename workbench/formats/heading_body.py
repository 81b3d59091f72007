"""The body of a table: where it begins, and which rows look like it.

A row is compared with the rows below it column by column; nothing is told of what its words mean
beyond those of `workbench.formats.heading_words`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from workbench.formats.heading_block import numbers_only
from workbench.formats.heading_words import (
    Row,
    Says,
    is_gap_code,
    is_number,
    is_units,
    label,
    row_says,
)

# Share of cells that must look like the body's for a row to be data.
LIKE_BODY = 0.8
_NUMERIC_COLUMN = 0.6
# Rows below a row that it is compared with, and how many a column must fill to tell anything.
_COMPARED, _TELLING = 200, 4
# Rows above it that it is compared with.
_OVER = 20
# Share of the cells of a column that are of one shape, or a share of distinct ones at most.
_ONE_SHAPE, _DISTINCT = 0.6, 0.5
_SIGNS = frozenset({"#", "%", "!", "//"})
_RULE = re.compile(r"^[:=_+-]*[=_-]{3,}[:=_+-]*$|^:?--+:?$")
_COMMENT = re.compile(r"^(?:#|!|//|%|\*\*)")


def first_data(rows: Sequence[Row], width: int) -> int | None:
    """Return the first row whose cells are of the body's types; None if the body is all text."""
    used = [row for row in rows if any(cell.strip() for cell in row)]
    body = [row for row in used[len(used) // 2 :] if len(row) >= width / 2]
    numeric = [place for place in range(width) if _is_numeric(body, place)]
    if not numeric:
        return None
    above: Row = ()
    for index, row in enumerate(rows):
        cells = [row[place].strip() if place < len(row) else "" for place in numeric]
        numbers = sum(is_number(cell) for cell in cells)
        # Prose above a table may begin with a number; it does not reach half across the table,
        # unless what stands right above it is a full row of names.
        under_names = is_full(above, width)
        far = last_filled(row) >= width / 2 or (len(row) >= width and under_names)
        more = says_more(row, above)
        # Alone under units and limits, a cell is the name of the first column.
        lone = filled(row) == 1 and row_says(above) is not None
        above = row if filled(row) else above
        if not far or more:
            continue
        like = sum(not cell or is_number(cell) or is_gap_code(cell) for cell in cells)
        # Right under the names a row of nothing but gaps, or codes for them, is data as well.
        gaps = any(map(is_gap_code, cells)) or (not any(cells) and not lone)
        told = numbers or (under_names and gaps)
        if told and like >= LIKE_BODY * len(cells):
            return index
    return None


def says_more(row: Row, above: Row) -> bool:
    """Tell whether a row of numbers is one of limits or the like, and no data."""
    # Limits without a word stand right under the units.
    if row_says(row) is not None or (is_units(above) and numbers_only(row)):
        return True
    first = next((cell for cell in row[:2] if cell.strip()), "")
    return label(first) is Says.OTHER and row_says(above) is not None


def is_words(row: Row, width: int) -> bool:
    """Tell whether all columns of a row hold words."""
    return filled(row) == width and not any(is_number(cell) for cell in row)


def is_full(row: Row, width: int) -> bool:
    """Tell whether a row could be the names of all columns."""
    words = sum(bool(cell.strip()) and not is_number(cell) for cell in row)
    return words >= LIKE_BODY * width


def filled(row: Row) -> int:
    """Count the filled cells of a row."""
    return sum(bool(cell.strip()) for cell in row)


def _is_numeric(body: Sequence[Row], place: int) -> bool:
    cells = [row[place].strip() for row in body if place < len(row) and row[place].strip()]
    like = sum(is_number(cell) or is_gap_code(cell) for cell in cells)
    return bool(cells) and like >= _NUMERIC_COLUMN * len(cells) and any(map(is_number, cells))


def last_filled(row: Row) -> int:
    """Return the cells of a row up to its last filled one."""
    return max((place for place, cell in enumerate(row, start=1) if cell.strip()), default=0)


def like_body(rows: Sequence[Row], index: int) -> bool:
    """Tell whether the words of a row are of the kind that the columns below hold.

    A column of few values tells by the value itself, one of ids by their shape; one of numbers only
    by a word that stands above as well, one of free text tells nothing. Rows that repeat the row,
    as names on every page do, are no body.

    Examples
    --------
    >>> body = [["A-4", "red", "1"], ["A-5", "red", "2"]] * 3
    >>> like_body([["id", "colour", "Cu"], ["A-3", "red", "lost"], *body], 1)
    True
    """
    telling = [fits for _, _, fits in _compared(rows, index) if fits is not None]
    return 2 * sum(telling) > len(telling)


def opens_body(rows: Sequence[Row], index: int) -> bool:
    """Tell whether a row of words is the body's first, although no names stand above it.

    Names may be words of their own columns, as ``vein`` over vein and host: two columns have to
    hold its words, and no word may stand over numbers that is met there this once.

    Examples
    --------
    >>> body = [["1", "vein", "0.5"], ["2", "host", "0.7"]] * 3
    >>> opens_body([["no", "vein", "Au"], *body], 0)
    False
    """
    told = _compared(rows, index)
    cells = [cell for cell, _, _ in told]
    names = any(
        fits is None and _are_numbers(words) and cells.count(cell) == 1 and not is_gap_code(cell)
        for cell, words, fits in told
    )
    return like_body(rows, index) and not names and sum(bool(fits) for _, _, fits in told) > 1


def _compared(rows: Sequence[Row], index: int) -> list[tuple[str, list[str], bool | None]]:
    """Return each filled cell of a row, the cells below it, and whether it fits them."""
    row = rows[index]
    body = [other for other in rows[index + 1 : index + _COMPARED] if list(other) != list(row)]
    over = [other for other in rows[max(0, index - _OVER) : index] if list(other) != list(row)]
    below = {at: _column(body, at) for at, cell in enumerate(row) if cell.strip()}
    return [
        (row[at].strip(), words, _fits(row[at].strip(), words, _column(over, at)))
        for at, words in below.items()
    ]


def _column(rows: Sequence[Row], at: int) -> list[str]:
    return [row[at].strip() for row in rows if at < len(row) and row[at].strip()]


def _fits(cell: str, words: Sequence[str], over: Sequence[str]) -> bool | None:
    """Tell whether a cell fits those of a column; None if the column tells nothing."""
    if len(words) < _TELLING:
        return None
    if _are_numbers(words):
        return cell in over or cell in words or None
    shape, times = Counter(map(_shape, words)).most_common(1)[0]
    if "0" in shape and times >= _ONE_SHAPE * len(words):
        return _shape(cell) == shape
    if len(set(words)) <= _DISTINCT * len(words):
        return cell in words
    return None


def _are_numbers(words: Sequence[str]) -> bool:
    """Tell whether enough cells are there, and enough of them numbers."""
    numbers = sum(map(is_number, words))
    return len(words) >= _TELLING and numbers >= _NUMERIC_COLUMN * len(words)


def _shape(cell: str) -> str:
    """Write a text as runs of digits and letters: ``MR-0012`` and ``MR-7`` are alike."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", cell))


def is_comment(row: Row, width: int) -> bool:
    """Tell whether a row is a line of comment or a rule: no cell a column, or nothing but lines."""
    if all(_RULE.match(cell.strip()) for cell in row if cell.strip()):
        return filled(row) > 0
    first = next((cell.strip() for cell in row if cell.strip()), "")
    if first in _SIGNS and filled(row) > 1 and len(row) == width:
        return False  # names, the first of which is a sign: "#" over numbers of rows
    return bool(_COMMENT.match(first)) and not LIKE_BODY * width <= filled(row) <= width


def names_on_top(rows: Sequence[Row], data: int, width: int) -> int | None:
    """Return the first row if it names every column and all rows down to the data are as wide.

    A table may begin with rows about itself: they are its rows, and not what stands above it.
    """
    used = [at for at, row in enumerate(rows[:data]) if filled(row)]
    if len(used) < 2 or any(len(rows[at]) != width for at in used):  # noqa: PLR2004 - names, a row
        return None
    words = [cell.strip() for cell in rows[used[0]]]
    return used[0] if is_words(rows[used[0]], width) and len(set(words)) == width else None


def without_sign(row: Row, width: int) -> Row:
    """Return a row of names without the sign of a comment that stands before it as a cell.

    Examples
    --------
    >>> without_sign(["#", "x", "y"], 2)
    ['x', 'y']
    """
    signed = bool(row) and row[0].strip() in _SIGNS and filled(row) == len(row) == width + 1
    return row[1:] if signed else row

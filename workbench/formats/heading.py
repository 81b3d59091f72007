"""Where the header of a table stands: what is above it, which rows belong to it, what they say.

The first data row is found by its likeness to the body, not by its place; the header is what stands
right above it. Rows of units, methods and limits under the names are read as what they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.formats.format import HeaderCell

Row = Sequence[str]

# Rows looked at: preambles of certificates run to some twenty lines.
HEAD_ROWS = 400
_NUMBER = re.compile(r"^[<>≤≥]?=?\s*[-+]?(\d[\d.,]*|[.,]\d+)([eE][-+]?\d+)?\s*%?$")
_CODE = re.compile(
    r"^(lnr|nss|i/?s|n/?a|n\.a\.|n\.?d\.?|bdl|tr|pend\w*|dup|-+|<\s?[a-z]{2,3})$", re.IGNORECASE
)
_UNIT = re.compile(
    r"^\(?(ppm|ppb|ppt|%|pct|wt\.?\s?%|mg/kg|ug/kg|µg/kg|μg/kg|ng/g|g/t|oz/t|g|kg|m|ft|mm|deg|"
    r"degrees|mg/l|ug/l|µg/l|ms/m|us/cm|°|°c)\)?$",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^(units?|method( code)?s?|analysis|analytical method|detection( limit)?|"
    r"(lower|upper)( detection| reporting)? limit|limit of (detection|reporting)|"
    r"lod|loq|lor|ldl|udl|mdl|dl|d\.l\.)[.:]?$",
    re.IGNORECASE,
)
_METHOD = re.compile(r"^(method|analysis|analytical)", re.IGNORECASE)
# Share of cells that must look like the body's for a row to be data.
# Lines of job details above a table that may look like its body.
_PREAMBLE = 20
_LIKE_BODY = 0.8
_NUMERIC_COLUMN = 0.6


@dataclass(frozen=True)
class Heading:
    """What stands above the data.

    Attributes
    ----------
    cells : tuple of HeaderCell
        One a column.
    first : int
        Index of the row of names; of the first data row if there are none.
    rows : int
        Rows from there to the first data row, empty ones left out; 0 for a table without names.
    data : int
        Index of the first data row.
    notes : tuple of str
        What was skipped above it.
    """

    cells: tuple[HeaderCell, ...]
    first: int
    rows: int
    data: int
    notes: tuple[str, ...] = ()


def is_number(cell: str) -> bool:
    """Tell whether a cell reads as a number, censored or not."""
    return bool(_NUMBER.match(cell.strip()))


def find_heading(rows: Sequence[Row], width: int) -> Heading:
    """Find the header of a table in its first rows.

    Parameters
    ----------
    rows : sequence of sequence of str
        The first rows as they stand, empty ones included.
    width : int
        Columns of the body.
    """
    data = _first_data(rows, width)
    if data is None:
        data = _first_full(rows, width) + 1
    names, others = _header_rows(rows, data, width)
    if names is not None and (above := _words_above(rows, names, width)) is not None:
        # A first data row with an odd cell is no row of names where one stands above it.
        data = _after(rows, above)
        names, others = _header_rows(rows, data, width)
    if names is None and (below := _names_below(rows, data, width)) is not None:
        # A line of job details can look like the body: a full row of names under it decides.
        data = (_first_data(rows[below + 1 :], width) or 0) + below + 1
        names, others = _header_rows(rows, data, width)
    if names is None:
        cells = tuple(HeaderCell("") for _ in range(width))
        note = "there is no row of names; columns are numbered"
        return Heading(cells, data, 0, data, (note, *_skipped(rows[:data])))
    width = max(width, _last_filled(rows[names]))
    shift = _shift(rows, names, data, width)
    cells = tuple(_cell(rows, names, others, place - shift) for place in range(width))
    return Heading(cells, names, 1 + len(others), data, _skipped(rows[:names]))


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
        above = row if _filled(row) else above
        if not far:
            continue
        like = sum(not cell or is_number(cell) or bool(_CODE.match(cell)) for cell in cells)
        # Right under the names a row of nothing but codes for gaps is data as well.
        told = numbers or (under_names and any(_CODE.match(cell) for cell in cells))
        if told and like >= _LIKE_BODY * len(cells) and not _is_labelled(row):
            return index
    return None


def _words_above(rows: Sequence[Row], names: int, width: int) -> int | None:
    """Return a full row of words above a row of names that has numbers in it."""
    if not any(is_number(cell) for cell in rows[names]):
        return None
    return next((n for n in range(names) if _is_words(rows[n], width)), None)


def _after(rows: Sequence[Row], names: int) -> int:
    """Return the first row below a row of names that says no more about the columns."""
    place = names + 1
    while place < len(rows) and (
        not _filled(rows[place]) or _is_labelled(rows[place]) or _is_units(rows[place])
    ):
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
    like = sum(is_number(cell) or bool(_CODE.match(cell)) for cell in cells)
    return bool(cells) and like >= _NUMERIC_COLUMN * len(cells) and any(map(is_number, cells))


def _is_labelled(row: Row) -> bool:
    """Tell whether a row says what it is: units, methods, limits."""
    return any(_LABEL.match(cell.strip()) for cell in row[:2])


def _is_units(row: Row) -> bool:
    """Tell whether a row holds nothing but units."""
    cells = [cell.strip() for cell in row if cell.strip()]
    return bool(cells) and all(_UNIT.match(cell) for cell in cells)


def _first_full(rows: Sequence[Row], width: int) -> int:
    """Return the first row that is as full as any; the row of names where all is text."""
    filled = [sum(bool(cell.strip()) for cell in row[:width]) for row in rows]
    return filled.index(max(filled)) if filled else 0


def _header_rows(rows: Sequence[Row], data: int, width: int) -> tuple[int | None, list[int]]:
    """Return the row of names above `data` and the rows between them that say more."""
    others: list[int] = []
    for index in range(data - 1, -1, -1):
        row = rows[index]
        filled = _filled(row)
        if not filled:
            continue
        if _is_labelled(row) or _is_units(row):
            others.insert(0, index)
        elif filled >= max(1, width / 2) or (others and filled > 1):
            return index, others
        else:
            break
    return None, []


def _last_filled(row: Row) -> int:
    """Return the cells of a row up to its last filled one."""
    return max((place for place, cell in enumerate(row, start=1) if cell.strip()), default=0)


def _shift(rows: Sequence[Row], names: int, data: int, width: int) -> int:
    """Return 1 if the first column has no name, as statistics packages write row names."""
    head, body = rows[names], [row for row in rows[data:] if len(row) == width]
    if len(head) != width - 1 or not body or not all(cell.strip() for cell in head):
        return 0
    return int(all(row[-1].strip() for row in body) and all(row[0].strip() for row in body))


def _cell(rows: Sequence[Row], names: int, others: Sequence[int], place: int) -> HeaderCell:
    """Join what the header rows say about one column."""

    def at(index: int) -> str:
        return rows[index][place].strip() if 0 <= place < len(rows[index]) else ""

    unit = method = None
    for index in others:
        cell, label = at(index), next((c.strip() for c in rows[index][:2] if c.strip()), "")
        if not cell or _LABEL.match(cell):
            continue
        if _is_units(rows[index]) or label.casefold().startswith("unit"):
            unit = cell
        elif _METHOD.match(label):
            method = cell
    name = rows[names][place] if 0 <= place < len(rows[names]) else ""
    return HeaderCell(name, unit, method)


def _skipped(rows: Sequence[Row]) -> tuple[str, ...]:
    """Keep what stood above the header as a note."""
    lines = [" ".join(cell.strip() for cell in row if cell.strip()) for row in rows]
    said = [line for line in lines if line]
    if not said:
        return ()
    shown = " / ".join(line[:80] for line in said[:5])
    return (f"{len(rows)} lines above the header were skipped: {shown}"[:400],)

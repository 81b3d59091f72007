"""Repairs of single rows of a LAS log: columns that touch, starred-out columns, loose words.

A repair is taken only if it gives exactly the columns that the header names; else the row stays as
it is and is listed by its line. What no reader takes for a number is put into one spelling.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from workbench.formats.las_layout import (
    COMMA_NUMBER,
    NUMBER,
    Layout,
    decimals,
    is_null,
    words,
)
from workbench.formats.sniff import WHITESPACE

_STARS = re.compile(r"\*{2,}")
_MINUS = re.compile(r"(?<=[\d.])-(?=[\d.])")
# Whatever is no plain number: most lines have none of it and are passed over quickly.
ODD = re.compile(r"[^\d\s.eE+-]")
_NO_NUMBER = re.compile(
    r"[+-]?(?:1\.#(?:IND|[QS]NAN|INF|IO)\w*|nan(?:\(\w*\))?|inf(?:inity)?)", re.IGNORECASE
)
_FORTRAN = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))[dD]([+-]?\d+)")
_POINT = re.compile(r"([+-]?\d*)\.(\d+(?:[eE][+-]?\d+)?)")


def mended(line: str, cells: list[str], layout: Layout) -> list[str] | None:
    """Return the cells of a row that has too few or too many; None if no repair fits.

    Parameters
    ----------
    line : str
        As it stands in the file.
    cells : list of str
        What it was split into.
    layout : Layout
        How rows should be.
    """
    while len(cells) > layout.width and not cells[-1]:
        cells = cells[:-1]
    if len(cells) == layout.width:
        return cells
    if len(cells) > layout.width:
        return _joined(cells, layout)
    if layout.delimiter != WHITESPACE:
        return None
    return next((row for row in _tries(line, cells, layout) if len(row) == layout.width), None)


def _tries(line: str, cells: list[str], layout: Layout) -> Iterator[list[str]]:
    yield _cut(line, layout)
    yield _unstarred(line, layout)
    yield [piece for cell in cells for piece in _before_minus(cell)]
    yield _parted(cells)


def _joined(cells: list[str], layout: Layout) -> list[str] | None:
    """Put surplus words into the one column that holds text."""
    if len(layout.words) != 1:
        return None
    at, more = layout.words[0], len(cells) - layout.width
    sign = " " if layout.delimiter == WHITESPACE else layout.delimiter + " "
    text = sign.join(cell for cell in cells[at : at + more + 1] if cell)
    return [*cells[:at], text, *cells[at + more + 1 :]]


def _cut(line: str, layout: Layout) -> list[str]:
    """Cut a line where full lines have their columns; empty if a column does not fit there."""
    if not layout.cuts or "\t" in line or len(line) <= layout.cuts[-1]:
        return []
    places = (0, *layout.cuts, len(line))
    cells = [line[a:b].strip() for a, b in itertools.pairwise(places)]
    pairs = zip(cells, layout.decimals, strict=True)
    return cells if all(_fits(cell, size, layout.null) for cell, size in pairs) else []


def _fits(cell: str, size: int | None, null: float | None) -> bool:
    """Tell whether a piece of a line is a cell of a column with so many decimals."""
    if not cell or set(cell) == {"*"} or size is None:
        return not any(sign.isspace() for sign in cell)
    return bool(NUMBER.fullmatch(cell)) and (decimals(cell) == size or is_null(cell, null))


def _before_minus(cell: str) -> list[str]:
    """Part numbers that touch at a minus; a date has no point and stays whole."""
    pieces = _MINUS.sub(" -", cell).split() if "." in cell else [cell]
    return pieces if all(map(NUMBER.fullmatch, pieces)) else [cell]


def _unstarred(line: str, layout: Layout) -> list[str]:
    """Set starred-out columns apart, one long run of stars into as many as are missing."""
    if "**" not in line:
        return []
    cells = words(_STARS.sub(r" \g<0> ", line))
    missing = layout.width - len(cells)
    runs = [at for at, cell in enumerate(cells) if len(cell) > 1 and set(cell) == {"*"}]
    if missing > 0 and len(runs) == 1 and len(cells[runs[0]]) % (missing + 1) == 0:
        at = runs[0]
        cells = [*cells[:at], *["***"] * (missing + 1), *cells[at + 1 :]]
    return cells


def _parted(cells: list[str]) -> list[str]:
    """Part numbers that touch, where all numbers of the line have as many decimals."""
    counts = {decimals(cell) for cell in cells if cell.count(".") == 1}
    if len(counts) != 1 or not (size := next(iter(counts))):
        return []
    number = re.compile(rf"-?\d*\.\d{{{size}}}")
    found: list[str] = []
    for cell in cells:
        pieces = number.findall(cell) if cell.count(".") > 1 else [cell]
        if "".join(pieces) != cell:
            return []
        found += pieces
    return found


def plain(line: str, cells: list[str], layout: Layout) -> tuple[list[str], int]:
    """Put what is no number into one spelling, and all decimal signs into that of the layout.

    Returns
    -------
    tuple of list and int
        The cells, and how many decimal signs were changed.
    """
    if not ODD.search(line) and layout.decimal == ".":
        return cells, 0
    cells = [_spelt(cell) for cell in cells]
    if layout.decimal == ",":
        other = [_POINT.sub(r"\1,\2", cell) if _POINT.fullmatch(cell) else cell for cell in cells]
    elif "," in line and layout.delimiter != ",":
        other = [cell.replace(",", ".") if COMMA_NUMBER.fullmatch(cell) else cell for cell in cells]
    else:
        return cells, 0
    changed = sum(a != b for a, b in zip(cells, other, strict=True))
    return other, changed


def _spelt(cell: str) -> str:
    if len(cell) > 3 and set(cell) == {"*"}:  # noqa: PLR2004 - three stars are the known code
        return "***"
    if _NO_NUMBER.fullmatch(cell):
        return "NaN"
    return _FORTRAN.sub(r"\1E\2", cell) if _FORTRAN.fullmatch(cell) else cell

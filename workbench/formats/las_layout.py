"""How the data of a LAS log are laid out: delimiter, wrapping, fixed columns, decimal sign.

It is decided on the first few hundred lines and the curves that the header names; a header that
says otherwise is overruled with a note. Nothing is changed here.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from workbench.formats.sniff import WHITESPACE

_SIGNS = ("\t", ",", ";")
_ALIKE = 0.9
# Columns of fixed width are believed from this many full lines on.
_FULL_LINES = 2
_WORD = re.compile(r"\"[^\"]*\"(?=\s|$)|'[^']*'(?=\s|$)|\S+")
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?")
COMMA_NUMBER = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_POINT_NUMBER = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")
# Share of decimals that must be written with a comma.
_COMMAS = 0.8

Split = Callable[[str], list[str]]


@dataclass(frozen=True)
class Layout:
    """How rows are read.

    Attributes
    ----------
    width : int
        Columns of a row.
    delimiter : str
        One sign, or ``whitespace``.
    wrapped : bool
        True if a row may run over several lines.
    cuts : tuple of int
        Where columns of fixed width are parted; empty if they are not of fixed width.
    decimals : tuple of (int or None)
        Decimals of each column, where all its numbers have as many.
    words : tuple of int
        Columns that hold text, into which surplus words belong.
    decimal : str
        ``.`` or ``,``.
    null : float or None
        Number that stands for a gap, as the header names it.
    notes : tuple of str
        Where the header was overruled.
    """

    width: int
    delimiter: str
    wrapped: bool = False
    cuts: tuple[int, ...] = ()
    decimals: tuple[int | None, ...] = ()
    words: tuple[int, ...] = ()
    decimal: str = "."
    null: float | None = None
    notes: tuple[str, ...] = ()


def words(line: str) -> list[str]:
    """Split a line at blanks; text in quotes stays together.

    Examples
    --------
    >>> words("12.5 'pick delta' 3'AMP")
    ['12.5', 'pick delta', "3'AMP"]
    """
    if '"' not in line and "'" not in line:
        return line.split()
    return [_unquoted(word) for word in _WORD.findall(line)]


def _unquoted(word: str) -> str:
    quoted = len(word) > 1 and word[0] in "\"'" and word[-1] == word[0]
    return word[1:-1].strip() if quoted else word


def splitter(delimiter: str) -> Split:
    """Return the function that splits a line of data."""
    if delimiter == WHITESPACE:
        return words

    def split(line: str) -> list[str]:
        if '"' not in line:
            cells = line.split(delimiter)
        else:
            try:
                cells = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
            except csv.Error:
                cells = line.split(delimiter)
        return [cell.strip() for cell in cells]

    return split


def decide(
    sample: Sequence[str],
    names: int,
    *,
    stated: str = "",
    wrapped: bool = False,
    texts: Sequence[int] = (),
    step: float | None = None,
    null: float | None = None,
) -> Layout:
    """Decide how the data of one section are laid out.

    Parameters
    ----------
    sample : sequence of str
        Its first lines that hold something.
    names : int
        Columns that the header names; 0 if it names none.
    stated : str
        Delimiter that the header names; may be empty.
    wrapped : bool
        True if the header says that rows run over lines.
    texts : sequence of int
        Columns that the header says are text.
    step : float or None
        Step of the index that the header names.
    null : float or None
        Number that stands for a gap, as the header names it.
    """
    delimiter, notes = _delimiter(sample, names, stated)
    split = splitter(delimiter)
    rows = [split(line) for line in sample]
    widths = Counter(map(len, rows))
    common = widths.most_common(1)[0][0] if widths else names
    width = names or common
    decimal = _decimal(rows, delimiter)
    if delimiter == WHITESPACE and names > 1 and _share(widths, names) < _ALIKE:
        folded = _is_folded(rows, names, step)
        if wrapped or folded:
            if not wrapped:
                notes.append("rows run over several lines though the header says that they do not")
            return Layout(width, delimiter, wrapped=True, decimal=decimal, notes=tuple(notes))
    full = [(line, row) for line, row in zip(sample, rows, strict=True) if len(row) == width]
    fixed = delimiter == WHITESPACE and len(full) >= _FULL_LINES
    return Layout(
        width,
        delimiter,
        cuts=_cuts([line for line, _ in full], width) if fixed else (),
        decimals=_decimals([row for _, row in full], width, null) if fixed else (),
        words=_words([row for _, row in full], rows, width, texts),
        decimal=decimal,
        null=null,
        notes=tuple(notes),
    )


def _share(widths: Counter[int], width: int) -> float:
    return widths[width] / max(widths.total(), 1)


def _delimiter(sample: Sequence[str], names: int, stated: str) -> tuple[str, list[str]]:
    """Choose the delimiter whose rows are as wide as the header says."""
    known = {" ": WHITESPACE}.get(stated, stated)
    if not sample:
        return known or WHITESPACE, []
    if known in _SIGNS and sum(known in line for line in sample) > len(sample) / 2:
        return known, []
    fits = {
        delimiter: _fit(list(map(splitter(delimiter), sample)), names, delimiter)
        for delimiter in (WHITESPACE, *_SIGNS)
    }
    best = max(_SIGNS, key=lambda sign: fits[sign])
    if not 0 < fits[best] >= fits[WHITESPACE]:
        best = WHITESPACE
    if known and best != known:
        told = {"\t": "tabs", WHITESPACE: "blanks"}.get(best, best)
        return best, [f"the header names another delimiter than the data have ({told})"]
    return best, []


def _fit(rows: Sequence[list[str]], names: int, delimiter: str) -> float:
    """Return the share of rows as wide as they should be, less for cells with signs left over."""
    widths = Counter(map(len, rows))
    width = names or widths.most_common(1)[0][0]
    if width == 1 and not (names and delimiter == WHITESPACE):
        return 0.0
    alike = [row for row in rows if len(row) == width]
    if delimiter == WHITESPACE:
        unclean = sum(cell[-1:] in {",", ";"} for row in alike for cell in row)
    else:
        unclean = sum(bool(re.search(r"\d\s+[-+.\d]", cell)) for row in alike for cell in row)
    return len(alike) / len(rows) - unclean / max(len(rows), 1)


def _is_folded(rows: Sequence[list[str]], names: int, step: float | None) -> bool:
    """Tell whether lines add up to full rows again and again, and are no rows themselves."""
    sizes = list(map(len, rows))
    if max(sizes, default=0) >= names:
        return False
    starts, held = [0], 0
    for place, size in enumerate(sizes):
        held += size
        if held > names:
            return False
        if held == names:
            starts.append(place + 1)
            held = 0
    if len(starts) <= _FULL_LINES:
        return False
    # Lines of one width may be rows that lack columns: then the index steps from line to line.
    return not (len(set(sizes)) == 1 and _steps([row[0] for row in rows], step))


def _steps(cells: Sequence[str], step: float | None) -> bool:
    """Tell whether cells are the values of an index, one step apart."""
    try:
        values = [float(cell) for cell in cells]
    except ValueError:
        return False
    gaps = [b - a for a, b in itertools.pairwise(values)]
    even = step or gaps[0]
    return bool(even) and all(abs(gap - even) <= abs(even) / 100 for gap in gaps)


def _cuts(lines: Sequence[str], width: int) -> tuple[int, ...]:
    """Return where columns of fixed width are parted, if all full lines agree."""
    if any("\t" in line for line in lines):
        return ()
    spans = [[match.span() for match in _WORD.finditer(line)] for line in lines]
    ends = [{row[at][1] for row in spans} for at in range(width)]
    if all(len(one) == 1 for one in ends):
        return tuple(min(one) for one in ends[:-1])
    starts = [{row[at][0] for row in spans} for at in range(1, width)]
    return tuple(min(one) for one in starts) if all(len(one) == 1 for one in starts) else ()


def _decimals(rows: Sequence[list[str]], width: int, null: float | None) -> tuple[int | None, ...]:
    """Return the decimals of each column, None where they differ; gaps do not count."""
    found: list[int | None] = []
    for at in range(width):
        numbers = [row[at] for row in rows if NUMBER.fullmatch(row[at])]
        counts = {decimals(number) for number in numbers if not is_null(number, null)}
        found.append(next(iter(counts)) if len(counts) == 1 else None)
    return tuple(found)


def decimals(number: str) -> int:
    """Return the digits behind the point of a number."""
    return len(number.partition(".")[2])


def is_null(number: str, null: float | None) -> bool:
    """Tell whether a number is the one that stands for a gap."""
    return null is not None and float(number.replace("D", "E").replace("d", "e")) == null


def _words(
    full: Sequence[list[str]], rows: Sequence[list[str]], width: int, texts: Sequence[int]
) -> tuple[int, ...]:
    """Return the columns that hold text."""
    if texts:
        return tuple(texts)
    if full:
        return tuple(
            at
            for at in range(width)
            if sum(any(sign.isalpha() for sign in row[at]) for row in full) > len(full) / 2
        )
    # No row is full: what stands between the numbers at both ends is the text.
    before = min((_leading(row) for row in rows), default=0)
    behind = min((_leading(row[::-1]) for row in rows), default=0)
    wide = all(len(row) > width for row in rows)
    return (before,) if wide and before + 1 + behind == width else ()


def _leading(row: Sequence[str]) -> int:
    """Return the numbers a row begins with."""
    return next((at for at, cell in enumerate(row) if not NUMBER.fullmatch(cell)), len(row))


def _decimal(rows: Sequence[list[str]], delimiter: str) -> str:
    """Vote on the decimal sign."""
    if delimiter == ",":
        return "."
    cells = [cell for row in rows for cell in row]
    commas = sum(bool(COMMA_NUMBER.fullmatch(cell)) for cell in cells)
    points = sum(bool(_POINT_NUMBER.fullmatch(cell)) for cell in cells)
    return "," if commas > _COMMAS * (commas + points) else "."

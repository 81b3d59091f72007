"""How a text keeps its table: delimiter, decimal sign, width.

Candidates are tried on lines from the start, the middle and the end of the file, and the one that
splits most lines alike into clean cells wins; a short last row or a late semicolon decides nothing.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.formats.encoding import Encoding, decode
from workbench.formats.quoted import between_blanks, records
from workbench.workspace import OpenFile

WHITESPACE = "whitespace"
CANDIDATES = ("\t", ";", "|", ",", WHITESPACE)
_BLOCK = 65_536
_HEAD_BLOCKS = 4
_OTHER_LINES = 300
# A candidate must split this share of lines alike …
_ALIKE = 0.6
# … and runs of blanks more, since prose has blanks too.
_ALIKE_BLANKS = 0.9
# Share of decimals that must be written with a comma.
_COMMAS = 0.8

_COMMA_DECIMAL = re.compile(r"^\s*[<>≤≥]?\s*[-+]?\d*,\d+\s*$")
_POINT_DECIMAL = re.compile(r"^\s*[<>≤≥]?\s*[-+]?\d*\.\d+\s*$")
# Numbers between blanks that are not groups of one number: cells that are still to be cut.
_UNCUT = re.compile(r"^\s*(?!\d{1,3}( \d{3})+\s*$)[-+]?\d*\.?\d+(\s+[-+]?\d*\.?\d+)+\s*$")
_THOUSANDS = re.compile(r"^\s*[-+]?\d{1,3}(,\d{3})+\s*$")

csv.field_size_limit(2**31 - 1)


@dataclass(frozen=True)
class Dialect:
    """How a text keeps its table.

    Attributes
    ----------
    delimiter : str
        One sign, or ``whitespace`` for runs of blanks and tabs.
    decimal : str
        ``.`` or ``,``.
    width : int
        Fields of most lines.
    alike : float
        Share of the lines looked at that have this width.
    """

    delimiter: str
    decimal: str
    width: int
    alike: float


@dataclass(frozen=True)
class Sample:
    """Lines of a text: a stretch from its start, and some from its middle and its end."""

    head: tuple[str, ...]
    other: tuple[str, ...] = ()


def take_sample(file: OpenFile, encoding: Encoding) -> Sample:
    """Read sample lines; cut lines at the edges of a block are left out."""
    with file.stream() as stream:
        start = stream.read(_BLOCK * _HEAD_BLOCKS)
        head = _lines(decode(start, encoding), complete=len(start) == file.size)
        other: list[str] = []
        for place in (file.size // 2, file.size - _BLOCK):
            if place > len(start):
                stream.seek(place // 2 * 2)
                bare = Encoding(encoding.name, encoding.codec)
                text = decode(stream.read(_BLOCK), bare)
                other += _lines(text, complete=False)[1:][-_OTHER_LINES:]
    return Sample(tuple(head), tuple(other))


def _lines(text: str, *, complete: bool) -> list[str]:
    """Split at line feeds and carriage returns only; a form feed is a sign like any other."""
    text = text.replace("\0", "").rstrip("\x1a")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if complete and not lines[-1]:
        return lines[:-1]
    return lines if complete or len(lines) == 1 else lines[:-1]


def split(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """Split lines into cells; quoted cells may hold delimiters and line breaks."""
    if delimiter == WHITESPACE:
        return [between_blanks(line) for line in lines]
    if any('"' in line for line in lines):
        return [cells for _, cells in records(lines, delimiter)]
    return list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))


def sniff(sample: Sample, *, lenient: bool) -> Dialect | None:
    """Find the delimiter, decimal sign and width.

    Parameters
    ----------
    sample : Sample
        Lines of the text.
    lenient : bool
        True if something else says that this is a table (its extension): then few or uneven
        lines do, and a single column too.

    Returns
    -------
    Dialect or None
        None if no delimiter splits the lines alike.
    """
    judged = [(delimiter, *_judge(sample, delimiter)) for delimiter in CANDIDATES]
    fit = [
        (score, width, delimiter, alike)
        for delimiter, score, width, alike in judged
        if width > 1 and alike >= (_ALIKE_BLANKS if delimiter == WHITESPACE else _ALIKE)
    ]
    if not fit and lenient:
        fit = [(s, w, d, a) for d, s, w, a in judged if w > 1 and d != WHITESPACE]
    if fit:
        best = max(fit, key=lambda item: (item[0], item[1], -CANDIDATES.index(item[2])))
        delimiter, width, alike = best[2], best[1], best[3]
        if delimiter == WHITESPACE and _one_run(sample, "\t", width):
            delimiter = "\t"  # a line of prose above or below has as many words by chance
        return Dialect(delimiter, _decimal(sample, delimiter, width), width, alike)
    return Dialect(",", ".", 1, 1.0) if lenient and any(map(str.strip, sample.head)) else None


def _judge(sample: Sample, delimiter: str) -> tuple[float, int, float]:
    """Return score, width and share of lines alike for one candidate."""
    rows = [
        row for row in split((*sample.head, *sample.other), delimiter) if any(map(str.strip, row))
    ]
    if not rows:
        return 0.0, 0, 0.0
    width, times = Counter(map(len, rows)).most_common(1)[0]
    if width == 1:
        wider = Counter(len(row) for row in rows if len(row) > 1).most_common(1)
        width, times = wider[0] if wider else (1, 0)
    alike = times / len(rows)
    cells = [cell for row in rows if len(row) == width for cell in row]
    others = [sign for sign in CANDIDATES[:-1] if sign != delimiter]
    unclean = sum(
        (any(sign in cell for sign in others) and not _COMMA_DECIMAL.match(cell))
        or (delimiter != WHITESPACE and bool(_UNCUT.match(cell)))
        for cell in cells
    )
    # Cells cut by runs of blanks hold none, so that candidate pays for the signs it leaves.
    score = alike - unclean / max(len(cells), 1) - (0.05 if delimiter == WHITESPACE else 0.0)
    return round(score, 2), width, alike


def _one_run(sample: Sample, delimiter: str, width: int) -> bool:
    """Tell whether most lines are cut to a width, all in one run, and the others not at all."""
    rows = split((*sample.head, *sample.other), delimiter)
    widths = [len(row) for row in rows if any(map(str.strip, row))]
    cut = [at for at, cells in enumerate(widths) if cells == width]
    most = len(cut) >= _ALIKE * len(widths) > 0
    return most and cut[-1] - cut[0] < len(cut) and set(widths) <= {1, width}


def _decimal(sample: Sample, delimiter: str, width: int) -> str:
    """Vote on the decimal sign; thousands signs alone do not make a decimal comma."""
    cells = [cell for row in split(sample.head, delimiter) if len(row) == width for cell in row]
    commas = [cell for cell in cells if _COMMA_DECIMAL.match(cell)]
    points = sum(bool(_POINT_DECIMAL.match(cell)) for cell in cells)
    telling = [cell for cell in commas if not _THOUSANDS.match(cell)]
    return "," if telling and len(commas) > _COMMAS * (len(commas) + points) else "."

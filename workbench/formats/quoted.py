"""Lines into cells where quotes are used, by the rules or not.

By the rules a quoted cell begins and ends at a delimiter and doubles the quotes inside it. Files
with inch marks, with remarks in quotes or with marked-up text break them: there a quote closes a
cell only before a delimiter, and what stands inside a tag opens and closes nothing.
"""

from __future__ import annotations

import csv
import functools
import re
from collections.abc import Iterable, Iterator

# A tag with attributes in quotes, as in `<a href="x, y" class="z">`.
_TAG = re.compile(
    r"""<[A-Za-z][\w:-]*+(?:\s++[\w:-]++\s*+=\s*+(?:"[^"<>]*+"|'[^'<>]*+'))++\s*+/?>"""
)
# How a text is kept from being read as a number: `="00123"`.
_TEXT_FORMULA = re.compile(r'^="(?P<inside>[^"]*+)"$')
# Stand-ins for a quote and a delimiter inside a tag; no text has these, they are kept for such use.
_QUOTE, _DELIMITER = "\ufdd0", "\ufdd1"
# A quoted cell has no more lines, and no more signs.
_LINES, _SIGNS = 1_000, 1_000_000


# A cell between blanks, which may be quoted to hold some.
_BETWEEN_BLANKS = re.compile(r'"(?P<inside>(?:[^"]|"")*+)"(?=\s|\Z)|\S+')


def between_blanks(line: str) -> list[str]:
    """Split a line at runs of blanks; a cell in quotes may hold blanks.

    Examples
    --------
    >>> between_blanks('"Mazda RX4"  21.0 6"')
    ['Mazda RX4', '21.0', '6"']
    """
    if '"' not in line:
        return line.split()
    return [
        match[0] if match["inside"] is None else match["inside"].replace('""', '"')
        for match in _BETWEEN_BLANKS.finditer(line)
    ]


@functools.cache
def _rules(delimiter: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return what a record by the rules looks like, its unfinished start, and a loose cell."""
    sign = re.escape(delimiter)
    blank = " " if delimiter == "\t" else r"[ \t]"
    quoted, plain = rf' *+"(?:[^"]|"")*+"{blank}*+', rf'[^"{sign}]*+'
    cell = rf"(?:{quoted}(?={sign}|\s*+\Z)|{plain})"
    whole = re.compile(rf"{cell}(?:{sign}{cell})*+\s*+\Z")
    start = re.compile(rf'(?:{cell}{sign})*+ *+"(?:[^"]|"")*+\Z')
    edge = rf"{blank}*+(?:{sign}|\Z)"
    inside = rf'(?P<inside>(?:""|[^"]|"(?!{edge}))*+)'
    loose = re.compile(rf' *+"{inside}"{edge}|[^{sign}]*+(?:{sign}|\Z)')
    return whole, start, loose


def records(
    lines: Iterable[str], delimiter: str, width: int | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that each record takes, and its cells.

    Parameters
    ----------
    lines : iterable of str
        With or without their ends.
    delimiter : str
        One sign.
    width : int, optional
        Cells of a record; it decides between two readings of one that breaks the rules.

    Examples
    --------
    >>> list(records(['6" pipe,"3" core, NQ",<a href="x,y">'], ","))
    [(1, ['6" pipe', '3" core, NQ', '<a href="x,y">'])]
    """
    whole, start, _ = _rules(delimiter)
    source, waiting = iter(lines), list[str]()
    while True:
        line = waiting.pop(0) if waiting else next(source, None)
        if line is None:
            return
        bare = line.rstrip("\r\n")
        if '"' not in bare:
            yield 1, [cell.lstrip(" ") for cell in bare.split(delimiter)]
            continue
        text, taken = bare if whole.match(bare) else "", 1
        if not text and start.match(bare):
            text, taken = _several(line, source, waiting, delimiter)
        yield (taken, _ruled(text, delimiter)) if text else (1, _mended(bare, delimiter, width))


def _several(
    line: str, source: Iterator[str], waiting: list[str], delimiter: str
) -> tuple[str, int]:
    """Add the lines that follow until the record is whole; put them back if it never is."""
    whole, start, _ = _rules(delimiter)
    text, taken = line, 1
    while taken < _LINES and len(text) < _SIGNS:
        following = waiting[taken - 1] if taken <= len(waiting) else next(source, None)
        if following is None:
            break
        if taken > len(waiting):
            waiting.append(following)
        text += following if text.endswith(("\n", "\r")) else "\n" + following
        taken += 1
        if '"' not in following:
            continue
        if whole.match(text):
            del waiting[: taken - 1]
            return text.rstrip("\r\n"), taken
        if not start.match(text):
            break
    return "", 1


def _ruled(text: str, delimiter: str) -> list[str]:
    """Split a record that keeps the rules."""
    found = csv.reader([text + "\n"], delimiter=delimiter, skipinitialspace=True)
    return next(found, [])


def _mended(line: str, delimiter: str, width: int | None) -> list[str]:
    """Split a line that breaks the rules."""
    cells = _loose(line, delimiter)
    if len(cells) == width or width is None:
        return cells
    other = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    return other if len(other) == width else cells


def _loose(line: str, delimiter: str) -> list[str]:
    """Split where quotes close a cell only before a delimiter, and tags are one sign."""

    def veiled(tag: re.Match[str]) -> str:
        return tag[0].replace('"', _QUOTE).replace(delimiter, _DELIMITER)

    text = _TAG.sub(veiled, line)
    cells, at, loose = list[str](), 0, _rules(delimiter)[2]
    while True:
        match = loose.match(text, at)
        assert match is not None
        inside = match["inside"]
        cell = match[0].removesuffix(delimiter) if inside is None else inside.replace('""', '"')
        formula = _TEXT_FORMULA.match(cell.strip())
        cell = formula["inside"] if formula else cell
        cells.append(cell.replace(_QUOTE, '"').replace(_DELIMITER, delimiter).strip(" "))
        at = match.end()
        if not match[0].endswith(delimiter):
            return cells

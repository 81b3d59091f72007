"""Telling rows from prose, by the text alone.

One judgement serves every door: what `read_file` shows, what a pasted question holds, whether a
result smuggles a table, whether a child's "prose" is rows.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence

_DELIMITERS = (",", ";", "\t", "|")
_RUNS = re.compile(r" {2,}|\t")
_NUMBER = re.compile(r"^[<>≤≥~+-]?\s*\d[\d.,eE+-]*%?$")
# A table has at least this share of lines with the same number of fields …
_SHARE = 0.8
# … and at least this share of short fields: prose with commas has long ones.
_SHORT_SHARE = 0.85
_SHORT_FIELD = 24
_MIN_LINES = 3
# Rows of long comments are a table all the same if nearly all have one width and hold numbers.
_STRICT_SHARE = 0.9
_NUMBERS = 0.2
# Printed by a statistics package: cells between blanks, most of them numbers.
_PRINTED = 0.6
# A bare column of numbers, and lines of one length filled with digits.
_BARE_LINES, _LINE_CHARS, _DIGITS = 10, 20, 0.5


def is_table(lines: Sequence[str]) -> bool:
    """Tell whether the lines read as a delimited or fixed-width table.

    Parameters
    ----------
    lines : sequence of str
        Lines without their line ends, from the start of the text.

    Returns
    -------
    bool
        True where most non-empty lines have the same number (2 or more) of short fields and
        numbers stand among them.
    """
    rows = [line for line in lines if line.strip()]
    if len(rows) >= _MIN_LINES and sum(map(_is_record, rows)) >= _SHARE * len(rows):
        return True
    if len(rows) < _MIN_LINES:
        return False
    by_sign = any(_regular(_split(rows, sign)) for sign in _DELIMITERS)
    by_blanks = _regular([_RUNS.split(row.strip()) for row in rows])
    return by_sign or by_blanks or _is_printed(rows) or _is_fixed(rows)


def _split(rows: Sequence[str], sign: str) -> list[list[str]]:
    """Split lines into fields; a quoted field may hold the sign."""
    if not any('"' in row for row in rows):
        return [row.split(sign) for row in rows]
    try:
        return [next(csv.reader([row], delimiter=sign), []) for row in rows]
    except csv.Error:
        return [row.split(sign) for row in rows]


def _is_printed(rows: Sequence[str]) -> bool:
    """Tell whether most lines are cells between blanks, as data frames are printed."""
    cells = [row.split() for row in rows]
    numbers = [sum(bool(_NUMBER.match(cell)) for cell in row) for row in cells]
    full = [len(row) for row, count in zip(cells, numbers, strict=True) if 2 * count >= len(row)]
    width, times = Counter(full).most_common(1)[0] if full else (0, 0)
    least = _PRINTED if width > 1 else _STRICT_SHARE
    return times >= max(least * len(rows), _BARE_LINES if width == 1 else 0)


def _is_fixed(rows: Sequence[str]) -> bool:
    """Tell whether most lines have one length and are filled with digits."""
    length, times = Counter(len(row.rstrip()) for row in rows).most_common(1)[0]
    if length < _LINE_CHARS or times < _SHARE * len(rows):
        return False
    signs = "".join(rows)
    return sum(sign.isdigit() for sign in signs) >= _DIGITS * len(signs)


# Where rows may end in a text of one line; a blank is tried last, since prose is full of them.
_ROW_ENDS = ("\\n", "\\u000a", ";", "|", "/", " ")
_BETWEEN = re.compile(r"[\s,;|/]+")
# Words with digits: this many, and this share of all, make a list of ids or numbers.
_DIGIT_WORDS, _DIGIT_SHARE = 10, 0.5
# Ids of one kind, `MR0001` and `MR0002`, whatever stands between them.
_ID = re.compile(r"(?<![\w.])([A-Za-z][A-Za-z_.-]*)\d+(?![\w.]*[A-Za-z])")
_IDS = 12
# Longer texts are judged by their start; every door cuts far below it.
_JUDGED = 20_000


def rows_in(text: str) -> tuple[list[str], str]:
    """Return the rows that a text holds, whatever divides them, and what does.

    Parameters
    ----------
    text : str
        An error, a note, a value: anything that should be words.

    Returns
    -------
    list of str
        The rows; empty where it is words.
    str
        The sign between them.
    """
    text = text[:_JUDGED]
    lines = text.splitlines()
    if is_table(lines):
        return lines, "\n"
    for sign in _ROW_ENDS:
        parts = text.split(sign)
        if len(parts) >= _MIN_LINES and is_table(parts):
            return parts, sign
    words = [word for word in _BETWEEN.split(text) if word]
    marked = sum(any(sign.isdigit() for sign in word) for word in words)
    if marked >= _DIGIT_WORDS and marked >= _DIGIT_SHARE * len(words):
        return words, " "
    return _by_ids(text), ""


def _by_ids(text: str) -> list[str]:
    """Cut a text before each id of its most frequent kind; empty where there are few."""
    found = list(_ID.finditer(text))
    kinds = Counter(kind for kind, _ in {(hit[1], hit[0]) for hit in found})
    kind, times = kinds.most_common(1)[0] if kinds else ("", 0)
    if times <= _IDS:
        return []
    starts = [0, *(hit.start() for hit in found if hit[1] == kind and hit.start())]
    return [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]


def table_span(lines: Sequence[str]) -> range:
    """Return where the longest table stands among lines of other text.

    Parameters
    ----------
    lines : sequence of str
        Lines without their line ends.

    Returns
    -------
    range
        The lines of the longest run that reads as a table, blank lines between its rows
        included; empty where there is none.
    """
    marks = [[line.count(sign) for line in lines] for sign in _DELIMITERS]
    marks.append([len(_RUNS.findall(line.strip())) for line in lines])
    # Rows of one width first; fields that hold the sign themselves make rows of many widths.
    marks += [[min(number, 1) for number in numbers] for numbers in marks]
    runs = [run for numbers in marks for run in _runs(numbers, lines) if len(run) >= _MIN_LINES]
    for run in sorted(runs, key=len, reverse=True):
        if is_table(lines[run.start : run.stop]):
            return run
    return range(0)


def _runs(marks: Sequence[int], lines: Sequence[str]) -> Iterator[range]:
    """Yield the runs of lines that have one number of field marks, 1 at least."""
    start, width = 0, 0
    for place, (mark, line) in enumerate(zip([*marks, -1], [*lines, "end"], strict=True)):
        if mark == width or not line.strip():
            continue
        if width:
            yield range(start, place)
        start, width = place, mark


def _is_record(line: str) -> bool:
    """Tell whether a line is a JSON record of its own."""
    text = line.strip().rstrip(",")
    return (text[:1], text[-1:]) in {("{", "}"), ("[", "]")}


def _regular(rows: list[list[str]]) -> bool:
    width, times = Counter(len(row) for row in rows).most_common(1)[0]
    if width < 2 or times < _SHARE * len(rows):  # noqa: PLR2004 - one field is no table
        return False
    fields = [field.strip('"') for row in rows if len(row) == width for field in row]
    filled = [field.strip() for field in fields if field.strip()]
    if not filled:
        return False
    short = sum(len(field) <= _SHORT_FIELD for field in filled) / len(filled)
    numbers = sum(bool(_NUMBER.match(field)) for field in filled) / len(filled)
    strict = times >= _STRICT_SHARE * len(rows)
    if short < _SHORT_SHARE:
        return strict and width > 2 and numbers >= _NUMBERS  # noqa: PLR2004 - two long fields are prose
    # Two columns of words are a list or prose, unless no blank stands in or before any of them;
    # two columns with numbers, or many columns, are a table.
    words = sum(not re.search(r"\s", field) for field in fields) / len(fields)
    close = strict and words >= _STRICT_SHARE and len(filled) == len(fields)
    return numbers >= _NUMBERS or width >= 4 or close  # noqa: PLR2004 - as the comment says

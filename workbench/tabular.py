"""Telling rows from prose, by the text alone.

One judgement serves every door: what `read_file` shows, what a pasted question holds, whether a
result smuggles a table, whether a child's "prose" is rows.
"""

from __future__ import annotations

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
    if len(rows) < _MIN_LINES:
        return False
    by_sign = any(_regular([row.split(sign) for row in rows]) for sign in _DELIMITERS)
    return by_sign or _regular([_RUNS.split(row.strip()) for row in rows])


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


def _regular(rows: list[list[str]]) -> bool:
    width, times = Counter(len(row) for row in rows).most_common(1)[0]
    if width < 2 or times < _SHARE * len(rows):  # noqa: PLR2004 - one field is no table
        return False
    fields = [field.strip().strip('"') for row in rows if len(row) == width for field in row]
    filled = [field for field in fields if field]
    short = sum(len(field) <= _SHORT_FIELD for field in filled)
    numbers = sum(bool(_NUMBER.match(field)) for field in filled)
    if not filled or short < _SHORT_SHARE * len(filled):
        return False
    # Two columns of words are a list or prose; two columns with numbers, or many columns, are not.
    return numbers >= len(filled) / 5 or width >= 4  # noqa: PLR2004 - as the comment says

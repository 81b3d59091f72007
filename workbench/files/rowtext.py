"""Rows in any dress: what the table rule does not split, yet holds one record after another.

Judged by what repeats itself, never by a file's name: signs that stand in every line alike, keys
that come back with another value, values one below the other. Prose, code and settings do not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from workbench.files.tabular import is_table

# Signs that no tool writes by itself but people do; the usual ones are the table rule's.
_SIGNS = "~^:/#!@$%&*+=\\§¦·"
_NUMBER = re.compile(r"[<>≤≥~]?\s*[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*%?")
_VALUE = re.compile(r"[A-Za-z0-9<>~+-][\w.<>+-]*")
_ASSIGNED = re.compile(r"[-*\s]*[\"']?([\w.\-/ ()%\[\]]{1,40}?)[\"']?\s*(?:=|:(?=\s|$))\s*(.*)")
_PAIR = re.compile(r"([A-Za-z_][\w.\-]*)\s*[=:]\s*(\"[^\"]*\"|'[^']*'|[^\s,;|]+)")
_TAG = re.compile(r"<\s*(/?[A-Za-z_][\w.:-]*)([^<>]*)>")
_ATTRIBUTE = re.compile(r"([\w.:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
# Fewer lines than this are shown whole by the data-file rule anyway, or nearly.
_LEAST = 20
# Nearly all lines must follow the rule, and so much of what differs between them be numbers.
_ALIKE, _NUMBERS, _MOSTLY_NUMBERS = 0.9, 0.2, 0.8
_SHORT, _SHORT_SHARE = 24, 0.85
# A column of blanks may be crossed by so many lines; wider lines are not looked at.
_GUTTER, _WIDEST = 0.02, 2_000
# A key that names the fields of records comes back at least so often.
_AGAIN = 8
# Values that are drawn from a list of names repeat it this often.
_DRAWN = 5


def is_rows(lines: Sequence[str]) -> bool:
    """Tell whether lines hold records: a table, or one in another dress.

    Parameters
    ----------
    lines : sequence of str
        Lines without their line ends, from the start of the text.

    Returns
    -------
    bool
        True for a delimited or fixed-width table, lines cut by any other sign, ``key=value``
        lines or blocks, markup with repeated elements, and values one a line.
    """
    if is_table(lines):
        return True
    full = [line.rstrip("\r") for line in lines if line.strip()]
    rows = [line.strip(" \t") for line in full]
    if rows and rows[0].startswith("<") and _is_markup("\n".join(rows)):
        return True
    if len(rows) < _LEAST:
        return False
    one_a_line = _is_list(rows) or _is_cut(rows) or _is_ragged(rows) or _is_ruled(full)
    return one_a_line or _is_paired(rows) or _is_recurring(rows)


def _is_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text.strip(" \t\"'")))


def _share(texts: Sequence[str]) -> float:
    """Return the share of numbers among texts."""
    return sum(map(_is_number, texts)) / max(len(texts), 1)


def _are_short(texts: Sequence[str]) -> bool:
    return sum(len(text) <= _SHORT for text in texts) >= _SHORT_SHARE * len(texts)


def _is_list(rows: Sequence[str]) -> bool:
    """Tell whether there is one value a line: numbers, ids, or names from a short list."""
    texts = [row.strip("\"',;") for row in rows]
    words = [text for text in texts if _VALUE.fullmatch(text) and len(text) <= _SHORT]
    if len(words) < _ALIKE * len(rows):
        return False
    telling = sum(any(sign.isdigit() for sign in word) for word in words)
    return telling >= _MOSTLY_NUMBERS * len(words) or len(set(words)) * _DRAWN <= len(words)


def _is_cut(rows: Sequence[str]) -> bool:
    """Tell whether one unusual sign cuts nearly every line into as many short fields."""
    return any(_cut_by(rows, sign) for sign in _SIGNS if sign in rows[len(rows) // 2])


def _cut_by(rows: Sequence[str], sign: str) -> bool:
    cut = [row.split(sign) for row in rows]
    width, times = Counter(map(len, cut)).most_common(1)[0]
    if width < 2 or times < _ALIKE * len(rows):  # noqa: PLR2004 - one field is not cut
        return False
    records = [fields for fields in cut if len(fields) == width]
    if width == 2:  # noqa: PLR2004 - a name and its number
        return _share([fields[1] for fields in records]) >= _MOSTLY_NUMBERS
    filled = [field.strip() for fields in records for field in fields if field.strip()]
    return _are_short(filled) and _share(filled) >= _NUMBERS


def _is_ragged(rows: Sequence[str]) -> bool:
    """Tell whether a usual sign cuts short fields off nearly every line, and a remark holds it."""
    for sign in ",;\t|":
        widths = sorted(row.count(sign) for row in rows)
        width = widths[round((1 - _ALIKE) * len(rows))]
        if width > 2:  # noqa: PLR2004 - prose has two commas in many a line
            cut = [row.split(sign)[:width] for row in rows if row.count(sign) >= width]
            filled = [field.strip() for fields in cut for field in fields if field.strip()]
            if filled and _are_short(filled) and _share(filled) >= _NUMBERS:
                return True
    return False


def _is_ruled(rows: Sequence[str]) -> bool:
    """Tell whether columns of blanks run down all lines, between fields that may be empty."""
    wide = max(len(row) for row in rows)
    if wide > _WIDEST:
        return False
    filled = Counter(at for row in rows for at, sign in enumerate(row) if not sign.isspace())
    edges, inside = [], False
    for at in range(wide + 1):
        full = filled[at] > _GUTTER * len(rows)
        if full != inside:
            edges.append(at)
            inside = full
    spans = list(zip(edges[::2], edges[1::2], strict=False))
    if len(spans) < 3:  # noqa: PLR2004 - an indent and text are two
        return False
    columns = [[row[start:end].strip() for row in rows] for start, end in spans]
    # A sentence that stands in every line, with a number in it, is no record.
    varied = [c for c in columns if Counter(c).most_common(1)[0][1] <= _ALIKE * len(rows)]
    if len(varied) * 2 < len(columns):
        return False
    values = [field for column in varied for field in column if field]
    return _are_short(values) and _share(values) >= _NUMBERS


def _is_paired(rows: Sequence[str]) -> bool:
    """Tell whether nearly every line names the same fields: ``id=S1 Au=2.5``."""
    pairs = [_PAIR.findall(row) for row in rows]
    named = Counter(tuple(name for name, _ in found) for found in pairs if len(found) > 1)
    return bool(named) and named.most_common(1)[0][1] >= _SHORT_SHARE * len(rows)


def _is_recurring(rows: Sequence[str]) -> bool:
    """Tell whether nearly all lines are a key with a value, and the keys come back."""
    found = [_keyed(row) for row in rows]
    counts = Counter(key for key, _ in found)
    again = [(key, value) for key, value in found if counts[key] >= _AGAIN]
    if len(again) < _ALIKE * len(rows):
        return False
    values = [value.strip(" ,;\"'") for _, value in again if value.strip(" ,;\"'")]
    return bool(values) and _are_short(values) and _share(values) >= _NUMBERS


def _keyed(row: str) -> tuple[str, str]:
    """Return the key and the value of a line; of one without a key, the line itself."""
    found = _ASSIGNED.fullmatch(row)
    return (found[1], found[2]) if found else (row, "")


def _is_markup(text: str) -> bool:
    """Tell whether markup repeats elements whose values are short and partly numbers."""
    tags = _TAG.findall(text)
    counts = Counter(name for name, _ in tags if not name.startswith("/"))
    often = {name for name, times in counts.items() if times >= _AGAIN}
    values = [value for value in _values(text, tags) if value]
    if not often or len(values) < _LEAST or not _are_short(values):
        return False
    if _share(values) >= _NUMBERS:
        return True
    # Words alone: records if several elements come back equally often.
    alike = Counter(times for times in counts.values() if times >= _AGAIN).most_common(1)[0][1]
    return alike > 2 and sum(counts[name] for name in often) >= _ALIKE * sum(counts.values())  # noqa: PLR2004 - a pair may be chance


def _values(text: str, tags: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield what stands between tags and in attributes."""
    yield from (piece.strip() for piece in _TAG.sub("\0", text).split("\0"))
    for _, inside in tags:
        yield from (double or single for _, double, single in _ATTRIBUTE.findall(inside))

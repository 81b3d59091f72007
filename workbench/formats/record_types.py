"""Fixed-width records of several types in one file, told by a code in every line (Canstrat logs).

Each type has columns of its own that the file does not describe, so it is refused by name, with its
record types counted, and never turned into one column.
"""

from __future__ import annotations

import re
from collections import Counter

from workbench.formats.encoding import decode, guess
from workbench.formats.format import Glimpse
from workbench.formats.unread import Unread

_CODE = re.compile(r"^\S{0,3} ?(\d{4,6})(?:\s|$)")
_MOST_TYPES = 12
# Of the lines, at least this share has another number of words than most have.
_UNEVEN = 0.1


def _recognises(glimpse: Glimpse) -> bool:
    """Tell by a code of few values at the start of every line, and lines of unlike shape."""
    types = _types(glimpse)
    return 1 < len(types) <= _MOST_TYPES and max(types.values()) > 1


def _told(glimpse: Glimpse) -> str:
    return ", ".join(f"{code}: {times:,}" for code, times in sorted(_types(glimpse).items()))


def _types(glimpse: Glimpse) -> Counter[str]:
    """Count the lines by their code; empty if a line has none or all lines look alike."""
    encoding = guess(glimpse.head)
    if encoding is None:
        return Counter()
    text = decode(glimpse.head, encoding).replace("\r\n", "\n").replace("\r", "\n")
    lines = text.rstrip("\x1a").split("\n")[: None if glimpse.whole else -1]
    filled = [line for line in lines if line.strip()]
    codes = [match[1] for match in map(_CODE.match, filled) if match]
    if not codes or len(codes) < len(filled):
        return Counter()
    words = Counter(len(line.split()) for line in filled)
    if words.most_common(1)[0][1] > (1 - _UNEVEN) * len(filled):
        return Counter()
    return Counter(codes)


FORMATS = (
    Unread(
        "fixed-width records of several types",
        (),
        _recognises,
        is_data=True,
        advice="export the table as CSV, one file a type",
        rank=85,
        told=_told,
    ),
)

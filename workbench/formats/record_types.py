"""Fixed-width records of several types in one file, told by a code in every line (Canstrat logs).

Each type has columns of its own that the file does not describe, so it is refused by name, with its
record types counted, and never turned into one column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NoReturn

from workbench.errors import Refused
from workbench.formats.counting import text_head
from workbench.formats.encoding import decode, guess
from workbench.formats.format import Glimpse, Head, RawTable
from workbench.formats.reading import Reading
from workbench.limits import Limits
from workbench.workspace import OpenFile, shown

_CODE = re.compile(r"^\S{0,3} ?(\d{4,6})(?:\s|$)")
_MOST_TYPES = 12
# Of the lines, at least this share has another number of words than most have.
_UNEVEN = 0.1


class RecordTypes:
    """Fixed-width records of several types."""

    name = "fixed-width records of several types"
    extensions = ()
    is_data = True
    rank = 85
    by_extension = False

    def recognises(self, glimpse: Glimpse) -> bool:
        """Tell by a code of few values at the start of every line, and lines of unlike shape."""
        types = _types(glimpse)
        return 1 < len(types) <= _MOST_TYPES and max(types.values()) > 1

    def read(self, file: OpenFile, into: Reading) -> Sequence[RawTable]:
        """Refuse, and say what is in it."""
        del into
        self._refuse(file)

    def head(self, file: OpenFile, n: int, limits: Limits) -> Head:
        """Return the first lines and the number of lines."""
        del limits
        return text_head(file, n)

    def _refuse(self, file: OpenFile) -> NoReturn:
        types = _types(Glimpse.of(file))
        told = ", ".join(f"{code}: {times:,}" for code, times in sorted(types.items()))
        raise Refused(
            f"'{shown(file.name)}': {self.name} are not read yet ({told}); export the table as "
            "CSV, one file a type"
        )


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


FORMATS = (RecordTypes(),)

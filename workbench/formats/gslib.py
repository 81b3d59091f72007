"""GSLIB and GeoEAS files: a title, the number of columns, their names one a line, then the data.

Numbers stand between runs of blanks; the count is what makes the names sure, so nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.formats.counting import text_head
from workbench.formats.delimited import read_ready
from workbench.formats.delimited_rows import Text
from workbench.formats.encoding import Encoding, decide, decode, guess
from workbench.formats.format import Glimpse, Head, HeaderCell, RawTable
from workbench.formats.heading import Heading
from workbench.formats.heading_words import is_number
from workbench.formats.reading import Reading
from workbench.formats.sniff import WHITESPACE, Dialect
from workbench.limits import Limits
from workbench.workspace import OpenFile, shown

_MOST = 500
# A grid file has the numbers of its nodes behind the count.
_COUNT = re.compile(r"^\s*(\d{1,3})(?:\s+[-+.\deE]+)*\s*$")
_LOOKED_AT = 20
_TITLE = 200


class GslibTable:
    """GSLIB and GeoEAS tables."""

    name = "GSLIB table"
    extensions = ("gslib", "geoeas")
    is_data = True
    rank = 40
    by_extension = False
    by_lines = True

    def recognises(self, glimpse: Glimpse) -> bool:
        """Tell by a count in the second line that the names and the data below agree with."""
        return _names(glimpse) is not None

    def head(self, file: OpenFile, n: int, limits: Limits) -> Head:
        """Return the first lines and the number of lines."""
        return text_head(file, n, limits)

    def read(self, file: OpenFile, into: Reading) -> Sequence[RawTable]:
        """Read the table.

        Raises
        ------
        Refused
            If it has no data rows.
        """
        into.check_size(file)
        glimpse = Glimpse.of(file)
        names = _names(glimpse) or []
        encoding = decide(file, guess(glimpse.head) or Encoding("utf-8", "utf-8"))
        title = shown(_lines(glimpse)[0].strip())[:_TITLE]
        notes = (f"title: {title}",) if title else ()
        skip = len(names) + 2
        heading = Heading(tuple(map(HeaderCell, names)), 2, len(names), skip, notes)
        dialect = Dialect(WHITESPACE, ".", len(names), 1.0)
        return read_ready(file, into, encoding, lambda path: Text(
            path, encoding, dialect, heading, skip, ()
        ))  # fmt: skip


def _lines(glimpse: Glimpse) -> list[str]:
    encoding = guess(glimpse.head)
    if encoding is None:
        return []
    text = decode(glimpse.head, encoding).replace("\r\n", "\n").replace("\r", "\n")
    lines = text.rstrip("\x1a").split("\n")
    return lines if glimpse.whole else lines[:-1]


def _names(glimpse: Glimpse) -> list[str] | None:
    """Return the names of the columns; None if the file is of another kind."""
    lines = _lines(glimpse)
    count = _COUNT.match(lines[1]) if len(lines) > 3 else None  # noqa: PLR2004 - title, count, name, data
    number = int(count[1]) if count else 0
    if not 0 < number <= _MOST:
        return None
    names = [line.strip() for line in lines[2 : 2 + number]]
    rows = [line.split() for line in lines[2 + number : 2 + number + _LOOKED_AT] if line.strip()]
    worded = all(name and not is_number(name.split()[0]) for name in names)
    fits = all(len(row) == number for row in rows)
    numbers = sum(is_number(cell) for row in rows for cell in row)
    if not (rows and worded and fits and 2 * numbers >= number * len(rows)):
        return None
    return names


FORMATS = (GslibTable(),)

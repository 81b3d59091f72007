"""The structure of a delimited text over its whole length: records, widths, quotes, line ends.

One pass over the bytes with array operations; no cell is looked at. It is the second opinion on
what the engine reads: row counts must agree, and rows of another width are counted and named by
line instead of being padded or cut without a word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from workbench.formats.format import LineMap

Positions = NDArray[np.int64]
Mask = NDArray[np.bool_]

_BLOCK = 4 * 1024 * 1024
# A record longer than this means that a quote was opened and never closed.
_RECORD_BYTES = 64 * 1024 * 1024
_LISTED = 50
_TAB, _LF, _CR, _QUOTE = 9, 10, 13, 34


@dataclass
class Structure:
    """What a scan found; counts are over data records, lines over the whole file.

    Attributes
    ----------
    records : int
        Records that hold something.
    blank : int
        Empty lines, and records of nothing but delimiters.
    short, long : int
        Records narrower or wider than the header.
    widest, longest : int
        Fields of the widest record; bytes of the longest.
    ragged : list of tuple of int
        Line and fields of the first short or long records.
    loose_quotes : bool
        A quote stands where no quoted cell begins or ends.
    open_quote : bool
        A quote is opened and never closed.
    quoted_breaks : bool
        A quoted cell holds a line break.
    line_ends : set of str
        ``lf``, ``crlf``, ``cr``.
    control : bool
        A NUL or control-Z was met.
    white : bool
        A tab (that is no delimiter) or hard blank was met: cells may have them around.
    widths : dict of int to int
        Records by width.
    """

    records: int = 0
    blank: int = 0
    short: int = 0
    long: int = 0
    widest: int = 0
    longest: int = 0
    ragged: list[tuple[int, int]] = field(default_factory=list)
    loose_quotes: bool = False
    open_quote: bool = False
    quoted_breaks: bool = False
    line_ends: set[str] = field(default_factory=set)
    control: bool = False
    white: bool = False
    widths: dict[int, int] = field(default_factory=dict)
    _stretches: list[tuple[int, int]] = field(default_factory=list)
    _next_line: int = 1

    def begin(self, line: int) -> None:
        """Say on which line the first record stands, where all follow without a break."""
        self._stretches = [(0, line)]

    @property
    def lines(self) -> LineMap:
        """Where the data records stand."""
        rows, lines = zip(*(self._stretches or [(0, self._next_line)]), strict=True)
        return LineMap(np.array(rows, dtype=np.int64), np.array(lines, dtype=np.int64))

    @property
    def line_end(self) -> str:
        """The line end in a word: ``lf``, ``crlf``, ``cr`` or ``mixed``."""
        return line_end(self.line_ends)

    @property
    def regular(self) -> bool:
        """True if the engine reads it as it stands."""
        return not (
            self.loose_quotes
            or self.open_quote
            or self.control
            or ("cr" in self.line_ends and len(self.line_ends) > 1)
        )


def line_end(kinds: set[str]) -> str:
    """Name the line ends of a text in a word; ``lf`` for a text of one line."""
    return "mixed" if len(kinds) > 1 else next(iter(kinds), "lf")


def scan(
    stream: BinaryIO,
    delimiter: str,
    width: int,
    first_line: int = 1,
    told: Callable[[int], None] | None = None,
) -> Structure:
    """Scan the data records of a text in UTF-8 or a one-byte code.

    Parameters
    ----------
    stream : binary stream
        Standing at the first data record.
    delimiter : str
        One ASCII sign.
    width : int
        Fields of the header.
    first_line : int
        Line of the first data record, counted from 1.
    told : callable, optional
        Called with the bytes done.
    """
    found = Structure(_next_line=first_line)
    rest = b""
    while True:
        block = stream.read(_BLOCK)
        data = rest + block
        marks = _Marks(data, ord(delimiter), final=not block)
        if marks.end:
            _note(found, data, marks, ord(delimiter))
            _count(found, marks, width)
        if told is not None:
            told(len(block))
        rest = data[marks.end :]
        found.open_quote = found.open_quote or len(rest) > _RECORD_BYTES
        if not block or found.open_quote:
            return found


class _Marks:
    """The delimiters, line ends and quotes of a block, up to the end of its last whole record.

    Everything is computed on the places of these signs, a sixth of the bytes or less.
    """

    def __init__(self, data: bytes, delimiter: int, *, final: bool) -> None:
        self.signs = np.frombuffer(data, dtype=np.uint8)
        mask = (self.signs == delimiter) | (self.signs == _LF)
        self.quoted, self.returns = b'"' in data, b"\r" in data
        if self.quoted:
            mask |= self.signs == _QUOTE
        if self.returns:
            mask |= self.signs == _CR
        self.at = np.flatnonzero(mask)
        self.sign = self.signs[self.at]
        self._find_ends(len(data), delimiter, final=final)

    def _find_ends(self, size: int, delimiter: int, *, final: bool) -> None:
        """Find line ends, record ends, and where the last whole record ends."""
        quotes = self.sign == _QUOTE
        inside = (np.cumsum(quotes) & 1).astype(bool) if self.quoted else np.zeros_like(quotes)
        self.odd_quotes = bool(len(inside) and inside[-1])
        self.paired = np.zeros_like(quotes)
        lines = self.sign == _LF
        if self.returns:
            after = np.append(self.signs[1:], 0)[self.at]
            self.paired = (self.sign == _CR) & (after == _LF)
            # A return at the very end may belong to a line feed that is still to come.
            lone = (self.sign == _CR) & ~self.paired & ((self.at < size - 1) | final)
            lines = lines | lone
        self.lone = lines & (self.sign == _CR)
        ends = np.flatnonzero(lines & ~inside)
        self.end = size if final else int(self.at[ends[-1]]) + 1 if len(ends) else 0
        self._cut(lines, (self.sign == delimiter) & ~inside, ends)

    def _cut(self, lines: Mask, delimiters: Mask, ends: Positions) -> None:
        """Describe the records: where each starts and ends, its fields and its lines."""
        stops = self.at[ends]
        fields, upto = np.cumsum(delimiters)[ends], np.cumsum(lines)[ends]
        if self.end and (not len(stops) or stops[-1] != self.end - 1):
            stops = np.append(stops, self.end)
            fields = np.append(fields, delimiters.sum())
            # A last line without an end counts.
            upto = np.append(upto, lines.sum() + 1)
        starts = np.concatenate([[0], stops[:-1] + 1])
        before = self.signs[np.maximum(stops - 1, 0)] if len(stops) else stops
        self.length = stops - starts - ((before == _CR) & (stops > starts) & self._fed(stops))
        self.fields = np.diff(fields, prepend=0) + 1
        self.line = np.concatenate([[0], upto[:-1]])
        self.lines = int(upto[-1]) if len(upto) else 0

    def _fed(self, stops: Positions) -> Mask:
        """Tell which records end with a line feed."""
        within = stops < len(self.signs)
        found: Mask = within & (self.signs[np.minimum(stops, len(self.signs) - 1)] == _LF)
        return found


def _note(found: Structure, data: bytes, marks: _Marks, delimiter: int) -> None:
    """Note what stands in the way of reading the block as it is."""
    kept = marks.at < marks.end
    if marks.quoted:
        _check_quotes(found, marks, delimiter)
        found.open_quote = found.open_quote or (marks.end == len(data) and marks.odd_quotes)
        found.quoted_breaks = found.quoted_breaks or len(marks.length) < marks.lines
    tab = delimiter != _TAB and b"\t" in data
    found.white = found.white or tab or found.quoted_breaks or b"\xc2\xa0" in data
    found.control = found.control or b"\0" in data or b"\x1a" in data
    feeds = int((kept & (marks.sign == _LF)).sum())
    pairs = int((kept & marks.paired).sum())
    for kind, times in (("crlf", pairs), ("lf", feeds - pairs), ("cr", (kept & marks.lone).sum())):
        if times:
            found.line_ends.add(kind)


def _check_quotes(found: Structure, marks: _Marks, delimiter: int) -> None:
    """Note quotes that stand elsewhere than at the edges of a cell."""
    edge = np.zeros(256, dtype=bool)
    edge[[delimiter, _LF, _CR, _QUOTE]] = True
    quotes = marks.at[(marks.sign == _QUOTE) & (marks.at < marks.end)]
    opening, closing = quotes[0::2], quotes[1::2]
    before = marks.signs[opening[opening > 0] - 1]
    after = marks.signs[closing[closing < len(marks.signs) - 1] + 1]
    clean = edge[before].all() and edge[after].all()
    found.loose_quotes = found.loose_quotes or not clean


def _count(found: Structure, marks: _Marks, width: int) -> None:
    """Count the records of a block."""
    lines = marks.line + found._next_line  # noqa: SLF001 - this module's own record
    blank = (marks.length == 0) | (marks.length == marks.fields - 1)
    fields, lines = marks.fields[~blank], lines[~blank]
    found.blank += int(blank.sum())
    found._next_line += marks.lines  # noqa: SLF001
    if not len(fields):
        return
    found.longest = max(found.longest, int(marks.length.max()))
    found.widest = max(found.widest, int(fields.max()))
    for size, times in zip(*np.unique(fields, return_counts=True), strict=True):
        found.widths[int(size)] = found.widths.get(int(size), 0) + int(times)
    found.short += int((fields < width).sum())
    found.long += int((fields > width).sum())
    odd = np.flatnonzero(fields != width)[: _LISTED - len(found.ragged)]
    found.ragged += [(int(lines[at]), int(fields[at])) for at in odd]
    _stretch(found, lines)
    found.records += len(fields)


def _stretch(found: Structure, lines: Positions) -> None:
    """Keep where an unbroken run of lines starts."""
    stretches = found._stretches  # noqa: SLF001
    following = stretches[-1][1] + found.records - stretches[-1][0] if stretches else -1
    breaks = np.flatnonzero(np.diff(lines, prepend=following - 1) != 1)
    stretches += [(found.records + int(at), int(lines[at])) for at in breaks]

"""The structure of a delimited text over its whole length: records, widths, quotes, line ends.

One pass over the bytes with array operations; no cell is looked at. It is the second opinion on
what the engine reads: row counts must agree, and rows of another width are counted and named by
line instead of being padded or cut without a word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from workbench.formats.format import LineMap

Positions = NDArray[np.int64]

_BLOCK = 4 * 1024 * 1024
# A record longer than this means that a quote was opened and never closed.
_RECORD_BYTES = 64 * 1024 * 1024
_LISTED = 50
_LF, _CR, _QUOTE = 10, 13, 34


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
    widths: dict[int, int] = field(default_factory=dict)
    _stretches: list[tuple[int, int]] = field(default_factory=list)
    _next_line: int = 1

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
    for piece in _pieces(stream, found):
        _take(found, piece, ord(delimiter), width)
        if told is not None:
            told(len(piece))
    return found


def _pieces(stream: BinaryIO, found: Structure) -> Iterator[bytes]:
    """Yield whole records; what is left at the end of a block goes to the front of the next."""
    rest = b""
    while block := stream.read(_BLOCK):
        data = rest + block
        end = _last_end(data)
        if end:
            yield data[:end]
        rest = data[end:]
        if len(rest) > _RECORD_BYTES:
            found.open_quote = True
            return
    if rest:
        yield rest


def _last_end(data: bytes) -> int:
    """Return the place after the last line end that is not inside quotes; 0 if there is none."""
    # The very last sign is left out: a carriage return there may belong to a line feed to come.
    end = max(data.rfind(b"\n", 0, len(data) - 1), data.rfind(b"\r", 0, len(data) - 1))
    if b'"' not in data:
        return end + 1 if end < 0 or data[end : end + 2] != b"\r\n" else end + 2
    signs = np.frombuffer(data, dtype=np.uint8)
    ends, quotes = _line_ends(signs, data)[0], np.flatnonzero(signs == _QUOTE)
    outside = ends[(np.searchsorted(quotes, ends) & 1 == 0) & (ends < len(data) - 1)]
    return int(outside[-1]) + 1 if len(outside) else 0


def _line_ends(signs: NDArray[np.uint8], data: bytes) -> tuple[Positions, set[str]]:
    """Return where lines end and by which signs."""
    feeds = np.flatnonzero(signs == _LF)
    if b"\r" not in data:
        return feeds, {"lf"} if len(feeds) else set()
    returns = np.flatnonzero(signs == _CR)
    followed = np.append(signs[1:], 0)[returns] == _LF
    lone, paired = returns[~followed], int(followed.sum())
    kinds = {"crlf"} if paired else set()
    kinds |= {"lf"} if len(feeds) > paired else set()
    kinds |= {"cr"} if len(lone) else set()
    return (np.sort(np.concatenate([feeds, lone])) if len(lone) else feeds), kinds


def _take(found: Structure, data: bytes, delimiter: int, width: int) -> None:
    """Count the records of one piece."""
    signs = np.frombuffer(data, dtype=np.uint8)
    line_ends, kinds = _line_ends(signs, data)
    delimiters = np.flatnonzero(signs == delimiter)
    ends = line_ends
    if b'"' in data:
        quotes = np.flatnonzero(signs == _QUOTE)
        _check_quotes(found, signs, quotes, delimiter)
        ends = line_ends[np.searchsorted(quotes, line_ends) & 1 == 0]
        delimiters = delimiters[np.searchsorted(quotes, delimiters) & 1 == 0]
    found.control = found.control or b"\0" in data or b"\x1a" in data
    found.line_ends |= kinds
    if not len(ends) or ends[-1] != len(data) - 1:
        ends = np.append(ends, len(data))
    found.quoted_breaks = found.quoted_breaks or len(ends) < len(line_ends)
    _count(found, _Records(signs, ends, line_ends, delimiters), width)


def _check_quotes(
    found: Structure, signs: NDArray[np.uint8], quotes: Positions, delimiter: int
) -> None:
    """Note quotes that stand elsewhere than at the edges of a cell."""
    edges = np.array([delimiter, _LF, _CR, _QUOTE], dtype=np.uint8)
    opening, closing = quotes[0::2], quotes[1::2]
    before = signs[opening[opening > 0] - 1]
    after = signs[closing[closing < len(signs) - 1] + 1]
    clean = np.isin(before, edges).all() and np.isin(after, edges).all()
    found.loose_quotes = found.loose_quotes or not clean
    found.open_quote = found.open_quote or bool(len(quotes) % 2)


class _Records:
    """The records of one piece as arrays, one entry a record."""

    def __init__(
        self,
        signs: NDArray[np.uint8],
        ends: Positions,
        line_ends: Positions,
        delimiters: Positions,
    ) -> None:
        starts = np.concatenate([[0], ends[:-1] + 1])
        inside = np.minimum(ends, len(signs)) - 1
        paired = (ends < len(signs)) & (ends > starts) & (signs[np.maximum(inside, 0)] == _CR)
        self.length = ends - starts - paired
        self.fields = np.diff(np.searchsorted(delimiters, ends), prepend=0) + 1
        # A record starts one line after the one before it ended; lines inside quotes count.
        last = np.searchsorted(line_ends, ends)
        self.line = np.concatenate([[0], last[:-1] + 1])
        self.lines = int(last[-1]) + 1


def _count(found: Structure, records: _Records, width: int) -> None:
    lines = records.line + found._next_line  # noqa: SLF001 - this module's own record
    blank = (records.length == 0) | (records.length == records.fields - 1)
    fields, lines = records.fields[~blank], lines[~blank]
    found.blank += int(blank.sum())
    found._next_line += records.lines  # noqa: SLF001
    if not len(fields):
        return
    found.longest = max(found.longest, int(records.length.max()))
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

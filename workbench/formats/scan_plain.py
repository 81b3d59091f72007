"""A quick look at a plain text: its counts agree with a table of one width, and nothing is odd.

Bytes are counted, not looked at, which is several times as fast as `workbench.formats.scan`. That
every single record has that width is proved afterwards, by reading the text strictly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO

import numpy as np

from workbench.formats.scan import Structure

_BLOCK = 4 * 1024 * 1024
_LF, _CR, _BLANK = 10, 13, 32


def scan_plain(
    stream: BinaryIO,
    delimiter: str,
    width: int,
    first_line: int = 1,
    told: Callable[[int], None] | None = None,
) -> Structure | None:
    """Count the records of a text of which nothing but its counts has to be known.

    Returns
    -------
    Structure or None
        None if it holds a quote, a control sign, a blank at the edge of a cell, an empty record,
        several kinds of line end, or not as many delimiters as records of equal width have; see
        `workbench.formats.scan.scan` for such a text, and for the parameters.
    """
    sign = delimiter.encode()
    odd = (b'"', b"\0", b"\x1a", *((b"\t",) if delimiter != "\t" else ()))
    feeds = returns = delimiters = 0
    rest = b""
    while block := stream.read(_BLOCK):
        if told is not None:
            told(len(block))
        # The hard blank is looked for by its rarer half first: that is quicker by far.
        if any(mark in block for mark in odd) or (b"\xc2" in block and b"\xa0" in block):
            return None
        data = rest + block
        whole = data.rfind(b"\n") + 1
        rest = data[whole:]
        signs = np.frombuffer(data, dtype=np.uint8, count=whole)
        if b"\r" in block:
            returns += int(np.count_nonzero(signs == _CR))
        if not _even(signs, ord(delimiter), width, blanks=b" " in data):
            return None
        feeds += int(np.count_nonzero(signs == _LF))
        delimiters += data.count(sign, 0, whole)
    if rest:
        # A last line without an end.
        if rest.count(sign) != width - 1 or b" " in rest or not rest.strip(sign + b"\r"):
            return None
        delimiters += width - 1
    records = feeds + bool(rest)
    pairs = returns in {0, feeds} and b"\r" not in rest
    if not feeds or delimiters != records * (width - 1) or not pairs:
        return None
    found = Structure(records=records, widest=width, widths={width: records})
    found.line_ends = {"crlf" if returns else "lf"}
    found.begin(first_line)
    return found


def _even(
    signs: np.ndarray[tuple[int], np.dtype[np.uint8]], delimiter: int, width: int, *, blanks: bool
) -> bool:
    """Tell whether a block of whole lines has no empty record and no blank at an edge."""
    ends = np.flatnonzero(signs == _LF)
    if not len(ends):
        return True
    shortest = int(np.diff(ends, prepend=-1).min()) - 1
    # So short a record may be nothing but delimiters, and a return.
    if shortest <= width:
        return False
    if (signs[ends - 1] == _CR).any() and not (signs[ends - 1] == _CR).all():
        return False
    if not blanks:
        return True
    at = np.flatnonzero(signs == _BLANK)
    edge = np.zeros(256, dtype=bool)
    edge[[delimiter, _LF, _CR]] = True
    before, after = signs[np.maximum(at - 1, 0)], signs[np.minimum(at + 1, len(signs) - 1)]
    return not (edge[before].any() or edge[after].any() or (at == 0).any())

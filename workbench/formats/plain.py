"""Blocks of a plain text: looked at one by one, in any order, and counted together.

Bytes are counted, no cell is looked at. What is not plain is left to a thorough look.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# No engine reads longer lines as they stand.
LINE_BYTES = 2_000_000
_LF, _CR, _BLANK = 10, 13, 32


class NotPlain(Exception):
    """A text is not plain: see `workbench.formats.scan.scan` for it."""


@dataclass(frozen=True)
class Look:
    """What was counted in a block of whole lines, or in a last line without an end."""

    feeds: int
    returns: int
    delimiters: int
    unended: bool = False


@dataclass
class Plain:
    """A text as far as it was looked at, block by block and in any order.

    Attributes
    ----------
    delimiter : str
        One ASCII sign.
    width : int
        Fields of every record.
    """

    delimiter: str
    width: int
    feeds: int = 0
    returns: int = 0
    delimiters: int = 0
    unended: bool = False

    def look(self, block: bytes) -> Look | None:
        """Look at a block of whole lines, or at the last line without an end."""
        odd = (b'"', b"\0", b"\x1a", *((b"\t",) if self.delimiter != "\t" else ()))
        # The hard blank is looked for by its rarer half first: that is quicker by far.
        if any(mark in block for mark in odd) or (b"\xc2" in block and b"\xa0" in block):
            return None
        sign = self.delimiter.encode()
        if not block.endswith(b"\n"):
            # A last line without an end.
            fit = block.count(sign) == self.width - 1 and block.strip(sign + b"\r")
            clean = b" " not in block and b"\r" not in block
            return Look(0, 0, self.width - 1, unended=True) if fit and clean else None
        signs = np.frombuffer(block, dtype=np.uint8)
        returns = int(np.count_nonzero(signs == _CR)) if b"\r" in block else 0
        ends = np.flatnonzero(signs == _LF)
        if not _even(signs, ends, ord(self.delimiter), self.width, blanks=b" " in block):
            return None
        return Look(len(ends), returns, int(np.count_nonzero(signs == ord(sign))))

    def add(self, found: Look | None) -> bool:
        """Add what was counted; False if the text is not plain."""
        if found is None:
            return False
        self.feeds, self.returns = self.feeds + found.feeds, self.returns + found.returns
        self.delimiters += found.delimiters
        self.unended = self.unended or found.unended
        return True


def _even(
    signs: NDArray[np.uint8], ends: NDArray[np.intp], delimiter: int, width: int, *, blanks: bool
) -> bool:
    """Tell whether a block of whole lines has no empty or endless record, no blank at an edge."""
    lengths = np.diff(ends, prepend=-1)
    # So short a record may be nothing but delimiters, and a return.
    if int(lengths.min()) - 1 <= width or int(lengths.max()) > LINE_BYTES:
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

"""A quick look at a plain text: its counts agree with a table of one width, and nothing is odd.

Bytes are counted, not looked at, which is several times as fast as `workbench.formats.scan`. That
every single record has that width is proved afterwards, by reading the text strictly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO

from workbench.formats.plain import Plain
from workbench.formats.scan import Structure

_BLOCK = 4 * 1024 * 1024


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
    plain, rest = Plain(delimiter, width), b""
    while block := stream.read(_BLOCK):
        if told is not None:
            told(len(block))
        data = rest + block
        whole = data.rfind(b"\n") + 1
        rest = data[whole:]
        if whole and not plain.add(plain.look(data[:whole])):
            return None
    if rest and not plain.add(plain.look(rest)):
        return None
    return structure(plain, first_line)


def structure(plain: Plain, first_line: int) -> Structure | None:
    """Return what the counts of a whole text say; None if they do not agree."""
    records = plain.feeds + plain.unended
    pairs = plain.returns in {0, plain.feeds}
    if not plain.feeds or plain.delimiters != records * (plain.width - 1) or not pairs:
        return None
    found = Structure(records=records, widest=plain.width, widths={plain.width: records})
    found.line_ends = {"crlf" if plain.returns else "lf"}
    found.begin(first_line)
    return found

"""Counting the lines of a text, and showing its first ones.

LF, CRLF and a lone CR all end a line; a last line without a line end counts. Counting runs over
blocks of bytes with array operations, so that a large file costs little more than reading it.
"""

from __future__ import annotations

from typing import BinaryIO, NamedTuple

import numpy as np

from workbench.formats.encoding import Encoding, decode, guess
from workbench.formats.format import Head
from workbench.limits import Limits
from workbench.workspace import OpenFile

_BLOCK = 1024 * 1024
# No first lines are looked for beyond this; one line of gigabytes is shown by its start.
_HEAD_BYTES = 4 * 1024 * 1024
# Of a file that is not loaded anyway: a second of reading, and there are at least so many lines.
_COUNTED_BYTES = 100_000_000
_LF, _CR = 10, 13


def text_head(file: OpenFile, n: int, limits: Limits) -> Head:
    """Return the first lines of a text and the number of its lines.

    Parameters
    ----------
    file : OpenFile
        A text; binary files are taken byte by byte and shown with replacement signs.
    n : int
        Lines wanted.
    limits : Limits
        The lines of a file that is too large to load are not counted to its end.
    """
    most = file.size if file.size <= limits["load_bytes"].number else _COUNTED_BYTES
    with file.stream() as stream:
        start = stream.read(_HEAD_BYTES)
        encoding = guess(start[:_BLOCK]) or Encoding("binary", "latin-1")
        stream.seek(0)
        found = count_lines(stream, encoding, most)
    text = decode(start, encoding).replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    # Every sign of such a text is one byte: nobody has to decode it to count them.
    signs = file.size - encoding.mark if found.ascii and found.exact else None
    return Head(tuple(lines[: max(n, 0)]), found.lines, found.exact, characters=signs)


class Counted(NamedTuple):
    """What was counted in a text.

    Attributes
    ----------
    lines : int
        Lines.
    exact : bool
        Whether the whole text was counted.
    ascii : bool
        Whether every byte that was met is a sign of ASCII.
    """

    lines: int
    exact: bool
    ascii: bool


def count_lines(stream: BinaryIO, encoding: Encoding, most: int) -> Counted:
    """Count the lines of a text from where the stream stands.

    Parameters
    ----------
    stream : binary stream
        At the start of the text.
    encoding : Encoding
        Decides whether a sign takes one byte or two.
    most : int
        Bytes after which counting stops: there are then at least so many lines.

    Returns
    -------
    Counted
        Of the whole text, or as far as was counted.
    """
    kind = {"utf-16-le": "<u2", "utf-16-be": ">u2"}.get(encoding.codec, "u1")
    buffer = bytearray(_BLOCK)
    total, done, last, held = 0, 0, -1, 0
    plain = encoding.unit == 1
    while read := stream.readinto(memoryview(buffer)[held:]):  # type: ignore[attr-defined]
        size = (held + read) // encoding.unit * encoding.unit
        signs = np.frombuffer(buffer, dtype=kind, count=size // encoding.unit)
        total += _ends(signs, buffer, last)
        # What is left of an earlier block behind this one was looked at then.
        plain = plain and buffer.isascii()
        last = int(signs[-1]) if len(signs) else last
        done += read
        rest = bytes(buffer[size : held + read])
        held = len(rest)
        del signs
        buffer[:held] = rest
        if done >= most and stream.read(1):
            return Counted(total, exact=False, ascii=plain)
    unfinished = held or last not in {-1, _LF, _CR}
    return Counted(total + bool(unfinished), exact=True, ascii=plain)


def _ends(signs: np.ndarray[tuple[int], np.dtype[np.generic]], raw: bytearray, last: int) -> int:
    """Count the line ends of one block; a line feed after `last` = CR was counted with it."""
    ends = int(np.count_nonzero(signs == _LF))
    if last == _CR and len(signs) and signs[0] == _LF:
        ends -= 1
    if b"\r" not in raw:
        return ends
    returns = signs == _CR
    # Every return ends a line; the line feed right after one does not end another.
    paired = int(np.count_nonzero(returns[:-1] & (signs[1:] == _LF)))
    return ends + int(np.count_nonzero(returns)) - paired

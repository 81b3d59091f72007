"""Which characters the bytes of a text file stand for.

A byte-order mark decides; then the zero bytes of UTF-16; then strict UTF-8 over the whole file;
what is left is cp1252, the code page of the spreadsheets these files come from. A file with
signs that no text holds is binary and no text at all.
"""

from __future__ import annotations

import codecs
import functools
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from workbench.workspace import OpenFile

_BLOCK = 4 * 1024 * 1024
# Text in Latin letters as UTF-16 has a zero in nearly every second byte; no other text has any.
_UTF16_SHARE = 0.4
# Control signs are a handful in a text (form feed, control-Z); more than this is no text.
_CONTROL_SHARE = 0.005
# NULs left by programs that write fields with an end sign, in a text that is otherwise plain.
_NUL_SHARE = 0.2
_CP1252_HOLES = bytes((0x81, 0x8D, 0x8F, 0x90, 0x9D))


@dataclass(frozen=True)
class Encoding:
    """The encoding of a text.

    Attributes
    ----------
    name : str
        As it is told: ``utf-8``, ``utf-8-sig``, ``utf-16``, ``cp1252``.
    codec : str
        Python's name of the codec for the bytes after the mark.
    mark : int
        Bytes of the byte-order mark.
    """

    name: str
    codec: str
    mark: int = 0

    @property
    def unit(self) -> int:
        """Bytes that a line end takes."""
        return 2 if self.codec.startswith("utf-16") else 1


_MARKS = (
    (codecs.BOM_UTF8, Encoding("utf-8-sig", "utf-8", 3)),
    (codecs.BOM_UTF16_LE, Encoding("utf-16", "utf-16-le", 2)),
    (codecs.BOM_UTF16_BE, Encoding("utf-16", "utf-16-be", 2)),
)


@functools.lru_cache(maxsize=2)  # a dozen formats ask about one file
def guess(head: bytes) -> Encoding | None:
    """Judge the start of a file; None if it is no text.

    Parameters
    ----------
    head : bytes
        The first bytes; a sign cut at the end does no harm.

    Returns
    -------
    Encoding or None
        ``utf-8`` here means that the start is valid UTF-8; `decide` looks at the rest.
    """
    for mark, encoding in _MARKS:
        if head.startswith(mark) and not head.startswith(codecs.BOM_UTF32_LE):
            return encoding
    if wide := _wide(head):
        return wide
    if _is_binary(head):
        return None
    return Encoding("utf-8", "utf-8") if _is_utf8(head) else Encoding("cp1252", "cp1252")


def _wide(head: bytes) -> Encoding | None:
    """Recognise UTF-16 without a mark by its zero bytes."""
    pairs = np.frombuffer(head[: len(head) // 2 * 2], dtype=np.uint8).reshape(-1, 2)
    if not len(pairs):
        return None
    first, second = (pairs == 0).mean(axis=0)
    if second > _UTF16_SHARE and first == 0:
        return Encoding("utf-16", "utf-16-le")
    if first > _UTF16_SHARE and second == 0:
        return Encoding("utf-16", "utf-16-be")
    return None


def _is_binary(head: bytes) -> bool:
    """Tell whether bytes hold more control signs than a text does."""
    if not head:
        return False
    signs = np.frombuffer(head, dtype=np.uint8)
    bare = head.replace(b"\0", b"")
    if len(head) - len(bare) <= _NUL_SHARE * len(head) and bare.isascii():
        signs = np.frombuffer(bare, dtype=np.uint8)  # strings that kept their end signs
    control = (signs < 32) & ~np.isin(signs, (9, 10, 11, 12, 13, 26))  # noqa: PLR2004 - white space, control-Z
    return bool(control.mean() > _CONTROL_SHARE)


def _is_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def decide(file: OpenFile, first: Encoding) -> Encoding:
    """Look at the whole file; UTF-8 that breaks somewhere is cp1252.

    Parameters
    ----------
    file : OpenFile
        A text.
    first : Encoding
        What its start looked like.
    """
    if first.codec != "utf-8":
        return first
    decoder = codecs.getincrementaldecoder("utf-8")()
    with file.stream() as stream:
        stream.seek(first.mark)
        try:
            while block := stream.read(_BLOCK):
                if not block.isascii() or decoder.getstate()[0]:
                    decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return Encoding("cp1252", "cp1252")
    return first


def decode(data: bytes, encoding: Encoding) -> str:
    """Decode bytes for a look at them; what does not decode becomes a visible sign."""
    if encoding.codec == "cp1252":
        # Five codes have no meaning in cp1252; Latin-1 gives them a control sign, as browsers do.
        return data.translate(_holes()).decode("cp1252", errors="replace")
    return data[encoding.mark :].decode(encoding.codec, errors="replace")


def _holes() -> bytes:
    table = bytearray(range(256))
    for code in _CP1252_HOLES:
        table[code] = ord("?")
    return bytes(table)


def to_utf8(file: OpenFile, encoding: Encoding, target: Path) -> int:
    """Write the text as plain UTF-8 without a mark.

    Returns
    -------
    int
        How many bytes or signs had no meaning and became ``?`` or U+FFFD.
    """
    decoder = codecs.getincrementaldecoder(encoding.codec)(errors="replace")
    lost = 0
    with file.stream() as source, target.open("wb") as out:
        source.seek(encoding.mark)
        while block := source.read(_BLOCK):
            if encoding.codec == "cp1252":
                lost += sum(block.count(code) for code in _CP1252_HOLES)
                block = block.translate(_holes())
            decoded = decoder.decode(block)
            lost += decoded.count("\ufffd")
            out.write(decoded.encode())
        out.write(decoder.decode(b"", final=True).encode())
    return lost

"""The size of a packed file, checked before anything of it is used.

Declared sizes are added up first; then every part is unpacked once and counted, since a directory
can lie. What is refused here never reaches the library that reads sheets.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from typing import BinaryIO

from workbench.errors import LimitReached, Refused
from workbench.limits import Limits
from workbench.workspace import OpenFile, shown

_PARTS = 10_000
_BLOCK = 1024 * 1024
_LOCAL_HEADER = 30
_ENCRYPTED = 0x1


def check_archive(file: OpenFile, limits: Limits) -> None:
    """Refuse a packed file that is damaged, hostile or too large unpacked.

    Raises
    ------
    LimitReached
        If it grows beyond ``inflate_ratio`` or ``inflate_bytes``.
    Refused
        If it is damaged, locked with a password, has too many parts or declares entities.
    """
    try:
        with file.stream() as stream, zipfile.ZipFile(stream) as archive:
            parts = archive.infolist()
            check_declared(file, parts, limits)
            for part in parts:
                _check_part(file, stream, part)
    except (zipfile.BadZipFile, zlib.error, struct.error, OSError) as error:
        raise Refused(
            f"'{shown(file.name)}': damaged packed file ({str(error)[:80]}); save it again"
        ) from None


def check_declared(file: OpenFile, parts: list[zipfile.ZipInfo], limits: Limits) -> None:
    """Refuse a packed file that is too large by what its directory says.

    Raises
    ------
    LimitReached
        If it would grow beyond ``inflate_ratio`` or ``inflate_bytes``.
    Refused
        If it has too many parts, or parts that overlap.
    """
    name = shown(file.name)
    if len(parts) > _PARTS:
        raise Refused(f"'{name}': {len(parts):,} parts, and no more than {_PARTS:,} are opened")
    if sum(part.compress_size for part in parts) > file.size:
        raise Refused(f"'{name}': its parts overlap, as in a bomb; not opened")
    declared = sum(part.file_size for part in parts)
    ratio, most = limits["inflate_ratio"].number, limits["inflate_bytes"].number
    if declared > most:
        raise LimitReached(
            f"'{name}': {declared:,} bytes unpacked, and no more than {most:,} are unpacked; "
            f"raise it with -l inflate_bytes={declared}",
            "inflate_bytes",
        )
    if declared > ratio * file.size:
        grows = declared // max(file.size, 1) + 1
        raise LimitReached(
            f"'{name}': it grows {grows:,} times when unpacked, and more than {ratio:,} times is "
            f"refused; raise it with -l inflate_ratio={grows} if you trust the file",
            "inflate_ratio",
        )


def _check_part(file: OpenFile, stream: BinaryIO, part: zipfile.ZipInfo) -> None:
    """Unpack one part and count; look for entities at its start."""
    if part.flag_bits & _ENCRYPTED:
        raise Refused(f"'{shown(file.name)}': locked with a password; save it without one")
    if part.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise Refused(
            f"'{shown(file.name)}': packed in a way that workbooks are not; save it again"
        )
    stream.seek(part.header_offset)
    header = stream.read(_LOCAL_HEADER)
    name_size, extra_size = struct.unpack("<HH", header[26:30])
    stream.seek(part.header_offset + _LOCAL_HEADER + name_size + extra_size)
    packed = part.compress_type == zipfile.ZIP_DEFLATED
    start, size = _unpacked(stream, part, packed=packed)
    if size > part.file_size:
        raise LimitReached(
            f"'{shown(file.name)}': a part is larger than the file declares; not opened",
            "inflate_bytes",
        )
    if b"<!DOCTYPE" in start or b"<!ENTITY" in start:
        raise Refused(
            f"'{shown(file.name)}': it declares entities, as no workbook does; not opened"
        )


def _unpacked(stream: BinaryIO, part: zipfile.ZipInfo, *, packed: bool) -> tuple[bytes, int]:
    """Return the start of a part and its size, counted no further than just beyond its word."""
    if not packed:
        return stream.read(min(4096, part.compress_size)), part.compress_size
    unpacker, left, size, start = zlib.decompressobj(-15), part.compress_size, 0, b""
    while left and size <= part.file_size and not unpacker.eof:
        block = stream.read(min(_BLOCK, left))
        if not block:
            break
        left -= len(block)
        while block and size <= part.file_size:
            piece = unpacker.decompress(block, _BLOCK)
            start = start or piece[:4096]
            size += len(piece)
            block = unpacker.unconsumed_tail
    return start, size

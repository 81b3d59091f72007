"""The parts of a ZIP or GZIP file, unpacked under the limits; names inside are words, never paths.

What the directory declares is checked first; while a part is unpacked its bytes are counted, since
a directory can lie. Every part goes to a file of our own name in a folder of our own.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import shutil
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from workbench.errors import LimitReached, Refused
from workbench.formats.archive import check_declared
from workbench.formats.format import GLIMPSE_BYTES, Glimpse, extension
from workbench.formats.names import numbered
from workbench.limits import Limits
from workbench.workspace import OpenFile, shown

_BLOCK = 1024 * 1024
_ENCRYPTED = 0x1
_PACKED = (b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!")
_ZSTD, _OLE = b"\x28\xb5\x2f\xfd", b"\xd0\xcf\x11\xe0"
_TAR, _TAR_AT = b"ustar", 257
# Header and tail of a GZIP file that holds nothing.
_GZIP_BYTES = 18


_BROKEN = (
    zipfile.BadZipFile,
    gzip.BadGzipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
)


@dataclass(frozen=True)
class Part:
    """One file inside a packed file.

    Attributes
    ----------
    label : str
        Its name there, fit to be shown.
    size : int
        Bytes as the packed file declares them.
    stream : callable
        Opens it; reading raises `LimitReached` beyond the limits.
    """

    label: str
    size: int
    stream: Callable[[], BinaryIO]

    def glimpse(self) -> Glimpse:
        """Look at its start; its end is not known."""
        with self.stream() as stream:
            head = stream.read(GLIMPSE_BYTES)
        return Glimpse(self.label, extension(self.label), head, b"", max(self.size, len(head)))


def is_packed(head: bytes) -> bool:
    """Tell whether bytes begin an archive, or a workbook, which may be one."""
    tar = head[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR
    return tar or head.startswith((*_PACKED, _ZSTD, _OLE))


@contextlib.contextmanager
def zip_parts(file: OpenFile, limits: Limits) -> Iterator[list[Part]]:
    """Open a ZIP file and list its files, folders and system litter left out.

    Raises
    ------
    LimitReached
        If it grows beyond ``inflate_ratio`` or ``inflate_bytes``.
    Refused
        If it is damaged, locked, or has too many or overlapping parts.
    """
    with undamaged(file), file.stream() as stream, _opened(file, stream) as archive:
        found = archive.infolist()
        check_declared(file, found, limits)
        names = _labels([info.filename for info in found])
        yield [
            Part(names[at], info.file_size, _opener(file, archive, info))
            for at, info in enumerate(found)
            if not info.filename.endswith("/") and not _is_litter(info.filename)
        ]


@contextlib.contextmanager
def gzip_part(file: OpenFile, limits: Limits) -> Iterator[list[Part]]:
    """Open a GZIP file, which holds one file.

    Raises
    ------
    LimitReached
        While it is read, if it grows beyond ``inflate_ratio`` or ``inflate_bytes``.
    Refused
        If it is damaged.
    """
    ratio, most = limits["inflate_ratio"].number, limits["inflate_bytes"].number

    def check(size: int) -> None:
        if size > most:
            raise LimitReached(
                f"'{shown(file.name)}': over {most:,} bytes unpacked, and no more are unpacked; "
                f"raise it with -l inflate_bytes={2 * most}",
                "inflate_bytes",
            )
        if size > ratio * file.size:
            raise LimitReached(
                f"'{shown(file.name)}': it grows over {ratio:,} times when unpacked; raise it with "
                f"-l inflate_ratio={10 * ratio} if you trust the file",
                "inflate_ratio",
            )

    def stream() -> BinaryIO:
        raw = file.stream()
        return io.BufferedReader(_Counted(gzip.open(raw), check, raw), _BLOCK)

    with undamaged(file), file.stream() as raw:
        if file.size < _GZIP_BYTES:
            raise EOFError("it is too short")
        raw.seek(-4, os.SEEK_END)
        declared = int(struct.unpack("<I", raw.read(4))[0])
        # The last four bytes may lie; a size that is honest and too large is refused at once.
        check(declared if file.size > _BLOCK else 0)
        label = shown(file.name.rpartition("/")[2].removesuffix(".gz").removesuffix(".GZ"))
        yield [Part(label, declared, stream)]


@contextlib.contextmanager
def undamaged(file: OpenFile) -> Iterator[None]:
    """Turn what a broken archive raises into a refusal."""
    try:
        yield
    except _BROKEN as error:
        raise _damaged(file, error) from None


def _opened(file: OpenFile, stream: BinaryIO) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(stream)
    except (OSError, ValueError) as error:
        raise _damaged(file, error) from None


def _damaged(file: OpenFile, error: Exception) -> Refused:
    return Refused(f"'{shown(file.name)}': damaged packed file ({str(error)[:80]}); pack it again")


def unpacked(part: Part, outer: OpenFile, folder: Path) -> OpenFile:
    """Unpack a part into a folder of our own; whoever calls closes it."""
    target = folder / "part"
    with part.stream() as source, target.open("wb") as out:
        shutil.copyfileobj(source, out, _BLOCK)
    fd = os.open(target, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    return OpenFile(fd, f"{outer.name}/{part.label}", target.stat().st_size, target)


def _opener(
    file: OpenFile, archive: zipfile.ZipFile, info: zipfile.ZipInfo
) -> Callable[[], BinaryIO]:
    def check(size: int) -> None:
        if size > info.file_size:
            raise LimitReached(
                f"'{shown(file.name)}': a part is larger than the file declares; not opened",
                "inflate_bytes",
            )

    def stream() -> BinaryIO:
        if info.flag_bits & _ENCRYPTED:
            raise Refused(f"'{shown(file.name)}': locked with a password; pack it without one")
        if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise Refused(
                f"'{shown(file.name)}': packed by a method that is not opened; pack it as plain ZIP"
            )
        try:
            opened = archive.open(info)
        except (OSError, ValueError) as error:  # its directory points outside the file
            raise _damaged(file, error) from None
        return io.BufferedReader(_Counted(opened, check), _BLOCK)

    return stream


class _Source(Protocol):
    """What is unpacked from: the library's own streams."""

    def read(self, n: int, /) -> bytes: ...

    def close(self) -> None: ...


class _Counted(io.RawIOBase):
    """A stream whose bytes are counted as they are read."""

    def __init__(self, source: _Source, check: Callable[[int], None], *under: _Source) -> None:
        self._sources, self._check, self._size = (source, *under), check, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read on and count."""
        data = self._sources[0].read(len(buffer))
        self._size += len(data)
        self._check(self._size)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        for source in self._sources:
            source.close()
        super().close()


def _is_litter(name: str) -> bool:
    """Tell whether a part is left by a system: hidden files, resource forks."""
    return name.startswith("__MACOSX/") or name.rpartition("/")[2].startswith(".")


def _labels(names: list[str]) -> list[str]:
    """Return names to show: the last part of a path where that is enough to tell files apart."""
    ends = [name.replace("\\", "/").rstrip("/").rpartition("/")[2] for name in names]
    times = Counter(end.casefold() for end in ends)
    chosen = [
        end if times[end.casefold()] == 1 else name for name, end in zip(names, ends, strict=True)
    ]
    return numbered([shown(name) or "part" for name in chosen])

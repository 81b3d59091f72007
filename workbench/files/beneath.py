"""Opening a path beneath a folder in one step, so that no link can lead out of it.

Linux has a system call for it (openat2 with RESOLVE_BENEATH); elsewhere each part is opened
without following links, which also refuses links that would stay inside.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from pathlib import Path

_SYS_OPENAT2 = 437
_RESOLVE_NO_MAGICLINKS = 0x02
_RESOLVE_BENEATH = 0x08
# Never block on a pipe, never become its controlling terminal, never leak into a child.
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


class _OpenHow(ctypes.Structure):
    _fields_ = (
        ("flags", ctypes.c_uint64),
        ("mode", ctypes.c_uint64),
        ("resolve", ctypes.c_uint64),
    )


def open_beneath(root: Path, parts: tuple[str, ...]) -> int:
    """Open ``root/parts…`` read-only without leaving `root`; return the descriptor.

    Raises
    ------
    OSError
        If it does not exist, leaves the root, or cannot be opened.
    """
    if not hasattr(os, "O_DIRECTORY"):
        return _open_resolved(root, parts)
    # A mere handle where the system has such: a child that may read one file alone has no right
    # to list the folder it lies in.
    mere = getattr(os, "O_PATH", os.O_RDONLY)
    folder = os.open(root, mere | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if sys.platform == "linux":
            descriptor = _openat2(folder, "/".join(parts))
            if descriptor is not None:
                return descriptor
        return _open_by_parts(folder, parts)
    finally:
        os.close(folder)


def _openat2(folder: int, path: str) -> int | None:
    """Call openat2; None where the kernel does not have it."""
    how = _OpenHow(flags=_FLAGS, mode=0, resolve=_RESOLVE_BENEATH | _RESOLVE_NO_MAGICLINKS)
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor: int = libc.syscall(
        ctypes.c_long(_SYS_OPENAT2),
        ctypes.c_int(folder),
        ctypes.c_char_p(os.fsencode(path)),
        ctypes.byref(how),
        ctypes.c_size_t(ctypes.sizeof(how)),
    )
    if descriptor >= 0:
        return descriptor
    number = ctypes.get_errno()
    if number in {errno.ENOSYS, errno.EPERM}:
        return None
    if number in {errno.EXDEV, errno.ELOOP}:
        raise OSError(number, "it leads out of the data folder")
    raise OSError(number, os.strerror(number))


def _open_by_parts(folder: int, parts: tuple[str, ...]) -> int:
    """Open part by part, following no link."""
    here = os.dup(folder)
    try:
        for part in parts[:-1]:
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            here = inner
        return os.open(parts[-1], _FLAGS | os.O_NOFOLLOW, dir_fd=here)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(error.errno, "it leads out of the data folder") from None
        raise
    finally:
        os.close(here)


def _open_resolved(root: Path, parts: tuple[str, ...]) -> int:
    """Open by resolved path, for systems without directory handles."""
    target = root.joinpath(*parts).resolve(strict=True)
    if not target.is_relative_to(root.resolve(strict=True)):
        raise OSError(errno.EXDEV, "it leads out of the data folder")
    return os.open(target, _FLAGS)


def real_path(descriptor: int) -> Path | None:
    """Return where an open file lies, links resolved; None where the system does not tell.

    Only Linux follows links beneath a root, and only there they need to be looked behind.
    """
    try:
        return Path(f"/proc/self/fd/{descriptor}").readlink()
    except OSError:
        return None

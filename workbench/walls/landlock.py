"""Landlock by raw system calls: which files a child may read and write, and no TCP.

The kernel holds it, also against root; it can only be tightened, never lifted. What the kernel
in use cannot hold is told by its version (`abi`), so that nobody has to believe it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import sys
from collections.abc import Iterable

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same numbers on every architecture
_VERSION_QUERY = 1
_RULE_PATH = 1
_PR_SET_NO_NEW_PRIVS = 38

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE = 1 << 4, 1 << 5
_MAKE_DIR, _MAKE_REG = 1 << 7, 1 << 8
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_READ = _READ_FILE | _READ_DIR
# No links, pipes, sockets or devices: a result folder must not lead its reader elsewhere.
_WRITE = _READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG
_FILE_ONLY = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_NET_BIND_CONNECT = 0b11
_SCOPE_SOCKETS_SIGNALS = 0b11

ABI_TRUNCATE, ABI_NET, ABI_SCOPE = 3, 4, 6


class _RulesetAttr(ctypes.Structure):
    _fields_ = (
        ("fs", ctypes.c_uint64),
        ("net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathBeneathAttr(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"  # packing needs it to be said from Python 3.14 on
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def _call(number: int, *arguments: object) -> int:
    """Make a system call; raise OSError with its reason."""
    libc = ctypes.CDLL(None, use_errno=True)
    wide = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    result: int = libc.syscall(ctypes.c_long(number), *wide)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def abi() -> int:
    """Return the Landlock version of the running kernel, 0 where there is none."""
    if sys.platform != "linux":
        return 0
    try:
        return _call(_CREATE, None, 0, _VERSION_QUERY)
    except OSError:
        return 0


def _handled(version: int) -> int:
    """Return every file right that a version knows: what is handled is denied unless granted."""
    newest = {1: 12, 2: 13, 3: 14, 4: 14}.get(version, 15)
    return (1 << (newest + 1)) - 1


def restrict(
    readable: Iterable[str],
    writable: Iterable[str],
    devices: Iterable[str],
    runnable: Iterable[str] = (),
) -> int:
    """Confine this process to the given places for good; return the version that holds it.

    Parameters
    ----------
    readable : iterable of str
        Files and folders (with everything below) to read; what does not exist is skipped.
    writable : iterable of str
        Folders in which regular files and folders may be made, written, renamed and removed.
    devices : iterable of str
        Device files to read and write, such as the null device.
    runnable : iterable of str, optional
        Folders from which programs may be started as well; otherwise none may.

    Raises
    ------
    OSError
        If the kernel has no Landlock or refuses the rules; nothing is confined then.
    """
    version = abi()
    if not version:
        raise OSError("the kernel has no Landlock")
    handled = _handled(version)
    ruleset = _create(version, handled)
    try:
        for path in readable:
            _allow(ruleset, path, _READ)
        for path in runnable:
            _allow(ruleset, path, _READ | _EXECUTE)
        for path in writable:
            _allow(ruleset, path, (_WRITE | _REFER | _TRUNCATE) & handled)
        for path in devices:
            _allow(ruleset, path, (_READ_FILE | _WRITE_FILE) & handled)
        forbid_new_privileges()
        _call(_RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)
    return version


def _create(version: int, handled: int) -> int:
    attr = _RulesetAttr(fs=handled)
    if version >= ABI_NET:
        attr.net = _NET_BIND_CONNECT
    if version >= ABI_SCOPE:
        attr.scoped = _SCOPE_SOCKETS_SIGNALS
    size = 24 if version >= ABI_SCOPE else 16 if version >= ABI_NET else 8
    return _call(_CREATE, ctypes.byref(attr), size, 0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Grant rights beneath a path that exists; rights that need a folder are left off a file."""
    with contextlib.suppress(FileNotFoundError):
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(handle).st_mode):
                rights &= _FILE_ONLY
            rule = _PathBeneathAttr(allowed=rights, parent=handle)
            _call(_ADD, ruleset, _RULE_PATH, ctypes.byref(rule), 0)
        finally:
            os.close(handle)


def forbid_new_privileges() -> None:
    """Make sure that no program started from here on gains rights, whatever its mode bits say."""
    libc = ctypes.CDLL(None, use_errno=True)
    flags = [ctypes.c_ulong(value) for value in (1, 0, 0, 0)]
    if libc.prctl(ctypes.c_int(_PR_SET_NO_NEW_PRIVS), *flags) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))

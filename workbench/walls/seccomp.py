"""A seccomp filter by hand: no sockets, no programs, no processes, no reach into other processes.

Threads still work, and so does everything a reader and a query need. A system call newer than
this list was made for does not exist in a child, so a new kernel opens no new way out. A script
may start programs and processes; the rest holds for it alike.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys

from workbench.walls.syscalls import (
    ATTRIBUTES,
    FILE_CONTROLS,
    FILE_REQUESTS,
    GUARDED,
    KERNEL,
    MACHINES,
    NEWEST,
    OTHER_PROCESSES,
    PROCESSES,
    PROGRAMS,
    SOCKETS,
)

_DENIED = (PROGRAMS, PROCESSES, OTHER_PROCESSES, KERNEL, ATTRIBUTES)
_DENIED_SCRIPTS = (OTHER_PROCESSES, KERNEL, ATTRIBUTES)
_AUDIT_ARCH = dict(zip(MACHINES, (0xC000003E, 0xC00000B7), strict=True))
_CLONE_THREAD = 0x10000
# Mount, cgroup, uts, ipc, user, pid and network: in a namespace of its own a process is root.
_CLONE_NEW = 0x7E020000
_ALLOW, _ERRNO, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _JUMP_EQUAL, _JUMP_ABOVE, _JUMP_BITS, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2

_Program = list[tuple[int, int, int, int]]


def build(machine: str, own_pid: int, *, programs: bool = False, signals: bool = False) -> bytes:
    """Return the filter program for an architecture.

    Parameters
    ----------
    machine : {"x86_64", "aarch64"}
        Architecture as `platform.machine` names it.
    own_pid : int
        The only process that the filtered one may signal: itself and its group.
    programs : bool, optional
        True for a script: it may start programs and processes.
    signals : bool, optional
        True where something else keeps it from signalling strangers: it may then signal any
        process it started.

    Raises
    ------
    OSError
        If there is no list of system calls for the architecture.
    """
    if machine not in MACHINES:
        raise OSError(f"no list of system calls for {machine}")
    side = MACHINES.index(machine)
    program: _Program = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, _AUDIT_ARCH[machine]),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
    ]
    denied = _DENIED_SCRIPTS if programs else _DENIED
    denials = ((SOCKETS, errno.EACCES), *((group, errno.EPERM) for group in denied))
    for group, code in denials:
        for numbers in group.values():
            program += _deny(numbers[side], code)
    guarded = {name: numbers[side] for name, numbers in GUARDED.items()}
    program += _deny(guarded["clone3"], errno.ENOSYS)  # the C library then falls back to clone
    bits = (1, 0, _CLONE_NEW) if programs else (0, 1, _CLONE_THREAD)
    program += _only_if(guarded["clone"], [(_JUMP_BITS, *bits)])
    if not signals:
        program += _only_if(guarded["kill"], _equal_to(own_pid, 0))
        program += _only_if(guarded["tgkill"], _equal_to(own_pid))
    program += _only_if(guarded["prlimit64"], _equal_to(own_pid, 0))
    program += _only_if(guarded["sched_setaffinity"], _equal_to(own_pid, 0))
    program += _unless(guarded["ioctl"], FILE_REQUESTS)
    program += _unless(guarded["fcntl"], FILE_CONTROLS)
    # Also catches the x32 numbers of x86-64, which start at bit 30.
    program += [(_JUMP_ABOVE, 0, 1, NEWEST), (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)]
    program.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *line) for line in program)


def number_of(call: str) -> int | None:
    """Return the number of a guarded system call on this machine, None if it is not known."""
    machine = platform.machine()
    if machine not in MACHINES:
        return None
    return GUARDED[call][MACHINES.index(machine)]


def _deny(number: int | None, code: int) -> _Program:
    """Answer a system call with an error instead of carrying it out."""
    if number is None:
        return []
    return [(_JUMP_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO | code)]


def _equal_to(*values: int) -> _Program:
    """Test the loaded argument: fall through to "allow" on a match, else skip it."""
    last = len(values) - 1
    return [(_JUMP_EQUAL, last - at, 1 if at == last else 0, v) for at, v in enumerate(values)]


def _only_if(number: int | None, tests: _Program) -> _Program:
    """Allow a system call only if its first argument passes the tests."""
    if number is None:
        return []
    body: _Program = [
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        *tests,
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _ERRNO | errno.EPERM),
    ]
    return [(_JUMP_EQUAL, 0, len(body), number), *body]


def _unless(number: int | None, values: tuple[int, ...]) -> _Program:
    """Allow a system call unless its second argument is one of some values."""
    if number is None:
        return []
    tests = [(_JUMP_EQUAL, len(values) - at, 0, value) for at, value in enumerate(values)]
    body: _Program = [
        (_LOAD, 0, 0, _SECOND_ARGUMENT),
        *tests,
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _ERRNO | errno.EPERM),
    ]
    return [(_JUMP_EQUAL, 0, len(body), number), *body]


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("lines", ctypes.c_char_p))


def install(*, programs: bool = False, signals: bool = False) -> None:
    """Put the filter over this thread and all that come from it, for good.

    Parameters
    ----------
    programs, signals : bool, optional
        What a script may do; see `build`.

    Raises
    ------
    OSError
        If the kernel or the architecture does not have it; nothing is filtered then.
    """
    if sys.platform != "linux":
        raise OSError("only Linux has seccomp")
    program = build(platform.machine(), os.getpid(), programs=programs, signals=signals)
    described = _Filter(len(program) // 8, program)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_SECCOMP, ctypes.c_ulong(_MODE_FILTER), ctypes.byref(described)) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))

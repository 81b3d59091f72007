"""The filter program, run by a small interpreter of its own for both architectures."""

from __future__ import annotations

import errno
import struct

import pytest

from workbench.walls import syscalls
from workbench.walls.seccomp import build

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
PID = 4711
ALLOWED, KILLED = "allowed", "killed"
# Numbers by the kernel's tables, of calls that a query and its threads cannot do without.
NEEDED = {
    "x86_64": {"read": 0, "mmap": 9, "futex": 202, "openat": 257, "openat2": 437, "rename": 82},
    "aarch64": {"read": 63, "mmap": 222, "futex": 98, "openat": 56, "openat2": 437, "renameat": 38},
}


def outcome(
    machine: str, number: int, first: int = 0, architecture: int | None = None
) -> str | int:
    """Interpret the filter for one system call, as the kernel's documentation says it works."""
    lines = list(struct.iter_unpack("=HBBI", build(machine, PID)))
    data = struct.pack(
        "=IIQQ", number, architecture or ARCHITECTURES[machine], 0, first & (2**64 - 1)
    )
    at = value = 0
    while True:
        code, if_true, if_false, constant = lines[at]
        at += 1
        if code == 0x20:
            (value,) = struct.unpack_from("=I", data, constant)
        elif code == 0x06:
            action = constant & 0xFFFF0000
            errno_of_it = int(constant) & 0xFFFF
            return {0x7FFF0000: ALLOWED, 0x80000000: KILLED}.get(action, errno_of_it)
        else:
            holds = {0x15: value == constant, 0x25: value > constant, 0x45: bool(value & constant)}
            at += if_true if holds[code] else if_false


def of(machine: str, name: str) -> int:
    """Return the number of a listed call, of whatever group."""
    side = syscalls.MACHINES.index(machine)
    groups = (syscalls.SOCKETS, syscalls.PROGRAMS, syscalls.GUARDED, syscalls.KERNEL)
    number = next(group[name] for group in groups if name in group)[side]
    assert number is not None
    return number


machines = pytest.mark.parametrize("machine", ARCHITECTURES)


@machines
def test_what_a_query_needs_is_allowed(machine: str) -> None:
    seen = {name: outcome(machine, number) for name, number in NEEDED[machine].items()}
    assert set(seen.values()) == {ALLOWED}


@machines
@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("socket", errno.EACCES),
        ("socketpair", errno.EACCES),
        ("execve", errno.EPERM),
        ("execveat", errno.EPERM),
        ("io_uring_setup", errno.EPERM),
        ("mount", errno.EPERM),
        ("bpf", errno.EPERM),
        ("clone3", errno.ENOSYS),
    ],
)
def test_ways_out_are_answered_with_an_error(machine: str, call: str, expected: int) -> None:
    assert outcome(machine, of(machine, call)) == expected


@machines
def test_a_thread_is_allowed_and_a_process_is_not(machine: str) -> None:
    clone = of(machine, "clone")
    as_a_thread_library_does = 0x3D0F00
    as_fork_does = 0x1200011
    assert outcome(machine, clone, as_a_thread_library_does) == ALLOWED
    assert outcome(machine, clone, as_fork_does) == errno.EPERM


@machines
@pytest.mark.parametrize(
    ("call", "first", "expected"),
    [
        ("kill", PID, ALLOWED),
        ("kill", 0, ALLOWED),
        ("kill", 1, errno.EPERM),
        ("kill", -1, errno.EPERM),
        ("kill", -PID, errno.EPERM),
        ("tgkill", PID, ALLOWED),
        ("tgkill", 1, errno.EPERM),
        ("prlimit64", 0, ALLOWED),
        ("prlimit64", 1, errno.EPERM),
    ],
)
def test_signals_and_limits_are_for_the_child_itself(
    machine: str, call: str, first: int, expected: str | int
) -> None:
    assert outcome(machine, of(machine, call), first) == expected


@machines
def test_a_call_of_another_architecture_kills(machine: str) -> None:
    assert outcome(machine, 0, architecture=0x40000003) == KILLED


@machines
@pytest.mark.parametrize("number", [463, 1000, 0x40000000 | 41])
def test_what_is_not_known_does_not_exist(machine: str, number: int) -> None:
    assert outcome(machine, number) == errno.ENOSYS


def test_an_architecture_without_a_list_is_named() -> None:
    with pytest.raises(OSError, match="riscv64"):
        build("riscv64", PID)

"""What a child may hold: memory, file size and descriptors, capped by the kernel for good.

The caps are set hard, and the capabilities that could lift them (or reach past the other walls)
are dropped, so that a child of root is bound as any other.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

# Reading and writing data that belongs to somebody else is all that root keeps.
_KEPT_CAPABILITIES = (1 << 1) | (1 << 2)  # DAC_OVERRIDE, DAC_READ_SEARCH
_CAPABILITY_VERSION = 0x20080522
_DESCRIPTORS = 1024
# A file is bounded by artefact_bytes where rows are streamed; this wall stands a little behind,
# so that the clear refusal comes first.
_FILE_MARGIN = 64 * 1024 * 1024
# Both generations write "no limit" as a number near 2**63 or as a word.
_NO_LIMIT = 1 << 60


def memory_cap(wanted: int, *, root: Path = Path("/")) -> int:
    """Return the bytes a child may hold: `wanted`, or a quarter of the machine if less.

    Parameters
    ----------
    wanted : int
        The value of the row ``child_memory``, in bytes.
    root : Path, optional
        Where ``proc`` and ``sys`` lie.
    """
    bounds = [*_machine(), *_cgroups(root)]
    return min([wanted, *(bound // 4 for bound in bounds)])


def _machine() -> list[int]:
    """Return the machine's memory in bytes, where the system tells it."""
    try:
        return [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    except (AttributeError, ValueError, OSError):
        return []


def _cgroups(root: Path) -> list[int]:
    """Return every memory limit that the control groups above this process set, in bytes."""
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return []
    found: list[int] = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:
            found += _limits_along(root / "sys/fs/cgroup", path, "memory.max")
        elif "memory" in controllers.split(","):
            folder = root / "sys/fs/cgroup/memory"
            found += _limits_along(folder, path, "memory.limit_in_bytes")
    return found


def _limits_along(top: Path, path: str, name: str) -> list[int]:
    """Read a limit in a control group and in all above it."""
    inside = top.joinpath(*[part for part in path.split("/") if part not in {"", ".."}])
    found: list[int] = []
    for folder in (inside, *inside.parents):
        try:
            text = (folder / name).read_text().strip()
        except OSError:
            text = ""
        if text.isdigit() and 0 < int(text) < _NO_LIMIT:
            found.append(int(text))
        if folder == top:
            break
    return found


def cap_resources(memory: int, file_bytes: int) -> None:
    """Set the hard limits of this process.

    Parameters
    ----------
    memory : int
        Bytes of private memory (RLIMIT_DATA: address space would count what is only reserved).
    file_bytes : int
        Value of the row ``artefact_bytes``; a margin is added.

    Raises
    ------
    OSError
        If the system has no such limits.
    """
    if sys.platform == "win32":
        raise OSError("Windows has no resource limits")
    import resource

    wanted = {
        resource.RLIMIT_CORE: 0,  # a crash dump would hold rows
        resource.RLIMIT_NOFILE: _DESCRIPTORS,
        resource.RLIMIT_FSIZE: file_bytes + _FILE_MARGIN,
        resource.RLIMIT_DATA: memory,
    }
    for kind, value in wanted.items():
        _, hard = resource.getrlimit(kind)
        cap = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (cap, cap))


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


def drop_capabilities() -> None:
    """Give up every capability but the two for reading and writing files of others (Linux).

    Raises
    ------
    OSError
        If the system refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    header = _CapabilityHeader(_CAPABILITY_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; low half, then high half
    if libc.capget(ctypes.byref(header), sets) != 0:
        raise OSError(ctypes.get_errno(), "capabilities cannot be read")
    low = sets[1] & _KEPT_CAPABILITIES
    sets[:] = [low, low, 0, 0, 0, 0]
    if libc.capset(ctypes.byref(header), sets) != 0:
        raise OSError(ctypes.get_errno(), "capabilities cannot be dropped")

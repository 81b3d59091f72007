"""Ending a process and all that came from it, on Linux.

Everything is stopped before anything is killed, so that nothing can fork away in between; what
left the group or the session is found all the same, because the search goes by parent.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

# A stopped state is reached at the next return to user space; a process that is stuck in the
# kernel for longer is killed without waiting.
_STOP_SECONDS = 0.3
_PROC = Path("/proc")


def children(pid: int) -> set[int]:
    """Return the direct children of a process, empty if it is gone."""
    if not (_PROC / "thread-self" / "children").exists():
        return _children_by_scan(pid)
    found: set[int] = set()
    for listing in (_PROC / str(pid) / "task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread may end meanwhile
            found.update(int(child) for child in listing.read_text().split())
    return found


def _children_by_scan(pid: int) -> set[int]:
    """Find the children by looking at every process: kernels may lack the listing."""
    numbers = (int(entry.name) for entry in _PROC.iterdir() if entry.name.isdigit())
    return {number for number in numbers if parent(number) == pid}


def _stat(pid: int) -> list[str]:
    """Return the fields of a process after its name: state, parent, … ; empty if it is gone."""
    try:
        text = (_PROC / str(pid) / "stat").read_text()
    except OSError:
        return []
    return text[text.rindex(")") + 2 :].split()


def parent(pid: int) -> int | None:
    """Return the parent of a process, None if it is gone."""
    fields = _stat(pid)
    return int(fields[1]) if fields else None


def descendants(root: int) -> set[int]:
    """Return all that came from a process, itself left out."""
    found: set[int] = set()
    waiting = [root]
    while waiting:
        fresh = children(waiting.pop()) - found
        found |= fresh
        waiting += fresh
    return found


def resident(pid: int) -> int:
    """Return the bytes of memory of its own that a process holds, 0 if it is gone."""
    try:
        pages = (_PROC / str(pid) / "statm").read_text().split()
    except OSError:
        return 0
    return (int(pages[1]) - int(pages[2])) * os.sysconf("SC_PAGE_SIZE")


def running(pid: int) -> bool:
    """Tell whether a process exists and is not merely waiting to be collected."""
    fields = _stat(pid)
    return bool(fields) and fields[0] not in {"Z", "X"}


def end_tree(root: int) -> int:
    """Kill a process and every descendant of it; return how many were killed.

    Parameters
    ----------
    root : int
        A process that cannot be recycled meanwhile: a child of the caller not yet collected, or
        one the caller knows to be alive.
    """
    held: dict[int, int | None] = {}
    limit = time.monotonic() + _STOP_SECONDS
    _hold(root, None, held)
    while True:
        before = len(held)
        for pid in tuple(held):
            for child in children(pid):
                _hold(child, pid, held)
        settled = len(held) == before and not any(_moves(pid) for pid in held)
        if settled or time.monotonic() > limit:
            break
        time.sleep(0.0005)
    for pid, handle in held.items():
        _send(pid, handle, signal.SIGKILL)
        if handle is not None:
            os.close(handle)
    return len(held)


def _hold(pid: int, by: int | None, held: dict[int, int | None]) -> None:
    """Stop a process and keep a handle of it, unless it is held or is no longer a child."""
    if pid in held:
        return
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    except OSError:  # an older kernel, or a container that forbids it: by number, then
        handle = None
    # The number may have been given to a stranger between listing and opening.
    if by is not None and parent(pid) != by:
        if handle is not None:
            os.close(handle)
        return
    held[pid] = handle
    _send(pid, handle, signal.SIGSTOP)


def _moves(pid: int) -> bool:
    """Tell whether a process can still run: neither stopped nor gone."""
    fields = _stat(pid)
    return bool(fields) and fields[0] not in {"T", "t", "Z", "X"}


def _send(pid: int, handle: int | None, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if handle is None:
            os.kill(pid, number)
        else:
            signal.pidfd_send_signal(handle, number)

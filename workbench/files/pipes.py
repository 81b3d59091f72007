"""Reading and writing a pipe with a time limit, on every platform.

Nothing here buffers: a read returns what is there, so that a caller can bound what it keeps.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
import time

CHUNK = 65_536


def readable(descriptor: int, seconds: float) -> bool:
    """Wait until a pipe has bytes or has ended; False after `seconds` without either."""
    if sys.platform == "win32":
        return _readable_windows(descriptor, seconds)
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _readable_windows(descriptor: int, seconds: float) -> bool:
    """Peek in small steps: pipes cannot be waited for with a limit there."""
    if sys.platform == "win32":
        import _winapi
        import msvcrt

        limit = time.monotonic() + seconds
        with contextlib.suppress(OSError):  # broken: the read then tells the end
            while not _winapi.PeekNamedPipe(msvcrt.get_osfhandle(descriptor), 0)[0]:
                if time.monotonic() >= limit:
                    return False
                time.sleep(0.005)
    return True


def write_some(descriptor: int, data: bytes, seconds: float) -> int:
    """Write what a pipe takes within `seconds`; return the number of bytes, 0 if it is full.

    Raises
    ------
    OSError
        If nobody reads any more.
    """
    if sys.platform == "win32":
        return os.write(descriptor, data[:CHUNK])
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    if not poll.poll(seconds * 1000):
        return 0
    try:
        return os.write(descriptor, data[:CHUNK])
    except BlockingIOError:
        return 0

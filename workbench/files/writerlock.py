"""Who writes a ledger: a lock that the kernel drops when the writer is gone, however it went.

A process number proves nothing (numbers are used again); a lock on the open file does. Only POSIX
systems have it; elsewhere, and on file systems without locks, nobody can tell, and that is said.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path

from workbench.errors import Fault

if sys.platform != "win32":
    import fcntl

# A reader that asks whether a writer lives holds the lock for a moment itself.
_TRIES, _PAUSE = 20, 0.01


def hold(descriptor: int, name: str) -> None:
    """Take the lock of an open ledger until the descriptor is closed.

    Parameters
    ----------
    descriptor : int
        The open ledger.
    name : str
        How to call it in an error.

    Raises
    ------
    Fault
        If another writer holds it.
    """
    if sys.platform == "win32":
        return
    for _ in range(_TRIES):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE)
        except OSError:
            return  # a file system without locks; `held` then says that it cannot tell
        else:
            return
    raise Fault(f"ledger '{name}': another process is writing it; ask again for a run of its own")


def hold_folder(folder: Path) -> int | None:
    """Take the lock of a folder that is worked in; return the descriptor that keeps it.

    None where folders cannot be locked; `held` then says that it cannot tell.
    """
    if sys.platform == "win32":
        return None
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    hold(descriptor, folder.name)
    return descriptor


def held(path: Path) -> bool | None:
    """Tell whether a ledger or folder has a living writer; None where that cannot be told.

    Parameters
    ----------
    path : Path
        The ledger or folder. One that does not exist has no writer.
    """
    if sys.platform == "win32":
        return None
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return None
    finally:
        with contextlib.suppress(OSError):
            os.close(descriptor)  # drops the lock as well
    return False

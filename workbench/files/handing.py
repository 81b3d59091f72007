"""Taking a finished file out of the reach of the child that made it.

The file gets its name in a folder that no child writes into and loses it where it was made. Where
somebody could still write to the same bytes, by another name or an open descriptor, the bytes are
copied, so that what was hashed once stays what it is.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Collection
from pathlib import Path

from workbench.files import knownhashes

# Parts of a snapshot bear the start of their own hash in their names.
_PART = re.compile(r"[0-9a-f]{32}-([0-9a-f]{16})\.parquet", re.ASCII)
# A link is never followed where the system can be told so.
_FOLLOWS = os.link not in os.supports_follow_symlinks
_DESCRIPTION = re.compile(r"[0-9a-f]{32}\.json", re.ASCII)


def take(source: Path, target: Path) -> None:
    """Move a file that a child finished.

    Parameters
    ----------
    source : Path
        Where the child wrote it.
    target : Path
        Its final name; never replaced.

    Raises
    ------
    OSError
        If there is no such regular file, or the name is taken.
    """
    if not stat.S_ISREG(os.lstat(source).st_mode):
        raise OSError(errno.EINVAL, "it is no regular file")
    os.link(source, target, follow_symlinks=_FOLLOWS)
    # The child may have put another thing there since; here it cannot.
    if not stat.S_ISREG(os.lstat(target).st_mode):
        target.unlink()
        raise OSError(errno.EINVAL, "it is no regular file")
    source.unlink()
    if not _is_out_of_reach(target):
        _copy(target, target)


def shelve(built: Path, shared: Path, wanted: Collection[str]) -> None:
    """Copy snapshots to where later children find them; one that is whole there stays.

    The child goes on with its own copy, which goes with its folder.

    Parameters
    ----------
    built : Path
        Where a child built them.
    shared : Path
        Where they are kept.
    wanted : collection of str
        Hashes of the descriptions that were used.
    """
    with contextlib.suppress(OSError):
        shared.mkdir(mode=0o700, exist_ok=True)
        for place in built.glob("*.json"):
            text = b"" if not _DESCRIPTION.fullmatch(place.name) else place.read_bytes()
            if text and hashlib.sha256(text).hexdigest() in wanted:
                _shelve_one(place, text, shared)


def _shelve_one(place: Path, text: bytes, shared: Path) -> None:
    names = {hit[0] for hit in _PART.finditer(text.decode("utf-8", "replace"))}
    kept = shared / place.name
    if kept.is_file() and _names_whole_parts(kept, shared):
        return
    for name in names:
        if not _is_whole(shared / name):
            _copy(place.with_name(name), shared / name)
    if all(_is_whole(shared / name) for name in names):
        _copy(place, kept)


def _names_whole_parts(description: Path, folder: Path) -> bool:
    text = description.read_bytes().decode("utf-8", "replace")
    return all(_is_whole(folder / hit[0]) for hit in _PART.finditer(text))


def _is_whole(part: Path) -> bool:
    """Tell whether a part has the hash that its name promises."""
    named = _PART.fullmatch(part.name)
    if named is None:
        return False
    try:
        with part.open("rb") as file:
            before = os.fstat(file.fileno())
            found = knownhashes.recall(part.parent, before)
            if found is None:
                found = hashlib.file_digest(file, "sha256").hexdigest()
                if before.st_size >= knownhashes.LEAST_BYTES:
                    knownhashes.keep(part.parent, knownhashes.mark(before), found)
    except OSError:
        return False
    return found.startswith(named[1])


def _copy(source: Path, target: Path) -> None:
    part = target.with_name(f"{secrets.token_hex(6)}.part")
    try:
        shutil.copyfile(source, part, follow_symlinks=False)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _is_out_of_reach(path: Path) -> bool:
    """Tell whether nobody can write to a file by another name or an open descriptor.

    The system grants a lease for reading only where nobody has the file open for writing.
    """
    if sys.platform != "linux":
        return False
    import fcntl
    import signal

    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if os.fstat(descriptor).st_nlink != 1:
            return False
        # Whoever opens it meanwhile must not disturb this process with the signal meant for it.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True

"""Hashes of large files that were read before, so that no child reads a gigabyte to know it again.

A file is the same as long as its number, size and times are: the system sets the time of the last
change, and no program can set it back. The list lies where only the parent writes, and what it
holds comes from the parent, or from a child that had read nothing when it gave the hash.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from workbench.errors import Fault, WorkbenchError
from workbench.files.recordnames import SNAPSHOTS
from workbench.files.records import append_line, write_whole
from workbench.workspace import RUN_PREFIX, Workspace

# A smaller file is hashed again in less time than a list is worth.
LEAST_BYTES = 16_000_000
# Within one tick of a file system's clock a file may change and keep its times.
SETTLED_SECONDS = 2.0
_NAME = "known.jsonl"
# What this process went through itself: for that it need believe nobody.
_OWN: dict[str, str] = {}
_MOST_BYTES, _KEPT_LINES = 400_000, 1_000


def mark(found: os.stat_result) -> str:
    """Return what tells one state of a file from another; empty where the system has no such."""
    if sys.platform == "win32":  # its "time of change" is that of creation
        return ""
    parts = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    return "-".join(map(str, parts))


def is_settled(found: os.stat_result) -> bool:
    """Tell whether a file was last changed so long ago that a further change would show."""
    return time.time() - max(found.st_mtime, found.st_ctime) > SETTLED_SECONDS


def recall(shelf: Path | None, found: os.stat_result) -> str | None:
    """Return the SHA-256 of a file that was hashed before; None if it was not.

    Parameters
    ----------
    shelf : Path or None
        The folder of kept snapshots; None where a child could have written the list in it: then
        only what this process hashed itself is known.
    found : stat_result
        Of the opened file.
    """
    wanted = mark(found)
    if found.st_size < LEAST_BYTES or not wanted:
        return None
    if wanted in _OWN:
        return _OWN[wanted]
    if shelf is None:
        return None
    hashes: dict[str, str] = {}
    with contextlib.suppress(OSError), (shelf / _NAME).open("rb") as file:
        for line in file:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                one = json.loads(line)
                hashes[one["mark"]] = str(one["sha256"])
    return hashes.get(wanted)


def remember(before: os.stat_result, after: os.stat_result, sha256: str) -> None:
    """Remember for this process what it found, if the file cannot have changed meanwhile.

    Parameters
    ----------
    before, after : stat_result
        Of the opened file, around its reading.
    sha256 : str
        Its hash.
    """
    same = mark(before) == mark(after) != ""
    if same and before.st_size >= LEAST_BYTES and is_settled(before):
        _OWN[mark(before)] = sha256


def keep(shelf: Path, marked: str, sha256: str) -> None:
    """Write down the hash of a file; for the parent alone. A full disk only costs the memory."""
    place = shelf / _NAME
    with contextlib.suppress(OSError, Fault):
        if place.is_file() and place.stat().st_size > _MOST_BYTES:
            write_whole(place, b"".join(place.read_bytes().splitlines(True)[-_KEPT_LINES:]))
        append_line(place, {"mark": marked, "sha256": sha256})


def learn(
    workspace: Workspace, names: Collection[str], ask: Callable[[str], Mapping[str, object]]
) -> None:
    """Have large files hashed that were just used, unless they are known.

    Parameters
    ----------
    workspace : Workspace
        Where they lie.
    names : collection of str
        As calls name them; sets of files and results are left out.
    ask : callable
        Has one file hashed by a fresh child that does nothing else; returns ``{mark, sha256}``,
        empty texts where the file has changed too lately to be known again.
    """
    shelf = workspace.results / SNAPSHOTS
    for name in names:
        if name.startswith(RUN_PREFIX):
            continue
        with contextlib.suppress(OSError, WorkbenchError, ValueError):
            found = workspace.root.joinpath(*workspace.parts(name)).stat()
            if found.st_size < LEAST_BYTES or not mark(found) or recall(shelf, found):
                continue
            told = {key: str(value) for key, value in ask(name).items()}
            if told.get("sha256") and told.get("mark") == mark(found):
                keep(shelf, told["mark"], told["sha256"])

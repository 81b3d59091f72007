"""Files of one layout as one table: their rows one below the other, with a column ``file``.

Files are of one layout if they have the same columns of the same units, in whatever order. The
layout that most files have is read; a file that differs gives no row and is named with what
differs. Types are decided over all rows, so that one odd file cannot change a column in silence.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.formats.reading import Progress, Reading, check_bytes
from workbench.limits import Limits
from workbench.tables.gathering import Gathering
from workbench.tables.opened import Opened
from workbench.tables.snapshot import Loaded, Wanted, believed, settled
from workbench.tables.store import content_hash, snapshot_key
from workbench.workspace import OpenFile

Opener = Callable[[str], OpenFile]
# Files between two words of progress.
_STEP = 100


@dataclass(frozen=True)
class FileSet:
    """Files that are asked for together.

    Attributes
    ----------
    pattern : str
        As it was asked for.
    names : sequence of str
        The files, in order.
    open : callable
        Opens one of them by its name.
    """

    pattern: str
    names: Sequence[str]
    open: Opener


def open_set(
    files: FileSet,
    snapshots: Path,
    limits: Limits,
    overrides: Mapping[str, object] | None = None,
    progress: Progress | None = None,
    pinned: str | None = None,
    shared: Path | None = None,
) -> Opened:
    """Open files of one layout as one table (or one a sheet); see `open_tables`.

    Raises
    ------
    Refused
        If no file of the set can be read.
    LimitReached
        If together they are larger than what is loaded.
    """
    given = dict(overrides or {})
    places = (snapshots, shared)
    hashes = _hashes(files, limits, progress, believed(places))
    digest = hashlib.sha256(json.dumps(hashes).encode()).hexdigest()
    key = snapshot_key(digest, "set", given)
    wanted = Wanted(files.pattern, key, given, pinned)

    def read(into: Reading) -> Loaded:
        gathering = Gathering(files.pattern, dict(hashes), into)
        for done, name in enumerate(files.names):
            into.told("load", done / len(files.names))
            with files.open(name) as file:
                gathering.add(file)
        source, tables = gathering.whole(digest)
        return Loaded(source, tables)

    return settled(wanted, places, limits, progress, read)


def _hashes(
    files: FileSet, limits: Limits, progress: Progress | None, known: Path | None
) -> list[tuple[str, str]]:
    """Return the hash of every file by its name, as long as together they are not too large."""
    hashes, size = [], 0
    for done, name in enumerate(files.names):
        with files.open(name) as file:
            size += file.size
            check_bytes(files.pattern, size, limits)
            hashes.append((name, content_hash(file, None, known)))
        if progress is not None and not done % _STEP:
            progress("hash", done / len(files.names))
    return hashes

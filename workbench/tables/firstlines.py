"""The first lines of a large text as a table of their own, for looks that do not wait for the rest.

They are whole lines of the file, read by the same reader as the whole; the bytes that were taken
are told, so that the same look can be taken again. Nothing is counted on them.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from workbench.files.knownhashes import LEAST_BYTES, mark, recall
from workbench.formats.encoding import guess
from workbench.formats.registry import find
from workbench.limits import Limits
from workbench.tables.store import content_hash, snapshot_key
from workbench.workspace import OpenFile

# Some thousand rows: enough for names, roles and units, read in a moment.
_MOST_BYTES = 1_000_000
_QUOTE, _LOOKED_BACK = b'"', 200


@dataclass(frozen=True)
class FirstLines:
    """What was taken of a file.

    Attributes
    ----------
    bytes, lines : int
        From its start; they end with a line.
    of_bytes : int
        Size of the file.
    sha256 : str
        Hash of the bytes taken.
    """

    bytes: int
    lines: int
    of_bytes: int
    sha256: str


def wanted(file: OpenFile, limits: Limits) -> int:
    """Return how many bytes a look may take of a file; 0 where it is read whole.

    Parameters
    ----------
    file : OpenFile
        The file.
    limits : Limits
        ``look_bytes``; what is above ``load_bytes`` is refused, and not looked at in this way.
    """
    most = limits["look_bytes"].number
    if not most < file.size <= limits["load_bytes"].number:
        return 0
    return min(_MOST_BYTES, most) if getattr(find(file), "by_lines", False) else 0


def is_built(
    file: OpenFile, overrides: Mapping[str, object], shelf: Path, believed: Path | None
) -> bool:
    """Tell whether there is a snapshot of a file, as far as that is known without reading it.

    Parameters
    ----------
    file : OpenFile
        The file; one that is small, or where no state can be told from another, is read.
    overrides : mapping
        What was set about its columns.
    shelf : Path
        Folder of kept snapshots.
    believed : Path or None
        Folder whose list of known hashes may be believed.
    """
    found = os.fstat(file.fd)
    digest = recall(believed, found)
    if digest is None and (file.size < LEAST_BYTES or not mark(found)):
        digest = content_hash(file)
    if digest is None:
        return False
    return (shelf / f"{snapshot_key(digest, file.name, overrides)}.json").is_file()


@contextmanager
def taken(file: OpenFile, most: int, scratch: Path) -> Iterator[tuple[OpenFile, FirstLines] | None]:
    """Yield the first lines of a file as a file of that name; None if they cannot be told apart.

    Parameters
    ----------
    file : OpenFile
        A text.
    most : int
        Bytes at most.
    scratch : Path
        Existing folder for the lines, which are removed at the end.
    """
    with file.stream() as stream:
        head = _whole_lines(stream.read(most))
    if not head:
        yield None
        return
    ends = head.count(b"\n") or head.count(b"\r")
    told = FirstLines(len(head), ends, file.size, hashlib.sha256(head).hexdigest())
    handle, name = tempfile.mkstemp(suffix=".part", dir=scratch)
    place = Path(name)
    try:
        os.write(handle, head)
        yield OpenFile(handle, file.name, len(head), place), told
    finally:
        os.close(handle)
        place.unlink(missing_ok=True)


def _whole_lines(start: bytes) -> bytes:
    """Cut a text behind its last line, and before a quoted cell that is not closed."""
    encoding = guess(start)
    if encoding is None or encoding.unit != 1:
        return b""
    sign = b"\n" if b"\n" in start else b"\r"
    end = start.rfind(sign) + 1
    last = end
    for _ in range(_LOOKED_BACK):
        if not start.count(_QUOTE, 0, end) % 2:
            return start[:end]
        end = start.rfind(sign, 0, max(end - 1, 0)) + 1
    # A sign of inches, it seems: no cell has so many lines.
    return start[:last]

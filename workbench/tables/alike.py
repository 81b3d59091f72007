"""Which files of a folder may be one table: found by looking at a few of them.

A proposal, not a promise: every file is held against the others when the set is opened, and one
that differs is named then.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from workbench.errors import WorkbenchError
from workbench.files.walking import Entry
from workbench.formats.reading import Reading
from workbench.formats.registry import data_extensions, find
from workbench.limits import Limits
from workbench.tables.layout import Key, key_of
from workbench.tables.typed import column_names
from workbench.workspace import OpenFile

# Fewer files are easily named one by one.
_LEAST = 3
# Looked at in a folder: files, bytes of one, folders.
_FILES, _BYTES, _FOLDERS = 6, 2_000_000, 4


@dataclass(frozen=True)
class Proposed:
    """Files that seem to be of one layout.

    Attributes
    ----------
    pattern : str
        What they are opened by, together.
    files : int
        Files it matches.
    looked, alike : int
        Files that were looked at, and those of them that have the same columns.
    columns : int
        Columns they have.
    """

    pattern: str
    files: int
    looked: int
    alike: int
    columns: int


def propose(
    entries: Iterable[Entry], opener: Callable[[str], OpenFile], scratch: Path, limits: Limits
) -> list[Proposed]:
    """Look for files of one layout among the files of some folders.

    Parameters
    ----------
    entries : iterable of Entry
        Files, as listed.
    opener : callable
        Opens one of them.
    scratch : Path
        Existing folder for temporary files.
    limits : Limits
        The session's table.
    """
    endings: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        stem, _, ending = entry[0].rpartition(".")
        endings.setdefault((stem.rpartition("/")[0], ending), []).append(entry)
    data, groups = data_extensions(), dict[tuple[str, str], list[Entry]]()
    for (folder, ending), some in endings.items():
        if ending.casefold() in data:
            # Signs that stand for others in a pattern cannot be told in one.
            plain = [entry for entry in some if "*" not in entry.name and "?" not in entry.name]
            groups.setdefault((folder, ending.casefold()), []).extend(plain)
    large = sorted(
        (item for item in groups.items() if len(item[1]) >= _LEAST),
        key=lambda item: -len(item[1]),
    )
    if not large:
        return []
    with Reading(scratch, limits) as reading:
        found = [_look(*key, files, opener, reading) for key, files in large[:_FOLDERS]]
    return [one for one in found if one is not None]


def _look(
    folder: str,
    ending: str,
    files: Sequence[Entry],
    opener: Callable[[str], OpenFile],
    reading: Reading,
) -> Proposed | None:
    """Look at files spread over a folder, until it is plain that they differ."""
    small = [entry.name for entry in files if entry.size <= _BYTES]
    step = max(len(small) // _FILES, 1)
    seen: dict[Key, list[str]] = {}
    looked = 0
    for name in small[::step][:_FILES]:
        looked += 1
        key = _layout(name, opener, reading)
        if key is not None:
            seen.setdefault(key, []).append(name)
        if looked >= _LEAST and all(len(names) == 1 for names in seen.values()):
            return None
    if not seen:
        return None
    key, names = max(seen.items(), key=lambda item: len(item[1]))
    if len(names) * 2 <= looked:
        return None
    pattern, matched = _pattern(folder, ending, names, files, everything=len(names) == looked)
    return Proposed(pattern, matched, looked, len(names), len(key.columns))


def _pattern(
    folder: str, ending: str, alike: Sequence[str], files: Sequence[Entry], *, everything: bool
) -> tuple[str, int]:
    """Return a pattern for the alike ones, and how many files it matches."""
    start = f"{folder}/" if folder else ""
    first, last = PurePosixPath(min(alike)).name, PurePosixPath(max(alike)).name
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    stem = "" if everything else "".join(sign for sign, _ in same).rstrip("0123456789")
    matched = (
        sum(entry.name.startswith(f"{start}{stem}") for entry in files) if stem else len(files)
    )
    return f"{start}{stem}*.{ending}", matched


def _layout(name: str, opener: Callable[[str], OpenFile], reading: Reading) -> Key | None:
    """Return the layout of the first table of a file; None if it has none."""
    try:
        with opener(name) as file:
            raws = find(file).read(file, reading)
    except WorkbenchError:
        return None
    key = key_of(raws[0], column_names(raws[0].names))
    for raw in raws:
        reading.drop(raw.relation)
    return key

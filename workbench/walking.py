"""The files below a folder, in name order: links are not followed, records are left out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from workbench.recordnames import is_kept, is_record, is_special


class Entry(NamedTuple):
    """One file of the workspace: its relative name and size in bytes."""

    name: str
    size: int


def files(place: str, inside: str, results: Path, *, below: bool) -> Iterator[Entry]:
    """Yield the files below a folder; without recursion, since folders can be nested deep.

    Parameters
    ----------
    place : str
        The folder; plain text, since a folder can hold a million files.
    inside : str
        Its name relative to the workspace, empty for the workspace itself.
    results : Path
        The results folder, which is no data.
    below : bool
        False for the files of the folder itself alone.
    """
    waiting = [_entries(place, inside, results)]
    while waiting:
        for item in waiting[-1]:
            if isinstance(item, Entry):
                yield item
            elif below:
                waiting.append(_entries(*item, results))
                break
        else:
            waiting.pop()


def _entries(place: str, inside: str, results: Path) -> Iterator[Entry | tuple[str, str]]:
    """Yield files and folders of one folder; one that cannot be read has none."""
    if is_record(Path(place, "any"), results):
        return
    try:
        with os.scandir(place) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        return
    start = f"{inside}/" if inside else ""
    for entry in entries:
        name = entry.name
        folder = entry.is_dir(follow_symlinks=False)
        looked_at = folder or is_special(name)
        if name.startswith(".") or (looked_at and is_kept(Path(entry.path), results)):
            continue
        inner = start + name
        if folder:
            yield entry.path, inner
        elif entry.is_file(follow_symlinks=False):
            size = _size(entry)
            if size is not None:
                yield Entry(inner, size)


def _size(entry: os.DirEntry[str]) -> int | None:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except OSError:  # it has gone meanwhile
        return None

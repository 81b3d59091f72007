"""The files below a folder, in name order: links are not followed, records are left out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from workbench.files.recordnames import is_kept, is_record, is_special

_NAME = attrgetter("name")


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
    waiting = [iter(_entries(place, inside, results))]
    while waiting:
        for item in waiting[-1]:
            if type(item) is Entry:
                yield item
            elif below:
                waiting.append(iter(_entries(item[0], str(item[1]), results)))
                break
        else:
            waiting.pop()


def _entries(place: str, inside: str, results: Path) -> list[Entry | tuple[str, str]]:
    """Return files and folders of one folder in name order; one that cannot be read has none.

    The loop is all that a listing of a large folder costs beside what the system takes.
    """
    if is_record(Path(place, "any"), results):
        return []
    try:
        with os.scandir(place) as scanned:
            entries = sorted(scanned, key=_NAME)
    except OSError:
        return []
    start = f"{inside}/" if inside else ""
    found: list[Entry | tuple[str, str]] = []
    for entry in entries:
        name = entry.name
        if name[0] == ".":
            continue
        if entry.is_file(follow_symlinks=False):
            if is_special(name) and is_kept(Path(entry.path), results):
                continue
            try:
                size = entry.stat(follow_symlinks=False).st_size
            except OSError:
                continue
            found.append(Entry(start + name, size))
        elif entry.is_dir(follow_symlinks=False) and not is_kept(Path(entry.path), results):
            found.append((entry.path, start + name))
    return found

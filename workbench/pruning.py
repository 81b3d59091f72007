"""Removing what past runs can do without: requests, kept texts, snapshots; no ledger, no result.

A run at work is left alone, and nothing is followed out of the results folder.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from workbench import past, writerlock
from workbench.recordnames import SNAPSHOTS

_CLEANED = ("requests", "full")


@dataclass(frozen=True)
class Cleaned:
    """What `clean` removed."""

    runs: int
    snapshots: int
    bytes: int


def clean(results: Path, older_than: timedelta, now: datetime) -> Cleaned:
    """Remove requests, kept texts and snapshots; never a ledger or a result.

    Parameters
    ----------
    results : Path
        The results folder.
    older_than : timedelta
        Only of runs that began longer ago, and snapshots made longer ago.
    now : datetime
        UTC.
    """
    before = now - older_than
    cleaned, freed, at_work = 0, 0, False
    for folder in past.folders(results):
        if writerlock.held(folder / "events.jsonl"):
            at_work = True
        elif past.began(folder) < before:
            removed = [_remove(folder / name) for name in _CLEANED]
            cleaned += any(removed)
            freed += sum(removed)
    # A run at work may be about to open any snapshot.
    snapshots = [] if at_work else [_remove(place) for place in _old(results / SNAPSHOTS, before)]
    return Cleaned(cleaned, sum(map(bool, snapshots)), freed + sum(snapshots))


def _old(folder: Path, before: datetime) -> list[Path]:
    """Return the entries of a folder that were last written before a moment."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        return [
            Path(entry.path)
            for entry in entries
            if entry.stat(follow_symlinks=False).st_mtime < before.timestamp()
        ]
    return []


def _remove(place: Path) -> int:
    """Remove a file or folder, never what a link leads to; return the bytes it held."""
    if place.is_symlink() or not place.exists():
        return 0
    files = [place] if place.is_file() else [file for file in place.rglob("*") if file.is_file()]
    size = sum(file.lstat().st_size for file in files)
    if place.is_file():
        place.unlink()
    else:
        shutil.rmtree(place)
    return size

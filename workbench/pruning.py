"""Removing what past runs can do without: requests, kept texts, snapshots; no ledger, no result.

Replies stay too: a run without its requests can still be replayed, not compared request by request.
A run at work is left alone, and nothing is followed out of the results folder.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from workbench import past, unfinished, writerlock
from workbench.recordnames import SNAPSHOTS
from workbench.records import remove

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
    for folder in unfinished.folders(results):
        if writerlock.held(folder / "events.jsonl"):
            at_work = True
        elif past.began(folder) < before:
            removed = [remove(folder / name) or 0 for name in _CLEANED]
            cleaned += any(removed)
            freed += sum(removed)
    # A run at work may be about to open any snapshot.
    old = [] if at_work else _old(results / SNAPSHOTS, before)
    snapshots = [remove(place) or 0 for place in old]
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

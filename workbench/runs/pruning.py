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

from workbench.asking import unfinished
from workbench.files import writerlock
from workbench.files.recordnames import REPORT, SNAPSHOTS
from workbench.files.records import remove
from workbench.runs import past

_CLEANED = ("requests", "full")


@dataclass(frozen=True)
class Cleaned:
    """What `clean` removed, and the reports of those runs, which stay and tell what models saw."""

    runs: int
    snapshots: int
    bytes: int
    reports: int = 0
    report_bytes: int = 0


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
    reports: list[int] = []
    for folder in unfinished.folders(results):
        if writerlock.held(folder / "events.jsonl"):
            at_work = True
        elif past.began(folder) < before:
            removed = [remove(folder / name) or 0 for name in _CLEANED]
            cleaned += any(removed)
            freed += sum(removed)
            reports += [size] if (size := _size(folder / REPORT)) else []
    # A run at work may be about to open any snapshot.
    old = [] if at_work else _old(results / SNAPSHOTS, before)
    snapshots = [remove(place) or 0 for place in old]
    return Cleaned(
        cleaned, sum(map(bool, snapshots)), freed + sum(snapshots), len(reports), sum(reports)
    )


def _size(folder: Path) -> int:
    """Return the bytes of the files in a folder; 0 where there is none."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        return sum(entry.stat(follow_symlinks=False).st_size for entry in entries)
    return 0


def _old(folder: Path, before: datetime) -> list[Path]:
    """Return the entries of a folder that were last written before a moment."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        return [
            Path(entry.path)
            for entry in entries
            if entry.stat(follow_symlinks=False).st_mtime < before.timestamp()
        ]
    return []

"""Runs whose process is gone: how they read, and what the next start does about what they left.

A run is gone only if the kernel says so (see `workbench.files.writerlock`); where nobody can tell,
nothing is touched. Ledgers and results stay as they are.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench import ledger
from workbench.errors import WorkbenchError
from workbench.files import writerlock
from workbench.files.recordnames import SNAPSHOTS
from workbench.files.records import Records, append_line, remove
from workbench.view import View

_STAMP = re.compile(r"\d{8}-\d{6}")
_GONE = "the process that worked on it is gone"
# A reading holds its folder from just after it made it; a file is written in one go, and one that
# is still called unfinished after this long never will be finished.
_JUST_MADE_SECONDS, _ONE_GO_SECONDS = 1.0, 600.0


@dataclass(frozen=True)
class Tidied:
    """What was put in order: runs told as interrupted, unfinished files removed, their bytes."""

    runs: int
    files: int
    bytes: int

    def __str__(self) -> str:
        """Say it in one sentence, empty where there was nothing to do."""
        parts = []
        if self.runs:
            word = "run was" if self.runs == 1 else "runs were"
            parts.append(f"{self.runs:,} earlier {word} ended by force")
        if self.files:
            word = "file was" if self.files == 1 else "files were"
            parts.append(f"{self.files:,} unfinished {word} removed ({self.bytes:,} bytes)")
        return f"tidied: {'; '.join(parts)}" if parts else ""


def folders(results: Path) -> Iterator[Path]:
    """Yield the folder of every run, in no order."""
    with contextlib.suppress(OSError), os.scandir(results) as entries:
        for entry in entries:
            if _STAMP.match(entry.name) and entry.is_dir(follow_symlinks=False):
                yield Path(entry.path)


def index(results: Path) -> dict[str, dict[str, Any]]:
    """Return what the index says of each run: question and, where it ended, status."""
    known: dict[str, dict[str, Any]] = {}
    with contextlib.suppress(OSError), (results / "index.jsonl").open("rb") as file:
        for line in file:
            with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
                data = json.loads(line)
                entry = known.setdefault(data["run"], {})
                kept = ("question", "status")
                entry.update({key: data[key] for key in kept if key in data})
    return known


def view(folder: Path) -> dict[str, Any]:
    """Fold the ledger of a run whose writer did not live to write the last view."""
    found = View().fold(ledger.read(folder / "events.jsonl").events).data
    if found["status"] == "running":
        found.update(status="interrupted", reason=_GONE)
        for loop in found["loops"]:
            loop["status"] = "killed" if loop["status"] == "running" else loop["status"]
    with contextlib.suppress(OSError):
        found["answer"] = (folder / "full" / "answer.txt").read_text(encoding="utf-8")
    return found


def tidy(results: Path) -> Tidied:
    """Put in order what runs left whose process is gone; runs at work are left alone.

    Half-written files go, ``run.json`` and the index say how the run ended.
    """
    known = index(results)
    runs, removed = 0, []
    for folder in folders(results):
        if "status" not in known.get(folder.name, {}) and _is_gone(folder):
            with contextlib.suppress(OSError, WorkbenchError):
                removed += Records(folder).tidy()
                _tell_end(results, folder)
                runs += 1
    removed += [size for place in _left(results) if (size := remove(place)) is not None]
    return Tidied(runs, len(removed), sum(removed))


def _is_gone(folder: Path) -> bool:
    """Tell whether a run began and has no writer; one that is just beginning has no event yet."""
    events = folder / "events.jsonl"
    try:
        return events.stat().st_size > 0 and writerlock.held(events) is False
    except OSError:
        return False


def _tell_end(results: Path, folder: Path) -> None:
    found = view(folder)
    Records(folder).write_view(found)
    append_line(
        results / "index.jsonl", {"run": folder.name, "event": "ended", "status": found["status"]}
    )


def _left(results: Path) -> Iterator[Path]:
    """Yield what is unfinished outside the folders of runs and has nobody who works on it."""
    for folder in (results, results / SNAPSHOTS):
        for place in folder.glob("*.part"):
            with contextlib.suppress(OSError):
                found = place.lstat()
                least = {stat.S_IFDIR: _JUST_MADE_SECONDS, stat.S_IFREG: _ONE_GO_SECONDS}.get(
                    stat.S_IFMT(found.st_mode), math.inf
                )
                if time.time() - found.st_mtime > least and writerlock.held(place) is False:
                    yield place

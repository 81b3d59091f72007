"""What runs keep for people, told from data by name: opened and listed by no tool."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

# Names of records below a run's folder: kept for people and for proof, closed to every tool.
# WORK is where children write; what they finished is moved out of their reach at once. A report
# tells all that the other records do.
WORK, REPORT = "work", "report"
RECORDS = frozenset({"requests", "responses", "full", "events.jsonl", "run.json", WORK, REPORT})
SNAPSHOTS = "_snapshots"
# Folders of runs by their names, wherever they lie: results of an older session are no data.
_RUN = re.compile(r"^\d{8}-\d{6}-.*-[a-z0-9]{3}$")


def is_record(place: Path, results: Path) -> bool:
    """Tell whether a path is a record of some run, of this results folder or an older one.

    Case does not count, as on some disks.
    """
    parts = [part.casefold() for part in place.parts]
    known = [part.casefold() for part in results.parts]
    if parts == [*known, "index.jsonl"] or parts[-2:] == ["results", "index.jsonl"]:
        return True
    pairs = itertools.pairwise(parts)
    inside = parts[: len(known)] == known and parts[len(known) + 1 : len(known) + 2]
    return (
        SNAPSHOTS in parts
        or any(_RUN.match(run) and name in RECORDS for run, name in pairs)
        or bool(inside and inside[0] in RECORDS)
    )


def is_kept(place: Path, results: Path) -> bool:
    """Tell whether a listing leaves a path out: results of runs, old ones too, are not data."""
    name = place.name
    return place == results or is_record(place, results) or bool(_RUN.match(name))


def is_special(name: str) -> bool:
    """Tell by its name alone whether a file has to be looked at more closely."""
    return name.casefold() in _SPECIAL or (name[:1].isdigit() and bool(_RUN.match(name)))


_SPECIAL = RECORDS | {SNAPSHOTS, "index.jsonl"}

"""What a call came to when it was made again, against its record: what it found, what it made.

Hashes first; where they differ, values, numbers within `TOLERANCE`.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench import marker
from workbench.artefacts import Artefact
from workbench.asking.executor import ChildExecutor
from workbench.asking.run import Run
from workbench.errors import Failed, Refused
from workbench.runs.recorded import Recorded
from workbench.runs.redoing import Outcome, Redoing
from workbench.workspace import RUN_PREFIX

# Relative; larger tables are added up in another order by more threads.
TOLERANCE = 1e-9
_WORDS = 160
# What else lies in a folder changes no number.
_OF_THE_FOLDER = frozenset({"list_files"})


@dataclass(frozen=True)
class Row:
    """One thing that was compared.

    Attributes
    ----------
    kind : str
        ``record``, ``input``, ``version``, ``call``, ``file``, ``claim`` or ``answer``; of a
        report also ``cell`` or ``section``.
    what : str
        Its id and what it is.
    recorded, now : str
        What stands in the record, and what was found.
    same : bool
        Whether they agree.
    """

    kind: str
    what: str
    recorded: str
    now: str
    same: bool


def compare_call(recorded: Recorded, outcome: Outcome) -> Row:
    """Compare what a call found."""
    step = outcome.step
    what = f"{step.id} {step.tool}"
    if outcome.reply is None or not step.ok:
        then, now = ("answered" if step.ok else "refused"), (outcome.error or "answered")
        told = now if step.ok else "refused" if outcome.error else "answered"
        same = not step.ok and bool(outcome.error)
        return Row("call", what, then, marker.short(told, _WORDS), same)
    found = outcome.found
    if step.tool in _OF_THE_FOLDER:
        words = "the same" if found == step.found else "the folder holds other files"
        return Row("call", what, step.found[:12], words, same=True)
    if not step.found or found == step.found:
        return Row("call", what, step.found[:12] or "not recorded", found[:12], same=True)
    before = recorded.found(step.id)
    if not before:
        return Row("call", what, step.found[:12], found[:12], same=False)
    gone = next(_departures(before, json.loads(outcome.reply.evidence)), None)
    if gone is None:
        within = f"{found[:12]}, within {TOLERANCE:g}"
        return Row("call", what, step.found[:12], within, same=True)
    place, then, now = gone
    return Row("call", f"{what}: {place}", then, now, same=False)


def _departures(old: Any, new: Any, place: str = "") -> Iterator[tuple[str, str, str]]:  # noqa: ANN401 - JSON
    """Yield place, old and new of each value that differs by more than the tolerance."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            lead = f"{place}.{key}" if place and place != "facts" else str(key)
            yield from _departures(old.get(key), new.get(key), lead)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, pair in enumerate(zip(old, new, strict=True), start=1):
            yield from _departures(*pair, f"{place} {number}")
    elif not _equal(old, new):
        yield marker.short(place, _WORDS), marker.short(str(old), 60), marker.short(str(new), 60)


def _equal(old: object, new: object) -> bool:
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in (old, new))
    if not numbers:
        return old == new
    return math.isclose(float(old), float(new), rel_tol=TOLERANCE)  # type: ignore[arg-type]


def compare_files(recorded: Recorded, again: Redoing, outcome: Outcome) -> Iterator[Row]:
    """Compare the files a call made, by hash, then by value where the hashes differ."""
    made = {item.id: item for item in again.run.artefacts.all()}
    for item in recorded.artefacts:
        if item.id in outcome.step.artefacts:
            now = made.get(item.id)
            what = f"{item.id} {item.path} made again"
            if now is None:
                yield Row("file", what, item.sha256, "not made", same=False)
            elif now.sha256 == item.sha256:
                yield Row("file", what, item.sha256, now.sha256, same=True)
            else:
                yield _by_value(recorded, again, outcome, (item, now), what)


def _by_value(
    recorded: Recorded,
    again: Redoing,
    outcome: Outcome,
    pair: tuple[Artefact, Artefact],
    what: str,
) -> Row:
    old, new = pair
    difference = "other bytes"
    if old.rows is not None and (recorded.folder / old.path).is_file():
        executor = again.executor(outcome.step.loop)
        difference = differing(recorded.folder / old.path, new.path, again.run, executor)
    now = f"{new.sha256[:12]}…, {difference or f'equal within {TOLERANCE:g}'}"
    return Row("file", what, old.sha256, now, same=not difference)


def differing(recorded: Path, path: str, run: Run, executor: ChildExecutor) -> str:
    """Return how a table that was made again differs by value; empty where it does not.

    Parameters
    ----------
    recorded : Path
        The table as it was.
    path : str
        The one that was made again, in the folder of its run.
    run : Run
        The run that made it again.
    executor : ChildExecutor
        Compares them: rows are looked at in a child alone.
    """
    beside = run.records.folder / f"recorded-{recorded.name}"
    shutil.copyfile(recorded, beside)
    asked = {"path": f"{RUN_PREFIX}{beside.name}", "other": f"{RUN_PREFIX}{path}"}
    try:
        reply = executor.call("compare", "compare_tables", {**asked, "tolerance": TOLERANCE})
        return str(reply.facts.get("difference", "other bytes"))
    except (Refused, Failed) as error:
        return str(error)
    finally:
        beside.unlink(missing_ok=True)

"""The calls of one run that made results, read from its ledger.

What one call made is one step; what it read stands beside it by name and hash.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench import ledger
from workbench.artefacts import Artefact, from_events
from workbench.errors import WorkbenchError
from workbench.ledger import Event
from workbench.runs import past


@dataclass(frozen=True)
class Used:
    """A file that a call read.

    Attributes
    ----------
    name : str
        As it stood in the call.
    sha256 : str
        Of its bytes as they were read; of a set of files, of all of them.
    made : str
        ``RUN/ID`` of the result it is, or empty for a source.
    settings : mapping
        What the reader was told of its columns by hand.
    """

    name: str
    sha256: str
    made: str
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Step:
    """One call that made results.

    Attributes
    ----------
    run, call : str
        The run, and the call in it (``d01c2``); the call is empty where none was recorded.
    tool, version : str
        What was called, and of which version of the workbench.
    parameters : mapping
        As they were given.
    seed : int or None
        Of everything random in it.
    seconds : float or None
        How long it took.
    inputs : tuple of Used
        What it read.
    outputs : tuple of Artefact
        What it made.
    cut : bool
        True where the ledger holds the parameters cut; the run's responses have the whole.
    """

    run: str
    call: str
    tool: str
    version: str
    parameters: Mapping[str, Any]
    seed: int | None
    seconds: float | None
    inputs: tuple[Used, ...]
    outputs: tuple[Artefact, ...]
    cut: bool

    @property
    def makes(self) -> tuple[str, ...]:
        """``RUN/ID`` of each output."""
        return tuple(f"{self.run}/{item.id}" for item in self.outputs)


def view_of(folder: Path) -> Mapping[str, Any]:
    """Return the view of a run; empty where it cannot be read."""
    with contextlib.suppress(WorkbenchError, OSError):
        return past.view(folder)
    return {}


def events_of(folder: Path) -> list[Event]:
    """Return the events of a run; none where it has no ledger."""
    with contextlib.suppress(OSError):
        return ledger.read(folder / "events.jsonl").events
    return []


def steps_of(folder: Path) -> list[Step]:
    """Return the calls of one run that made results, in the order of their first result."""
    events = events_of(folder)
    version = ""
    settings = view_of(folder).get("overrides")
    calls: dict[str, Mapping[str, Any]] = {}
    cut: set[str] = set()
    for event in events:
        if event.kind == "run_started":
            version = str(event.data.get("version", ""))
        elif event.kind == "tool_done":
            calls |= dict.fromkeys(_ids(event.data.get("artefacts")), event.data)
        elif event.kind == "artefact" and event.data.get("event_cut"):
            cut.add(str(event.data.get("id")))
    groups: dict[str, list[Artefact]] = {}
    for event in events:
        for item in from_events([event]):
            done = calls.get(item.id)
            # One tool call of its own, outside a question, has a loop to itself and no such event.
            alone = json.dumps([event.dispatch, item.made_by], default=str)
            groups.setdefault(str(done.get("call")) if done else alone, []).append(item)
    return [
        _step(folder.name, version, settings or {}, made, calls.get(made[0].id) or {}, cut)
        for made in groups.values()
    ]


def _ids(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


def _step(
    run: str,
    version: str,
    settings: Mapping[str, Any],
    made: list[Artefact],
    done: Mapping[str, Any],
    cut: set[str],
) -> Step:
    by = made[0].made_by if isinstance(made[0].made_by, dict) else {}
    told = by.get("inputs")
    inputs = told if isinstance(told, dict) else {}
    parameters = by.get("parameters")
    seed, seconds = by.get("seed"), done.get("seconds")
    return Step(
        run,
        str(done.get("call", "")),
        str(by.get("tool", "")),
        version,
        parameters if isinstance(parameters, dict) else {},
        seed if isinstance(seed, int) else None,
        seconds if isinstance(seconds, int | float) else None,
        tuple(
            Used(str(name), str(sha256), "", _of(settings, str(name)))
            for name, sha256 in inputs.items()
        ),
        tuple(made),
        any(item.id in cut for item in made),
    )


def _of(settings: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = settings.get(name)
    return found if isinstance(found, dict) else {}

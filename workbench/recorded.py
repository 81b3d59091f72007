"""A past run as its ledger tells it: the calls that can be made again, files, claims; no model.

A report carries the same as JSON, so that it can be verified without the folder of the run.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from workbench import ledger, past
from workbench.artefacts import Artefact, from_events
from workbench.errors import Refused
from workbench.tools import registry
from workbench.tools.handover import FINISH
from workbench.view import View

# What a report carries: of the view what no event tells, and the events that can be checked.
_CARRIED = ("question", "answer", "numbers", "claims", "overrides", "seed", "workspace", "follows")
_TOLD = frozenset(
    {"run_started", "loop_started", "versions", "snapshot", "tool_call", "tool_done"}
    | {"artefact", "claim", "run_ended"}
)


@dataclass(frozen=True)
class Step:
    """One recorded call.

    Attributes
    ----------
    call, loop, tool : str
        ``d01c2``, ``d01``, ``query_data``.
    arguments : dict or None
        As the model gave them; None where the ledger has them cut and the replies are gone.
    ok : bool
        False where it was refused.
    found : str
        Hash of what it found; empty where it was not recorded.
    artefacts : tuple of str
        Ids of the files it made.
    """

    call: str
    loop: str
    tool: str
    arguments: dict[str, Any] | None
    ok: bool
    found: str
    artefacts: tuple[str, ...]


@dataclass
class Recorded:
    """A past run as its ledger tells it.

    Attributes
    ----------
    folder : Path
        Its folder.
    view : mapping
        Its view, from ``run.json``.
    events : list of Event
        Its ledger.
    """

    folder: Path
    view: Mapping[str, Any]
    events: list[ledger.Event]

    @classmethod
    def of(cls, folder: Path) -> Recorded:
        """Read a run.

        Raises
        ------
        Fault
            If neither ``run.json`` nor the ledger can be read.
        """
        return cls(folder, past.view(folder), ledger.read(folder / "events.jsonl").events)

    def to_json(self) -> dict[str, Any]:
        """Return what a report carries so that it can be verified without the run's folder."""
        view = {key: self.view[key] for key in _CARRIED}
        events = [asdict(event) for event in self.events if event.kind in _TOLD]
        return {"schema": 1, "view": view, "events": events}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], folder: Path) -> Recorded:
        """Read what a report carries.

        Parameters
        ----------
        data : mapping
            As `to_json` gave it.
        folder : Path
            A folder below the results folder that takes the place of the run's own.

        Raises
        ------
        Refused
            If it is none.
        """
        try:
            events = [ledger.Event(**event) for event in data["events"]]
            view = View().fold(events).data | {key: data["view"][key] for key in _CARRIED}
        except (KeyError, TypeError, AttributeError, ValueError):
            raise Refused("report: its metadata hold no run; make it again") from None
        return cls(folder, view, events)

    @property
    def artefacts(self) -> list[Artefact]:
        """The files it made, as the ledger tells."""
        return from_events(self.events)

    def data(self, kind: str) -> list[Mapping[str, Any]]:
        """Return the data of all events of one kind."""
        return [event.data for event in self.events if event.kind == kind]

    def steps(self) -> list[Step]:
        """Return the calls that ran in children, in the order in which they ended."""
        asked = {e.data["call"]: e for e in self.events if e.kind == "tool_call"}
        steps = []
        for event in self.events:
            if event.kind != "tool_done" or event.data["call"] not in asked:
                continue
            done, began = event.data, asked[event.data["call"]]
            if in_child(str(done["tool"])):
                steps.append(
                    Step(
                        str(done["call"]),
                        event.dispatch,
                        str(done["tool"]),
                        self._arguments(began),
                        bool(done["ok"]),
                        str(done.get("found", "")),
                        tuple(map(str, done.get("artefacts") or ())),
                    )
                )
        return steps

    def _arguments(self, began: ledger.Event) -> dict[str, Any] | None:
        if not began.data.get("event_cut"):
            return dict(began.data["arguments"])
        number = int(str(began.data["call"]).rpartition("c")[2])
        given = list(_calls(self.folder, began.dispatch))
        return given[number - 1] if number <= len(given) else None

    def found(self, call: str) -> dict[str, Any]:
        """Return what a call found, as it was kept; empty where it was not."""
        place = self.folder / "responses" / f"{call}-found.json"
        with contextlib.suppress(OSError, ValueError):
            return dict(json.loads(place.read_text(encoding="utf-8")))
        return {}


def in_child(tool: str) -> bool:
    """Tell whether a tool runs in a child or a sandbox, and can be run again without a model."""
    return tool != FINISH and tool in registry.tools() and registry.get(tool).place != "parent"


def _calls(folder: Path, loop: str) -> Iterator[dict[str, Any]]:
    """Yield the arguments of a loop's calls, in order, from the replies that were kept."""
    for place in sorted((folder / "responses").glob(f"{loop}-r*.json")):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            for part in json.loads(place.read_text(encoding="utf-8")).get("content") or ():
                if isinstance(part, dict) and part.get("type") == "tool_use":
                    given = part.get("input")
                    yield dict(given) if isinstance(given, dict) else {}

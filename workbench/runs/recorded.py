"""A past run, read once: its view, its ledger, and the calls that can be made again; no model.

A report carries the same as JSON, so that it can be verified without the folder of the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from workbench import ledger
from workbench.artefacts import Artefact, from_events
from workbench.errors import Fault, Refused
from workbench.ledger import Event
from workbench.runs import kept_texts, past
from workbench.runs.calls import Call, calls_of
from workbench.tools import registry
from workbench.tools.handover import FINISH

SCHEMA = 2
# Beside the view a report carries the events by which the run can be made again.
_TOLD = frozenset(
    {"run_started", "loop_started", "versions", "snapshot", "tool_call", "tool_done"}
    | {"artefact", "claim", "limit_hit", "run_ended", "first_lines"}
)
# Of time, money and tokens: nothing is asked of a model where a run is made again.
_BUDGETS = frozenset({"run_seconds", "run_usd", "run_tokens"})


@dataclass
class Loop:
    """One agent at work: the view's entry of it, and its calls in order."""

    entry: Mapping[str, Any]
    calls: list[Call] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Its id, such as ``guide`` or ``d01``."""
        return str(self.entry["id"])

    @property
    def agent(self) -> str:
        """The agent's name."""
        return str(self.entry["agent"])


@dataclass
class Recorded:
    """A past run, read.

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
    events: list[Event]

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
        events = [self._carried(event) for event in self.events if event.kind in _TOLD]
        return {"schema": SCHEMA, "view": dict(self.view), "events": events}

    def _carried(self, event: Event) -> dict[str, Any]:
        """Return an event; of a call whose arguments the ledger has cut, with the whole."""
        told = asdict(event)
        whole = self.calls[str(event.data["call"])].arguments if event.kind == "tool_call" else None
        if whole is not None and event.data.get("event_cut"):
            data = {key: value for key, value in event.data.items() if key != "event_cut"}
            told["data"] = {**data, "arguments": whole}
        return told

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
        none = (
            "report: what it carries is no run that this version can read; make it again with "
            "workbench report RUN"
        )
        if data.get("schema") != SCHEMA:
            raise Refused(none)
        try:
            events = [Event(**event) for event in data["events"]]
            return cls(folder, past.whole(folder, data["view"]), events)
        except (Fault, KeyError, TypeError, AttributeError, ValueError):
            raise Refused(none) from None

    @property
    def run(self) -> str:
        """The run's id."""
        return self.folder.name

    @cached_property
    def calls(self) -> dict[str, Call]:
        """Its calls by id, in the order in which they began."""
        return calls_of(self.folder, self.events)

    @cached_property
    def loops(self) -> list[Loop]:
        """Its agents at work: the guide, the orchestrator, then the dispatches."""
        of: dict[str, list[Call]] = {}
        for call in self.calls.values():
            of.setdefault(call.loop, []).append(call)
        loops = [Loop(entry, of.get(str(entry["id"]), [])) for entry in self.view["loops"]]
        return sorted(loops, key=_place)

    def text(self, call: Call) -> str | None:
        """Return exactly what the model saw of a call; None where requests were removed."""
        if call.loop == "call" and len(self.calls) == 1:
            # A call by itself has no request: its answer is what a model would have seen.
            return str(self.view["answer"]) or None
        return call.text(self.folder)

    @property
    def artefacts(self) -> list[Artefact]:
        """The files it made, as the ledger tells."""
        return from_events(self.events)

    @property
    def hits(self) -> list[Mapping[str, Any]]:
        """Each time that a limit cut or refused something, in order."""
        return self.data("limit_hit")

    def artefact(self, key: str) -> Mapping[str, Any] | None:
        """Return the view's entry of a file that the run made, by its id."""
        return next((item for item in self.view["artefacts"] if item["id"] == key), None)

    def inputs(self) -> dict[str, str]:
        """Return the hash of every data file that a result of the run was made from."""
        made = {str(item["path"]) for item in self.view["artefacts"]}
        found: dict[str, str] = {}
        for item in self.view["artefacts"]:
            sources = (item.get("made_by") or {}).get("inputs")
            for name, sha256 in (sources if isinstance(sources, dict) else {}).items():
                if str(name).rpartition("/")[2] not in made and name != "…":
                    found[str(name)] = str(sha256)
        return found

    @property
    def limits(self) -> dict[str, Any]:
        """Return the limits that were changed and hold again; a budget was this run's alone."""
        table = self.view.get("limits") or {}
        changed = (str(key) for key in self.view["changed_limits"])
        return {key: table[key] for key in changed if key in table and key not in _BUDGETS}

    def data(self, kind: str) -> list[Mapping[str, Any]]:
        """Return the data of all events of one kind."""
        return [event.data for event in self.events if event.kind == kind]

    def first_lines(self) -> dict[str, dict[str, int]]:
        """Return, by call, the bytes of each file whose first lines were looked at."""
        return {key: call.first_lines for key, call in self.calls.items() if call.first_lines}

    def steps(self) -> list[Call]:
        """Return the calls that ran in children, in the order in which they ended."""
        began = {event.data["call"] for event in self.events if event.kind == "tool_call"}
        ended = [event.data["call"] for event in self.events if event.kind == "tool_done"]
        steps = (self.calls[key] for key in ended if key in began)
        return [step for step in steps if in_child(step.tool)]

    def found(self, call: str) -> dict[str, Any]:
        """Return what a call found, as it was kept; empty where it was not."""
        return kept_texts.record(self.folder, "responses", f"{call}-found")


def _place(loop: Loop) -> tuple[int, int, str]:
    first = {"guide": 0, "orchestrator": 1}.get(loop.id, 2)
    return first, len(loop.id), loop.id


def in_child(tool: str) -> bool:
    """Tell whether a tool runs in a child or a sandbox, and can be run again without a model."""
    return tool != FINISH and tool in registry.tools() and registry.get(tool).place != "parent"

"""The tool calls of a past run made again, without a model: same order, ids, seeds and limits.

They are made in a run of its own, from the files as they are now; the recorded run is not touched.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import threading
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from workbench import conversation, ledger, past
from workbench.agents import registry as agents
from workbench.artefacts import Artefact, from_events
from workbench.errors import Failed, Refused, WorkbenchError
from workbench.executor import ChildExecutor
from workbench.gate import Gate
from workbench.history import Thread
from workbench.reply import Made, Reply
from workbench.run import Run
from workbench.session import Session
from workbench.tools import registry
from workbench.tools.handover import FINISH
from workbench.view import View

# A budget of time, money or tokens was the recorded run's; nothing is asked of a model here.
_NOT_AGAIN = frozenset({"run_seconds", "run_usd", "run_tokens"})
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


@dataclass(frozen=True)
class Outcome:
    """What a call came to when it was made again."""

    step: Step
    reply: Reply | None
    error: str = ""


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
            if _in_child(str(done["tool"])):
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


def _in_child(tool: str) -> bool:
    return tool != FINISH and tool in registry.tools() and registry.get(tool).place == "child"


def _calls(folder: Path, loop: str) -> Iterator[dict[str, Any]]:
    """Yield the arguments of a loop's calls, in order, from the replies that were kept."""
    for place in sorted((folder / "responses").glob(f"{loop}-r*.json")):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            for part in json.loads(place.read_text(encoding="utf-8")).get("content") or ():
                if isinstance(part, dict) and part.get("type") == "tool_use":
                    given = part.get("input")
                    yield dict(given) if isinstance(given, dict) else {}


@dataclass
class Redoing:
    """The calls of a run being made again.

    Parameters
    ----------
    recorded : Recorded
        The run.
    session : Session
        On its data, with its limits, settings and seed.
    stop : threading.Event
        Set to end it.
    """

    recorded: Recorded
    session: Session
    stop: threading.Event = field(default_factory=threading.Event)
    _executors: dict[str, ChildExecutor] = field(default_factory=dict)
    _gates: dict[str, Gate] = field(default_factory=dict)

    def __post_init__(self) -> None:
        earlier = tuple(self.session.runs)
        self.run = Run(self.session.setting, "recomputed", Thread(earlier), self.stop)

    @classmethod
    def prepared(cls, recorded: Recorded, data: str | None) -> Redoing:
        """Return a run made ready to be made again.

        Raises
        ------
        Refused
            If its data are not there.
        """
        view, folder = recorded.view, recorded.folder
        session = Session.open(
            data or past.data_of(folder, dict(view)),
            folder.parent,
            "offline",
            limits={
                str(key): view["limits"].get(key, "")
                for key in view["changed_limits"]
                if key not in _NOT_AGAIN
            },
            overrides=view.get("overrides") or {},
            seed=int(view.get("seed", 42)),
        )
        session.trial = True
        conversation.until(folder.parent, str(view.get("follows") or "")).give(session)
        return cls(recorded, session)

    def _bring_given(self) -> None:
        """Bring the files that no tool made: tables that the analyst pasted, whole results."""
        for item in self.recorded.artefacts:
            if not _in_child(str((item.made_by or {}).get("tool"))):
                source, target = self.recorded.folder / item.path, self.run.records.folder
                with contextlib.suppress(OSError, WorkbenchError):
                    shutil.copyfile(source, target / item.path)
                    made = Made(item.path, item.bytes, item.sha256, item.media_type)
                    self.run.artefacts.register(item.id.rstrip("0123456789").rstrip("a"), made)

    def outcomes(self) -> Iterator[Outcome]:
        """Make each call again, in the order of the ledger, and yield what came of it."""
        steps = {step.call: step for step in self.recorded.steps()}
        for event in self.recorded.events:
            if event.kind == "tool_done" and event.data["call"] in steps:
                yield self._again(steps[event.data["call"]])
            elif event.kind == "artefact":
                self._bring(event)

    def _bring(self, event: ledger.Event) -> None:
        """Bring a file that no tool made: a table that the analyst pasted, a whole result."""
        (item,) = from_events([event])
        if _in_child(str((item.made_by or {}).get("tool"))):
            return
        source, target = self.recorded.folder / item.path, self.run.records.folder / item.path
        with contextlib.suppress(OSError, WorkbenchError):
            shutil.copyfile(source, target)
            made = Made(item.path, item.bytes, item.sha256, item.media_type, item.rows)
            self.run.artefacts.register(event.dispatch, made)

    def _again(self, step: Step) -> Outcome:
        if step.arguments is None:
            return Outcome(step, None, "its arguments are cut in the ledger and its reply is gone")
        try:
            tool = registry.get(step.tool)
            reply = self.executor(step.loop).call(step.call, step.tool, tool.bind(step.arguments))
            self._gate(step.loop).reply(step.call, tool.bounds, reply)
        except (Refused, Failed) as error:
            return Outcome(step, None, str(error))
        return Outcome(step, reply)

    def executor(self, loop: str) -> ChildExecutor:
        """Return the child of a loop, started at its first call."""
        if loop not in self._executors:
            agent = next((x["agent"] for x in self.recorded.view["loops"] if x["id"] == loop), "")
            self._executors[loop] = ChildExecutor(loop, agent, self.run.around(self.stop))
            tools = agents.get(agent).tools if agent in agents.agents() else ()
            self._gates[loop] = Gate(
                *(loop, tools, self.session.setting.limits, self.run.ledger, self.run.artefacts),
                self.session.setting.model.window,
            )
        return self._executors[loop]

    def _gate(self, loop: str) -> Gate:
        return self._gates[loop]

    def end(self, *, keep: bool, reason: str = "") -> None:
        """End the children and the run; what it made goes unless it is to be looked at."""
        for executor in self._executors.values():
            executor.close()
        self.run.end("failed" if keep else "answered", "", reason)
        if not keep:
            shutil.rmtree(self.run.records.folder, ignore_errors=True)

"""The tool calls of a past run made again, without a model: same order, ids, seeds and limits.

They are made in a run of its own, from the files as they are now; the recorded run is not touched.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from workbench import ledger
from workbench.agents import registry as agents
from workbench.artefacts import from_events
from workbench.asking.desk import Desk
from workbench.asking.executor import ChildExecutor
from workbench.asking.run import Run
from workbench.context.history import Thread
from workbench.errors import Failed, Refused, WorkbenchError
from workbench.reply import Made, Reply
from workbench.runs import conversation, past
from workbench.runs.calls import Call
from workbench.runs.recorded import Recorded, in_child
from workbench.session import Session


@dataclass(frozen=True)
class Outcome:
    """What a call came to when it was made again.

    Attributes
    ----------
    step : Call
        As it was recorded.
    reply : Reply or None
        What its child sent; None where it was refused or could not be made.
    error : str
        Why not, or empty.
    text : str
        What a model would see of it.
    """

    step: Call
    reply: Reply | None
    error: str = ""
    text: str = ""

    @property
    def found(self) -> str:
        """Hash of what it found, as a ledger keeps it; empty where it found nothing."""
        if self.reply is None:
            return ""
        return hashlib.sha256(self.reply.evidence.encode("utf-8", "replace")).hexdigest()


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
    _desks: dict[str, Desk] = field(default_factory=dict)

    def __post_init__(self) -> None:
        earlier = tuple(self.session.runs)
        self.run = Run(self.session.setting, "recomputed", Thread(earlier), self.stop)
        self._around = self.run.around(self.stop)

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
            limits=recorded.limits,
            overrides=view.get("overrides") or {},
            seed=int(view.get("seed", 42)),
        )
        session.trial = True
        session.setting = replace(session.setting, recorded=recorded.first_lines())
        conversation.until(folder.parent, str(view.get("follows") or "")).give(session)
        return cls(recorded, session)

    def outcomes(self) -> Iterator[Outcome]:
        """Make each call again, in the order of the ledger, and yield what came of it."""
        steps = {step.id: step for step in self.recorded.steps()}
        for event in self.recorded.events:
            if event.kind == "tool_done" and event.data["call"] in steps:
                yield self._again(steps[event.data["call"]])
            elif event.kind == "artefact":
                self._bring(event)

    def _bring(self, event: ledger.Event) -> None:
        """Bring a file that no tool made: a table that the analyst pasted, a whole result."""
        (item,) = from_events([event])
        if in_child(str((item.made_by or {}).get("tool"))):
            return
        source, target = self.recorded.folder / item.path, self.run.records.folder / item.path
        with contextlib.suppress(OSError, WorkbenchError):
            shutil.copyfile(source, target)
            made = Made(item.path, item.bytes, item.sha256, item.media_type, item.rows)
            self.run.artefacts.register(event.dispatch, made)

    def _again(self, step: Call) -> Outcome:
        if step.arguments is None:
            return Outcome(step, None, "its arguments are cut in the ledger and its reply is gone")
        try:
            made = self._desk(step.loop).call(step.id, step.tool, step.arguments)
        except (Refused, Failed) as error:
            return Outcome(step, None, str(error))
        refusal = "" if made.ok else made.text.removeprefix("error: ")
        return Outcome(step, made.reply, refusal, made.text)

    def executor(self, loop: str) -> ChildExecutor:
        """Return the child of a loop, started at its first call."""
        return self._desk(loop).executor

    def _desk(self, loop: str) -> Desk:
        if loop not in self._desks:
            entry: dict[str, Any] = next(
                (x for x in self.recorded.view["loops"] if x["id"] == loop), {}
            )
            agent = str(entry.get("agent", ""))
            window = entry.get("context", {}).get("window")
            self._desks[loop] = Desk.open(
                *(self.run, loop, agent if agent in agents.agents() else None, self._around),
                window=window if isinstance(window, int) and window > 0 else None,
            )
        return self._desks[loop]

    def end(self, *, keep: bool, reason: str = "") -> None:
        """End the children and the run; what it made goes unless it is to be looked at."""
        for desk in self._desks.values():
            desk.close("success")
        self.run.end("failed" if keep else "answered", "", reason)
        if not keep:
            shutil.rmtree(self.run.records.folder, ignore_errors=True)

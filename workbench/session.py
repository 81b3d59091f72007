"""The facade: one object for magics, command line, tests and scripts.

A session has a workspace, a model, a table of limits and the conversation so far. It opens no
data file itself; everything that touches bytes happens in confined children of a run.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from workbench.agents import registry as agents
from workbench.answer import Answer
from workbench.asking import attachments, people
from workbench.asking.onecall import CallOutcome, one_call
from workbench.asking.run import Run, Setting
from workbench.asking.sofar import so_far
from workbench.asking.starting import start_child
from workbench.context import block
from workbench.context.history import Thread
from workbench.context.inbox import Inbox
from workbench.context.render import Hit
from workbench.context.result import Result
from workbench.errors import Refused, WorkbenchError
from workbench.files.fileset import check_exists
from workbench.gate import Gate
from workbench.ledger import Event
from workbench.limits import Limits
from workbench.models.choose import choose
from workbench.models.protocol import Model
from workbench.tables.overrides import read_settings
from workbench.workspace import Workspace

Listener = Callable[[Event], None]


@dataclass(frozen=True)
class Turn:
    """One question of the conversation and the words that answered it."""

    question: str
    answer: str


@dataclass
class Session:
    """A conversation over one workspace.

    Parameters
    ----------
    setting : Setting
        Workspace, model, limits, reader settings, seed, clock.
    turns : list of Turn
        The conversation so far; `reset` forgets it.
    past : list of mapping
        Dispatches so far, without result data.
    runs : list of str
        Runs of the conversation, oldest first.
    origin : str
        Mark of the notebook it is held in, or empty: kept with each run, so that a conversation
        is resumed by the notebook that held it.
    trial : bool
        True where what is asked is to be no part of a conversation: a dry run, a replay.
    """

    setting: Setting
    turns: list[Turn] = field(default_factory=list)
    past: list[Mapping[str, Any]] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    origin: str = ""
    trial: bool = False

    @classmethod
    def open(
        cls,
        data: str | Path,
        results: str | Path | None = None,
        model: str | Model = "",
        *,
        base_url: str = "",
        limits: Mapping[str, object] | None = None,
        overrides: Iterable[str] | Mapping[str, Any] | None = None,
        seed: int = 42,
        open_scripts: bool = False,
    ) -> Session:
        """Open a session on a data folder or file.

        Parameters
        ----------
        data : str or Path
            Folder or file.
        results : str or Path, optional
            Results folder; ``results`` beside the data if left out.
        model : str or Model, optional
            Name of a model, or one that speaks the protocol; left out, it is that of
            `workbench.models.choose.default`: offline unless there is a key.
        base_url : str, optional
            Address of a server that speaks the Messages protocol; never taken from a file.
        limits : mapping, optional
            Changed values of the limits table.
        overrides : iterable of str or mapping, optional
            What to tell the reader about columns: ``["soils.csv:Au.unit=ppb"]``, or
            ``{"soils.csv": {"Au": {"unit": "ppb"}}}``. FILE may be a name with a wildcard, as
            that set is asked for.
        seed, open_scripts : int, bool, optional
            Seed of everything random; whether scripts may run where there is no sandbox.

        Raises
        ------
        Refused
            If the data, the model, a limit or a setting is not understood.
        """
        workspace = Workspace.at(data, results)
        if isinstance(model, str):
            model = choose(model, workspace.results, base_url)
        table = Limits().changed(limits or {})
        settings = read_settings(overrides)
        for name in settings:
            check_exists(workspace, name)
        return cls(Setting(workspace, model, table, start_child, settings, seed, open_scripts))

    @property
    def workspace(self) -> Workspace:
        """Data and results of the session."""
        return self.setting.workspace

    def apart(self, model: Model) -> Session:
        """Return a session that goes on from here with another model and changes nothing here."""
        said = (self.turns[:], self.past[:], self.runs[:])
        return Session(replace(self.setting, model=model), *said, trial=True)

    def with_limits(self, values: Mapping[str, object]) -> Session:
        """Return the same conversation under changed limits."""
        limits = self.setting.limits.changed(values)
        return replace(self, setting=replace(self.setting, limits=limits))

    def ask(
        self,
        question: str,
        *,
        agent: str = "guide",
        attach: Sequence[str] = (),
        hits: Sequence[Hit] = (),
        stop: threading.Event | None = None,
        listener: Listener | None = None,
        inbox: Inbox | None = None,
    ) -> Answer:
        """Ask a question and wait for what it comes to.

        Parameters
        ----------
        question : str
            What to find out.
        agent : str, optional
            Where to start: the guide, the orchestrator or a specialist.
        attach : sequence of str, optional
            Files of the workspace to attach.
        hits : sequence of Hit, optional
            Limits that cut the question before it came here; they are recorded with the run.
        stop : threading.Event, optional
            Set it from another thread to end the run.
        listener : callable, optional
            Called after each event, in the thread that wrote it.
        inbox : Inbox, optional
            Say something to it from another thread to add an instruction.

        Returns
        -------
        Answer
            Also where the run failed, was stopped or ran out of budget: see its `status`.

        Raises
        ------
        Refused, Fault
            If nothing could be started: the question is empty, the agent unknown, the results
            folder cannot be written.
        """
        agents.get(agent)
        if not question.strip():
            raise Refused("question: it is empty; write what you want to know")
        run = Run(
            self.setting,
            question,
            Thread(tuple(self.runs), self.origin, tuple(self.past), not self.trial),
            stop or threading.Event(),
            listener,
            attached=attach,
            inbox=inbox,
        )
        answer = self._work(run, agent, question, attach, hits)
        self._follow(run)
        self.past += run.view.data["dispatches"]
        if answer.status == "answered":
            # Pasted rows must not come back whole with the next question.
            self.turns.append(Turn(run.asked, answer.text))
        return answer

    def _follow(self, run: Run) -> None:
        """Add a run to the conversation; one that another overtook is written down after it."""
        newest = self.runs[-1] if self.runs else ""
        if newest != run.view.data["follows"]:
            run.view.data["after"] = newest
            with contextlib.suppress(WorkbenchError):
                run.write_view()
        self.runs.append(run.id)

    def _work(
        self, run: Run, agent: str, question: str, attach: Sequence[str], hits: Sequence[Hit]
    ) -> Answer:
        """Run the first loop to its end; exactly one outcome comes of it."""

        def first(gate: Gate) -> list[block.Block]:
            for hit in hits:
                gate.hit("question", hit)
            return self._first_blocks(run, gate, question, attach)

        try:
            ended = run.dispatcher.ask(agent, first)
        except (WorkbenchError, KeyboardInterrupt) as error:
            status, reason = run.outcome_of(error)
            had = so_far(run.view.data, run.records.folder) if status == "budget" else ""
            return run.end(status, had, reason)
        except OSError as error:
            said = f"the results folder cannot be written: {error.strerror or error}"
            return run.end("failed", "", f"{said}; free some space in it and ask again")
        except Exception as error:  # noqa: BLE001 - a bug of ours must end as one readable outcome
            reason = f"internal error {type(error).__name__}: {error}; the ledger has what happened"
            return run.end("failed", "", reason)
        if isinstance(ended, Result) and ended.status == "error":
            words = "\n\n".join(ended.results) or ended.words()
            return run.end("failed", words, "; ".join(ended.errors))
        return run.end("answered", ended.words() if isinstance(ended, Result) else ended, "")

    def _first_blocks(
        self, run: Run, gate: Gate, question: str, attach: Sequence[str]
    ) -> list[block.Block]:
        """Return conversation, question and attachments, each through the gate."""
        blocks = self._conversation(gate)
        asked = gate.question(question, paste=lambda text: attachments.paste(run, text))
        run.asked = asked.text
        value = {"type": "text", "text": asked.text}
        blocks.append(block.make("question", "user", value, source="analyst", cut=asked.cut))
        blocks += attachments.admit(run, gate, attach)
        return blocks

    def _conversation(self, gate: Gate) -> list[block.Block]:
        """Return the earlier turns, question and answer in pairs."""
        blocks = []
        for turn in self.turns:
            blocks.append(block.text("history", "user", turn.question, source="conversation"))
            said = gate.earlier(turn.answer)
            blocks.append(block.text("history", "assistant", said, source="conversation"))
        return blocks

    def call(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        agent: str | None = None,
        window: int | None = None,
    ) -> CallOutcome:
        """Make one tool call through the gate, as an agent would; a run is kept.

        Parameters
        ----------
        tool : str
            Tool name.
        arguments : mapping
            Its arguments.
        agent : str, optional
            Whose tool list holds; every tool is open if left out.
        window : int, optional
            Window in tokens, for the limits that depend on it.
        """
        return one_call(self.setting, tool, dict(arguments), agent, window)

    def describe(self, path: str) -> dict[str, Any]:
        """Return what the reader made of a file, in the shape of ``describe --json``."""
        return people.describe(self.setting, path)

    def folder(self) -> dict[str, Any]:
        """Return the files of the data folder, and which may be opened as one table."""
        return people.folder(self.setting)

    def rows(
        self, path: str, *, table: str | None = None, offset: int = 0, limit: int = 100
    ) -> dict[str, Any]:
        """Return one page of rows: ``{columns, rows, total}``."""
        return people.rows(self.setting, path, table, offset, limit)

    def reset(self) -> None:
        """Forget the conversation; files and ledgers stay."""
        self.turns.clear()
        self.past.clear()
        self.runs.clear()

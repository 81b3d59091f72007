"""One tool call through the gate, without a model: what an agent would see, exactly."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping
from typing import Any

from workbench.agents import registry as agents
from workbench.asking.desk import CallOutcome, Desk, open_tools
from workbench.asking.run import Run, Setting
from workbench.context.history import Thread
from workbench.errors import WorkbenchError
from workbench.ledger import Event

__all__ = ["CallOutcome", "Calls", "one_call", "open_tools"]


class Calls:
    """Tool calls of one caller, kept in one run until `end`; each has its limits to itself.

    Files made by one call can be named in the next, by id or path. Each call reads the data as
    they are then: no call is held to the snapshot that an earlier one saw.

    Parameters
    ----------
    setting : Setting
        What the session gives.
    question : str
        What the record says was asked.
    """

    def __init__(self, setting: Setting, question: str) -> None:
        self._setting = setting
        self._run = Run(setting, question, Thread(), threading.Event())
        self._numbers = itertools.count(1)
        self.id = self._run.id

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Have a listener called after each event of the run."""
        self._run.ledger.listen(listener)

    def call(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        agent: str | None = None,
        window: int | None = None,
        loop: str = "",
        stop: threading.Event | None = None,
    ) -> CallOutcome:
        """Make one call through the gate.

        Parameters
        ----------
        tool : str
            Its name.
        arguments : mapping
            Its arguments.
        agent : str, optional
            Whose tool list holds; every tool that runs in a child is open if left out.
        window : int, optional
            Window in tokens, for the limits that depend on it.
        loop : str, optional
            What the ledger calls it; numbered if left out.
        stop : threading.Event, optional
            Set it from another thread to end the call and its child.

        Raises
        ------
        Refused
            If the agent does not exist.
        Failed, Stopped
            If the child broke, or the call was stopped.
        """
        open_tools(agent)
        loop = loop or f"c{next(self._numbers):02d}"
        run = self._run
        around = run.around(stop or run.stop)
        place = Desk.open(run, loop, agent, around, window=window, objective=tool)
        try:
            outcome = place.call(f"{loop}c1", tool, arguments)
        except (WorkbenchError, KeyboardInterrupt) as error:
            status, reason = run.outcome_of(error)
            place.close("error" if status == "failed" else "killed", reason)
            raise
        refusal = "" if outcome.ok else outcome.text.removeprefix("error: ")
        place.close("success" if outcome.ok else "error", refusal)
        return outcome

    def end(self, status: str, text: str = "", reason: str = "") -> None:
        """End the run."""
        self._run.end(status, text, reason)

    def fail(self, error: BaseException) -> None:
        """End the run with what an error says."""
        status, reason = self._run.outcome_of(error)
        self._run.end(status, "", reason)


def one_call(
    setting: Setting, tool: str, arguments: dict[str, Any], agent: str | None, window: int | None
) -> CallOutcome:
    """Make one call, in a run of its own; see `workbench.session.Session.call`.

    Raises
    ------
    Refused
        If the agent does not exist.
    """
    if agent:
        agents.get(agent)
    calls = Calls(setting, f"call {tool}")
    try:
        outcome = calls.call(tool, arguments, agent=agent, window=window, loop="call")
    except (WorkbenchError, KeyboardInterrupt) as error:
        calls.fail(error)
        raise
    calls.end("answered" if outcome.ok else "failed", outcome.text)
    return outcome

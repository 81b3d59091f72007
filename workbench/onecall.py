"""One tool call through the gate, without a model: what an agent would see, exactly."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from workbench import block, marker
from workbench.agents import registry as agents
from workbench.artefacts import Artefact
from workbench.errors import LimitReached, Refused, WorkbenchError
from workbench.executor import ChildExecutor
from workbench.gate import Gate
from workbench.history import Thread
from workbench.ledger import Event
from workbench.run import Run, Setting
from workbench.tools import registry

# The whole refusal is the answer; the ledger's line of it names the kind.
_ERROR_CHARS = 400


@dataclass(frozen=True)
class CallOutcome:
    """What one call came to.

    Attributes
    ----------
    ok : bool
        False where it was refused; the text is then the refusal.
    text : str
        Exactly the text a model would see.
    limits_hit : tuple of str
        Rows of the limits table that cut or refused.
    artefacts : tuple of Artefact
        Files made.
    tokens : int
        Tokens of the text.
    run : str
        The run that was kept.
    """

    ok: bool
    text: str
    limits_hit: tuple[str, ...]
    artefacts: tuple[Artefact, ...]
    tokens: int
    run: str

    def to_json(self) -> dict[str, Any]:
        """Return the shape of ``call --json``."""
        return {
            "text": self.text,
            "cut": "[... truncated:" in self.text or "…[+" in self.text,
            "limits_hit": list(self.limits_hit),
            "artefacts": [artefact.to_json() for artefact in self.artefacts],
            "tokens": self.tokens,
            "run": self.run,
        }


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
        allowed = agents.get(agent).tools if agent else open_tools()
        loop = loop or f"c{next(self._numbers):02d}"
        run, limits = self._run, self._setting.limits
        gate = Gate(
            loop, allowed, limits, run.ledger, run.artefacts, window or self._setting.model.window
        )
        began = {"agent": agent or "", "objective": tool}
        run.ledger.append(
            "loop_started", {**began, "window": gate.window, "usable": gate.usable}, loop
        )
        executor = ChildExecutor(loop, agent or "call", run.around(stop or run.stop))
        started = time.monotonic()
        try:
            outcome = carried_out(run, gate, executor, f"{loop}c1", tool, arguments, agent)
        except (WorkbenchError, KeyboardInterrupt) as error:
            status, reason = run.outcome_of(error)
            self._ended(loop, "error" if status == "failed" else "killed", started, reason)
            raise
        finally:
            executor.close()
        refusal = "" if outcome.ok else outcome.text.removeprefix("error: ")
        self._ended(loop, "success" if outcome.ok else "error", started, refusal)
        return outcome

    def _ended(self, loop: str, status: str, started: float, error: str) -> None:
        error = marker.short(" ".join(error.split()), _ERROR_CHARS)
        seconds = round(time.monotonic() - started, 3)
        data = {"status": status, "seconds": seconds, "error": error}
        self._run.ledger.append("loop_ended", data, loop, sync=True)

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


def open_tools() -> tuple[str, ...]:
    """Return the tools that can be called without a question: those that hand nothing over."""
    return tuple(name for name, item in registry.tools().items() if item.place == "child")


def carried_out(
    run: Run,
    gate: Gate,
    executor: ChildExecutor,
    key: str,
    tool: str,
    arguments: Mapping[str, Any],
    agent: str | None,
) -> CallOutcome:
    """Carry out one call of a loop that has its gate and child, and write it down.

    Parameters
    ----------
    run : Run
        Whose record it becomes part of.
    gate, executor : Gate, ChildExecutor
        Of the loop.
    key : str
        What the ledger calls it.
    tool : str
        Its name.
    arguments : mapping
        Its arguments.
    agent : str or None
        Whose tool list holds.
    """
    started = time.monotonic()
    told = {"call": key, "tool": tool}
    run.ledger.append("tool_call", {**told, "arguments": dict(arguments)}, gate.loop)
    sha256 = ""
    try:
        found = _open_to(agent, tool)
        bound = found.bind(dict(arguments))
        reply = executor.call(key, tool, bound)
        admitted, ok = gate.reply(key, found.bounds, reply), True
        sha256 = run.records.keep_evidence(key, reply.evidence)
    except Refused as error:
        limit = error.key if isinstance(error, LimitReached) else None
        admitted, ok = gate.refusal(key, str(error), limit), False
    value = {"type": "tool_result", "tool_use_id": key, "content": admitted.text}
    made = block.make("tool_results", "user", value, source=key, cut=admitted.cut)
    data = {**told, "ok": ok, "chars": len(made.text), "tokens": made.tokens}
    data |= {"cut": list(admitted.cut), "artefacts": [item.id for item in admitted.artefacts]}
    data |= {"seconds": round(time.monotonic() - started, 3), "found": sha256}
    run.ledger.append("tool_done", data, gate.loop)
    return CallOutcome(ok, admitted.text, admitted.cut, admitted.artefacts, made.tokens, run.id)


def _open_to(agent: str | None, name: str) -> registry.Tool:
    """Return a tool that an agent, or a person where none is named, may call."""
    if agent and name not in agents.get(agent).tools:
        raise LimitReached(
            f"tool '{name[:80]}' is not in the list of {agent}; it has "
            f"{', '.join(agents.get(agent).tools)}",
            "agent_tools",
        )
    found = registry.get(name)
    if found.place == "parent":
        raise Refused(f"{name}: handing work over needs a question; use ask")
    return found

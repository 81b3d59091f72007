"""One tool call through the gate, without a model: what an agent would see, exactly."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any

from workbench import block, marker
from workbench.agents import registry as agents
from workbench.artefacts import Artefact
from workbench.errors import LimitReached, Refused, WorkbenchError
from workbench.executor import ChildExecutor
from workbench.gate import Gate
from workbench.run import Run, Setting
from workbench.tools import registry


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


def one_call(
    setting: Setting, tool: str, arguments: dict[str, Any], agent: str | None, window: int | None
) -> CallOutcome:
    """Make one call; see `workbench.session.Session.call`.

    Raises
    ------
    Refused
        If the agent does not exist.
    """
    allowed = agents.get(agent).tools if agent else tuple(registry.tools())
    run = Run(setting, f"call {tool}", (), threading.Event())
    gate = Gate(
        "call",
        allowed,
        setting.limits,
        run.ledger,
        run.artefacts,
        window or setting.model.window,
    )
    run.ledger.append(
        "loop_started",
        {"agent": agent or "", "objective": tool, "window": gate.window, "usable": gate.usable},
        "call",
    )
    executor = ChildExecutor("call", agent or "call", run.dispatcher.around)
    began = time.monotonic()
    try:
        outcome = _carried_out(run, gate, executor, tool, arguments, agent)
    except (WorkbenchError, KeyboardInterrupt) as error:
        status, reason = run.outcome_of(error)
        _ended(run, "error" if status == "failed" else "killed", began, reason)
        run.end(status, "", reason)
        raise
    finally:
        executor.close()
    refusal = "" if outcome.ok else outcome.text.removeprefix("error: ")
    _ended(run, "success" if outcome.ok else "error", began, refusal)
    run.end("answered" if outcome.ok else "failed", outcome.text, "")
    return outcome


# The whole refusal is the answer; the ledger's line of it names the kind.
_ERROR_CHARS = 400


def _ended(run: Run, status: str, began: float, error: str) -> None:
    error = marker.short(" ".join(error.split()), _ERROR_CHARS)
    seconds = round(time.monotonic() - began, 3)
    data = {"status": status, "seconds": seconds, "error": error}
    run.ledger.append("loop_ended", data, "call", sync=True)


def _carried_out(
    run: Run,
    gate: Gate,
    executor: ChildExecutor,
    tool: str,
    arguments: dict[str, Any],
    agent: str | None,
) -> CallOutcome:
    try:
        found = _open_to(agent, tool)
        bound = found.bind(arguments)
        reply = executor.call("callc1", tool, bound)
        admitted, ok = gate.reply("callc1", found.bounds, reply), True
    except Refused as error:
        key = error.key if isinstance(error, LimitReached) else None
        admitted, ok = gate.refusal("callc1", str(error), key), False
    value = {"type": "tool_result", "tool_use_id": "callc1", "content": admitted.text}
    made = block.make("tool_results", "user", value, source="callc1", cut=admitted.cut)
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

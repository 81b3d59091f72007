"""Calls made without a model: one loop with its gate and its child, every call written down.

Made by a person, by a report that runs again, or by what recomputes a past run: always here.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workbench import marker
from workbench.agents import registry as agents
from workbench.artefacts import Artefact
from workbench.asking.executor import ChildExecutor
from workbench.asking.run import Run
from workbench.asking.surroundings import Surroundings
from workbench.context import block
from workbench.errors import LimitReached, Refused
from workbench.gate import Gate
from workbench.reply import Reply
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
    reply : Reply or None
        What the child sent; None where it was refused.
    """

    ok: bool
    text: str
    limits_hit: tuple[str, ...]
    artefacts: tuple[Artefact, ...]
    tokens: int
    run: str
    reply: Reply | None = None

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


@dataclass
class Desk:
    """Where the calls of one loop are made without a model: its gate, its child, its tool list.

    Attributes
    ----------
    run : Run
        Whose record the calls become part of.
    gate, executor : Gate, ChildExecutor
        Of the loop.
    agent : str or None
        Whose tool list holds; every tool that runs in a child is open if there is none.
    """

    run: Run
    gate: Gate
    executor: ChildExecutor
    agent: str | None
    started: float = field(default_factory=time.monotonic)

    @classmethod
    def open(
        cls,
        run: Run,
        loop: str,
        agent: str | None,
        around: Surroundings,
        *,
        window: int | None = None,
        objective: str = "",
    ) -> Desk:
        """Begin a loop; its child starts at the first call.

        Raises
        ------
        Refused
            If there is no such agent.
        """
        limits, window = run.setting.limits, window or run.setting.model.window
        allowed = open_tools(agent)
        gate = Gate(loop, allowed, limits, run.ledger, run.artefacts, window)
        began = {"agent": agent or "", "objective": objective}
        run.ledger.append(
            "loop_started", {**began, "window": gate.window, "usable": gate.usable}, loop
        )
        return cls(run, gate, ChildExecutor(loop, agent or "call", around), agent)

    def seeded(self, seed: int | None) -> None:
        """Have the next calls use another seed: a child has one for its life, so it ends."""
        around = self.executor.around
        if seed is not None and seed != around.seed:
            self.executor.close()
            # It goes on with what the run has pinned.
            self.executor = replace(self.executor, around=replace(around, seed=seed), _link=None)

    def call(self, key: str, tool: str, arguments: Mapping[str, Any]) -> CallOutcome:
        """Carry out one call and write it down.

        Parameters
        ----------
        key : str
            What the ledger calls it.
        tool : str
            Its name.
        arguments : mapping
            Its arguments.

        Returns
        -------
        CallOutcome
            Also where it was refused: see its `ok`.
        """
        run, gate = self.run, self.gate
        started = time.monotonic()
        told = {"call": key, "tool": tool}
        run.ledger.append("tool_call", {**told, "arguments": dict(arguments)}, gate.loop)
        sha256, reply = "", None
        try:
            found = _open_to(self.agent, tool)
            bound = found.bind(dict(arguments))
            reply = self.executor.call(key, tool, bound)
            admitted, ok = gate.reply(key, found.bounds, reply), True
            sha256 = run.records.keep_evidence(key, reply.evidence)
        except Refused as error:
            limit = error.key if isinstance(error, LimitReached) else None
            admitted, ok, reply = gate.refusal(key, str(error), limit), False, None
        value = {"type": "tool_result", "tool_use_id": key, "content": admitted.text}
        made = block.make("tool_results", "user", value, source=key, cut=admitted.cut)
        data = {**told, "ok": ok, "chars": len(made.text), "tokens": made.tokens}
        data |= {"cut": list(admitted.cut), "artefacts": [item.id for item in admitted.artefacts]}
        data |= {"seconds": round(time.monotonic() - started, 3), "found": sha256}
        run.ledger.append("tool_done", data, gate.loop)
        return CallOutcome(
            *(ok, admitted.text, admitted.cut, admitted.artefacts, made.tokens, run.id), reply
        )

    def close(self, status: str, error: str = "") -> None:
        """End the child and the loop."""
        self.executor.close()
        error = marker.short(" ".join(error.split()), _ERROR_CHARS)
        seconds = round(time.monotonic() - self.started, 3)
        data = {"status": status, "seconds": seconds, "error": error}
        self.run.ledger.append("loop_ended", data, self.gate.loop, sync=True)


def open_tools(agent: str | None = None) -> tuple[str, ...]:
    """Return the tool list of an agent; without one, the tools that hand nothing over.

    Raises
    ------
    Refused
        If there is no such agent.
    """
    if agent:
        return tuple(agents.get(agent).tools)
    return tuple(name for name, item in registry.tools().items() if item.place == "child")


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

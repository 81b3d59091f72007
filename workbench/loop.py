"""The one agent loop: build a request from blocks, send it, carry out the calls, until the end.

It runs in the parent for every agent. A child only ever receives a call and returns a reply; the
blocks, the agent's tool list, the counts and the request itself never leave this side.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from workbench.agents.prompts import opening
from workbench.agents.registry import Agent
from workbench.context import block, context_window
from workbench.context.admission import Admitted
from workbench.context.block import Block
from workbench.context.history import Paragraph
from workbench.context.render import Hit
from workbench.context.result import Result
from workbench.errors import Failed, LimitReached, Refused, Stopped
from workbench.gate import Gate
from workbench.loops import finishing, hearing, stops
from workbench.loops.readahead import read_ahead
from workbench.loops.services import Executor, Handover, Replied, Services
from workbench.loops.turns import Turns
from workbench.models.protocol import Call, ModelReply, form_of, read_reply
from workbench.reply import Reply
from workbench.tools import registry
from workbench.tools.handover import FINISH


@dataclass
class Loop:
    """One agent at work.

    Parameters
    ----------
    id : str
        ``guide``, ``orchestrator``, ``d01`` …
    agent : Agent
        Prompt and tool list.
    services : Services
        Model, limits, ledger, records, stop.
    gate : Gate
        Its gate.
    executor : Executor
        Its child.
    handovers : dict
        Name of a parent tool → what carries it out.
    turns : Turns
        Order in which calls that start together take their numbers.
    history : callable
        Returns the history paragraph, rebuilt for each request.
    listens : bool
        Whether it hears what the analyst adds while it works.
    """

    id: str
    agent: Agent
    services: Services
    gate: Gate
    executor: Executor
    handovers: dict[str, Handover] = field(default_factory=dict)
    turns: Turns = field(default_factory=Turns)
    history: Callable[[], Paragraph] = Paragraph
    blocks: list[Block] = field(default_factory=list)
    sent: tuple[Block, ...] = ()
    requests: int = 0
    calls: int = 0
    malformed: int = 0
    final: str | Result | None = None
    condensed: bool = False
    aside: set[str] = field(default_factory=set)
    listens: bool = False
    replied: dict[str, Replied] = field(default_factory=dict)
    sent_back: bool = False
    _ahead: dict[str, Future[Reply]] = field(default_factory=dict)

    def run(self, first: Sequence[Block]) -> str | Result:
        """Work until the agent ends; return words (guide) or a result (all others).

        Raises
        ------
        Failed
            If a limit of the loop or the model ends it.
        Stopped, BudgetReached
            If the run ends.
        """
        stable = form_of(self.services.model).stable(opening(self.agent, self.services.limits))
        self.blocks = [*stable, *first]
        repaired = False
        while True:
            reply = self._ask()
            unused = stops.unused(reply.stop) or (stops.TOO_LONG if self._too_long(reply) else "")
            if unused:
                # Nothing of a cut turn is carried out, so nothing of it may stand as if it were.
                del self.blocks[len(self.blocks) - len(reply.content) :]
                repaired = self._repair(unused, repaired)
            elif reply.calls:
                self._carry_out(reply.calls)
                if self.final is not None and not hearing.pending(self):
                    return self.final
                self.final = None
            elif reply.stop != stops.PAUSED:
                ended, amiss = stops.ended(reply.words, self.agent)
                if isinstance(ended, Result):
                    ended, amiss = finishing.proved(self, ended)
                if ended is None:
                    repaired = self._repair(amiss, repaired)
                elif not hearing.pending(self):
                    return ended

    def _repair(self, message: str, repaired: bool) -> bool:  # noqa: FBT001 - the loop's own state
        """Tell the model once what was wrong; the second time the loop ends."""
        if repaired:
            raise Failed(f"{self.agent.name}: {message}")
        self.blocks.append(block.text("question", "user", message, source="loop"))
        return True

    def _too_long(self, reply: ModelReply) -> bool:
        """Tell whether a reply broke `reply_tokens` although the request set it."""
        most = self.services.limits["reply_tokens"].number
        made = self.blocks[len(self.blocks) - len(reply.content) :]
        used = stops.length(reply.usage, made)
        if used <= most:
            return False
        self.gate.hit(
            f"{self.id}-r{self.requests:02d}", Hit("reply_tokens", used - most, used, "tokens")
        )
        return True

    def _ask(self) -> ModelReply:
        """Send one request and take its reply."""
        limits = self.services.limits
        if self.services.stop.is_set():
            raise Stopped("stopped by the analyst")
        if self.requests >= limits["model_calls"].number:
            raise self._over("model_calls", self.requests)
        self.requests += 1
        key = f"{self.id}-r{self.requests:02d}"
        hearing.hear(self, key)
        request = context_window.fitted(self, key)
        expected = self.services.meter.estimate(self.id, request)
        self.services.budget.ahead(key, expected.tokens)
        path = self.services.records.keep_request(key, request.body)
        data = {
            "key": key,
            "path": path,
            "chars": len(request.body),
            "tokens": request.tokens,
            "estimate": [expected.low, expected.tokens, expected.high],
            "by_category": request.by_category,
            "chars_by_category": request.chars,
        }
        self.services.ledger.append("request", data, self.id)
        self.sent = request.blocks
        started = time.monotonic()
        text = self.services.reached(self.gate, key).send(request.body, key)
        self.services.records.keep_response(key, text)
        reply = read_reply(text)
        self.services.meter.learn(self.id, request, reply.usage)
        self._answered(key, reply, round(time.monotonic() - started, 3))
        return reply

    def _answered(self, key: str, reply: ModelReply, seconds: float) -> None:
        """Write down and take in what came for a request."""
        data = {"key": key, "stop": reply.stop, "usage": reply.usage, "seconds": seconds}
        cost = self.services.budget.cost(reply.usage)
        if cost is not None:
            data["usd"] = round(cost, 6)
        self.services.ledger.append("response", data, self.id)
        self.blocks += [block.make("assistant", "assistant", part) for part in reply.content]
        self.services.budget.spent(key, reply.usage)

    def _carry_out(self, calls: Sequence[Call]) -> None:
        """Carry out the calls of one turn and append the answers, in order.

        Hand-overs run side by side, and so do calls that only read.
        """
        allowed = self.services.limits["tool_calls"].number - self.calls
        numbered = [(f"{self.id}c{self.calls + n}", call) for n, call in enumerate(calls, 1)]
        numbered = numbered[:allowed]
        self.calls += len(numbered)
        together = self.services.limits["at_once"].number
        if all(call.tool in self.handovers for _, call in numbered) and len(numbered) > 1:
            if len(numbered) > together:
                waiting = len(numbered) - together
                self.gate.hit(self.id, Hit("at_once", waiting, len(numbered), "hand-overs"))
            self.turns.expect([name for name, _ in numbered])
            with ThreadPoolExecutor(min(together, len(numbered))) as pool:
                answers = list(pool.map(lambda pair: self._in_turn(*pair), numbered))
        else:
            with read_ahead(self.executor, self.agent, numbered, together) as self._ahead:
                answers = [self._one(*pair) for pair in numbered]
        self.blocks += answers
        if len(calls) > len(numbered):
            raise self._over("tool_calls", self.calls)

    def _reply(self, name: str, tool: str, arguments: dict[str, Any]) -> Reply:
        """Return a child's reply: read ahead, or asked for now."""
        early = self._ahead.pop(name, None)
        return self.executor.call(name, tool, arguments) if early is None else early.result()

    def _in_turn(self, name: str, call: Call) -> Block:
        """Carry out a call that others started with; whatever comes of it, they go on."""
        try:
            return self._one(name, call)
        finally:
            self.turns.taken(name)

    def _one(self, name: str, call: Call) -> Block:
        """Carry out one call; whatever comes of it becomes one block."""
        arguments = call.arguments if isinstance(call.arguments, dict) else {}
        data = {"call": name, "tool": call.tool, "arguments": finishing.told(call.tool, arguments)}
        self.services.ledger.append("tool_call", data, self.id)
        started = time.monotonic()
        category: block.Category = "tool_results"
        is_error = False
        try:
            admitted, category = self._allowed(name, call)
        except Refused as error:
            is_error = True
            key = error.key if isinstance(error, LimitReached) else None
            admitted = self.gate.refusal(name, str(error), key)
        value: dict[str, Any] = {
            "type": "tool_result",
            "tool_use_id": call.id,
            "content": admitted.text,
        }
        if is_error:
            value["is_error"] = True
        made = block.make(
            category, "user", value, source=name, cut=admitted.cut, full=admitted.full
        )
        self.services.ledger.append(
            "tool_done",
            {
                "call": name,
                "tool": call.tool,
                "ok": not is_error,
                "chars": len(made.text),
                "tokens": made.tokens,
                "cut": list(admitted.cut),
                "artefacts": [artefact.id for artefact in admitted.artefacts],
                "seconds": round(time.monotonic() - started, 3),
                "found": self.replied[name].sha256 if name in self.replied else "",
            },
            self.id,
        )
        return made

    def _allowed(self, name: str, call: Call) -> tuple[Admitted, block.Category]:
        """Check the agent's list and the arguments, then carry the call out."""
        if call.tool not in (*self.agent.tools, FINISH):
            self.count_malformed()
            raise LimitReached(
                f"tool '{call.tool[:80]}' is not in the list of {self.agent.name}; you have "
                f"{', '.join(self.agent.tools) or 'no tools'}",
                "agent_tools",
            )
        tool = registry.get(call.tool)
        try:
            arguments = tool.bind(call.arguments)
        except Refused:
            self.count_malformed()
            raise
        if tool.name == FINISH:  # may still be malformed
            return finishing.finished(self, arguments), "tool_results"
        self.malformed = 0
        if tool.place == "parent":
            handed = self.handovers[tool.name](name, arguments)
            if handed.words is not None:
                self.final = handed.words
            return Admitted(handed.text, handed.cut, handed.full), "dispatch_results"
        reply = self._reply(name, tool.name, arguments)
        admitted = self.gate.reply(name, tool.bounds, reply)
        sha256 = self.services.records.keep_evidence(name, reply.evidence)
        made = admitted.artefacts
        self.replied[name] = Replied(call.id, tool.name, arguments, reply, made, sha256)
        return admitted, "tool_results"

    def count_malformed(self) -> None:
        """Count a call that is none; too many in a row end the loop."""
        self.malformed += 1
        if self.malformed >= self.services.limits["malformed"].number:
            raise self._over("malformed", self.malformed)

    def _over(self, key: str, used: int) -> Failed:
        """Record that a loop limit ended the work and return the error that says so."""
        row = self.services.limits[key]
        self.gate.hit(self.id, Hit(key, 0, used, row.unit))
        return Failed(f"{self.id} ended by limit {key}: {row.sentence}")

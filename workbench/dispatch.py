"""Sending agents to work: each with a fresh context, a gate and a child of its own.

What comes back is the bounded result and nothing else. Depth, number and concurrency are held
here, whatever an agent's tool list says.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.agents import registry as agents
from workbench.artefacts import Artefacts, prefix
from workbench.asking.executor import ChildExecutor
from workbench.asking.surroundings import Surroundings
from workbench.context import block
from workbench.context.block import Block
from workbench.context.history import Paragraph
from workbench.context.render import Hit
from workbench.context.result import Result
from workbench.errors import Failed, Fault, LimitReached, WorkbenchError
from workbench.files.newfile import new_file
from workbench.gate import Gate
from workbench.loop import Loop
from workbench.loops.services import Handed, Handover, Services
from workbench.loops.turns import Turns
from workbench.marker import Marker
from workbench.process.childlink import ChildFailed
from workbench.reply import Made
from workbench.sources import measures

LONE_LOOPS = ("guide", "orchestrator")


@dataclass
class Dispatcher:
    """Runs the loops of one question.

    Parameters
    ----------
    services : Services
        Model, limits, ledger, records, stop.
    around : Surroundings
        What the children share.
    history : callable
        Returns the history paragraph of the session, this run included.
    seconds : callable
        Clock of durations, in seconds.
    """

    services: Services
    around: Surroundings
    history: Callable[[], Paragraph]
    seconds: Callable[[], float] = time.monotonic
    sent: int = 0
    turns: Turns = field(default_factory=Turns)
    _names: dict[str, int] = field(default_factory=dict)
    _left: dict[str, list[str]] = field(default_factory=dict)
    _levels: dict[str, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _places: threading.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._places = threading.Semaphore(self.services.limits["at_once"].number)

    @property
    def artefacts(self) -> Artefacts:
        """The artefacts of the run."""
        return self.around.artefacts

    def ask(self, agent: str, first: Callable[[Gate], Sequence[Block]]) -> str | Result:
        """Run the loop that talks with the analyst; return its words or result.

        Parameters
        ----------
        agent : str
            ``guide`` unless the analyst started lower down.
        first : callable
            Gets the loop's gate, returns its first blocks: history, question, attachments.
        """
        name = agent if agent in LONE_LOOPS else self._next_dispatch()
        return self._work(name, agent, first, "")

    def gate(self, name: str, agent: agents.Agent) -> Gate:
        """Return a gate for a loop of this run."""
        services = self.services
        return Gate(
            name,
            agent.tools,
            services.limits,
            services.ledger,
            self.artefacts,
            services.model.window,
        )

    def _work(
        self, name: str, agent_name: str, first: Callable[[Gate], Sequence[Block]], objective: str
    ) -> str | Result:
        """Run one loop to its end and write down how it ended."""
        agent = agents.get(agent_name)
        gate = self.gate(name, agent)
        ledger = self.services.ledger
        ledger.append(
            "loop_started",
            {
                "agent": agent.name,
                "objective": objective,
                "window": gate.window,
                "usable": gate.usable,
            },
            name,
        )
        executor = ChildExecutor(name, agent.name, self.around)
        loop = Loop(name, agent, self.services, gate, executor, self.handovers(name))
        loop.turns = self.turns
        # Who plans hears the analyst, and who was asked by the analyst.
        loop.listens = agent.name in LONE_LOOPS or not objective
        if agent.name == "orchestrator":
            loop.history = self.history
        started = self.seconds()
        try:
            ended = loop.run(first(gate))
        except WorkbenchError as error:
            cause = self.services.ended_by(error)
            executor.close()
            self._left[name] = executor.left
            self._broken(gate, name, started, cause)
            raise cause from None
        finally:
            executor.close()
        ended = ended.also(executor.left) if isinstance(ended, Result) else ended
        self._measure(loop, ended)
        self._ended(name, ended.status if isinstance(ended, Result) else "success", started)
        return ended

    def _broken(self, gate: Gate, name: str, started: float, error: WorkbenchError) -> None:
        """Write down a loop that did not end by itself, and the row that ended it."""
        status = "error" if isinstance(error, Failed) else "killed"
        if isinstance(error, ChildFailed):
            status = "timeout" if error.reason == "timeout" else status
        if isinstance(error, ChildFailed | LimitReached) and error.key is not None:
            gate.hit(name, Hit(error.key, 0, 0, ""))
        self._ended(name, status, started, error)

    def _ended(
        self, name: str, status: str, started: float, error: WorkbenchError | None = None
    ) -> None:
        measured = round(self.seconds() - started, 3)
        data = {
            "status": status,
            "seconds": self.services.model.durations.get(name, measured),
            "error": str(error) if error else "",
        }
        self.services.ledger.append("loop_ended", data, name, sync=True)

    def _measure(self, loop: Loop, ended: str | Result) -> None:
        """Write down which of the rules that are only asked for were kept."""
        if not isinstance(ended, Result) or not loop.agent.rules:
            return
        cut = {key for item in loop.blocks for key in item.cut}
        for key, kept in measures.kept(ended, cut, self.services.limits).items():
            if key in loop.agent.rules:
                data = {"key": key, "enforced": "prompt", "kept": kept}
                self.services.ledger.append("prompt_rule", data, loop.id)

    def handovers(self, name: str) -> dict[str, Handover]:
        """Return what carries out the hand-over tools for one loop."""

        def to_specialist(call: str, arguments: dict[str, Any]) -> Handed:
            return self._dispatch(name, call, arguments)

        return {
            "dispatch": to_specialist,
            "ask_specialist": to_specialist,
            "ask_orchestrator": lambda _, arguments: self._orchestrate(name, arguments),
        }

    def _dispatch(self, caller: str, call: str, arguments: dict[str, Any]) -> Handed:
        """Send one specialist; hold depth, number and objective first."""
        gate = self.gate(caller, agents.get("guide"))
        level = self._level(caller) + 1
        if level > self.services.limits["depth"].number:
            raise self._refused("depth", "a specialist asked for it")
        agent = agents.specialist(str(arguments["agent"]))
        objective = gate.objective(str(arguments["objective"]))
        most = self.services.limits["dispatches"].number
        self.turns.wait(call)
        with self._lock:
            if self.sent >= most:
                raise self._refused("dispatches", f"{self.sent} were sent already")
            name = self._next_dispatch()
        self.turns.taken(call)
        self._levels[name] = level
        if level > 1:  # the one that waits for it lends its place
            return self._outcome(caller, name, agent.name, objective, arguments)
        with self._places:
            return self._outcome(caller, name, agent.name, objective, arguments)

    def _level(self, name: str) -> int:
        """Return how deep a loop works: 0 for the guide and every orchestrator."""
        return self._levels.get(name, int(prefix(name) == name))

    def _refused(self, key: str, reason: str) -> LimitReached:
        row = self.services.limits[key]
        return LimitReached(f"handing over: {reason}; {row.sentence}", key)

    def _next_dispatch(self) -> str:
        self.sent += 1
        return f"d{self.sent:02d}"

    def _orchestrate(self, caller: str, arguments: dict[str, Any]) -> Handed:
        gate = self.gate(caller, agents.get("guide"))
        if caller != "guide":
            raise self._refused("depth", f"{caller} asked for the orchestrator")
        objective = gate.objective(str(arguments["objective"]))
        with self._lock:
            number = self._names["orchestrator"] = self._names.get("orchestrator", 0) + 1
        name = "orchestrator" if number == 1 else f"orchestrator{number}"
        return self._outcome(caller, name, "orchestrator", objective, arguments)

    def _outcome(
        self, caller: str, name: str, agent: str, objective: str, arguments: dict[str, Any]
    ) -> Handed:
        """Run a loop to its result; a failure of it is a result too."""
        self.services.meter.begin(name, caller)
        self.services.inbox.begin(name, caller)
        try:
            ended = self._work(
                name,
                agent,
                lambda _: [block.text("question", "user", objective, source="objective")],
                objective,
            )
        except Fault:
            raise
        except WorkbenchError as error:
            ended = Result.failed(str(error)).also(self._left.get(name, []))
        result = ended if isinstance(ended, Result) else Result("success", (ended,))
        text, cut, full = self._bounded(caller, name, result)
        final = bool(arguments.get("final")) and result.status != "error"
        return Handed(text, result.words() if final else None, cut, full)

    def _bounded(self, caller: str, name: str, result: Result) -> tuple[str, tuple[str, ...], str]:
        """Bound a result as a whole; keep the whole of it where something had to go."""
        gate = self.gate(name, agents.get("guide" if caller == "guide" else "orchestrator"))
        whole = result.text()
        gate.keep(f"{name}_result", whole)
        cap = self.services.limits["result_chars"].number
        if len(whole) <= cap:
            return whole, (), ""
        artefact = self.artefacts.register(name, self._result_file(name, whole))

        def notice(left: int) -> str:
            step = gate.steps.range(artefact.id, 0)
            return str(Marker(left, len(whole), "characters", artefact.shown, step))

        gate.hit(name, Hit("result_chars", len(whole) - cap, len(whole), "characters"))
        return result.bounded(cap, notice).text(), ("result_chars",), artefact.shown

    def _result_file(self, name: str, whole: str) -> Made:
        data = whole.encode("utf-8", "replace")
        with new_file(self.artefacts.folder, f"{name}_result", "json") as (part, final):
            part.write_bytes(data)
        return Made(
            final[0].name,
            len(data),
            hashlib.sha256(data).hexdigest(),
            "application/json",
            made_by={"tool": "dispatch", "parameters": {}, "seed": None, "inputs": {}},
        )

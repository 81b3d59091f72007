"""Calls of one turn that only read, carried out side by side in children of their own.

What the children send waits for its turn: it passes the gate in the order of the calls.
"""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from workbench.agents.registry import Agent
from workbench.loops.services import Executor
from workbench.models.protocol import Call
from workbench.reply import Reply
from workbench.tools import registry


@contextlib.contextmanager
def read_ahead(
    executor: Executor, agent: Agent, calls: Sequence[tuple[str, Call]], together: int
) -> Iterator[dict[str, Future[Reply]]]:
    """Yield the replies on their way, by call; none where one of the calls does more than read.

    Parameters
    ----------
    executor : Executor
        The loop's own.
    agent : Agent
        Whose calls they are.
    calls : sequence of (str, Call)
        Ids and calls of the turn.
    together : int
        How many may be carried out at once.
    """
    count = min(together, len(calls))
    if count <= 1 or not all(_reads(agent, call) for _, call in calls):
        yield {}
        return
    children = [executor, *(executor.beside() for _ in range(count - 1))]
    idle = queue.SimpleQueue[Executor]()
    for child in children:
        idle.put(child)

    def read(name: str, call: Call) -> Reply:
        arguments = registry.get(call.tool).bind(call.arguments)
        child = idle.get()
        try:
            return child.call(name, call.tool, arguments)
        finally:
            idle.put(child)

    try:
        with ThreadPoolExecutor(count) as pool:
            yield {name: pool.submit(read, name, call) for name, call in calls}
    finally:
        for child in children[1:]:
            child.close()


def _reads(agent: Agent, call: Call) -> bool:
    """Tell whether a call is one of the agent's own, in a child, that changes nothing."""
    if call.tool not in agent.tools:
        return False
    tool = registry.get(call.tool)
    return tool.effect == "read" and tool.place == "child"

"""Calls by memory: what was already answered is looked up, what was not is asked for.

Planning code reads as if every call returned at once. The first time through a call is only
noted; when its answer stands in the next request, the same code runs further. So the planner needs
no state between requests.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from workbench.models.planner import answer
from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.exchange import Exchange, Step

# Calls sent in one turn; more wait for the next.
_AT_ONCE = 12


class NotYet(Exception):
    """A call whose answer is not there yet; planning goes on with what does not need it."""


@dataclass
class Asking:
    """The calls of one loop.

    Parameters
    ----------
    exchange : Exchange
        The request: tools, and calls with their answers.
    wanted : list of (str, dict)
        Calls to make next, in order.
    """

    exchange: Exchange
    wanted: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def has(self, tool: str) -> bool:
        """Tell whether this agent has a tool."""
        return tool in self.exchange.tools

    def want(self, tool: str, **arguments: Any) -> None:  # noqa: ANN401 - JSON values
        """Note a call that will be needed, without waiting for it."""
        if self.find(tool, arguments) is None and self.has(tool):
            self._note(tool, arguments)

    def ask(self, tool: str, **arguments: Any) -> ToolAnswer:  # noqa: ANN401 - JSON values
        """Return the answer of a call, read.

        Raises
        ------
        NotYet
            If it was not made yet; it is noted.
        """
        text = self.raw(tool, **arguments)
        made = self._made(tool, arguments)
        return answer.read(text, made.id if made else "")

    def raw(self, tool: str, **arguments: Any) -> str:  # noqa: ANN401 - JSON values
        """Return the answer of a call as text.

        Raises
        ------
        NotYet
            If it was not made yet; it is noted.
        """
        if not self.has(tool):
            return f"error: this agent has no {tool}; ask the guide, who sends the right specialist"
        found = self.find(tool, arguments)
        if found is None:
            self._note(tool, arguments)
            raise NotYet
        return found

    def find(self, tool: str, arguments: dict[str, Any]) -> str | None:
        """Return the answer of a call that was made, or None."""
        made = self._made(tool, arguments)
        return made.answer if made else None

    def _made(self, tool: str, arguments: dict[str, Any]) -> Step | None:
        found = (step for step in self.exchange.made(tool) if step.arguments == arguments)
        return next(found, None)

    def _note(self, tool: str, arguments: dict[str, Any]) -> None:
        if (tool, arguments) not in self.wanted:
            self.wanted.append((tool, arguments))

    def calls(self) -> list[dict[str, Any]]:
        """Return the noted calls as content blocks, with ids that depend on the request alone."""
        turn = self.exchange.turn
        return [
            {
                "type": "tool_use",
                "id": f"call_{turn:02d}_{number:02d}",
                "name": tool,
                "input": json.loads(json.dumps(arguments)),
            }
            for number, (tool, arguments) in enumerate(self.wanted[:_AT_ONCE], start=1)
        ]

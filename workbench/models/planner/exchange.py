"""A request read back: who is asked, what is asked, which calls were made and what came of them.

The planner keeps nothing between requests; everything it knows is in here. Tool answers are data:
they are looked up by key, never read as instructions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from workbench.context.inbox import PREFIX
from workbench.errors import Failed

Part = Literal["guide", "orchestrator", "specialist"]

# Blocks of a person's turn that are not the question itself.
_ATTACHED = "attached file "
# The sentence with which every answer of the planner names its table.
_TABLE = re.compile(r"^Table: (.+?\.\w+)(?:, sheet .+?)? \([\d,]+ rows\)", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """A tool call of this loop and its answer.

    Attributes
    ----------
    tool : str
        Tool name.
    arguments : dict
        As the call had them.
    answer : str or None
        Text that came back; None where it is not in the request.
    id : str
        Of the call.
    """

    tool: str
    arguments: dict[str, Any]
    answer: str | None
    id: str = ""


@dataclass(frozen=True)
class Exchange:
    """What a request says.

    Attributes
    ----------
    part : {"guide", "orchestrator", "specialist"}
        Whom the planner speaks for.
    tools : frozenset of str
        Tools it may call.
    question : str
        The analyst's question or the objective.
    earlier : tuple of str
        What the analyst asked before, oldest first.
    before : str
        File that the answer before this question was taken from, or empty.
    steps : tuple of Step
        Calls since the question.
    turn : int
        Number of messages; makes call ids unique and repeatable.
    """

    part: Part
    tools: frozenset[str]
    question: str
    earlier: tuple[str, ...]
    before: str
    steps: tuple[Step, ...]
    turn: int

    def made(self, *tools: str) -> list[Step]:
        """Return the answered calls of the given tools, in order."""
        return [step for step in self.steps if step.tool in tools and step.answer is not None]


def read(body: str) -> Exchange:
    """Read a request.

    Raises
    ------
    Failed
        If it is not a request of the Messages protocol with a question in it.
    """
    try:
        data = json.loads(body)
        tools = frozenset(str(item["name"]) for item in data.get("tools", ()))
        messages = [(str(item["role"]), _parts(item["content"])) for item in data["messages"]]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise Failed("offline planner: the request is not of the Messages protocol") from None
    part = _part(tools)
    asked = [number for number, message in enumerate(messages) if _is_question(message)]
    if not asked:
        raise Failed("offline planner: the request has no question in it")
    # A guide talks on: its question is the last one. Others get one objective, at the start, and
    # whatever else is said to them later (a repair, a warning) is not a new task.
    place = asked[-1] if part == "guide" else asked[0]
    earlier = tuple(_question(messages[number][1]) for number in asked if number < place)
    steps = tuple(_steps(messages[place + 1 :]))
    question = _question(messages[place][1])
    if part == "guide":
        question = "\n".join([question, *_added(messages[place + 1 :])])
    before = _table_before(messages[:place])
    return Exchange(part, tools, question, earlier, before, steps, len(messages))


def _added(messages: list[tuple[str, list[dict[str, Any]]]]) -> Iterator[str]:
    """Yield what the analyst added while the question was at work."""
    for role, parts in messages:
        for part in parts if role == "user" else ():
            text = str(part.get("text", ""))
            if text.startswith(PREFIX):
                yield text.removeprefix(PREFIX)


def _table_before(messages: list[tuple[str, list[dict[str, Any]]]]) -> str:
    """Return the file that the planner's last answer named as its table."""
    said = (part for role, parts in reversed(messages) if role == "assistant" for part in parts)
    for part in said:
        found = _TABLE.findall(str(part.get("text", "")))
        if found:
            return str(found[-1])
    return ""


def _part(tools: frozenset[str]) -> Part:
    if "ask_orchestrator" in tools or "ask_specialist" in tools:
        return "guide"
    return "orchestrator" if "dispatch" in tools else "specialist"


def _parts(content: object) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [dict(part) for part in content] if isinstance(content, list) else []


def _is_question(message: tuple[str, list[dict[str, Any]]]) -> bool:
    role, parts = message
    kinds = {part.get("type") for part in parts}
    added = all(str(part.get("text", "")).startswith(PREFIX) for part in parts)
    return role == "user" and "text" in kinds and "tool_result" not in kinds and not added


def _question(parts: list[dict[str, Any]]) -> str:
    texts = [str(part.get("text", "")) for part in parts if part.get("type") == "text"]
    own = [text for text in texts if not text.startswith((_ATTACHED, PREFIX))]
    return (own or texts)[-1].strip()


def _steps(messages: list[tuple[str, list[dict[str, Any]]]]) -> Iterator[Step]:
    """Yield the calls of the assistant's turns, each with the answer that carries its id."""
    answers: dict[str, str] = {}
    for _, parts in messages:
        for part in parts:
            if part.get("type") == "tool_result":
                answers[str(part.get("tool_use_id"))] = _text(part.get("content"))
    for role, parts in messages:
        for part in parts if role == "assistant" else ():
            if part.get("type") == "tool_use":
                given = part.get("input")
                arguments = dict(given) if isinstance(given, dict) else {}
                key = str(part.get("id"))
                yield Step(str(part.get("name")), arguments, answers.get(key), key)


def _text(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return "" if content is None else str(content)

"""The whole talk of one agent: prompt, question, replies, calls and what came of them, in order.

Read out of the kept requests and replies; what a later request set aside or folded still stands
here as it was first sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.errors import Refused, nearest
from workbench.runs.story import Story


@dataclass(frozen=True)
class Entry:
    """One piece of a talk.

    Attributes
    ----------
    kind : {"system", "tools", "user", "assistant", "call", "result"}
        What it is.
    title : str
        Its tool, or empty.
    text : str
        Its words, as they were sent.
    source : str
        Key of the request or reply it stands in.
    """

    kind: str
    title: str
    text: str
    source: str


def entries(story: Story, loop: str) -> list[Entry]:
    """Return the talk of one loop.

    Raises
    ------
    Refused
        If the run has no such loop, or its requests were cleaned away.
    """
    if loop not in story.agents:
        raise Refused(
            f"transcript '{loop[:80]}': run {story.folder.name} has no such agent at work"
            f"{nearest(loop, story.agents)}"
        )
    keys = [
        str(event.data["key"])
        for event in story.events
        if event.kind == "request" and event.dispatch == loop
    ]
    found: list[Entry] = []
    known = 0
    for key in keys:
        body = story.body(key)
        messages = [item for item in body.get("messages") or () if isinstance(item, Mapping)]
        if key == keys[0]:
            found += _opening(body, key)
        # A conversation that was folded has fewer turns than before: what is new stands last.
        fresh = messages[known:] if len(messages) >= known else messages[-1:]
        found += [entry for item in fresh for entry in _turn(item, key)]
        reply = story.response(key)
        found += list(_turn({"role": "assistant", "content": reply.get("content")}, key))
        known = len(messages) + 1
    if not found:
        raise Refused(f"transcript '{loop}': its requests are not kept any more")
    return found


def _opening(body: Mapping[str, Any], key: str) -> Iterator[Entry]:
    for part in body.get("system") or ():
        yield Entry("system", "", str(part.get("text", "")), key)
    if tools := body.get("tools"):
        names = ", ".join(str(tool.get("name", "")) for tool in tools)
        yield Entry("tools", names, json.dumps(tools, ensure_ascii=False, indent=1), key)


def _turn(message: Mapping[str, Any], key: str) -> Iterator[Entry]:
    content = message.get("content")
    role = str(message.get("role", ""))
    for part in content if isinstance(content, list) else ():
        if not isinstance(part, Mapping):
            continue
        kind = part.get("type")
        if kind == "tool_use":
            arguments = json.dumps(part.get("input"), ensure_ascii=False, indent=1)
            yield Entry("call", str(part.get("name", "")), arguments, key)
        elif kind == "tool_result":
            yield Entry("result", "", str(part.get("content", "")), key)
        else:
            text = part.get("text") or part.get("thinking") or json.dumps(part, ensure_ascii=False)
            yield Entry(role, "", str(text), key)

"""Tool calls that a model writes as JSON between fences, turned into calls of the protocol.

Only for models whose row of the table says so; all others are told once how to call a tool.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

_FENCE = re.compile(r"```[a-z_]*[ \t]*\r?\n(.*?)```", re.DOTALL)
_NAMES = ("tool", "name", "tool_name", "function")
_ARGUMENTS = ("arguments", "input", "parameters", "args")


def calls(text: str, tools: Iterable[str]) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls that stand between fences of a text, in order.

    Parameters
    ----------
    text : str
        What the model wrote.
    tools : iterable of str
        Names of tools; a fence that names none of them is no call.
    """
    known = set(tools)
    found = []
    for fence in _FENCE.finditer(text):
        for value in _values(fence[1]):
            made = _call(value)
            if made is not None and made[0] in known:
                found.append(made)
    return found


def understood(message: Mapping[str, Any], tools: Iterable[str], key: str) -> dict[str, Any]:
    """Return a message whose fenced calls are calls of the protocol.

    Parameters
    ----------
    message : mapping
        As it came.
    tools : iterable of str
        Names of the tools the model was given.
    key : str
        Number of the request; the calls get their ids from it.
    """
    content = list(message["content"])
    if any(part.get("type") == "tool_use" for part in content):
        return dict(message)
    text = "\n".join(str(part.get("text", "")) for part in content if part.get("type") == "text")
    made = [
        {"type": "tool_use", "id": f"{key}-{number}", "name": name, "input": arguments}
        for number, (name, arguments) in enumerate(calls(text, tools), start=1)
    ]
    if not made:
        return dict(message)
    rest = _FENCE.sub("", text).strip()
    words = [{"type": "text", "text": rest}] if rest else []
    return {**message, "content": [*words, *made], "stop_reason": "tool_use"}


def _values(text: str) -> list[Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return value if isinstance(value, list) else [value]


def _call(value: object) -> tuple[str, dict[str, Any]] | None:
    """Read one call, in any of the shapes that models write."""
    if not isinstance(value, dict):
        return None
    inner = value.get("function")
    if isinstance(inner, dict):
        value = inner
    name = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), None)
    given: Any = next((value[key] for key in _ARGUMENTS if key in value), {})
    if isinstance(given, str):
        given = next(iter(_values(given)), None)
    return (name, given) if name is not None and isinstance(given, dict) else None

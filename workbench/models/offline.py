"""The offline model: a deterministic planner behind the same protocol as a language model.

It needs no network and no key. What it knows of a run is what stands in the request; equal
requests get equal replies. It understands the questions of `workbench.models.planner.range.RANGE`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from workbench import tokens
from workbench.models.planner import exchange, guide, orchestrator, sourced, specialist
from workbench.models.planner.asking import Asking
from workbench.models.planner.exchange import Exchange
from workbench.models.planner.range import HEADING, NoAnswer


class OfflineModel:
    """The rule-based planner.

    Attributes
    ----------
    provider, name : str
        ``offline`` and ``offline-planner``.
    window : int
        Window it is held to, in tokens; the same as that of the models it stands in for.
    estimated : bool
        True: usage is our own count.
    """

    provider = "offline"
    name = "offline-planner"
    window = 200_000
    estimated = True
    durations: Mapping[str, float] = MappingProxyType({})

    def send(self, body: str, key: str) -> str:
        """Answer a request.

        Parameters
        ----------
        body : str
            The request, exactly as it is kept.
        key : str
            Its number in the run; part of nothing that is answered.

        Returns
        -------
        str
            A reply of the Messages protocol, with our own count of tokens as usage.

        Raises
        ------
        Failed
            If it is not a request with a question.
        """
        del key
        content = _content(exchange.read(body))
        calls = any(part["type"] == "tool_use" for part in content)
        reply = {
            "id": f"msg_{hashlib.sha256(body.encode('utf-8', 'replace')).hexdigest()[:16]}",
            "type": "message",
            "role": "assistant",
            "model": self.name,
            "content": content,
            "stop_reason": "tool_use" if calls else "end_turn",
            "usage": {
                "input_tokens": tokens.count(body),
                "output_tokens": tokens.count(json.dumps(content, ensure_ascii=False)),
            },
        }
        return json.dumps(reply, ensure_ascii=False)


def _content(said: Exchange) -> list[dict[str, Any]]:
    """Return the content blocks of the reply: calls, or words, or the call that ends the work."""
    asking = Asking(said)
    if said.part == "guide":
        words = guide.work(said, asking)
        if isinstance(words, NoAnswer):
            return _no_answer(said, words)
        return asking.calls() if words is None else [{"type": "text", "text": words}]
    work = orchestrator.work if said.part == "orchestrator" else specialist.work
    ending = work(said, asking)
    if ending is None:
        return asking.calls()
    if "finish" not in said.tools:
        words = "\n\n".join(sourced.plain(text) for text in (*ending.results, *ending.errors))
        return [{"type": "text", "text": words or HEADING}]
    return [_finish(said, ending.arguments())]


def _no_answer(said: Exchange, end: NoAnswer) -> list[dict[str, Any]]:
    """End without an answer: by the call that says so, or by words where there is no such call."""
    if "finish" not in said.tools:
        return [{"type": "text", "text": end.words}]
    return [_finish(said, {"status": "error", "results": [end.words], "errors": [end.reason]})]


def _finish(said: Exchange, arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "tool_use",
        "id": f"call_{said.turn:02d}_01",
        "name": "finish",
        "input": arguments,
    }

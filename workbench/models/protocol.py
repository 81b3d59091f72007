"""What a model is here: bytes in, bytes out, in the shape of the Messages protocol.

The session builds and keeps the request; a model only carries it. So a planner, a recording and
a provider are interchangeable, and what was sent is what was kept.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from workbench.errors import Failed


class Model(Protocol):
    """Carries one request and brings one reply.

    Attributes
    ----------
    provider : str
        ``offline``, ``anthropic``, ``replay``.
    name : str
        Model id as it stands in the request.
    window : int
        Context window in tokens.
    estimated : bool
        True where the usage it reports is our own estimate.
    durations : mapping
        Seconds of loops that a replayed run takes over from its ledger, since they stand in the
        history paragraph; empty for every other model.
    """

    provider: str
    name: str
    window: int
    estimated: bool
    durations: Mapping[str, float]

    def send(self, body: str, key: str) -> str:
        """Send a request; return the reply's text.

        Parameters
        ----------
        body : str
            The request, exactly as it is kept.
        key : str
            Its number in the run, for example ``d01-r03``.

        Raises
        ------
        Failed
            If no reply can be had.
        """
        ...


@dataclass(frozen=True)
class Call:
    """A tool call that a model asks for."""

    id: str
    tool: str
    arguments: Any


@dataclass(frozen=True)
class ModelReply:
    """A reply, read.

    Attributes
    ----------
    content : list of dict
        Its content blocks as they came.
    stop : str
        Why it ended: ``end_turn``, ``tool_use``, ``max_tokens``, ``refusal`` …
    usage : dict
        Token counts of the provider.
    """

    content: list[dict[str, Any]] = field(default_factory=list)
    stop: str = "end_turn"
    usage: dict[str, int] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The plain text of the reply."""
        texts = (str(part.get("text", "")) for part in self.content if part.get("type") == "text")
        return "\n".join(text for text in texts if text)

    @property
    def calls(self) -> list[Call]:
        """The tool calls of the reply, in order."""
        return [
            Call(str(part.get("id", "")), str(part.get("name", "")), part.get("input"))
            for part in self.content
            if part.get("type") == "tool_use"
        ]


def read_reply(text: str) -> ModelReply:
    """Read a reply's JSON.

    Raises
    ------
    Failed
        If it is not a message of the protocol.
    """
    try:
        data = json.loads(_whole_signs(text), parse_constant=_no_number, parse_float=_finite)
        content = [dict(part) for part in data["content"]]
        usage = {str(k): int(v) for k, v in dict(data.get("usage") or {}).items() if _whole(v)}
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Failed("model reply: it is not a message of the protocol; ask again") from None
    return ModelReply(content, str(data.get("stop_reason") or "end_turn"), usage)


def _whole_signs(text: str) -> str:
    """Replace halves of signs, written out in JSON, which no file could hold."""
    if "\\u" not in text:
        return text
    whole = json.dumps(json.loads(text), ensure_ascii=False)
    return whole.encode("utf-8", "replace").decode("utf-8")


def _finite(word: str) -> float:
    number = float(word)
    if not math.isfinite(number):
        raise ValueError(f"{word[:20]} is no number")
    return number


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no JSON")


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)

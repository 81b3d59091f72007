"""What a model is here: bytes in, bytes out, in the shape of the Messages protocol.

The session builds and keeps the request; a model only carries it. So a planner, a recording and
a provider are interchangeable, and what was sent is what was kept.
"""

from __future__ import annotations

import json
import math
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from workbench.context.block import PLAIN, Form
from workbench.errors import Failed
from workbench.limits import Limits

# What the protocol takes for the id of a call.
_ID = re.compile(r"[A-Za-z0-9_-]{1,200}")
# Stands for arguments that no tool could take, so that the call is refused and told, not lost.
UNREADABLE = "unreadable_arguments"
# No tool takes arguments nested so deep, and what walks through them has a stack.
_DEEPEST = 64


class Model(Protocol):
    """Carries one request and brings one reply."""

    @property
    def provider(self) -> str:
        """``offline``, ``anthropic``, ``replay``."""
        ...

    @property
    def name(self) -> str:
        """Model id as it stands in the request."""
        ...

    @property
    def window(self) -> int:
        """Context window in tokens."""
        ...

    @property
    def estimated(self) -> bool:
        """True where the usage it reports is our own estimate."""
        ...

    @property
    def durations(self) -> Mapping[str, float]:
        """Seconds of loops that a replayed run takes over from its ledger.

        They stand in the history paragraph; empty for every other model.
        """
        ...

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
class Line:
    """What stands between a loop and a model reached over a network.

    Attributes
    ----------
    limits : Limits
        Rows in force: tries, seconds, silence.
    stop : threading.Event
        Set when the analyst stops the run.
    tell : callable
        Writes an event: its kind and its data.
    hit : callable
        Records that a row ended a request: its key, what was used, the unit.
    keep : callable
        Keeps what came, byte for byte, under a name.
    """

    limits: Limits
    stop: threading.Event
    tell: Callable[[str, dict[str, Any]], None]
    hit: Callable[[str, int, str], None]
    keep: Callable[[str, bytes], None]


@runtime_checkable
class Remote(Protocol):
    """What a model that is reached over a network has beside `Model`."""

    @property
    def form(self) -> Form:
        """What it wants in the envelope of a request."""
        ...

    @property
    def base(self) -> str:
        """Address it is reached at; empty for the provider's own."""
        ...

    def over(self, line: Line) -> Model:
        """Return the model as it is reached over a line."""
        ...

    def cost(self, usage: Mapping[str, int]) -> float | None:
        """Return what a request cost in US dollars, or None where no price is known."""
        ...

    def unasked(self) -> int:
        """Return its window as far as it is known without asking anybody."""
        ...

    def warm(self) -> None:
        """Get ready, so that the first request need not wait."""
        ...


def named(model: Model) -> dict[str, str]:
    """Return a model for the record; an address that is not its provider's own is named."""
    base = model.base if isinstance(model, Remote) else ""
    return {"provider": model.provider, "name": model.name} | ({"base": base} if base else {})


def form_of(model: Model) -> Form:
    """Return what a model wants in the envelope of a request."""
    form = getattr(model, "form", PLAIN)
    return form if isinstance(form, Form) else PLAIN


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
        Its content blocks as they came; a text without words is none.
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
        content = [part for part in map(dict, data["content"]) if not _empty(part)]
        calls = [part for part in content if part.get("type") == "tool_use"]
        for call in calls:
            if _is_deep(call.get("input")):
                call["input"] = {UNREADABLE: f"nested more than {_DEEPEST} deep"}
        # Elsewhere nothing is nested that could be handed back.
        content = [part for part in content if not _is_deep(part)]
        _tell_apart(calls)
        usage = {str(k): int(v) for k, v in dict(data.get("usage") or {}).items() if _whole(v)}
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Failed("model reply: it is not a message of the protocol; ask again") from None
    return ModelReply(content, str(data.get("stop_reason") or "end_turn"), usage)


def _is_deep(value: object) -> bool:
    """Tell whether JSON values are nested deeper than anything that is meant."""
    level = [value]
    for _ in range(_DEEPEST):
        inner: list[object] = []
        for one in level:
            if isinstance(one, dict | list):
                inner += one.values() if isinstance(one, dict) else one
        level = inner
    return any(isinstance(one, dict | list) for one in level)


def _tell_apart(calls: Sequence[dict[str, Any]]) -> None:
    """Give calls whose id is none, or another one's, an id of their own: answers go by it."""
    seen: set[str] = set()
    for number, call in enumerate(calls, start=1):
        given = call.get("id")
        if not isinstance(given, str) or not _ID.fullmatch(given) or given in seen:
            taken = {*seen, *(str(other.get("id")) for other in calls)}
            names = (f"call-{number}{'x' * more}" for more in range(len(calls) + 1))
            call["id"] = next(name for name in names if name not in taken)
        seen.add(call["id"])


def _empty(part: Mapping[str, Any]) -> bool:
    """Tell whether a part says nothing: sent back, it would be refused."""
    return part.get("type") == "text" and not str(part.get("text", "")).strip()


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

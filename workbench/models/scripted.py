"""A model that says what it was told to say: for the live check and for tests, never for answers.

It speaks the protocol of every other model, so that a session cannot tell the difference. What
it is told to say is usually what a disobedient model would.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from workbench.errors import Failed

# Three characters a token is near enough for the usage of a model that costs nothing.
_CHARS_PER_TOKEN = 3


@dataclass(frozen=True)
class Say:
    """One reply.

    Attributes
    ----------
    words : str
        Plain text, or empty.
    calls : tuple of (str, object)
        Tool names with their arguments, in order; arguments may be anything.
    stop : str
        Why the reply ended; worked out from the calls if left out.
    usage : mapping or None
        What the provider says was used; counted from the characters if left out.
    raw : str or None
        Sent exactly as it is, in place of a message.
    """

    words: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    stop: str = ""
    usage: Mapping[str, int] | None = None
    raw: str | None = None


@dataclass(frozen=True)
class Heard:
    """One request, as the model got it.

    Attributes
    ----------
    loop : str
        ``guide``, ``orchestrator``, ``d01`` …
    number : int
        Which request of the loop, from 1.
    body : str
        The request, byte for byte.
    """

    loop: str
    number: int
    body: str

    @functools.cached_property
    def request(self) -> dict[str, Any]:
        """The request as JSON values."""
        return dict(json.loads(self.body))

    @property
    def results(self) -> list[str]:
        """The texts of all tool results, in order."""
        parts = (part for turn in self.request["messages"] for part in turn["content"])
        return [str(part["content"]) for part in parts if part.get("type") == "tool_result"]


Script = Sequence[Say] | Callable[[Heard], Say]


def call(tool: str, /, **arguments: object) -> Say:
    """Return a reply that makes one tool call."""
    return Say(calls=((tool, arguments),))


def finish(*results: str, status: str = "success", **lists: Sequence[str]) -> Say:
    """Return a reply that ends a loop with a result."""
    return call("finish", status=status, results=list(results), **lists)


class ScriptedModel:
    """Carries requests to a script.

    Parameters
    ----------
    scripts : mapping
        Loop id → what it replies: a list, one entry a request, or a function of the request.
        ``dispatch`` stands for every dispatch without a script of its own, ``*`` for every loop.
    window : int, optional
        Context window in tokens.
    counts : callable, optional
        A provider's own count of a request's tokens, which then stands in the usage; our
        characters, roughly, if left out, and the usage is an estimate.
    usd : float, optional
        Price of a token in US dollars; not known if left out.
    """

    provider = "scripted"
    name = "scripted"
    durations: Mapping[str, float] = MappingProxyType({})

    def __init__(
        self,
        scripts: Mapping[str, Script],
        window: int = 200_000,
        *,
        counts: Callable[[str], int] | None = None,
        usd: float | None = None,
    ) -> None:
        self._scripts = dict(scripts)
        self.window = window
        self.estimated = counts is None
        self._counts = counts or (lambda body: len(body) // _CHARS_PER_TOKEN)
        self._usd = usd

    def cost(self, usage: Mapping[str, int]) -> float | None:
        """Return the price of a usage in US dollars, or None where no price is known."""
        return None if self._usd is None else self._usd * sum(usage.values())

    def send(self, body: str, key: str) -> str:
        """Return the reply of the script; see `workbench.models.protocol.Model.send`.

        Raises
        ------
        Failed
            If the script has come to its end or knows no such loop.
        """
        loop, _, number = key.rpartition("-r")
        heard = Heard(loop, int(number), body)
        said = self._said(heard)
        return said.raw if said.raw is not None else _message(said, key, self._counts(body))

    def _said(self, heard: Heard) -> Say:
        kind = "dispatch" if heard.loop[:1] == "d" and heard.loop[1:].isdigit() else "*"
        for name in (heard.loop, kind, "*"):
            script = self._scripts.get(name)
            if script is not None and callable(script):
                return script(heard)
            if script is not None and heard.number <= len(script):
                return script[heard.number - 1]
        raise Failed(f"scripted model: no reply {heard.number} for {heard.loop}; write one")


def _message(said: Say, key: str, asked: int) -> str:
    """Return a reply as a message of the protocol."""
    content: list[dict[str, Any]] = [{"type": "text", "text": said.words}] if said.words else []
    for number, (tool, arguments) in enumerate(said.calls, start=1):
        part = {"type": "tool_use", "id": f"{key}-{number}", "name": tool, "input": arguments}
        content.append(part)
    text = json.dumps(content, ensure_ascii=False)
    usage = {
        "input_tokens": asked,
        "output_tokens": len(text) // _CHARS_PER_TOKEN,
    }
    message = {
        "type": "message",
        "role": "assistant",
        "content": content,
        "stop_reason": said.stop or ("tool_use" if said.calls else "end_turn"),
        "usage": dict(usage if said.usage is None else said.usage),
    }
    return json.dumps(message, ensure_ascii=False)

"""A reply as it comes in pieces: put together into one message, its words told on the way.

Only a stream that came to its own end makes a message; everything else is thrown away whole.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from workbench.models.protocol import UNREADABLE
from workbench.models.retry import Trouble

# What is told of a reply on its way: at most twice a second, and no more than a line of it.
_TOLD_SECONDS, _TOLD_CHARS = 0.5, 160
_DELTAS = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "signature_delta": ("signature", "signature"),
}
Tell = Callable[[str, dict[str, Any]], None]


class Voice:
    """Tells the words of a reply while they come.

    Parameters
    ----------
    tell : callable
        Writes an event.
    key : str
        Number of the request.
    clock : callable, optional
        Seconds that only grow.
    """

    def __init__(self, tell: Tell, key: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._tell, self._key, self._clock = tell, key, clock
        self._told = float("-inf")
        self._words = ""
        self._chars = 0

    def hear(self, words: str, *, thought: bool = False) -> None:
        """Take in some words; tell them if the last time is long enough ago."""
        self._words = (self._words + words)[-_TOLD_CHARS:]
        self._chars += len(words)
        now = self._clock()
        if self._words.strip() and now - self._told >= _TOLD_SECONDS:
            self._told = now
            data = {"key": self._key, "text": self._words, "chars": self._chars}
            self._tell("saying", {**data, "thought": thought})


class Fold:
    """A message, grown event by event.

    Parameters
    ----------
    voice : Voice
        Hears the words.
    """

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._message: dict[str, Any] | None = None
        self._parts: dict[int, dict[str, Any]] = {}
        self._inputs: dict[int, list[str]] = {}
        self.done = False

    @property
    def so_far(self) -> dict[str, Any]:
        """The message as far as it came; empty before it begins."""
        if self._message is None:
            return {}
        content = [self._parts[place] for place in sorted(self._parts)]
        return {**self._message, "content": content}

    def take(self, data: dict[str, Any]) -> None:
        """Take in one event; kinds that are not known are passed over.

        Raises
        ------
        Trouble
            If it does not fit what came before.
        """
        try:
            handler = getattr(self, f"_on_{data['type']}", None)
            if handler is not None and not self.done:
                handler(data)
        except (LookupError, TypeError, AttributeError, ValueError, OverflowError):
            raise broken("an event does not fit what came before") from None

    def message(self) -> dict[str, Any]:
        """Return the whole message.

        Raises
        ------
        Trouble
            If the stream ended before the message did.
        """
        if self._message is None or not self.done or not self._message.get("stop_reason"):
            raise broken("the stream ended before the reply did")
        return self.so_far

    def _on_message_start(self, data: dict[str, Any]) -> None:
        self._message = dict(data["message"])
        for place, part in enumerate(self._message.get("content") or ()):
            self._parts[place] = dict(part)

    def _begun(self) -> dict[str, Any]:
        """Return the message so far; what comes before its start belongs to none."""
        if self._message is None:
            raise KeyError("message_start")
        return self._message

    def _on_content_block_start(self, data: dict[str, Any]) -> None:
        self._begun()
        place, part = int(data["index"]), dict(data["content_block"])
        self._parts[place] = part
        if part.get("type") == "text" and part.get("text"):
            self._voice.hear(part["text"])

    def _on_content_block_delta(self, data: dict[str, Any]) -> None:
        place, delta = int(data["index"]), data["delta"]
        part, kind = self._parts[place], delta["type"]
        if kind == "input_json_delta":
            self._inputs.setdefault(place, []).append(str(delta["partial_json"]))
        elif kind == "citations_delta":
            part["citations"] = [*(part.get("citations") or ()), delta["citation"]]
        elif kind in _DELTAS:
            name, source = _DELTAS[kind]
            part[name] = str(part.get(name) or "") + str(delta[source])
            if kind != "signature_delta":
                self._voice.hear(str(delta[source]), thought=kind == "thinking_delta")

    def _on_content_block_stop(self, data: dict[str, Any]) -> None:
        place = int(data["index"])
        part = self._parts[place]
        if place in self._inputs and "".join(self._inputs[place]).strip():
            part["input"] = arguments("".join(self._inputs.pop(place)))
        elif part.get("type") == "tool_use" and not isinstance(part.get("input"), dict):
            part["input"] = {}

    def _on_message_delta(self, data: dict[str, Any]) -> None:
        message = self._begun()
        message.update({key: value for key, value in data["delta"].items() if value is not None})
        counts = {
            key: value for key, value in (data.get("usage") or {}).items() if value is not None
        }
        message["usage"] = {**(message.get("usage") or {}), **counts}

    def _on_message_stop(self, _data: dict[str, Any]) -> None:
        self.done = True


def arguments(text: str) -> dict[str, Any]:
    """Return the arguments of a call; what is no JSON object is handed on as unreadable."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {UNREADABLE: text[:200]}


def broken(words: str, *, again: bool = True) -> Trouble:
    """Return the trouble of a reply that did not come whole."""
    return Trouble(words, again=again)


def event(text: str) -> dict[str, Any]:
    """Read the data of one event.

    Raises
    ------
    Trouble
        If it is no JSON object with a type.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        raise broken("a piece of the stream is no event of the protocol")
    return data

"""A model on a server that speaks the Messages protocol: the provider's own, or one of your own.

The request is sent exactly as it was built and kept. A reply is whole or it is nothing; what a
broken one cost is counted.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar

from workbench import tokens
from workbench.context.block import Form
from workbench.errors import Failed, nearest
from workbench.models import anthropic, fenced, stream, table, usage
from workbench.models.flow import Flow
from workbench.models.keys import Place
from workbench.models.protocol import Line
from workbench.models.retry import UNKNOWN, Clock, Trouble, carried
from workbench.models.table import Card

# A provider's tokeniser was seen to give up to this many times our own count.
_COUNTS_DIFFER = 1.6
# More tokens than this a character were never seen: below it counting is not worth its time.
_TOKENS_PER_CHAR = 0.7


@dataclass(frozen=True)
class HostedModel:
    """A model of the Messages protocol.

    Parameters
    ----------
    card : Card
        What is known of it.
    place : Place
        Where it is reached and with which key.
    line : Line, optional
        How one loop reaches it; see `over`.
    clock : Clock, optional
        Measures and waits between tries.
    """

    card: Card
    place: Place
    line: Line | None = None
    clock: Clock = field(default_factory=Clock)

    provider: ClassVar[str] = "anthropic"
    estimated: ClassVar[bool] = False
    durations: ClassVar[Mapping[str, float]] = MappingProxyType({})

    @property
    def name(self) -> str:
        """Its id."""
        return self.card.name

    @property
    def base(self) -> str:
        """Address, where it is not the provider's own."""
        return "" if self.place.own else self.place.base

    @property
    def form(self) -> Form:
        """What it wants in the envelope."""
        return self.card.form

    @property
    def window(self) -> int:
        """Its window in tokens: as its server says, else as the table does."""
        return anthropic.window(self.place, self.name) or self.card.window

    def unasked(self) -> int:
        """Return its window by the table alone."""
        return self.card.window

    def warm(self) -> None:
        """Load the SDK beside other work; nothing is sent."""
        threading.Thread(target=anthropic.client, args=(self.place,), daemon=True).start()

    def over(self, line: Line) -> HostedModel:
        """Return the model as one loop reaches it."""
        return replace(self, line=line)

    def cost(self, used: Mapping[str, int]) -> float | None:
        """Return what a request cost in US dollars, or None where no price is known."""
        return None if self.card.price is None else self.card.price.of(used)

    def send(self, body: str, key: str) -> str:
        """Send a request, again where that may help; return the whole reply as JSON.

        Raises
        ------
        Failed
            If there is no reply; the message says what to do.
        Stopped
            If the run was stopped.
        """
        if self.line is None:
            raise Failed(f"model {self.name}: it is reached over a line; see Remote.over")
        line, data = self.line, body.encode("utf-8", "surrogatepass")
        request = json.loads(body)
        self._fits(body, request)
        most = int(request["max_tokens"])

        def attempt(number: int) -> str:
            message = self._once(data, f"{key}-try{number}", key, line, most)
            if self.card.calls == "fenced":
                names = [str(tool["name"]) for tool in request.get("tools", ())]
                message = fenced.understood(message, names, key)
            message["usage"] = usage.sound(message, body, most)
            return self.place.key.hide(json.dumps(message, ensure_ascii=False))

        return carried(attempt, line, key, self.clock)

    def _once(self, body: bytes, name: str, key: str, line: Line, most: int) -> dict[str, object]:
        """Make one try; what came is kept, whole or not."""
        hide = self.place.key.hide
        fold = stream.Fold(
            stream.Voice(
                lambda kind, data: line.tell(kind, {**data, "text": hide(data["text"])}), key
            )
        )
        came = bytearray()
        try:
            silence = float(line.limits["provider_silence"].number)
            flow = Flow(lambda: anthropic.bring(self.place, body, came, silence))
            for piece in flow.pieces(line):
                fold.take(piece)
            return fold.message()
        except Trouble as met:
            if fold.so_far:
                sound = usage.sound(fold.so_far, body.decode("utf-8", "replace"), most)
                met.usage = {word: n for word, n in sound.items() if type(n) is int}
            raise self._told(met) from None
        finally:
            line.keep(f"{name}.sse", self._without_key(bytes(came), fold.so_far))

    def _without_key(self, came: bytes, said: Mapping[str, object]) -> bytes:
        """Return what came without the key; nothing of it where the key came in pieces."""
        words = json.dumps(said, ensure_ascii=False)
        hidden = self.place.key.hide_bytes(came)
        if hidden == came and self.place.key.hide(words) != words:
            return b"[left out: the key stood in this reply, in pieces]\n"
        return hidden

    def _told(self, met: Trouble) -> Trouble:
        """Return a trouble that names no key, and the models there are where there is no such."""
        remedy = met.remedy
        if remedy == UNKNOWN:
            remedy = self._others()
        hidden = self.place.key.hide(str(met))
        told = Trouble(hidden, again=met.again, wait=met.wait, remedy=self.place.key.hide(remedy))
        told.usage, told.cost = met.usage, self.cost(met.usage)
        return told

    def _others(self) -> str:
        """Say which models there are, where there is none of this name."""
        names = [str(item.get("id")) for item in anthropic.models(self.place)]
        if not names and not self.place.own:
            return f"see whether {self.place.base} speaks the Messages protocol and has this model"
        names = names or list(table.known())
        near = nearest(self.name, names)
        return f"at {self.place.base} there are {', '.join(names[:12])}{near}"

    def _fits(self, body: str, request: Mapping[str, object]) -> None:
        """Ask the provider how large a request is where it may not fit; refuse to send it then."""
        room = self.window - int(str(request["max_tokens"]))
        if len(body) * _TOKENS_PER_CHAR <= room or tokens.count(body) * _COUNTS_DIFFER <= room:
            return
        count = anthropic.count(self.place, request)
        if count is not None and count > room:
            raise Failed(
                f"request of {count:,} tokens by the provider's count: {room:,} fit the window of "
                f"{self.name} beside a reply; it was not sent; ask a narrower question or use a "
                "model with a larger window"
            )

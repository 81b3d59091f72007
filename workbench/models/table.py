"""What is known of models: window, prices, cache, ways. One table, which a user can add to.

Prices are US dollars a million tokens as published in November 2026; money is shown only where a
price stands here. ``table.add(Card("my-model", window=32_768))`` adds or replaces a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from workbench.context.block import Form

DEFAULT = "claude-sonnet-5-5"
# A model nobody knows: small enough for what runs on a laptop.
UNKNOWN_WINDOW = 32_768
_MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """What a million tokens cost, in US dollars.

    Attributes
    ----------
    fresh, reply : float
        Tokens sent that no cache held, and tokens of the reply.
    written, read : float
        Tokens put into the provider's cache for five minutes, and tokens read from it.
    long_from : int
        Tokens sent from which `long` holds for the whole request; 0 where one price holds.
    long : Price or None
        The price of such a request.
    """

    fresh: float
    reply: float
    written: float
    read: float
    long_from: int = 0
    long: Price | None = None

    def of(self, usage: Mapping[str, int]) -> float:
        """Return what a request cost, from the provider's counts.

        Parameters
        ----------
        usage : mapping
            ``input_tokens`` (fresh ones alone), ``cache_creation_input_tokens``,
            ``cache_read_input_tokens``, ``output_tokens``.
        """
        fresh, written, read, reply = (usage.get(key, 0) for key in _COUNTS)
        if self.long is not None and fresh + written + read > self.long_from:
            return self.long.of(usage)
        parts = (fresh * self.fresh, written * self.written, read * self.read, reply * self.reply)
        return sum(parts) / _MILLION


_COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens",
           "output_tokens")  # fmt: skip


@dataclass(frozen=True)
class Card:
    """One model.

    Attributes
    ----------
    name : str
        Its id as it stands in a request.
    window : int
        Context window in tokens.
    price : Price or None
        None where it is not known; no money is shown then.
    cache_floor : int
        Tokens below which its provider caches nothing; 0 where it has no cache.
    thinking : bool
        Whether it is to be asked to think before it answers; what it thought is sent back to it
        as it came. One that always thinks needs no asking, but shows nothing of it unasked.
    effort : str
        How hard it is asked to work, or empty for its own default.
    calls : {"tools", "fenced"}
        How it calls a tool: as the protocol has it, or as JSON between fences in its text.
    """

    name: str
    window: int = UNKNOWN_WINDOW
    price: Price | None = None
    cache_floor: int = 0
    thinking: bool = False
    effort: str = ""
    calls: Literal["tools", "fenced"] = "tools"

    @property
    def form(self) -> Form:
        """What it wants in the envelope of a request; no sampling settings, which are refused."""
        settings: dict[str, Any] = {"stream": True}
        if self.thinking:
            settings["thinking"] = {"type": "adaptive", "display": "summarized"}
        if self.effort:
            settings["output_config"] = {"effort": self.effort}
        return Form(settings, self.cache_floor)


def _priced(fresh: float, reply: float, read: float, **more: Any) -> Price:  # noqa: ANN401 - of Price
    # A write for five minutes costs a quarter more than a fresh token.
    return Price(fresh, reply, fresh * 1.25, read, **more)


_M, _K200 = 1_000_000, 200_000
_THINKS: dict[str, Any] = {"thinking": True, "effort": "medium"}
_HAIKU = _priced(0.1, 0.5, 0.01, long_from=100_000, long=_priced(0.5, 2.5, 0.05))

# fmt: off
ROWS: tuple[Card, ...] = (
    Card("claude-sonnet-5-5", _M, _priced(2, 10, 0.1), 512, **_THINKS),
    Card("claude-opus-5-5", _M, _priced(4, 20, 0.2), 512, **_THINKS),
    Card("claude-haiku-5-5", _M, _HAIKU, 512, **_THINKS),
    Card("claude-fable-5-1", _M, _priced(10, 50, 0.25), 512, **_THINKS),
    Card("claude-opus-5", _M, _priced(5, 25, 0.5), 512, **_THINKS),
    Card("claude-sonnet-5", _M, _priced(2, 10, 0.2), 1_024, **_THINKS),
    Card("claude-opus-4-8", _M, _priced(5, 25, 0.5), 1_024, **_THINKS),
    Card("claude-haiku-4-5", _K200, _priced(1, 5, 0.1), 4_096),
)
# fmt: on

_KNOWN: dict[str, Card] = {card.name: card for card in ROWS}


def add(card: Card) -> None:
    """Add a model, or replace what is known of it, for this process."""
    _KNOWN[card.name] = card


def known() -> dict[str, Card]:
    """Return every model that is known, by id."""
    return dict(_KNOWN)


def find(name: str, *, own: bool = True) -> Card:
    """Return what is known of a model; an unknown one gets a small window and no price.

    Parameters
    ----------
    name : str
        Its id.
    own : bool, optional
        False where it is not reached at its provider's own address: published prices do not hold
        there, those that were added do.
    """
    card = _KNOWN.get(name, Card(name))
    return card if own or card not in ROWS else replace(card, price=None)

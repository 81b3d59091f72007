"""A block: one piece of a request, counted once; and the request that blocks add up to.

A block's text is the JSON fragment as it stands in the request, so the characters of all blocks
plus those of the envelope (braces, commas, roles, settings) are the request, exactly.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from workbench import tokens

Category = Literal[
    "system",
    "tools",
    "history",
    "question",
    "attachments",
    "assistant",
    "tool_results",
    "dispatch_results",
]
CATEGORIES: tuple[Category, ...] = (
    "system",
    "tools",
    "history",
    "question",
    "attachments",
    "assistant",
    "tool_results",
    "dispatch_results",
)
Part = Literal["system", "tools", "user", "assistant"]


def dumps(value: object) -> str:
    """Return JSON as it is sent: compact, no escapes that are not needed."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True)
class Block:
    """One piece of a request.

    Attributes
    ----------
    category : str
        What it is, in the words of the context map.
    part : {"system", "tools", "user", "assistant"}
        Where in the request it stands.
    text : str
        Its characters, as they stand in the request.
    tokens : int
        Their count.
    source : str
        Who put it there.
    cut : tuple of str
        Keys of the rows that cut it.
    full : str
        Where the whole is, or empty.
    """

    category: Category
    part: Part
    text: str
    tokens: int
    source: str = ""
    cut: tuple[str, ...] = ()
    full: str = ""

    @property
    def value(self) -> dict[str, Any]:
        """The fragment as JSON values."""
        return dict(json.loads(self.text))


def make(
    category: Category,
    part: Part,
    value: dict[str, Any],
    *,
    source: str = "",
    cut: tuple[str, ...] = (),
    full: str = "",
) -> Block:
    """Make a block of a JSON value and count it."""
    text = dumps(value)
    return Block(category, part, text, tokens.count(text), source, cut, full)


def text(category: Category, part: Part, words: str, *, source: str = "") -> Block:
    """Make a block of plain text."""
    return make(category, part, {"type": "text", "text": words}, source=source)


@dataclass(frozen=True)
class Form:
    """What a model wants in the envelope of its requests.

    Attributes
    ----------
    settings : mapping
        Fields beside the model's name and the length of the reply.
    cache_floor : int
        Tokens from which its provider caches what stands first; 0 where nothing is cached.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    cache_floor: int = 0

    def stable(self, blocks: Sequence[Block]) -> list[Block]:
        """Return prompt and tools with the mark up to which they are cached, if they are enough."""
        places = [place for place, item in enumerate(blocks) if item.part == "system"]
        if not places or not 0 < self.cache_floor <= sum(item.tokens for item in blocks):
            return list(blocks)
        last = blocks[places[-1]]
        value = {**last.value, "cache_control": _CACHED}
        marked = make(last.category, last.part, value, source=last.source)
        return [*blocks[: places[-1]], marked, *blocks[places[-1] + 1 :]]

    def around(self, blocks: Sequence[Block]) -> dict[str, Any]:
        """Return the settings for these blocks: a conversation that only grows is cached too."""
        rewritten = any(item.category == "history" and item.part == "system" for item in blocks)
        if rewritten or not 0 < self.cache_floor <= sum(item.tokens for item in blocks):
            return dict(self.settings)
        return {**self.settings, "cache_control": _CACHED}


_CACHED = {"type": "ephemeral"}
PLAIN = Form()


@dataclass(frozen=True)
class Request:
    """A request, ready to send.

    Attributes
    ----------
    body : str
        The exact text.
    by_category : dict
        Tokens of each category, envelope included.
    chars : dict
        Characters of each category, envelope included; they add up to ``len(body)``.
    blocks : tuple of Block
        What it was built from, in order.
    """

    body: str
    by_category: dict[str, int]
    chars: dict[str, int]
    blocks: tuple[Block, ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens of the whole: the sum of the blocks' counts and the envelope's."""
        return sum(self.by_category.values())

    @property
    def digits(self) -> int:
        """Digits of the whole: what vocabularies differ most in."""
        return sum(map(self.body.count, "0123456789"))


def build(model: str, blocks: Sequence[Block], reply_tokens: int, form: Form = PLAIN) -> Request:
    """Build a request from blocks, in the order system, tools, messages.

    Parameters
    ----------
    model : str
        Model id.
    blocks : sequence of Block
        In conversation order.
    reply_tokens : int
        Upper bound of the reply.
    form : Form, optional
        What the model wants in the envelope.
    """
    head = {"model": model, "max_tokens": reply_tokens, **form.around(blocks)}
    pieces = list(_pieces(dumps(head)[:-1], blocks))
    chars: dict[str, int] = dict.fromkeys((*CATEGORIES, "envelope"), 0)
    counts = dict(chars)
    envelope = []
    for piece in pieces:
        if isinstance(piece, Block):
            chars[piece.category] += len(piece.text)
            counts[piece.category] += piece.tokens
        else:
            chars["envelope"] += len(piece)
            envelope.append(piece)
    counts["envelope"] = tokens.count("".join(envelope))
    body = "".join(piece.text if isinstance(piece, Block) else piece for piece in pieces)
    return Request(body, counts, chars, tuple(blocks))


def _pieces(head: str, blocks: Sequence[Block]) -> Iterator[Block | str]:
    """Yield blocks and the envelope's characters between them, in order."""
    yield head
    for part in ("system", "tools"):
        yield f',"{part}":['
        yield from _joined([block for block in blocks if block.part == part])
        yield "]"
    yield ',"messages":['
    for number, turn in enumerate(turns(blocks)):
        yield f'{"," if number else ""}{{"role":"{turn[0].part}","content":['
        yield from _joined(turn)
        yield "]}"
    yield "]}"


def _joined(blocks: Sequence[Block]) -> Iterator[Block | str]:
    for number, block in enumerate(blocks):
        if number:
            yield ","
        yield block


def turns(blocks: Sequence[Block]) -> list[list[Block]]:
    """Return the message blocks as turns: neighbours of one role together."""
    grouped: list[list[Block]] = []
    for block in blocks:
        if block.part not in {"user", "assistant"}:
            continue
        if grouped and grouped[-1][0].part == block.part:
            grouped[-1].append(block)
        else:
            grouped.append([block])
    return grouped

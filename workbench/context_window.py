"""Keeping a request inside the window: warn, set old results and turns aside, or do not send.

A request that cannot fit is never sent: a provider would cut it without a word or refuse it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench import block, marker
from workbench.block import Block, Request
from workbench.errors import Failed
from workbench.marker import Marker
from workbench.render import Hit

if TYPE_CHECKING:
    from workbench.loop import Loop

# The newest results stay whole: the agent is about to reason on them.
_KEPT_WHOLE = 2
_RESULTS = ("tool_results", "dispatch_results")
# How the session calls the blocks of earlier turns: a question and its answer, in pairs.
_CONVERSATION = "conversation"
_LINE_CHARS, _SUMMARY_CHARS = 160, 2_000


def fitted(loop: Loop, key: str) -> Request:
    """Return a loop's next request, within `context_full` of the usable window.

    Parameters
    ----------
    loop : Loop
        Its blocks may be replaced by pointers.
    key : str
        Number of the request, for the record.

    Raises
    ------
    Failed
        If it cannot be made to fit; nothing was sent.
    """
    limits = loop.services.limits
    full = loop.gate.usable * limits["context_full"].number // 100
    warn = loop.gate.usable * limits["context_warn"].number // 100
    request = _build(loop)
    if request.tokens > full:
        over = request.tokens - full
        loop.gate.hit(key, Hit("context_full", over, request.tokens, "tokens"))
        request = _set_aside(loop, request, full)
        request = _fold_turns(loop, request, full)
    elif request.tokens > warn:
        loop.gate.hit(key, Hit("context_warn", 0, request.tokens, "tokens"))
    if request.tokens > full:
        raise Failed(
            f"request {key} of {request.tokens:,} tokens does not fit {full:,} (context_full); it "
            "was not sent; ask a narrower question or use a model with a larger window"
        )
    return request


def _build(loop: Loop) -> Request:
    blocks = list(loop.blocks)
    history = loop.history()
    if history.text:
        place = sum(item.part in {"system", "tools"} for item in blocks)
        blocks.insert(place, block.text("history", "system", history.text, source="ledger"))
    if history.older and not loop.condensed:
        loop.condensed = True
        loop.gate.hit(
            loop.id, Hit("history_dispatches", history.older, history.total, "dispatches")
        )
    limit = loop.services.limits["reply_tokens"].number
    return block.build(loop.services.model.name, blocks, limit)


def _set_aside(loop: Loop, request: Request, full: int) -> Request:
    """Turn results into pointers, oldest first, until the request fits."""
    places = [n for n, item in enumerate(loop.blocks) if item.category in _RESULTS]
    for place in places[: max(len(places) - _KEPT_WHOLE, 0)]:
        loop.blocks[place] = _smaller(loop, loop.blocks[place])
        request = _build(loop)
        if request.tokens <= full:
            break
    return request


def _fold_turns(loop: Loop, request: Request, full: int) -> Request:
    """Turn the older half of the conversation, then all of it, into one short summary."""
    for share in (2, 1):
        turns = [item for item in loop.blocks if item.source == _CONVERSATION]
        count = len(turns) // 2 // share
        if request.tokens <= full or not count:
            continue
        older = turns[: 2 * count]
        place = loop.blocks.index(older[0])
        rest = [item for item in loop.blocks if not any(item is one for one in older)]
        loop.blocks = [*rest[:place], _summary(loop, older), *rest[place:]]
        request = _build(loop)
    return request


def _summary(loop: Loop, older: list[Block]) -> Block:
    """Return one block for turns that were folded; the whole of them is kept."""
    texts = [str(item.value.get("text", "")) for item in older]
    kept = loop.gate.keep("conversation", "\n\n".join(texts))
    pairs = zip(texts[::2], texts[1::2], strict=True)
    lines = [f"- {_line(asked)} -> {_line(said)}" for asked, said in pairs]
    mark = Marker(len(lines), len(lines), "turns", kept, loop.gate.steps.range(kept, 0))
    words = marker.short("\n".join(lines), _SUMMARY_CHARS)
    text = f"Earlier in this conversation, shortened:\n{words}\n{mark}"
    return block.text("history", "user", text, source="summary")


def _line(text: str) -> str:
    return marker.short(" ".join(text.split()), _LINE_CHARS)


def _smaller(loop: Loop, item: Block) -> Block:
    """Return the pointer of a block, unless it would be larger than what it replaces.

    The whole is kept first, so that the pointer leads somewhere.
    """
    kept = item.full or loop.gate.keep(item.source, str(item.value.get("content", "")))
    shorter = block.pointer(replace(item, full=kept))
    return shorter if shorter.tokens < item.tokens else item

"""Keeping a request inside the window: warn, set old results aside, or refuse to send.

A request that cannot fit is never sent: a provider would cut it without a word or refuse it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench import block
from workbench.block import Block, Request
from workbench.errors import Failed
from workbench.render import Hit

if TYPE_CHECKING:
    from workbench.loop import Loop

# The newest results stay whole: the agent is about to reason on them.
_KEPT_WHOLE = 2
_RESULTS = ("tool_results", "dispatch_results")


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


def _smaller(loop: Loop, item: Block) -> Block:
    """Return the pointer of a block, unless it would be larger than what it replaces.

    The whole is kept first, so that the pointer leads somewhere.
    """
    kept = item.full or loop.gate.keep(item.source, str(item.value.get("content", "")))
    shorter = block.pointer(replace(item, full=kept))
    return shorter if shorter.tokens < item.tokens else item

"""Keeping a request inside the window: warn, set old results and turns aside, or do not send.

A request that cannot fit is never sent: a provider would cut it without a word or refuse it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench import marker
from workbench.context import block
from workbench.context.block import Block, Request
from workbench.context.history import Paragraph
from workbench.context.render import Hit
from workbench.errors import Failed
from workbench.loops import thoughts
from workbench.marker import Marker
from workbench.models.protocol import form_of

if TYPE_CHECKING:
    from workbench.loop import Loop

# The newest results stay whole: the agent is about to reason on them.
_KEPT_WHOLE = 2
_RESULTS = ("tool_results", "dispatch_results")
# How the session calls the blocks of earlier turns: a question and its answer, in pairs.
_CONVERSATION = "conversation"
_LINE_CHARS, _SUMMARY_CHARS, _FACT_CHARS = 160, 2_000, 90


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
    request = _build(loop)
    room = _Room(loop)
    size = room.size(request)
    if not room.holds(request):
        loop.gate.hit(key, Hit("context_full", size - room.full, size, "tokens"))
        request = _set_aside(loop, request, room)
        request = _fold_turns(loop, request, room)
    elif size > room.warn:
        loop.gate.hit(key, Hit("context_warn", 0, size, "tokens"))
    if not room.holds(request):
        raise Failed(
            f"request {key} of about {room.size(request):,} tokens does not fit {room.full:,} "
            "(context_full); it was not sent; ask a narrower question or use a model with a larger "
            "window"
        )
    return request


class _Room:
    """What a loop's next request may take, by the meter's estimate.

    The estimate decides, and the upper end of its band must be within the usable part: what a
    provider may count more than was expected never reaches into the reserve.
    """

    def __init__(self, loop: Loop) -> None:
        limits, self._usable = loop.services.limits, loop.gate.usable
        self._meter, self._loop = loop.services.meter, loop.id
        self.full = self._usable * limits["context_full"].number // 100
        self.warn = self._usable * limits["context_warn"].number // 100

    def size(self, request: Request) -> int:
        return self._meter.estimate(self._loop, request).tokens

    def holds(self, request: Request) -> bool:
        return self.size(request) <= self.full and self._most(request) <= self._usable

    def _most(self, request: Request) -> int:
        return self._meter.most(self._loop, request)


def _build(loop: Loop) -> Request:
    history = loop.history()
    blocks = _with_history(loop, history)
    if stale := thoughts.stale(loop.sent, blocks):
        loop.blocks = [item for item in loop.blocks if not any(item is one for one in stale)]
        blocks = _with_history(loop, history)
    if history.older and not loop.condensed:
        loop.condensed = True
        loop.gate.hit(
            loop.id, Hit("history_dispatches", history.older, history.total, "dispatches")
        )
    # The reserve is what a reply has: a longer one would not fit behind a full request.
    reserve = loop.gate.window - loop.gate.usable
    limit = min(loop.services.limits["reply_tokens"].number, max(reserve, 1))
    model = loop.services.model
    return block.build(model.name, blocks, limit, form_of(model))


def _with_history(loop: Loop, history: Paragraph) -> list[Block]:
    """Return a loop's blocks with the history paragraph behind what never changes."""
    blocks = list(loop.blocks)
    if history.text:
        place = sum(item.part in {"system", "tools"} for item in blocks)
        blocks.insert(place, block.text("history", "system", history.text, source="ledger"))
    return blocks


def _set_aside(loop: Loop, request: Request, room: _Room) -> Request:
    """Turn results into pointers, oldest first, until the request fits."""
    places = [n for n, item in enumerate(loop.blocks) if item.category in _RESULTS]
    for place in places[: max(len(places) - _KEPT_WHOLE, 0)]:
        loop.blocks[place] = _smaller(loop, loop.blocks[place])
        request = _build(loop)
        if room.holds(request):
            break
    return request


def _fold_turns(loop: Loop, request: Request, room: _Room) -> Request:
    """Turn the older half of the conversation, then all of it, into one short summary."""
    for share in (2, 1):
        turns = [item for item in loop.blocks if item.source == _CONVERSATION]
        count = len(turns) // 2 // share
        if room.holds(request) or not count:
            continue
        older = turns[: 2 * count]
        summary = _summary(loop, older)
        if summary.tokens >= sum(item.tokens for item in older):
            continue
        place = loop.blocks.index(older[0])
        rest = [item for item in loop.blocks if not any(item is one for one in older)]
        loop.blocks = [*rest[:place], summary, *rest[place:]]
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
    """Return the pointer of a result, unless it would be larger than what it replaces.

    What the agent saw is kept first, so that the pointer leads to exactly that.
    """
    if item.source in loop.aside:
        return item
    content = str(item.value.get("content", ""))
    numbers = _key_numbers(content)
    left = len(content) - len(numbers)
    # A guess at the id is enough to see whether it pays; a text is kept only where it does.
    trial = _pointer(item, numbers, _mark(loop, left, len(content), item.source))
    if trial.tokens >= item.tokens:
        return item
    loop.aside.add(item.source)
    kept = loop.gate.keep(item.source, content)
    return _pointer(item, numbers, _mark(loop, left, len(content), kept))


def _mark(loop: Loop, left: int, total: int, kept: str) -> Marker:
    return Marker(left, total, "characters", kept, loop.gate.steps.range(kept, 0))


def _pointer(item: Block, numbers: str, mark: Marker) -> Block:
    value = {**item.value, "content": f"older result, set aside: {numbers}\n{mark}"}
    made = block.make(item.category, item.part, value, source=item.source, full=mark.full)
    return replace(made, cut=(*item.cut, "context_full"))


def _key_numbers(content: str) -> str:
    """Return one line of what decides in a result: its short facts that hold a number.

    Long lines are rows, lists or prose; where no fact has a number, the first line stands.
    """
    lines = [" ".join(line.split()) for line in content.splitlines() if line.strip()]
    facts = [line for line in lines if len(line) <= _FACT_CHARS and any(map(str.isdigit, line))]
    return marker.short("; ".join(facts) or "".join(lines[:1]), _LINE_CHARS)

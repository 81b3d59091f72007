"""How a loop hears what the analyst adds while it works: before its next request, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.context import block
from workbench.context.inbox import PREFIX

if TYPE_CHECKING:
    from workbench.loop import Loop


def pending(loop: Loop) -> bool:
    """Tell whether there is something that a loop has not heard, so that it must not end yet."""
    following = f"{loop.id}-r{loop.requests + 1:02d}"
    return loop.listens and loop.services.inbox.waiting(loop.id, following)


def hear(loop: Loop, key: str) -> None:
    """Take in what was added, and write down before which request."""
    for text in loop.services.inbox.take(loop.id, key) if loop.listens else ():
        kept = loop.gate.keep(f"told_{loop.id}", text)
        data = {"before": key, "kept": kept, "text": text}
        loop.services.ledger.append("told", data, loop.id)
        loop.blocks.append(block.text("question", "user", PREFIX + text, source="analyst"))

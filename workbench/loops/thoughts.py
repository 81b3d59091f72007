"""What a model thought: sent back as it came, and taken out where it no longer belongs.

A provider ties a thought to everything that stood before it. Where something before it has
changed (results set aside, a history told anew) it would refuse the whole request.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.context.block import Block

_KINDS = ('{"type":"thinking"', '{"type":"redacted_thinking"')


def is_thought(item: Block) -> bool:
    """Tell whether a block is what a model thought."""
    if item.part != "assistant":
        return False
    return item.text.startswith(_KINDS) or item.value.get("type") in {
        "thinking",
        "redacted_thinking",
    }


def stale(sent: Sequence[Block], blocks: Sequence[Block]) -> list[Block]:
    """Return the thoughts behind the first block that differs from what was sent last.

    Parameters
    ----------
    sent : sequence of Block
        Blocks of the loop's last request; none before the first.
    blocks : sequence of Block
        Those of the next one.
    """
    pairs = enumerate(zip(sent, blocks, strict=False))
    place = next((n for n, (old, new) in pairs if old.text != new.text), None)
    return [] if place is None else [item for item in blocks[place:] if is_thought(item)]

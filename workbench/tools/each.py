"""Going through columns or groups one by one, so that a person sees how far it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from workbench.tools.context import Context

Item = TypeVar("Item")


def each(context: Context, items: Sequence[Item], what: str) -> Iterator[Item]:
    """Yield items one by one, told as ``column 3 of 40``."""
    for number, item in enumerate(items):
        context.progress(f"{what} {number + 1} of {len(items)}", number / len(items))
        yield item

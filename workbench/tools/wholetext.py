"""A text of the data for people: its size, a stretch of it, where a word stands in it.

Asked for by a browser through the kernel; no agent can call it and nothing it returns enters a
context.
"""

from __future__ import annotations

import io
from typing import BinaryIO, cast

from workbench.files.longtext import LongText
from workbench.reply import Reply
from workbench.tools.context import Context
from workbench.tools.registry import tool


@tool(effect="read", audience="people")
def text_size(context: Context, path: str) -> Reply:
    """Return bytes and characters of a text.

    Parameters
    ----------
    path : str
        File or result.
    """
    text = _text(context, path)
    return Reply(facts={"bytes": text.bytes, "chars": text.chars})


@tool(effect="read", audience="people")
def text_page(context: Context, path: str, offset: int = 0, limit: int = 5_000) -> Reply:
    """Return a stretch of a text.

    Parameters
    ----------
    path : str
        File or result.
    offset, limit : int
        Characters before it; characters of it.
    """
    return Reply(facts={"text": _text(context, path).range(max(offset, 0), limit)})


@tool(effect="read", audience="people")
def text_find(context: Context, path: str, pattern: str) -> Reply:
    """Return how often a text stands in another, and the first places.

    Parameters
    ----------
    path : str
        File or result.
    pattern : str
        What to find, letter by letter.
    """
    total, hits = _text(context, path).search(pattern)
    return Reply(facts={"total": total, "hits": hits})


def _text(context: Context, path: str) -> LongText:
    if (key := f"text {path}") not in context.held:

        def opener() -> BinaryIO:
            with context.open(path) as file:
                return cast("BinaryIO", io.BufferedReader(file.stream()))

        context.held[key] = LongText(opener)
    found: LongText = context.held[key]
    return found

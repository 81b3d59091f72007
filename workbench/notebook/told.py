"""The whole talk of one agent as a browser gets it: each entry with its beginning."""

from __future__ import annotations

from typing import Any

from workbench.runs import transcript
from workbench.runs.story import Story
from workbench.visible import visible

_ENTRY_CHARS = 20_000


def entries(story: Story, key: str) -> list[dict[str, Any]]:
    """Return the entries of an agent's talk, each with how much of it is left out here."""
    return [
        {
            "kind": entry.kind,
            "title": visible(entry.title),
            "text": entry.text[:_ENTRY_CHARS],
            "left": max(len(entry.text) - _ENTRY_CHARS, 0),
            "source": entry.source,
        }
        for entry in transcript.entries(story, key)
    ]

"""``open`` for what stands in requests: a call as a model saw it, or the whole talk of an agent."""

from __future__ import annotations

from pathlib import Path

from workbench.errors import Refused
from workbench.runs import transcript
from workbench.runs.seen import Seen
from workbench.runs.story import Story, locate


def words(results: Path, key: str, run: str | None) -> str:
    """Return what models saw of a result or a call, or the talk of an agent at work.

    Raises
    ------
    Refused
        If no run has it, or no model saw anything of it.
    """
    story = locate(results, key, run)
    if key in story.agents:
        told = transcript.entries(story, key)
        return "\n".join(f"── {one.kind} {one.title}({one.source})\n{one.text}" for one in told)
    found = [story.seen(key)] if key in story.calls else story.of_artefact(key)
    if not found:
        raise Refused(f"open {key}: no call of run {story.folder.name} made it or named it")
    return "\n\n".join(_one(story, seen, key) for seen in found)


def is_talk(results: Path, key: str, run: str | None) -> bool:
    """Tell whether an id is that of a call or of an agent at work."""
    try:
        story = locate(results, key, run)
    except Refused:
        return False
    return key in story.agents or key in story.calls


def _one(story: Story, seen: Seen, key: str) -> str:
    if not seen.request:
        return f"── {seen.call} {seen.tool}: no model saw its answer; it stands in no request"
    where = f"{len(seen.text):,} characters, {seen.tokens:,} tokens in request {seen.request}"
    lines = [f"── {seen.call} {seen.tool}, seen by {seen.agent or seen.loop}: {where}", seen.text]
    item = story.artefacts.get(key)
    gap = seen.gap(item) if item else None
    lines += [
        f"── left out: {one.left:,} of {one.total:,} {one.unit}; whole: {one.full}"
        for one in ([gap] if gap else seen.gaps)
    ]
    return "\n".join(lines)

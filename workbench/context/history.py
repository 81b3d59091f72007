"""The history paragraph: what was tried, how it ended; never what came out.

Rebuilt from the ledger's view for every request, so it survives anything done to the blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench import marker
from workbench.limits import Limits

_OBJECTIVE_CHARS = 300
_ERROR_CHARS = 200


@dataclass(frozen=True)
class Paragraph:
    """What an orchestrator is told of earlier dispatches.

    Attributes
    ----------
    text : str
        The paragraph, or empty where there were none.
    older, total : int
        Dispatches told of in one line together, and dispatches there are.
    """

    text: str = ""
    older: int = 0
    total: int = 0


# Runs of the conversation whose results are looked through for a name.
_MOST_EARLIER = 50


@dataclass(frozen=True)
class Thread:
    """Where a run stands in a conversation.

    Attributes
    ----------
    runs : sequence of str
        The runs before it, oldest first; empty where the conversation begins.
    origin : str
        Mark of the notebook that it was asked in, or empty.
    past : sequence of mapping
        Dispatches of earlier runs, for the history paragraph.
    talk : bool
        True for a question of a conversation; a single call or a dry run is none.
    """

    runs: Sequence[str] = ()
    origin: str = ""
    past: Sequence[Mapping[str, Any]] = ()
    talk: bool = False

    @property
    def follows(self) -> str:
        """The run before it, or empty."""
        return self.runs[-1] if self.runs else ""

    @property
    def earlier(self) -> tuple[str, ...]:
        """The runs whose results can still be named, newest first."""
        return tuple(reversed(self.runs[-_MOST_EARLIER:]))


def paragraph(dispatches: Sequence[Mapping[str, Any]], limits: Limits) -> Paragraph:
    """Return the history of a session's dispatches, newest last.

    Parameters
    ----------
    dispatches : sequence of mapping
        Entries of view models (``id, agent, objective, status, seconds, error``), oldest first.
    limits : Limits
        Gives `history_dispatches`; older ones become one line.
    """
    if not dispatches:
        return Paragraph()
    shown = limits["history_dispatches"].number
    older, recent = dispatches[:-shown], dispatches[-shown:]
    lines = ["Dispatches so far in this session (no result data):"]
    if older:
        lines.append(_older(older))
    lines += [_line(entry) for entry in recent]
    return Paragraph("\n".join(lines), len(older), len(dispatches))


def _older(entries: Sequence[Mapping[str, Any]]) -> str:
    ended = sum(entry["status"] in {"success", "partial"} for entry in entries)
    pending = sum(entry["status"] == "running" for entry in entries)
    errors = len(entries) - ended - pending
    return f"- {len(entries)} earlier: {ended} ended well, {errors} with errors, {pending} pending"


def _line(entry: Mapping[str, Any]) -> str:
    objective = marker.short(" ".join(str(entry["objective"]).split()), _OBJECTIVE_CHARS)
    error = f"; {marker.short(str(entry['error']), _ERROR_CHARS)}" if entry["error"] else ""
    seconds = "" if entry["status"] == "running" else f", {float(entry['seconds']):.1f} s"
    return f"- {entry['id']} {entry['agent']}: {objective} -> {entry['status']}{seconds}{error}"

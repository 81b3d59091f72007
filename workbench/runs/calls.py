"""The tool calls of a run, each joined with the reply that asked for it and what a model saw.

The ledger cuts what is long; arguments and answers are taken from the replies and requests that
were kept. Nothing is made anew here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.ledger import Event
from workbench.runs import kept_texts

_CALL = re.compile(r"^(?P<loop>[a-z]+\d*)c(?P<number>\d+)$")
_ASIDE = "older result, set aside: "


@dataclass
class Call:
    """One tool call.

    Attributes
    ----------
    id, loop, tool : str
        ``d01c10``, ``d01``, ``query_data``.
    arguments : dict or None
        As the model gave them; None where they were too long for the ledger and no reply is kept.
    ended, ok : bool
        Whether it came to an end, and was not refused.
    cut, artefacts : tuple of str
        Limits that cut it; ids of the files it made.
    found : str
        Hash of what it found; empty where it was not recorded.
    first_lines : dict
        File → bytes from its start that a look at it rested on, in place of the whole.
    request, place : str, int
        Key of the first request its answer stands in, and which answer of its last turn it is.
    """

    id: str
    loop: str
    tool: str
    arguments: dict[str, Any] | None
    ended: bool = False
    ok: bool = False
    cut: tuple[str, ...] = ()
    artefacts: tuple[str, ...] = ()
    found: str = ""
    first_lines: dict[str, int] = field(default_factory=dict)
    request: str = ""
    place: int = 0

    def seen_in(self, request: Mapping[str, Any]) -> str | None:
        """Return exactly what the model saw, out of that request; None where it was removed."""
        found = kept_texts.answers(request)
        return found[self.place] if self.request and self.place < len(found) else None

    def text(self, folder: Path) -> str | None:
        """Return what the model saw; of what was set aside before it was sent, the whole."""
        text = self.seen_in(kept_texts.record(folder, "requests", self.request))
        if text is None or not text.startswith(_ASIDE):
            return text
        return kept_texts.text(folder, "full", self.id) or text


def calls_of(folder: Path, events: Sequence[Event]) -> dict[str, Call]:
    """Return the calls of a run by id, in the order in which they began.

    Parameters
    ----------
    folder : Path
        The run's folder.
    events : sequence of Event
        Its ledger.
    """
    found: dict[str, Call] = {}
    replies: dict[str, list[str]] = {}
    for event in events:
        if event.kind == "response":
            replies.setdefault(event.dispatch, []).append(str(event.data.get("key")))
        elif event.kind == "tool_call":
            key = str(event.data.get("call", ""))
            found[key] = Call(key, event.dispatch, str(event.data.get("tool", "")), _told(event))
        elif event.kind == "first_lines" and (key := str(event.data.get("call", ""))) in found:
            found[key].first_lines[str(event.data["file"])] = int(event.data["bytes"])
        elif event.kind == "tool_done":
            key = str(event.data.get("call", ""))
            call = found.setdefault(key, Call(key, event.dispatch, str(event.data["tool"]), {}))
            _end(call, event.data)
    _place(events, found)
    for call in found.values():
        if call.arguments is None:
            given = list(kept_texts.arguments(folder, replies.get(call.loop, [])))
            place = _number(call)
            call.arguments = given[place - 1] if 0 < place <= len(given) else None
    return found


def _told(event: Event) -> dict[str, Any] | None:
    """Return the arguments that the ledger has; None where it has them cut."""
    told = event.data.get("arguments")
    return dict(told) if isinstance(told, dict) and not event.data.get("event_cut") else None


def _end(call: Call, done: Mapping[str, Any]) -> None:
    call.ended, call.ok = True, bool(done.get("ok"))
    call.cut = tuple(map(str, done.get("cut") or ()))
    call.artefacts = tuple(map(str, done.get("artefacts") or ()))
    call.found = str(done.get("found") or "")


def _number(call: Call) -> int:
    hit = _CALL.match(call.id)
    return int(hit["number"]) if hit else 0


def _place(events: Sequence[Event], calls: Mapping[str, Call]) -> None:
    """Note the first request after each call, in which its answer stands.

    Calls of one turn may end in any order; their answers stand in the order of their numbers.
    """
    turn: dict[str, list[Call]] = {}
    for event in events:
        if event.kind == "tool_done":
            turn.setdefault(event.dispatch, []).append(calls[str(event.data.get("call", ""))])
        elif event.kind == "request":
            ended = sorted(turn.pop(event.dispatch, []), key=_number)
            for place, call in enumerate(ended):
                call.request, call.place = str(event.data["key"]), place

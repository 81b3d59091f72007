"""What one run kept, read once: calls, the requests they stand in, the files they made.

The seen side of a call is taken out of the requests that were kept as they were sent, never made
anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench import artefacts, ledger, past, unfinished
from workbench.beneath import open_beneath
from workbench.errors import Refused, nearest
from workbench.ledger import Event
from workbench.seen import Seen, gaps_in, rows_in

_CALL = re.compile(r"^(?P<loop>[a-z]+\d*)c(?P<number>\d+)$")


@dataclass(frozen=True)
class _Call:
    """A call as the ledger tells of it."""

    name: str
    loop: str
    tool: str
    arguments: dict[str, Any]
    done: Mapping[str, Any]
    request: str
    place: int


class Story:
    """What one run kept, read once.

    Parameters
    ----------
    folder : Path
        The run's folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.events = list(ledger.read(folder / "events.jsonl").events)
        self.artefacts = {item.id: item for item in artefacts.from_events(self.events)}
        self.agents = {
            event.dispatch: str(event.data.get("agent", ""))
            for event in self.events
            if event.kind == "loop_started"
        }
        self.calls = {call.name: call for call in _calls(self.events)}
        self._bodies: dict[str, dict[str, Any]] = {}

    def body(self, key: str) -> dict[str, Any]:
        """Return a kept request as JSON; empty where it was cleaned away or changed."""
        if key not in self._bodies:
            self._bodies[key] = _read(self.folder, "requests", f"{key}.json")
        return self._bodies[key]

    def response(self, key: str) -> dict[str, Any]:
        """Return a kept reply as JSON; empty where it was cleaned away or changed."""
        return _read(self.folder, "responses", f"{key}.json")

    def seen(self, name: str) -> Seen:
        """Return what a model saw of one call.

        Raises
        ------
        Refused
            If the run has no such call.
        """
        if name not in self.calls:
            raise Refused(
                f"call '{name[:80]}': run {self.folder.name} has none of that id"
                f"{nearest(name, self.calls)}; see workbench show RUN"
            )
        call = self.calls[name]
        text, request = self._text(call)
        made = tuple(str(key) for key in call.done.get("artefacts") or ())
        return Seen(
            *(self.folder.name, name, call.loop, self.agents.get(call.loop, ""), call.tool),
            *(call.arguments, request, text),
            *(tuple(map(str, call.done.get("cut") or ())), made),
            gaps=tuple(gaps_in(text, self._known(call, made))),
            rows=tuple(rows_in(text)),
        )

    def of_artefact(self, key: str) -> list[Seen]:
        """Return every call that made a file, named it or was cut to it, in order; maker first."""
        item = self.artefacts[key]
        names = {item.id, item.path, f"results/…/{item.path}"}
        found = []
        for name, call in self.calls.items():
            made = key in (call.done.get("artefacts") or ())
            named = not names.isdisjoint(_texts(call.arguments))
            seen = self.seen(name)
            if made or named or any(gap.full == item.shown for gap in seen.gaps):
                found.append((not made, seen))
        return [seen for _, seen in sorted(found, key=lambda pair: pair[0])]

    def _text(self, call: _Call) -> tuple[str, str]:
        """Return the text of a call and the key of the first request it stands in."""
        if not call.request:
            return "", ""
        results = list(_results(self.body(call.request)))
        if call.place >= len(results):
            return "", ""
        return results[call.place], call.request

    def _known(self, call: _Call, made: tuple[str, ...]) -> set[str]:
        """Return how the whole may be named in a marker that is no quotation."""
        names = {call.name, re.sub(r"\W+", "_", call.name), "not kept", f"{call.name}-child"}
        names |= set(_texts(call.arguments))
        for key in (*made, *(key for key in self.artefacts if key in names)):
            if key in self.artefacts:
                names |= {self.artefacts[key].shown, key}
        return names | {item.shown for item in self.artefacts.values()}


def locate(results: Path, key: str, run: str | None = None) -> Story:
    """Return the newest run that has a call or a result of an id; see `Story`.

    Raises
    ------
    Refused
        If there is none.
    """
    folders = [past.find(results, run)] if run else sorted(unfinished.folders(results))[::-1]
    for folder in folders:
        if (folder / "events.jsonl").is_file():
            story = Story(folder)
            if key in story.calls or key in story.artefacts or key in story.agents:
                return story
    raise Refused(f"'{key[:80]}': no run in '{results}' has a call, result or loop of that id")


def _calls(events: list[Event]) -> Iterator[_Call]:
    """Yield the calls of every loop with the request that first held each one's answer.

    Calls of one turn may end in any order; their answers stand in the order of their numbers.
    """
    begun = {str(e.data["call"]): e for e in events if e.kind == "tool_call"}
    turn: dict[str, list[Event]] = {}
    for event in events:
        if event.kind == "tool_done":
            turn.setdefault(event.dispatch, []).append(event)
        elif event.kind == "request":
            yield from _turn(turn.pop(event.dispatch, []), begun, str(event.data["key"]))
    for left in turn.values():
        yield from _turn(left, begun, "")


def _turn(done: list[Event], begun: Mapping[str, Event], request: str) -> Iterator[_Call]:
    for place, event in enumerate(sorted(done, key=_number)):
        name = str(event.data["call"])
        arguments = begun[name].data.get("arguments") if name in begun else None
        told = arguments if isinstance(arguments, dict) else {}
        yield _Call(
            *(name, event.dispatch, str(event.data["tool"]), told, event.data, request, place)
        )


def _number(event: Event) -> int:
    found = _CALL.match(str(event.data["call"]))
    return int(found["number"]) if found else 0


def _results(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield the answers to calls in the last turn of a request."""
    messages = body.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else {}
    for part in last.get("content") or () if isinstance(last, dict) else ():
        if isinstance(part, dict) and part.get("type") == "tool_result":
            yield str(part.get("content", ""))


def _texts(value: Any) -> Iterator[str]:  # noqa: ANN401 - JSON values of any depth
    """Yield every text in JSON values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _read(folder: Path, place: str, name: str) -> dict[str, Any]:
    """Return a record of a run as JSON; what cannot be read is empty."""
    try:
        with open(open_beneath(folder, (place, name)), encoding="utf-8", errors="replace") as file:  # noqa: PTH123 - a descriptor
            value = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}

"""What one run kept, read once: calls, the requests they stand in, the files they made.

The seen side of a call is taken out of the requests that were kept as they were sent, never made
anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from workbench import artefacts, ledger
from workbench.errors import Refused, nearest
from workbench.runs import kept_texts, past
from workbench.runs.calls import Call, calls_of
from workbench.runs.seen import Seen, gaps_in, rows_in


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
        self.calls = {key: one for key, one in calls_of(folder, self.events).items() if one.ended}
        self._bodies: dict[str, dict[str, Any]] = {}

    def body(self, key: str) -> dict[str, Any]:
        """Return a kept request as JSON; empty where it was cleaned away or changed."""
        if key not in self._bodies:
            self._bodies[key] = kept_texts.record(self.folder, "requests", key)
        return self._bodies[key]

    def response(self, key: str) -> dict[str, Any]:
        """Return a kept reply as JSON; empty where it was cleaned away or changed."""
        return kept_texts.record(self.folder, "responses", key)

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
        text = (call.seen_in(self.body(call.request)) if call.request else None) or ""
        return Seen(
            *(self.folder.name, name, call.loop, self.agents.get(call.loop, ""), call.tool),
            *(call.arguments or {}, call.request if text else "", text),
            *(call.cut, call.artefacts),
            gaps=tuple(gaps_in(text, self._known(call))),
            rows=tuple(rows_in(text)),
        )

    def of_artefact(self, key: str) -> list[Seen]:
        """Return every call that made a file, named it or was cut to it, in order; maker first."""
        item = self.artefacts[key]
        names = {item.id, item.path, f"results/…/{item.path}"}
        found = []
        for name, call in self.calls.items():
            made = key in call.artefacts
            named = not names.isdisjoint(_texts(call.arguments or {}))
            seen = self.seen(name)
            if made or named or any(gap.full == item.shown for gap in seen.gaps):
                found.append((not made, seen))
        return [seen for _, seen in sorted(found, key=lambda pair: pair[0])]

    def sightings(self, key: str) -> list[Seen]:
        """Return every call beside which a result, a kept text or a call stands, maker first."""
        if key in self.artefacts:
            return self.of_artefact(key)
        if key in self.calls:
            return [self.seen(key)]
        found = map(self.seen, self.calls)
        return [seen for seen in found if any(gap.full == key for gap in seen.gaps)]

    def _known(self, call: Call) -> set[str]:
        """Return how the whole may be named in a marker that is no quotation."""
        names = {call.id, re.sub(r"\W+", "_", call.id), "not kept", f"{call.id}-child"}
        names |= set(_texts(call.arguments or {}))
        for key in (*call.artefacts, *(key for key in self.artefacts if key in names)):
            if key in self.artefacts:
                names |= {self.artefacts[key].shown, key}
        # What a call printed and what an agent returned is kept whole under a name of its own.
        names |= {place.stem for place in (self.folder / "full").glob("*_*.txt")}
        return names | {item.shown for item in self.artefacts.values()}


def locate(results: Path, key: str, run: str | None = None) -> Story:
    """Return the newest run that has a call or a result of an id; see `Story`.

    Raises
    ------
    Refused
        If there is none.
    """
    for folder in past.meant(results, run):
        if (folder / "events.jsonl").is_file():
            story = Story(folder)
            if key in story.calls or key in story.artefacts or key in story.agents:
                return story
    raise Refused(f"'{key[:80]}': no run in '{results}' has a call, result or loop of that id")


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

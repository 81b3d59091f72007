"""A past run as a report tells it: its loops, and each tool call whole, with what the model saw.

The ledger cuts what is long; arguments and answers are taken from the replies and requests that
were kept, and where those were removed the record says so.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench import ledger, past
from workbench.beneath import open_beneath
from workbench.errors import WorkbenchError
from workbench.ledger import Event
from workbench.models.protocol import read_reply

# Ids stand in code cells as names; whatever else a ledger holds is none.
NAME = re.compile(r"[a-z][a-z0-9_]{0,60}")
_KEY = re.compile(r"[\w-]{1,80}")
_ASIDE = "older result, set aside: "
_MOST_BYTES = 64_000_000


@dataclass
class Call:
    """One tool call of a run.

    Attributes
    ----------
    id : str
        For example ``d01c10``.
    tool : str
        Its tool.
    arguments : dict or None
        As the model gave them; None where they were too long for the ledger and no reply is kept.
    ok : bool
        False where it was refused, or never ended.
    text : str or None
        Exactly what the model saw; None where requests were removed.
    cut : tuple of str
        Limits that cut it.
    artefacts : tuple of str
        Ids of the files it made.
    """

    id: str
    tool: str
    arguments: dict[str, Any] | None
    ok: bool = False
    text: str | None = None
    cut: tuple[str, ...] = ()
    artefacts: tuple[str, ...] = ()


@dataclass
class Loop:
    """One agent at work: the view's entry of it, and its calls in order."""

    entry: Mapping[str, Any]
    calls: list[Call] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Its id, such as ``guide`` or ``d01``."""
        return str(self.entry["id"])

    @property
    def agent(self) -> str:
        """The agent's name."""
        return str(self.entry["agent"])


@dataclass(frozen=True)
class Recorded:
    """A past run, read.

    Attributes
    ----------
    folder : Path
        Where it lies.
    view : mapping
        Its view model.
    loops : list of Loop
        In the order of their ids: the guide, the orchestrator, then the dispatches.
    hits : sequence of mapping
        Each time that a limit cut or refused something, in order.
    notices : list of str
        What of the ledger could not be read.
    """

    folder: Path
    view: Mapping[str, Any]
    loops: list[Loop]
    hits: Sequence[Mapping[str, Any]]
    notices: list[str]

    @property
    def run(self) -> str:
        """The run's id."""
        return self.folder.name

    def artefact(self, key: str) -> Mapping[str, Any] | None:
        """Return a file that the run made, by its id."""
        return next((item for item in self.view["artefacts"] if item["id"] == key), None)

    def inputs(self) -> dict[str, str]:
        """Return the hash of every data file that a result of the run was made from."""
        made = {str(item["path"]) for item in self.view["artefacts"]}
        found: dict[str, str] = {}
        for item in self.view["artefacts"]:
            sources = (item.get("made_by") or {}).get("inputs")
            for name, sha256 in (sources if isinstance(sources, dict) else {}).items():
                if str(name).rpartition("/")[2] not in made and name != "…":
                    found[str(name)] = str(sha256)
        return found


def read(folder: Path) -> Recorded:
    """Read a past run.

    Raises
    ------
    Fault
        If neither its view nor its ledger can be read.
    """
    view = past.view(folder)
    reading = ledger.read(folder / "events.jsonl")
    reader = _Reader(folder)
    for event in reading.events:
        reader.take(event)
    loops = [Loop(entry, reader.calls.get(str(entry["id"]), [])) for entry in view["loops"]]
    if [loop.id for loop in loops] == ["call"] and len(loops[0].calls) == 1:
        # A call by itself has no request: its answer is what a model would have seen.
        loops[0].calls[0].text = str(view["answer"]) or None
    hits = [event.data for event in reading.events if event.kind == "limit_hit"]
    return Recorded(folder, view, sorted(loops, key=_place), hits, reading.notices)


def _place(loop: Loop) -> tuple[int, int, str]:
    first = {"guide": 0, "orchestrator": 1}.get(loop.id, 2)
    return first, len(loop.id), loop.id


class _Reader:
    """Follows a ledger and joins each call with the reply that asked for it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.calls: dict[str, list[Call]] = {}
        self._asked: dict[str, list[tuple[str, Any]]] = {}
        # Loop → protocol id → call that still waits for what the model saw.
        self._unseen: dict[str, dict[str, Call]] = {}

    def take(self, event: Event) -> None:
        if event.kind == "response":
            self._asked[event.dispatch] = list(self._asked_in(str(event.data.get("key"))))
        elif event.kind == "tool_call":
            self._call(event)
        elif event.kind == "tool_done":
            self._done(event)
        elif event.kind == "request" and self._unseen.get(event.dispatch):
            self._see(event)

    def _asked_in(self, key: str) -> Iterator[tuple[str, Any]]:
        """Yield protocol id and arguments of the calls of a kept reply."""
        text = _kept(self._folder, "responses", key)
        if text is not None:
            try:
                yield from ((one.id, one.arguments) for one in read_reply(text).calls)
            except WorkbenchError:
                return

    def _call(self, event: Event) -> None:
        asked = self._asked.get(event.dispatch) or []
        key, whole = asked.pop(0) if asked else ("", None)
        told = event.data.get("arguments")
        arguments = whole if isinstance(whole, dict) else told
        if event.data.get("event_cut") and not isinstance(whole, dict):
            arguments = None
        call = Call(
            str(event.data.get("call", "")),
            str(event.data.get("tool", "")),
            arguments if isinstance(arguments, dict) else None,
        )
        self.calls.setdefault(event.dispatch, []).append(call)
        if key:
            self._unseen.setdefault(event.dispatch, {})[key] = call

    def _done(self, event: Event) -> None:
        for call in reversed(self.calls.get(event.dispatch, [])):
            if call.id == event.data.get("call"):
                call.ok = bool(event.data.get("ok"))
                call.cut = tuple(map(str, event.data.get("cut") or ()))
                call.artefacts = tuple(map(str, event.data.get("artefacts") or ()))
                return

    def _see(self, event: Event) -> None:
        """Take what the model saw of the calls before a request out of that request."""
        waiting = self._unseen[event.dispatch]
        text = _kept(self._folder, "requests", str(event.data.get("key")))
        for key, content in _results(text) if text is not None else ():
            call = waiting.get(key)
            if call is not None:
                del waiting[key]
                # What was set aside before it was sent was kept whole under the call's id.
                whole = _kept(self._folder, "full", call.id) if content.startswith(_ASIDE) else None
                call.text = content if whole is None else whole


def _results(request: str) -> Iterator[tuple[str, str]]:
    """Yield protocol id and text of the tool results at the end of a request, newest first."""
    try:
        messages = json.loads(request)["messages"]
        for message in reversed(messages):
            parts = message["content"]
            if message["role"] != "user" or not isinstance(parts, list):
                continue
            for part in parts:
                if part.get("type") == "tool_result":
                    yield str(part["tool_use_id"]), _text(part.get("content"))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return


def _text(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content)


def _kept(folder: Path, place: str, key: str) -> str | None:
    """Return a kept text of a run, opened beneath its folder; None if it is not there."""
    if not _KEY.fullmatch(key):
        return None
    name = f"{key}.{'txt' if place == 'full' else 'json'}"
    try:
        with os.fdopen(open_beneath(folder, (place, name)), "rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError:
        return None
    return data.decode("utf-8", "replace") if len(data) <= _MOST_BYTES else None

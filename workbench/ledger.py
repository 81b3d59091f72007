"""The append-only ledger of a run: one JSON line an event, one writer, a readable prefix always.

Everything that shows something is a fold over these events. An event holds no bulk: what is too
long is cut with a count, since the whole stands in a file of its own. The writer holds a lock on
the file for its life (see `workbench.files.writerlock`), so a reader can tell a run at work from
one whose process is gone.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from workbench import marker
from workbench.errors import Fault
from workbench.files import writerlock
from workbench.limits import Limits

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the present moment; the clock of every record unless a test passes its own."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    Attributes
    ----------
    seq : int
        Position in the run, from 1, without gaps.
    run : str
        Run id.
    dispatch : str
        Loop id (``guide``, ``orchestrator``, ``d01`` …), or empty for the run itself.
    kind : str
        What happened.
    data : dict
        JSON values.
    time : str
        UTC, ISO 8601 with microseconds.
    """

    seq: int
    run: str
    dispatch: str
    kind: str
    data: dict[str, Any]
    time: str

    def line(self) -> bytes:
        """Return the event as one line; line separators other than LF are escaped by JSON."""
        text = json.dumps(self.__dict__, ensure_ascii=True, separators=(",", ":"))
        return text.encode() + b"\n"


class Ledger:
    """Writer of one run's ledger.

    Parameters
    ----------
    path : Path
        The file; made if it does not exist. After a torn tail the writer starts a fresh line.
    run : str
        Run id.
    limits : Limits
        Gives `event_bytes`.
    clock : callable, optional
        Returns the present moment.

    Raises
    ------
    Fault
        If another process is writing it.
    """

    def __init__(self, path: Path, run: str, limits: Limits, clock: Clock = utc_now) -> None:
        self.path = path
        self.run = run
        self._max = limits["event_bytes"].number
        self._clock = clock
        # Listeners are called under it too, so that each sees events whole and in order.
        self._lock = threading.RLock()
        self._listeners: list[Callable[[Event], None]] = []
        self._told_cut = False
        self._fd = os.open(path, os.O_CREAT | os.O_RDWR | os.O_APPEND, 0o600)
        try:
            writerlock.hold(self._fd, path.name)
        except Fault:
            os.close(self._fd)
            raise
        self.events: list[Event] = list(read(path).events)
        size = os.fstat(self._fd).st_size
        if size and os.pread(self._fd, 1, size - 1) != b"\n":
            os.write(self._fd, b"\n")

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Call `listener` after each event is on disk, in the thread that appended it."""
        self._listeners.append(listener)

    def append(
        self, kind: str, data: dict[str, Any], dispatch: str = "", *, sync: bool = False
    ) -> Event:
        """Append one event; return it as it was written.

        Parameters
        ----------
        kind : str
            What happened.
        data : dict
            JSON values; long ones are cut with a count.
        dispatch : str, optional
            Loop id.
        sync : bool, optional
            Flush to the disk itself: at the ends of runs, dispatches and artefacts.

        Raises
        ------
        Fault
            If it cannot be written; the file then ends as it did before.
        """
        with self._lock:
            seq = self.events[-1].seq + 1 if self.events else 1
            stamp = self._clock().astimezone(UTC).isoformat(timespec="microseconds")
            whole = Event(seq, self.run, dispatch, kind, data, stamp)
            event = self._bounded(whole)
            self._write(event.line(), sync=sync)
            self.events.append(event)
            for listener in self._listeners:
                listener(event)
            if event is not whole:
                self._tell_cut(kind, len(whole.line()), dispatch)
        return event

    def _bounded(self, event: Event) -> Event:
        """Cut long texts until the line is within `event_bytes`."""
        width = 1_000
        while len(event.line()) > self._max and width >= 1:
            data = {**_cut(event.data, width), "event_cut": True}
            event = Event(event.seq, event.run, event.dispatch, event.kind, data, event.time)
            width //= 2
        keys = 32
        while len(event.line()) > self._max and keys >= 1:
            data = {**_outline(event.data, keys), "event_cut": True}
            event = Event(event.seq, event.run, event.dispatch, event.kind, data, event.time)
            keys //= 2
        return event

    def _tell_cut(self, kind: str, size: int, dispatch: str) -> None:
        """Record once a run that events were cut; an event about an event would have no end."""
        if self._told_cut or kind == "limit_hit":
            return
        self._told_cut = True
        data = {"key": "event_bytes", "value": self._max, "enforced": "code", "call": kind}
        self.append(
            "limit_hit", data | {"left": size - self._max, "total": size, "unit": "bytes"}, dispatch
        )

    def _write(self, line: bytes, *, sync: bool) -> None:
        before = os.fstat(self._fd).st_size
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._fd, rest) :]
            if sync:
                os.fsync(self._fd)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, before)
            raise Fault(
                f"ledger '{self.path.name}': {error.strerror or 'cannot be written'}; free some "
                "space in the results folder and ask again"
            ) from None

    def close(self) -> None:
        """Flush and close the file; closing twice does nothing."""
        with self._lock:
            if self._fd >= 0:
                with contextlib.suppress(OSError):
                    os.fsync(self._fd)
                os.close(self._fd)
                self._fd = -1


# What proves a file or names a thing is of no use in part.
_WHOLE = frozenset({"id", "path", "sha256", "bytes", "key"})


def _cut(value: Any, width: int) -> Any:  # noqa: ANN401 - JSON values of any depth
    """Return a JSON value with its texts cut to `width` and its lists to `width` entries."""
    if isinstance(value, str):
        return marker.short(value, max(width, 12))
    if isinstance(value, dict):
        kept = list(value.items())[: max(width, 8)]
        cut = {
            marker.short(str(key), 60): item if key in _WHOLE else _cut(item, width)
            for key, item in kept
        }
        left = len(value) - len(kept)
        return {**cut, "…": f"+{left:,}"} if left else cut
    if isinstance(value, list | tuple):
        kept_items = [_cut(item, width) for item in value[: max(width, 4)]]
        left = len(value) - len(kept_items)
        return [*kept_items, f"…[+{left:,}]"] if left else kept_items
    return value


def _outline(data: dict[str, Any], keys: int) -> dict[str, Any]:
    """Return an event's first keys with their short values; what is nested becomes its length."""
    kept: dict[str, Any] = {}
    for key, value in list(data.items())[:keys]:
        nested = isinstance(value, dict | list | tuple)
        shown = f"…[+{len(json.dumps(value, default=str)):,}]" if nested else _cut(value, 12)
        kept[marker.short(str(key), 40)] = shown
    return kept


@dataclass(frozen=True)
class Reading:
    """What could be read of a ledger: the valid events, and what was wrong with the rest."""

    events: list[Event]
    notices: list[str]


def read(path: Path) -> Reading:
    """Read the valid events of a ledger.

    A torn or damaged line is skipped and told; a gap in the sequence is told. Never raises for
    the content of the file.
    """
    events: list[Event] = []
    notices: list[str] = []
    for number, line in enumerate(_lines(path), start=1):
        event = _event(line)
        if event is None:
            notices.append(f"line {number}: not a whole event, left out")
            continue
        if events and event.seq != events[-1].seq + 1:
            notices.append(f"line {number}: event {event.seq} follows {events[-1].seq}")
        events.append(event)
    return Reading(events, notices)


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        for line in file:
            if line.strip(b"\0\r\n"):
                yield line


def _event(line: bytes) -> Event | None:
    try:
        found = json.loads(line)
        event = Event(**found)
    except (ValueError, TypeError, RecursionError):
        return None
    sound = isinstance(event.seq, int) and isinstance(event.data, dict) and line.endswith(b"\n")
    return event if sound else None

"""Snapshots built beside the questions of a session, each by a child of its own.

A look at a large file begins one and does not wait; a call that computes does. A build outlives
the question that began it, and ends with it where the analyst stops that, leaving nothing behind.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.errors import Stopped, WorkbenchError
from workbench.reply import FIRST_LINES, Reply
from workbench.tools import registry

Progress = Callable[[str, float], None]
# Reads a file into a snapshot: told its name, what ends it, and where progress goes.
Make = Callable[[str, threading.Event, Progress], None]
Tell = Callable[[dict[str, Any]], None]
_STEP_SECONDS = 0.1
# A line of the ledger for so much more of the work.
_SHARE = 0.05


class Ending(threading.Event):
    """Set when the session ends, or the question that began a build is stopped."""

    def __init__(self, question: threading.Event) -> None:
        super().__init__()
        self._question = question

    def is_set(self) -> bool:
        """Tell whether the build is to end."""
        return super().is_set() or self._question.is_set()


@dataclass
class Build:
    """One snapshot being built.

    Attributes
    ----------
    name : str
        The file.
    ending : Ending
        Set to end it.
    tell : callable or None
        Gets the data of events; None once the run that began it is over.
    done : threading.Event
        Set when it has ended, however it did.
    stage, share : str, float
        How far it is.
    """

    name: str
    ending: Ending
    tell: Tell | None
    done: threading.Event = field(default_factory=threading.Event)
    stage: str = ""
    share: float = 0.0


class Builds:
    """The builds of one session."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._at_work: dict[str, Build] = {}
        self._built: set[str] = set()

    @property
    def built(self) -> list[str]:
        """Files whose build has ended by itself: they are not looked at by first lines again."""
        with self._lock:
            return sorted(self._built)

    @property
    def at_work(self) -> list[Build]:
        """Those that have not ended."""
        with self._lock:
            return list(self._at_work.values())

    def begin(self, name: str, make: Make, stop: threading.Event, tell: Tell) -> None:
        """Begin to build the snapshot of a file, unless it is being built."""
        with self._lock:
            if name in self._at_work or name in self._built:
                return
            build = self._at_work[name] = Build(name, Ending(stop), tell)
            self._say(build, "begun", "", 0.0)
        atexit.unregister(self.close)
        atexit.register(self.close)
        threading.Thread(target=self._work, args=(build, make), daemon=True).start()

    def _work(self, build: Build, make: Make) -> None:
        state, reason = "failed", "ended by a fault"
        try:
            make(build.name, build.ending, lambda stage, share: self._on(build, stage, share))
            state, reason = "ready", ""
        except Stopped:
            state, reason = "stopped", ""
        except (WorkbenchError, OSError) as error:
            # Whoever computes on the file next reads it himself and is told the reason.
            reason = str(error)
        finally:
            # Whatever a build ends by, those who wait for it go on.
            self._ended(build, state, reason)

    def _ended(self, build: Build, state: str, reason: str) -> None:
        try:
            with self._lock:
                del self._at_work[build.name]
                if state != "stopped":
                    self._built.add(build.name)
                self._say(build, state, reason, 1.0 if state == "ready" else build.share)
        finally:
            build.done.set()

    def _on(self, build: Build, stage: str, share: float) -> None:
        with self._lock:
            if stage != build.stage or share >= build.share + _SHARE:
                build.stage, build.share = stage, share
                self._say(build, "at work", stage, share)

    def _say(self, build: Build, state: str, text: str, share: float) -> None:
        if build.tell is not None:
            told = {"file": build.name, "state": state, "text": text[:200]}
            build.tell({**told, "share": round(share, 3)})

    def wait(self, names: Collection[str], stop: threading.Event, progress: Progress) -> None:
        """Wait until no file of these is being built.

        Raises
        ------
        Stopped
            If the analyst stops what waits.
        """
        for build in self.at_work:
            while build.name in names and not build.done.wait(_STEP_SECONDS):
                if stop.is_set():
                    raise Stopped("stopped by the analyst")
                progress(f"waits for the snapshot of {build.name}: {build.stage}", build.share)

    def hush(self, tell: Tell) -> None:
        """Tell a run that ends nothing more."""
        with self._lock:
            for build in self._at_work.values():
                if build.tell == tell:
                    build.tell = None

    def close(self, seconds: float = 10.0) -> None:
        """End every build and wait for it, so long at most; what is half done is removed."""
        for build in self.at_work:
            build.ending.set()
        latest = time.monotonic() + seconds
        for build in self.at_work:
            build.done.wait(max(0.0, latest - time.monotonic()))


@dataclass(frozen=True)
class Building:
    """The builds of a session as the calls of one run come upon them.

    Attributes
    ----------
    builds : Builds
        Of the session.
    make : callable
        Builds one.
    stop : threading.Event
        Ends the run.
    write : callable
        Writes an event of the run: kind, data, loop.
    tell : callable
        Writes down how far a build is.
    recorded : dict or None
        Call → bytes of each file whose first lines it looked at, where a run is made again: it
        looks at the same, and nothing is built. None where large files are looked at anew.
    """

    builds: Builds
    make: Make
    stop: threading.Event
    write: Callable[[str, dict[str, Any], str], object]
    tell: Tell
    recorded: dict[str, dict[str, int]] | None = None

    def ahead(
        self, call: str, tool: str, arguments: Mapping[str, Any], progress: Progress
    ) -> dict[str, Any]:
        """Return what a call is told of first lines; one that does not look waits for builds."""
        if not registry.looks(tool, arguments):
            self.builds.wait(set(_texts(arguments.values())), self.stop, progress)
            return {}
        if self.recorded is not None:
            return {FIRST_LINES: {"recorded": self.recorded.get(call, {})}}
        return {FIRST_LINES: {"built": self.builds.built}}

    def looked(self, loop: str, call: str, reply: Reply, arguments: Mapping[str, Any]) -> None:
        """Write down which first lines a call looked at; have the file it names built."""
        for name, taken in reply.first_lines.items():
            self.write("first_lines", {"call": call, "file": name, **taken}, loop)
            if self.recorded is None and name in arguments.values():
                self.builds.begin(name, self.make, self.stop, self.tell)


def _texts(values: Collection[object]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            yield from _texts(value)
        elif isinstance(value, Mapping):
            yield from _texts(value.values())

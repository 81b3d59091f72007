"""A child played by a thread: real pipes and the real link, but whatever a probe wants it to say.

It is how a lying, silent or talkative child is put in front of the parent on every platform.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from workbench.files.lines import Lines, decode, encode
from workbench.limits import UNBOUNDED, Limits
from workbench.process.childlink import ChildLink
from workbench.process.launched import Ending

Message = Mapping[str, Any]
_CHUNK = 65_536


class Wire:
    """The child's end of the two pipes.

    Parameters
    ----------
    stdin, stdout : int
        Descriptors: calls come from the first, lines go to the second.
    """

    def __init__(self, stdin: int, stdout: int) -> None:
        self._stdin, self._stdout = stdin, stdout
        self._lines = Lines(UNBOUNDED)

    def send(self, line: Message | bytes) -> None:
        """Write a message, or bytes as they are."""
        rest = memoryview(line if isinstance(line, bytes) else encode(line))
        while rest:
            rest = rest[os.write(self._stdout, rest[:_CHUNK]) :]

    def ready(self) -> None:
        """Say what every child says first."""
        self.send({"ready": {"pid": os.getpid(), "confinement": {}, "versions": {}}})

    def calls(self) -> Iterator[dict[str, Any]]:
        """Yield the calls that come, until the parent closes its end."""
        while chunk := os.read(self._stdin, _CHUNK):
            for line in self._lines.feed(chunk):
                call = decode(line).get("call")
                if isinstance(call, dict):
                    yield call

    def answer(self, call: Message, reply: Message) -> None:
        """Answer a call with a reply."""
        self.send({"answer": {"id": call["id"], "ok": True, "reply": dict(reply)}})


Play = Callable[[Wire], None]


class StandIn:
    """A child that is a thread; what a `workbench.process.launched.Launched` is to its parent.

    Parameters
    ----------
    play : callable
        Gets the wire and says what the child says; it ends with the pipe.
    """

    def __init__(self, play: Play) -> None:
        calls, self.stdin = os.pipe()
        self.stdout, answers = os.pipe()
        self._own = [calls, answers]
        self._thread = threading.Thread(
            target=self._run, args=(play, Wire(calls, answers)), daemon=True
        )
        self._closed = False
        self._thread.start()

    def _run(self, play: Play, wire: Wire) -> None:
        try:
            with contextlib.suppress(OSError):  # the parent has closed its end
                play(wire)
        finally:
            for descriptor in self._own:
                os.close(descriptor)

    @property
    def pid(self) -> int | None:
        """No process of its own."""
        return None

    def alive(self) -> bool:
        """Tell whether the thread still plays."""
        return self._thread.is_alive()

    def ended(self, seconds: float = 0.0) -> Ending | None:
        """Wait for its end for up to `seconds`."""
        self._thread.join(seconds)
        return None if self.alive() else Ending(code=0)

    def kill(self) -> None:
        """Close the parent's ends, which ends the thread."""
        self.close()

    def close(self) -> None:
        """Close the parent's ends; harmless if repeated."""
        if not self._closed:
            self._closed = True
            os.close(self.stdin)
            os.close(self.stdout)
            self._thread.join(1.0)


def starts(play: Play) -> Callable[..., ChildLink]:
    """Return what starts stand-ins in the place of children."""

    def start(
        _job: object,
        _places: object,
        limits: Limits,
        stop: threading.Event,
        noise: Callable[[str], None],
    ) -> ChildLink:
        return ChildLink(StandIn(play), limits, stop, on_noise=noise)

    return start


def answering(reply: Callable[[dict[str, Any]], Message]) -> Callable[..., ChildLink]:
    """Return what starts stand-ins that answer each call with a reply of one's own."""

    def play(wire: Wire) -> None:
        wire.ready()
        for call in wire.calls():
            wire.answer(call, reply(call))

    return starts(play)


def silent(wire: Wire) -> None:
    """Be ready, then take calls and say nothing."""
    wire.ready()
    for _ in wire.calls():
        pass


def beating(wire: Wire) -> None:
    """Be ready, then show signs of life for ever and never answer."""
    wire.ready()
    for call in wire.calls():
        while True:
            wire.send({"beat": {"id": call["id"]}})
            time.sleep(0.05)

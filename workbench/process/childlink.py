"""The parent's side of the pipe to a child: asks one call at a time and believes nothing else.

Only the answer to the call in hand is ever handed on. Everything is bounded: a line, the bad
lines, the messages nobody asked for, the silence and the time of the whole dispatch.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping

from workbench.errors import Failed, LimitReached, Stopped
from workbench.files.lines import encode
from workbench.limits import Limits
from workbench.process.childstream import ChildStream
from workbench.process.childwords import (
    Message,
    checked_answer,
    checked_progress,
    checked_ready,
    one_line,
    own_words,
)
from workbench.process.launched import ChildFailed, Launched

__all__ = ["ChildFailed", "ChildLink"]

OnProgress = Callable[[str, float], None]

_STEP = 0.1
# A child that is well never sends one; a thousand would fill the ledger of a run with nothing.
_NOISE = 100
_PROGRESS_SECONDS = 0.1


class ChildLink:
    """Talks to one child for one dispatch, from one thread.

    Parameters
    ----------
    launched : Launched
        The child.
    limits : Limits
        ``child_seconds``, ``child_silence``, ``child_line``.
    stop : threading.Event
        Set when the analyst stops the run; seen within 0.1 s.
    clock : callable, optional
        Seconds that only run forward; the dispatch began when this object was made.
    on_noise : callable, optional
        Told about each message that answers nothing asked, in a few words.
    """

    def __init__(
        self,
        launched: Launched,
        limits: Limits,
        stop: threading.Event,
        clock: Callable[[], float] = time.monotonic,
        on_noise: Callable[[str], None] = lambda _words: None,
    ) -> None:
        self._launched, self._limits, self._stop = launched, limits, stop
        self._clock, self._on_noise = clock, on_noise
        self._most = limits["child_line"].number
        self._stream = ChildStream(launched, self._most)
        self._began = self._heard = clock()
        self._shown = -math.inf
        self._sound = True
        self.noise = 0

    @property
    def bad_lines(self) -> int:
        """Lines of the child so far that were no messages."""
        return self._stream.bad_lines

    @property
    def seconds_left(self) -> float:
        """What is left of ``child_seconds``, never below 0."""
        return max(0.0, float(self._limits["child_seconds"].value) - (self._clock() - self._began))

    def ready(self) -> Message:
        """Wait for the child's first line.

        Returns
        -------
        dict
            ``pid``, ``confinement`` (each wall, and ``level``) and ``versions``.

        Raises
        ------
        ChildFailed
            If it cannot begin, ends, falls silent or says something else.
        Stopped
            If the analyst stops the run.
        """

        def take(message: Message) -> Message | bool:
            self._note_failure(message)
            found = message.get("ready")
            return checked_ready(found) if isinstance(found, dict) else False

        self._heard = self._clock()
        with self._giving_up():
            return self._until(take)

    def call(
        self,
        key: str,
        tool: str,
        arguments: Mapping[str, object],
        on_progress: OnProgress = lambda _text, _share: None,
    ) -> Message:
        """Have one tool call carried out.

        Parameters
        ----------
        key : str
            Id of the call, such as ``d01c3``.
        tool : str
            Name of the tool.
        arguments : mapping
            Plain JSON.
        on_progress : callable, optional
            Gets a text and a share from 0 to 1.

        Returns
        -------
        dict
            ``{"ok": True, "reply": {…}}``, or ``{"ok": False, "error": one line, "kind":
            "refused" or "failed", "key": limit key or None}``.

        Raises
        ------
        LimitReached
            If the call itself is longer than a line may be.
        ChildFailed
            If the child ends, hangs, or breaks the protocol.
        Stopped
            If the analyst stops the run.
        """
        line = self._line({"call": {"id": key, "tool": tool, "arguments": dict(arguments)}})
        with self._giving_up():
            self._discard()
            self._stream.begin()
            self._heard = self._clock()
            self._write(line)
            return self._until(lambda message: self._answer(key, message, on_progress))

    def cancel(self, key: str) -> None:
        """Ask the child to stop a call; its answer still comes."""
        with self._giving_up():
            self._write(self._line({"cancel": {"id": key}}))

    def close(self) -> None:
        """End the child: by end-of-file, then by force. Harmless if repeated."""
        if not self._sound:
            self._launched.kill()
        self._launched.close()

    @contextlib.contextmanager
    def _giving_up(self) -> Iterator[None]:
        """Remember that a child was given up: it is then ended without a word."""
        try:
            yield
        except (ChildFailed, Stopped):
            self._sound = False
            raise

    def _line(self, message: Message) -> bytes:
        try:
            line = encode(message)
        except (TypeError, ValueError) as error:
            raise Failed(f"a call to a child is not plain JSON ({error})") from None
        if len(line) > self._most:
            raise LimitReached(
                f"the call has {len(line):,} bytes, a line to a child at most {self._most:,}; "
                "keep long text with store_text and name it",
                "child_line",
            )
        return line

    def _answer(self, key: str, message: Message, on_progress: OnProgress) -> Message | bool:
        """Take the answer to a call; tell whether anything else at least belongs to it."""
        self._note_failure(message)
        for kind in ("answer", "progress", "beat"):
            body = message.get(kind)
            if isinstance(body, dict) and body.get("id") == key:
                self._heard = self._clock()
                if kind == "answer":
                    return checked_answer(body)
                if kind == "progress":
                    self._show(on_progress, *checked_progress(body))
                return True
        return False

    def _show(self, on_progress: OnProgress, text: str, share: float) -> None:
        """Hand progress on, at most ten times a second."""
        now = time.monotonic()
        if now - self._shown >= _PROGRESS_SECONDS:
            self._shown = now
            on_progress(text, share)

    def _note_failure(self, message: Message) -> None:
        """Raise what a child says of its own end."""
        if isinstance(message.get("failed"), str):
            raise ChildFailed(own_words(message["failed"]), "ended")

    def _until(self, take: Callable[[Message], Message | bool]) -> Message:
        """Read until `take` returns what is wanted; False from it means noise."""
        while True:
            self._check()
            wanted: Message | None = None
            for message in self._stream.messages(_STEP):
                # What follows the answer in the same breath answers nothing any more.
                found = self._tried(take, message) if wanted is None else False
                if found is False:
                    self._count_noise(message)
                elif isinstance(found, dict):
                    wanted = found
            if wanted is not None:
                return wanted

    def _tried(self, take: Callable[[Message], Message | bool], message: Message) -> Message | bool:
        """Take a message; one in the wrong shape counts as a bad line, not as noise as well."""
        try:
            return take(message)
        except ValueError as error:
            self._stream.bad_line(str(error))
            return True

    def _discard(self) -> None:
        """Read off what was sent before anything was asked: it answers nothing."""
        while self._stream.waiting():
            for message in self._stream.messages(0):
                self._count_noise(message)

    def _count_noise(self, message: Message) -> None:
        self.noise += 1
        kind = next(iter(message), "")
        self._on_noise(f"a message that nothing asked for: {one_line(kind)[:40]!r}")
        if self.noise >= _NOISE:
            words = f"protocol: the child sent {self.noise} messages that nothing asked for"
            raise ChildFailed(words, "protocol")

    def _check(self) -> None:
        """Raise if the analyst, the clock or the child's silence ends the dispatch."""
        if self._stop.is_set():
            raise Stopped("stopped by the analyst")
        if not self.seconds_left:
            most = self._limits["child_seconds"].value
            raise ChildFailed(f"dispatch ended after {most} s", "timeout", "child_seconds")
        silence = self._clock() - self._heard
        most = self._limits["child_silence"].value
        if silence > float(most):
            words = f"the child has said nothing for {silence:.0f} s (at most {most} s)"
            raise ChildFailed(words, "silence", "child_silence")

    def _write(self, line: bytes) -> None:
        left = memoryview(line)
        while left:
            self._check()
            left = self._stream.write(left, _STEP)

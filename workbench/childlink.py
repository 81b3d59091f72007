"""The parent's side of the pipe to a child: asks one call at a time and believes nothing else.

Only the answer to the call in hand is ever handed on. Everything is bounded: a line, the bad
lines, the messages nobody asked for, the silence and the time of the whole dispatch.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import Literal

from workbench.childwords import (
    Message,
    checked_answer,
    checked_progress,
    checked_ready,
    one_line,
)
from workbench.errors import Failed, LimitReached, Stopped
from workbench.launched import Ending, Launched
from workbench.limits import Limits
from workbench.lines import Lines, LineTooLong, decode, encode
from workbench.pipes import CHUNK, readable, write_some

Reason = Literal["timeout", "silence", "protocol", "ended"]
OnProgress = Callable[[str, float], None]

_STEP = 0.1
_BAD_LINES = 3
# A child that is well never sends one; a thousand would fill the ledger of a run with nothing.
_NOISE = 100
# What a pipe still holds is read after its writer's end, but a copy may keep it open for ever.
_LAST_READ = 0.2


class ChildFailed(Failed):
    """A child that can be worked with no longer: the dispatch ends.

    Attributes
    ----------
    reason : {"timeout", "silence", "protocol", "ended"}
        What was the matter.
    key : str or None
        The row of the limits table that ended it.
    """

    def __init__(self, message: str, reason: Reason, key: str | None = None) -> None:
        super().__init__(message)
        self.reason: Reason = reason
        self.key = key


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
        self._lines = Lines(self._most)
        self._began = self._heard = clock()
        self._sound = True
        self.bad_lines = 0
        self.noise = 0

    @property
    def seconds_left(self) -> float:
        """What is left of ``child_seconds``, never below 0."""
        return max(0.0, float(self._limits["child_seconds"].value) - (self._clock() - self._began))

    def ready(self) -> Message:
        """Wait for the child's first line.

        Returns
        -------
        dict
            ``pid``, ``confinement`` (each wall and ``level``) and ``versions``.

        Raises
        ------
        ChildFailed
            If it cannot begin, ends, falls silent or says something else.
        Stopped
            If the analyst stops the run.
        """

        def take(message: Message) -> Message | None:
            if isinstance(message.get("failed"), str):
                raise ChildFailed(one_line(message["failed"]), "ended")
            found = message.get("ready")
            return checked_ready(found) if isinstance(found, dict) else None

        self._heard = self._clock()
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
        self._discard()
        self._heard = self._clock()
        self._write(line)
        return self._until(lambda message: self._answer(key, message, on_progress))

    def cancel(self, key: str) -> None:
        """Ask the child to stop a call; its answer still comes."""
        self._write(self._line({"cancel": {"id": key}}))

    def close(self) -> None:
        """End the child: by end-of-file, then by force. Harmless if repeated."""
        if not self._sound:
            self._launched.kill()
        self._launched.close()

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

    def _answer(self, key: str, message: Message, on_progress: OnProgress) -> Message | None:
        """Take the answer to a call, or note a sign of life; everything else is noise."""
        for kind in ("answer", "progress", "beat"):
            body = message.get(kind)
            if isinstance(body, dict) and body.get("id") == key:
                self._heard = self._clock()
                if kind == "answer":
                    return checked_answer(body)
                if kind == "progress":
                    on_progress(*checked_progress(body))
                return {}
        return None

    def _until(self, take: Callable[[Message], Message | None]) -> Message:
        """Read until `take` returns a message with content; None from it means noise."""
        while True:
            self._check()
            wanted: Message | None = None
            for message in self._take_lines(self._read(_STEP) or b""):
                # What follows the answer in the same breath answers nothing any more.
                found = self._tried(take, message) if wanted is None else None
                if found is None:
                    self._count_noise(message)
                wanted = wanted or found or None
            if wanted:
                return wanted

    def _tried(self, take: Callable[[Message], Message | None], message: Message) -> Message | None:
        """Take a message; one in the wrong shape counts as a bad line, not as noise as well."""
        try:
            return take(message)
        except ValueError as error:
            self._bad_line(str(error))
            return {}

    def _take_lines(self, chunk: bytes) -> list[Message]:
        """Return the messages that are complete with this chunk; count lines that are none."""
        try:
            lines = list(self._lines.feed(chunk))
        except LineTooLong as error:
            raise self._failed(f"protocol: {error}", "protocol", "child_line") from None
        found = []
        for line in lines:
            try:
                found.append(decode(line))
            except ValueError as error:
                self._bad_line(str(error))
        return found

    def _discard(self) -> None:
        """Read off what was sent before anything was asked: it answers nothing."""
        while readable(self._launched.stdout, 0):
            for message in self._take_lines(self._read(0) or b""):
                self._count_noise(message)

    def _bad_line(self, why: str) -> None:
        self.bad_lines += 1
        if self.bad_lines >= _BAD_LINES:
            raise self._failed(
                f"protocol: {self.bad_lines} lines of the child are no messages (the last: "
                f"{one_line(why)[:100]})",
                "protocol",
            )

    def _count_noise(self, message: Message) -> None:
        self.noise += 1
        kind = next(iter(message), "")
        self._on_noise(f"a message that nothing asked for: {one_line(kind)[:40]!r}")
        if self.noise >= _NOISE:
            words = f"protocol: the child sent {self.noise} messages that nothing asked for"
            raise self._failed(words, "protocol")

    def _check(self) -> None:
        """Raise if the analyst, the clock or the child's silence ends the dispatch."""
        if self._stop.is_set():
            self._sound = False
            raise Stopped("stopped by the analyst")
        if not self.seconds_left:
            most = self._limits["child_seconds"].value
            raise self._failed(f"dispatch ended after {most} s", "timeout", "child_seconds")
        silence = self._clock() - self._heard
        most = self._limits["child_silence"].value
        if silence > float(most):
            words = f"the child has said nothing for {silence:.0f} s (at most {most} s)"
            raise self._failed(words, "silence", "child_silence")

    def _read(self, seconds: float) -> bytes | None:
        """Read what the child sent; None if nothing came within `seconds`."""
        if readable(self._launched.stdout, seconds):
            chunk = os.read(self._launched.stdout, CHUNK)
            if chunk:
                return chunk
            raise self._ended(self._launched.ended(_LAST_READ) or Ending(note="it fell dumb"))
        # A copy of the pipe in another process hides the end-of-file; the launcher knows better.
        ending = self._launched.ended()
        if ending is None or readable(self._launched.stdout, 0):
            return None
        raise self._ended(ending)

    def _write(self, line: bytes) -> None:
        view = memoryview(line)
        while view:
            self._check()
            try:
                view = view[write_some(self._launched.stdin, bytes(view[:CHUNK]), _STEP) :]
            except OSError:
                ending = self._launched.ended(_LAST_READ)
                raise self._ended(ending or Ending(note="it no longer listens")) from None

    def _ended(self, ending: Ending) -> ChildFailed:
        return self._failed(str(ending), "ended")

    def _failed(self, message: str, reason: Reason, key: str | None = None) -> ChildFailed:
        self._sound = False
        return ChildFailed(message, reason, key)

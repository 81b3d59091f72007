"""A child as its parent holds it: two descriptors, its end, and the means to bring that about.

How a child ended is told by whoever started it; why a dispatch gave it up is told with the row of
the limits table that did.
"""

from __future__ import annotations

import contextlib
import signal
from dataclasses import dataclass
from typing import Literal, Protocol

from workbench.errors import Failed

Reason = Literal["timeout", "silence", "protocol", "ended"]


@dataclass(frozen=True)
class Ending:
    """How a child ended.

    Attributes
    ----------
    code : int or None
        Exit status, None if a signal ended it or nobody knows.
    signal : int or None
        The signal that ended it.
    note : str
        Why it is not known, or why it was never started.
    """

    code: int | None = None
    signal: int | None = None
    note: str = ""

    def __str__(self) -> str:
        """Say it in the words that a dispatch fails with."""
        if self.signal is not None:
            return f"reader crashed (signal {self.signal})"
        if self.code is not None:
            return f"child ended (exit {self.code}) without an answer"
        return f"child ended: {self.note or 'nobody knows how'}"


class Launched(Protocol):
    """A child process and the way to it.

    Attributes
    ----------
    stdin, stdout : int
        Descriptors: JSON lines to the child, JSON lines from it.
    """

    stdin: int
    stdout: int

    @property
    def pid(self) -> int | None:
        """Its process number, None before it is known."""

    def alive(self) -> bool:
        """Tell whether it has not ended yet."""

    def ended(self, seconds: float = 0.0) -> Ending | None:
        """Wait for its end for up to `seconds`; None if it still lives."""

    def kill(self) -> None:
        """End it and everything it started; harmless if that has happened already."""

    def close(self) -> None:
        """End it and give back every descriptor."""


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


def undisturbed() -> None:
    """Let no interrupt break off what a process does at its end; nothing after it is stopped."""
    with contextlib.suppress(ValueError):  # not in the main thread: it gets no interrupts
        signal.signal(signal.SIGINT, signal.SIG_IGN)

"""One question at work in a thread of its own, and what the cell's thread may know of it.

The worker only appends to a queue; it never prints, draws or displays.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from workbench.view import View

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.answer import Answer
    from workbench.context.inbox import Inbox
    from workbench.ledger import Event

    Ask = Callable[..., Answer]


class Job:
    """A question at work.

    Parameters
    ----------
    question : str
        What was asked, for the card before the run has an id.
    ask : callable
        Called in the worker with ``stop`` and ``listener``; returns the answer.
    seconds : callable, optional
        Clock of durations.
    """

    def __init__(
        self, question: str, ask: Ask, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self.stop = threading.Event()
        self.inbox: Inbox | None = None
        # How it stands for whoever asks, once its cell was given back while it still ends.
        self.left: dict[str, Any] | None = None
        # Where its run is kept, once that is known.
        self.results: Path | None = None
        self.answer: Answer | None = None
        self.error: BaseException | None = None
        self._view = View()
        self._view.data["question"] = question
        # Held while events are taken in, and by whoever reads the view in another thread.
        self.reading = threading.Lock()
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._ask = ask
        self._seconds = seconds
        self._began = seconds()
        self._ended: float | None = None
        self._thread = threading.Thread(target=self._work, name="workbench-run", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def _work(self) -> None:
        try:
            self.answer = self._ask(stop=self.stop, listener=self._events.put)
        except BaseException as error:  # noqa: BLE001 - handed to the waiting thread, which raises it
            self.error = error
        self._ended = self._seconds()

    @property
    def working(self) -> bool:
        """True until the worker has ended."""
        return self._thread.is_alive()

    @property
    def elapsed(self) -> float:
        """Seconds since it was put, or that it took."""
        return (self._seconds() if self._ended is None else self._ended) - self._began

    @property
    def view(self) -> dict[str, Any]:
        """The view as far as events have been taken in, or as it was left."""
        return self._view.data if self.left is None else self.left

    @property
    def folder(self) -> Path | None:
        """Folder of its run; None until it has one."""
        run = str(self.view["run"])
        return self.results / run if self.results is not None and run else None

    def wait(self, seconds: float) -> None:
        """Wait for its end, at most so long."""
        self._thread.join(seconds)

    def take(self) -> list[Event]:
        """Take in the events that have come, and return them."""
        fresh: list[Event] = []
        while True:
            try:
                event = self._events.get_nowait()
            except queue.Empty:
                return fresh
            with self.reading:
                self._view.apply(event)
            fresh.append(event)

"""Pieces that come over a network in a thread of their own, taken in by one that can be stopped.

A read that waits for a server cannot be interrupted; whoever waits for the thread can.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from workbench.errors import Stopped
from workbench.models.protocol import Line
from workbench.models.retry import Trouble

Piece = TypeVar("Piece")
_STEP = 0.05


class Flow(Generic[Piece]):
    """Pieces on their way.

    Parameters
    ----------
    bring : callable
        Runs in the thread; yields the pieces.
    """

    def __init__(self, bring: Callable[[], Iterator[Piece]]) -> None:
        self._bring = bring
        self._left = threading.Event()
        self._come: queue.SimpleQueue[Piece | BaseException | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="workbench-model", daemon=True).start()

    def _run(self) -> None:
        try:
            for piece in self._bring():
                self._come.put(piece)
                if self._left.is_set():
                    break
            self._come.put(None)
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            self._come.put(error)

    def pieces(self, line: Line) -> Iterator[Piece]:
        """Yield the pieces as they come.

        Raises
        ------
        Stopped
            If the run is stopped; the thread then ends by itself.
        Trouble
            If nothing came for `provider_silence`.
        """
        try:
            while (piece := self._next(line)) is not None:
                if isinstance(piece, BaseException):
                    raise piece
                yield piece
        finally:
            self._left.set()

    def _next(self, line: Line) -> Piece | BaseException | None:
        silence = line.limits["provider_silence"]
        began = time.monotonic()
        while True:
            if line.stop.is_set():
                raise Stopped("stopped by the analyst")
            try:
                return self._come.get(timeout=_STEP)
            except queue.Empty:
                waited = time.monotonic() - began
            if waited > silence.number:
                line.hit(silence.key, round(waited), silence.unit)
                raise Trouble(
                    f"the model's server has said nothing for {waited:.0f} s (provider_silence)",
                    again=True,
                    remedy="ask again, or raise it: -l provider_silence=600",
                )

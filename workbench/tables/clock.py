"""The time of a query: it is interrupted when it is over, and never after it has ended."""

from __future__ import annotations

import threading

import duckdb

_RING_SECONDS = 0.05


class Clock:
    """Interrupts a connection after some seconds, and never after its block has ended.

    It goes on ringing until the block ends: an interrupt between two statements is forgotten when
    the next one starts (seen: a query that began at that moment ran for ever).
    """

    def __init__(self, con: duckdb.DuckDBPyConnection, seconds: float) -> None:
        self.fired = False
        self._con = con
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), self._ring)
        self._timer.daemon = True

    def _ring(self) -> None:
        while True:
            with self._lock:
                if self._over.is_set():
                    return
                self.fired = True
                self._con.interrupt()
            if self._over.wait(_RING_SECONDS):
                return

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._over.set()
        self._timer.cancel()

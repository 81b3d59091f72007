"""Calls that run side by side take their numbers in the order they were made.

Without this the first thread to wake would be the first dispatch, and a replay would hand one
specialist the replies of another.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence


class Turns:
    """The order in which calls of one turn may take a number."""

    def __init__(self) -> None:
        self._before: dict[str, set[str]] = {}
        self._changed = threading.Condition()

    def expect(self, names: Sequence[str]) -> None:
        """Let each call wait for those before it."""
        with self._changed:
            for place, name in enumerate(names):
                self._before[name] = set(names[:place])

    def wait(self, name: str) -> None:
        """Wait until every call before this one has its number, or has ended without one."""
        with self._changed:
            self._changed.wait_for(lambda: not self._before.get(name))

    def taken(self, name: str) -> None:
        """Let the calls after this one go on; telling it twice does nothing."""
        with self._changed:
            self._before.pop(name, None)
            for earlier in self._before.values():
                earlier.discard(name)
            self._changed.notify_all()

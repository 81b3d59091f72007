"""Being asked to stop in the middle of a call: a flag to look at, and a hook that acts at once.

A query does not look at flags; its interrupt is hooked in for as long as it runs.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

from workbench.errors import Failed


class Cancelled(Failed):
    """The parent asked for the call to end."""


class Cancellation:
    """Whether the call in hand is to stop. Set from one thread, looked at from another."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._set = False
        self._hooks: list[Callable[[], object]] = []

    def is_set(self) -> bool:
        """Tell whether the call is to stop."""
        return self._set

    __call__ = is_set

    def check(self) -> None:
        """Raise `Cancelled` if the call is to stop."""
        if self._set:
            raise Cancelled("the call was stopped")

    def set(self) -> None:
        """Ask the call to stop: everything hooked in is called, in this thread."""
        with self._lock:
            self._set = True
            hooks = tuple(self._hooks)
        for hook in hooks:
            hook()

    def clear(self) -> None:
        """Begin a new call."""
        with self._lock:
            self._set = False

    @contextlib.contextmanager
    def calling(self, hook: Callable[[], object]) -> Iterator[None]:
        """Call `hook` on a stop for as long as the block runs; at once if it is set already.

        Parameters
        ----------
        hook : callable
            Such as the interrupt of a connection; must return quickly and not raise.
        """
        with self._lock:
            self._hooks.append(hook)
            already = self._set
        try:
            if already:
                hook()
            yield
        finally:
            with self._lock:
                self._hooks.remove(hook)

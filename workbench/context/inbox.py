"""What the analyst adds while a question is at work: each loop that plans hears it once.

What was heard, and before which request, is written down; a replay hears it at the same places.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

from workbench.errors import Refused
from workbench.limits import Limits
from workbench.visible import visible

# Stands before each instruction, so that a model knows whose words they are.
PREFIX = "The analyst adds: "


def _nothing() -> None:
    """Find nothing decided."""


class Inbox:
    """The instructions of one run, in order.

    Parameters
    ----------
    limits : Limits
        Gives `objective_chars`, which bounds an instruction too.
    recorded : mapping, optional
        Number of a request → what was heard before it, where a run is played again.
    """

    def __init__(self, limits: Limits, recorded: Mapping[str, Sequence[str]] | None = None) -> None:
        self._most = limits["objective_chars"].number
        self._recorded = recorded
        self._said: list[str] = []
        self._heard: dict[str, int] = {}
        self._lock = threading.Lock()
        # Set by the run that this belongs to: changes what it may use.
        self.allow: Callable[[Mapping[str, object]], None] | None = None
        # Set by it too: takes in what was decided beside it, and may say something here.
        self.look: Callable[[], None] = _nothing

    def say(self, text: str) -> None:
        """Add an instruction.

        Raises
        ------
        Refused
            If it is empty or too long: a cut instruction is another one.
        """
        if not text.strip():
            raise Refused("tell: there is nothing to tell; write the instruction after it")
        if len(text) > self._most:
            raise Refused(
                f"tell: {len(text):,} characters, at most {self._most:,} are allowed "
                "(objective_chars); put long texts into a file of the data folder and name it"
            )
        with self._lock:
            self._said.append(visible(text.strip(), keep="\n\t"))

    def begin(self, loop: str, caller: str) -> None:
        """Let a loop start after what its caller has heard: that is in its objective."""
        with self._lock:
            self._heard[loop] = self._heard.get(caller, 0)

    def waiting(self, loop: str, key: str) -> bool:
        """Tell whether a loop has something to hear before its next request."""
        self.look()
        if self._recorded is not None:
            return bool(self._recorded.get(key))
        with self._lock:
            return self._heard.get(loop, 0) < len(self._said)

    def take(self, loop: str, key: str) -> list[str]:
        """Return what a loop has not heard yet, before request `key`."""
        self.look()
        if self._recorded is not None:
            return list(self._recorded.get(key, ()))
        with self._lock:
            fresh = self._said[self._heard.get(loop, 0) :]
            self._heard[loop] = len(self._said)
            return fresh

    @property
    def unheard(self) -> int:
        """How many instructions no loop has heard."""
        with self._lock:
            return len(self._said) - max(self._heard.values(), default=0)

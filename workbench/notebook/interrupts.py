"""The interrupt button while a question is at work: the first press asks, the second leaves.

The signal sets a flag instead of raising somewhere in the middle of a write; the cell's waiting
loop looks at it. What was in force before is put back whatever happens.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

# The second press ends the waiting; a third must get through even if drawing itself hangs.
_LAST = 3


class Presses:
    """How often the interrupt button was pressed."""

    def __init__(self) -> None:
        self.count = 0

    def press(self) -> None:
        """Count one press.

        Raises
        ------
        KeyboardInterrupt
            At the third: then something other than the waiting loop hangs.
        """
        self.count += 1
        if self.count >= _LAST:
            raise KeyboardInterrupt


@contextlib.contextmanager
def held() -> Iterator[Presses]:
    """Count interrupts instead of raising them.

    Outside the main thread there are none to hold, and the count stays 0.
    """
    presses = Presses()

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        presses.press()

    if threading.current_thread() is not threading.main_thread():
        yield presses
        return
    before = signal.signal(signal.SIGINT, on_signal)
    try:
        yield presses
    finally:
        signal.signal(signal.SIGINT, before)

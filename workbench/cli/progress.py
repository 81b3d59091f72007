"""What a person sees while a run is at work: one updating line, or plain lines where none can be.

Drawn from the view of the run, a fold over its events, by the main thread alone.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

from workbench import marker
from workbench.ledger import Event
from workbench.view import View
from workbench.visible import visible

_CLEAR = "\r\x1b[K"
_OBJECTIVE = 100


class Progress:
    """Shows a run on a stream.

    Parameters
    ----------
    stream : TextIO, optional
        Where to; stderr if left out. A terminal gets one line that is drawn again and again,
        anything else a line at the start and the end of each loop.
    seconds : callable, optional
        Clock of the time shown.
    """

    def __init__(
        self, stream: TextIO | None = None, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._seconds = seconds
        self._began = seconds()
        self._view = View()
        self._drawn = ""

    @property
    def run(self) -> str:
        """The id of the run, empty before its first event."""
        return str(self._view.data["run"])

    def take(self, event: Event) -> None:
        """Take in one event; say what is worth a line of its own."""
        self._view.apply(event)
        if event.kind == "run_started":
            changed = self._view.data["changed_limits"]
            said = f", limits changed: {', '.join(changed)}" if changed else ""
            model = self._view.data["model"]
            at = f" at {model['base']}" if model.get("base") else ""
            named = f"{model.get('provider')} {model.get('name')}{at}"
            self._say(f"run {event.run}: {named}{said}")
        elif event.kind == "attempt" and not self._live:
            self._say(f"{self._loop(event)['id']}: {event.data.get('reason', '')}")
        elif event.kind == "notice":
            self._say(f"note: {event.data.get('text', '')}")
        elif event.kind == "building" and event.data.get("state") != "at work":
            self._say(f"snapshot of {event.data.get('file')}: {event.data.get('state')}")
        elif event.kind == "loop_started" and not self._live:
            self._say(f"{_name(self._loop(event))}: started{_objective(event)}")
        elif event.kind == "loop_ended":
            self._say(_ended(self._loop(event)))

    def draw(self) -> None:
        """Draw the updating line anew; does nothing where lines cannot be drawn over."""
        if not self._live:
            return
        parts = [f"{self._seconds() - self._began:.0f} s"]
        parts += [_working(loop) for loop in self._view.data["loops"] if _at_work(loop)]
        width = max(shutil.get_terminal_size().columns - 1, 20)
        line = marker.short(visible(" | ".join(parts)), width)
        if line != self._drawn:
            self._stream.write(f"{_CLEAR}{line}")
            self._stream.flush()
            self._drawn = line

    def close(self) -> None:
        """Take the updating line away."""
        if self._drawn:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._drawn = ""

    def _say(self, text: str) -> None:
        self.close()
        self._stream.write(f"{visible(' '.join(text.split()))}\n")
        self._stream.flush()

    def _loop(self, event: Event) -> dict[str, Any]:
        return self._view.loop(event.dispatch)


def _at_work(loop: dict[str, Any]) -> bool:
    return str(loop["status"]) == "running"


def _name(loop: dict[str, Any]) -> str:
    return loop["id"] if loop["id"] == loop["agent"] else f"{loop['id']} {loop['agent']}"


def _objective(event: Event) -> str:
    text = str(event.data.get("objective", "")).partition("\n")[0]
    return f": {marker.short(text, _OBJECTIVE)}" if text else ""


def _working(loop: dict[str, Any]) -> str:
    doing = f" {loop['doing']}" if loop["doing"] else ""
    return f"{_name(loop)}{doing}, {loop['context'].get('tokens', 0):,} tokens"


def _ended(loop: dict[str, Any]) -> str:
    met = [row["key"] for row in loop["limits"] if row["hits"]]
    limits = f"; limits met: {', '.join(met)}" if met else ""
    error = f"; {loop['error']}" if loop["error"] else ""
    return (
        f"{_name(loop)}: {loop['status']}, {loop['seconds']:.1f} s, "
        f"{loop['context']['peak_tokens']:,} of {loop['context']['usable']:,} tokens"
        f"{limits}{error}"
    )

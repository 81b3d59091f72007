"""Where a run is shown while it works: a widget, lines of text, or nowhere.

A screen is only ever touched by the cell's own thread.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TextIO
from uuid import uuid4

from workbench.notebook import card, numerals
from workbench.notebook.card_loops import short

if TYPE_CHECKING:
    from workbench.notebook.job import Job
    from workbench.notebook.widget import RunCard

# A widget is redrawn at most four times a second; the clock on it once.
REDRAW_SECONDS = 0.25
CLOCK_SECONDS = 1.0


class Screen(Protocol):
    """Shows one run."""

    def draw(self, job: Job, *, fresh: bool) -> None:
        """Show the run as it stands; `fresh` if something happened since the last call."""
        ...

    def end(self, bundle: dict[str, Any]) -> None:
        """Show what stays."""
        ...


class Quiet:
    """Shows nothing, then the words of the answer."""

    def draw(self, job: Job, *, fresh: bool) -> None:
        """Show nothing."""

    def end(self, bundle: dict[str, Any]) -> None:
        """Print the words of the answer; of a run without any, its reason is the error's line."""
        words = bundle["application/vnd.workbench.run+json"]["view"]["answer"]
        if words:
            _display({"text/plain": words})


class Lines:
    """Shows a line at the start and the end of each loop.

    Parameters
    ----------
    stream : TextIO, optional
        Where to; stderr if left out.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._said: dict[str, str] = {}

    def draw(self, job: Job, *, fresh: bool) -> None:
        """Write a line for each loop that began or ended."""
        if not fresh:
            return
        for loop in job.view["loops"]:
            status = str(loop["status"])
            if self._said.get(loop["id"]) != status:
                self._said[loop["id"]] = status
                self._stream.write(f"{_line(loop)}\n")
                self._stream.flush()

    def end(self, bundle: dict[str, Any]) -> None:
        """Display the static output."""
        _display(bundle)


def _line(loop: dict[str, Any]) -> str:
    name = loop["id"] if loop["id"] == loop["agent"] else f"{loop['id']} {loop['agent']}"
    if loop["status"] == "running":
        aim = short(loop["objective"], 100)
        return f"{name}: started{f': {aim}' if aim else ''}"
    tokens = numerals.count(loop["context"]["peak_tokens"])
    error = f"; {short(loop['error'], 200)}" if loop["error"] else ""
    return f"{name}: {loop['status']}, {numerals.duration(loop['seconds'])}, {tokens} tokens{error}"


class Widget:
    """Shows the live card, and puts the static output in its place at the end.

    Parameters
    ----------
    seconds : callable, optional
        Clock of redraws.
    """

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._card: RunCard | None = None
        self._id = f"workbench-{uuid4().hex}"
        self._drawn = self._ticked = float("-inf")
        self._waiting = False

    def draw(self, job: Job, *, fresh: bool) -> None:
        """Redraw where something happened and the last time is long enough ago."""
        now = self._seconds()
        self._waiting = self._waiting or fresh
        due = self._waiting and now - self._drawn >= REDRAW_SECONDS
        if self._card is None or due:
            self._redraw(job, now)
        elif now - self._ticked >= CLOCK_SECONDS:
            self._card.elapsed = numerals.duration(job.elapsed)
            self._ticked = now

    def _redraw(self, job: Job, now: float) -> None:
        said = numerals.duration(job.elapsed)
        tree = card.live(job.view, said)
        if self._card is None:
            from workbench.notebook.widget import RunCard

            self._card = RunCard()
            self._card.show(tree, said)
            _display(self._card, display_id=self._id)
        else:
            self._card.show(tree, said)
        self._drawn = self._ticked = now
        self._waiting = False

    def end(self, bundle: dict[str, Any]) -> None:
        """Put the static output where the widget was, and close the widget."""
        if self._card is None:
            _display(bundle)
            return
        from IPython.display import update_display

        update_display(bundle, raw=True, display_id=self._id)
        # A closed widget leaves no state in the saved notebook.
        with contextlib.suppress(Exception):
            self._card.close()


def _display(item: object, **named: str) -> None:
    from IPython.display import display

    display(item, raw=isinstance(item, dict), **named)

"""Where a run is shown while it works: a widget, lines of text, or nowhere.

A screen is only ever touched by the cell's own thread.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TextIO
from uuid import uuid4

from workbench.cli.progress import Progress
from workbench.notebook import card, numerals, static
from workbench.notebook.nodes import to_json

if TYPE_CHECKING:
    from workbench.ledger import Event
    from workbench.notebook.job import Job
    from workbench.notebook.widget import RunCard

# A widget is redrawn at most four times a second; the clock on it once.
REDRAW_SECONDS = 0.25
CLOCK_SECONDS = 1.0


class Screen(Protocol):
    """Shows one run."""

    def draw(self, job: Job, fresh: Sequence[Event]) -> None:
        """Show the run as it stands; `fresh` is what happened since the last call."""
        ...

    def end(self, bundle: dict[str, Any] | None) -> None:
        """Show what stays; None where no run came of it."""
        ...


class Quiet:
    """Shows nothing, then the words of the answer."""

    def draw(self, job: Job, fresh: Sequence[Event]) -> None:
        """Show nothing."""

    def end(self, bundle: dict[str, Any] | None) -> None:
        """Show the words of the answer; of a run without any, its reason is the error's line."""
        words = bundle[static.MIME]["view"]["answer"] if bundle else ""
        if words:
            _display({"text/plain": words})


class Lines:
    """Shows a line at the start and the end of each loop, as the command line does.

    Parameters
    ----------
    stream : TextIO, optional
        Where to; stderr if left out.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._progress = Progress(stream)

    def draw(self, job: Job, fresh: Sequence[Event]) -> None:  # noqa: ARG002 - a screen draws a job
        """Write a line for each loop that began or ended."""
        for event in fresh:
            self._progress.take(event)
        self._progress.draw()

    def end(self, bundle: dict[str, Any] | None) -> None:
        """Display the static output."""
        self._progress.close()
        if bundle:
            _display(bundle)


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

    def draw(self, job: Job, fresh: Sequence[Event]) -> None:
        """Redraw where something happened and the last time is long enough ago."""
        if not job.working:
            return
        now = self._seconds()
        self._waiting = self._waiting or bool(fresh)
        due = self._waiting and now - self._drawn >= REDRAW_SECONDS
        if self._card is None or due:
            self._redraw(job)
        elif now - self._ticked >= CLOCK_SECONDS:
            self._card.elapsed = numerals.duration(job.elapsed)
            self._ticked = now

    def _redraw(self, job: Job) -> None:
        said = numerals.duration(job.elapsed)
        tree = card.live(job.view, said)
        if self._card is None:
            from workbench.notebook.widget import RunCard

            self._card = RunCard(card=to_json(tree), elapsed=said)
            self._name(self._card, job)
            _display(self._card, display_id=self._id)
        else:
            self._card.show(tree, said)
            if self._card.begun is None and self._name(self._card, job):
                _display(self._card, display_id=self._id, update=True)
        # Counted from when it was sent: the first one takes time to make.
        self._drawn = self._ticked = self._seconds()
        self._waiting = False

    @staticmethod
    def _name(shown: RunCard, job: Job) -> bool:
        """Note in the output which run it is of, once that is known."""
        if (folder := job.folder) is not None:
            shown.begun = static.begun(folder)
        return folder is not None

    def end(self, bundle: dict[str, Any] | None) -> None:
        """Put the static output where the widget was, and close the widget."""
        if self._card is None:
            if bundle:
                _display(bundle)
            return
        from IPython.display import update_display

        update_display(bundle or {"text/plain": ""}, raw=True, display_id=self._id)
        # A closed widget leaves no state in the saved notebook.
        with contextlib.suppress(Exception):
            self._card.close()


def _display(item: object, **named: str | bool) -> None:
    from IPython.display import display

    display(item, raw=isinstance(item, dict), **named)

"""How a run stands, in pieces small enough to be told four times a second.

The pieces are those of the view model, which is folded once, in `workbench.view`; here they are
only chosen: the loops an event touched, and all of a small run at every pulse, so that a page that
has just been loaded knows everything after one message.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import count
from typing import TYPE_CHECKING, Any

from workbench import marker
from workbench.notebook import card_tables

if TYPE_CHECKING:
    from workbench.ledger import Event
    from workbench.notebook.job import Job

# A page that was just loaded waits for the next pulse.
CHANGE_SECONDS, PULSE_SECONDS = 0.25, 0.5
# Loops and results in one message; a page asks for the others when it shows them.
PAGE = 200
# The most loops that a pulse repeats whole, of a larger run those at its end.
PULSE_LOOPS = 24
_OBJECTIVE_CHARS, _ERROR_CHARS, _ANSWER_CHARS = 300, 400, 100_000
# Sent in pieces of their own, or of no use to a page.
_APART = frozenset({"loops", "dispatches", "artefacts", "snapshots", "overrides", "pid", "sent_as"})
# The same for the whole run: enough to be told at every pulse.
_STEADY = frozenset({"limits", "enforced", "units", "confinement", "calibration"})
_numbers = count(1)


class Follower:
    """Follows one question at work.

    Parameters
    ----------
    job : Job
        The question.
    seconds : callable, optional
        Clock of messages.
    """

    def __init__(self, job: Job, seconds: Callable[[], float] = time.monotonic) -> None:
        self.job = job
        self._number = next(_numbers)
        self._seconds = seconds
        self._touched: set[str] = set()
        self._changed = True
        self._told_at = self._pulsed_at = float("-inf")
        self._made = 0

    def due(self, fresh: Sequence[Event]) -> dict[str, Any] | None:
        """Return what is to be told now, or None."""
        self._touched.update(event.dispatch for event in fresh)
        self._changed = self._changed or bool(fresh)
        now = self._seconds()
        pulse = now - self._pulsed_at >= PULSE_SECONDS
        if not pulse and not (self._changed and now - self._told_at >= CHANGE_SECONDS):
            return None
        return self._state(now, pulse=pulse)

    def last(self) -> dict[str, Any]:
        """Return the whole state at the end."""
        return {**self._state(self._seconds(), pulse=True), "at_work": False}

    def _state(self, now: float, *, pulse: bool) -> dict[str, Any]:
        view = self.job.view if self.job.answer is None else self.job.answer.view
        loops, made = view["loops"], view["artefacts"]
        first = max(len(loops) - PULSE_LOOPS, 0)
        chosen = [
            place
            for place, loop in enumerate(loops)
            if loop["id"] in self._touched or (pulse and place >= first)
        ]
        fresh = range(max(len(made) - PULSE_LOOPS, 0) if pulse else self._made, len(made))
        self._made, self._touched, self._changed, self._told_at = len(made), set(), False, now
        self._pulsed_at = now if pulse else self._pulsed_at
        return {
            "job": self._number,
            "at_work": self.job.working,
            "elapsed": round(self.job.elapsed, 1),
            "head": head(view, steady=pulse),
            "loops": {
                "total": len(loops),
                "items": [[place, slim(loops[place])] for place in chosen[-PAGE:]],
            },
            "artefacts": {
                "total": len(made),
                "items": [[place, made[place]] for place in fresh][-PAGE:],
            },
        }


def head(view: Mapping[str, Any], *, steady: bool) -> dict[str, Any]:
    """Return a view without its lists; also without what never changes, unless `steady`."""
    left = _APART if steady else _APART | _STEADY
    kept = {key: value for key, value in view.items() if key not in left}
    if steady:
        # Summed here, since a page need not know every loop.
        kept["met"] = [
            {key: value for key, value in row.items() if key != "loops"}
            for row in card_tables.totals(view)
        ]
        kept["ends"] = dict(Counter(str(loop["status"]) for loop in view["loops"]))
    return {**kept, "answer": marker.short(str(view["answer"]), _ANSWER_CHARS)}


def slim(loop: Mapping[str, Any]) -> dict[str, Any]:
    """Return a loop with its long texts cut; the whole is asked for when it is opened."""
    return {
        **{key: value for key, value in loop.items() if key != "result"},
        "objective": marker.short(str(loop["objective"]), _OBJECTIVE_CHARS),
        "error": marker.short(str(loop["error"]), _ERROR_CHARS),
    }


def page(items: Sequence[Mapping[str, Any]], begin: int, *, loops: bool) -> dict[str, Any]:
    """Return one page of loops or results with their places."""
    part = items[begin : begin + PAGE]
    shown = [slim(item) if loops else item for item in part]
    return {"total": len(items), "items": [[begin + n, item] for n, item in enumerate(shown)]}


def whole(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return a run that is not at work, with the first page of each list."""
    return {
        "job": 0,
        "at_work": False,
        "elapsed": took(view),
        "head": head(view, steady=True),
        "loops": page(view["loops"], 0, loops=True),
        "artefacts": page(view["artefacts"], 0, loops=False),
    }


def took(view: Mapping[str, Any]) -> float | None:
    """Return the seconds from a run's first event to its last, or None while it has none."""
    try:
        begin, end = (datetime.fromisoformat(str(view[key])) for key in ("started", "ended"))
    except ValueError:
        return None
    return round((end - begin).total_seconds(), 1)

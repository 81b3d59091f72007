"""The error tree, drawn.

    WorkbenchError            anything this product raises on purpose
    ├── Refused               told to the model (or the person who called): the run goes on
    │   └── LimitReached      a row of the limits table refused it
    ├── Failed                ends the dispatch; the run goes on
    └── Fault                 ends the run
        ├── Stopped           the analyst stopped it
        └── BudgetReached     the run's own budget stopped it

A message says what was asked, what stood against it, and what to do next, in one line.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class WorkbenchError(Exception):
    """Anything this product raises on purpose; its text may be shown to a person as it is."""

    def _render_traceback_(self) -> list[str]:
        """Return what a notebook shows of it: what was asked and what to do, in one line."""
        return [f"{type(self).__name__}: {self}"]


class Refused(WorkbenchError):
    """A request that was turned down; the text goes back to whoever asked, and work goes on."""


class LimitReached(Refused):
    """A request that a row of the limits table turned down.

    Parameters
    ----------
    message : str
        What was asked, what stood against it, what to do next.
    key : str
        Key of the row in `workbench.limits.LIMITS`.
    """

    def __init__(self, message: str, key: str) -> None:
        super().__init__(message)
        self.key = key


class Failed(WorkbenchError):
    """A dispatch that cannot go on; the run continues without it."""


class Fault(WorkbenchError):
    """A run that cannot go on."""


class Stopped(Fault):
    """The analyst stopped the run."""


class BudgetReached(Fault):
    """The run's token or time budget is used up."""


# A hint that is less alike than this leads astray.
_ALIKE = 0.55


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the closest known word, or an empty string.

    Parameters
    ----------
    word : str
        What was asked for.
    known : iterable of str
        What exists.

    Returns
    -------
    str
        ``"; nearest: 'Au_ppb'"`` or ``""``.
    """
    by_fold = {name.casefold(): name for name in known}
    asked = word.casefold()
    found = difflib.get_close_matches(asked, by_fold, n=1, cutoff=_ALIKE)
    # "Cu_ppm" is not much like "Cu", but it begins with it.
    found = found or [
        name
        for name in by_fold
        if min(len(asked), len(name)) > 1 and (name.startswith(asked) or asked.startswith(name))
    ]
    return f"; nearest: '{by_fold[found[0]]}'" if found else ""


def status_of(error: BaseException) -> str:
    """Return the status of a run that an error ended."""
    if isinstance(error, Stopped | KeyboardInterrupt):
        return "interrupted"
    return "budget" if isinstance(error, BudgetReached) else "failed"

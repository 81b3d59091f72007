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
    found = difflib.get_close_matches(word.casefold(), by_fold, n=1, cutoff=0.4)
    return f"; nearest: '{by_fold[found[0]]}'" if found else ""

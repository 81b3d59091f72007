"""The right answers, worked out from the raw files with pandas and numpy alone.

Each function takes the raw files and what a question names, and returns the numbers or words that
a right answer has in it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable

from workbench.errors import Refused

Value = float | str
Work = Callable[..., list[Value]]
WORKS: dict[str, Work] = {}
_MODULES = ("columns", "tables")


def work(function: Work) -> Work:
    """Enter a function under its name."""
    WORKS[function.__name__.rstrip("_")] = function
    return function


def find(name: str) -> Work:
    """Return a function by name.

    Raises
    ------
    Refused
        If a question names one that is not there.
    """
    for module in _MODULES:
        importlib.import_module(f"workbench.score.{module}")
    if name not in WORKS:
        raise Refused(f"question: value '{name}': there is none; see workbench/score")
    return WORKS[name]

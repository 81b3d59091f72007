"""Names of the tables of one file: told apart by a number where two are alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def numbered(names: Sequence[str]) -> list[str]:
    """Make names unique, without regard to case.

    Examples
    --------
    >>> numbered(["Log", "Core_Data", "log", "log 2"])
    ['Log', 'Core_Data', 'log 2', 'log 2 2']
    """
    met: Counter[str] = Counter()
    taken: set[str] = set()
    found = []
    for name in names:
        unique = name
        while unique.casefold() in taken:
            met[name.casefold()] += 1
            unique = f"{name} {met[name.casefold()] + 1}"
        taken.add(unique.casefold())
        found.append(unique)
    return found

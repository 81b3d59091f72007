"""Units that the lines above a header state for all columns: "Einheit: mg/kg", "traces in ppm".

A line counts only if it holds one unit and a word that says what the unit is of; a line that could
be read in two ways says nothing.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.tables.units import UNITS, unit_named

_SPLIT = re.compile(r"[\s,;:=]+")
_CLAUSE = re.compile(r"[;,]\s|\.\s+(?=[A-Z])|\band\b|\bund\b|\bet\b|\by\b")
_OF_ALL = re.compile(
    r"\b(?:units?|einheit(?:en)?|unit[ée]s?|unidad(?:es)?|unit[àa]|values?|results?|werte|data|"
    r"concentrations?|concentraciones|konzentration(?:en)?|elements?|elemente|everything|all)\b",
    re.IGNORECASE,
)
_OF_MAJORS = re.compile(r"\b(?:majors?|oxides?|oxide|haupt\w*|major elements)\b", re.IGNORECASE)
_OF_TRACES = re.compile(r"\b(?:traces?|trace elements|ree|spuren\w*|minor\w*)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Told:
    """A unit for columns that have none of their own.

    Attributes
    ----------
    unit : str
        Its spelling in `workbench.tables.units`.
    roles : frozenset of str
        Columns it holds for.
    line : str
        Where it is stated.
    """

    unit: str
    roles: frozenset[str]
    line: str


def units_of(lines: Sequence[str]) -> tuple[Told, ...]:
    """Return the units that lines above a header state.

    Examples
    --------
    >>> [(told.unit, sorted(told.roles)) for told in units_of(["Majors in wt%; traces in ppm"])]
    [('pct', ['oxide']), ('ppm', ['element'])]
    """
    found: list[Told] = []
    for line in lines:
        for clause in _CLAUSE.split(line):
            units = set(_units(clause))
            if len(units) != 1:
                continue
            roles = _roles(clause)
            if roles:
                found.append(Told(units.pop(), roles, line.strip()))
    return tuple(found)


def _units(clause: str) -> list[str]:
    """Return the units of mass fraction among the words of a clause."""
    words = [word.strip("()[]\"'.") for word in _SPLIT.split(clause) if word]
    named = [unit_named(word) for word in words]
    joined = [unit_named(a + b) for a, b in itertools.pairwise(words)]
    return [unit for unit in (*named, *joined) if unit and UNITS[unit].dimension == "mass fraction"]


def _roles(clause: str) -> frozenset[str]:
    """Return the roles of the columns a clause is about; none if it does not say."""
    if _OF_MAJORS.search(clause):
        return frozenset({"oxide"})
    if _OF_TRACES.search(clause):
        return frozenset({"element"})
    return frozenset({"element", "oxide"}) if _OF_ALL.search(clause) else frozenset()

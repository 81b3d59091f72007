"""Numbers that stand for a gap: -9999 and its like.

A number is taken for one only where it cannot be a result: it is on the list, lies outside all
other values of the column, and the role of the column allows no such value or it is repeated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.formats.reading import Reading
from workbench.tables.cells import Grammar
from workbench.tables.profile import layered
from workbench.tables.table import MEASURED
from workbench.tables.weighted import Cells, raw_groups

# Written for "not analysed", "no data" by data bases, loggers and gridding programs.
LOW = (-99.0, -999.0, -999.25, -9999.0, -9999.25, -99999.0, -999999.0, -1e30, -1e32)
HIGH = (9999.0, 99999.0, 999999.0, 9999999.0, 1e30, 1.70141e38)
# Below these no coordinate, depth or angle can lie by chance.
_SURE = frozenset({-9999.0, -999.25, -9999.25, -99999.0, -999999.0, -1e30, -1e32, 1e30, 1.70141e38})
# A number at the top is a gap only if repeated and this many times the next one.
_FAR = 10.0
_REPEATS = 2


def find_sentinels(
    reading: Reading, relation: str, roles: Mapping[int, str | None], grammar: Grammar
) -> dict[int, tuple[float, ...]]:
    """Find the numbers that stand for a gap in each column.

    Parameters
    ----------
    reading, relation
        The raw table.
    roles : mapping of int to str or None
        Number columns whose smallest or largest value gives rise to the question, by role.
    grammar : Grammar
        How their numbers are written.

    Returns
    -------
    dict of int to tuple of float
        Columns that have some.
    """
    found: dict[int, tuple[float, ...]] = {}
    cell = Cells(reading, relation)
    for group in raw_groups(reading, relation, list(roles)):
        part = reading.part(relation, group)
        source = layered(part, dict.fromkeys(group, grammar), cell.extra)
        parts = ", ".join(
            part
            for at in group
            for part in (
                *(cell.where(f"v{at} = {value!r}::DOUBLE") for value in (*LOW, *HIGH)),
                f"min(v{at}) FILTER (NOT ({_listed(at)}))",
                f"max(v{at}) FILTER (NOT ({_listed(at)}))",
            )
        )
        row = reading.one(f"SELECT {parts} FROM {source}")  # noqa: S608 - our own names
        size = len(LOW) + len(HIGH) + 2
        for number, at in enumerate(group):
            counts = row[number * size : (number + 1) * size]
            values = _chosen(counts[:-2], counts[-2], counts[-1], roles[at])
            if values:
                found[at] = values
    return found


def _listed(at: int) -> str:
    """Return SQL that tells whether a number is on the list; an IN list costs the planner more."""
    return " OR ".join(f"v{at} = {value!r}::DOUBLE" for value in (*LOW, *HIGH))


def _chosen(
    counts: Sequence[int], low: float | None, high: float | None, role: str | None
) -> tuple[float, ...]:
    """Choose among the listed numbers that occur, given the range of all others."""
    met = {value: n for value, n in zip((*LOW, *HIGH), counts, strict=True) if n}
    chosen = []
    for value, times in met.items():
        outside = (low is None or value < low) if value < 0 else _far(value, high)
        free = role is None or role in MEASURED
        # A result cannot be negative; isotopes and other ratios can.
        impossible = role in {"element", "oxide"} and value < 0
        enough = impossible or value in _SURE or (free and times >= _REPEATS)
        if value > 0:
            enough = (value in _SURE or times > _REPEATS) and free
        if outside and enough:
            chosen.append(value)
    return tuple(sorted(chosen))


def _far(value: float, high: float | None) -> bool:
    return high is None or (high > 0 and value >= _FAR * high)

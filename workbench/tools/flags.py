"""Anomalous samples of one column: one threshold, or one a group.

Censored values count at the policy's value when a threshold is found, and a value below detection
is never flagged, whatever the threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts
from workbench.accounting.rows import Groups, Rows, groups
from workbench.errors import Refused
from workbench.tables import thresholds
from workbench.tables.statistics import rounded
from workbench.tables.thresholds import Rule

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table
    from workbench.tools.context import Context

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
_FEWEST = 5
_MOST_GROUPS = 200


@dataclass(frozen=True)
class Group:
    """The threshold of one group, in the unit of the column."""

    name: str
    size: int
    median: float
    threshold: float
    flagged: int
    reason: str

    def fact(self, small: int) -> dict[str, Any]:
        """Return the group as a fact; a group under `small` values is marked."""
        values: dict[str, Any] = {
            "n": self.size,
            "median": rounded(self.median),
            "threshold": rounded(self.threshold),
            "flagged": self.flagged,
        }
        return {**values, "small": True} if self.size < small else values


@dataclass(frozen=True)
class Flags:
    """What a rule came to.

    Attributes
    ----------
    method, rule : str
        The rule's name, and the rule in words.
    rows : Rows
        Rows used, and why others were not.
    groups : tuple of Group
        Largest first; one where there is no grouping.
    scores, limits : ndarray of float64, shape (rows,)
        NaN where a row has none.
    high : ndarray of bool, shape (rows,)
        Flagged rows.
    unsure : int
        Values above the upper limit of a method whose limit lies below the threshold.
    half_censored : bool
        True if half of the values used or more are below detection.
    """

    method: Rule
    rule: str
    rows: Rows
    groups: tuple[Group, ...]
    scores: Numbers
    limits: Numbers
    high: Mask
    unsure: int
    half_censored: bool

    def notes(self, small: int) -> tuple[str, ...]:
        """Return what a reader must know beside the numbers."""
        notes = [f"{_of(g.name)}no threshold: {g.reason}" for g in self.groups if g.reason]
        few = [g.name for g in self.groups if g.size < small and g.name]
        if few:
            listed = ", ".join(few[:8]) + (f" and {len(few) - 8} more" if len(few) > 8 else "")  # noqa: PLR2004 - a line holds eight
            notes.append(f"groups under {small} values, whose thresholds are weak: {listed}")
        if self.half_censored:
            notes.append(
                "half of the values or more are below detection: the median lies among them, and "
                "the threshold depends on the policy; compare with percentile"
            )
        if self.unsure:
            notes.append(f"{self.unsure} values above an upper limit may or may not be anomalous")
        return tuple(notes[:12])


def _of(name: str) -> str:
    return f"group {name}: " if name else ""


def flag(
    context: Context,
    table: Table,
    column: Column,
    by: Column | None,
    method: Rule,
    *,
    k: float | None,
    percentile: float,
    log: bool,
) -> Flags:
    """Find the anomalous rows of a table.

    Raises
    ------
    Refused
        For a `k` or percentile outside its range, or too few values.
    """
    spreads = thresholds.DEFAULT_K.get(method, 0.0) if k is None else k
    if k is not None and not 0 < k <= 100:  # noqa: PLR2004 - beyond it nothing is ever flagged
        raise Refused(f"anomaly k={k:g}: give a number above 0 and up to 100")
    if not 50 <= percentile < 100:  # noqa: PLR2004 - the upper half
        raise Refused(f"anomaly percentile={percentile:g}: give 50 or more and less than 100")
    names = [column.name, *([by.name] if by else [])]
    rows = Rows.of(context.connection.frame(table, names))
    use_log = log and method != "percentile"
    rows.need_numbers([column.name], positive=use_log)
    series = rows.frame.series[column.name]
    split = Groups(("",), np.zeros(rows.frame.rows, dtype=np.int64))
    if by is not None:
        split = groups(rows.frame.series[by.name], rows.keep)
        rows.need(by.name, split.codes >= 0, "missing")
    rows.need_some(_FEWEST, f"anomaly of '{facts.name(column.name)}'")
    found, scores, limits = _grouped(
        rows, split, series.values, method, spreads, percentile, log=use_log
    )
    low = series.below
    with np.errstate(invalid="ignore"):
        over = rows.keep & (series.values > limits)
        unsure = rows.keep & series.above & (series.values <= limits)
    scores[low] = np.nan
    high = over & ~low
    counted = tuple(_counted(one, split.codes == place, high) for place, one in enumerate(found))
    few = int((low & rows.keep).sum()) * 2 >= rows.used
    rule = thresholds.words(method, spreads, percentile, log=use_log)
    return Flags(method, rule, rows, counted, scores, limits, high, int(unsure.sum()), few)


def _grouped(
    rows: Rows,
    split: Groups,
    values: Numbers,
    method: Rule,
    k: float,
    percentile: float,
    *,
    log: bool,
) -> tuple[list[tuple[str, int, float, float, str]], Numbers, Numbers]:
    """Return name, size, median, threshold and reason a group, and scores and limits a row."""
    if len(split.names) > _MOST_GROUPS:
        raise Refused(
            f"anomaly: {len(split.names)} groups are too many for thresholds of their own (at most "
            f"{_MOST_GROUPS}); choose a column with fewer values"
        )
    scores, limits = (np.full(rows.frame.rows, np.nan) for _ in range(2))
    found = []
    for place, name in enumerate(split.names):
        members = rows.keep & (split.codes == place)
        scale = np.log10(values[members]) if log else values[members]
        told = thresholds.threshold(scale, method, k, percentile)
        limit = 10.0**told.value if log else told.value
        scores[members], limits[members] = told.scores, limit
        middle = float(np.median(values[members]))
        found.append((name, int(members.sum()), middle, limit, told.reason))
    return found, scores, limits


def _counted(found: tuple[str, int, float, float, str], members: Mask, high: Mask) -> Group:
    name, size, middle, limit, reason = found
    return Group(facts.name(name), size, middle, limit, int((high & members).sum()), reason)

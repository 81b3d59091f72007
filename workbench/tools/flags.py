"""Anomalous samples of one column: one threshold, or one a group.

Censored values count at the policy's value when a threshold is found, and a value below detection
is never flagged, whatever the threshold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
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
RuleOf = Callable[[Numbers], thresholds.Threshold]
_FEWEST = 5
_MOST_GROUPS = 200
# A value below detection counts at half its limit; it may as well be the limit, or a tenth of it.
_AT_LIMIT, _AT_TENTH = 2.0, 0.2
# A threshold that moves by more than this share rests on the treatment of non-detects.
_MOVED = 0.1


@dataclass(frozen=True)
class Group:
    """The threshold of one group, in the unit of the column.

    Attributes
    ----------
    name : str
    size, below : int
        Values used, and how many of them are below detection.
    median, threshold, highest : float
        The threshold is NaN where the rule cannot tell.
    flagged : int or None
        None where there is no threshold: nothing was compared with anything.
    span : tuple of float or None
        Lowest and highest threshold over the treatments of non-detects, where they differ.
    reason : str
        Why there is no threshold; empty otherwise.
    """

    name: str
    size: int
    below: int
    median: float
    threshold: float
    highest: float
    flagged: int | None
    span: tuple[float, float] | None
    reason: str

    @property
    def beyond(self) -> bool:
        """True where the threshold lies above every value."""
        return self.threshold > self.highest

    def limit(self) -> dict[str, Any]:
        """Return the threshold and what it rests on, as facts."""
        values: dict[str, Any] = {"threshold": rounded(self.threshold)}
        if self.span is not None:
            values["threshold_range"] = [rounded(end) for end in self.span]
        return {**values, "highest": rounded(self.highest)} if self.beyond else values

    def fact(self, small: int) -> dict[str, Any]:
        """Return the group as a fact; a group under `small` values is marked."""
        values: dict[str, Any] = {"n": self.size}
        if self.below:
            values["below"] = self.below
        values |= {"median": rounded(self.median), **self.limit(), "flagged": self.flagged}
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

    @property
    def flagged(self) -> int | None:
        """Flagged rows; None where no group has a threshold."""
        counts = [group.flagged for group in self.groups if group.flagged is not None]
        return sum(counts) if counts else None

    def notes(self, small: int) -> tuple[str, ...]:
        """Return what a reader must know beside the numbers."""
        notes = [f"{_of(g.name)}no threshold: {g.reason}" for g in self.groups if g.reason]
        notes += [
            f"{_of(g.name)}the threshold exceeds the highest value {g.highest:.3g}; the spread is "
            "too wide for this rule; try the percentile"
            for g in self.groups
            if g.beyond
        ]
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
    low = series.below
    values = series.values
    rule_of = _ruling(method, spreads, percentile, log=use_log)
    found, scores, limits = _grouped(rows, split, values, low, rule_of)
    with np.errstate(invalid="ignore"):
        over = rows.keep & (values > limits)
        unsure = rows.keep & series.above & (values <= limits)
    scores[low] = np.nan
    high = over & ~low
    counted = tuple(_counted(one, split.codes == place, high) for place, one in enumerate(found))
    few = int((low & rows.keep).sum()) * 2 >= rows.used
    rule = thresholds.words(method, spreads, percentile, log=use_log)
    return Flags(method, rule, rows, counted, scores, limits, high, int(unsure.sum()), few)


def _ruling(method: Rule, k: float, percentile: float, *, log: bool) -> RuleOf:
    """Return the rule as a function of values in the column's unit."""

    def rule_of(numbers: Numbers) -> thresholds.Threshold:
        scale = np.log10(numbers) if log else numbers
        told = thresholds.threshold(scale, method, k, percentile)
        return replace(told, value=10.0**told.value) if log else told

    return rule_of


def _grouped(
    rows: Rows, split: Groups, values: Numbers, low: Mask, rule_of: RuleOf
) -> tuple[list[Group], Numbers, Numbers]:
    """Return the groups, not yet counted, and scores and limits a row."""
    if len(split.names) > _MOST_GROUPS:
        raise Refused(
            f"anomaly: {len(split.names)} groups are too many for thresholds of their own (at most "
            f"{_MOST_GROUPS}); choose a column with fewer values"
        )
    scores, limits = (np.full(rows.frame.rows, np.nan) for _ in range(2))
    found = []
    for place, name in enumerate(split.names):
        members = rows.keep & (split.codes == place)
        own, hidden = values[members], low[members]
        told = rule_of(own)
        scores[members], limits[members] = told.scores, told.value
        span = _span(own, hidden, told.value, rule_of)
        ends = float(np.median(own)), told.value, float(own[~hidden].max(initial=-np.inf))
        size, below = own.size, int(hidden.sum())
        found.append(Group(facts.name(name), size, below, *ends, None, span, told.reason))
    return found, scores, limits


def _span(
    values: Numbers, hidden: Mask, limit: float, rule_of: RuleOf
) -> tuple[float, float] | None:
    """Return the thresholds with non-detects at their limit and at a tenth, where they differ."""
    if not hidden.any() or not np.isfinite(limit):
        return None
    others = [
        rule_of(np.where(hidden, values * times, values)).value for times in (_AT_LIMIT, _AT_TENTH)
    ]
    ends = [limit, *(other for other in others if np.isfinite(other))]
    moved = max(abs(end - limit) for end in ends) > _MOVED * abs(limit)
    return (min(ends), max(ends)) if moved else None


def _counted(group: Group, members: Mask, high: Mask) -> Group:
    """Return a group with its flagged rows counted; none are where it has no threshold."""
    counted = int((high & members).sum()) if np.isfinite(group.threshold) else None
    return replace(group, flagged=counted)

"""Statistics of columns with values below detection, by routes that substitute nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import grouping, numeric
from workbench.accounting.rows import MISSING, Rows, groups
from workbench.reply import Reply
from workbench.tables.statistics import Sample, rounded
from workbench.tools.context import Context
from workbench.tools.each import each
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.censored import Estimate
    from workbench.tables.table import Column

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
_SHARES = (0.25, 0.75, 0.9, 0.95)
_SHOWN = 8
_MOSTLY = 0.8
_POLICY = "nothing substituted by km, ros and mle; values above range at the limit"
# Efron's rule: what is left of the distribution under the lowest detected value stands at a limit.
_LEANS = (
    "where the lowest values are non-detects, km puts them at the lowest limit, so that its mean "
    "alone leans high; read it beside ros and mle"
)
_HEADER = (
    *("column", "group", "unit", "n", "below", "above", "share_below", "lowest_limit"),
    *("highest_limit", "method", "mean", "sd", "median", "p25", "p75", "p90", "p95"),
)


@tool(effect="derive")
def censored_stats(
    context: Context,
    path: str,
    columns: list[str],
    by: str | None = None,
    sheet: str | None = None,
) -> Reply:
    """Mean, sd, median, quantiles where many values are below detection, without substitution.

    Side by side: Kaplan-Meier, regression on order statistics (ros), lognormal likelihood (mle),
    and half the limit for comparison. Where they differ, the data do not tell.

    Parameters
    ----------
    path : str
        File or result path.
    columns : list of str
        Number columns.
    by : str
        Group column.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    chosen = numeric(table, columns)
    split = None if by is None else grouping(table, by)
    listed = [column.name for column in chosen]
    extra = [split.name] if split is not None and split.name not in listed else []
    rows = Rows.of(context.connection.frame(table, [*listed, *extra]))
    parted: list[tuple[str, Mask]] = [("", rows.keep)]
    if split is not None:
        found = groups(rows.frame.series[split.name], rows.keep)
        parted = [(name, found.codes == place) for place, name in enumerate(found.names)]
    lines: list[list[Any]] = []
    values: dict[str, Any] = {"rows_in": rows.frame.rows}
    notes: list[str] = []
    for column in each(context, chosen, "column"):
        for name, inside in parted:
            part = _Part.of(column, rows.alone(inside))
            lines += part.lines(name)
            key = facts.name(column.name) if not name else f"{facts.name(column.name)} | {name}"
            if len(values) <= _SHOWN:
                values[key[:120]] = part.fact()
            notes += part.notes(key)
    stem = context.named(path, "censored_stats", *(("by", split.name) if split else ()))
    made = results.small_table(context, stem, _HEADER, lines)
    if len(lines) and (more := len(chosen) * len(parted) - (len(values) - 1)):
        values["more_in_output"] = f"{more} columns or groups more"
    values |= {"policy": _POLICY, "output": facts.output(made.path)}
    values |= {"km_mean": _LEANS} if any(line[4] for line in lines) else {}
    if len(notes) > _SHOWN:
        notes[_SHOWN:] = [f"and {len(notes) - _SHOWN} notes more of this kind"]
    return Reply(values, made=(made,), notes=tuple(notes))


class _Part:
    """The values of one column in one group."""

    def __init__(self, column: Column, values: Numbers, below: Mask, rows: Rows) -> None:
        self.column, self.values, self.below, self.rows = column, values, below, rows
        self.dropped = rows.reasons(column.name)
        self.missing = self.dropped.pop(MISSING, 0)
        self.above = int((rows.frame.series[column.name].above & rows.keep).sum())

    @classmethod
    def of(cls, column: Column, rows: Rows) -> _Part:
        """Take detected values, and the limits of the others; what no route can use is counted."""
        series = rows.frame.series[column.name]
        limit = series.limit.copy()
        bare = series.below & ~np.isfinite(limit)
        if column.limits:
            limit[bare] = max(column.limits)
        values = np.where(series.below, limit, series.values)
        rows.need_values(column.name, values)
        rows.need_positive(column.name, values)
        return cls(column, values[rows.keep], series.below[rows.keep], rows)

    def estimates(self) -> dict[str, Estimate]:
        """Return each route's numbers; empty without a detected value."""
        from workbench.tables import censored as by

        if not (~self.below).any():
            return {}
        half = np.where(self.below, self.values / 2, self.values)
        return {
            "km": by.kaplan_meier(self.values, self.below, _SHARES),
            "ros": by.regression_on_order(self.values, self.below, _SHARES),
            "mle": by.likelihood(self.values, self.below, _SHARES),
            "half": by.Estimate(
                float(half.mean()),
                float(half.std(ddof=1)) if half.size > 1 else float("nan"),
                float(np.median(half)),
                {share: float(np.quantile(half, share)) for share in _SHARES},
            ),
        }

    @property
    def share(self) -> float:
        """Share of the values that are below detection."""
        return float(self.below.mean()) if self.below.size else 0.0

    def _first(self) -> dict[str, Any]:
        limits = self.values[self.below]
        return {
            "n": int(self.values.size),
            "below": int(self.below.sum()),
            "above": self.above,
            "share_below": rounded(self.share, 3),
            "limits": [rounded(float(limits.min())), rounded(float(limits.max()))]
            if limits.size
            else [],
        }

    def fact(self) -> dict[str, Any]:
        """Return what an answer says of the part."""
        told: dict[str, Any] = {"unit": self.column.unit or "not stated", **self._first()}
        if self.missing:
            told["missing"] = self.missing
        if self.dropped:
            told["dropped"] = self.dropped
        for name, one in self.estimates().items():
            numbers = {"mean": one.mean, "sd": one.sd, "median": one.median}
            told[name] = {key: rounded(number, 4) for key, number in numbers.items()}
            if name == "km" and not np.isfinite(one.median):
                told[name]["median"] = self._bound()
        return told

    def _bound(self) -> float | int | str | None:
        """Return what the ranks alone say of the median, such as ``<0.5``."""
        plain, limits = self.values[~self.below], self.values[self.below]
        return Sample(plain, limits, np.empty(0)).quantile(0.5)

    def lines(self, group: str) -> list[list[Any]]:
        """Return the part's lines of the table on disk, one a method."""
        first = self._first()
        limits = first["limits"] or [None, None]
        head = [self.column.name, group, self.column.unit or "", first["n"], first["below"]]
        head += [first["above"], first["share_below"], *limits]
        return [
            [*head, name, one.mean, one.sd, one.median, *(one.quantiles[s] for s in _SHARES)]
            for name, one in self.estimates().items()
        ] or [[*head, "none", *([None] * 7)]]

    def notes(self, key: str) -> Sequence[str]:
        """Say where no route can tell much, and what was left out that a route would need."""
        return (*(f"{key}: {note}" for note in self.rows.notes()), *self._limits(key))

    def _limits(self, key: str) -> Sequence[str]:
        if not self.values.size:
            return (f"{key}: no value can be used",)
        if not (~self.below).any():
            return (f"{key}: every value is below detection; only the limits are known",)
        if self.share > _MOSTLY:
            return (f"{key}: {self.share:.0%} below detection; only high quantiles are known",)
        if self.share > 0.5:  # noqa: PLR2004 - the median itself
            return (f"{key}: over half below detection; the median is known only as below a limit",)
        return ()

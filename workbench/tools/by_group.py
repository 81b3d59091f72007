"""Percentiles of columns group by group, censored values ranked and never replaced.

Rows without a group are counted apart; those of quality control are left out. The whole table of
groups and columns goes to disk, every figure with its basis in the header.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import grouping, numeric
from workbench.accounting.rows import Rows, groups
from workbench.reply import Reply
from workbench.tables.statistics import Sample, rounded
from workbench.tools.request import Request

if TYPE_CHECKING:
    from workbench.tables.frame import Series

_LINES = 12
_SMALL = 10
_SHARES = (0.25, 0.5, 0.75, 0.95, 0.98)
_HEADER = (
    *("column", "unit", "n", "below_detection", "above_limit", "missing", "min_plain", "p25"),
    *("median", "p75", "p95", "p98", "max_plain", "mean_at_half_limit"),
)
BASIS = (
    "n counts values with a number or a limit; percentiles rank censored values, '<1' lies below "
    "that limit; min and max over plain numbers; mean with half the limit for values below it"
)


def percentiles_by(request: Request, by: str) -> Reply:
    """Return percentiles of each column for each group, largest group first.

    Raises
    ------
    Refused
        If the column is no group, or another is no number.
    """
    table, context = request.table, request.context
    chosen = numeric(table, request.columns)
    split = grouping(table, by)
    names = dict.fromkeys([*(column.name for column in chosen), split.name])
    rows = Rows.of(context.connection.frame(table, names))
    found = groups(rows.frame.series[split.name], rows.keep)
    rows.need(split.name, found.codes >= 0, "missing")
    lines: list[list[Any]] = []
    values: dict[str, Any] = {**rows.facts(), "by": facts.name(split.name)}
    values["groups"] = len(found.names)
    for column in chosen:
        series = rows.frame.series[column.name]
        for place, group in enumerate(found.names):
            told = _statistics(series, found.codes == place)
            lines.append([group, column.name, column.unit, *told.values()])
            if len(lines) <= _LINES:
                key = f"group {facts.name(column.name)} | {facts.name(group)}"
                values[key] = {k: v for k, v in told.items() if v not in (None, 0) or k == "n"}
    stem = context.named(request.path, "percentiles", "by", split.name)
    made = results.small_table(context, stem, [split.name, *_HEADER], lines)
    values |= {
        "censored": facts.censored(chosen),
        "policy": "censored values are ranked, not replaced; means count half the limit",
        "basis": BASIS,
        **facts.quality(table),
        "output": facts.output(made.path),
    }
    return Reply(values, made=(made,), notes=_notes(len(lines), found.sizes))


def _notes(lines: int, sizes: NDArray[np.int64]) -> tuple[str, ...]:
    small = int((sizes < _SMALL).sum())
    notes = [f"{small} groups have fewer than {_SMALL} rows"] if small else []
    if lines > _LINES:
        notes.append(f"the first {_LINES} of {lines} lines are shown; all are in the file")
    return tuple(notes)


def _statistics(series: Series, members: NDArray[np.bool_]) -> dict[str, Any]:
    """Return the statistics of one column over the rows of a group, in the order of the header."""
    low, high, plain = (mask & members for mask in (series.below, series.above, series.plain))
    numbers = series.values[plain]
    sample = Sample(numbers, series.limit[low], series.limit[high])
    known = series.values[members]
    known = known[np.isfinite(known)]
    p25, median, p75, p95, p98 = (sample.quantile(share) for share in _SHARES)
    return {
        "n": sample.size,
        "below": int(low.sum()),
        "above": int(high.sum()),
        "missing": int(members.sum()) - sample.size,
        "min": rounded(float(numbers.min())) if numbers.size else None,
        "p25": p25,
        "median": median,
        "p75": p75,
        "p95": p95,
        "p98": p98,
        "max": rounded(float(numbers.max())) if numbers.size else None,
        "mean": rounded(float(known.mean())) if known.size else None,
    }

"""Thresholds of one column by several rules, side by side: the choice is the reader's.

A value below detection counts at half its limit when a rule is worked out and is never flagged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import one_numeric
from workbench.accounting.rows import Rows
from workbench.reply import Reply
from workbench.tables import thresholds
from workbench.tables.statistics import rounded
from workbench.tools.context import Context
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.table import Column

Numbers = NDArray[np.float64]
_FEWEST = 20
_PERCENTILES = (97.5, 98.0)
_PIECES = (2, 3)


@dataclass(frozen=True)
class Level:
    """One rule's threshold.

    Attributes
    ----------
    key, rule : str
        Its name and its words.
    value : float
        In the unit of the column; NaN where the rule cannot tell.
    more : str
        Why it cannot tell, or how well it fits.
    tells : bool
        False for a threshold among the non-detects or above all values.
    """

    key: str
    rule: str
    value: float
    more: str = ""
    tells: bool = True


@tool(effect="derive")
def compare_thresholds(context: Context, path: str, column: str, sheet: str | None = None) -> Reply:
    """Compare rules for where anomalous begins: median + 2 MAD, Tukey, percentiles, breaks.

    Breaks are where straight pieces fit the probability plot and the number-above curve best.
    For one rule and its samples use anomaly.

    Parameters
    ----------
    path : str
        File or result path.
    column : str
        Number column.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    measured = one_numeric(table, table.column(column))
    rows = Rows.of(context.connection.frame(table, [measured.name]))
    rows.need_numbers([measured.name], positive=True)
    rows.need_some(_FEWEST, "compare_thresholds")
    series = rows.frame.series[measured.name]
    values = series.values[rows.keep]
    below = series.below[rows.keep]
    limits = series.limit[rows.keep][below]
    highest = float(limits.max(initial=-np.inf, where=np.isfinite(limits)))
    levels = [_warned(level, highest, values) for level in _levels(values, below)]
    counts = [_flagged(values, below, level.value) for level in levels]
    stem = context.named(path, "thresholds", measured.name)
    lines = [
        [level.key, level.rule, level.value, count, level.more]
        for level, count in zip(levels, counts, strict=True)
    ]
    header = ["rule", "words", "threshold", "flagged", "remark"]
    made = results.small_table(context, stem, header, lines)
    told: dict[str, Any] = {
        "column": facts.name(measured.name),
        "unit": measured.unit or "not stated",
        **rows.facts(),
        "censored": _censored(below, series.above[rows.keep], measured),
        "policy": facts.HALF,
    }
    for level, count in zip(levels, counts, strict=True):
        one: dict[str, Any] = {"threshold": rounded(level.value), "flagged": count}
        told[level.key] = {**one, "remark": level.more} if level.more else one
    known = [level.value for level in levels if np.isfinite(level.value) and level.tells]
    told["range"] = [rounded(min(known)), rounded(max(known))] if known else []
    told["output"] = facts.output(made.path)
    return Reply(told, made=(made,), notes=_notes(below))


def _warned(level: Level, limit: float, values: Numbers) -> Level:
    """Say of a threshold among the non-detects, or above all values, that it tells nothing."""
    if level.value <= limit:
        words = f"not above the detection limit ({rounded(limit)}): every detected value is flagged"
    elif level.value >= values.max():
        words = "above every value"
    else:
        return level
    return replace(level, more=f"{level.more}; {words}" if level.more else words, tells=False)


def _levels(values: Numbers, below: NDArray[np.bool_]) -> Iterator[Level]:
    logs = np.log10(values)
    for key, rule, log in (
        ("mad_log", "mad", True),
        ("mad_raw", "mad", False),
        ("tukey_log", "tukey", True),
        ("tukey_raw", "tukey", False),
    ):
        k = thresholds.DEFAULT_K[rule]
        scale = logs if log else values
        found = thresholds.threshold(scale, rule, k, 0)  # type: ignore[arg-type]
        value = float(10**found.value) if log else found.value
        words = thresholds.words(rule, k, 0, log=log)  # type: ignore[arg-type]
        yield Level(key, words, value, found.reason)
    for share in _PERCENTILES:
        value = float(np.percentile(values, share))
        yield Level(f"p{share:g}", f"percentile {share:g} of the values", value)
    yield from _breaks(logs, below)


def _breaks(logs: Numbers, below: NDArray[np.bool_]) -> Iterator[Level]:
    """Propose where the probability plot and the number-above curve bend.

    Non-detects count for the places of the others, and are no points themselves; equal values are
    one point: a pile at a limit would be a bend of its own.
    """
    from workbench.tables import segments

    order = np.argsort(logs, kind="stable")
    x, score = segments.probability_points(logs)
    seen = np.append(x[1:] != x[:-1], True) & ~below[order]
    x, score = x[seen], score[seen]
    for count in _PIECES:
        yield _bend("probability_break", "the probability plot of log10", x, score, count)
    # How many values reach each value: log-log, as the concentration-number model has it.
    above = np.log10(logs.size - np.searchsorted(logs[order], x, side="left"))
    for count in _PIECES:
        yield _bend("number_break", "log10 number at or above, against log10", x, above, count)


def _bend(key: str, what: str, x: Numbers, y: Numbers, count: int) -> Level:
    from workbench.tables import segments

    found = segments.pieces(x, y, count)
    words = f"highest break of {count} straight pieces through {what}"
    if found is None:
        return Level(f"{key}_{count}", words, float("nan"), "too few different values")
    remark = f"r2 {found.r2:.3f}; a proposal"
    return Level(f"{key}_{count}", words, float(10 ** found.breaks[-1]), remark)


def _flagged(values: Numbers, below: NDArray[np.bool_], threshold: float) -> int | None:
    return int(((values > threshold) & ~below).sum()) if np.isfinite(threshold) else None


def _censored(below: NDArray[np.bool_], above: NDArray[np.bool_], column: Column) -> dict[str, Any]:
    low, high = int(below.sum()), int(above.sum())
    return {facts.name(column.name): {"below": low, "above": high}} if low or high else {}


def _notes(below: NDArray[np.bool_]) -> tuple[str, ...]:
    share = float(below.mean())
    if share > 0.5:  # noqa: PLR2004 - the median itself is censored
        return (f"{share:.0%} below detection: medians and quartiles rest on half the limit",)
    return ()

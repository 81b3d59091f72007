"""Columns smoothed down each hole, beside the old ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import numeric
from workbench.accounting.rows import Rows, groups
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tables.statistics import rounded
from workbench.tools.context import Context
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.smoothing import Order
    from workbench.tables.table import Column, Table

Numbers = NDArray[np.float64]
_LISTED = 12


@tool(effect="derive")
def smooth(
    context: Context,
    path: str,
    columns: list[str],
    window: float,
    method: Literal["mean", "median"] = "mean",
    sheet: str | None = None,
) -> Reply:
    """Add columns smoothed down each hole, weighted by length; never across holes.

    Needs from and to, or depth. A gap stays a gap and has no part in its neighbours.

    Parameters
    ----------
    path : str
        File or result path.
    columns : list of str
        Number columns.
    window : float
        Width about each sample's middle, in the unit of the depths.
    method : str
        mean or median.
    sheet : str
        Sheet of a workbook.
    """
    if not (np.isfinite(window) and window > 0):
        raise Refused(f"smooth window={window:g}: give a width above 0")
    table = context.table(path, sheet)
    chosen = numeric(table, columns)
    depths, hole = _depths(table), next(iter(table.with_role("hole")), None)
    names = [c.name for c in (*chosen, *depths, *([hole] if hole else []))]
    rows = Rows.of(context.connection.frame(table, list(dict.fromkeys(names))))
    order, holes = _ordered(rows, depths, hole, window, len(chosen))
    added, told = _columns(context, rows, chosen, order, window, method)
    stem = context.named(path, "smooth", method, f"{window:g}")
    made, _ = results.write_beside(context, table, stem, added)
    values: dict[str, Any] = {
        "method": f"running {method}, weighted by length",
        "window": rounded(window),
        "unit": depths[0].unit or "that of the depths",
        "depths": [facts.name(one.name) for one in depths],
        "holes": holes,
        **rows.facts(),
        "rows_out": made.rows,
        "columns": dict(list(told.items())[:_LISTED]),
        "censored": facts.censored(chosen),
        "policy": facts.HALF,
        "output": facts.output(made.path),
    }
    notes = () if hole else ("no hole column: all rows were taken for one hole",)
    return Reply(values, made=(made,), notes=notes)


def _columns(
    context: Context,
    rows: Rows,
    chosen: tuple[Column, ...],
    order: Order,
    window: float,
    method: str,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the smoothed columns, and how their spread changed."""
    from workbench.tables.smoothing import smoothed

    added: dict[str, Any] = {}
    told: dict[str, Any] = {}
    for number, column in enumerate(chosen):
        context.progress(f"smoothing {facts.name(column.name)}", number / len(chosen))
        used = rows.frame.series[column.name].values[rows.keep]
        whole = np.full(rows.frame.rows, np.nan)
        whole[rows.keep] = smoothed(order, used, window, median=method == "median")
        added[f"{column.name}_{method}_{window:g}"] = whole
        told[facts.name(column.name)] = _spread(used, whole[rows.keep])
    return added, told


def _depths(table: Table) -> tuple[Column, ...]:
    """Return from and to, or the depth.

    Raises
    ------
    Refused
        If the table has neither.
    """
    ends = table.with_role("from")[:1] + table.with_role("to")[:1]
    found = ends if len(ends) == 2 else table.with_role("depth")[:1]  # noqa: PLR2004 - both ends
    if not found:
        raise Refused(
            f"smooth: '{table.name}' has no columns of from and to, or of depth; set role with a "
            "reader override"
        )
    return tuple(found)


def _ordered(
    rows: Rows, depths: tuple[Column, ...], hole: Column | None, window: float, columns: int
) -> tuple[Order, int]:
    """Leave out rows without a place, sort the rest, and refuse a window that holds too many."""
    from workbench.tables.smoothing import MOST_WORK, ordered

    for one in depths:
        rows.need(one.name, np.isfinite(rows.frame.series[one.name].values), "missing")
    top = rows.frame.series[depths[0].name].values
    bottom = rows.frame.series[depths[-1].name].values
    rows.need(depths[-1].name, ~(bottom < top), f"above {facts.name(depths[0].name)}")
    codes, count = np.zeros(rows.frame.rows, dtype=np.int64), 1
    if hole is not None:
        found = groups(rows.frame.series[hole.name], rows.keep)
        rows.need(hole.name, found.codes >= 0, "missing")
        codes, count = found.codes, len(found.names)
    rows.need_some(1, "smooth")
    order = ordered(codes[rows.keep], top[rows.keep], bottom[rows.keep], window)
    work = (2 * order.reach + 1) * rows.used * columns
    if work > MOST_WORK:
        raise Refused(
            f"smooth window={window:g}: it holds up to {2 * order.reach + 1:,} samples, too many "
            f"for {rows.used:,} rows; give a narrower one, or fewer columns"
        )
    return order, count


def _spread(before: Numbers, after: Numbers) -> dict[str, Any]:
    known = np.isfinite(after)
    if known.sum() < 2:  # noqa: PLR2004 - a spread
        return {"n": int(known.sum())}
    return {
        "n": int(known.sum()),
        "sd_before": rounded(float(before[known].std(ddof=1)), 4),
        "sd_after": rounded(float(after[known].std(ddof=1)), 4),
    }

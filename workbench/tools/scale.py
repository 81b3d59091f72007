"""Columns on another scale, beside the old ones: logs, Box-Cox, standard and robust scores, 0 to 1.

Gaps stay gaps. A value that has no logarithm becomes a gap and is counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import numeric
from workbench.accounting.rows import Rows
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tables.statistics import mad, rounded
from workbench.tables.thresholds import MAD_SCALE
from workbench.tools.context import Context
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.frame import Series

Numbers = NDArray[np.float64]
Method = Literal["log10", "ln", "boxcox", "standard", "robust", "minmax"]
_LISTED = 20
_FEWEST = 3
_LOGS = ("log10", "ln", "boxcox")


@tool(effect="derive")
def scale_columns(
    context: Context,
    path: str,
    columns: list[str],
    method: Method = "log10",
    sheet: str | None = None,
) -> Reply:
    """Add columns on another scale; nothing is filled, and the numbers used are given back.

    Parameters
    ----------
    path : str
        File or result path.
    columns : list of str
        Number columns.
    method : str
        log10, ln, boxcox (lambda by likelihood), standard (mean, sd), robust (median, scaled MAD)
        or minmax.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    chosen = numeric(table, columns)
    listed = [column.name for column in chosen]
    rows = Rows.of(context.connection.frame(table, listed))
    added: dict[str, Any] = {}
    told: dict[str, Any] = {}
    for name in listed:
        values, numbers = _scaled(rows.frame.series[name], rows.alone(), method)
        added[f"{name}_{method}"] = values
        told[facts.name(name)] = numbers
    stem = context.named(path, "scaled", method)
    made, _ = results.write_beside(context, table, stem, added)
    values_told: dict[str, Any] = {
        "method": method,
        "rows_in": table.rows,
        "rows_out": made.rows,
        "from_rows": rows.used,
        **({"dropped": dict(rows.dropped)} if rows.dropped else {}),
        "columns": dict(list(told.items())[:_LISTED]),
        "censored": facts.censored(chosen),
        "policy": facts.HALF,
        "output": facts.output(made.path),
    }
    return Reply(values_told, made=(made,))


def _scaled(series: Series, rows: Rows, method: Method) -> tuple[Numbers, dict[str, Any]]:
    """Return a column's values on the new scale, and what they were scaled by.

    Raises
    ------
    Refused
        If too few values are left, or they do not vary.
    """
    values = series.values
    if method in _LOGS:
        rows.need_positive(series.column.name, values)
    good = np.isfinite(values) & rows.keep
    used = values[good]
    if used.size < _FEWEST or float(used.min()) == float(used.max()):
        raise Refused(
            f"column '{facts.name(series.column.name)}': {used.size} usable values"
            f"{', all equal' if used.size else ''}; leave it out"
        )
    found = np.full(values.shape, np.nan)
    found[good], numbers = _on_scale(used, method)
    told: dict[str, Any] = {"n": used.size, **facts.numbers(numbers)}
    lost = rows.reasons(series.column.name)
    return found, {**told, "dropped": lost} if lost else told


def _on_scale(values: Numbers, method: Method) -> tuple[Numbers, dict[str, float]]:
    if method == "log10":
        return np.log10(values), {}
    if method == "ln":
        return np.log(values), {}
    if method == "boxcox":
        return _box_cox(values)
    if method == "minmax":
        low, high = float(values.min()), float(values.max())
        return (values - low) / (high - low), {"min": low, "max": high}
    if method == "standard":
        centre, spread = float(values.mean()), float(values.std(ddof=1))
        return (values - centre) / spread, {"mean": centre, "sd": spread}
    centre, away = mad(values)
    spread = away * MAD_SCALE
    if not spread > 0:
        raise Refused("scale_columns robust: half of the values are equal, the MAD is 0; use log10")
    return (values - centre) / spread, {"median": centre, "scaled_mad": spread}


def _box_cox(values: Numbers) -> tuple[Numbers, dict[str, float]]:
    """Return (x^λ − 1) / λ with the λ of greatest likelihood (Box and Cox, 1964)."""
    from scipy.special import boxcox
    from scipy.stats import boxcox_normmax

    power = float(boxcox_normmax(values, method="mle"))
    return np.asarray(boxcox(values, power)), {"lambda": float(rounded(power) or 0.0)}

"""One value out of several methods, and non-detects filled where a method downstream needs numbers.

What a value came from, or what it was before, stays beside it.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import numeric
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tables.names import unique_names
from workbench.tables.table import FLAG, LIMIT
from workbench.tools.context import Context
from workbench.tools.contradictions import contradictions
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.frame import Frame, Series
    from workbench.tables.table import Column

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
Fill = Literal["half", "sqrt2", "limit", "zero", "ros"]
_DRAWN = "which non-detect gets which number of the line is drawn: right as a set, not row by row"
_SHARES = {"half": 0.5, "sqrt2": 1 / np.sqrt(2), "limit": 1.0, "zero": 0.0}
# Columns that an answer names; all are in the file.
_LISTED = 40


@tool(effect="derive")
def best_value(context: Context, path: str, columns: list[str], sheet: str | None = None) -> Reply:
    """One column out of several methods for an element: the first that measured, in your order.

    A value above range gives way to the next method; one below detection stands only where no
    method measured, at the lowest limit. `NAME_from` says which column each value came from;
    rows whose methods contradict each other are counted and marked.

    Parameters
    ----------
    path : str
        File or result path.
    columns : list of str
        Columns of one element, the preferred first.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    chosen = numeric(table, columns, least=2)
    element, unit, factors = _one_element(chosen)
    frame = context.connection.frame(table, [column.name for column in chosen])
    value, flag, limit, source = _best(frame, chosen, factors)
    known = results.view_columns(table)
    (name,) = unique_names([f"{element}_best_{unit}"], known)
    words = np.array(["", *(column.name for column in chosen)], dtype=object)[source + 1]
    words[source < 0] = None
    added: dict[str, Any] = {name: value, name + FLAG: flag, name + LIMIT: limit}
    added[f"{name}_from"] = words
    odd, against = contradictions([frame.series[column.name] for column in chosen], factors)
    if odd.any():
        added[f"{name}_contradicted"] = odd
    made, _ = results.write_beside(context, table, context.named(path, "best", element), added)
    counts = {
        facts.name(column.name): int((source == place).sum()) for place, column in enumerate(chosen)
    }
    values: dict[str, Any] = {
        "column": name,
        "unit": unit,
        "rows_in": table.rows,
        "rows_out": made.rows,
        "from": counts,
        "without_value": int((source < 0).sum()),
        "below": int((flag == "<").sum()),
        "above": int((flag == ">").sum()),
        "contradictions": against,
        "policy": f"{facts.HALF}; flag and limit beside it",
        "output": facts.output(made.path),
    }
    return Reply(values, made=(made,))


def _one_element(columns: tuple[Column, ...]) -> tuple[str, str, list[float]]:
    """Return the element that all columns hold, the unit of the first, and factors to it.

    Raises
    ------
    Refused
        If they hold different things, or a unit is not known.
    """
    from workbench.tables.units import factor

    elements = {column.element for column in columns}
    if len(elements) > 1 or None in elements:
        named = [f"{facts.name(c.name)} ({c.element or 'no element'})" for c in columns[:_LISTED]]
        told = ", ".join(named) + (f" … of {len(columns)}" if len(columns) > _LISTED else "")
        raise Refused(f"best_value: the columns must hold one element: {told}")
    first = columns[0].unit
    if first is None or any(column.unit is None for column in columns):
        raise Refused(
            "best_value: the file states no unit for some of the columns; set unit with a reader "
            "override"
        )
    factors = [float(factor(str(column.unit), first)) for column in columns]
    return str(columns[0].element), first, factors


def _best(
    frame: Frame, columns: tuple[Column, ...], factors: list[float]
) -> tuple[Numbers, NDArray[np.object_], Numbers, NDArray[np.int64]]:
    """Return value, flag, limit and the place of the column that each row's value came from."""
    rows = frame.rows
    value, limit = np.full(rows, np.nan), np.full(rows, np.nan)
    flag = np.full(rows, None, dtype=object)
    source = np.full(rows, -1, dtype=np.int64)
    parts = [frame.series[column.name] for column in columns]
    for place, part in enumerate(parts):
        good = part.plain & np.isfinite(part.values) & (source < 0)
        source[good], value[good] = place, part.values[good] * factors[place]
    # Above range: the method that reached highest knows most; below: the lowest limit.
    for place, part in enumerate(parts):
        _censored(part, place, factors[place], ">", value, flag, limit, source)
    for place, part in enumerate(parts):
        _censored(part, place, factors[place], "<", value, flag, limit, source)
    return value, flag, limit, source


def _censored(
    part: Series,
    place: int,
    times: float,
    sign: str,
    value: Numbers,
    flag: NDArray[np.object_],
    limit: Numbers,
    source: NDArray[np.int64],
) -> None:
    ends = part.limit * times
    told = (part.above if sign == ">" else part.below) & np.isfinite(ends)
    farther = ends > limit if sign == ">" else ends < limit
    good = told & ((source < 0) | ((flag == sign) & farther))
    source[good], flag[good], limit[good] = place, sign, ends[good]
    value[good] = ends[good] * (1.0 if sign == ">" else 0.5)


@tool(effect="derive")
def fill_below(
    context: Context,
    path: str,
    columns: list[str],
    method: Fill = "half",
    sheet: str | None = None,
) -> Reply:
    """Put numbers for values below detection, in new columns; flags and limits stay.

    Only for what needs complete numbers: statistics do better with censored_stats.

    Parameters
    ----------
    path : str
        File or result path.
    columns : list of str
        Number columns.
    method : str
        half, sqrt2 (limit over √2), limit, zero, or ros (read off the line of the detected values).
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    chosen = numeric(table, columns)
    frame = context.connection.frame(table, [column.name for column in chosen])
    added, counts = {}, {}
    for column in chosen:
        series = frame.series[column.name]
        added[f"{column.name}_{method}"] = _filled(column, series, method, context.seed)
        counts[facts.name(column.name)] = int(series.below.sum())
    made, _ = results.write_beside(context, table, context.named(path, "filled", method), added)
    values: dict[str, Any] = {
        "method": method,
        "rows_in": table.rows,
        "rows_out": made.rows,
        "filled": dict(list(counts.items())[:_LISTED]),
        "filled_in_all": sum(counts.values()),
        "columns": [facts.name(name) for name in list(added)[:_LISTED]],
        "policy": "missing values stay missing; values above range stand at the limit"
        + (f"; {_DRAWN}" if method == "ros" else ""),
        "output": facts.output(made.path),
    }
    return Reply(values, made=(made,))


def _filled(column: Column, series: Series, method: Fill, seed: int) -> Numbers:
    """Return the values with non-detects filled.

    Raises
    ------
    Refused
        If a limit is not known, or ros has no line.
    """
    limit = series.limit.copy()
    bare = series.below & ~np.isfinite(limit)
    if bare.any() and method != "zero":
        if not column.limits:
            raise Refused(
                f"column '{facts.name(column.name)}': {int(bare.sum())} values are below a limit "
                "that the file does not state; set it with a reader override"
            )
        limit[bare] = max(column.limits)
    found = series.values.copy()
    if method != "ros":
        share = _SHARES[method]
        found[series.below] = 0.0 if method == "zero" else limit[series.below] * share
        return found
    from workbench.tables.censored import filled_by_order

    used = (series.plain | series.below | series.above) & (
        np.isfinite(series.values) | series.below
    )
    numbers = np.where(series.below, limit, series.values)
    used &= numbers > 0
    line = filled_by_order(numbers[used], series.below[used])
    if line is None:
        raise Refused(
            f"column '{facts.name(column.name)}': no line can be had (fewer than three detected "
            "values, or a limit above all of them); use half"
        )
    found[used] = line
    _shuffle(found, limit, series.below & used, seed, column.name)
    return found


def _shuffle(found: Numbers, limit: Numbers, below: Mask, seed: int, name: str) -> None:
    """Deal the numbers of one limit out among its rows, column by column in another way.

    In the order of the file they would rise with it, and two columns filled so would correlate.
    """
    draw = np.random.default_rng([seed, zlib.crc32(name.encode())])
    for one in np.unique(limit[below]):
        spots = np.flatnonzero(below & (limit == one))
        found[spots] = found[draw.permutation(spots)]

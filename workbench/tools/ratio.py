"""Ratios of two columns, by mass or by moles; what a censored part makes of a ratio is kept.

A part below its limit in the numerator leaves the ratio below one, in the denominator above one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import numeric
from workbench.accounting.rows import Rows
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tables.statistics import rounded
from workbench.tables.table import FLAG, LIMIT
from workbench.tools.context import Context
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.frame import Series
    from workbench.tables.table import Column

Numbers = NDArray[np.float64]
_LISTED = 12


@tool(effect="derive")
def ratio(
    context: Context,
    path: str,
    over: list[str],
    under: list[str],
    *,
    molar: bool = False,
    sheet: str | None = None,
) -> Reply:
    """Add ratios of columns, brought to one unit; a censored part makes `<` or `>` of the ratio.

    Two parts censored against one another, zeros below and gaps give a gap; all are counted.

    Parameters
    ----------
    path : str
        File or result path.
    over, under : list of str
        Numerators and denominators, pair by pair; a single denominator serves all.
    molar : bool
        Ratio of moles of the elements (K2O over Al2O3 is K/Al).
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    pairs = _pairs(over, under)
    columns = {name: numeric(table, [name])[0] for pair in pairs for name in pair}
    rows = Rows.of(context.connection.frame(table, [c.name for c in columns.values()]))
    added: dict[str, Any] = {}
    told: dict[str, Any] = {}
    for top, bottom in pairs:
        first, second = columns[top], columns[bottom]
        times = _factor(first, second, molar=molar)
        series = rows.frame.series
        value, flag, limit = _ratio(series[first.name], series[second.name], times)
        name = f"{first.name}_over_{second.name}{'_molar' if molar else ''}"
        added[name] = value
        if (flag != "").any():
            added[name + FLAG] = np.array([one or None for one in flag], dtype=object)
            added[name + LIMIT] = limit
        told[facts.name(name)] = _count(value, flag, rows)
    stem = context.named(path, "ratio", *(["molar"] if molar else []), *over[:2])
    made, _ = results.write_beside(context, table, stem, added)
    values: dict[str, Any] = {
        "ratio_of": "moles" if molar else "masses",
        "rows_in": table.rows,
        "rows_out": made.rows,
        "ratios": dict(list(told.items())[:_LISTED]),
        **({"ratios_made": len(told)} if len(told) > _LISTED else {}),
        **facts.quality(table),
        "censored": facts.censored(columns.values()),
        "policy": "a ratio below or above a bound has its flag and limit, and counts at the bound",
        "output": facts.output(made.path),
    }
    return Reply(values, made=(made,))


def _pairs(over: list[str], under: list[str]) -> list[tuple[str, str]]:
    if not over or len(under) not in {1, len(over)}:
        raise Refused(
            f"ratio: {len(over)} numerators and {len(under)} denominators; give one denominator, "
            "or one for each numerator"
        )
    below = under if len(under) == len(over) else under * len(over)
    pairs = list(dict.fromkeys(zip(over, below, strict=True)))
    same = [top for top, bottom in pairs if top == bottom]
    if same:
        raise Refused(f"ratio: '{facts.name(same[0])}' over itself is 1; name another denominator")
    return pairs


def _factor(top: Column, bottom: Column, *, molar: bool) -> float:
    """Return what a quotient of the numbers is multiplied by.

    Raises
    ------
    Refused
        If only one unit is known, they are unlike, or a molar mass is not known.
    """
    from workbench.tables.units import factor

    if (top.unit is None) != (bottom.unit is None) or (molar and top.unit is None):
        bare = top if top.unit is None else bottom
        raise Refused(
            f"ratio: the file states no unit for '{facts.name(bare.name)}'; set unit with a reader "
            "override"
        )
    times = 1.0
    if top.unit is not None and bottom.unit is not None and top.unit != bottom.unit:
        times = float(factor(top.unit, bottom.unit))
    return times * _moles(top) / _moles(bottom) if molar else times


def _moles(column: Column) -> float:
    """Return the moles of the element in one unit of mass of a column.

    Raises
    ------
    Refused
        If the column is no element or oxide.
    """
    from workbench.tables.weights import WEIGHTS, element_of

    if column.role == "oxide" and column.element:
        symbol, share = element_of(column.element)
        return float(share / WEIGHTS[symbol])
    if column.role == "element" and column.element in WEIGHTS:
        return float(1 / WEIGHTS[column.element])
    raise Refused(
        f"ratio molar: '{facts.name(column.name)}' is no element or oxide whose mass is known; "
        "leave molar out"
    )


def _ratio(top: Series, bottom: Series, times: float) -> tuple[Numbers, NDArray[Any], Numbers]:
    """Return ratios, their flags ('' for a number or a gap) and their limits."""
    upper, lower = (np.where(one.below | one.above, one.limit, one.values) for one in (top, bottom))
    with np.errstate(all="ignore"):
        bound = np.where(lower > 0, upper / lower, np.nan) * times
    bound = np.where(np.isfinite(bound), bound, np.nan)
    # Smaller than the bound where the numerator is, or the denominator is larger.
    smaller, larger = top.below | bottom.above, top.above | bottom.below
    value = np.where(smaller & larger, np.nan, bound)
    told = np.isfinite(value)
    flag = np.where(told & smaller, "<", np.where(told & larger, ">", "")).astype(object)
    limit = np.where(flag == "", np.nan, value)
    return value, flag, limit


def _count(value: Numbers, flag: NDArray[Any], rows: Rows) -> dict[str, Any]:
    used = rows.keep & np.isfinite(value)
    plain = value[used & (flag == "")]
    return {
        "n": int(plain.size),
        "below": int((used & (flag == "<")).sum()),
        "above": int((used & (flag == ">")).sum()),
        "gaps": int(rows.used - used.sum()),
        "median_of_plain": rounded(float(np.median(plain))) if plain.size else None,
    }

"""One row for each group or cell of a grid: counts and statistics of the samples in it.

What is known only as below a limit stays so: a median among non-detects has a flag and a limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from workbench.accounting import facts, results
from workbench.accounting.columns import numeric
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tables.names import unique_names
from workbench.tables.statistics import rounded
from workbench.tables.table import FLAG, LIMIT
from workbench.tools.context import Context
from workbench.tools.places import METRES_OF_DEGREE, axes
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table

Statistic = Literal["median", "mean", "min", "max", "sum", "sd", "p90"]
_SHARES = {"median": 0.5, "p90": 0.9}
_PLAIN = {"mean": "avg", "sum": "sum", "sd": "stddev_samp"}
_MOST_CELLS = 1_000
_LISTED = 8


@dataclass(frozen=True)
class _Keys:
    """What rows are put together by.

    Attributes
    ----------
    sql : tuple of str
        Expressions; NULL where a row has none.
    names : tuple of str
        Their columns in the result.
    told : dict
        What the answer says of them.
    """

    sql: tuple[str, ...]
    names: tuple[str, ...]
    told: dict[str, Any]


@tool(effect="derive")
def aggregate(
    context: Context,
    path: str,
    by: list[str] | None = None,
    cell: float | None = None,
    columns: list[str] | None = None,
    statistics: list[Statistic] | None = None,
    sheet: str | None = None,
) -> Reply:
    """Put samples together by groups, or in square cells of a grid: counts and statistics.

    Columns NAME_median and so on; a value among non-detects keeps flag and limit, means and sums
    count half the limit.

    Parameters
    ----------
    path : str
        File or result path.
    by : list of str
        Columns whose words make a group.
    cell : float
        Side of a grid cell in metres; coordinates become its centre.
    columns : list of str
        Number columns; all measured ones if left out.
    statistics : list of str
        median if left out.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    wanted: list[Statistic] = list(dict.fromkeys(statistics or ["median"]))
    keys = _keys(context, table, by or [], cell)
    chosen = _measured(table, columns, keys, len(wanted))
    dropped, where = _dropped(context, table, keys)
    context.progress("groups", 0.3)
    words = "_".join(map(str, by or [f"grid_{cell:g}"]))
    stem = context.named(path, "aggregate", words, *wanted)
    made = results.stream(context, stem, _sql(context, table, keys, chosen, wanted, where))
    used = table.rows - sum(dropped.values())
    if not used:
        raise Refused(f"aggregate: no row has a value of {', '.join(keys.names)[:200]}")
    values: dict[str, Any] = {
        **keys.told,
        "statistics": wanted,
        "columns": [facts.name(column.name) for column in chosen[:_LISTED]],
        "columns_used": len(chosen),
        "rows_in": table.rows,
        "rows_used": used,
        "rows_dropped": table.rows - used,
        **({"dropped": dropped} if dropped else {}),
        "rows_out": made.rows,
        "rows_each": rounded(used / max(made.rows or 1, 1), 3),
        "censored": facts.censored(chosen),
        "policy": f"{facts.HALF} in means and sums; a quantile among non-detects is told as below",
        **facts.quality(table),
        "output": facts.output(made.path),
    }
    return Reply(values, made=(made,))


def _measured(
    table: Table, columns: list[str] | None, keys: _Keys, statistics: int
) -> list[Column]:
    """Return the columns to work on, which are no keys; refuse none, and too many."""
    chosen = [c for c in numeric(table, columns) if c.name not in keys.names]
    if not chosen or len(chosen) * statistics > _MOST_CELLS:
        raise Refused(
            f"aggregate: {len(chosen)} columns with {statistics} statistics each; name 1 to "
            f"{_MOST_CELLS // statistics} columns that are no keys"
        )
    return chosen


def _keys(context: Context, table: Table, by: list[str], cell: float | None) -> _Keys:
    """Return the keys of groups, of cells, or of both."""
    from workbench.tables.connection import quote

    if not by and cell is None:
        raise Refused("aggregate: give by (group columns), or cell (metres), or both")
    named = list(dict.fromkeys(table.column(word).name for word in by))
    sql, names = [quote(name) for name in named], list(named)
    told: dict[str, Any] = {"by": [facts.name(name) for name in named]} if named else {}
    if cell is not None:
        if not (np.isfinite(cell) and cell > 0):
            raise Refused(f"aggregate cell={cell:g}: give metres above 0")
        across, up = axes(table)
        scale, words = _scale(context, table, across, up)
        for column, one in zip((across, up), scale, strict=True):
            x = quote(column.name)
            inside = f"CASE WHEN isfinite({x}) THEN {x} END"
            sql.append(f"(floor({inside} * {one!r} / {cell!r}) + 0.5) * {cell!r} / {one!r}")
            names.append(column.name)
        told |= {"cell_m": rounded(cell), "grid": words}
    return _Keys(tuple(sql), tuple(names), told)


def _scale(
    context: Context, table: Table, across: Column, up: Column
) -> tuple[tuple[float, float], str]:
    """Return metres of one unit of each coordinate, and what they are metres of."""
    from workbench.tables.connection import quote

    if across.role == "easting":
        return (1.0, 1.0), "metres of the file's grid, cells at whole multiples"
    latitude = f"SELECT avg({quote(up.name)}) FROM {quote(context.connection.view(table))}"  # noqa: S608 - quoted
    middle = float(context.connection.rows(latitude)[0][0] or 0.0)
    scale = (METRES_OF_DEGREE * float(np.cos(np.radians(middle))), METRES_OF_DEGREE)
    return scale, f"local metres at latitude {middle:.3f} from degrees"


def _dropped(context: Context, table: Table, keys: _Keys) -> tuple[dict[str, int], str]:
    """Count the rows that are no samples or lack a key, each once; return what is left as SQL."""
    from workbench.tables.connection import quote

    view = quote(context.connection.view(table))
    found: dict[str, int] = {}
    sample = results.samples_only(table)
    wanted = [("quality control", sample)] if table.control else []
    wanted += [
        (f"{facts.name(name)} missing", f"{key} IS NOT NULL")
        for key, name in zip(keys.sql, keys.names, strict=True)
    ]
    left = "TRUE"
    for why, test in wanted:
        sql = f"SELECT count(*) FROM {view} WHERE {left} AND NOT ({test})"  # noqa: S608 - quoted
        lost = int(context.connection.rows(sql)[0][0])
        if lost:
            found[why] = found.get(why, 0) + lost
        left = f"{left} AND ({test})"
    return found, left


def _sql(
    context: Context,
    table: Table,
    keys: _Keys,
    chosen: list[Column],
    wanted: list[Statistic],
    where: str,
) -> str:
    """Return SQL of one row a group, in the order of the keys."""
    from workbench.tables.connection import quote

    cells: list[tuple[str, str]] = [("samples", "count(*)")]
    for column in chosen:
        for one in wanted:
            cells += _cells(column, one)
        cells.append((f"{column.name}_n", f"count({quote(column.name)})"))
    fresh = unique_names([name for name, _ in cells], list(keys.names))
    listed = [
        *(f"{key} AS {quote(name)}" for key, name in zip(keys.sql, keys.names, strict=True)),
        *(f"{sql} AS {quote(name)}" for name, (_, sql) in zip(fresh, cells, strict=True)),
    ]
    places = ", ".join(str(place + 1) for place in range(len(keys.sql)))
    view = quote(context.connection.view(table))
    return (
        f"SELECT {', '.join(listed)} FROM {view} WHERE {where} GROUP BY {places} "  # noqa: S608 - quoted
        f"ORDER BY {places}"
    )


def _cells(column: Column, statistic: Statistic) -> list[tuple[str, str]]:
    """Return name and SQL of a statistic, with flag and limit where the column has censored values.

    A quantile lies below the highest limit for sure where as many values do.
    """
    from workbench.tables.connection import quote

    name, value = f"{column.name}_{statistic}", quote(column.name)
    plain = _value(statistic, value)
    if not column.flagged or statistic in _PLAIN:
        return [(name, plain)]
    flag, limit = quote(column.name + FLAG), quote(column.name + LIMIT)
    low, high = f"({flag} = '<')", f"({flag} = '>')"
    below, count = f"count(*) FILTER ({low})", f"count({value})"
    most = f"max({limit}) FILTER ({low})"
    above = "FALSE"
    if statistic == "min":
        under = f"{below} > 0"
        most = f"min(CASE WHEN {low} THEN {limit} ELSE {value} END)"
    elif statistic == "max":
        under, above = f"{below} = {count} AND {count} > 0", f"count(*) FILTER ({high}) > 0"
    else:
        share = _SHARES[statistic]
        under = f"{count} > 0 AND {below} > ceil({share!r} * ({count} - 1))"
    top = f"max({limit}) FILTER ({high})"
    return [
        (name, f"CASE WHEN {under} THEN ({most}) / 2 WHEN {above} THEN {top} ELSE {plain} END"),
        (name + FLAG, f"CASE WHEN {under} THEN '<' WHEN {above} THEN '>' END"),
        (name + LIMIT, f"CASE WHEN {under} THEN {most} WHEN {above} THEN {top} END"),
    ]


def _value(statistic: Statistic, value: str) -> str:
    if statistic in _PLAIN:
        return f"{_PLAIN[statistic]}({value})"
    if statistic in _SHARES:
        return f"quantile_cont({value}, {_SHARES[statistic]!r})"
    return f"{statistic}({value})"

"""A fact of a call's answer computed once more from the table itself, by SQL of its own.

A call made again repeats its own mistakes; where a fact is a plain statistic of a column, the
database says it by another way. What is no such statistic is left to the call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workbench.accounting import facts
from workbench.errors import Refused
from workbench.sources.claiming import percentile
from workbench.sources.claims import Found
from workbench.tables.policy import Policy
from workbench.tools.claimed import where

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table
    from workbench.tools.context import Context

_OF_NUMBERS = {
    "n": "count({0})",
    "count": "count({0})",
    "min": "min({0})",
    "max": "max({0})",
    "mean": "avg({0})",
    "median": "median({0})",
    "sum": "sum({0})",
    "sd": "stddev_samp({0})",
    "geometric_mean": "exp(avg(ln({0}))) FILTER (WHERE {0} > 0)",
}
_COUNTS = frozenset({"rows", "rows_in", "rows_out", "share"})
_GROUP = "group "
_CONDITIONS = ("expression", "filter", "where")


def of_call(
    context: Context, arguments: Mapping[str, Any], fact: Sequence[str]
) -> list[tuple[Found, str]]:
    """Compute a fact by SQL, over each basis that has a name.

    Parameters
    ----------
    context : Context
        Gives the connection.
    arguments : mapping
        Of the call: the table, and the condition on its rows where there is one.
    fact : sequence of str
        Names one below the other, as a claim has them.

    Returns
    -------
    list of (number, basis)
        Empty where the fact is no plain statistic of one table.
    """
    try:
        path, sheet = arguments.get("path"), arguments.get("sheet")
        if not isinstance(path, str):
            return []
        table = context.table(path, str(sheet) if sheet else None)
        return [one for one in _computed(context, table, arguments, fact) if one[0] is not None]
    except Refused:
        return []


def _computed(
    context: Context, table: Table, arguments: Mapping[str, Any], fact: Sequence[str]
) -> Iterator[tuple[Any, str]]:
    condition = next((str(arguments[key]) for key in _CONDITIONS if arguments.get(key)), "")
    if len(fact) == 1 and fact[0] in _COUNTS:
        yield from _of_rows(context, table, condition, fact[0])
        return
    columns = {facts.name(column.name): column for column in table.columns}
    parts = list(fact)
    split = str(arguments.get("by") or "")
    if split in columns and parts[0].startswith(_GROUP):
        group = {columns[split].name: parts.pop(0).removeprefix(_GROUP)}
        condition = where(table, {"filter": condition, "group": group})
    if parts[0] == "percentiles" and len(parts) == 3:  # noqa: PLR2004 - of a column, and which
        parts = [parts[1], f"p{parts[2]}" if parts[2].isdigit() else parts[2]]
    if len(parts) == 1 and isinstance(arguments.get("column"), str):
        parts.insert(0, arguments["column"])
    named = [columns[part] for part in parts if part in columns]
    ways = [way for part in parts if (way := _aggregate(part))]
    if len(named) == len(ways) == 1 and len(parts) == 2 and named[0].kind == "number":  # noqa: PLR2004 - a column and a statistic
        yield from _of_column(context, table, condition, named[0], ways[0])


def _aggregate(name: str) -> str:
    """Return the aggregate of a statistic, with a place for the column; empty where it is none."""
    share = percentile(name)
    if share is None:
        return _OF_NUMBERS.get(name, "")
    return f"quantile_cont({{0}}, {share / 100!r})"


def _of_rows(
    context: Context, table: Table, condition: str, name: str
) -> Iterator[tuple[Any, str]]:
    whole = f"SELECT count(*) FROM {_view(context, table, Policy.HALF)}"  # noqa: S608 - quoted
    every = int(context.connection.rows(whole)[0][0])
    if not condition or name == "rows_in":
        if name != "share":
            yield every, "SQL, rows of the table"
        return
    met = f"SELECT count(*) FROM {_met(context, table, condition)}"  # noqa: S608 - quoted
    kept = int(context.connection.rows(met)[0][0])
    yield (kept / every if name == "share" else kept), f"SQL, rows that meet it of {every:,}"


def _of_column(
    context: Context, table: Table, condition: str, column: Column, way: str
) -> Iterator[tuple[Any, str]]:
    from workbench.tables.connection import quote

    places = (
        [(_met(context, table, condition), facts.HALF)]
        if condition
        else [
            (_view(context, table, Policy.DROP), "plain numbers"),
            (_view(context, table, Policy.HALF), facts.HALF),
        ]
    )
    name = quote(column.name)
    for place, basis in places:
        sql = f"SELECT {way.format(name)}, count({name}) FROM {place}"  # noqa: S608 - quoted
        found, n = context.connection.rows(sql)[0]
        yield (None if found is None else float(found)), f"SQL, {basis}, n {int(n):,}"


def _view(context: Context, table: Table, policy: Policy) -> str:
    from workbench.tables.connection import quote

    return quote(context.connection.view(table, policy))


def _met(context: Context, table: Table, condition: str) -> str:
    from workbench.tools import conditions

    met = conditions.condition(context, table, condition)
    return f"{met.relation} WHERE {met.where()}"

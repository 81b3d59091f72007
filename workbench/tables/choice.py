"""Which rows of a table a person wants, in which order: conditions as SQL of our own.

What is asked comes as names, numbers and one of a few conditions; the engine sees quoted names and
bound values. A censored value meets a bound only where it does so for certain: ``<0.5`` is at most
0.5 and not at least 0.1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.errors import Refused
from workbench.formats.quoting import quote, text
from workbench.tables.cells import ABOVE, BARE, BELOW
from workbench.tables.table import FLAG, LIMIT, Column, Table

CONDITIONS = ("min", "max", "is", "contains", "missing", "present", "censored")

Bind = Callable[[object], str]


@dataclass(frozen=True)
class Filter:
    """One condition on one column.

    Attributes
    ----------
    column : str
        Its name.
    condition : str
        One of `CONDITIONS`.
    value : str or float or None
        What it is held against; none for ``missing``, ``present`` and ``censored``.
    """

    column: str
    condition: str
    value: str | float | None = None


@dataclass(frozen=True)
class Order:
    """The column that rows are sorted by; equal ones stay in the order of the file."""

    column: str
    descending: bool = False


@dataclass(frozen=True)
class Choice:
    """Which rows, in which order."""

    filters: tuple[Filter, ...] = ()
    order: Order | None = None

    @property
    def all(self) -> bool:
        """True for the file as it is."""
        return not self.filters and self.order is None


def as_sql(table: Table, choice: Choice) -> str:
    """Return one SELECT over the table's view that a person, or the sql tool, can run."""
    key = key_sql(table, choice).removesuffix(", ")
    order = f" ORDER BY {key}" if key else ""
    return f"SELECT * FROM {quote(table.name)}{where(table, choice, _literal)}{order}"  # noqa: S608 - quoted


def where(table: Table, choice: Choice, bind: Bind) -> str:
    """Return the WHERE of a choice, empty where it has no condition."""
    met = [_met(table, one, bind) for one in choice.filters]
    return f" WHERE {' AND '.join(met)}" if met else ""


def key_sql(table: Table, choice: Choice) -> str:
    """Return what a choice is sorted by, with a comma behind it; empty where it is not."""
    if choice.order is None:
        return ""
    name = quote(table.column(choice.order.column).name)
    return f"{name} {'DESC' if choice.order.descending else 'ASC'} NULLS LAST, "


def _met(table: Table, one: Filter, bind: Bind) -> str:
    """Return SQL of one condition."""
    column = table.column(one.column)
    name, flag = quote(column.name), quote(column.name + FLAG)
    limited = f"coalesce({flag} IN ({text(BELOW)}, {text(ABOVE)}, {text(BARE)}), false)"
    limited = limited if column.flagged else "false"
    if one.condition == "censored":
        return limited
    if one.condition in {"missing", "present"}:
        gap = f"({name} IS NULL AND NOT {limited})"
        return gap if one.condition == "missing" else f"NOT {gap}"
    if one.condition == "contains" or (one.condition == "is" and column.kind != "number"):
        return _worded(column, one, bind)
    return _bounded(column, one, bind)


def _literal(value: object) -> str:
    return repr(value) if isinstance(value, float) else text(str(value))


def _worded(column: Column, one: Filter, bind: Bind) -> str:
    """Return SQL of a condition on the text of a cell."""
    cell = f"CAST({quote(column.name)} AS VARCHAR)"
    if one.condition == "is":
        return f"{cell} = {bind(str(one.value))}"
    return f"contains(lower({cell}), lower({bind(str(one.value))}))"


def _bounded(column: Column, one: Filter, bind: Bind) -> str:
    """Return SQL of a bound; of a censored value, its limit decides."""
    name, sign = quote(column.name), {"min": ">=", "max": "<=", "is": "="}[one.condition]
    if column.kind == "date":
        return f"{name} {sign} TRY_CAST({bind(str(one.value))} AS TIMESTAMP)"
    if column.kind != "number":
        raise Refused(f"filter on '{column.name}': {one.condition} needs a column of numbers")
    try:
        wanted = float(str(one.value))
    except ValueError:
        raise Refused(f"filter on '{column.name}': '{one.value}' is no number") from None
    if not column.flagged:
        return f"{name} {sign} {bind(wanted)}"
    flag, limit = quote(column.name + FLAG), quote(column.name + LIMIT)
    own = {"max": text(BELOW), "min": text(ABOVE)}.get(one.condition)
    sure = f"WHEN {flag} = {own} THEN {limit} {sign} {bind(wanted)} " if own else ""
    signs = ", ".join(map(text, (BELOW, ABOVE, BARE)))
    return f"CASE {sure}WHEN {flag} IN ({signs}) THEN false ELSE {name} {sign} {bind(wanted)} END"


def read_choice(filters: Sequence[Mapping[str, Any]], order: Mapping[str, Any] | None) -> Choice:
    """Read a choice out of JSON values.

    Raises
    ------
    Refused
        If it is not one.
    """
    try:
        found = tuple(
            Filter(str(one["column"]), str(one["condition"]), one.get("value")) for one in filters
        )
        sort = Order(str(order["column"]), bool(order.get("descending"))) if order else None
    except (KeyError, TypeError, AttributeError):
        raise Refused("rows: a filter has column, condition and value, an order a column") from None
    for one in found:
        if one.condition not in CONDITIONS:
            raise Refused(f"rows: condition '{one.condition[:40]}': use {', '.join(CONDITIONS)}")
    return Choice(found, sort)

"""Result tables: rows go to disk, their count comes back.

Columns that a tool computed stand beside the rows of the table they were computed from, in the
order of the file. Cells that a spreadsheet would run as a formula are made harmless on the way.
"""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.reply import Made
from workbench.tables.names import unique_names
from workbench.tables.statistics import rounded
from workbench.tables.table import FLAG, LIMIT

if TYPE_CHECKING:
    from workbench.tables.export import Streamed
    from workbench.tables.table import Column, Table
    from workbench.tools.context import Context

CSV = "text/csv"
_ORDER = "row order"
_USED = "row is used"


def stream(context: Context, stem: str, sql: str) -> Made:
    """Write the whole result of a query as CSV."""
    return stream_and_keep(context, stem, sql, 0)[0]


def stream_and_keep(context: Context, stem: str, sql: str, keep: int) -> tuple[Made, Streamed]:
    """Write the whole result of a query as CSV and return its first rows as well."""
    with context.new_file(stem, "csv") as (part, final):
        told = context.connection.stream(sql, part, writer="csv", keep=keep)
    return context.made(final[0], CSV, told.rows, len(told.columns)), told


def small_table(
    context: Context, stem: str, header: Sequence[str], rows: Sequence[Sequence[Any]]
) -> Made:
    """Write a table that is in memory as CSV; numbers with six significant digits."""
    with (
        context.new_file(stem, "csv") as (part, final),
        part.open("w", newline="", encoding="utf-8", errors="replace") as out,
    ):
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([_cell(name) for name in header])
        writer.writerows([_cell(value) for value in row] for row in rows)
    return context.made(final[0], CSV, len(rows), len(header))


def _cell(value: Any) -> Any:  # noqa: ANN401 - a cell
    from workbench.tables.connection import neutral

    if isinstance(value, float):
        return rounded(value)
    return neutral(value) if isinstance(value, str) else value


@dataclass(frozen=True)
class Beside:
    """A table with computed columns beside it.

    Attributes
    ----------
    sql : str
        The relation: all columns of the view, the computed ones, and the order of the file.
    names : mapping of str to str
        Wanted name → the name it has, which no column of the table has.
    order : str
        Column to sort by.
    """

    sql: str
    names: Mapping[str, str]
    order: str


@contextlib.contextmanager
def beside(context: Context, table: Table, added: Mapping[str, NDArray[Any]]) -> Iterator[Beside]:
    """Put computed columns beside a table for the queries of a block.

    Parameters
    ----------
    context : Context
        Of the call.
    table : Table
        The rows.
    added : mapping of str to ndarray, shape (rows,)
        One value a row, in the order of the file.
    """
    from workbench.tables.connection import quote

    wanted = [*added, _ORDER]
    fresh = unique_names(wanted, view_columns(table))
    names = dict(zip(wanted, fresh, strict=True))
    columns = {names[name]: values for name, values in added.items()}
    columns[names[_ORDER]] = np.arange(table.rows)
    view = context.connection.view(table)
    with context.connection.attached(columns) as computed:
        sql = f"(SELECT * FROM {quote(view)} POSITIONAL JOIN {quote(computed)})"  # noqa: S608 - quoted
        yield Beside(sql, names, names[_ORDER])


def write_beside(
    context: Context,
    table: Table,
    stem: str,
    added: Mapping[str, NDArray[Any]],
    *,
    names: Sequence[str] | None = None,
    used: NDArray[np.bool_] | None = None,
    by: str = "",
    keep: int = 0,
) -> tuple[Made, Streamed]:
    """Write rows of a table with computed columns beside them.

    Parameters
    ----------
    context : Context
        Of the call.
    table : Table
        The rows.
    stem : str
        Of the file.
    added : mapping of str to ndarray, shape (rows,)
        Columns to write, one value a row.
    names : sequence of str, optional
        Columns of the table to write, each with its flag and limit; all if left out.
    used : ndarray of bool, shape (rows,), optional
        Rows to write; all if left out.
    by : str, optional
        Computed column to sort by, with ``-`` before it for the largest first; else, and where
        equal, in the order of the file.
    keep : int, optional
        First rows to return as well.
    """
    from workbench.tables.connection import quote

    chosen = {} if used is None else {_USED: used}
    with beside(context, table, {**added, **chosen}) as joined:
        fresh = [joined.names[key] for key in added]
        # Named one by one, all columns of a wide table make a query that is too long to run.
        hidden = [joined.order, *(joined.names[key] for key in chosen)]
        listed = f"* EXCLUDE ({', '.join(map(quote, hidden))})"
        if names is not None:
            listed = ", ".join(map(quote, [*view_columns(table, names), *fresh]))
        order = ""  # rows come in the order of the file; to sort them would hold them all
        if by:
            falling = " DESC" if by.startswith("-") else ""
            first = quote(joined.names[by.removeprefix("-")])
            order = f"ORDER BY {first}{falling}, {quote(joined.order)}"
        where = f"WHERE {quote(joined.names[_USED])} " if chosen else ""
        sql = f"SELECT {listed} FROM {joined.sql} {where}{order}"  # noqa: S608 - quoted
        return stream_and_keep(context, stem, sql, keep)


def view_columns(table: Table, names: Sequence[str] | None = None) -> list[str]:
    """Return the view's columns for some columns of a table: each with its flag and limit."""
    chosen = table.columns if names is None else [table.column(name) for name in names]
    found: list[str] = []
    for column in chosen:
        found.append(column.name)
        if column.flagged:
            found += [column.name + FLAG, column.name + LIMIT]
    return found


def display(table: Table, names: Sequence[str]) -> list[str]:
    """Return SQL of cells as a reader of the file would write them: ``<1``, ``>100``."""
    return [_shown(table.column(name)) for name in names]


def _shown(column: Column) -> str:
    from workbench.tables.connection import quote

    value = quote(column.name)
    if not column.flagged:
        return value
    flag, limit = quote(column.name + FLAG), quote(column.name + LIMIT)
    return (
        f"CASE WHEN {flag} IS NULL THEN printf('%.6g', {value}) "
        f"WHEN {flag} IN ('<', '>') THEN {flag} || printf('%.6g', {limit}) ELSE {flag} END"
    )


def missing(column: Column) -> str:
    """Return SQL of the condition that a value is missing; censored is not missing."""
    from workbench.tables.connection import quote

    value = quote(column.name)
    if not column.flagged:
        return f"{value} IS NULL"
    return (
        f"{value} IS NULL AND coalesce({quote(column.name + FLAG)} NOT IN ('<', '>', 'bdl'), TRUE)"
    )


def samples_only(table: Table) -> str:
    """Return SQL of the condition that a row is a sample and not of quality control."""
    if table.control is None:
        return "TRUE"
    from workbench.tables.connection import quote
    from workbench.tables.control_words import is_control

    return f"coalesce(NOT ({is_control(quote(table.control.column), table.control.how)}), TRUE)"

"""A few rows or values of a table, as the file has them: ``<1`` stays ``<1``.

More than is asked for is never fetched, and never more than a thousand: the gate shows twenty.
"""

from __future__ import annotations

from typing import Any

from workbench.accounting import facts, results
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tables.statistics import rounded
from workbench.tools.conditions import condition, spelling
from workbench.tools.request import Request

_FETCHED = 1_000


def head(request: Request) -> Reply:
    """Return the first rows."""
    return _rows(request, "first rows", "")


def tail(request: Request) -> Reply:
    """Return the last rows, in the order of the file."""
    return _rows(request, "last rows", "tail")


def sample(request: Request) -> Reply:
    """Return rows picked by the run's seed."""
    return _rows(request, "sampled rows", "sample")


def _rows(request: Request, title: str, which: str) -> Reply:
    context, table = request.context, request.table
    chosen = table.columns if request.columns is None else tuple(map(table.column, request.columns))
    names = [column.name for column in chosen]
    relation, total, values, notes = _source(request)
    n = min(request.n, _FETCHED)
    cells = ", ".join(results.display(table, names))
    if which == "tail":
        place = f"LIMIT {n} OFFSET {max(total - n, 0)}"
    elif which == "sample":
        place = f"USING SAMPLE reservoir({n} ROWS) REPEATABLE ({context.seed})"
    else:
        place = f"LIMIT {n}"
    rows = context.connection.rows(f"SELECT {cells} FROM {relation} {place}")  # noqa: S608 - quoted
    if request.path in context.first_lines:
        title += " of the first lines"
    if which == "sample":
        values["seed"] = context.seed
    preview = facts.preview(context, title, names, rows, total, request.path)
    return Reply(values, previews=(preview,), notes=notes)


def value_counts(request: Request) -> Reply:
    """Return how often each value of one column occurs, most frequent first."""
    if request.columns is None or len(request.columns) != 1:
        raise Refused('query_data: value_counts takes one column, such as columns=["Lithology"]')
    context, table = request.context, request.table
    column = table.column(request.columns[0])
    relation, total, values, notes = _source(request)
    cell = results.display(table, [column.name])[0]
    gap = results.missing(column)
    counted = (
        f"SELECT {cell} AS value, count(*) AS n FROM {relation} WHERE NOT ({gap}) GROUP BY value"  # noqa: S608 - quoted
    )
    sums = f"SELECT count(*), coalesce(sum(n), 0) FROM ({counted})"  # noqa: S608 - our own
    distinct, known = (int(value) for value in context.connection.rows(sums)[0])
    n = min(request.n, _FETCHED)
    top = context.connection.rows(f"{counted} ORDER BY n DESC, value LIMIT {n}")
    shown = top[: context.limits["preview_rows"].number]
    values |= {
        "column": facts.name(column.name),
        "distinct": distinct,
        "missing": total - known,
        "other": known - sum(int(row[1]) for row in shown),
    }
    rows = [(value, int(count), rounded(int(count) / max(total, 1))) for value, count in top]
    title = f"values of {facts.name(column.name)}"
    preview = facts.preview(
        context, title, ("value", "count", "share"), rows, distinct, request.path
    )
    return Reply(values, previews=(preview,) if rows else (), notes=notes)


def _source(request: Request) -> tuple[str, int, dict[str, Any], tuple[str, ...]]:
    """Return SQL of the rows to look at, their number, and what the condition came to."""
    from workbench.tables.connection import quote

    context, table = request.context, request.table
    if request.expression is None:
        key = "rows_at_least" if request.path in context.first_lines else "rows_in"
        return quote(context.connection.view(table)), table.rows, {key: table.rows}, ()
    found = condition(context, table, request.expression)
    told = {"expression": request.expression, **found.facts()}
    relation = f"({found.kept_rows()})"
    return relation, found.kept, told, spelling(context, found)

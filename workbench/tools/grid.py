"""The grid of a table for people: pages, the shape of a column, and the choice as SQL.

Asked for by a browser through the kernel, as numbers of columns and a few conditions; no agent can
call it and nothing it returns enters a context.
"""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from workbench import marker, visible
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tools.context import Context
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.choice import Choice
    from workbench.tables.rowset import RowSet
    from workbench.tables.table import Column

PAGE_ROWS = 200
PAGE_COLUMNS = 120
CELL_CHARS = 1_000
# A page travels as one line of the pipe, which holds 1 MiB.
_PAGE_CHARS = 600_000
_SHORTEST = 20


@tool(effect="read", audience="people")
def grid_head(context: Context, path: str, limit: int = 100) -> Reply:
    """Return the first rows of a result that is CSV, before the whole of it was read.

    Parameters
    ----------
    path : str
        Result.
    limit : int
        Rows, 1 to 200.
    """
    with context.open(path) as file, file.stream() as stream:
        lines = (line.decode("utf-8", "replace") for line in stream)
        rows = list(itertools.islice(csv.reader(lines), 1 + min(max(limit, 1), PAGE_ROWS)))
    names = rows[0][:PAGE_COLUMNS] if rows else []
    own = [place for place, name in enumerate(names) if not _is_companion(name, names)]
    body = [[_shown(_as_written(row, names, place)) for place in own] for row in rows[1:]]
    return Reply(facts={"columns": [names[place] for place in own], "rows": _within(body)})


def _is_companion(name: str, names: Sequence[str]) -> bool:
    base, _, ending = name.rpartition("__")
    return ending in {"flag", "limit"} and base in names


def _as_written(row: Sequence[str], names: Sequence[str], place: int) -> str | None:
    """Return a cell of a result as its source had it: ``<`` and ``0.5`` stand beside it."""
    beside = dict(zip(names, row, strict=False))
    flag, limit = (beside.get(f"{names[place]}__{ending}", "") for ending in ("flag", "limit"))
    return f"{flag}{limit}" if flag in {"<", ">"} and limit else (row[place] or None)


@tool(effect="read", audience="people")
def grid_open(context: Context, path: str, table: str | None = None) -> Reply:
    """Return the columns of a table and what the reader knows of each.

    Parameters
    ----------
    path : str
        File or result.
    table : str
        Sheet or table name where the file has several.
    """
    rows = rows_of(context, path, table)
    columns = [_column(column) for column in rows.table.columns]
    return Reply(facts={"columns": columns, "total": rows.table.rows, "name": rows.table.name})


@tool(effect="read", audience="people")
def grid_page(
    context: Context,
    path: str,
    table: str | None = None,
    filters: list[dict[str, object]] | None = None,
    order: dict[str, object] | None = None,
    offset: int = 0,
    limit: int = 100,
    first: int = 0,
    width: int = 40,
) -> Reply:
    """Return rows of a choice, cells as texts, with the marks of censored and missing values.

    Parameters
    ----------
    path : str
        File or result.
    table : str
        Sheet or table name where the file has several.
    filters : list of dict
        ``column, condition, value``.
    order : dict
        ``column, descending``.
    offset, limit : int
        Rows before the page; rows of it, 1 to 200.
    first, width : int
        First column of the page; columns of it, 1 to 120.
    """
    if offset < 0 or not 1 <= limit <= PAGE_ROWS or first < 0 or not 1 <= width <= PAGE_COLUMNS:
        raise Refused(
            f"rows: offset {offset}, limit {limit}, columns {first} + {width}: a page has 1 to "
            f"{PAGE_ROWS} rows and 1 to {PAGE_COLUMNS} columns"
        )
    rows = rows_of(context, path, table)
    matched = rows.choose(_choice(filters, order))
    numbers, stored = rows.page(offset, limit)
    cells, marks = [], {}
    for column in rows.table.columns[first : first + width]:
        values, flags = rows.cells(stored, column)
        cells.append([_shown(value) for value in values])
        if flags:
            marks[column.name] = {str(place): flag for place, flag in flags.items()}
    body = [list(row) for row in zip(*cells, strict=True)]
    facts: dict[str, Any] = {"matched": matched, "total": rows.table.rows, "numbers": numbers}
    facts |= {"rows": _within(body), "marks": marks}
    return Reply(facts=facts)


@tool(effect="read", audience="people")
def grid_column(
    context: Context,
    path: str,
    column: str,
    table: str | None = None,
    filters: list[dict[str, Any]] | None = None,
) -> Reply:
    """Return how the values of one column lie among the rows of a choice.

    Parameters
    ----------
    path : str
        File or result.
    column : str
        Its name.
    table : str
        Sheet or table name where the file has several.
    filters : list of dict
        ``column, condition, value``.
    """
    return Reply(facts=rows_of(context, path, table).shape(column, _choice(filters, None)))


@tool(effect="read", audience="people")
def grid_sql(
    context: Context,
    path: str,
    table: str | None = None,
    filters: list[dict[str, object]] | None = None,
    order: dict[str, object] | None = None,
) -> Reply:
    """Return the choice as one SELECT, for the tool `sql`.

    Parameters
    ----------
    path : str
        File or result.
    table : str
        Sheet or table name where the file has several.
    filters : list of dict
        ``column, condition, value``.
    order : dict
        ``column, descending``.
    """
    from workbench.tables.choice import as_sql

    return Reply(
        facts={"sql": as_sql(rows_of(context, path, table).table, _choice(filters, order))}
    )


def rows_of(context: Context, path: str, table: str | None) -> RowSet:
    """Return the rows of a table, opened once in the life of this child."""
    from workbench.tables.rowset import RowSet

    key = f"grid {path} {table}"
    if key not in context.held:
        context.held[key] = RowSet(context.connection, context.opened(path).table(table))
    found: RowSet = context.held[key]
    return found


def _choice(filters: Sequence[dict[str, Any]] | None, order: dict[str, Any] | None) -> Choice:
    from workbench.tables.choice import read_choice

    return read_choice(filters or (), order)


def _column(column: Column) -> dict[str, Any]:
    """Return what a header shows of a column."""
    told = ("name", "kind", "role", "unit", "count", "below", "above", "median", "min", "max")
    missing = sum(column.missing.values()) + column.rejected
    return {**{name: getattr(column, name) for name in told}, "missing": missing}


def _shown(value: object) -> str | None:
    """Return a cell as text; None where there is nothing."""
    if value is None:
        return None
    if isinstance(value, float):
        return f"{value:.10g}"
    words = str(value).lower() if isinstance(value, bool) else str(value)
    return marker.short(visible.visible(words), CELL_CHARS)


def _within(rows: list[list[str | None]]) -> list[list[str | None]]:
    """Return rows that fit a line of the pipe: cells cut shorter, each with its count."""
    width = CELL_CHARS
    while width > _SHORTEST and len(json.dumps(rows)) > _PAGE_CHARS:
        width //= 2
        rows = [[cell and marker.short(cell, width) for cell in row] for row in rows]
    return rows

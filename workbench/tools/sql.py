"""SQL over views of the files: the whole result to disk, its first rows back.

The query runs on a connection that sees the named tables and nothing else, can write nothing, and
is interrupted when it takes too long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from workbench.accounting import facts, results
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tools.context import Context
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table

_LISTED = 12
_MOST_FILES = 20
_FETCHED = 1_000


@tool(effect="derive")
def sql(context: Context, query: str, paths: list[str] | None = None) -> Reply:
    """Run one SELECT in DuckDB's SQL: joins, grouping, ranking, what no other tool does.

    A file's view has the name of its stem (a sheet: stem_sheet). A censored column holds half the
    limit; NAME__flag ('<', '>', 'bdl') and NAME__limit tell. All rows to disk, the first 20 back.

    Parameters
    ----------
    query : str
        One SELECT; quote names that hold signs.
    paths : list of str
        Files to use; if left out, those whose view the query names.
    """
    if not query.strip():
        raise Refused("sql: the query is empty; write one SELECT over a view")
    tables = _tables(context, query, paths)
    views = {context.connection.view(table): table for table in tables}
    # One row more than is shown, so that the gate is the one that cuts and says so.
    shown = min(context.limits["preview_rows"].number, _FETCHED) + 1
    stem = context.named(tables[0].source, "sql") if len(views) == 1 else "sql"
    made, told = results.stream_and_keep(context, stem, query, shown)
    total = made.rows or 0
    limited = [c for table in tables for c in table.columns if c.censored]
    used = [c for c in limited if _ALL.search(query) or _said(c.name, query)]
    values: dict[str, Any] = {
        "rows_out": total,
        "columns": made.columns,
        "views": {name: facts.name(table.source) for name, table in list(views.items())[:_LISTED]},
        "censored": facts.censored(used),
        "policy": facts.HALF,
        "output": facts.output(made.path),
    }
    preview = facts.preview(context, "result", told.columns, told.first, total, made.path)
    return Reply(values, previews=(preview,), made=(made,), notes=_bare(limited, told.columns))


# `SELECT *`, `t.*`, `COLUMNS(…)`: every column; not `count(*)` nor a product.
_ALL = re.compile(
    r"(?:\bselect(?:\s+distinct)?|,|\.)\s*\*|\bcolumns\s*\(|\A\s*from\b", re.IGNORECASE
)


def _bare(limited: Sequence[Column], shown: Sequence[str]) -> tuple[str, ...]:
    """Say which censored columns a result shows without what tells their censored values."""
    from workbench.tables.table import FLAG

    there = {name.casefold() for name in shown}
    bare = [
        facts.name(column.name)
        for column in limited
        if column.name.casefold() in there and (column.name + FLAG).casefold() not in there
    ]
    if not bare:
        return ()
    names = ", ".join(bare[:_LISTED]) + (" and more" if len(bare) > _LISTED else "")
    return (
        f"{names}: values at a limit look like any other here; select {bare[0]}{FLAG} to tell them",
    )


def _said(name: str, query: str) -> bool:
    return name.casefold() in query.casefold()


def _tables(context: Context, query: str, paths: Sequence[str] | None) -> list[Table]:
    """Return the tables of the named files, or of the files whose views the query names."""
    if paths:
        if len(paths) > _MOST_FILES:
            raise Refused(f"sql: {len(paths)} files are too many at once (at most {_MOST_FILES})")
        return _weighed(context, query, paths)
    names = list(_mentioned(context, query))
    found = _weighed(context, query, names[:_MOST_FILES])
    if not found:
        known = sorted({context.stem(path) for path in _candidates(context)})
        more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
        raise Refused(
            "sql: the query names no view of a file; views are named after file stems: "
            f"{', '.join(known[:_LISTED])}{more}; or give paths"
        )
    return found


def _weighed(context: Context, query: str, paths: Sequence[str]) -> list[Table]:
    """Return the tables of files; those whose view the query names are worked on."""
    found: list[Table] = []
    for path in paths:
        tables = context.opened(path).tables
        for table in tables:
            if _said(table.name, query):
                context.weigh(path, table, alone=len(tables) == 1)
        found += tables
    return found


def _mentioned(context: Context, query: str) -> Iterator[str]:
    """Yield the files whose view name stands in the query."""
    from workbench.tables.names import view_name

    words = query.casefold()
    for path in _candidates(context):
        stem = view_name(path.rpartition("/")[2].rpartition(".")[0]).casefold()
        if stem and re.search(rf"(?<![a-z0-9]){re.escape(stem)}", words):
            yield path


def _candidates(context: Context) -> Iterator[str]:
    """Yield every file that may hold a table, results last."""
    from workbench.formats.format import extension
    from workbench.formats.registry import data_extensions

    data = data_extensions()
    for entry in context.workspace.walk():
        if extension(entry.name) in data | {"txt"}:
            yield entry.name
    for name, _ in context.results():
        if extension(name) in data:
            yield name

"""Tools for people: whole descriptions and pages of rows, asked for by command line or browser.

No agent can call them and nothing they return enters a context; they run in the same confined
child as every other tool.
"""

from __future__ import annotations

import json
import os

from workbench.errors import Refused
from workbench.files import knownhashes
from workbench.reply import Reply
from workbench.tools.context import Context
from workbench.tools.registry import tool

# A page travels as one line of the pipe.
PAGE_ROWS = 1_000
# Columns whose censored values a script is told of beforehand.
_COLUMNS = 12


@tool(effect="read", audience="people")
def describe_file(context: Context, path: str) -> Reply:
    """Describe everything the reader made of a file, into a file beside the call.

    Parameters
    ----------
    path : str
        File.
    """
    opened = context.opened(path)
    with context.new_file("describe", "json") as (part, final):
        part.write_text(json.dumps(opened.to_json(), ensure_ascii=False), encoding="utf-8")
    return Reply(facts={"file": final[0].name})


@tool(effect="read", audience="people")
def hash_file(context: Context, path: str) -> Reply:
    """Hash the bytes of a file, and say which state of it was hashed.

    For a child that does nothing else: what it says is believed, since it has read nothing that
    could have turned it.

    Parameters
    ----------
    path : str
        File.
    """
    with context.open(path) as file:
        before = os.fstat(file.fd)
        sure = knownhashes.is_settled(before)
        sha256 = file.sha256() if sure else ""
        same = knownhashes.mark(before) == knownhashes.mark(os.fstat(file.fd))
    return Reply(facts={"mark": knownhashes.mark(before) if same else "", "sha256": sha256})


@tool(effect="read", audience="people")
def lend_tables(context: Context, path: str) -> Reply:
    """Have the tables of a file read, and say which snapshot holds each, for a script to read.

    Parameters
    ----------
    path : str
        File or result path.
    """
    tables = context.opened(path).tables
    notes = []
    for table in tables:
        flagged = [item for item in table.columns if item.flagged]
        told = [f"{item.name} {item.below:,} below, {item.above:,} above" for item in flagged]
        more = f" and {len(told) - _COLUMNS} columns more" if len(told) > _COLUMNS else ""
        beyond = f"; not plain numbers: {', '.join(told[:_COLUMNS])}{more}" if told else ""
        notes.append(f"tables/{table.name}.parquet: {table.rows:,} rows of {path}{beyond}")
    return Reply(
        facts={"parts": {table.name: table.path.name for table in tables}}, notes=tuple(notes)
    )


@tool(effect="read", audience="people")
def page_rows(
    context: Context,
    path: str,
    table: str | None = None,
    offset: int = 0,
    limit: int = 100,
) -> Reply:
    """Return one page of a table's rows, censored values as in the file.

    Parameters
    ----------
    path : str
        File or result.
    table : str
        Sheet or table name where the file has several.
    offset : int
        Rows before the page.
    limit : int
        Rows of the page, 1 to 1000.
    """
    if offset < 0 or not 1 <= limit <= PAGE_ROWS:
        raise Refused(
            f"rows: offset {offset}, limit {limit}: offset starts at 0 and a page has 1 to "
            f"{PAGE_ROWS:,} rows"
        )
    found = context.table(path, table)
    name = context.connection.view(found)
    from workbench.tables.connection import quote

    page = f"SELECT * FROM {quote(name)} LIMIT ? OFFSET ?"  # noqa: S608 - a quoted view of ours
    rows = context.connection.rows(page, (limit, offset))
    columns = [row[0] for row in context.connection.rows(f"DESCRIBE {quote(name)}")]
    return Reply(
        facts={
            "columns": columns,
            "rows": [[_plain(value) for value in row] for row in rows],
            "total": found.rows,
        }
    )


def _plain(value: object) -> object:
    """Return a cell as a JSON value."""
    if value is None or isinstance(value, str | int | bool):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None  # noqa: PLR0124 - NaN
    return str(value)

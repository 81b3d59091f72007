"""Errors of the query engine as one plain line: what failed, and what to do next.

No path, no library trace and no candidate list of a whole schema leaves here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import duckdb

from workbench.errors import LimitReached, Refused, nearest
from workbench.limits import Limits
from workbench.tables.statement import not_open

_PATH = re.compile(r"(?<![\w.])(?:[A-Za-z]:)?(?:[/\\][\w.@+~-]+){2,}[/\\]?")
_COLUMN = re.compile(
    r'(?:Referenced column|column) "([^"]+)" (?:not found|that is not)', re.IGNORECASE
)
_TABLE = re.compile(r"Table with name (.+?) does not exist", re.IGNORECASE)
_LENGTH = 300
# Errors that quote the value they stumbled over: a cell, which an error must not show.
# Messages about the query's own words; they repeat no cell.
_OF_THE_QUERY = (duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException)


def refusal(
    error: Exception, limits: Limits, columns: Iterable[str], tables: Iterable[str], *, timed: bool
) -> Refused:
    """Return what to tell about an error of the engine.

    Parameters
    ----------
    error : Exception
        As it was raised.
    limits : Limits
        The session's table.
    columns, tables : iterable of str
        Names that exist, for the nearest one.
    timed : bool
        True if the time limit interrupted the query.
    """
    said = str(error)
    if timed:
        rule = limits["query_seconds"].sentence
        return LimitReached(
            f"query: interrupted. {rule} Ask for less, or filter before joining", "query_seconds"
        )
    if isinstance(error, duckdb.OutOfMemoryException | MemoryError) or "Out of memory" in said:
        return LimitReached(
            "query: it needs more memory than a child has; filter, or group in two steps",
            "child_memory",
        )
    return Refused(f"query: {_reason(error, said, columns, list(tables))}")


def _reason(error: Exception, said: str, columns: Iterable[str], tables: list[str]) -> str:
    """Say what was wrong with a query, and name what comes nearest."""
    if isinstance(error, duckdb.InterruptException) or "interrupted" in said.casefold():
        return "it was stopped"
    if match := _COLUMN.search(said):
        return f"column '{match[1][:80]}' not found{nearest(match[1], columns)}"
    if match := _TABLE.search(said):
        return not_open(match[1], tables)
    if isinstance(error, duckdb.PermissionException) or "disabled by configuration" in said:
        return "files, extensions and settings are closed to queries; name an open table"
    if not isinstance(error, _OF_THE_QUERY):
        # Only what was wrong with the query's own words may be repeated: every other message can
        # carry cells.
        kind = type(error).__name__.removesuffix("Exception")
        return f"a value cannot be used as the query asks ({kind} error); check types and functions"
    return one_line(said)


def one_line(said: str) -> str:
    """Return the first line of a library's message without its paths."""
    first = said.strip().split("\n", 1)[0]
    first = re.sub(r"^(?:[A-Z][A-Za-z]* )+Error: ", "", first)
    return _PATH.sub("…", first)[:_LENGTH] or "it failed"

"""What a query of a model may be: one SELECT over the tables that are open, and nothing else.

This is the second wall. The first is that the text only ever runs as the bound argument of
``query(?)``, which takes one SELECT; the third is a connection with every door locked; the fourth
a process that sees the data read-only. This wall turns away what would only leak: settings,
paths, other ways to run text.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

import duckdb

from workbench.errors import Refused, nearest

_CHARACTERS = 100_000
_NODES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "CTE_NODE", "RECURSIVE_CTE_NODE"})
TABLE_FUNCTIONS = frozenset(
    {"range", "generate_series", "unnest", "json_each", "json_tree", "repeat", "repeat_row"}
)
# Functions that read settings, variables or files, run text, change what later queries give, wait,
# or put cells into an error.
_CLOSED = frozenset(
    {
        "current_setting", "getvariable", "getenv", "query", "query_table",
        "which_secret", "json_serialize_sql", "json_deserialize_sql",
        "json_execute_serialized_sql", "json_serialize_plan", "write_log", "set_config",
        "file_exists", "nextval", "currval", "error", "setval", "setseed", "sleep_ms", "stats",
        "get_block_size", "current_query", "current_query_id", "current_connection_id",
        "current_transaction_id", "txid_current",
    }
)  # fmt: skip
_SYSTEM = ("duckdb_", "pg_", "sqlite_", "pragma_")
# Readers of files, and what looks the catalogue up, waits, or is not made to be called.
_OWN = (*_SYSTEM, "__internal", "read_")
_HARMLESS = frozenset({"pg_typeof", "pg_size_pretty"})
_DESCRIBING = "information_schema"
_SCHEMAS = frozenset({"", "main", _DESCRIBING})


def check_statement(con: duckdb.DuckDBPyConnection, sql: str, tables: Collection[str]) -> None:
    """Refuse a text that is not one SELECT over open tables.

    Parameters
    ----------
    con : DuckDBPyConnection
        Only its parser is used.
    sql : str
        The text.
    tables : collection of str
        Names of open tables.

    Raises
    ------
    Refused
        Saying what is not run.
    """
    if len(sql) > _CHARACTERS:
        raise Refused(
            f"query: {len(sql):,} characters, and {_CHARACTERS:,} are the most; write it shorter"
        )
    parsed = _parsed(con, sql)
    own = {str(one["key"]) for node in _walk(parsed) for one in _named(node)}
    for node in _walk(parsed):
        _check_node(node, tables, own)


def _parsed(con: duckdb.DuckDBPyConnection, sql: str) -> list[Any]:
    """Return the syntax trees of a text."""
    try:
        # All of it: a result that is left open would own the connection.
        rows = con.execute("SELECT json_serialize_sql(?)", [sql]).fetchall()
    except duckdb.Error:
        rows = []
    found: dict[str, Any] = json.loads(rows[0][0]) if rows else {"error": True}
    if found.get("error"):
        said = str(found.get("error_message", "it cannot be parsed")).split("\n", 1)[0]
        if "Only SELECT" in said:
            said = "only SELECT is run; files and tables are never changed by a query"
        raise Refused(f"query: {said[:200]}")
    statements: list[Any] = found["statements"]
    if len(statements) != 1:
        raise Refused(f"query: {len(statements)} statements, and one SELECT is run at a time")
    return statements


def _walk(value: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - a JSON value
    """Yield every object of a tree; no recursion, since a query may be nested deeply."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            yield item
            stack += item.values()
        elif isinstance(item, list):
            stack += item


def _named(node: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what WITH names in a node."""
    found = node.get("cte_map")
    return found.get("map", []) if isinstance(found, dict) else []


def _check_node(node: dict[str, Any], tables: Collection[str], own: Collection[str]) -> None:
    kind = str(node.get("type", ""))
    if "cte_map" in node and kind not in _NODES:
        raise Refused(
            "query: COPY, INSERT, UPDATE and DELETE are not run, not even inside WITH; results "
            "are written by the tool itself"
        )
    if kind == "TABLE_FUNCTION":
        name = str(node.get("function", {}).get("function_name", "")).casefold()
        if name not in TABLE_FUNCTIONS:
            raise Refused(
                f"query: the table function '{name[:60]}' is closed; tables are named directly: "
                f"{', '.join(sorted(tables))[:200] or 'none is open'}"
            )
    if "function_name" in node:  # of a call, and of a window
        name = str(node["function_name"]).casefold()
        if name in _CLOSED or (name.startswith(_OWN) and name not in _HARMLESS):
            raise Refused(f"query: the function '{name[:60]}' is closed to queries; leave it out")
    if kind == "BASE_TABLE":
        _check_table(node, tables, own)


def _check_table(node: dict[str, Any], tables: Collection[str], own: Collection[str]) -> None:
    name, schema = str(node.get("table_name", "")), str(node.get("schema_name", ""))
    catalog = str(node.get("catalog_name", ""))
    known = {table.casefold() for table in tables}
    if name.casefold() in known and schema.casefold() in _SCHEMAS and not catalog:
        return
    system = name.casefold().startswith(_SYSTEM)
    if system or schema.casefold() not in _SCHEMAS or catalog.casefold() not in {"", "memory"}:
        raise Refused(f"query: '{name[:60]}' is closed{nearest(name, tables)}")
    # A name that is nothing of ours would be taken for a file: the snapshots can be read.
    if schema.casefold() != _DESCRIBING and name.casefold() not in {one.casefold() for one in own}:
        raise Refused(f"query: {not_open(name, tables)}")


def not_open(name: str, tables: Collection[str]) -> str:
    """Say that there is no such table, and which there are."""
    listed = ", ".join(sorted(tables)[:10]) or "none"
    return f"table '{name[:80]}' is not open{nearest(name, tables)}; open: {listed}"

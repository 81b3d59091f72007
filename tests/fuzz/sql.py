"""Texts that a model might send as SQL: every function of the engine, in every place of a query."""

from __future__ import annotations

import duckdb
from hypothesis import strategies as st

with duckdb.connect() as engine:
    KINDS: dict[str, str] = {
        str(name): str(kind)
        for name, kind in engine.execute(
            "SELECT DISTINCT function_name, function_type FROM duckdb_functions() ORDER BY ALL"
        ).fetchall()
    }
NAMES = sorted(name for name in KINDS if name.replace("_", "a").isalnum())
# What is worth more tries than one among a thousand functions.
DOORS = (
    *("read_text", "read_blob", "read_csv", "read_csv_auto", "read_parquet", "parquet_scan"),
    *("glob", "sniff_csv", "getenv", "getvariable", "current_setting", "duckdb_settings"),
    *("query", "query_table", "json_execute_serialized_sql", "json_serialize_sql", "which_secret"),
    *("duckdb_views", "duckdb_tables", "duckdb_databases", "pragma_database_size", "error"),
    *("pg_get_viewdef", "setseed", "sleep_ms", "arrow_scan", "pandas_scan", "seq_scan"),
)
LEAVES = (
    *("1", "-1", "NULL", "TRUE", "'a'", "t.Au_ppb", "SampleID", "*", "COLUMNS(*)", "[1, 2]"),
    *("{'a': 1}", "x -> x", "'{data}'", "'{secret}'", "'{out}'", "'{snapshot}'", "'t'"),
    *("'temp_directory'", "'CANARY_OF_THE_ENVIRONMENT'", "'SELECT 1'", "INTERVAL 1 DAY", "?", "$1"),
)
RELATIONS = (
    *("t", "T", '"t"', "main.t", "memory.main.t", "snapshot_1", "'{data}'", "'{secret}'"),
    *("'{snapshot}'", '"{data}"', "a", "information_schema.tables", "information_schema.views"),
    *("pg_settings", "pg_catalog.pg_views", "sqlite_master", "duckdb_settings", "(VALUES (1)) v"),
    *("(SHOW temp_directory)", "(SHOW ALL TABLES)", "(DESCRIBE t)", "(SUMMARIZE t)", "(FROM t)"),
    *("t AT (VERSION => 1)", "t TABLESAMPLE 2 ROWS", "(PIVOT t ON SampleID)", "(SHOW databases)"),
)


def _case(name: str, way: int) -> str:
    """Write a name in one of the ways the engine understands."""
    return (
        *(name, name.upper(), f'"{name}"', f"main.{name}", f"system.main.{name}"),
        *(f"{name}/**/", f"pg_catalog.{name}"),
    )[way]


names = st.builds(_case, st.sampled_from(DOORS) | st.sampled_from(NAMES), st.integers(0, 6))


def _nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    words = st.lists(inner, max_size=3).map(", ".join)
    called = st.builds("{0}({1})".format, names, words)
    return (
        called
        | st.builds("({0} + {1})".format, inner, inner)
        | st.builds("CAST({0} AS VARCHAR)".format, inner)
        | st.builds("CASE WHEN {0} THEN {1} END".format, inner, inner)
        | st.builds("(SELECT {0} FROM {1})".format, inner, st.sampled_from(RELATIONS) | called)
        | st.builds("list_transform([1], x -> {0})".format, inner)
        | st.builds("{0}({1}) OVER (ORDER BY {2})".format, names, inner, inner)
        | st.builds("EXISTS (FROM {0})".format, called)
    )


values = st.recursive(st.sampled_from(LEAVES), _nested, max_leaves=6)
relations = (
    st.sampled_from(RELATIONS)
    | st.builds("{0}({1})".format, names, st.lists(values, max_size=3).map(", ".join))
    | st.builds("(SELECT {0} FROM t) s".format, values)
    | st.builds("t, LATERAL (SELECT {0}) s".format, values)
)
selects = (
    st.builds("SELECT {0}".format, values)
    | st.builds("SELECT {0} FROM {1}".format, values, relations)
    | st.builds("FROM {0}".format, relations)
    | st.builds("SELECT * FROM t WHERE {0} ORDER BY {1} LIMIT 3".format, values, values)
    | st.builds("SELECT {0} FROM t GROUP BY {1} HAVING {2}".format, values, values, values)
)
OTHERS = (
    *("COPY ({0}) TO '{{out}}'", "COPY t FROM '{{data}}'", "CREATE TABLE a AS {0}", "DROP VIEW t"),
    *("ATTACH '{{out}}' AS a", "SET threads = 8", "RESET ALL", "PRAGMA version", "CALL glob('*')"),
    *("INSERT INTO t {0}", "DELETE FROM t", "INSTALL httpfs", "LOAD json", "EXPLAIN {0}"),
    *("CREATE MACRO f() AS ({0})", "PREPARE p AS {0}", "USE main", "EXPORT DATABASE '{{out}}'"),
    *("SET VARIABLE a = ({0})", "SUMMARIZE {0}", "DESCRIBE {0}", "VACUUM", "CHECKPOINT"),
)
statements = selects | st.builds(
    lambda form, inner: form.format(inner), st.sampled_from(OTHERS), selects
)
wrapped = (
    selects
    | statements
    | st.builds("WITH a AS ({0}) {1}".format, statements, selects)
    | st.builds("WITH RECURSIVE a AS ({0} UNION ALL {1}) {2}".format, selects, selects, selects)
    | st.builds("{0}; {1}".format, statements, statements)
    | st.builds("{0} UNION ALL BY NAME {1}".format, selects, selects)
    | st.builds("{0}) {1} --".format, selects, statements)
    | st.builds("SELECT (WITH a AS ({0}) SELECT count(*) FROM a)".format, statements)
)


@st.composite
def broken(draw: st.DrawFn) -> str:
    """Return a query with a stretch taken out, doubled, or replaced by an odd sign."""
    text = draw(wrapped)
    at = draw(st.integers(0, len(text)))
    size = draw(st.integers(0, 5))
    odd = draw(
        st.sampled_from(["", text[at : at + size] * 2, ";", "'", '"', "--", "/*", "\0", "$$"])
    )
    return text[:at] + odd + text[at + size :]


queries = wrapped | broken() | st.text(max_size=60)

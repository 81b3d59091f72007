"""No text of an expression becomes SQL: what is run is of the grammar alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from filebench import FileBench
from fuzz.examples import TIMES, tried
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import LimitReached, Refused
from workbench.formats.quoting import quote
from workbench.tables.connection import Connection
from workbench.tables.expression import KEEP, compile_expression
from workbench.tables.table import Table

# Names of columns that would end a quoted name, or pass for a call, if they were taken as SQL.
HEADERS = (
    "id",
    "Au_ppb",
    'a"b',
    "x) FROM t --",
    "µ`tick",
    "drop table t",
    "date",
    "row·keep",
    "row  keep",
    "step  1  low",
)
HOSTILE = (
    *("'", '"', "`", "--", "/*", "*/", ";", "\\", "\0", ")", "(", "$1", "?", "||", "::INT", "\n"),
    *("read_text('/etc/passwd')", "'; DROP VIEW t; --", '" OR 1=1 --', "(SELECT 1)", "x -> x"),
    *("__import__('os')", "id.__class__", "f'{id}'", "lambda: 1", "[i for i in id]", "id := 1"),
)
# Whatever the grammar compiles to calls nothing else.
CALLED = {
    *("contains", "starts_with", "ends_with", "lower", "coalesce", "+", "-", "*", "/", "abs"),
    *("greatest", "least", "isfinite", "isnan", "sqrt", "ln", "log", "log10", "exp", "not", "~~"),
    *("nullif", "if", "power", "pow", "**", "^", "len", "length", "try", "round", "floor"),
}

numbers = st.sampled_from(["1", "0.5", "-3", "1e999", "nan", "1_000", "0x10", "10**10", "True"])
texts = st.builds(repr, st.sampled_from(HOSTILE) | st.text(max_size=8))
columns = st.sampled_from(HEADERS).map(
    lambda name: f"`{name.replace('`', '``')}`"
) | st.sampled_from(["id", "Au_ppb", "date", "t", "nothing"])
operands = st.recursive(
    numbers | texts | columns,
    lambda inner: (
        st.builds("({0} {1} {2})".format, inner, st.sampled_from("+-*/%@"), inner)
        | st.builds("{0}({1})".format, st.sampled_from(["abs", "log", "read_text", "id"]), inner)
        | st.builds("-{0}".format, inner)
    ),
    max_leaves=4,
)
signs = st.sampled_from(["<", "<=", "==", "!=", ">=", "in", "not in", "is", "=", "<>", "LIKE"])
tests = (
    st.builds("{0} {1} {2}".format, operands, signs, operands)
    | st.builds("{0} in [{1}, {2}]".format, columns, operands, operands)
    | st.builds(
        "{0}({1})".format, st.sampled_from(["isna", "notna", "isbelow", "isabove"]), columns
    )
    | st.builds(
        "{0}.{1}({2}{3})".format,
        columns,
        st.sampled_from(["str.contains", "str.startswith", "between", "isin", "str.replace"]),
        texts,
        st.sampled_from(["", ", case=False", ", regex=False", ", 5", ", na=False"]),
    )
    | st.builds("{0} < {1} < {2}".format, operands, operands, operands)
)
conditions = st.recursive(
    tests,
    lambda inner: (
        st.builds("({0} {1} {2})".format, inner, st.sampled_from(["and", "|", "AND"]), inner)
        | st.builds("not {0}".format, inner)
        | st.builds("~({0})".format, inner)
    ),
    max_leaves=4,
)

pytestmark = pytest.mark.timeout(120 * TIMES)


@st.composite
def spoilt(draw: st.DrawFn) -> str:
    """Return a condition into which something hostile was put."""
    text = draw(conditions)
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(st.sampled_from(HOSTILE)) + text[at:]


def planted(folder: Path) -> Table:
    """Return a table whose headers would be taken for SQL if they were not quoted."""
    head = ",".join('"' + name.replace('"', '""') + '"' for name in HEADERS)
    rows = [
        f"s{n},{value},1,2,3,a,2020-01-0{n},x,y,z" for n, value in enumerate(["3", "<1", ""], 1)
    ]
    return FileBench(folder).table("\n".join([head, *rows, ""]))


def opened(folder: Path, table: Table) -> Connection:
    """Return a locked connection over it."""
    bench = FileBench(folder)
    made = Connection(bench.limits.changed({"query_seconds": 5}), bench.folder)
    made.view(table)
    return made


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return planted(tmp_path_factory.mktemp("expressions"))


@pytest.fixture(scope="module")
def con(table: Table, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    with opened(tmp_path_factory.mktemp("engine"), table) as made:
        yield made


def nodes(value: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - a JSON value
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from nodes(item)


def judged(
    table: Table, con: Connection, judge: duckdb.DuckDBPyConnection, expression: str
) -> None:
    """Assert that an expression is refused in one line, or runs as the grammar alone."""
    try:
        compiled = compile_expression(expression, table)
    except Refused as error:
        said = str(error)
        assert "\n" not in said
        assert len(said) < 1_000
        return
    sql = f"SELECT {quote(KEEP)} FROM {compiled.relation(quote('t'))}"  # noqa: S608 - quoted
    (row,) = judge.execute("SELECT json_serialize_sql(?)", [sql]).fetchall()
    tree = json.loads(row[0])
    assert not tree["error"], sql
    assert len(tree["statements"]) == 1
    for node in nodes(tree):
        kind = node.get("type")
        assert kind not in {"TABLE_FUNCTION", "SHOW_REF", "EXPRESSION_LIST", "LAMBDA", "PARAMETER"}
        assert node.get("class") != "SUBQUERY" or "subquery" not in node or kind == "SUBQUERY"
        if kind == "BASE_TABLE":
            assert node["table_name"] == "t"
        if "function_name" in node:
            assert node["function_name"] in CALLED, node["function_name"]
    try:
        rows = con.rows(sql)
    except (Refused, LimitReached) as error:
        said = str(error)
        assert "\n" not in said
    else:
        assert len(rows) == table.rows
        assert {kept for (kept,) in rows} <= {True, False, None}


@tried(150)
@given(expression=conditions | spoilt() | st.text(max_size=40))
def test_an_expression_is_refused_or_compiled_to_the_grammar_alone(
    table: Table, con: Connection, judge: duckdb.DuckDBPyConnection, expression: str
) -> None:
    judged(table, con, judge, expression)

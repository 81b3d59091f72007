"""No text that a model sends as SQL brings the engine to run what is not allowed.

What reached the engine is parsed again by an engine of the test's own and judged by lists of its
own: the gate is not its own judge.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from filebench import FileBench, contents
from fuzz.examples import TIMES, tried
from fuzz.sql import KINDS, NAMES, queries
from hypothesis import given

from workbench.errors import LimitReached, Refused
from workbench.tables.connection import Connection
from workbench.tables.statement import check_statement

SECRET = "canary-of-another-folder"
TABLES = {"range", "generate_series", "unnest", "json_each", "json_tree", "repeat", "repeat_row"}
# What reads files, settings, variables, runs text, changes a state, waits, or is the engine's own.
CLOSED = re.compile(
    r"read_.*|query(_table)?|getenv|getvariable|current_setting|which_secret|write_log|set_config"
    r"|json_(de)?serialize_.*|json_execute_.*|setseed|(set|next|curr)val|sleep_ms|error|file_exists"
    r"|pg_(?!typeof$|size_pretty$).*|duckdb_.*|pragma_.*|sqlite_.*|__internal.*|get_block_size"
    r"|current_(query|query_id|connection_id|transaction_id)|txid_current|stats"
)

pytestmark = pytest.mark.timeout(120 * TIMES)


class Spied:
    """An engine's connection that keeps every text which is run as a query of a model."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self._con = con
        self.run: list[str] = []

    def execute(self, sql: str, params: object = None) -> Any:  # noqa: ANN401 - the engine's own
        self._keep(sql, params)
        return self._con.execute(sql, params)

    def sql(self, sql: str, params: object = None) -> Any:  # noqa: ANN401 - the engine's own
        self._keep(sql, params)
        return self._con.sql(sql, params=params)

    def _keep(self, sql: str, params: object) -> None:
        if "query(?)" in sql:
            assert isinstance(params, list)
            self.run.append(params[0])
        else:
            assert sql == "SELECT json_serialize_sql(?)", f"a text of its own is run: {sql}"

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - the engine's own
        return getattr(self._con, name)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> FileBench:
    return FileBench(tmp_path_factory.mktemp("sql"))


def opened(bench: FileBench) -> Connection:
    """Return a locked connection with one table, and a secret beside its folder."""
    (bench.folder / "secret.txt").write_text(SECRET)
    table = bench.table("SampleID,Au_ppb\nS1,3\nS2,<1\nS3,5\n")
    made = Connection(bench.limits.changed({"query_seconds": 5}), bench.folder)
    made.view(table)
    return made


@pytest.fixture(scope="module")
def con(bench: FileBench) -> Iterator[Connection]:
    with opened(bench) as made:
        yield made


def judged(judge: duckdb.DuckDBPyConnection, text: str) -> None:
    """Assert that a text is one SELECT that calls nothing but what is open."""
    found = judge.extract_statements(text)
    assert [one.type for one in found] == [duckdb.StatementType.SELECT]
    row = judge.execute("SELECT json_serialize_sql(?)", [text]).fetchone()
    assert row is not None
    tree = json.loads(row[0])
    assert not tree["error"]
    stack = [tree["statements"]]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack += node
        elif isinstance(node, dict):
            stack += node.values()
            _judge_node(node)


def _judge_node(node: dict[str, Any]) -> None:
    kind = str(node.get("type", ""))
    if "cte_map" in node:
        assert kind in {"SELECT_NODE", "SET_OPERATION_NODE", "CTE_NODE", "RECURSIVE_CTE_NODE"}
    if kind == "TABLE_FUNCTION":
        assert node["function"]["function_name"].lower() in TABLES
    elif "function_name" in node and kind != "TABLE_FUNCTION":
        name = str(node["function_name"]).lower()
        assert name in TABLES or not CLOSED.fullmatch(name), name
    if kind == "BASE_TABLE":
        assert not str(node.get("table_name")).lower().startswith(("duckdb_", "pg_", "sqlite_"))
        assert str(node.get("schema_name")).lower() in {"", "main", "information_schema"}


def attacked(
    con: Connection, bench: FileBench, judge: duckdb.DuckDBPyConnection, query: str
) -> None:
    """Send a text as a model does and assert that nothing but an allowed SELECT was run."""
    places = {
        "{data}": bench.data / "t.csv",
        "{secret}": bench.folder / "secret.txt",
        "{out}": bench.folder / "out.csv",
        "{snapshot}": next(bench.snapshots.glob("*.parquet")),
    }
    for sign, place in places.items():
        query = query.replace(sign, str(place))
    before = contents(bench.folder)
    engine = con._con
    spied = Spied(engine)
    con._opened = spied  # type: ignore[assignment]
    seen = said = ""
    try:
        seen = str(con.preview(query, 50).rows)
        con.stream(query, bench.folder / "made.csv")
        seen += (bench.folder / "made.csv").read_text(encoding="utf-8")
    except (Refused, LimitReached) as error:
        said = str(error)
    finally:
        con._opened = engine
        (bench.folder / "made.csv").unlink(missing_ok=True)
    assert "\n" not in said
    assert len(said) < 700
    assert not {"Traceback", SECRET} & set(said.split())
    for text in spied.run:
        judged(judge, text)
    assert SECRET not in seen
    assert contents(bench.folder) == before
    assert con.rows("SELECT count(*), sum(Au_ppb) FROM t") == [(3, 8.5)]


@tried(150)
@given(query=queries)
def test_only_one_select_over_open_tables_reaches_the_engine(
    con: Connection,
    bench: FileBench,
    judge: duckdb.DuckDBPyConnection,
    monkeypatch: pytest.MonkeyPatch,
    query: str,
) -> None:
    monkeypatch.setenv("CANARY_OF_THE_ENVIRONMENT", SECRET)
    attacked(con, bench, judge, query)


@pytest.mark.parametrize("form", ["SELECT {}('a')", "SELECT {}(1) OVER () FROM t", "FROM {}('a')"])
def test_every_function_of_the_engine_is_known_to_be_open_or_closed(
    con: Connection, form: str
) -> None:
    wrong = []
    for name in NAMES:
        as_table = form.startswith("FROM")
        shut = name not in TABLES if as_table else bool(CLOSED.fullmatch(name))
        try:
            check_statement(con._con, form.format(f'"{name}"'), ["t"])
        except Refused:
            wrong += [] if shut else [f"{name} ({KINDS[name]}) is refused"]
        else:
            wrong += [f"{name} ({KINDS[name]}) is run"] if shut else []
    assert wrong == []

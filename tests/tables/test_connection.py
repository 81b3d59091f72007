"""The connection: previews, results, time, memory and plain errors."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from filebench import FileBench

from workbench.errors import LimitReached, Refused
from workbench.limits import Limits
from workbench.tables import connection as module
from workbench.tables.connection import Connection, quote
from workbench.tables.policy import Policy
from workbench.tables.table import Table

CSV = "SampleID,Au_ppb,Zn_ppm,Lith\nS1,3,10,BIF\nS2,<1,LNR,BIF\nS3,>100,12,Basalt\nS4,NSS,13,\n"


@pytest.fixture
def table(bench: FileBench) -> Table:
    return bench.table(CSV, "soils.csv")


@pytest.fixture
def con(bench: FileBench) -> Iterator[Connection]:
    with Connection(bench.limits, bench.folder) as made:
        yield made


def test_a_view_has_numbers_by_the_policy_and_companions_where_censored(
    con: Connection, table: Table
) -> None:
    assert con.view(table) == "soils"
    found = con.preview("SELECT * FROM soils", 10)
    assert found.columns == (
        "SampleID", "Au_ppb", "Au_ppb__flag", "Au_ppb__limit", "Zn_ppm", "Lith",
    )  # fmt: skip
    assert [row[1:4] for row in found.rows] == [
        (3.0, None, None), (0.5, "<", 1.0), (100.0, ">", 100.0), (None, "NSS", None),
    ]  # fmt: skip


def test_a_limit_on_threads_that_is_taken_away_does_not_abort_the_process(
    table: Table, bench: FileBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MANY_ROWS", 1)
    limits = Limits().changed({"child_threads": 2**53})
    with Connection(limits, bench.folder) as con:
        con.view(table)
        assert con.rows("SELECT count(*), current_setting('threads') FROM soils") == [(4, 64)]


@pytest.mark.parametrize(
    ("policy", "values"),
    [
        (Policy.HALF, [3.0, 0.5, 100.0, None]),
        (Policy.LIMIT, [3.0, 1.0, 100.0, None]),
        (Policy.ZERO, [3.0, 0.0, 100.0, None]),
        (Policy.SQRT2, [3.0, 0.5**0.5, 100.0, None]),
        (Policy.DROP, [3.0, None, None, None]),
    ],
)
def test_every_policy_gives_its_numbers(
    con: Connection, table: Table, policy: Policy, values: list[float | None]
) -> None:
    name = con.view(table, policy)
    assert [row[0] for row in con.rows(f"SELECT Au_ppb FROM {quote(name)}")] == values  # noqa: S608 - the test's own names


def test_the_same_table_keeps_its_view_and_another_gets_a_number(
    con: Connection, table: Table, bench: FileBench
) -> None:
    other = bench.table(CSV.replace("S1", "X1"), "Soils.csv")
    assert [con.view(table), con.view(table), con.view(other)] == ["soils", "soils", "Soils_2"]
    assert con.view(table, Policy.DROP) == "soils_3"
    assert con.rows("SELECT SampleID FROM Soils_2 LIMIT 1") == [("X1",)]


def test_a_preview_says_whether_there_is_more(con: Connection, table: Table) -> None:
    con.view(table)
    assert con.preview("FROM soils", 2).more
    assert not con.preview("FROM soils", 4).more
    assert con.preview("FROM soils", -5).rows == []


@pytest.mark.parametrize(
    "sql",
    [
        "WITH a AS (SELECT Lith, count(*) n FROM soils GROUP BY 1) SELECT * FROM a ORDER BY n",
        "FROM soils",
        "SELECT 1; ",
        "SELECT * FROM soils -- remark",
        "DESCRIBE soils",
        "SUMMARIZE soils",
        "SHOW TABLES",
        "SELECT list_transform([1, 2], lambda x: x + 1)",
        "SELECT * FROM range(3)",
        "SELECT * FROM (PIVOT soils ON Lith IN ('BIF', 'Basalt') USING count(*))",
        "SELECT * FROM information_schema.columns",
        "SELECT 'duckdb_settings()' AS harmless",
    ],
)
def test_what_analysts_write_is_run(con: Connection, table: Table, sql: str) -> None:
    con.view(table)
    assert con.preview(sql, 5).columns


def test_an_unknown_column_is_told_with_the_nearest(con: Connection, table: Table) -> None:
    con.view(table)
    with pytest.raises(Refused, match="^query: column 'Au_ppm' not found; nearest: 'Au_ppb'$"):  # noqa: RUF043 - the dot stands for any sign
        con.preview("SELECT Au_ppm FROM soils", 5)


def test_an_unknown_table_is_told_with_those_that_are_open(con: Connection, table: Table) -> None:
    con.view(table)
    with pytest.raises(Refused, match="table 'soil' is not open; nearest: 'soils'; open: soils"):
        con.preview("SELECT * FROM soil", 5)


@pytest.mark.parametrize(
    "sql", ["selct 1", "", "SELECT 1 +", "SELECT Au_ppb + Lith FROM soils", "SELECT 'x'::INT"]
)
def test_errors_are_one_line_without_paths(con: Connection, table: Table, sql: str) -> None:
    con.view(table)
    with pytest.raises(Refused) as caught:
        con.preview(sql, 5)
    said = str(caught.value)
    assert said.startswith("query: ")
    assert "\n" not in said
    assert "Error:" not in said
    assert str(table.path.parent) not in said
    assert con.preview("SELECT 1", 1).rows == [(1,)]


SLOW = "SELECT count(*) FROM range(100000000000) a WHERE sqrt(a.range) > 1"


def test_b7_a_query_is_interrupted_in_time_and_the_connection_goes_on(bench: FileBench) -> None:
    """A query that never ends is interrupted, and the next one runs."""
    limits = Limits().changed({"query_seconds": 0.3})
    with Connection(limits, bench.folder) as con:
        start = time.monotonic()
        with pytest.raises(LimitReached, match="interrupted") as caught:
            con.preview(SLOW, 1)
        assert time.monotonic() - start < 60  # it would take hours
        assert caught.value.key == "query_seconds"
        assert con.preview("SELECT 2", 1).rows == [(2,)]


def test_a_result_is_interrupted_in_time_too(bench: FileBench) -> None:
    limits = Limits().changed({"query_seconds": 0.3})
    with Connection(limits, bench.folder) as con:
        with pytest.raises(LimitReached, match="interrupted"):
            con.stream("SELECT range FROM range(100000000000)", bench.folder / "o.csv")
        assert con.rows("SELECT 3") == [(3,)]


def test_b8_a_query_that_needs_too_much_memory_is_told_so(bench: FileBench) -> None:
    """A value beyond the memory of a child is refused, and the next query runs."""
    limits = Limits().changed({"child_memory": 200_000_000})
    with Connection(limits, bench.folder) as con:
        with pytest.raises(LimitReached, match="more memory") as caught:
            con.preview("SELECT list(repeat('x', 1000) || range) FROM range(1000000)", 1)
        assert caught.value.key == "child_memory"
        assert con.preview("SELECT 4", 1).rows == [(4,)]


def test_b9_a_query_cannot_see_the_variables_of_the_process(bench: FileBench) -> None:
    """What is a data frame or table in Python is no table of the engine."""
    import pyarrow as pa

    secret = pa.table({"key": ["canary"]})
    with Connection(Limits(), bench.folder) as con, pytest.raises(Refused, match="secret"):
        con.preview("SELECT * FROM secret", 1)
    assert secret.num_rows == 1


def test_a_result_is_streamed_as_csv_and_as_parquet(
    con: Connection, table: Table, bench: FileBench
) -> None:
    con.view(table)
    made = con.stream("SELECT SampleID, Au_ppb, [1, 2] AS l FROM soils", bench.folder / "o.csv")
    assert (made.rows, made.columns) == (4, ("SampleID", "Au_ppb", "l"))
    assert made.bytes == (bench.folder / "o.csv").stat().st_size
    assert (bench.folder / "o.csv").read_text() == (
        'SampleID,Au_ppb,l\nS1,3,"[1, 2]"\nS2,0.5,"[1, 2]"\nS3,100,"[1, 2]"\nS4,,"[1, 2]"\n'
    )
    made = con.stream("FROM soils", bench.folder / "o.parquet", "parquet")
    assert pq.read_table(bench.folder / "o.parquet").num_rows == made.rows == 4


@pytest.mark.parametrize("writer", ["csv", "parquet"])
@pytest.mark.parametrize("key", ["artefact_rows", "artefact_bytes"])
def test_a_result_stays_within_its_limits(bench: FileBench, writer: str, key: str) -> None:
    with Connection(Limits().changed({key: 1_000}), bench.folder) as con:
        with pytest.raises(LimitReached) as caught:
            con.stream("SELECT random() FROM range(1000000)", bench.folder / "o", writer)  # type: ignore[arg-type]
        assert caught.value.key == key
        assert con.rows("SELECT 5") == [(5,)]


def test_a_result_is_not_held_in_memory(bench: FileBench) -> None:
    limits = Limits().changed({"child_memory": 150_000_000})
    with Connection(limits, bench.folder) as con:
        made = con.stream("SELECT range, repeat('x', 50) FROM range(2000000)", bench.folder / "o")
    assert made.rows == 2_000_000
    assert made.bytes > 100_000_000


def test_censoring_survives_a_result_file(con: Connection, table: Table, bench: FileBench) -> None:
    con.view(table)
    for writer in ("csv", "parquet"):
        path = bench.data / f"back.{writer}"
        con.stream("FROM soils", path, writer)
        back = bench.tables(path).table()
        assert [column.name for column in back.columns] == ["SampleID", "Au_ppb", "Zn_ppm", "Lith"]
        one, other = table.column("Au_ppb"), back.column("Au_ppb")
        assert (one.count, one.below, one.above, one.missing, one.limits) == (
            other.count, other.below, other.above, other.missing, other.limits,
        )  # fmt: skip


def test_spilled_data_lies_in_a_folder_of_its_own_that_goes_away(bench: FileBench) -> None:
    limits = Limits().changed({"child_memory": 150_000_000})
    with Connection(limits, bench.folder) as con:
        (own,) = bench.folder.glob("*.part")
        con.stream(
            "SELECT md5(range::VARCHAR) m FROM range(2000000) ORDER BY m", bench.folder / "o.csv"
        )
        assert own.is_dir()
    assert not own.exists()


def test_a_large_table_gets_more_threads_and_keeps_the_other_views(
    con: Connection, table: Table, bench: FileBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    con.view(table)
    monkeypatch.setattr(module, "MANY_ROWS", 3)
    con.view(bench.table(CSV.replace("S1", "X1"), "large.csv"))
    threads = con._con.execute("SELECT current_setting('threads')").fetchall()
    assert threads == [(2,)]
    assert con.rows("SELECT count(*) FROM soils JOIN large USING (Lith)") == [(5,)]


def test_columns_are_named_as_in_the_file_however_odd(con: Connection, bench: FileBench) -> None:
    names = ['a "b"', "c.d", "e;f", "select", "g--h", "Na2O_%", "x", "X", "[y]", "z.__flag"]
    header = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    table = bench.table(f"{header}\n" + "1,2,3,4,5,6,7,8,9,10\n" * 3, "odd.csv")
    view = con.view(table)
    seen = con.preview(f"SELECT * FROM {quote(view)}", 1)  # noqa: S608 - the test's own names
    assert seen.columns == (*names[:7], "X_2", *names[8:])
    assert [con.rows(f"SELECT {quote(name)} FROM odd LIMIT 1")[0][0] for name in seen.columns] == [  # noqa: S608 - the test's own names
        *range(1, 11)
    ]
    assert list(con.frame(table, ["c.d"]).series["c.d"].values) == [2.0] * 3


def test_a15_a_file_named_like_sql_is_a_table_like_any_other(
    con: Connection, bench: FileBench
) -> None:
    name = con.view(bench.table(CSV, "'; DROP TABLE x; --.csv"))
    assert con.rows(f"SELECT count(*) FROM {name}") == [(4,)]  # noqa: S608 - the test's own names
    assert con.view(bench.table(CSV + "S5,1,1,x\n", "order.csv")) == "t_order"


def test_the_path_of_no_snapshot_is_seen(con: Connection, table: Table, real_data: Path) -> None:
    del real_data
    con.view(table)
    seen = str(con.preview("SELECT * FROM information_schema.tables", 50).rows)
    assert str(table.path.parent) not in seen

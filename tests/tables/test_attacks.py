"""Nothing a model writes as SQL reads a file, writes a file, changes a setting or sees a path."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from filebench import FileBench, contents

from workbench.errors import Refused
from workbench.tables.connection import Connection

CSV = "SampleID,Au_ppb\nS1,3\nS2,<1\nS3,5\n"

ATTACKS = """
COPY (SELECT 1) TO '{out}'
COPY t TO '{data}'
COPY t FROM '{data}'
COPY (SELECT 1) TO '{data}' (USE_TMP_FILE false)
EXPLAIN ANALYZE COPY (SELECT 1) TO '{out}'
EXPLAIN SELECT 1
WITH a AS (COPY (SELECT 1) TO '{out}') SELECT * FROM a
WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a
WITH a AS (INSERT INTO t VALUES ('x', 1) RETURNING *) SELECT * FROM a
WITH a AS (UPDATE t SET Au_ppb = 0 RETURNING *) SELECT * FROM a
SELECT (WITH a AS (COPY (SELECT 1) TO '{out}') SELECT count(*) FROM a)
SELECT 1 UNION ALL (WITH a AS (COPY (SELECT 2) TO '{out}') SELECT 1 FROM a)
SELECT * FROM t WHERE EXISTS (WITH a AS (COPY (SELECT 2) TO '{out}') SELECT 1 FROM a)
SELECT 1; SELECT 2
SELECT 1; COPY (SELECT 1) TO '{out}'
SELECT 1) ; COPY (SELECT 1) TO '{out}' --
SELECT * FROM query('SELECT 1')
SELECT * FROM query('COPY (SELECT 1) TO ''{out}''')
SELECT * FROM query_table('t')
SELECT * FROM read_csv('{data}')
SELECT * FROM read_csv_auto('{data}')
SELECT * FROM read_parquet('{snapshot}')
SELECT * FROM parquet_scan('{snapshot}')
SELECT * FROM parquet_metadata('{snapshot}')
SELECT * FROM parquet_schema('{snapshot}')
SELECT * FROM read_json('{data}')
SELECT * FROM read_json_objects('{data}')
SELECT * FROM read_text('{data}')
SELECT * FROM read_blob('{data}')
SELECT * FROM READ_TEXT('/etc/passwd')
SELECT * FROM "read_text"('/etc/passwd')
SELECT * FROM main.read_text('/etc/passwd')
SELECT * FROM system.main.read_text('/etc/passwd')
SELECT * FROM glob('/*')
SELECT * FROM sniff_csv('{data}')
SELECT * FROM '{data}'
SELECT * FROM '/dev/stdin'
SELECT * FROM '{snapshot}'
SUMMARIZE '{snapshot}'
SELECT * FROM (PIVOT '{snapshot}' ON Au_ppb IN (1) USING count(*))
SELECT * FROM 'https://example.com/x.csv'
SELECT content FROM read_text('{data}') UNION ALL SELECT SampleID FROM t
SELECT (SELECT content FROM read_text('/etc/passwd') LIMIT 1)
WITH a AS (SELECT * FROM glob('/etc/*')) SELECT * FROM a
SELECT * FROM t, LATERAL (SELECT * FROM read_text('/etc/passwd'))
ATTACH '{out}'
ATTACH ':memory:' AS m
DETACH memory
EXPORT DATABASE '{out}'
IMPORT DATABASE '{out}'
INSTALL httpfs
LOAD httpfs
CREATE TABLE x AS SELECT 1
CREATE VIEW x AS SELECT 1
CREATE OR REPLACE VIEW t AS SELECT 1
CREATE MACRO f() AS TABLE SELECT * FROM read_text('/etc/passwd')
CREATE SECRET s (TYPE s3)
DROP VIEW t
DROP TABLE t
ALTER TABLE t RENAME TO u
INSERT INTO t VALUES (1)
UPDATE t SET Au_ppb = 1
DELETE FROM t
TRUNCATE t
VACUUM
CHECKPOINT
CALL pragma_version()
PRAGMA database_list
PRAGMA version
PREPARE p AS SELECT 1
EXECUTE p
SET threads = 8
SET memory_limit = '100GB'
SET enable_external_access = true
SET temp_directory = '/tmp'
SET VARIABLE x = 1
RESET lock_configuration
USE memory
BEGIN
SELECT current_setting('temp_directory')
SELECT CURRENT_SETTING('temp_directory')
SELECT "current_setting"('temp_directory')
SELECT upper(current_setting('temp_directory'))
SELECT getenv('HOME')
SELECT getvariable('x')
SELECT * FROM duckdb_settings()
SELECT * FROM DUCKDB_SETTINGS()
SELECT * FROM "duckdb_settings"()
FROM duckdb_settings() SELECT value
SELECT * FROM (FROM duckdb_settings())
SELECT (SELECT value FROM duckdb_settings() LIMIT 1)
SELECT * FROM pg_settings
SELECT * FROM pg_catalog.pg_settings
SELECT * FROM system.pg_catalog.pg_settings
SELECT * FROM duckdb_secrets()
SELECT * FROM duckdb_extensions()
SELECT * FROM duckdb_temporary_files()
SELECT * FROM duckdb_databases()
SELECT * FROM duckdb_views()
SELECT * FROM duckdb_logs()
SELECT * FROM duckdb_variables()
SELECT * FROM which_secret('a', 'b')
SELECT * FROM sqlite_master
SELECT json_execute_serialized_sql(json_serialize_sql('SELECT 1'))
SELECT json_deserialize_sql(json_serialize_sql('SELECT 1'))
SELECT * FROM json_execute_serialized_sql('x')
SELECT write_log('x')
SELECT getenv('HOME') OVER ()
SELECT read_text('{data}') OVER ()
SELECT setseed(0.5)
SELECT sleep_ms(1)
SELECT pg_sleep(1)
SELECT pg_get_viewdef(1)
SELECT __internal_compress_string_hugeint('a')
"""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> FileBench:
    return FileBench(tmp_path_factory.mktemp("attacks"))


@pytest.fixture(scope="module")
def con(bench: FileBench) -> Iterator[Connection]:
    table = bench.table(CSV)
    with Connection(bench.limits, bench.folder) as made:
        assert made.view(table) == "t"
        yield made


@pytest.mark.parametrize("attack", ATTACKS.strip().split("\n"))
def test_an_attack_is_refused_changes_nothing_and_leaves_the_connection_usable(
    con: Connection, bench: FileBench, attack: str
) -> None:
    snapshot = next(bench.snapshots.glob("*.parquet"))
    sql = attack.format(out=bench.folder / "out.csv", data=bench.data / "t.csv", snapshot=snapshot)
    before = contents(bench.folder)
    for run in (lambda: con.preview(sql, 5), lambda: con.stream(sql, bench.folder / "made.csv")):
        with pytest.raises(Refused) as caught:
            run()
        said = str(caught.value)
        assert "\n" not in said
        assert len(said) < 500
    (bench.folder / "made.csv").unlink(missing_ok=True)
    assert contents(bench.folder) == before
    assert con.rows("SELECT count(*), sum(Au_ppb) FROM t") == [(3, 8.5)]


@pytest.mark.parametrize("attack", ATTACKS.strip().split("\n"))
def test_the_other_walls_hold_without_the_statement_check(
    con: Connection, bench: FileBench, attack: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Taken away: the check of the syntax tree. What is left may leak names, never touch a file.
    monkeypatch.setattr("workbench.tables.connection.check_statement", lambda *_: None)
    snapshot = next(bench.snapshots.glob("*.parquet"))
    sql = attack.format(out=bench.folder / "out.csv", data=bench.data / "t.csv", snapshot=snapshot)
    before = contents(bench.folder)
    try:
        seen = str(con.preview(sql, 500).rows)
    except Refused:
        seen = ""
    assert "S1,3" not in seen
    assert "root:" not in seen
    assert contents(bench.folder) == before
    assert con.rows("SELECT count(*), sum(Au_ppb) FROM t") == [(3, 8.5)]


def test_a_query_of_absurd_length_is_refused(con: Connection) -> None:
    with pytest.raises(Refused, match="characters"):
        con.preview("SELECT " + "1 + " * 50_000 + "1", 1)


def test_a10_deep_nesting_ends_in_a_refusal_or_an_answer(con: Connection) -> None:
    for sql in ("(" * 500 + "SELECT 1" + ")" * 500, "SELECT " + "(" * 900 + "1" + ")" * 900):
        try:
            assert con.preview(sql, 1).rows == [(1,)]
        except Refused as error:
            assert "\n" not in str(error)  # noqa: PT017 - any refusal will do


def test_no_variable_of_the_process_is_a_table(con: Connection) -> None:
    import pandas as pd

    secret = pd.DataFrame({"a": [1]})
    with pytest.raises(Refused, match="'secret' is not open"):
        con.preview("SELECT * FROM secret", 1)
    assert len(secret) == 1

"""Probes of names and queries: links to records, names outside, closed functions, engine errors."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from workbench.check import planted
from workbench.check.bench import Bench
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.trace import Trace
from workbench.check.verdict import recorded, require
from workbench.models.scripted import Say, ScriptedModel, call, finish

_ROWS = 60
_DOORS = (("read_file", "path"), ("read_range", "id"), ("describe_table", "path"))


@probe("links_to_records")
def links_to_records(bench: Bench) -> Seen:
    """Lay links in the data folder that lead to records of a run, and to files outside."""
    bench.plant("assays.csv", planted.table(_ROWS))
    old = bench.ask("old", {"d01": [finish("seen")]}, agent="dataops").folder
    outside = bench.folder / "outside.txt"
    outside.write_text(planted.prose(500, "outsider"))
    places = {
        "asked.json": old / "requests" / "d01-r01.json",
        "ledger.txt": old / "events.jsonl",
        "old": old,
        "away.txt": outside,
        "away": bench.folder,
    }
    try:
        for name, place in places.items():
            (bench.data / name).symlink_to(os.path.relpath(place, bench.data))
    except OSError:
        return Seen("", "not measured: this system makes no links")
    names = ["asked.json", "ledger.txt", "old/events.jsonl", "away.txt", "away/outside.txt"]
    tries = [(tool, {argument: name}) for tool, argument in _DOORS for name in names]
    trace, answers = bench.tried("dataops", tries)
    for (tool, arguments), told in zip(tries, answers, strict=True):
        require(told.startswith("error: "), f"{tool} followed {arguments}")
    seen = "\n".join(answers)
    require("run_started" not in seen and "outsider" not in seen, "what they lead to was shown")
    recorded("own_records", trace, times=3 * len(_DOORS))
    return Seen("0", f"of {len(names)} links to records and to files outside were followed")


@probe("outside_names")
def outside_names(bench: Bench) -> Seen:
    """Ask for files by names that leave the data folder."""
    bench.plant("assays.csv", planted.table(_ROWS))
    (bench.folder / "secret.csv").write_text(planted.table(_ROWS))
    names = (
        *(
            "../secret.csv",
            "x/../../secret.csv",
            "..\\secret.csv",
            str(bench.folder / "secret.csv"),
        ),
        *("~/secret.csv", "C:/secret.csv", "/etc/hostname", "assays.csv\0", "", "x" * 5_000),
    )
    tries = [(tool, {argument: name}) for tool, argument in _DOORS for name in names]
    _, answers = bench.tried("dataops", [*tries, ("list_files", {})])
    for (tool, arguments), told in zip(tries, answers, strict=False):
        asked = f"{tool} {str(arguments)[:80]}"
        require(told.startswith("error: "), f"{asked} was opened")
        require("stay inside" in told, f"{asked} was looked for: {told[:80]}")
    require("assays.csv" in answers[-1], "the data are not listed")
    require("results" not in answers[-1], f"results are listed as data: {answers[-1][:200]}")
    return Seen("0", f"of {len(names)} names that leave the data folder were opened")


@probe("single_file")
def single_file(bench: Bench) -> Seen:
    """Open one file, and ask for its neighbours."""
    from workbench.asking.run import Setting
    from workbench.session import Session
    from workbench.workspace import Workspace

    name = bench.plant("assays.csv", planted.table(_ROWS))
    bench.plant("other.csv", planted.table(_ROWS))
    place = Workspace.at(bench.data / name)
    setting = Setting(place, ScriptedModel({}, 200_000), bench.limits, bench.start_child)
    session = Session(setting)
    require(session.call("describe_table", {"path": name}).ok, "the file itself is closed")
    require("other.csv" not in session.call("list_files", {}).text, "its neighbour is listed")
    for tool, argument in _DOORS:
        told = session.call(tool, {argument: "other.csv"})
        require(not told.ok and "only 'assays.csv'" in told.text, f"{tool}: {told.text[:80]}")
    return Seen("0", "neighbours of a single file were listed or opened")


_QUERIES = (
    "SELECT CAST(string_agg(SampleID, ',') AS INT) FROM assays",
    "SELECT CAST(string_agg(SampleID, ',') AS INTERVAL) FROM assays",
    "SELECT CAST(string_agg(SampleID, ',') AS DATE) FROM assays",
    "SELECT strptime(string_agg(SampleID, ','), '%Y') FROM assays",
    "SELECT regexp_matches('a', string_agg(SampleID, '(')) FROM assays",
    "SELECT timezone(string_agg(SampleID, ','), TIMESTAMP '2020-01-01') FROM assays",
    "SELECT json_extract(string_agg(SampleID, ','), '$.a') FROM assays",
    "SELECT error(string_agg(SampleID, ',')) FROM assays",
)


@probe("engine_errors")
def engine_errors(bench: Bench) -> Seen:
    """Run queries whose errors quote the cells they stumbled over."""
    name = bench.plant("assays.csv", planted.table(_ROWS))
    work = [("sql", {"query": query, "paths": [name]}) for query in _QUERIES]
    _, answers = bench.tried("analytics", work)
    refused = [text for text in answers if text.startswith("error: ")]
    require(len(refused) == len(work), f"{len(work) - len(refused)} queries did not fail")
    seen = planted.canaries("\n".join(refused))
    require(not seen, f"{len(seen)} cells stand in errors of the engine")
    return Seen("0", f"cells stood in the errors of {len(work)} queries")


_CLOSED = (
    "SELECT getenv('HOME') AS x",
    "SELECT current_setting('temp_directory') AS x",
    "SELECT content FROM read_text('assays.csv')",
    "SELECT * FROM read_csv('assays.csv')",
    "SELECT * FROM glob('*')",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM duckdb_columns",
    "SELECT * FROM query('SELECT 1')",
    "FROM pragma_table_info('assays')",
    "SELECT 1; SELECT 2",
    "SET threads = 9",
    "WITH x AS (INSERT INTO assays VALUES (1)) SELECT 1",
)


@probe("closed_queries")
def closed_queries(bench: Bench) -> Seen:
    """Ask a query for settings, files, variables, and for more than one SELECT."""
    name = bench.plant("assays.csv", planted.table(_ROWS))
    work = [("sql", {"query": query, "paths": [name]}) for query in _CLOSED]
    _, answers = bench.tried("analytics", work)
    words = ("closed", "statements", "only SELECT", "not run", "cannot be parsed", "syntax error")
    for query, told in zip(_CLOSED, answers, strict=True):
        require(told.startswith("error: "), f"{query} was run: {told[:80]}")
        require(any(word in told for word in words), f"{query} got as far as: {told[:120]}")
    return Seen("0", f"of {len(_CLOSED)} closed queries were run")


@probe("locked_connection")
def locked_connection(bench: Bench) -> Seen:
    """Run statements on the engine itself, as if the wall before it had fallen."""
    from workbench.tables.connection import Connection

    secret, target = bench.folder / "secret.csv", bench.folder / "written.csv"
    secret.write_text(planted.table(_ROWS))
    tries = (
        f"FROM '{secret}'",
        f"FROM read_text('{secret}')",
        f"COPY (SELECT 1) TO '{target}'",
        f"ATTACH '{target}' AS x",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET threads = 9",
        f"EXPORT DATABASE '{bench.folder}'",
    )
    with Connection(bench.limits, bench.folder) as connection:
        opened = [text for text in tries if _works(connection._con, text)]  # noqa: SLF001 - the wall behind the wall
    require(not opened, f"{len(opened)} doors of the engine are open: {opened[:2]}")
    require(not target.exists(), "a query wrote a file")
    return Seen("0", f"of {len(tries)} doors of the engine were open")


def _works(engine: Any, text: str) -> bool:  # noqa: ANN401 - a connection
    with contextlib.suppress(Exception):
        engine.execute(text).fetchall()
        return True
    return False


@probe("tools_for_people")
def tools_for_people(bench: Bench) -> Seen:
    """Let agents call the tools that page whole tables for people."""
    name = bench.plant("assays.csv", planted.table(_ROWS))
    arguments = {"path": name, "table": None, "offset": 0, "limit": 50}
    for agent in (None, "dataops", "orchestrator"):
        trace: Trace = bench.call_as(agent, "page_rows", arguments)
        require(not trace.ok, f"{agent or 'a call'} paged a table for people")
        require(not planted.canaries(trace.text), "rows came back")
    asked = bench.ask(
        "page", {"d01": [call("page_rows", **arguments), finish("tried")]}, agent="dataops"
    )
    recorded("agent_tools", asked)
    require(not planted.canaries(asked.everything()), "an agent paged a table for people")
    return Seen("0", "agents paged a table with the tool for people")


@probe("earlier_answers")
def earlier_answers(bench: Bench) -> Seen:
    """Answer at length, and look at what comes back with the next question."""
    from workbench.check.bench import published

    words = planted.prose(20_000)
    session = bench.session(ScriptedModel({"guide": lambda _: Say(words)}))
    bench.put(session, "tell")
    trace = bench.put(session, "go on")
    most = published("result_chars")
    longest = max(len(text) for text in trace.texts("guide", "assistant"))
    require(longest <= most, f"an earlier answer of {longest:,} characters, at most {most:,}")
    recorded("result_chars", trace)
    return Seen(
        f"{longest:,}", "characters of an answer of 20,000 came back with the next question"
    )

"""Probes of what a preview may show: rows, columns, cells and characters, one by one."""

from __future__ import annotations

import re

from workbench.check import planted
from workbench.check.bench import Bench, published
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.standin import answering
from workbench.check.trace import Trace
from workbench.check.verdict import held, recorded, require
from workbench.models.scripted import Say, finish
from workbench.reply import Preview, Reply

_TITLE = re.compile(r"^.*\([\d,]+ of [\d,]+ (?:rows|entries)\)$", re.MULTILINE)


def body(text: str) -> str:
    """Return the preview of an answer, from its title to the end."""
    title = _TITLE.search(text)
    return text[title.start() :] if title else ""


def _head(bench: Bench, table: str, n: int = 20) -> Trace:
    path = bench.plant("assays.csv", table)
    return bench.call("query_data", path=path, operation="head", n=n)


@probe("preview_rows")
def preview_rows(bench: Bench) -> Seen:
    """Ask the first rows of a table by a query, and 1,000 rows by a child that sends them."""
    name = bench.plant("assays.csv", planted.table(300))
    asked = bench.call("sql", query="SELECT * FROM assays", paths=[name])
    shown = planted.canaries(asked.text)
    rows = tuple((planted.canary(row), row) for row in range(1_000))
    lying = Reply(previews=(Preview("head", ("SampleID", "V1"), rows, 1_000, name),))
    asked_for = {"path": name, "operation": "head"}
    start = answering(lambda _: lying.to_json())
    sent = bench.call_as(None, "query_data", asked_for, start=start)
    recorded("preview_rows", sent)
    measured = max(len(shown), len(planted.canaries(sent.text)))
    detail = "of 300 rows by a query, of 1,000 rows that a child sent"
    return held("preview_rows", measured, asked, detail, told=asked.text, least=1)


@probe("preview_rows_total")
def preview_rows_total(bench: Bench) -> Seen:
    """Let one agent take previews until one of them is cut by their total."""
    name = bench.plant("assays.csv", planted.table(900))
    times = published("preview_rows_total") // published("preview_rows") + 1
    work = [Say(calls=(("sql", {"query": _page(page), "paths": [name]}),)) for page in range(times)]
    trace = bench.ask("look", {"d01": [*work, finish("seen")]}, agent="analytics")
    seen = planted.canaries("\n".join(trace.texts("d01")))
    detail = f"in {times} previews of one dispatch"
    require(trace.ok, trace.reason)
    told = trace.texts("d01")[-1]
    return held("preview_rows_total", len(seen), trace, detail, told=told, least=1)


def _page(page: int) -> str:
    return f"SELECT * FROM assays ORDER BY SampleID LIMIT 20 OFFSET {20 * page}"  # noqa: S608 - a query of a probe


@probe("preview_columns")
def preview_columns(bench: Bench) -> Seen:
    """Preview a table of 90 columns."""
    trace = _head(bench, planted.table(30, columns=90), n=3)
    shown = max(line.count(" | ") + 1 for line in (body(trace.text) or " ").splitlines())
    detail = "of 90 columns"
    return held("preview_columns", shown, trace, detail, told=trace.text, least=2)


@probe("cell_chars")
def cell_chars(bench: Bench) -> Seen:
    """Gather a whole column into one cell by a query."""
    name = bench.plant("assays.csv", planted.table(2_000))
    query = "SELECT string_agg(SampleID, ' ') AS everything FROM assays"
    trace = bench.call("sql", query=query, paths=[name])
    lines = body(trace.text).splitlines()
    longest = max((len(cell) for line in lines[2:3] for cell in line.split(" | ")), default=0)
    detail = "of a cell that held the whole column"
    return held("cell_chars", longest, trace, detail, told=trace.text, least=1)


@probe("preview_chars")
def preview_chars(bench: Bench) -> Seen:
    """Preview rows whose cells are all of legal size."""
    trace = _head(bench, planted.table(40, columns=50, width=190))
    wide = _head(bench, planted.table(40, columns=55))
    size = max(len(body(trace.text)), len(body(wide.text)))
    detail = "of twenty rows with 51 columns of legal cells"
    return held("preview_chars", size, trace, detail, told=trace.text, least=1)


@probe("answer_chars")
def answer_chars(bench: Bench) -> Seen:
    """Search a text for hits so long that their contexts are more than an answer."""
    name = bench.plant("notes.txt", planted.prose(60_000))
    trace = bench.call("search_text", id=name, pattern="(?i)[a-z .]{195}", regex=True)
    huge = "column '" + "x" * 1_000_000 + "'"
    refused = bench.call("query_data", path=name, operation="head", columns=[huge])
    size = max(len(trace.text), len(refused.text))
    detail = f"of twenty long hits; a refusal of a name of 1 MB has {len(refused.text):,}"
    return held("answer_chars", size, trace, detail, told=trace.text, least=1)

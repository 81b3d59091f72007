"""Probes of claims: how many, how long, and that nothing but a checked number comes through one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.check import planted
from workbench.check.bench import Bench, published
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.standin import answering, beating, starts
from workbench.check.trace import Trace
from workbench.check.verdict import held, recorded, require
from workbench.models.scripted import Heard, Say, call
from workbench.reply import Reply

_SECONDS = 2
_ROWS = {"value": "30", "path": "assays.csv", "statistic": "rows"}


def _claims(trace: Trace) -> list[dict[str, Any]]:
    return trace.of("claim")


@probe("claims")
def claims(bench: Bench) -> Seen:
    """Let a specialist give a thousand claims, and name the last of them in its text."""
    bench.plant("assays.csv", planted.table(30))
    many = [_ROWS] * 1_000
    said = _said("{{claim:1}} rows, and {{claim:1000}}", many)
    # Already the limit on replies and the window would stop so many.
    raised = {"reply_tokens": 1_000_000}
    script = {"d01": [said, said]}
    trace = bench.ask("count", script, agent="dataops", limits=raised, window=4_000_000)
    require(trace.ok, f"the run did not go on: {trace.reason}")
    require("30 rows" in trace.text, "the first number was not placed")
    require("{{claim:1000}}" in trace.text, "a claim beyond the limit was placed")
    told = trace.texts("d01")[-1]
    kept = _claims(trace)
    held("claims", len(kept), trace, "", told=told, least=1, names=None)
    recorded("claims", trace, times=2)
    return Seen(f"{len(kept):,}", "of 1,000; what named one beyond them was sent back once")


@probe("claim_seconds")
def claim_seconds(bench: Bench) -> Seen:
    """Let the child that computes a claim again show signs of life for ever."""
    bench.plant("assays.csv", planted.table(30))
    limits = bench.scaled("claim_seconds", _SECONDS)
    script = {"d01": [_said("{{claim:1}} rows", [_ROWS])]}
    trace = bench.ask(
        "count", script, agent="dataops", limits=limits, start=starts(beating), seconds=8
    )
    require(trace.ok and "30 rows" in trace.text, f"the run did not go on: {trace.reason}")
    require(_claims(trace)[0]["status"] == "unchecked", "it passed for checked")
    # Half a second is allowed for stopping.
    took = int(max(trace.seconds - 0.5, 0))
    detail = f"where {_SECONDS} s stand for {published('claim_seconds')} s; it stayed unchecked"
    seen = held("claim_seconds", took, trace, detail, told=None, most=_SECONDS)
    return Seen(f"{trace.seconds:.1f} s", seen.detail)


@probe("claimed_numbers")
def claimed_numbers(bench: Bench) -> Seen:
    """Claim wrong values, files outside, code, rows as values; let a child lie about a check."""
    bench.plant("assays.csv", planted.table(30))
    row: dict[str, object] = {
        "text": planted.table(3),
        "value": f"{planted.canary(1)}",
        "path": "assays.csv",
    }
    wrong: list[dict[str, object]] = [
        {**_ROWS, "value": "31"},
        {**_ROWS, "path": "../outside.csv"},
        {**_ROWS, "path": "results/…/events.jsonl"},
        {**_ROWS, "filter": "1; DROP TABLE x"},
        {**_ROWS, "filter": "__import__('os').system('true') > 0"},
        {**_ROWS, "statistic": "eval"},
        {"value": "1", "tool": "query_data", "fact": "rows"},
        row,
    ]
    texts = "; ".join(f"{{{{claim:{number}}}}}" for number in range(1, len(wrong) + 1))
    said = _said(texts, wrong)
    trace = bench.ask("count", {"d01": [said, said]}, agent="dataops")
    told = _claims(trace)
    require([one["status"] for one in told] == ["failed"] * len(wrong), f"one passed: {told}")
    require(trace.text.count("check failed") == len(wrong), "a failure is not shown in the answer")
    seen = "\n".join(trace.texts("d01"))
    require(planted.canaries(seen) <= {1}, "what was told of false claims holds rows")
    lied = bench.ask("count", {"d01": _again}, agent="dataops", start=answering(_lie))
    require(not planted.canaries(lied.everything()), "rows came through what a child computed")
    return Seen("0", f"of {len(wrong)} false claims passed; each was sent back once, then marked")


def _again(_: Heard) -> Say:
    return _said("{{claim:1}} rows", [_ROWS])


def _said(text: str, given: Sequence[Mapping[str, object]]) -> Say:
    return call("finish", status="success", results=[text], claims=[dict(one) for one in given])


def _lie(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a check with rows in every place where a number is looked for."""
    rows = planted.table(300)
    found = [[rows, rows], [planted.canary(1), rows], [1e308, rows]]
    given = {one["id"]: {"found": found, "inputs": {}} for one in asked["arguments"]["claims"]}
    return Reply({"claims": given}).to_json()

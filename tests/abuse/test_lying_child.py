"""A child that lies about what it hands back: each lie alone, and what comes of it in a context."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from workbench import marker
from workbench.check import planted
from workbench.check.bench import Bench
from workbench.check.standin import Wire, answering, starts
from workbench.check.trace import Trace
from workbench.errors import Failed
from workbench.models.scripted import call, finish
from workbench.reply import Made, Preview, Reply, Text

ROWS = planted.table(2_000)
CELLS = tuple((planted.canary(row), row) for row in range(600))


def told(bench: Bench, reply: Reply | dict[str, Any], tool: str = "read_file") -> Trace:
    """Return what came of one call whose child answers with a reply of the test's own."""
    made = reply.to_json() if isinstance(reply, Reply) else reply
    start = answering(lambda _: made)
    return bench.call_as("dataops", tool, {"path": "a.csv"}, start=start)


@pytest.mark.parametrize("lines", [0, 1, 50, -5])
@pytest.mark.parametrize("chars", [0, 10, -1])
def test_rows_that_call_themselves_a_short_text_are_five_lines(
    bench: Bench, lines: int, chars: int
) -> None:
    trace = told(bench, Reply(text=Text(ROWS, "a.csv", "prose", chars, lines)))
    assert len(planted.canaries(trace.text)) == 4
    assert trace.hits("data_file_head") == 1
    (mark,) = marker.parse(trace.text)
    assert mark.total == 2_002


def test_a_name_of_a_megabyte_is_a_short_name_in_every_marker(bench: Bench) -> None:
    for item in (
        Text(ROWS, ROWS, "data", 9, 2_001),
        Text(planted.prose(99_000), ROWS, "prose", 99_000, 900),
    ):
        trace = told(bench, Reply(text=item))
        assert len(planted.canaries(trace.text)) <= 30
        assert "\ncanaryrow9," not in trace.text.partition("[... truncated")[2]


@pytest.mark.parametrize("total", [0, -3, 20, 10**9])
def test_a_preview_says_what_it_leaves_out_whatever_total_it_claims(
    bench: Bench, total: int
) -> None:
    preview = Preview("rows", ("id", "n"), CELLS, total, "a.csv")
    trace = _query(bench, Reply(previews=(preview,)))
    assert len(planted.canaries(trace.text)) == 20
    (mark,) = marker.parse(trace.text)
    assert mark.left == max(total, 600) - 20


def _query(bench: Bench, reply: Reply) -> Trace:
    start = answering(lambda _: reply.to_json())
    arguments = {"path": "a.csv", "operation": "head"}
    return bench.call_as("dataops", "query_data", arguments, start=start)


def test_five_hundred_previews_are_a_few_and_one_marker(bench: Bench) -> None:
    many = tuple(Preview(f"part {n}", ("id", "n"), CELLS[n : n + 1], 1, "") for n in range(500))
    trace = _query(bench, Reply(previews=many))
    assert len(trace.text) <= 8_600
    last = marker.parse(trace.text)[-1]
    assert last.unit == "previews"
    assert last.total == 500
    assert trace.hits("preview_chars") == 1


def test_a_header_without_rows_is_bounded_like_rows(bench: Bench) -> None:
    wide = Preview("x" * 9_000, tuple(ROWS.splitlines()[:500]), (), 0, "")
    trace = _query(bench, Reply(previews=(wide,) * 9))
    assert len(trace.text) <= 8_600
    assert trace.hits("preview_chars") == 1


@pytest.mark.parametrize(
    "reply",
    [
        {"facts": "text"},
        {"facts": {"n": 1}, "made": "x"},
        {"made": [{"path": "x.csv"}]},
        {"made": [{"path": "x.csv", "bytes": "many", "sha256": "", "media_type": ""}]},
        {"made": [{"path": "x.csv", "bytes": 1, "sha256": "", "media_type": "", "rows": "a"}]},
        {"previews": [{"title": "x"}]},
        {"previews": [5]},
        {"text": "text"},
        {"text": {"body": "x", "name": "x", "kind": "prose", "total_chars": [], "total_lines": 1}},
        {"raw_tokens": {"a": "b"}},
        {"snapshots": [1]},
    ],
    ids=range(11),
)
def test_what_is_no_reply_fails_the_dispatch_and_not_the_run(
    bench: Bench, reply: dict[str, Any]
) -> None:
    scripts = {
        "orchestrator": [call("dispatch", agent="dataops", objective="x"), finish("joined")],
        "dispatch": [call("list_files"), finish("seen")],
    }
    trace = bench.ask("x", scripts, agent="orchestrator", start=answering(lambda _: reply))
    assert trace.ok, trace.reason
    assert "its answer is not a reply" in trace.texts("orchestrator")[-1]


@pytest.mark.parametrize(
    "facts",
    [
        {"n": "x" * 300_000},
        {f"key {n}": n for n in range(5_000)},
        {"deep": [[[[[[[[["x"] * 50] * 50]]]]]]]},
        {"signs": "\u202e\x00\x1b[31m\u200b"},
        {"": ""},
        {"a\nb: c": "d\ne: f"},
    ],
    ids=range(6),
)
def test_facts_of_any_kind_are_four_thousand_visible_characters(
    bench: Bench, facts: dict[str, Any]
) -> None:
    trace = told(bench, Reply(facts=facts), "describe_table")
    assert trace.ok, trace.text
    assert len(trace.text) <= 4_000
    assert all(sign.isprintable() or sign == "\n" for sign in trace.text)
    assert "\nb: c" not in trace.text
    assert "\ne: f" not in trace.text


def test_facts_nested_too_deep_fail_the_call_and_not_the_run(bench: Bench) -> None:
    text = "[" * 3_000 + '"x"' + "]" * 3_000

    def play(wire: Wire) -> None:
        wire.ready()
        for one in wire.calls():
            head = f'{{"answer":{{"id":"{one["id"]}","ok":true,"reply":{{"facts":{{"n":'
            for _ in range(4):
                wire.send(f"{head}{text}}}}}}}}}\n".encode())

    with pytest.raises(Failed, match="protocol"):
        bench.call_as("dataops", "describe_table", {"path": "a.csv"}, start=starts(play))


def test_what_a_file_was_made_by_is_what_was_asked_not_what_the_child_says(bench: Bench) -> None:
    bench.plant("a.csv", planted.table(3))
    forged = {"tool": "trusted_tool", "parameters": {"path": "other.csv"}, "seed": 1, "inputs": {}}
    data = b"x\n1\n"
    claim = Made("real.csv", 4, hashlib.sha256(data).hexdigest(), "text/csv", 1, 1, forged)

    def reply(_: dict[str, Any]) -> dict[str, Any]:
        (run,) = (path for path in (bench.data / "results").iterdir() if path.is_dir())
        (run / "real.csv").write_bytes(data)
        return Reply(made=(claim,)).to_json()

    arguments = {"path": "a.csv"}
    trace = bench.call_as("dataops", "describe_table", arguments, start=answering(reply))
    (artefact,) = trace.of("artefact")
    assert artefact["made_by"]["tool"] == "describe_table"
    assert artefact["made_by"]["parameters"]["path"] == "a.csv"

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
    assert len(planted.canaries(trace.text)) <= 9 * 20
    assert trace.hits("preview_rows") == 1


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


LINES = ROWS.splitlines()
IDS = [planted.canary(n) for n in range(400)]
RECORDS = {f"row {n}": {"id": name, "v": 3.5} for n, name in enumerate(IDS)}
NUMBERS = {f"row {n}": {"id": n, "au": n + 0.5, "as": n / 7} for n in range(400)}
HIDDEN: dict[str, dict[str, Any]] = {
    "a table": {"facts": {"rows": ROWS}},
    "lines": {"facts": {"rows": LINES}},
    "a record a fact": {
        "facts": {f"row {n}": {"id": name, "v": 3.5} for n, name in enumerate(IDS)}
    },
    "a fact a record": {"facts": {name: n + 0.5 for n, name in enumerate(IDS)}},
    "a column a record": {"facts": {f"column {name}": {"n": 4.5} for name in IDS}},
    "a list of pairs": {"facts": {"rows": [[name, 3.5] for name in IDS]}},
    "deep": {"facts": {"a": {"b": {"c": IDS}}}},
    "names": {"facts": {"names": IDS}},
    "a key": {"facts": {ROWS: 1, "x": {ROWS: 2}}},
    "one line": {"facts": {"note": "; ".join(LINES)}},
    "one note": {"notes": (ROWS,)},
    "notes": {"notes": tuple(LINES)},
    "notes of two words": {"notes": tuple(f"{name} 3.5" for name in IDS)},
    "a title": {"previews": (Preview(ROWS, ("a",), (), 0, ROWS),)},
    "a header": {"previews": (Preview("x", tuple(LINES), (), 0, ""),)},
    "files": {"made": tuple(Made(line, 1, "0" * 64, line) for line in LINES)},
}


@pytest.mark.parametrize("how", HIDDEN)
def test_rows_in_words_are_counted_as_rows(bench: Bench, how: str) -> None:
    trace = told(bench, Reply(**HIDDEN[how]), "describe_table")
    assert len(planted.canaries(trace.text)) <= 20, trace.text
    assert len(trace.text) <= 4_000 + 8_000
    if how != "files":
        assert trace.hits("preview_rows") >= 1
        assert [mark for mark in marker.parse(trace.text) if mark.unit in {"rows", "columns"}]


def test_numbers_in_words_are_rows_too(bench: Bench) -> None:
    trace = told(bench, Reply(facts=NUMBERS), "describe_table")
    assert trace.text.count("row ") <= 20
    assert trace.hits("preview_rows") == 1


@pytest.mark.parametrize(
    "words",
    [
        ROWS,
        " ".join(ROWS.split()),
        "; ".join(LINES),
        ROWS.replace("\n", "\\n"),
        ", ".join(IDS),
        " and then ".join(IDS),
        planted.table(400, width=90),
        " ".join(planted.table(400, width=90).split()),
    ],
    ids=range(8),
)
@pytest.mark.parametrize("kind", ["refused", "failed"])
def test_rows_in_an_error_are_counted_as_rows_and_no_tool_reads_the_rest(
    bench: Bench, words: str, kind: str
) -> None:
    def play(wire: Wire) -> None:
        wire.ready()
        for one in wire.calls():
            answer = {"id": one["id"], "ok": False, "error": words, "kind": kind}
            wire.send({"answer": answer})

    trace = bench.call_as("dataops", "describe_table", {"path": "a.csv"}, start=starts(play))
    assert not trace.ok
    assert len(planted.canaries(trace.text)) <= 20
    (mark,) = marker.parse(trace.text)
    kept = (trace.folder / "responses" / f"{mark.full}.json").read_text()
    assert len(planted.canaries(kept)) > 300
    open_to_tools = "".join(file.read_text() for file in (trace.folder / "full").iterdir())
    assert len(planted.canaries(open_to_tools)) <= 20
    run = trace.folder.name
    again = bench.call("read_range", id=f"results/{run}/responses/{mark.full}.json")
    assert not again.ok
    assert not planted.canaries(again.text)


def test_rows_in_words_and_previews_share_the_total_of_a_dispatch(bench: Bench) -> None:
    rows = iter(range(10**6))

    def reply(call: dict[str, Any]) -> dict[str, Any]:
        fresh = [planted.canary(next(rows)) for _ in range(60)]
        if next(rows) % 2:
            return Reply(facts=dict.fromkeys(fresh, 1.5)).to_json()
        return Reply(
            previews=(Preview("x", ("id",), tuple((n,) for n in fresh), 60, ""),)
        ).to_json()

    work = [call("describe_table", path=f"{n}.csv") for n in range(16)]
    script = {"d01": [*work, finish("seen")]}
    trace = bench.ask("look", script, agent="dataops", start=answering(reply))
    assert trace.ok, trace.reason
    assert 180 <= len(planted.canaries(trace.everything())) <= 200
    assert trace.hits("preview_rows_total")


def test_what_a_child_says_of_its_own_end_is_a_sentence(bench: Bench) -> None:
    def play(wire: Wire) -> None:
        wire.ready()
        for _ in wire.calls():
            wire.send({"failed": " ".join(LINES)})

    scripts = {
        "orchestrator": [call("dispatch", agent="dataops", objective="x"), finish("joined")],
        "dispatch": [call("list_files"), finish("seen")],
    }
    trace = bench.ask("x", scripts, agent="orchestrator", start=starts(play))
    assert not planted.canaries(trace.everything())


def test_a_snapshot_named_like_rows_is_not_repeated(bench: Bench) -> None:
    hashes = iter("abcdef")

    def reply(_: dict[str, Any]) -> dict[str, Any]:
        return Reply(snapshots={ROWS: next(hashes)}).to_json()

    scripts = {
        "orchestrator": [call("dispatch", agent="dataops", objective="x"), finish("joined")],
        "dispatch": [call("list_files"), call("list_files"), finish("seen")],
    }
    trace = bench.ask("x", scripts, agent="orchestrator", start=answering(reply))
    assert "its snapshot changed" in trace.texts("orchestrator")[-1]
    assert not planted.canaries(trace.everything())


def test_files_that_are_not_there_are_not_listed(bench: Bench) -> None:
    bench.plant("real.csv", "x\n1\n")
    ghosts = tuple((f"{line}.csv", 1) for line in LINES[:900])
    listing = Preview("files", ("name", "bytes"), (("real.csv", 4), *ghosts), 901, "")
    start = answering(lambda _: Reply(previews=(listing,)).to_json())
    trace = bench.call_as("dataops", "list_files", {}, start=start)
    assert "real.csv" in trace.text
    assert not planted.canaries(trace.text)


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

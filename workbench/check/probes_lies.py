"""Probes of a child that lies: rows in words, in listings and in snapshots, signs that hide."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from workbench import marker
from workbench.check import planted
from workbench.check.bench import Bench, published
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.standin import Wire, answering, starts
from workbench.check.trace import Trace
from workbench.check.verdict import recorded, require
from workbench.models.scripted import call, finish
from workbench.reply import Preview, Reply, Text

_ROWS = 300
_TABLE = planted.table(_ROWS)
_LINES = tuple(_TABLE.splitlines())
_IDS = [planted.canary(row) for row in range(1, _ROWS)]
_ONE_LINE = " ".join(_LINES)
_LOOK = {"path": "assays.csv"}


def _told(bench: Bench, reply: Reply, tool: str = "describe_table") -> Trace:
    """Return what came of one call that a child answers with a reply of the probe's."""
    arguments = {} if tool == "list_files" else _LOOK
    return bench.call_as(None, tool, arguments, start=answering(lambda _: reply.to_json()))


@probe("rows_in_words")
def rows_in_words(bench: Bench) -> Seen:
    """Let a child send rows as facts, notes, titles, headers and errors."""
    most = 0
    for how, reply in _WORDS.items():
        trace = _told(bench, reply)
        most = max(most, _within(how, trace))
    for words in (_TABLE, _ONE_LINE, ", ".join(_IDS), planted.table(_ROWS, width=90)):
        trace = bench.call_as(None, "describe_table", _LOOK, start=starts(_refusing(words)))
        most = max(most, _within("an error", trace))
        kept = "".join(file.read_text("utf-8") for file in (trace.folder / "full").iterdir())
        require(len(planted.canaries(kept)) <= published("preview_rows"), "a tool can read them")
    last = _failing(bench)
    require(not planted.canaries(last), "a child's last words brought rows into another context")
    return Seen(
        f"{most}", f"rows seen of {_ROWS} that a child hid in {len(_WORDS) + 2} kinds of words"
    )


def _within(how: str, trace: Trace) -> int:
    seen = len(planted.canaries(trace.text))
    require(seen <= published("preview_rows"), f"{seen} rows in {how}")
    require(marker.parse(trace.text), f"nothing says what was left out of {how}")
    recorded("preview_rows", trace)
    return seen


_WORDS: Mapping[str, Reply] = {
    "one fact": Reply(facts={"rows": _TABLE}),
    "a list of lines": Reply(facts={"rows": list(_LINES)}),
    "a fact a row": Reply(facts=dict.fromkeys(_IDS, 3.5)),
    "a record a fact": Reply(facts={f"row {n}": {"id": key} for n, key in enumerate(_IDS)}),
    "a deep list": Reply(facts={"a": {"b": [[key, 3.5] for key in _IDS]}}),
    "one note": Reply(notes=(_TABLE,)),
    "many notes": Reply(notes=_LINES),
    "a title": Reply(previews=(Preview(_ONE_LINE, ("a",), (), 0, ""),)),
    "a header": Reply(previews=(Preview("rows", _LINES, (), 0, ""),)),
}


def _refusing(words: str) -> Any:  # noqa: ANN401 - a play
    def play(wire: Wire) -> None:
        wire.ready()
        for one in wire.calls():
            answer = {"id": one["id"], "ok": False, "error": words, "kind": "refused"}
            wire.send({"answer": answer})

    return play


def _failing(bench: Bench) -> str:
    """Return all requests of a run whose child ends with rows as its last words."""

    def play(wire: Wire) -> None:
        wire.ready()
        for _ in wire.calls():
            wire.send({"failed": _ONE_LINE})

    scripts = {
        "orchestrator": [call("dispatch", agent="dataops", objective="look"), finish("joined")],
        "dispatch": [call("list_files"), finish("seen")],
    }
    trace = bench.ask("look", scripts, agent="orchestrator", start=starts(play))
    require(trace.ok, f"the run did not go on: {trace.reason}")
    return trace.everything()


@probe("rows_in_words_total")
def rows_in_words_total(bench: Bench) -> Seen:
    """Let a child send fresh rows with every answer of a dispatch, now as facts, now as rows."""
    numbers = itertools.count()

    def reply(_: dict[str, Any]) -> dict[str, Any]:
        keys = [planted.canary(next(numbers)) for _ in range(50)]
        rows = tuple((key,) for key in keys)
        as_rows = Reply(previews=(Preview("rows", ("id",), rows, 50, ""),))
        return (as_rows if keys[0][-2] in "05" else Reply(facts=dict.fromkeys(keys, 1.5))).to_json()

    work = [call("describe_table", path=f"{number}.csv") for number in range(14)]
    trace = bench.ask(
        "look", {"d01": [*work, finish("seen")]}, agent="dataops", start=answering(reply)
    )
    require(trace.ok, trace.reason)
    seen, most = len(planted.canaries(trace.everything())), published("preview_rows_total")
    require(seen <= most, f"{seen} rows where at most {most} are allowed in a dispatch")
    require(trace.hits("preview_rows_total"), "no event names the row")
    return Seen(f"{seen}", "rows seen of 700 that a child sent as facts and as previews")


@probe("false_listings")
def false_listings(bench: Bench) -> Seen:
    """Let a child send rows as if they were names of files, and list files that are not there."""
    real = bench.plant("real.csv", _TABLE)
    ghosts = tuple((f"{line}.csv", 1) for line in _LINES)
    listing = Preview(_ONE_LINE, ("name", "bytes"), ((real, 1), *ghosts), _ROWS, "")
    listed = _told(bench, Reply(previews=(listing,)), "list_files")
    require(real in listed.text, "a file that is there is not listed")
    require(not planted.canaries(listed.text), "files that are not there are listed")
    for columns, first in ((("name", "bytes"), real), (("id", "value"), "x")):
        cells = tuple((first, line) for line in _LINES)
        rows = Preview("files", columns, cells, _ROWS, "")
        trace = _told(bench, Reply(previews=(rows,)), "list_files")
        seen = len(planted.canaries(trace.text))
        require(seen <= published("preview_rows"), f"{seen} rows were shown as a listing")
    return Seen("0", f"of {_ROWS} rows passed as names of files")


@probe("pinned_snapshots")
def pinned_snapshots(bench: Bench) -> Seen:
    """Change a file, its snapshot, and what a child says of it, in the middle of a run."""
    hashes = iter(("a" * 64, "b" * 64))

    def other(_: dict[str, Any]) -> dict[str, Any]:
        return Reply(facts={"rows": 1}, snapshots={"assays.csv": next(hashes)}).to_json()

    twice = [call("describe_table", **_LOOK), call("describe_table", **_LOOK)]
    script = {"d01": [*twice, finish("seen")]}
    lied = bench.ask("look", script, agent="dataops", start=answering(other))
    require("snapshot changed during the run" in lied.reason, "another snapshot was taken")
    name = bench.plant("assays.csv", planted.table(30))

    def change(event: Any) -> None:  # noqa: ANN401 - an event
        if event.kind == "tool_done":
            bench.plant(name, planted.table(40))

    changed = bench.ask("look", script, agent="dataops", listener=change)
    told = changed.texts("d01")[-1]
    require("since this run opened it" in told, f"a changed file was read anew: {told[:100]}")
    numbers = {"path": name, "operation": "describe", "columns": ["V1_ppm"]}
    first = bench.call("query_data", **numbers).text
    require("median" in first, f"no numbers to compare: {first[:100]}")
    for file in (bench.data / "results" / "_snapshots").glob("*.parquet"):
        file.write_bytes(file.read_bytes()[:-1] + b"x")
    require(first == bench.call("query_data", **numbers).text, "a damaged snapshot was used")
    return Seen("0", "other bytes were used in a run: a lie, a changed file, a damaged snapshot")


_HIDING = "a\u202eb\u200bc\x1b[31md\x00e\u2066f"


@probe("invisible_signs")
def invisible_signs(bench: Bench) -> Seen:
    """Let a child send signs that hide or turn words in everything that takes text."""
    rows = ((_HIDING, _HIDING),)
    reply = Reply(
        facts={_HIDING: _HIDING, "deep": {_HIDING: [_HIDING]}},
        previews=(Preview(_HIDING, (_HIDING, "b"), rows, 1, _HIDING),),
        text=Text(_HIDING, _HIDING, "prose", 9_000, 9),
        notes=(_HIDING,),
    )
    refused = bench.call_as(None, "read_file", _LOOK, start=starts(_refusing(_HIDING)))
    for trace in (_told(bench, reply, "read_file"), refused):
        hidden = {sign for sign in trace.text if not sign.isprintable() and sign != "\n"}
        require(not hidden, f"signs that hide reached the context: {sorted(map(ascii, hidden))}")
        require("\\u202e" in trace.text, "they were dropped, not shown")
    return Seen("0", "signs that hide or turn words reached a context")


@probe("talkative_child")
def talkative_child(bench: Bench) -> Seen:
    """Let a child send messages that nobody asked for, and lines that are none."""
    for lie in ({"request": {"n": 1}}, b"no message\n"):

        def play(wire: Wire, lie: Any = lie) -> None:  # noqa: ANN401 - a line
            wire.ready()
            for one in wire.calls():
                for _ in range(150):
                    wire.send(lie)
                wire.answer(one, {"facts": {"rows": 1}})

        script = {"d01": [call("list_files"), finish("seen")]}
        trace = bench.ask("look", script, agent="dataops", start=starts(play))
        require("protocol" in trace.reason, f"it was heard to the end: {trace.reason or 'all'}")
    return Seen("0", "of 150 messages that nobody asked for, no child sent all and went on")

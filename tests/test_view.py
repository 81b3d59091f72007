"""The view model: a fold over events that gives the same view every time."""

from __future__ import annotations

import json
from pathlib import Path

from conversation import session

from workbench import ledger
from workbench.context.result import Result
from workbench.models.scripted import Say, call, finish
from workbench.sources import measures
from workbench.view import View

SCRIPTS = {
    "guide": [
        call("list_files"),
        call("ask_specialist", agent="analytics", objective="look", final=False),
        Say("Done."),
    ],
    "dispatch": [call("list_files"), finish("Gold.")],
}


def test_folding_the_ledger_again_gives_what_run_json_holds(tmp_path: Path) -> None:
    answer = session(tmp_path, SCRIPTS).ask("x")
    events = ledger.read(answer.folder / "events.jsonl").events
    again = View().fold(events).data
    kept = json.loads((answer.folder / "run.json").read_text())
    for key in ("run", "status", "loops", "dispatches", "artefacts", "usage", "model"):
        assert again[key] == kept[key], key


def test_run_json_has_the_shape_of_the_design(tmp_path: Path) -> None:
    view = session(tmp_path, SCRIPTS).ask("x").view
    wanted = {
        "schema",
        "run",
        "question",
        "status",
        "reason",
        "answer",
        "model",
        "loops",
        "dispatches",
        "artefacts",
        "usage",
        "claims",
        "confinement",
    }
    assert wanted <= set(view)
    loop = view["loops"][0]
    assert {
        "id",
        "agent",
        "objective",
        "status",
        "seconds",
        "error",
        "context",
        "limits",
        "artefacts",
    } <= set(loop)
    assert set(loop["context"]["by_category"]) == set(measures.CATEGORIES)
    assert [entry["id"] for entry in view["loops"]] == ["guide", "d01"]
    assert [entry["id"] for entry in view["dispatches"]] == ["d01"]


def test_the_categories_of_a_window_add_up_to_its_tokens(tmp_path: Path) -> None:
    for loop in session(tmp_path, SCRIPTS).ask("x").view["loops"]:
        context = loop["context"]
        assert sum(context["by_category"].values()) == context["tokens"]
        assert context["peak_tokens"] >= context["tokens"] > 0


def test_usage_is_the_sum_over_all_loops(tmp_path: Path) -> None:
    view = session(tmp_path, SCRIPTS).ask("x").view
    total = sum(loop["usage"]["input_tokens"] for loop in view["loops"])
    assert view["usage"]["input_tokens"] == total > 0
    assert view["usage"]["requests"] == 5


def test_the_index_has_a_line_at_each_end_of_a_run(tmp_path: Path) -> None:
    answer = session(tmp_path, SCRIPTS).ask("x")
    lines = (answer.folder.parent / "index.jsonl").read_text().splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["started", "ended"]


def test_d3_files_of_a_run_are_private_to_their_owner(tmp_path: Path) -> None:
    answer = session(tmp_path, SCRIPTS).ask("x")
    assert answer.folder.stat().st_mode & 0o077 == 0
    for file in answer.folder.rglob("*.json*"):
        assert file.stat().st_mode & 0o077 == 0, file


def test_a_short_plain_result_keeps_every_measured_rule() -> None:
    from workbench.limits import Limits

    kept = measures.kept(Result("success", ("Gold is 5 ppb.",)), (), Limits())
    assert all(kept.values())


def test_reading_a_data_file_as_text_is_measured_as_a_broken_rule() -> None:
    from workbench.limits import Limits

    kept = measures.kept(Result("success", ("x",)), {"data_file_lines"}, Limits())
    assert kept["data_by_tools"] is False


def test_a_budget_is_met_by_the_run_and_makes_up_no_loop(tmp_path: Path) -> None:
    talk = session(tmp_path, {"d01": lambda _: call("list_files")}, limits={"run_tokens": 2_000})
    answer = talk.ask("x", agent="analytics")
    assert answer.status == "budget"
    assert [loop["id"] for loop in answer.view["loops"]] == ["d01"]
    assert [row["key"] for row in answer.view["run_limits"]] == ["run_tokens"]
    assert {"loop": "", "key": "run_tokens", "enforced": "code", "hits": 1, "kept": 0, "of": 0} in (
        answer.limits
    )


def event(kind: str, **data: object) -> ledger.Event:
    return ledger.Event(1, "r", "d01", kind, data, "2026-11-30T12:00:00")


def test_words_on_their_way_and_waits_are_what_a_loop_is_doing() -> None:
    view = View()
    doing = []
    for told in (
        event("saying", key="d01-r01", text="Three\ngroups", chars=12, thought=False),
        event("saying", key="d01-r01", text="Hm", chars=2, thought=True),
        event("waiting", key="d01-r01", **{"try": 2, "left": 6.6, "reason": "429 too many"}),
        event("response", key="d01-r01", stop="end_turn", usage={}, seconds=1.0),
    ):
        view.apply(told)
        doing.append(view.loop("d01")["doing"])
    assert doing == [
        "writing: …Three groups", "thinking: …Hm", "waiting 7 s for try 2: 429 too many", "",
    ]  # fmt: skip


def test_what_a_broken_try_used_is_counted_once_and_told() -> None:
    view = View()
    used = {"input_tokens": 900, "cache_read_input_tokens": 50, "output_tokens": 4}
    view.apply(event("attempt", key="k", **{"try": 1, "reason": "cut", "usage": used, "usd": 0.5}))
    view.apply(event("response", key="k", stop="end_turn", usage=used, seconds=1.0, usd=0.25))
    usage = view.data["usage"]
    assert (usage["input_tokens"], usage["cache_read_tokens"], usage["output_tokens"]) == (
        1_800, 100, 8,
    )  # fmt: skip
    assert (usage["broken_tries"], usage["usd"]) == (1, 0.75)

"""The one loop: what an agent may do, and what ends it."""

from __future__ import annotations

import json
from pathlib import Path

from conversation import events, hits, session

from workbench import marker
from workbench.models.scripted import Heard, Say, call, finish

ANSWER = Say("All is well.")
HAND_OVER = call("ask_specialist", agent="analytics", objective="look", final=False)


def test_words_of_the_guide_are_the_answer(tmp_path: Path) -> None:
    answer = session(tmp_path, {"guide": [ANSWER]}).ask("How are you?")
    assert (answer.status, answer.text) == ("answered", "All is well.")


def test_every_request_is_kept_byte_for_byte_and_adds_up(tmp_path: Path) -> None:
    sent: dict[str, str] = {}

    def guide(heard: Heard) -> Say:
        sent[f"guide-r{heard.number:02d}"] = heard.body
        return call("list_files") if heard.number == 1 else ANSWER

    answer = session(tmp_path, {"guide": guide}).ask("What is here?")
    for event in events(answer, "request"):
        kept = (answer.folder / event.data["path"]).read_text()
        assert kept == sent[event.data["key"]]
        assert sum(event.data["chars_by_category"].values()) == len(kept)
        assert sum(event.data["by_category"].values()) == event.data["tokens"]
    assert len(sent) == 2


def test_a_tool_outside_the_agents_list_is_refused_by_code(tmp_path: Path) -> None:
    told: list[str] = []

    def guide(heard: Heard) -> Say:
        told.extend(heard.results)
        return call("query_data", path="a.csv", operation="head") if heard.number == 1 else ANSWER

    answer = session(tmp_path, {"guide": guide}).ask("Show me rows")
    assert "not in the list of guide" in told[0]
    assert hits(answer) == ["agent_tools"]
    assert events(answer, "tool_done")[0].data["ok"] is False


def test_three_malformed_calls_in_a_row_end_the_loop(tmp_path: Path) -> None:
    bad = [
        call("no_such_tool"),
        Say(calls=(("list_files", "not an object"),)),
        call("list_files", depth=3),
        ANSWER,
    ]
    answer = session(tmp_path, {"guide": bad}).ask("x")
    assert answer.status == "failed"
    assert "malformed" in answer.reason
    assert hits(answer)[-1] == "malformed"


def test_a_good_call_between_two_bad_ones_starts_the_count_anew(tmp_path: Path) -> None:
    bad, good = call("no_such_tool"), call("list_files")
    script = [bad, bad, good, bad, bad, ANSWER]
    assert session(tmp_path, {"guide": script}).ask("x").status == "answered"


def test_model_calls_end_a_loop_that_goes_nowhere(tmp_path: Path) -> None:
    answer = session(tmp_path, {"guide": lambda _: call("list_files")}).ask("x")
    assert answer.status == "failed"
    assert len(list((answer.folder / "requests").iterdir())) == 20
    assert hits(answer) == ["model_calls"]


def test_tool_calls_end_a_loop_that_asks_many_at_once(tmp_path: Path) -> None:
    many = Say(calls=tuple(("list_files", {}) for _ in range(25)))
    answer = session(tmp_path, {"guide": lambda _: many}).ask("x")
    assert len(events(answer, "tool_done")) == 60
    assert hits(answer) == ["tool_calls"]


def test_plain_text_of_a_specialist_is_an_error_after_one_repair_try(tmp_path: Path) -> None:
    scripts = {"guide": [HAND_OVER, ANSWER], "dispatch": [Say("It is gold."), Say("Gold!")]}
    answer = session(tmp_path, scripts).ask("x")
    assert answer.view["dispatches"][0]["status"] == "error"
    assert "finish" in answer.view["dispatches"][0]["error"]


def test_a_specialist_that_repairs_its_answer_succeeds(tmp_path: Path) -> None:
    scripts = {"guide": [HAND_OVER, ANSWER], "dispatch": [Say("It is gold."), finish("Gold.")]}
    answer = session(tmp_path, scripts).ask("x")
    assert answer.view["dispatches"][0]["status"] == "success"


def test_a_result_as_strict_json_text_is_taken(tmp_path: Path) -> None:
    text = json.dumps({"status": "partial", "results": ["Gold."]})
    scripts = {"guide": [HAND_OVER, ANSWER], "dispatch": [Say(text)]}
    answer = session(tmp_path, scripts).ask("x")
    assert answer.view["dispatches"][0]["status"] == "partial"


def test_e5_nothing_of_a_reply_cut_by_its_length_is_carried_out(tmp_path: Path) -> None:
    cut = Say(calls=(("list_files", {}),), stop="max_tokens")
    answer = session(tmp_path, {"guide": [cut, ANSWER]}).ask("x")
    assert events(answer, "tool_call") == []
    assert answer.status == "answered"
    again = session(tmp_path, {"guide": [cut, cut]}).ask("x")
    assert again.status == "failed"


def test_a_reply_longer_than_its_limit_is_not_carried_out(tmp_path: Path) -> None:
    long = Say(calls=(("list_files", {}),), usage={"input_tokens": 5, "output_tokens": 9_000})
    answer = session(tmp_path, {"guide": [long, ANSWER]}).ask("x")
    assert events(answer, "tool_call") == []
    assert hits(answer) == ["reply_tokens"]


def test_a_reply_that_is_no_message_ends_with_one_line(tmp_path: Path) -> None:
    answer = session(tmp_path, {"guide": [Say(raw="<html>bad gateway</html>")]}).ask("x")
    assert answer.status == "failed"
    assert "not a message of the protocol" in answer.reason


def test_at_ninety_per_cent_old_results_become_pointers_that_lead_somewhere(
    tmp_path: Path,
) -> None:
    from workbench.reply import Reply, Text

    prose = "The vein is wide here and narrow there; the wall rock is sheared basalt.\n" * 100

    def read(_tool: str, _arguments: object) -> Reply:
        text = Text(prose, "notes.md", "prose", len(prose), 100)
        return Reply(facts={"lines": 100}, text=text)

    def work(heard: Heard) -> Say:
        if heard.number > 12:
            return finish("done")
        return call("read_file", path="notes.md")

    scripts = {"orchestrator": work}
    talk = session(tmp_path, scripts, tool=read, window=30_000)
    answer = talk.ask("Read it all", agent="orchestrator")
    assert answer.status == "answered"
    full = 30_000 * 80 // 100 * 90 // 100
    for event in events(answer, "request"):
        assert event.data["tokens"] <= full
    last = (answer.folder / "requests" / "orchestrator-r13.json").read_text()
    assert "context_full" in hits(answer)
    first = Heard("orchestrator", 13, last).results[0]
    assert first.startswith("older result, set aside: lines: 100\n")
    (mark,) = marker.parse(first)
    assert f'read_range(id="{mark.full}", offset=0)' in mark.next
    seen = Heard("orchestrator", 2, answer.seen[1]).results[0]
    assert (answer.folder / "full" / f"{mark.full}.txt").read_text() == seen


def test_a_request_that_cannot_fit_is_never_sent(tmp_path: Path) -> None:
    talk = session(tmp_path, {"guide": [ANSWER]}, window=1_000)
    answer = talk.ask("x " * 3_000)
    assert answer.status == "failed"
    assert "was not sent" in answer.reason
    assert list((answer.folder / "requests").iterdir()) == []


def test_a_stop_between_requests_ends_the_run_as_interrupted(tmp_path: Path) -> None:
    import threading

    stop = threading.Event()

    def guide(_heard: Heard) -> Say:
        stop.set()
        return call("list_files")

    answer = session(tmp_path, {"guide": guide}).ask("x", stop=stop)
    assert answer.status == "interrupted"
    assert json.loads((answer.folder / "run.json").read_text())["status"] == "interrupted"


def test_a_token_budget_ends_the_run_with_its_own_reason(tmp_path: Path) -> None:
    talk = session(tmp_path, {"guide": lambda _: call("list_files")}, limits={"run_tokens": 3_000})
    answer = talk.ask("x")
    assert answer.status == "budget"
    assert "run_tokens" in answer.reason
    assert hits(answer) == ["run_tokens"]


def test_a_bug_of_ours_ends_as_one_readable_outcome(tmp_path: Path) -> None:
    def guide(_heard: Heard) -> Say:
        raise ZeroDivisionError

    answer = session(tmp_path, {"guide": guide}).ask("x")
    assert answer.status == "failed"
    assert "internal error ZeroDivisionError" in answer.reason

"""Sending agents: a fresh context each, only the result comes back, bounded as a whole."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from conversation import events, hits, session

from workbench.models.scripted import Heard, Say, call, finish
from workbench.reply import Reply

ANSWER = Say("Done.")


def _hand_over(**more: object) -> Say:
    given = {"agent": "analytics", "objective": "look at a.csv", "final": False, **more}
    return call("ask_specialist", **given)


def test_a_final_hand_over_needs_no_further_model_call(tmp_path: Path) -> None:
    scripts = {"guide": [_hand_over(final=True)], "dispatch": [finish("Gold is 5 ppb.")]}
    answer = session(tmp_path, scripts).ask("x")
    assert answer.text == "Gold is 5 ppb."
    assert answer.usage["requests"] == 2


def test_a_specialist_sees_its_objective_and_nothing_of_the_caller(tmp_path: Path) -> None:
    heard: list[str] = []

    def specialist(request: Heard) -> Say:
        heard.append(request.body)
        return finish("ok")

    scripts = {"guide": [_hand_over(), ANSWER], "dispatch": specialist}
    session(tmp_path, scripts).ask("QUESTION-CANARY")
    assert "QUESTION-CANARY" not in heard[0]
    assert "look at a.csv" in heard[0]


def test_only_the_final_result_enters_another_context(tmp_path: Path) -> None:
    def tool(_tool: str, _arguments: Mapping[str, object]) -> Reply:
        return Reply(facts={"canary": "TOOL-CANARY"})

    specialist = [
        Say("THOUGHT-CANARY", calls=(("list_files", {}),)),
        finish("result words"),
    ]
    guide_heard: list[str] = []

    def guide(heard: Heard) -> Say:
        guide_heard.append(heard.body)
        return _hand_over() if heard.number == 1 else ANSWER

    session(tmp_path, {"guide": guide, "dispatch": specialist}, tool=tool).ask("x")
    assert "result words" in guide_heard[1]
    assert "CANARY" not in "".join(guide_heard)


def test_a_long_result_is_bounded_and_its_whole_kept_as_an_artefact(tmp_path: Path) -> None:
    told: list[str] = []

    def guide(heard: Heard) -> Say:
        told.extend(heard.results)
        return _hand_over() if heard.number == 1 else ANSWER

    long = finish(*[f"finding {n}: " + "word " * 300 for n in range(12)])
    answer = session(tmp_path, {"guide": guide, "dispatch": [long]}).ask("x")
    assert len(told[0]) <= 8_000
    (artefact,) = answer.artefacts
    whole = json.loads((answer.folder / artefact.path).read_text())
    assert len(whole["results"]) == 12
    assert artefact.id in told[0]
    assert "result_chars" in hits(answer)


def test_a_specialist_dispatches_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from workbench.agents import registry

    known = dict(registry.agents())
    rogue = replace(known["analytics"], tools=(*known["analytics"].tools, "ask_specialist"))
    monkeypatch.setattr(registry, "agents", lambda: {**known, "analytics": rogue})
    told: list[str] = []

    def specialist(heard: Heard) -> Say:
        told.extend(heard.results)
        return _hand_over() if heard.number == 1 else finish("ok")

    scripts = {"guide": [_hand_over(), ANSWER], "dispatch": specialist}
    answer = session(tmp_path, scripts).ask("x")
    assert "A specialist dispatches nobody" in told[0]
    assert hits(answer) == ["depth"]
    assert len(answer.view["dispatches"]) == 1


def test_a_question_makes_at_most_eight_dispatches(tmp_path: Path) -> None:
    def orchestrator(heard: Heard) -> Say:
        if heard.number > 12:
            return finish("enough")
        return call("dispatch", agent="dataops", objective=f"look {heard.number}")

    scripts = {"orchestrator": orchestrator, "dispatch": lambda _: finish("ok")}
    answer = session(tmp_path, scripts).ask("x", agent="orchestrator")
    assert len(answer.view["dispatches"]) == 8
    assert hits(answer) == ["dispatches"] * 4


def test_at_most_two_dispatches_run_at_once_and_both_do(tmp_path: Path) -> None:
    now, most = [0], [0]
    lock = threading.Lock()

    def specialist(_heard: Heard) -> Say:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.1)
        with lock:
            now[0] -= 1
        return finish("ok")

    six = Say(
        calls=tuple(("dispatch", {"agent": "dataops", "objective": str(n)}) for n in range(6))
    )
    scripts = {"orchestrator": [six, finish("joined")], "dispatch": specialist}
    session(tmp_path, scripts).ask("x", agent="orchestrator")
    assert most[0] == 2


def test_the_orchestrator_sees_history_without_results(tmp_path: Path) -> None:
    seen: list[str] = []

    def orchestrator(heard: Heard) -> Say:
        seen.append(json.dumps(heard.request["system"]))
        if heard.number == 1:
            return call("dispatch", agent="dataops", objective="count the samples")
        return finish("joined")

    scripts = {"orchestrator": orchestrator, "dispatch": lambda _: finish("RESULT-CANARY")}
    talk = session(tmp_path, scripts)
    talk.ask("x", agent="orchestrator")
    talk.ask("y", agent="orchestrator")
    assert "count the samples" not in seen[0]
    assert "d01 dataops: count the samples -> success" in seen[1]
    assert "count the samples" in seen[2]
    assert "CANARY" not in "".join(seen)


def test_a_failed_dispatch_is_told_and_the_run_goes_on(tmp_path: Path) -> None:
    told: list[str] = []

    def guide(heard: Heard) -> Say:
        told.extend(heard.results)
        return _hand_over(final=True) if heard.number == 1 else ANSWER

    scripts = {"guide": guide, "dispatch": [Say(raw="nonsense")]}
    answer = session(tmp_path, scripts).ask("x")
    assert answer.text == "Done."
    assert '"status": "error"' in told[0]


def test_an_unknown_specialist_is_refused_with_the_nearest(tmp_path: Path) -> None:
    told: list[str] = []

    def guide(heard: Heard) -> Say:
        told.extend(heard.results)
        return _hand_over(agent="analytic") if heard.number == 1 else ANSWER

    session(tmp_path, {"guide": guide}).ask("x")
    assert "nearest: 'analytics'" in told[0]


def test_prompt_rules_are_not_enforced_but_measured(tmp_path: Path) -> None:
    table = "\n".join(f"s{n},{n}.5,{n * 2}" for n in range(30))
    specialists = {"d01": [finish("short")], "d02": [finish("w " * 1_500, table)]}
    script = [
        call("dispatch", agent="analytics", objective="a"),
        call("dispatch", agent="analytics", objective="b"),
        finish("joined"),
    ]
    answer = session(tmp_path, {"orchestrator": script, **specialists}).ask(
        "x", agent="orchestrator"
    )
    kept = {
        loop["id"]: {row["key"]: (row["kept"], row["of"]) for row in loop["limits"]}
        for loop in answer.view["dispatches"]
    }
    assert kept["d01"]["result_asked"] == (1, 1)
    assert kept["d02"]["result_asked"] == (0, 1)
    assert kept["d02"]["no_tables_in_result"] == (0, 1)
    assert len(events(answer, "prompt_rule")) == 10  # four each, and two of the orchestrator


def test_the_conversation_is_remembered_until_reset(tmp_path: Path) -> None:
    seen: list[list[str]] = []

    def guide(heard: Heard) -> Say:
        parts = [part for turn in heard.request["messages"] for part in turn["content"]]
        seen.append([part["text"] for part in parts])
        return Say(f"answer {len(seen)}")

    talk = session(tmp_path, {"guide": guide})
    talk.ask("first")
    talk.ask("second")
    talk.reset()
    talk.ask("third")
    assert seen == [["first"], ["first", "answer 1", "second"], ["third"]]


def test_a_run_that_the_clock_ended_is_a_budget_reached_in_every_loop(tmp_path: Path) -> None:
    talk = session(
        tmp_path,
        {
            "guide": [call("ask_specialist", agent="dataops", objective="wait", final=True)],
            "d01": [call("list_files")] * 3,
        },
        tool=lambda _tool, _arguments: _late(),
        limits={"run_seconds": 0.2},
    )
    answer = talk.ask("How many samples?")
    assert answer.status == "budget"
    assert "budget of 0.2 seconds (run_seconds) reached" in answer.reason
    assert {loop["error"] for loop in answer.view["loops"]} == {answer.reason}
    assert [row["hits"] for row in answer.view["run_limits"]] == [1]


def _late() -> Reply:
    time.sleep(0.4)
    return Reply(facts={"files": 1})

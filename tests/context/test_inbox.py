"""What the analyst adds while a question is at work: heard once by whoever plans, and replayed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from conversation import events, session

from workbench.context.inbox import PREFIX, Inbox
from workbench.errors import Refused
from workbench.ledger import Event
from workbench.limits import Limits
from workbench.models.scripted import Heard, Say, ScriptedModel, call, finish
from workbench.runs import replaying
from workbench.session import Session


def heard(answer_seen: list[str]) -> list[int]:
    return [body.count(PREFIX) for body in answer_seen]


def test_an_instruction_is_heard_before_the_next_request(tmp_path: Path) -> None:
    inbox = Inbox(Limits())

    def guide(request: Heard) -> Say:
        if request.number == 1:
            inbox.say("leave out the duplicates")
            return call("list_files")
        return Say("done")

    answer = session(tmp_path, {"guide": guide}).ask("x", inbox=inbox)
    assert heard(answer.seen) == [0, 1]
    assert f"{PREFIX}leave out the duplicates" in answer.seen[1]
    assert [event.data["before"] for event in events(answer, "told")] == ["guide-r02"]
    assert inbox.unheard == 0


def test_a_run_does_not_end_with_something_unheard(tmp_path: Path) -> None:
    inbox = Inbox(Limits())

    def guide(request: Heard) -> Say:
        if request.number == 1:
            inbox.say("in ppm, please")
            return Say("12 ppb")
        return Say("0.012 ppm")

    assert session(tmp_path, {"guide": guide}).ask("x", inbox=inbox).text == "0.012 ppm"


def test_a_final_result_waits_for_what_was_added(tmp_path: Path) -> None:
    inbox = Inbox(Limits())

    def specialist(_: Heard) -> Say:
        inbox.say("and arsenic")
        return finish("gold is high")

    send = call("ask_specialist", agent="dataops", objective="look", final=True)
    scripts = {"guide": [send, Say("gold and arsenic")], "dispatch": specialist}
    answer = session(tmp_path, scripts).ask("x", inbox=inbox)
    assert answer.text == "gold and arsenic"
    dispatched = json.loads((answer.folder / "requests" / "d01-r01.json").read_text())
    assert PREFIX not in json.dumps(dispatched)


def test_guide_and_orchestrator_each_hear_it_once(tmp_path: Path) -> None:
    inbox = Inbox(Limits())

    def orchestrator(request: Heard) -> Say:
        if request.number == 1:
            inbox.say("only the north")
            return call("dispatch", agent="dataops", objective="look")
        return finish("north only")

    scripts = {
        "guide": [call("ask_orchestrator", objective="plan"), Say("north")],
        "orchestrator": orchestrator,
        "dispatch": [finish("ok")],
    }
    answer = session(tmp_path, scripts).ask("x", inbox=inbox)
    told = [(event.dispatch, event.data["before"]) for event in events(answer, "told")]
    assert told == [("orchestrator", "orchestrator-r02"), ("guide", "guide-r02")]


def test_a_specialist_asked_by_the_analyst_hears_too(tmp_path: Path) -> None:
    inbox = Inbox(Limits())
    inbox.say("be brief")
    scripts = {"dispatch": [finish("ok")]}
    answer = session(tmp_path, scripts).ask("x", agent="dataops", inbox=inbox)
    assert heard(answer.seen) == [1]


@pytest.mark.parametrize("text", ["", "  \n", "x" * 4_001])
def test_an_empty_or_endless_instruction_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="tell"):
        Inbox(Limits()).say(text)


def test_a_replay_hears_it_at_the_same_place(tmp_path: Path, sample_data: Path) -> None:
    shutil.copy(sample_data / "meridian_ridge_collar.csv", tmp_path)
    inbox = Inbox(Limits())

    def guide(request: Heard) -> Say:
        if request.number == 1:
            inbox.say("é" * 3_000)
            return call("list_files")
        return Say("done")

    first = Session.open(tmp_path, model=ScriptedModel({"guide": guide})).ask("x", inbox=inbox)
    replay = replaying.prepared(first.folder.parent, first.run)
    again = replay.session.ask(replay.question, **replay.options)
    assert replay.compared(again).same
    assert again.seen == first.seen


def test_the_offline_planner_takes_it_up_with_the_question(
    tmp_path: Path, sample_data: Path
) -> None:
    shutil.copy(sample_data / "meridian_ridge_geochem.csv", tmp_path)
    inbox = Inbox(Limits())
    talk = Session.open(tmp_path)

    def listener(event: Event) -> None:
        if (event.kind, event.dispatch) == ("request", "d01") and not told:
            told.append(event)
            inbox.say("How many samples are there?")

    told: list[Event] = []
    answer = talk.ask("What is the median of Cu?", inbox=inbox, listener=listener)
    assert answer.status == "answered", answer.reason
    assert told
    assert "240" in answer.text
    assert "69.9" in answer.text

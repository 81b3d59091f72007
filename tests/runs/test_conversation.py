"""Conversations: remembered across runs, resumed after a restart, never mixed."""

from __future__ import annotations

from pathlib import Path

import pytest
from conversation import session

from workbench.dryrun import dry_run
from workbench.errors import Refused
from workbench.models.scripted import Say, call, finish
from workbench.runs import conversation, replaying
from workbench.session import Session

SAID = {"guide": [Say("gold is north")]}


def talk(folder: Path, origin: str = "", **scripts: object) -> Session:
    place = session(folder, scripts or SAID)  # type: ignore[arg-type]
    place.origin = origin
    return place


def resumed(folder: Path, run: str) -> Session:
    """Return a session as a new kernel would have it."""
    place = talk(folder)
    conversation.until(place.workspace.results, run).give(place)
    return place


def test_a_conversation_is_taken_up_after_a_restart(tmp_path: Path) -> None:
    first = talk(tmp_path)
    first.ask("one?")
    end = first.ask("two?")
    later = resumed(tmp_path, end.run)
    assert later.turns == first.turns
    assert later.runs == first.runs
    third = later.ask("three?")
    assert [word in third.seen[0] for word in ("one?", "two?", "three?")] == [True] * 3
    assert third.view["follows"] == end.run


def test_dispatches_are_remembered_too(tmp_path: Path) -> None:
    send = call("ask_specialist", agent="dataops", objective="count", final=True)
    first = session(tmp_path, {"guide": [send], "dispatch": [finish("240 rows")]})
    answer = first.ask("how many?")
    later = resumed(tmp_path, answer.run)
    assert [entry["objective"] for entry in later.past] == ["count"]
    assert later.turns[0].answer == "240 rows"


def test_what_was_forgotten_does_not_come_back(tmp_path: Path) -> None:
    first = talk(tmp_path)
    first.ask("one?")
    first.reset()
    end = first.ask("two?")
    later = resumed(tmp_path, end.run)
    assert [turn.question for turn in later.turns] == ["two?"]


def test_two_notebooks_on_one_workspace_never_mix(tmp_path: Path) -> None:
    here, there = talk(tmp_path, "here"), talk(tmp_path, "there")
    here.ask("gold one?")
    there.ask("lead one?")
    mine = here.ask("gold two?")
    theirs = there.ask("lead two?")
    assert "lead one?" not in mine.seen[0]
    assert "gold one?" in mine.seen[0]
    assert "gold one?" not in theirs.seen[0]
    results = here.workspace.results
    assert conversation.last(results, "here") == mine.run
    assert conversation.last(results, "there") == theirs.run
    later = resumed(tmp_path, mine.run)
    assert [turn.question for turn in later.turns] == ["gold one?", "gold two?"]


def test_where_it_is_not_clear_which_is_meant_it_is_asked(tmp_path: Path) -> None:
    here = talk(tmp_path)
    with pytest.raises(Refused, match="there is no run yet"):
        conversation.last(here.workspace.results, "")
    end = here.ask("one?")
    assert conversation.last(here.workspace.results, "") == end.run
    other = talk(tmp_path, "there").ask("two?")
    for mark in ("", "elsewhere"):
        with pytest.raises(Refused, match=f"which conversation.*{other.run}"):
            conversation.last(here.workspace.results, mark)


def test_a_failed_question_keeps_its_place_and_adds_no_turn(tmp_path: Path) -> None:
    first = talk(tmp_path, guide=lambda heard: Say(raw="no") if "bad" in heard.body else Say("ok"))
    first.ask("one?")
    first.ask("bad?")
    assert [turn.question for turn in first.turns] == ["one?"]
    end = first.ask("three?")
    later = resumed(tmp_path, end.run)
    assert [turn.question for turn in later.turns] == ["one?", "three?"]
    assert len(later.runs) == 3


def test_a_run_that_is_gone_is_told(tmp_path: Path) -> None:
    import shutil

    first = talk(tmp_path)
    gone = first.ask("one?")
    end = first.ask("two?")
    shutil.rmtree(gone.folder)
    found = conversation.until(first.workspace.results, end.run)
    assert found.missing == gone.run
    assert [turn.question for turn in found.turns] == ["two?"]


def test_a_question_that_was_overtaken_stays_in_the_conversation(tmp_path: Path) -> None:
    def guide(heard: object) -> Say:
        if "slow" in getattr(heard, "body", "") and len(place.runs) == 1:
            place.ask("quick?")
        return Say("ok")

    place = talk(tmp_path, guide=guide)
    place.ask("first?")
    slow = place.ask("slow?")
    end = place.ask("last?")
    assert slow.view["follows"] != slow.view["after"]
    later = resumed(tmp_path, end.run)
    assert later.runs == place.runs
    assert [turn.question for turn in later.turns] == ["first?", "quick?", "slow?", "last?"]


def test_the_mark_of_a_notebook_names_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    assert conversation.origin() == ""
    monkeypatch.setenv("JPY_SESSION_NAME", "/somewhere/secret-project/a.ipynb")
    assert len(conversation.origin()) == 12
    assert "secret" not in conversation.origin()


def test_a_dry_run_a_call_and_a_replay_are_no_conversations(tmp_path: Path) -> None:
    first = talk(tmp_path)
    end = first.ask("one?")
    dry_run(first, "two?", "guide", ())
    first.call("list_files", {})
    replay = replaying.prepared(first.workspace.results, end.run)
    replay.session.ask(replay.question, **replay.options)
    assert conversation.last(first.workspace.results, "") == end.run

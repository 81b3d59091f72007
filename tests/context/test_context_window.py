"""A conversation that outgrows the window: older turns become a summary, the newest stay whole."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

from conversation import events, hits, session

from workbench import marker
from workbench.answer import Answer
from workbench.check import planted
from workbench.models.scripted import Heard, Say, ScriptedModel, call, finish
from workbench.session import Session

WINDOW = 12_000
USABLE_FULL = WINDOW * 80 // 100 * 90 // 100
LONG = "The gold lies in quartz veins, and the veins follow the shear zone to the north. " * 40


def talk(folder: Path, turns: int) -> tuple[Session, Answer]:
    """Hold a conversation of long answers; return the session and the last answer."""
    place = session(folder, {"guide": [Say(LONG)]}, window=WINDOW)
    for number in range(turns - 1):
        answer = place.ask(f"question number {number}?")
        assert answer.status == "answered", answer.reason
    return place, place.ask("the last question?")


def texts(answer: Answer) -> list[str]:
    request = json.loads((answer.folder / "requests" / "guide-r01.json").read_text())
    return [part["text"] for turn in request["messages"] for part in turn["content"]]


def test_a_long_conversation_never_outgrows_the_window(tmp_path: Path) -> None:
    place, answer = talk(tmp_path, 30)
    assert answer.status == "answered", answer.reason
    for event in events(answer, "request"):
        assert event.data["tokens"] <= USABLE_FULL
    assert hits(answer) == ["context_full"]
    assert len(place.turns) == 30


def test_older_turns_are_told_in_a_line_each_and_the_whole_is_kept(tmp_path: Path) -> None:
    _, answer = talk(tmp_path, 14)
    first, *rest = texts(answer)
    assert first.startswith("Earlier in this conversation, shortened:\n- question number 0? -> ")
    (mark,) = marker.parse(first)
    assert mark.unit == "turns"
    assert 0 < mark.left < 13
    kept = (answer.folder / "full" / f"{mark.full}.txt").read_text()
    assert kept.count("question number") == mark.left
    assert LONG.strip() in kept
    assert rest[-1] == "the last question?"
    assert rest[-2] == LONG


def test_a_conversation_that_fits_is_sent_as_it_was(tmp_path: Path) -> None:
    _, answer = talk(tmp_path, 3)
    assert texts(answer) == [
        "question number 0?", LONG, "question number 1?", LONG, "the last question?",
    ]  # fmt: skip
    assert hits(answer) == []


def test_the_roles_of_the_turns_still_alternate(tmp_path: Path) -> None:
    _, answer = talk(tmp_path, 20)
    request = json.loads((answer.folder / "requests" / "guide-r01.json").read_text())
    roles = [turn["role"] for turn in request["messages"]]
    assert roles[0] == "user"
    assert all(one != other for one, other in itertools.pairwise(roles))


def test_what_was_set_aside_is_read_again_by_its_id(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(planted.prose(10_000))
    asked: list[marker.Marker] = []

    def work(heard: Heard) -> Say:
        if asked:
            return finish("read again")
        aside = [text for text in heard.results if text.startswith("older result, set aside")]
        if aside:
            asked.extend(marker.parse(aside[0]))
            return call("read_range", id=asked[0].full, offset=0)
        return call("read_file", path="notes.txt")

    model = ScriptedModel({"d01": work}, 30_000)
    answer = Session.open(tmp_path, model=model).ask("read", agent="dataops")
    assert answer.status == "answered", answer.reason
    last = Heard("d01", 99, answer.seen[-1]).results[-1]
    first = Heard("d01", 2, answer.seen[1]).results[0]
    assert first[:500] in last

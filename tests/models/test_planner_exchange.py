"""Requests read back: who is asked, what, and what came of the calls."""

from __future__ import annotations

import json

import pytest

from workbench.errors import Failed
from workbench.models.planner.exchange import read


def body(tools: list[str], *messages: tuple[str, object]) -> str:
    listed = [{"role": role, "content": content} for role, content in messages]
    return json.dumps({"tools": [{"name": name} for name in tools], "messages": listed})


def text(words: str) -> list[dict[str, object]]:
    return [{"type": "text", "text": words}]


def test_the_tool_list_says_whom_the_planner_speaks_for() -> None:
    asked = ("user", text("q"))
    assert read(body(["ask_orchestrator"], asked)).part == "guide"
    assert read(body(["dispatch", "finish"], asked)).part == "orchestrator"
    assert read(body(["anomaly", "finish"], asked)).part == "specialist"
    assert read(body([], asked)).part == "specialist"


def test_the_guide_answers_the_last_question_and_knows_the_earlier_ones() -> None:
    found = read(
        body(["ask_specialist"], ("user", text("one")), ("assistant", text("a")),
             ("user", text("two")))
    )  # fmt: skip
    assert (found.question, found.earlier) == ("two", ("one",))


def test_a_specialist_keeps_its_objective_when_told_to_repair() -> None:
    found = read(
        body(["finish"], ("user", text("map gold")), ("assistant", text("done")),
             ("user", text("Your result must be given by calling finish; text is not a result.")))
    )  # fmt: skip
    assert found.question == "map gold"


def test_an_attachment_is_not_the_question() -> None:
    parts = [*text("attached file notes.md:\nmap silver"), *text("map gold")]
    assert read(body(["finish"], ("user", parts))).question == "map gold"
    assert read(body(["finish"], ("user", parts[::-1]))).question == "map gold"


def test_calls_are_paired_with_their_answers_by_id() -> None:
    calls = [{"type": "tool_use", "id": i, "name": "t", "input": {"n": i}} for i in ("a", "b")]
    answers = [
        {"type": "tool_result", "tool_use_id": "b", "content": "B"},
        {"type": "tool_result", "tool_use_id": "a", "content": text("A")},
    ]
    found = read(body(["t"], ("user", text("q")), ("assistant", calls), ("user", answers)))
    assert [(step.arguments["n"], step.answer) for step in found.steps] == [("a", "A"), ("b", "B")]


@pytest.mark.parametrize("bad", ["", "[]", "{}", '{"messages": [{"role": "user"}]}', "null", "7"])
def test_what_is_no_request_fails_in_one_line(bad: str) -> None:
    with pytest.raises(Failed, match="offline planner"):
        read(bad)


def test_a_request_without_question_fails() -> None:
    with pytest.raises(Failed, match="no question"):
        read(body(["finish"], ("assistant", text("hello"))))

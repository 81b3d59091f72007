"""The offline model: the protocol, equal replies for equal requests, and no way to break it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench import tokens
from workbench.context import block
from workbench.errors import Failed
from workbench.models.offline import OfflineModel
from workbench.models.planner.clauses import split
from workbench.models.planner.range import HEADING
from workbench.models.protocol import read_reply


def request(question: str, *tools: str) -> str:
    blocks = [block.make("tools", "tools", {"name": name}) for name in tools]
    return block.build(
        "offline-planner", [*blocks, block.text("question", "user", question)], 9
    ).body


def test_a_reply_is_a_message_with_our_own_count_as_usage() -> None:
    body = request("Map gold", "list_files", "ask_specialist")
    data = json.loads(OfflineModel().send(body, "guide-r01"))
    assert (data["type"], data["role"], data["stop_reason"]) == ("message", "assistant", "tool_use")
    assert data["usage"]["input_tokens"] == tokens.count(body)
    assert data["usage"]["output_tokens"] > 0


def test_equal_requests_get_equal_replies_whatever_their_number() -> None:
    body = request("Map gold", "list_files", "ask_specialist")
    assert OfflineModel().send(body, "guide-r01") == OfflineModel().send(body, "guide-r07")


def test_the_same_run_played_twice_makes_the_same_requests(specialist: Callable[..., Any]) -> None:
    first, second = specialist(), specialist()
    first.ask("Which columns have missing values and how many rows are there?")
    second.ask("Which columns have missing values and how many rows are there?")
    assert first.bodies == second.bodies


def test_call_ids_are_never_repeated_in_a_conversation(specialist: Callable[..., Any]) -> None:
    stage = specialist({"sql": "rows_out: 0"})
    stage.ask("Summarise gold by lithology")
    ids = [call.id for call in stage.calls]
    assert len(set(ids)) == len(ids)


def test_an_agent_without_finish_ends_with_words() -> None:
    reply = read_reply(OfflineModel().send(request("Who are you?"), "d01-r01"))
    assert reply.calls == []
    assert reply.words.startswith(HEADING)


def test_what_is_no_request_fails() -> None:
    with pytest.raises(Failed):
        OfflineModel().send("no json", "d01-r01")


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_taken_apart_without_losing_a_clause(question: str) -> None:
    for clause in split(question):
        assert clause.text == clause.text.strip()


WORDS = st.sampled_from(
    [
        "map",
        "gold",
        "As",
        "of",
        "by",
        "lithology",
        "cluster",
        "into",
        "three",
        "groups",
        "and",
        "above",
        "5",
        "ppm",
        "where",
        "is",
        "<",
        ">",
        "the",
        "`",
        '"',
        "median",
        "anomalous",
        "top",
        "then",
        "it",
        "SELECT",
        "from",
        "|",
        ":",
        "{}",
        ",",
        ".",
        ";",
        "Au_ppb",
        "Zz_ppm",
        "ridge_geochem.csv",
    ]
)


@settings(max_examples=120, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=14), st.text(max_size=60))
def test_no_question_and_no_answer_breaks_a_specialist(words: list[str], answer: str) -> None:
    body = request(" ".join(words), "list_files", "describe_table", "anomaly", "plot_map", "finish")
    data = json.loads(body)
    for _ in range(4):
        reply = read_reply(OfflineModel().send(json.dumps(data), "d01-r01"))
        if not reply.calls or reply.calls[0].tool == "finish":
            return
        data["messages"].append({"role": "assistant", "content": reply.content})
        told = [
            {"type": "tool_result", "tool_use_id": call.id,
             "content": f'table: t\nrows: 9\ncolumn Au_ppb: {{"role": "element"}}\n{answer}'}
            for call in reply.calls
        ]  # fmt: skip
        data["messages"].append({"role": "user", "content": told})
    pytest.fail("the planner did not come to an end")

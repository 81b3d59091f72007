"""The scripted model: it says what it was told, in the protocol of every other model."""

from __future__ import annotations

import json

import pytest

from workbench.errors import Failed
from workbench.models.protocol import read_reply
from workbench.models.scripted import Heard, Say, ScriptedModel, call, finish

REQUEST = json.dumps(
    {
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "x"}]},
            {"role": "user", "content": [{"type": "tool_result", "content": "rows: 5"}]},
        ]
    }
)


def test_a_list_is_one_reply_for_each_request_of_its_loop() -> None:
    model = ScriptedModel({"d01": [Say("one"), Say("two")], "guide": [Say("hello")]})
    assert read_reply(model.send(REQUEST, "d01-r01")).words == "one"
    assert read_reply(model.send(REQUEST, "guide-r01")).words == "hello"
    assert read_reply(model.send(REQUEST, "d01-r02")).words == "two"


def test_a_function_hears_the_request_and_its_results() -> None:
    model = ScriptedModel({"*": lambda heard: Say(f"{heard.loop} {heard.number} {heard.results}")})
    assert read_reply(model.send(REQUEST, "d07-r03")).words == "d07 3 ['rows: 5']"


def test_dispatch_stands_for_every_dispatch_without_a_script_of_its_own() -> None:
    model = ScriptedModel({"dispatch": [Say("any")], "d02": [Say("mine")]})
    assert read_reply(model.send(REQUEST, "d01-r01")).words == "any"
    assert read_reply(model.send(REQUEST, "d02-r01")).words == "mine"


def test_the_end_of_a_script_is_a_failure_that_names_the_loop() -> None:
    model = ScriptedModel({"guide": [Say("only")]})
    with pytest.raises(Failed, match="no reply 2 for guide"):
        model.send(REQUEST, "guide-r02")


def test_calls_have_ids_and_stop_for_their_answers() -> None:
    reply = read_reply(ScriptedModel({"*": [call("list_files", folder="a")]}).send("", "guide-r01"))
    (made,) = reply.calls
    assert (made.tool, made.arguments, made.id) == ("list_files", {"folder": "a"}, "guide-r01-1")
    assert reply.stop == "tool_use"


def test_finish_is_a_call_that_ends_a_loop() -> None:
    (made,) = finish("found", status="partial", errors=["none"]).calls
    assert made == ("finish", {"status": "partial", "results": ["found"], "errors": ["none"]})


def test_usage_is_counted_unless_it_is_given_and_raw_text_is_sent_as_it_is() -> None:
    model = ScriptedModel({"a": [Say("x" * 300)], "b": [Say(usage={"output_tokens": 7})]})
    assert read_reply(model.send("y" * 900, "a-r01")).usage["input_tokens"] == 300
    assert read_reply(model.send("", "b-r01")).usage == {"output_tokens": 7}
    assert ScriptedModel({"*": [Say(raw="no JSON")]}).send("", "guide-r01") == "no JSON"


def test_a_request_is_read_only_where_it_is_looked_at() -> None:
    assert Heard("guide", 1, "no JSON").loop == "guide"

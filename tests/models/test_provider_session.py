"""Single questions over the real SDK: faults, ends of a reply, what is sent, and keys."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from conversation import events
from inprocess import start_in_process
from llmock.scenarios import Fail, StreamFault, ToolFault
from llmock.testing import LLMockServer
from llmock.verdict import judge
from models import player
from models.invariants import bodies, outcome
from models.player import ASKED, KEY, playing, replies
from models.provider_server import Act, ProviderServer, act, error, text, use

from workbench.models.scripted import Say
from workbench.session import Session

Open = Callable[..., Session]


def acts(*given: Act) -> ProviderServer:
    return ProviderServer(given)


# Faults, by somebody else's reading of the protocol.


@pytest.mark.parametrize(
    "fault",
    [
        Fail(529, match=ASKED),
        Fail(500, match=ASKED),
        Fail(429, retry_after=0.2, match=ASKED),
        StreamFault("disconnect", after_chunks=3),
        StreamFault("truncate", after_chunks=3),
        StreamFault("malformed", after_chunks=3),
        StreamFault("truncate", after_chunks=0),
    ],
    ids=lambda fault: f"{getattr(fault, 'kind', '')}{getattr(fault, 'status', '')}",
)
def test_a_fault_of_somebody_elses_server_is_come_through(
    opened: Open, mock: LLMockServer, fault: object
) -> None:
    mock.state.scenarios.add(fault, replies(Say("It is a soil survey.")))  # type: ignore[arg-type]
    if not isinstance(fault, Fail):  # a scripted reply is used up by the broken stream
        mock.state.scenarios.add(replies(Say("It is a soil survey.")))
    answer = opened(mock.base_url("anthropic")).ask("What is it?")
    assert (answer.status, answer.text) == ("answered", "It is a soil survey.")
    assert len(events(answer, "attempt")) == 1
    judge(mock.state.journal.records()).assert_ok()


def test_what_is_wrong_for_good_is_sent_once_by_somebody_elses_verdict(
    opened: Open, mock: LLMockServer
) -> None:
    for status in (400, 401, 403, 404):
        mock.state.scenarios.add(Fail(status, match=ASKED))
        answer = opened(mock.base_url("anthropic")).ask(f"What is {status}?")
        assert answer.status == "failed"
    judge(mock.state.journal.records()).assert_ok()


@pytest.mark.parametrize("kind", ["malformed_arguments", "unknown_tool"])
def test_a_broken_tool_call_is_told_and_the_run_goes_on(
    opened: Open, mock: LLMockServer, kind: str
) -> None:
    mock.state.scenarios.add(ToolFault(kind))  # type: ignore[arg-type]
    answer = opened(mock.base_url("anthropic")).ask("Which files are there?")
    first = events(answer, "tool_done")[0].data
    assert not first["ok"]
    assert answer.status == "answered"


# One outcome, whatever happens.


def test_a_server_that_is_gone_leaves_one_outcome(opened: Open) -> None:
    server = ProviderServer(playing).__enter__()
    session = opened(server.url, provider_tries=1)
    assert outcome(session.ask(player.QUESTIONS[0])) == "answered"
    server.kill()
    answer = session.ask(player.QUESTIONS[1])
    assert outcome(answer) == "failed"
    assert f"{server.url} cannot be reached" in answer.reason
    assert "\n" not in answer.reason


# How a reply may end.


@pytest.mark.parametrize(
    ("stop", "told"),
    [
        ("max_tokens", "cut by its length limit"),
        ("refusal", "stopped by a refusal"),
        ("model_context_window_exceeded", "context window was full"),
    ],
)
def test_a_reply_that_is_not_whole_is_never_carried_out_and_told_once(
    opened: Open, stop: str, told: str
) -> None:
    with acts(act(text("Half"), use("list_files"), stop=stop), act(text("All."))) as server:
        answer = opened(server.url).ask("What is it?")
    assert answer.text == "All."
    assert events(answer, "tool_call") == []
    last = server.asked[1].json["messages"]
    assert [turn["role"] for turn in last] == ["user"]
    assert told in last[0]["content"][-1]["text"]


def test_a_second_one_ends_the_run(opened: Open) -> None:
    with acts(act(text("Half"), stop="refusal")) as server:
        answer = opened(server.url).ask("What is it?")
    assert outcome(answer) == "failed"
    assert "refusal" in answer.reason
    assert len(server.asked) == 2


def test_a_pause_is_sent_back_as_it_came_and_goes_on(opened: Open) -> None:
    with acts(act(text("Still at it."), stop="pause_turn"), act(text("Done."))) as server:
        answer = opened(server.url).ask("What is it?")
    assert answer.text == "Done."
    last = server.asked[1].json["messages"][-1]
    assert last == {"role": "assistant", "content": [text("Still at it.")]}


def test_a_reply_without_words_is_asked_for_words_once(opened: Open) -> None:
    with acts(act(text("")), act(text("Here."))) as server:
        assert opened(server.url).ask("What is it?").text == "Here."
    asked = server.asked[1].json["messages"][-1]["content"][-1]["text"]
    assert asked == "Your reply had no words and no call; answer in plain words."


def test_a_call_written_into_the_text_is_told_once(opened: Open) -> None:
    fenced = '```json\n{"name": "list_files", "arguments": {}}\n```'
    with acts(act(text(fenced)), act(use("list_files")), act(text("One file."))) as server:
        answer = opened(server.url).ask("Which files are there?")
    assert answer.text == "One file."
    told = server.asked[1].json["messages"][-1]["content"][-1]["text"]
    assert told.startswith("Nothing was called")


# What is sent.


def test_prompt_and_tools_are_marked_for_the_cache_and_the_conversation_grows_behind(
    opened: Open, own: ProviderServer
) -> None:
    session = opened(own.url)
    answers = [session.ask(question) for question in player.QUESTIONS[:2]]
    guide = [asked.json for asked in own.asked if "ask_specialist" in str(asked.json["tools"])]
    marks = [[part.get("cache_control") for part in request["system"]] for request in guide]
    assert marks == [[{"type": "ephemeral"}]] * len(guide)
    assert {json.dumps([r["tools"], r["system"]]) for r in guide} == {
        json.dumps([guide[0]["tools"], guide[0]["system"]])
    }
    assert all(request["cache_control"] == {"type": "ephemeral"} for request in guide)
    assert bodies(answers) == [asked.body for asked in own.asked]


def test_a_model_without_a_cache_gets_no_marks(soils: Path, own: ProviderServer) -> None:
    session = Session.open(soils, model="anthropic:m", base_url=own.url)
    session.ask(player.QUESTIONS[0])
    assert b"cache_control" not in own.asked[0].body
    assert own.asked[0].json["stream"] is True


def test_what_was_thought_is_sent_back_until_what_stood_before_it_changes(opened: Open) -> None:
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "sig"}
    with acts(act(thought, use("list_files")), act(text("One."))) as server:
        opened(server.url).ask("Which files are there?")
    assert thought in server.asked[1].json["messages"][1]["content"]
    work = {"agent": "dataops", "objective": "Look.", "final": False}
    ended = use("finish", status="success", results=["Done."])
    script = [act(thought, use("dispatch", **work)), act(ended), act(ended)]
    with acts(*script) as server:
        answer = opened(server.url).ask("What is in it?", agent="orchestrator")
    assert answer.status == "answered"
    # The list of dispatches in its prompt has grown, so the thought belongs to another prompt.
    assert b"Dispatches so far" in server.asked[2].body
    assert b'"signature"' not in server.asked[2].body


def test_calls_that_only_read_run_side_by_side_and_answer_in_order(
    opened: Open, own: ProviderServer
) -> None:
    # Neither of the two calls comes back before the other has begun.
    met = threading.Barrier(2, timeout=30)
    order: list[str] = []

    def started(*arguments: object) -> object:
        link = start_in_process(*arguments)  # type: ignore[arg-type]
        call = link.call

        def noted(key: str, tool: str, *given: object) -> object:
            met.wait()
            found = call(key, tool, *given)
            if tool == "list_files":  # the first call of the turn comes back last
                ended.wait(30)
            order.append(tool)
            ended.set()
            return found

        link.call = noted  # type: ignore[method-assign]
        return link

    ended = threading.Event()
    session = opened(own.url)
    object.__setattr__(session.setting, "start_child", started)
    answer = session.ask(player.QUESTIONS[1])
    assert not met.broken
    assert order == ["describe_table", "list_files"]
    done = [event.data["tool"] for event in events(answer, "tool_done")]
    assert done == ["list_files", "describe_table", "finish", "ask_specialist"]
    results = own.asked[2].json["messages"][-1]["content"]
    assert [part["tool_use_id"][-2:] for part in results] == ["-1", "-2"]
    assert "meridian_ridge_geochem.csv" in results[0]["content"]


# Keys.


def test_a_key_is_in_nothing_that_a_whole_run_writes(
    soils: Path, tmp_path: Path, sample_data: Path
) -> None:
    """A run as a process of its own, children, answer, failures and all."""
    with ProviderServer(playing) as server:
        environment = {**os.environ, "ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": server.url}
        environment |= {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "c")}
        environment |= {"ANTHROPIC_LOG": "debug"}
        words = ["ask", player.QUESTIONS[1], "--data", str(soils)]
        command = [sys.executable, "-m", "workbench", *words]
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
        server.script = lambda asked: error(401, "authentication_error", asked.headers[AUTH])
        failed = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert b"Answer 2" in done.stdout
    assert (done.returncode, failed.returncode) == (0, 1)
    assert b"the key was refused" in failed.stderr
    assert {asked.headers[AUTH] for asked in server.asked} == {f"Bearer {KEY}"}
    said = [done.stdout, done.stderr, failed.stdout, failed.stderr]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 20
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []
    assert [text for text in said if KEY.encode() in text] == []
    del sample_data


AUTH = "Authorization"


def test_a_key_is_in_no_log_at_any_level(
    opened: Open, own: ProviderServer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        opened(own.url).ask(player.QUESTIONS[0])
    assert caplog.records
    assert KEY not in caplog.text


def test_a_key_is_in_no_traceback_with_every_variable_shown(
    opened: Open, own: ProviderServer
) -> None:
    import traceback

    own.script = [error(401, "authentication_error")]
    answer = opened(own.url).ask("What is it?")
    assert answer.status == "failed"
    session = opened(own.url)
    found = traceback.TracebackException(
        *_raised(lambda: session.setting.model.send("{", "x")), capture_locals=True
    )
    assert KEY not in "".join(found.format())
    assert KEY not in repr(session)


def _raised(
    function: Callable[[], object],
) -> tuple[type[BaseException], BaseException, object]:
    try:
        function()
    except Exception as caught:  # noqa: BLE001 - whatever it raises
        return type(caught), caught, caught.__traceback__
    raise AssertionError("nothing was raised")


def test_a_replay_of_a_run_over_a_server_departs_nowhere(opened: Open, own: ProviderServer) -> None:
    session = opened(own.url)
    first = session.ask(player.QUESTIONS[1])
    again = Session.open(session.workspace.root, model=f"replay:{first.run}")
    object.__setattr__(again.setting, "start_child", start_in_process)
    count = len(own.asked)
    answer = again.ask(player.QUESTIONS[1])
    assert answer.text == first.text
    assert again.setting.model.departures == []  # type: ignore[attr-defined]
    assert len(own.asked) == count

"""Ten questions and three dispatches over two servers, from a session, a cell and a command.

What holds of the whole play: what was sent is what was kept, the meter agrees with what the
server declares, a replay is the same, and a server that dies at any point loses nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cells import Shell
from conversation import events
from inprocess import start_in_process
from llmock.routers import anthropic as theirs
from llmock.testing import LLMockServer
from models import player
from models.invariants import bodies, outcome
from models.player import KEY, playing
from models.provider_server import Act, Asked, ProviderServer

from workbench.answer import Answer
from workbench.cli import main
from workbench.context.meter import Measured
from workbench.runs import replaying
from workbench.session import Session

Open = Callable[..., Session]
ANSWERS = [player.answer(number) for number in range(1, len(player.QUESTIONS) + 1)]


@dataclass
class Stage:
    """A server with the play on it.

    Attributes
    ----------
    url : str
        Its address.
    seen : callable
        Returns the requests as the server read them.
    """

    url: str
    seen: Callable[[], list[Any]]


@pytest.fixture(params=["own", "llmock"])
def stage(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """Our own server, then somebody else's: both play along, both declare a usage."""
    if request.param == "own":
        with ProviderServer(playing) as own:
            yield Stage(own.url, lambda: [asked.json for asked in own.asked])
        return
    # Left alone it declares a quarter of the characters of the words, and no tool.
    resolve = theirs.resolve_request

    def declaring(asked: Any, **given: Any) -> Any:  # noqa: ANN401 - the server's own types
        body = json.dumps(asked.state.llmock_body, ensure_ascii=False, separators=(",", ":"))
        return resolve(asked, **{**given, "prompt_tokens": player.declared(body)})

    monkeypatch.setattr(theirs, "resolve_request", declaring)
    with LLMockServer() as server:
        player.script(server)

        def seen() -> list[Any]:
            records = server.state.journal.records(wait=5)
            return [item.body for item in records if item.path.endswith("/v1/messages")]

        yield Stage(server.base_url("anthropic"), seen)


def kept(stage: Stage, answers: list[Answer]) -> None:
    """Assert that the server read what was kept, request by request, and nothing else."""
    assert [json.loads(body) for body in bodies(answers)] == stage.seen()
    assert len(stage.seen()) == player.REQUESTS


def test_the_play_from_a_session_and_its_meter_and_its_replay(opened: Open, stage: Stage) -> None:
    session = opened(stage.url)
    answers = [session.ask(question) for question in player.QUESTIONS]
    assert [answer.text for answer in answers] == ANSWERS
    dispatches = [entry for answer in answers for entry in answer.view["dispatches"]]
    assert [entry["status"] for entry in dispatches] == ["success"] * len(player.DISPATCHED)
    kept(stage, answers)
    errors = [error for answer in answers for error in estimated(answer)]
    assert len(errors) == player.REQUESTS
    assert max(errors[1:]) < 0.05, errors
    for answer in answers:
        last = [item for item in events(answer, "response") if item.dispatch == "guide"][-1]
        gauge = answer.view["loops"][0]["context"]["provider"]
        assert gauge["tokens"] == Measured.of(last.data["usage"]).tokens
        replayed(answer)
    made = [item for answer in answers for item in answer.view["artefacts"]]
    assert len([item for item in made if item["path"].endswith(".csv")]) == 1
    assert len(stage.seen()) == player.REQUESTS  # a replay asks nobody


def replayed(answer: Answer) -> None:
    """Assert that a replay has the same dispatches, hashes and answer, request by request."""
    replay = replaying.prepared(answer.folder.parent, answer.run)
    object.__setattr__(replay.session.setting, "start_child", start_in_process)
    again = replay.session.ask(replay.question, **replay.options)
    found = replay.compared(again)
    assert found.same, found.lines()
    pairs = [
        [(item["id"], item["sha256"]) for item in a.view["artefacts"]] for a in (answer, again)
    ]
    assert pairs[0] == pairs[1]
    assert bodies([again]) == bodies([answer])


def estimated(answer: Answer) -> list[float]:
    """Return how far each estimate was from the usage that the server declared."""
    expected = [event.data["estimate"][1] for event in events(answer, "request")]
    usage = [event.data["usage"] for event in events(answer, "response")]
    return [abs(e / Measured.of(u).tokens - 1) for e, u in zip(expected, usage, strict=True)]


def test_the_play_from_a_notebook(
    soils: Path, stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", stage.url)
    shell = Shell.made()
    try:
        assert "anthropic:claude-sonnet-5-5 at http" in shell.text(f"%agent use {soils}")
        for question, answer in zip(player.QUESTIONS, ANSWERS, strict=True):
            shell.run(f"%%agent --no-widget\n{question}")
            assert answer in json.dumps(shell.displayed)
            assert KEY not in json.dumps(shell.displayed)
        kept(stage, shell.magics.desk.answers)
    finally:
        shell.close()


def test_the_play_from_the_command_line(
    soils: Path, stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ["--data", str(soils), "-m", "anthropic:m", "--base-url", stage.url]
    for question, answer in zip(player.QUESTIONS, ANSWERS, strict=True):
        assert main(["ask", question, *at]) == 0
        shown = capsys.readouterr()
        assert answer in shown.out
        assert f"anthropic m at {stage.url}" in shown.err
    assert len(stage.seen()) == player.REQUESTS
    found = [json.loads(path.read_text()) for path in soils.glob("results/*/requests/*.json")]
    assert all(body in found for body in stage.seen())
    assert len(found) == player.REQUESTS


def test_what_our_own_server_received_is_what_was_kept_byte_for_byte(
    opened: Open, own: ProviderServer
) -> None:
    session = opened(own.url)
    answers = [session.ask(question) for question in player.QUESTIONS]
    assert bodies(answers) == [asked.body for asked in own.asked]


# A server that dies.


class Mortal:
    """Our own server, which dies in the middle of a stream and comes back at the same address.

    Attributes
    ----------
    at : (int, int) or None
        At which request from now on it dies, and after how many events of its reply.
    asked : int
        Requests since then.
    events : list of int
        How many events the replies to them had.
    """

    def __init__(self) -> None:
        self.at: tuple[int, int] | None = None
        self.asked = 0
        self.events: list[int] = []
        self.server = ProviderServer(self.says).__enter__()
        self.url = self.server.url

    def says(self, asked: Asked) -> Act:
        """Play along; die where it was said to."""
        self.asked += 1
        found = playing(asked)
        self.events.append(len(found.events))
        if self.at is None or self.at[0] != self.asked:
            return found
        return Act(found.events, cut=self.at[1], last=True)

    def back(self) -> None:
        """Come back at the same address."""
        port = int(self.url.rsplit(":", 1)[1])
        self.at, self.asked, self.events = None, 0, []
        self.server = ProviderServer(self.says, port=port).__enter__()


@pytest.fixture
def mortal() -> Iterator[Mortal]:
    server = Mortal()
    yield server
    server.server.kill()


def died(session: Session, mortal: Mortal, question: str, at: tuple[int, int]) -> None:
    """Assert that a question during which the server dies has one outcome, and let it return."""
    mortal.at, mortal.asked, mortal.events = at, 0, []
    answer = session.ask(question)
    assert mortal.asked == at[0]
    assert outcome(answer) == "failed", at
    assert "\n" not in answer.reason
    # Where a specialist could not reach it, the guide still had the last word to say.
    assert re.search("cannot be reached|broke|ended", answer.reason), answer.reason
    mortal.back()


@pytest.mark.timeout(600)
def test_a_server_that_dies_at_any_event_of_any_request_leaves_one_outcome_and_a_way_on(
    opened: Open, mortal: Mortal
) -> None:
    question, session = player.QUESTIONS[1], opened(mortal.url, provider_tries=1)
    assert outcome(session.ask(question)) == "answered"
    sizes = list(mortal.events)
    assert len(sizes) == 4
    for number, size in enumerate(sizes, start=1):
        for cut in range(size):
            died(session, mortal, question, (number, cut))
            again = session.ask(question)
            assert (outcome(again), again.text) == ("answered", ANSWERS[1]), (number, cut)


@pytest.mark.timeout(600)
def test_a_server_that_dies_at_every_request_of_a_conversation_costs_no_answer_and_no_turn(
    opened: Open, mortal: Mortal
) -> None:
    session = opened(mortal.url, provider_tries=1)
    for number, question in enumerate(player.QUESTIONS, start=1):
        for request in range(1, 5 if number in player.DISPATCHED else 2):
            died(session, mortal, question, (request, number % 7))
        answer = session.ask(question)
        assert (outcome(answer), answer.text) == ("answered", ANSWERS[number - 1])
        said = [part["text"] for turn in turns(answer) for part in turn if "text" in part]
        assert [words for words in said if words in ANSWERS] == ANSWERS[: number - 1]


def turns(answer: Answer) -> list[Any]:
    """Return the turns of the first request of a run."""
    return [turn["content"] for turn in json.loads(bodies([answer])[0])["messages"]]


def test_a_command_whose_server_dies_says_so_in_one_line_and_can_be_given_again(
    soils: Path, mortal: Mortal, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ["--data", str(soils), "-m", "anthropic:m", "--base-url", mortal.url]
    words = ["ask", player.QUESTIONS[1], *at, "-l", "provider_tries=1"]
    mortal.at = (3, 4)
    assert main(words) == 1
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert mortal.url in last
    mortal.back()
    assert main(words) == 0
    assert ANSWERS[1] in capsys.readouterr().out

"""Progress: one line drawn over on a terminal, plain lines elsewhere; nothing on stdout."""

from __future__ import annotations

import io

import pytest
from conversation import session

from workbench.cli.progress import Progress
from workbench.ledger import Event
from workbench.models.scripted import Say

CLEAR = "\r\x1b[K"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def happened(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    """The events of one short run."""
    events: list[Event] = []
    folder = tmp_path_factory.mktemp("run")
    session(folder, {"guide": [Say("240")]}).ask("How many?", listener=events.append)
    return events


def drawn(stream: io.StringIO, events: list[Event]) -> str:
    seconds = iter(range(1_000))
    progress = Progress(stream, lambda: float(next(seconds)))
    for event in events:
        progress.take(event)
        progress.draw()
    progress.close()
    return stream.getvalue()


def test_a_terminal_gets_one_line_that_is_taken_away_at_the_end(happened: list[Event]) -> None:
    shown = drawn(Terminal(), happened)
    assert "guide, " in shown
    assert "tokens" in shown
    assert shown.endswith((CLEAR, "\n"))
    # Once each clearing has been carried out, the last line is empty and no other was drawn over.
    stays = [line.rpartition(CLEAR)[2] for line in shown.split("\n")]
    assert stays[-1] == ""
    assert [line.split(":")[0].split()[0] for line in stays[:-1]] == ["run", "guide"]


def test_anything_else_gets_whole_lines_without_escapes(happened: list[Event]) -> None:
    shown = drawn(io.StringIO(), happened)
    assert "\x1b" not in shown
    assert "\r" not in shown
    assert [line.split(":")[0].split()[0] for line in shown.splitlines()] == [
        "run",
        "guide",
        "guide",
    ]


def test_a_long_line_is_cut_to_the_terminal(
    happened: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "24")
    shown = drawn(Terminal(), happened)
    redrawn = [part.split("\n")[0] for part in shown.split(CLEAR)[1:]]
    said = [line for line in redrawn if " s | " in line or line.endswith(" s")]
    assert said
    assert max(map(len, said)) <= 23


def test_an_objective_cannot_steer_the_terminal() -> None:
    stream = io.StringIO()
    data = {"agent": "dataops", "objective": "count\x1b[2J", "window": 10, "usable": 8}
    Progress(stream).take(Event(1, "r", "d01", "loop_started", data, "t"))
    assert "\\u001b[2J" in stream.getvalue()

"""Replay: recorded answers by number, differences told, nothing made up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.context import block
from workbench.errors import Failed
from workbench.models.replay import ReplayModel


def body(question: str, model: str = "planner") -> str:
    blocks = [
        block.text("system", "system", "You are an agent."),
        block.make("tools", "tools", {"name": "finish"}),
        block.text("question", "user", question),
    ]
    return block.build(model, blocks, 8_000).body


@pytest.fixture
def run(tmp_path: Path) -> Path:
    for name, text in (("requests", body("Map gold")), ("responses", '{"content": [] }')):
        (tmp_path / name).mkdir()
        (tmp_path / name / "guide-r01.json").write_text(text, encoding="utf-8")
    view = {
        "model": {"provider": "offline", "name": "planner"},
        "usage": {"estimated": True},
        "loops": [{"context": {"window": 100_000}}],
    }
    (tmp_path / "run.json").write_text(json.dumps(view), encoding="utf-8")
    return tmp_path


def test_the_recorded_answer_comes_back_as_it_was(run: Path) -> None:
    model = ReplayModel(run)
    assert model.send(body("Map gold"), "guide-r01") == '{"content": [] }'
    assert model.departures == []


def test_name_and_window_are_those_of_the_recording(run: Path) -> None:
    model = ReplayModel(run)
    assert (model.provider, model.name, model.window) == ("replay", "planner", 100_000)
    assert model.estimated


def test_a_different_request_is_answered_and_told_with_its_part(run: Path) -> None:
    model = ReplayModel(run)
    assert model.send(body("Map silver"), "guide-r01")
    assert model.departures == ["guide-r01: message 1 differ"]


def test_every_part_that_differs_is_named(run: Path) -> None:
    model = ReplayModel(run)
    data = json.loads(body("Map gold", "other"))
    data["tools"] = []
    model.send(json.dumps(data), "guide-r01")
    assert model.departures == ["guide-r01: model, tools differ"]


def test_a_missing_answer_fails_in_one_line(run: Path) -> None:
    with pytest.raises(Failed, match="no recorded answer 'guide-r02'"):
        ReplayModel(run).send(body("Map gold"), "guide-r02")


@pytest.mark.parametrize("key", ["../guide-r01", "/etc/passwd", "", "a" * 99, "x/y"])
def test_a_number_that_is_a_path_is_refused(key: str, run: Path) -> None:
    with pytest.raises(Failed, match="no request number"):
        ReplayModel(run).send(body("Map gold"), key)


def test_an_answer_whose_request_is_lost_is_told(run: Path) -> None:
    (run / "requests" / "guide-r01.json").unlink()
    model = ReplayModel(run)
    model.send(body("Map gold"), "guide-r01")
    assert model.departures == ["guide-r01: its request was not recorded"]

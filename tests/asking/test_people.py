"""A child kept for one person's look at a file: started again when it ended, ended when idle."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conversation import session

from workbench.asking.people import Reader
from workbench.errors import Failed, Refused

PATIENCE = 60


class Link:
    """A connected child that fails as often as it is told to."""

    def __init__(self, fails: list[str]) -> None:
        self._fails = fails
        self.closed = threading.Event()

    def ready(self) -> dict[str, Any]:
        return {}

    def call(self, _key: str, tool: str, arguments: Mapping[str, Any], _said: object) -> object:
        if self._fails:
            raise Failed(self._fails.pop())
        if tool == "refused":
            return {"ok": False, "error": "no", "key": None}
        return {"ok": True, "reply": {"facts": {"asked": arguments["path"]}}}

    def close(self) -> None:
        self.closed.set()


def reader(folder: Path, fails: list[str], idle: float = PATIENCE) -> tuple[Reader, list[Link]]:
    """Return a reader and the children it starts."""
    started: list[Link] = []

    def start(*_: object) -> Link:
        started.append(Link(fails))
        return started[-1]

    setting = replace(session(folder, {}).setting, start_child=start)
    return Reader(setting, idle), started


def test_calls_share_one_child_until_it_is_closed(tmp_path: Path) -> None:
    one, started = reader(tmp_path, [])
    assert [one.ask("t", {"path": name})["asked"] for name in "ab"] == ["a", "b"]
    with pytest.raises(Refused, match="no"):
        one.ask("refused", {})
    assert len(started) == 1
    one.close()
    assert started[0].closed.is_set()


def test_a_child_that_ended_is_started_again_once(tmp_path: Path) -> None:
    one, started = reader(tmp_path, ["its time was up"])
    assert one.ask("t", {"path": "a"}) == {"asked": "a"}
    assert [child.closed.is_set() for child in started] == [True, False]
    one.close()
    broken, _ = reader(tmp_path, ["twice", "once"])
    with pytest.raises(Failed, match="twice"):
        broken.ask("t", {"path": "a"})
    broken.close()


def test_a_child_that_nobody_asks_is_ended(tmp_path: Path) -> None:
    one, started = reader(tmp_path, [], idle=0.01)
    one.ask("t", {"path": "a"})
    assert started[0].closed.wait(PATIENCE)
    assert one.ask("t", {"path": "b"}) == {"asked": "b"}
    one.close()

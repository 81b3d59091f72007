"""What tabs ask of something open: answered in a thread of its own, by ticket where it is slow."""

from __future__ import annotations

import threading
from typing import Any, cast

import pytest

from workbench.errors import Refused
from workbench.notebook import panel_requests
from workbench.notebook.opening import Opening
from workbench.notebook.panel_opening import MOST_OPEN, Tabs

PATIENCE = 60


class Slow:
    """Something open that answers when it is let."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.closed = threading.Event()

    def answer(self, message: dict[str, Any], _said: object) -> dict[str, Any]:
        assert self.go.wait(PATIENCE)
        return {"asked": message["ask"]}

    def close(self) -> None:
        self.closed.set()


def ask(tabs: Tabs, one: Slow, name: str, message: object) -> dict[str, Any]:
    return tabs.ask(("r", name), lambda: cast("Opening", one), message, lambda _text, _share: None)


def test_what_is_slow_is_asked_for_again_by_its_ticket() -> None:
    tabs, one = Tabs(patience=0.01), Slow()
    first = ask(tabs, one, "a", {"ask": "columns"})
    later = tabs.again(first["ticket"])
    one.go.set()
    while "ticket" in later:
        later = tabs.again(later["ticket"])
    assert later == {"value": {"asked": "columns"}}
    with pytest.raises(Refused, match="ask again"):
        tabs.again(first["ticket"])


def test_what_is_closed_or_too_many_ends() -> None:
    tabs = Tabs(PATIENCE)
    every = [Slow() for _ in range(MOST_OPEN + 2)]
    for number, one in enumerate(every):
        one.go.set()
        assert ask(tabs, one, str(number), {"ask": "open"}) == {"value": {"asked": "open"}}
    assert every[0].closed.wait(PATIENCE)
    assert every[1].closed.wait(PATIENCE)
    ask(tabs, every[5], "5", {"ask": "close"})
    assert every[5].closed.wait(PATIENCE)
    assert not every[6].closed.is_set()


def test_an_id_that_could_be_a_path_is_refused() -> None:
    opened = panel_requests.find("opened").run
    for key in ("../x", "/etc/passwd", "", None, "a b"):
        with pytest.raises(Refused, match="no id"):
            opened(cast("Any", object.__new__(_Panel)), {"run": "r", "key": key, "message": {}})


class _Panel:
    """A panel that is never looked at."""

"""Time to the first word of a reply: the SDK by itself, a model here, a whole question."""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from models.provider_server import ProviderServer, act, text

from workbench.context.block import dumps
from workbench.ledger import Event
from workbench.limits import Limits
from workbench.models import anthropic, keys
from workbench.models.hosted import HostedModel
from workbench.models.protocol import Line
from workbench.models.table import Card
from workbench.session import Session

TIMES = 20
ASKED = [{"role": "user", "content": [text("Which files are there?")]}]
BODY = {"model": "m", "max_tokens": 100, "stream": True, "messages": ASKED}


def first_token() -> Iterator[tuple[str, str]]:
    """Measure each way over the same loopback server, one after another, many times."""
    with ProviderServer([act(text("word " * 200))]) as server, _folder() as folder:
        place = keys.place(server.url, {})
        session = Session.open(folder, model="anthropic:m", base_url=server.url)
        ways = {
            "first word, the SDK by itself": lambda: _direct(place),
            "first word, a model here": lambda: _hosted(place),
            "first word, from the question on": lambda: _asked(session),
        }
        for way in ways.values():
            way()  # loads the SDK, opens the connection, asks for the window
        found: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(TIMES):
            for name, way in ways.items():
                found[name].append(way())
        anthropic.close()
    middle = {name: 1_000 * median(seconds) for name, seconds in found.items()}
    direct, hosted, _ = middle.values()
    for name, value in middle.items():
        yield name, f"{value:.1f} ms (median of {TIMES})"
    yield "a model here, more than the SDK by itself", f"{hosted - direct:+.1f} ms (goal: 20)"


def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="workbench-bench-")


def _direct(place: keys.Place) -> float:
    began = time.perf_counter()
    with anthropic.client(place).messages.stream(
        model="m",
        max_tokens=100,
        messages=ASKED,  # type: ignore[arg-type]
    ) as stream:
        for event in stream:
            if event.type == "text":
                return time.perf_counter() - began
    raise AssertionError("no word came")


def _hosted(place: keys.Place) -> float:
    heard = _Heard()
    line = Line(
        *(Limits(), threading.Event(), lambda kind, _data: heard.take(kind)),
        *(lambda *_: None, lambda *_: None),
    )
    heard.begin()
    HostedModel(Card("m", 200_000), place).over(line).send(dumps(BODY), "k")
    return heard.seconds


def _asked(session: Session) -> float:
    heard = _Heard()
    take: Callable[[Event], None] = lambda event: heard.take(event.kind)  # noqa: E731 - one line
    heard.begin()
    session.ask("Which files are there?", listener=take)
    session.reset()
    return heard.seconds


class _Heard:
    """When the first word was told."""

    def begin(self) -> None:
        self.seconds = 0.0
        self._began = time.perf_counter()

    def take(self, kind: str) -> None:
        if kind == "saying" and not self.seconds:
            self.seconds = time.perf_counter() - self._began

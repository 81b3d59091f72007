"""Probes of what holds a model that is reached over a network: tries, waits, silence.

The network is played; everything from the loop to the last try is real. Waits are counted on a
clock that does not wait, silence is waited for.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar

from workbench.check.bench import Bench, published
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.trace import Trace
from workbench.check.verdict import held, require
from workbench.context.block import PLAIN, Form
from workbench.models.flow import Flow
from workbench.models.protocol import Line
from workbench.models.retry import Clock, Trouble, carried

_UNTIL = 60
_WAIT = 20.0
_MANY = 1_000
_SECONDS = 2
_PATIENCE = 6.0


@dataclass
class _Counted:
    """A clock on which waiting takes no time."""

    at: float = 0.0
    begun: list[float] = field(default_factory=list)

    def clock(self) -> Clock:
        counted = self

        class Skipping(Clock):
            def wait(self, line: Line, seconds: float) -> bool:
                counted.at += seconds
                return line.stop.is_set()

        return Skipping(lambda: self.at, lambda: 0.5)


@dataclass(frozen=True)
class _Broken:
    """A model whose tries all come to nothing."""

    attempt: Callable[[Line], str]
    clock: Clock
    line: Line | None = None

    provider: ClassVar[str] = "scripted"
    name: ClassVar[str] = "broken"
    window: ClassVar[int] = 200_000
    estimated: ClassVar[bool] = True
    durations: ClassVar[Mapping[str, float]] = MappingProxyType({})
    form: ClassVar[Form] = PLAIN
    base: ClassVar[str] = ""

    def over(self, line: Line) -> _Broken:
        return replace(self, line=line)

    def cost(self, _usage: Mapping[str, int]) -> float | None:
        return None

    def unasked(self) -> int:
        return self.window

    def warm(self) -> None:
        return

    def send(self, _body: str, key: str) -> str:
        line = self.line
        require(line is not None, "the loop did not reach the model over a line")
        assert line is not None
        return carried(lambda _: self.attempt(line), line, key, self.clock)


def _asked(
    bench: Bench,
    attempt: Callable[[Line], str],
    clock: Clock,
    limits: Mapping[str, object],
    seconds: float = _PATIENCE,
) -> Trace:
    session = bench.session(_Broken(attempt, clock), limits)
    return bench.put(session, "ask", "dataops", seconds=seconds)


@probe("provider_tries")
def provider_tries(bench: Bench) -> Seen:
    """Let a provider be overloaded for ever, then let it refuse for good."""
    counted = _Counted()

    def overloaded(_: Line) -> str:
        counted.begun.append(counted.at)
        raise Trouble("529 overloaded_error", again=len(counted.begun) < _UNTIL)

    trace = _asked(bench, overloaded, counted.clock(), {"provider_seconds": _MANY})
    tries = len(counted.begun)
    counted.begun.clear()

    def refused(_: Line) -> str:
        counted.begun.append(counted.at)
        raise Trouble("401 authentication_error", again=False)

    _asked(bench, refused, counted.clock(), {})
    require(len(counted.begun) == 1, f"a key that was refused was sent {len(counted.begun)} times")
    detail = "a provider that stays overloaded was given up; a refused key was sent once"
    return held("provider_tries", tries, trace, detail, told=trace.reason, least=2)


@probe("provider_seconds")
def provider_seconds(bench: Bench) -> Seen:
    """Let a provider ask for twenty seconds' patience again and again."""
    counted = _Counted()

    def later(_: Line) -> str:
        counted.begun.append(counted.at)
        raise Trouble("429 rate_limit_error", again=len(counted.begun) < _UNTIL, wait=_WAIT)

    trace = _asked(bench, later, counted.clock(), {"provider_tries": _MANY})
    last = int(counted.begun[-1] - counted.begun[0])
    detail = f"a provider that asks for {_WAIT:.0f} s each time was given up; waits were shown"
    require(trace.of("waiting"), "nothing was shown of the wait")
    return held("provider_seconds", last, trace, detail, told=trace.reason, least=int(_WAIT))


@probe("provider_silence")
def provider_silence(bench: Bench) -> Seen:
    """Let a stream begin and then hang."""
    ended, took = threading.Event(), list[float]()

    def hanging() -> Iterator[str]:
        yield "begun"
        ended.wait(_PATIENCE * 2)

    def attempt(line: Line) -> str:
        began = time.monotonic()
        try:
            return "".join(Flow(hanging).pieces(line))
        finally:
            took.append(time.monotonic() - began)

    limits = {**bench.scaled("provider_silence", _SECONDS), "provider_tries": 1}
    trace = _asked(bench, attempt, Clock(), limits)
    ended.set()
    require("provider_silence" in trace.reason, f"it did not end by itself: {trace.reason}")
    detail = f"a stream that hangs was left, where {_SECONDS} s stand for "
    detail += f"{published('provider_silence')} s"
    measured = int(max(took[0] - 0.5, 0))
    seen = held("provider_silence", measured, trace, detail, told=None, most=_SECONDS)
    return Seen(f"{took[0]:.1f} s", seen.detail)

"""Probes of the window: the reserve, the warning, and what is never sent."""

from __future__ import annotations

from workbench import tokens
from workbench.check import planted
from workbench.check.bench import Bench, published
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.trace import Trace
from workbench.check.verdict import held, require
from workbench.models.scripted import Heard, Say, call, finish

# Small enough to be filled by a few readings, large enough for prompt and tools.
_WINDOW = 30_000
_NOTES = 10_000


def _share(trace: Trace, loop: str, of: int) -> list[int]:
    """Return the tokens of each request of a loop in per cent, counted anew from its bytes."""
    bodies = [body for key, body in trace.bodies.items() if key.rpartition("-r")[0] == loop]
    return [tokens.count(body) * 100 // of for body in bodies]


def _usable() -> int:
    return _WINDOW * (100 - published("window_reserve")) // 100


def _reading(bench: Bench) -> Trace:
    """Let an agent read notes until old readings are set aside or nothing more is sent."""
    name = bench.plant("notes.txt", planted.prose(_NOTES))

    def read_on(heard: Heard) -> Say:
        aside = any("set aside" in text for text in heard.results)
        return finish("read") if aside or heard.number > 15 else call("read_file", path=name)  # noqa: PLR2004 - more than fill the window

    return bench.ask("read", {"d01": read_on}, agent="dataops", window=_WINDOW)


@probe("context_full")
def context_full(bench: Bench) -> Seen:
    """Let an agent read until its window is full."""
    trace = _reading(bench)
    shares = _share(trace, "d01", _usable())
    told = next((text for text in trace.texts("d01") if "set aside" in text), "")
    require(" | full: " in told, "no old result became a pointer to the whole")
    detail = "at the limit old readings became pointers, and the run went on"
    return held("context_full", max(shares, default=0), trace, detail, told=None, least=40)


@probe("context_warn")
def context_warn(bench: Bench) -> Seen:
    """Let an agent read until it is past the warning, then end."""
    name = bench.plant("notes.txt", planted.prose(_NOTES))
    bound = _usable() * published("context_warn") // 100

    def read_on(heard: Heard) -> Say:
        past = tokens.count(heard.body) > bound
        return finish("read") if past else call("read_file", path=name)

    trace = bench.ask("read", {"d01": read_on}, agent="dataops", window=_WINDOW)
    *before, last = _share(trace, "d01", _usable())
    detail = f"the request of {last} % carried the one warning"
    return held("context_warn", max(before, default=0), trace, detail, told=None)


@probe("window_reserve")
def window_reserve(bench: Bench) -> Seen:
    """Let an agent read until its window is full, and look at what stayed free."""
    trace = _reading(bench)
    used = max(_share(trace, "d01", _WINDOW), default=0)
    most = 100 - published("window_reserve")
    detail = f"the largest request left {100 - used} % of the window free"
    return held(
        "window_reserve", used, trace, detail, told=None, most=most, least=40, names="context_full"
    )

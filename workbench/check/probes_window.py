"""Probes of the window: the reserve, the warning, and what is never sent."""

from __future__ import annotations

import json

from workbench import marker, tokens
from workbench.check import planted
from workbench.check.bench import Bench, published
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.trace import Trace
from workbench.check.verdict import held, require
from workbench.models.scripted import Heard, Say, ScriptedModel, call, finish

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


def _counting(body: str) -> int:
    """Count as a provider may: the most that is expected of one more than we do."""
    return int(tokens.count(body) * (1 + tokens.BAND))


@probe("other_counts")
def other_counts(bench: Bench) -> Seen:
    """Let an agent read for a provider that counts a quarter more, until its window is full."""
    name = bench.plant("notes.txt", planted.prose(_NOTES))

    def read_on(heard: Heard) -> Say:
        aside = any("set aside" in text for text in heard.results)
        return finish("read") if aside or heard.number > 15 else call("read_file", path=name)  # noqa: PLR2004 - more than fill the window

    model = ScriptedModel({"d01": read_on}, _WINDOW, counts=_counting)
    trace = bench.put(bench.session(model), "read", "dataops")
    bodies = {key: body for key, body in trace.bodies.items() if key.startswith("d01-")}
    told = [_counting(body) + int(json.loads(body)["max_tokens"]) for body in bodies.values()]
    most = max(told, default=0)
    require(trace.ok and len(told) > 2, f"the agent could not read: {trace.reason}")  # noqa: PLR2004 - a first and some more
    require(most <= _WINDOW, f"request and reply take {most:,} of {_WINDOW:,} tokens")
    return Seen(f"{most:,}", f"of {_WINDOW:,} tokens at most, request and reply, as they count")


@probe("never_sent")
def never_sent(bench: Bench) -> Seen:
    """Ask a question that no request of this window can hold."""
    window = 4_000
    model = ScriptedModel({"guide": [Say("noted")]}, window)
    trace = bench.put(bench.session(model), planted.prose(published("question_chars") - 100))
    require(not trace.bodies, f"{len(trace.bodies)} requests that cannot fit were sent")
    require("was not sent" in trace.reason, f"the reason does not say so: {trace.reason}")
    return Seen("0", f"requests were sent of a question too long for {window:,} tokens")


@probe("earlier_turns")
def earlier_turns(bench: Bench) -> Seen:
    """Talk for longer than the window holds; look for the first turn where it was kept."""
    first = planted.canary(1)
    said = planted.prose(3_500)
    model = ScriptedModel({"guide": lambda heard: Say(f"{said} {heard.number}")}, 12_000)
    session = bench.session(model)
    bench.put(session, f"What of {first}? {planted.prose(400)}")
    for number in range(2, 16):
        trace = bench.put(session, f"And of number {number}?")
        require(trace.ok, f"the conversation ended at turn {number}: {trace.reason}")
    told = trace.texts("guide")[0]
    marks = [mark for mark in marker.parse(told) if mark.unit == "turns"]
    require(marks, "the oldest turns are not told as a summary with a marker")
    kept = (trace.folder / "full" / f"{marks[0].full}.txt").read_text(encoding="utf-8")
    require(first in kept, "the whole of the oldest turns is not kept")
    require(said in kept, "an answer of the oldest turns is not kept whole")
    detail = f"turns were told in {len(told):,} characters; all of them are kept and can be read"
    return Seen(f"{marks[0].left}", detail)


@probe("history_stays")
def history_stays(bench: Bench) -> Seen:
    """Fill an orchestrator's window after a dispatch; look for the dispatch in its last request."""
    name = bench.plant("notes.txt", planted.prose(_NOTES))
    objective = f"look for {planted.canary(7)}"
    send = call("dispatch", agent="dataops", objective=objective)

    def read_on(heard: Heard) -> Say:
        aside = any("set aside" in text for text in heard.results)
        if heard.number == 1:
            return send
        return finish("read") if aside or heard.number > 15 else call("read_file", path=name)  # noqa: PLR2004 - more than fill the window

    model = ScriptedModel({"orchestrator": read_on, "d01": [finish("found nothing")]}, _WINDOW)
    trace = bench.put(bench.session(model), "read", "orchestrator")
    require(trace.ok, f"the run failed: {trace.reason}")
    require(trace.hits("context_full"), "the window was never full: the attack proves nothing")
    last = trace.requests("orchestrator")[-1]
    told = "\n".join(part["text"] for part in last["system"])
    require(planted.canaries(told) == {7}, "the history paragraph is gone from a full window")
    return Seen("1", "dispatch is still told to an orchestrator whose old results were set aside")

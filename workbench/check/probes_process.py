"""Probes of one child and of the ledger: time, silence, memory, threads, lines, events."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from workbench.check import planted
from workbench.check.bench import Bench, StartChild, published
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.standin import Wire, beating, silent, starts
from workbench.check.trace import Trace
from workbench.check.verdict import held, require
from workbench.ledger import Event
from workbench.models.scripted import Say, call, finish

# What stands for the published value of rows that are too large to wait for or to fill.
_SECONDS = 2
_PATIENCE = 4.5
_BYTES = 800_000_000
_MANY = 1_000_000
# A thread that used the processor for less than this in half a second does not compute.
_TICKS = 5
_HARD = "SELECT max(md5(repeat(md5(CAST(V AS VARCHAR)), 400))) AS n FROM many"
_CROSS = "SELECT count(*) AS n FROM range(400000) a, range(400000) b WHERE (a.range*b.range)%7=3"
_HUGE = "SELECT length(string_agg(repeat('x', 1000), '')) AS n FROM range(600000)"


def _sql(query: str, name: str) -> Say:
    return call("sql", query=query, paths=[name])


def _timed(bench: Bench, key: str, start: StartChild) -> tuple[Trace, float]:
    """Let an agent make a call that never ends; return the run and the seconds it took."""
    name = bench.plant("assays.csv", planted.table(5))
    trace = bench.ask(
        "wait",
        {"d01": [_sql(_CROSS, name), finish("went on")]},
        agent="analytics",
        limits=bench.scaled(key, _SECONDS),
        seconds=_PATIENCE,
        start=start,
    )
    work = next((event for event in trace.events if event.kind == "tool_call"), None)
    require(work is not None, f"the call was not made: {trace.reason}")
    return trace, trace.seconds


def _seconds(key: str, trace: Trace, seconds: float, detail: str, told: str) -> Seen:
    """Judge a time; half a second is allowed for stopping."""
    measured = int(max(seconds - 0.5, 0))
    require(told and "stopped by the analyst" not in told, f"it did not end by itself: {told}")
    seen = held(key, measured, trace, detail, told=None, most=_SECONDS)
    return Seen(f"{seconds:.1f} s", seen.detail)


@probe("query_seconds")
def query_seconds(bench: Bench) -> Seen:
    """Run a cross join that never ends, then another query."""
    name = bench.plant("assays.csv", planted.table(5))
    script = [_sql(_CROSS, name), _sql("SELECT 41 + 1 AS answer", name), finish("went on")]
    trace = bench.ask(
        "wait",
        {"d01": script},
        agent="analytics",
        limits=bench.scaled("query_seconds", _SECONDS),
        seconds=_PATIENCE * 2,
    )
    texts = trace.texts("d01")
    took = next((data["seconds"] for data in trace.of("tool_done")), 99.0)
    require(len(texts) > 2 and "42" in texts[2], f"the connection was of no use after: {texts[2:]}")  # noqa: PLR2004 - question, then two answers
    detail = f"where {_SECONDS} s stand for {published('query_seconds')} s; the next query worked"
    return _seconds("query_seconds", trace, took, detail, texts[1])


@probe("child_seconds")
def child_seconds(bench: Bench) -> Seen:
    """Let a child work and show signs of life for ever."""
    trace, took = _timed(bench, "child_seconds", starts(beating))
    detail = f"where {_SECONDS} s stand for {published('child_seconds')} s"
    return _seconds("child_seconds", trace, took, detail, trace.reason)


@probe("child_silence")
def child_silence(bench: Bench) -> Seen:
    """Let a child fall silent in the middle of a call."""
    trace, took = _timed(bench, "child_silence", starts(silent))
    detail = f"where {_SECONDS} s stand for {published('child_silence')} s"
    return _seconds("child_silence", trace, took, detail, trace.reason)


@probe("child_memory")
def child_memory(bench: Bench) -> Seen:
    """Let a query build a value of 2 GB, and look at what the system allows the child."""
    name = bench.plant("assays.csv", planted.table(5))
    seen: list[int] = []
    start = _noting(bench, lambda pid: seen.append(_allowed(pid)))
    limits = bench.scaled("child_memory", _BYTES)
    trace = bench.ask(
        "fill",
        {"d01": [_sql(_HUGE, name), finish("went on")]},
        agent="analytics",
        limits=limits,
        start=start,
    )
    texts = trace.texts("d01")
    told = texts[1] if len(texts) > 1 else trace.reason
    detail = f"bytes allowed, where {_BYTES:,} stand for {published('child_memory'):,}"
    measured = max(seen, default=0)
    return held("child_memory", measured, trace, detail, told=told, most=_BYTES, least=1)


def _noting(bench: Bench, note: Callable[[int], object]) -> StartChild:
    """Return what starts a child and hands on its process number as soon as it is ready."""

    def start(*arguments: object) -> object:
        link = bench.start_child(*arguments)
        ready = link.ready

        def noted() -> Mapping[str, Any]:
            message: Mapping[str, Any] = ready()
            note(int(message["pid"]))
            return message

        link.ready = noted
        return link

    return start


def _allowed(pid: int) -> int:
    """Return the bytes of private memory that the system allows a process."""
    import resource

    return resource.prlimit(pid, resource.RLIMIT_DATA)[1]


@probe("child_threads")
def child_threads(bench: Bench) -> Seen:
    """Let a query compute over a table of a million rows, and count the threads at work."""
    name = bench.plant("many.csv", "V\n" + "".join(f"{row % 97}\n" for row in range(_MANY)))
    pids: list[int] = []
    busy: list[int] = []

    def watch(event: Event) -> None:
        if event.kind == "tool_call" and event.data["tool"] == "sql":
            threading.Thread(target=_count_busy, args=(pids, busy), daemon=True).start()

    script = [call("describe_table", path=name), _sql(_HARD, name), finish("went on")]
    trace = bench.ask(
        "compute",
        {"d01": script},
        agent="analytics",
        limits={"query_seconds": 3},
        start=_noting(bench, pids.append),
        listener=watch,
    )
    if not Path("/proc/self/task").is_dir():
        return Seen("", "not measured: this system does not show the threads of a process")
    detail = "threads at work at once on a million rows"
    measured = max(busy, default=0)
    return held("child_threads", measured, trace, detail, told=None, least=1, names=None)


def _count_busy(pids: list[int], busy: list[int]) -> None:
    """Sample which threads of a child have used the processor since, until the child has ended.

    Counted from the start of the call, not between samples: on one processor threads take turns.
    """
    with contextlib.suppress(OSError, IndexError):
        before = _ticks(pids[-1])
        while True:
            time.sleep(0.5)
            now = _ticks(pids[-1])
            busy.append(sum(now[thread] - before.get(thread, 0) >= _TICKS for thread in now))


def _ticks(pid: int) -> dict[str, int]:
    """Return the processor time of each thread of a process, in hundredths of a second."""
    found = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        fields = (task / "stat").read_text().rpartition(")")[2].split()
        found[task.name] = int(fields[11]) + int(fields[12])
    return found


@probe("child_line")
def child_line(bench: Bench) -> Seen:
    """Let a child send one line that is longer than a line may be, in pieces, without an end."""
    sent = [0]

    def endless(wire: Wire) -> None:
        wire.ready()
        next(wire.calls())
        for _ in range(40):
            wire.send(b"x" * 65_536)
            sent[0] += 65_536
            time.sleep(0.001)

    trace = bench.ask(
        "talk", {"d01": [call("list_files"), finish("-")]}, agent="dataops", start=starts(endless)
    )
    pipe = 2 * 65_536  # what the pipe and one read hold before anybody can object
    detail = "bytes of an endless line were taken, then the child was ended"
    measured = max(sent[0] - pipe, 0)
    require("protocol" in trace.reason, f"it was not ended for its line: {trace.reason}")
    return held("child_line", measured, trace, detail, told=None, least=1)


@probe("event_bytes")
def event_bytes(bench: Bench) -> Seen:
    """Put a megabyte into the arguments of a call and a long text into everything else."""
    arguments = {"folder": planted.prose(200_000), "x" * 5_000: ["y" * 3_000] * 400}
    scripts = {"d01": [Say(calls=(("list_files", arguments),)), finish("-")]}
    trace = bench.ask(planted.prose(9_000), scripts, agent="dataops")
    lines = (trace.folder / "events.jsonl").read_bytes().splitlines(keepends=True)
    longest = max(len(line) for line in lines)
    cut = [event for event in trace.events if event.data.get("event_cut")]
    require(cut, "no event says that it was cut")
    detail = "bytes of the longest event, after arguments of 1 MB; the cut is marked in it"
    return held("event_bytes", longest, trace, detail, told=None, least=1)

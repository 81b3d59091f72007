"""Probes of what may be loaded and what may be written: sizes, bombs, endless results."""

from __future__ import annotations

import math

from workbench.check import planted
from workbench.check.bench import Bench, published
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.trace import Trace
from workbench.check.verdict import held, require

# What stands for the published values, which are too large to be planted.
_LOAD = 200_000
_LOOK = 50_000
_PACKED = 2_000_000
_ROWS = 10_000
_BYTES = 500_000


def _size(trace: Trace) -> int:
    """Return the bytes of the largest result file of a run."""
    made = [data["bytes"] for data in trace.of("artefact")]
    return max(made, default=0)


@probe("load_bytes")
def load_bytes(bench: Bench) -> Seen:
    """Load a table just below the size, and one above it."""
    limits = bench.scaled("load_bytes", _LOAD)
    small = planted.table(_LOAD // 40)[:_LOAD].rpartition("\n")[0] + "\n"
    large = planted.table(_LOAD // 10)
    loaded = 0
    for name, text in (("small.csv", small), ("large.csv", large)):
        path = bench.plant(name, text)
        trace = bench.call_as(None, "describe_table", {"path": path}, limits=limits)
        loaded = max(loaded, len(text) if trace.ok else 0)
    detail = f"bytes loaded, where {_LOAD:,} stand for {published('load_bytes'):,}"
    return held("load_bytes", loaded, trace, detail, told=trace.text, most=_LOAD, least=1)


@probe("look_bytes")
def look_bytes(bench: Bench) -> Seen:
    """Look at a table just below the size, and at one ten times as large."""
    limits = bench.scaled("look_bytes", _LOOK)
    small = planted.table(_LOOK // 20)[:_LOOK].rpartition("\n")[0] + "\n"
    read = 0
    for name, text in (("small.csv", small), ("large.csv", planted.table(_LOOK))):
        path = bench.plant(name, text)
        trace = bench.call_as(None, "describe_table", {"path": path}, limits=limits)
        taken = [data["bytes"] for data in trace.of("first_lines")]
        read = max(read, *(taken or [len(text)]))
    detail = f"bytes read for a look, where {_LOOK:,} stand for {published('look_bytes'):,}"
    return held("look_bytes", read, trace, detail, told=trace.text, most=_LOOK, least=1)


@probe("inflate_ratio")
def inflate_ratio(bench: Bench) -> Seen:
    """Open a workbook that grows a little less than is allowed, and one that is a bomb."""
    most = published("inflate_ratio")
    pad = 0
    while planted.growth(planted.workbook(b" " * (pad + 5_000))) < most:
        pad += 5_000
    opened = 0
    for data in (planted.workbook(b" " * pad), planted.workbook(b" " * 5_000_000)):
        trace = bench.call("describe_table", path=bench.plant("book.xlsx", data))
        opened = max(opened, math.ceil(planted.growth(data)) if trace.ok else 0)
    detail = f"times a workbook grew that was opened; one that grows {planted.growth(data):,.0f}"
    told = trace.text
    return held("inflate_ratio", opened, trace, f"{detail} times was not", told=told, least=1)


@probe("inflate_bytes")
def inflate_bytes(bench: Bench) -> Seen:
    """Open a workbook of a little less than may be unpacked, and one of twice the size."""
    limits = bench.scaled("inflate_bytes", _PACKED)
    opened = 0
    for size in (_PACKED * 9 // 10, _PACKED * 2):
        path = bench.plant("book.xlsx", planted.workbook(planted.noise(size)))
        trace = bench.call_as(None, "describe_table", {"path": path}, limits=limits)
        opened = max(opened, size if trace.ok else 0)
    detail = f"bytes opened, where {_PACKED:,} stand for {published('inflate_bytes'):,}"
    return held("inflate_bytes", opened, trace, detail, told=trace.text, most=_PACKED, least=1)


@probe("artefact_rows")
def artefact_rows(bench: Bench) -> Seen:
    """Let queries make just the rows a result may hold, and ten times as many."""
    kept = _made(bench, "artefact_rows", _ROWS, "SELECT range AS n FROM range(10000)")
    trace = _made(bench, "artefact_rows", _ROWS, "SELECT range AS n FROM range(100000)")
    rows = [data["rows"] or 0 for one in (kept, trace) for data in one.of("artefact")]
    detail = f"rows kept, where {_ROWS:,} stand for {published('artefact_rows'):,}"
    measured = max(rows, default=0)
    told = trace.text
    return held("artefact_rows", measured, trace, detail, told=told, most=_ROWS, least=1)


@probe("artefact_bytes")
def artefact_bytes(bench: Bench) -> Seen:
    """Let queries make results of less than the size a file may have, and of ten times that."""
    kept = _made(bench, "artefact_bytes", _BYTES, "SELECT repeat('x', 900) AS t FROM range(500)")
    trace = _made(bench, "artefact_bytes", _BYTES, "SELECT repeat('x', 900) AS t FROM range(5000)")
    detail = f"bytes kept, where {_BYTES:,} stand for {published('artefact_bytes'):,}"
    measured = max(_size(kept), _size(trace))
    told = trace.text
    return held("artefact_bytes", measured, trace, detail, told=told, most=_BYTES, least=1)


def _made(bench: Bench, key: str, small: int, query: str) -> Trace:
    name = bench.plant("assays.csv", planted.table(5))
    trace = bench.call_as(
        None, "sql", {"query": query, "paths": [name]}, limits=bench.scaled(key, small)
    )
    left = [path.name for path in trace.folder.glob("*.part")]
    require(not left, f"a half result was left: {left}")
    return trace

"""Probes of what may be loaded and what may be written: sizes, bombs, endless results."""

from __future__ import annotations

from workbench.check import planted
from workbench.check.bench import Bench, published
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.trace import Trace
from workbench.check.verdict import held, require

# What stands for the published values, which are too large to be planted.
_LOAD = 200_000
_PACKED = 2_000_000
_ROWS = 10_000
_BYTES = 500_000
# Ten times as many rows, and ten times as many bytes.
_LONG = "SELECT range AS n FROM range(100000)"
_WIDE = "SELECT repeat('x', 1000) AS t, range AS n FROM range(5000)"


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


@probe("inflate_ratio")
def inflate_ratio(bench: Bench) -> Seen:
    """Open a workbook that grows a thousand times."""
    data = planted.packed("xl/worksheets/sheet1.xml", 5_000_000)
    trace = bench.call("describe_table", path=bench.plant("bomb.xlsx", data))
    require(not trace.ok, "a packed file that grows beyond the limit was opened")
    detail = f"a workbook of {len(data):,} bytes that grows {5_000_000 // len(data)} times"
    return held("inflate_ratio", 0, trace, detail, told=trace.text)


@probe("inflate_bytes")
def inflate_bytes(bench: Bench) -> Seen:
    """Open a workbook of a legal ratio that is too large once unpacked."""
    data = planted.packed("xl/worksheets/sheet1.xml", _PACKED * 2)
    limits = bench.scaled("inflate_bytes", _PACKED) | {"inflate_ratio": 1_000_000}
    trace = bench.call_as(
        None, "describe_table", {"path": bench.plant("bomb.xlsx", data)}, limits=limits
    )
    require(not trace.ok, "a packed file beyond the limit was opened")
    detail = f"{_PACKED * 2:,} bytes, where {_PACKED:,} stand for {published('inflate_bytes'):,}"
    return held("inflate_bytes", 0, trace, detail, told=trace.text)


@probe("artefact_rows")
def artefact_rows(bench: Bench) -> Seen:
    """Let a query make ten times the rows a result may hold."""
    trace = _made(bench, "artefact_rows", _ROWS, _LONG)
    rows = [data["rows"] or 0 for data in trace.of("artefact")]
    detail = f"rows kept, where {_ROWS:,} stand for {published('artefact_rows'):,}"
    measured = max(rows, default=0)
    return held("artefact_rows", measured, trace, detail, told=trace.text, most=_ROWS)


@probe("artefact_bytes")
def artefact_bytes(bench: Bench) -> Seen:
    """Let a query make results of ten times the size a file may have."""
    trace = _made(bench, "artefact_bytes", _BYTES, _WIDE)
    detail = f"bytes kept, where {_BYTES:,} stand for {published('artefact_bytes'):,}"
    return held("artefact_bytes", _size(trace), trace, detail, told=trace.text, most=_BYTES)


def _made(bench: Bench, key: str, small: int, query: str) -> Trace:
    name = bench.plant("assays.csv", planted.table(5))
    trace = bench.call_as(
        None, "sql", {"query": query, "paths": [name]}, limits=bench.scaled(key, small)
    )
    left = [path.name for path in trace.folder.glob("*.part")]
    require(not left, f"a half result was left: {left}")
    return trace

"""Probes of what a reading may show: data files, settings, long texts, long lines, listings."""

from __future__ import annotations

import math

from workbench import tokens
from workbench.check import planted
from workbench.check.bench import Bench, published
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.trace import Trace
from workbench.check.verdict import held, recorded, require

_WINDOW = 200_000


def _lines(trace: Trace) -> int:
    """Return how many lines of a planted table stand in an answer, its header included."""
    return len(planted.canaries(trace.text)) + ("SampleID," in trace.text)


def weight(text: str) -> int:
    """Return the tokens of a text by the stricter of 3 characters a token and the count."""
    return max(tokens.count(text), math.ceil(len(text) / 3))


@probe("data_file_lines")
def data_file_lines(bench: Bench) -> Seen:
    """Read a table of just so many lines, and one that is a line longer."""
    most = published("data_file_lines")
    fits = bench.call("read_file", path=bench.plant("short.csv", planted.table(most - 1)))
    longer = bench.call("read_file", path=bench.plant("long.csv", planted.table(most)))
    measured = max(_lines(fits), _lines(longer))
    detail = f"{most} lines are shown whole, of {most + 1} lines {_lines(longer)}"
    return held("data_file_lines", measured, longer, detail, told=longer.text, least=1)


@probe("data_file_head")
def data_file_head(bench: Bench) -> Seen:
    """Read long tables under honest and dishonest names."""
    shown = 0
    rows = planted.table(240)
    for name in ("assays.csv", "notes.txt", "report.md", "assays"):
        trace = bench.call("read_file", path=bench.plant(name, rows))
        shown = max(shown, _lines(trace))
        require("241" in trace.text, f"{name}: its line count is not told")
    detail = "of 241 lines, whatever the file is called"
    return held("data_file_head", shown, trace, detail, told=trace.text, least=1)


@probe("json_exempt_bytes")
def json_exempt_bytes(bench: Bench) -> Seen:
    """Read settings of just the exempt size, settings a byte larger, and small records."""
    most = published("json_exempt_bytes")
    shown = {}
    for size in (most - 1, most):
        path = bench.plant(f"settings-{size}.json", planted.settings(size))
        trace = bench.call_as(None, "read_file", {"path": path}, window=_WINDOW * 2)
        shown[size] = trace.text.count("setting number")
    records = ",\n".join(f'{{"id": "{planted.canary(row)}"}}' for row in range(200))
    listed = bench.call("read_file", path=bench.plant("records.json", f"[\n{records}\n]"))
    head = published("data_file_head")
    require(len(planted.canaries(listed.text)) <= head, "small records were read as settings")
    detail = "settings below it are read as text, a byte more as data, records always"
    measured = max((size for size, lines in shown.items() if lines > head), default=0)
    return held("json_exempt_bytes", measured, trace, detail, told=trace.text, least=1)


@probe("line_chars")
def line_chars(bench: Bench) -> Seen:
    """Read a note with one line of 20,000 characters."""
    long = planted.prose(20_000).replace("\n", " ")
    name = bench.plant("note.txt", f"{planted.prose(300)}\n{long}\n{planted.prose(300)}")
    trace = bench.call("read_file", path=name)
    longest = max(len(line) for line in trace.text.splitlines())
    detail = "of a line of 20,000 characters; the rest of the text is there"
    return held("line_chars", longest, trace, detail, told=trace.text, least=1)


@probe("read_share")
def read_share(bench: Bench) -> Seen:
    """Read a long report of words, and one of numbers in sentences."""
    words = planted.prose(200_000)
    filling = planted.prose(90)
    numbers = "".join(
        f"Line {row} at {row * 37 % 991}.{row % 10} m, then {row * 91 % 877}.5.\n{filling}\n"
        for row in range(2_000)
    )
    usable = _WINDOW * (100 - published("window_reserve")) // 100
    used = 0
    for name, text in (("numbers.txt", numbers), ("words.txt", words)):
        trace = bench.call_as(None, "read_file", {"path": bench.plant(name, text)}, window=_WINDOW)
        used = max(used, weight(trace.text))
        recorded("read_share", trace)
    measured = math.ceil(used * 100 / usable)
    detail = f"{used:,} tokens; of words {len(trace.text):,} characters"
    return held("read_share", measured, trace, detail, told=trace.text, least=1)


@probe("list_entries")
def list_entries(bench: Bench) -> Seen:
    """List a folder of more files than a listing names."""
    there = published("list_entries") + 100
    for number in range(there):
        bench.plant(f"hole-{number:04d}.txt", "")
    trace = bench.call("list_files")
    shown = trace.text.count("hole-")
    require(f"files: {there}" in trace.text, "how many there are is not told")
    detail = f"of {there} files"
    return held("list_entries", shown, trace, detail, told=trace.text, least=1)


@probe("range_chars")
def range_chars(bench: Bench) -> Seen:
    """Ask for four times the range that may be shown."""
    name = bench.plant("notes.txt", planted.prose(60_000))
    trace = bench.call("read_range", id=name, offset=100, limit=20_000)
    detail = "of 20,000 characters asked for"
    return held("range_chars", len(trace.text), trace, detail, told=trace.text, least=1)


@probe("search_hits")
def search_hits(bench: Bench) -> Seen:
    """Search for a word that stands in every third sentence."""
    name = bench.plant("notes.txt", planted.prose(30_000, "galena"))
    trace = bench.call("search_text", id=name, pattern="galena")
    hits = trace.text.count("start_index")
    require("total: " in trace.text, "the total is not told")
    detail = f"of {trace.text.partition('total: ')[2].splitlines()[0]} places"
    return held("search_hits", hits, trace, detail, told=trace.text, least=1)


@probe("search_context")
def search_context(bench: Bench) -> Seen:
    """Search in one long line and measure what stands round the hit."""
    text = f"{planted.prose(900)} galena {planted.prose(900)}".replace("\n", " ")
    trace = bench.call("search_text", id=bench.plant("notes.txt", text), pattern="galena")
    before, _, after = trace.text.partition('"context": "')[2].partition("galena")
    measured = max(len(before), len(after.partition('"')[0]))
    detail = "characters on the longer side of a hit"
    return held("search_context", measured, trace, detail, told=None, least=1, names=None)

"""Probes of scripts and commands: time, output, processes, ways out, printed tables, what is left.

Each is a real script or a real command in the sandbox that this machine has. Where it has none,
the probe says so and shows that scripts are refused.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable
from pathlib import Path

from workbench import marker
from workbench.check import planted
from workbench.check.bench import Bench, published
from workbench.check.escapes import ESCAPES, script
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.trace import Trace
from workbench.check.verdict import held, recorded, require
from workbench.models.scripted import Say, call, finish
from workbench.walls import engines

_SECONDS, _TICK = 2, 0.2
_LONG = "line {} of what a program tells of its work"
# How long something may take to be gone after the run has ended.
_GONE_SECONDS = 20.0
_HELD_UP = 120.0

Probed = Callable[[Bench], Seen]


def _with_engine(attack: Probed) -> Probed:
    """Attack where there is a sandbox; elsewhere show that nothing is run."""

    @functools.wraps(attack)
    def probed(bench: Bench) -> Seen:
        if engines.found(engines.left_out()) is not None:
            return attack(bench)
        trace = bench.call("run_command", line="echo it ran")
        require(not trace.ok, "a command ran although there is no sandbox")
        return Seen("", "no sandbox on this machine: scripts and commands are refused")

    return probed


def _worked(bench: Bench, *said: Say, limits: dict[str, object] | None = None) -> Trace:
    """Let the specialist make its calls one by one, and end."""
    replies = [*said, finish("done")]
    trace = bench.ask("work", {"d01": replies}, agent="extended", limits=limits, seconds=_HELD_UP)
    require(trace.ok, f"the dispatch did not end well: {trace.reason}")
    return trace


def _output(trace: Trace, number: int = 1) -> list[str]:
    """Return the lines of one answer that the program wrote."""
    return [line for line in trace.texts("d01")[number].split("\n") if "of what a program" in line]


def _lines(count: int, more: str = "") -> Say:
    code = f"for i in range({count}):\n    print({_LONG!r}.format(i) + {more!r})\n"
    return call("run_script", code=code)


@probe("command_seconds")
@_with_engine
def command_seconds(bench: Bench) -> Seen:
    """Let a command tell the time for ever, and look for it when the dispatch is over."""
    sign = f"9{os.getpid()}{time.monotonic_ns() % 10**9}"
    turn = f"i=$((i+1)); echo it has turned $i times by now; sleep {_TICK}"
    line = f"sleep {sign} & i=0; while true; do {turn}; done"
    trace = _worked(
        bench, call("run_command", line=line), limits=bench.scaled("command_seconds", _SECONDS)
    )
    text = trace.texts("d01")[1]
    require("detached" in text, f"it was not detached: {text[:200]}")
    ticks = text.count("it has turned")
    require(_ends(sign), "what it started was still there when the dispatch was over")
    recorded("command_seconds", trace)
    seconds = int(ticks * _TICK)
    require(seconds <= _SECONDS, f"it was waited for {seconds} s")
    detail = f"{ticks} turns in {_SECONDS} s, which stand for {published('command_seconds')} s"
    return Seen(f"{seconds} s", f"{detail}; detached, then ended with the dispatch")


def _ends(sign: str) -> bool:
    """Tell whether no process bears a sign on its command line any more."""
    limit = time.monotonic() + _GONE_SECONDS
    while time.monotonic() < limit:
        if not any(sign in line for line in _command_lines()):
            return True
        time.sleep(0.05)
    return False


def _command_lines() -> list[str]:
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(place.read_bytes().decode("utf-8", "replace"))
        except OSError:
            continue
    return found


@probe("command_lines")
@_with_engine
def command_lines(bench: Bench) -> Seen:
    """Let a script and a command write more lines than come back."""
    line = f"i=0; while [ $i -lt 800 ]; do echo {_LONG.format('$i')}; i=$((i+1)); done"
    trace = _worked(bench, call("run_command", line=line))
    other = _worked(bench, _lines(800))
    shown = max(len(_output(trace)), len(_output(other)))
    text = trace.texts("d01")[1]
    require(_LONG.format(0) in text, "its first line is not in view")
    require(_LONG.format(799) in text, "its last line is not in view")
    recorded("command_lines", other)
    return held("command_lines", shown, trace, "of 800 lines", told=text, least=400)


@probe("command_spill_lines")
@_with_engine
def command_spill_lines(bench: Bench) -> Seen:
    """Write one line too many, and find the whole of it in the log."""
    most = min(bench.limits["command_spill_lines"].number, 2 * published("command_spill_lines"))
    trace = _worked(bench, _lines(most), _lines(most + 1))
    texts = trace.texts("d01")
    require(len(_output(trace)) > len(_output(trace, 2)), "one line more is cut no shorter")
    log = next((mark.full for mark in marker.parse(texts[2])), "")
    whole = (trace.folder / "full" / f"{log}.txt").read_text(encoding="utf-8").splitlines()
    require(len(whole) == most + 1, f"the log has {len(whole)} lines")
    return held("command_spill_lines", most, trace, "and no more before a log", told=texts[2])


@probe("command_spill_bytes")
@_with_engine
def command_spill_bytes(bench: Bench) -> Seen:
    """Write few lines, but long ones."""
    most = min(bench.limits["command_spill_bytes"].number, 2 * published("command_spill_bytes"))
    trace = _worked(bench, _lines(400, " " + "and so on " * (most // 3_900)))
    text = trace.texts("d01")[1]
    shown = len("\n".join(_output(trace)).encode())
    return held("command_spill_bytes", shown, trace, "bytes in view", told=text, least=1_000)


@probe("command_spill_keep")
@_with_engine
def command_spill_keep(bench: Bench) -> Seen:
    """Count the lines on either side of the marker."""
    trace = _worked(bench, _lines(published("command_spill_lines") * 2))
    text = trace.texts("d01")[1]
    before, mark, after = text.partition("[... truncated:")
    require(mark, "nothing was left out")
    shown = max(part.count("of what a program") for part in (before, after))
    return held("command_spill_keep", shown, trace, "on either side", told=text, least=50)


_COPIES = """
import os, time
open("tmp/copies", "w").close()
for _ in range({tries}):
    try:
        new = os.fork()
    except OSError:
        break
    if new == 0:
        os.setsid()
        time.sleep(100)
        os._exit(0)
    with open("tmp/copies", "a") as file:
        file.write("x")
    time.sleep({pause})
"""


@probe("script_processes")
@_with_engine
def script_processes(bench: Bench) -> Seen:
    """Let a script copy itself into sessions of its own, and count the copies."""
    engine = engines.found(engines.left_out())
    assert engine is not None
    # Where the copies are counted by looking on, they come no faster than the looks.
    pause = 0 if "processes" in engine.walls else 0.15
    most = bench.limits["script_processes"].number
    code = _COPIES.format(tries=most * 3, pause=pause)
    count = call("run_command", line="wc -c < tmp/copies")
    trace = _worked(bench, call("run_script", code=code, seconds=100), count)
    copies = int(trace.texts("d01")[2].split()[-1])
    return held(
        "script_processes",
        copies + 1,
        trace,
        f"copies and the script itself; engine {engine.name}",
        told=None,
        least=most // 2,
        names=None,
    )


@probe("script_escapes")
@_with_engine
def script_escapes(bench: Bench) -> Seen:
    """Try every known way out, with data, records and a secret that are really there."""
    name = bench.plant("assays.csv", planted.table(30))
    old = bench.ask("old", {"d01": [finish("seen")]}, agent="dataops").folder
    made = bench.call("filter_rows", path=name, expression="`V1_ppm` >= 0")
    secret = bench.folder / "secret.txt"
    secret.write_text("nobody's business")
    result = next(made.folder.glob("*.csv"))
    places = {
        "data": str(bench.data / name),
        "records": str(old),
        "snapshots": str(old.parent / "_snapshots"),
        "snapshot": str(next((old.parent / "_snapshots").glob("*.parquet"))),
        "result": str(result),
        "secret": str(secret),
        "key": os.environ.get("ANTHROPIC_API_KEY", "no-key-is-set-here"),
    }
    before = (bench.fingerprint(), result.read_bytes())
    attack = call("run_script", code=script(places), seconds=100)
    trace = _worked(bench, attack, call("run_command", line="cat tmp/tries"))
    said = [line for line in trace.texts("d01")[2].splitlines() if ": " in line]
    came = {name: outcome for name, _, outcome in (line.partition(": ") for line in said)}
    missing = set(ESCAPES) - set(came)
    require(not missing, f"not tried: {', '.join(sorted(missing))}")
    ways = [f"{way} ({came[way]})" for way in ESCAPES if not came[way].startswith("refused")]
    require(not ways, f"open: {'; '.join(ways)}")
    require(before == (bench.fingerprint(), result.read_bytes()), "data or results were changed")
    levels = [f"{data['engine']}, {data['level']}" for data in trace.of("sandbox")]
    return Seen("0", f"{len(ESCAPES)} ways out tried, all refused ({', '.join(levels)})")


@probe("printed_tables")
@_with_engine
def printed_tables(bench: Bench) -> Seen:
    """Print a data frame in every way there is; it becomes a file, and no row of it is shown."""
    name = bench.plant("assays.csv", planted.table(60))
    code = f"import pandas as pd\nd = pd.read_csv('data/{name}')\n"
    prints = [f"print('and now in another way')\nprint({way})\n" for way in _WAYS]
    inside = f"{code}print('===RESULT===')\nprint(d.to_string())\nprint('===END_RESULT===')"
    scripts = [call("run_script", code=text) for text in (code + "".join(prints), inside)]
    trace = _worked(bench, *scripts, call("run_command", line=f"cat data/{name}"))
    texts = trace.texts("d01")[1:]
    rows = max(len(planted.canaries(text)) for text in texts)
    kept = [data for data in trace.of("artefact") if "_printed" in data["path"]]
    require(len(kept) >= len(_WAYS), f"only {len(kept)} of the tables were kept as files")
    marks = [mark for text in texts for mark in marker.parse(text)]
    require(len(marks) == len(kept), "a table went without a marker, or a marker without a table")
    most = published("preview_rows")
    require(rows <= most, f"{rows} rows came with one answer, at most {most} may")
    return Seen(f"{rows}", f"rows shown of 60, printed in {len(_WAYS) + 2} ways")


_WAYS = (
    *("d.to_string()", "d", "d.to_csv()", "d.to_json()", "d.values.tolist()"),
    *("d.describe()", "d.to_html()", "d.to_dict('records')", "list(d.SampleID)"),
)


@probe("packages")
@_with_engine
def packages(bench: Bench) -> Seen:
    """Ask for packages by every tongue; nothing is installed, and the analyst is told."""
    pip = "pip install"
    tries = (f"{pip} laspy", f"python3 -m {pip} geopandas==1.0", f"uv {pip} rasterio")
    missing = call("run_script", code="import a_package_of_nobody")
    trace = _worked(bench, *(call("run_command", line=line) for line in tries), missing)
    asked = {data["name"] for data in trace.of("package")}
    wanted = {"laspy", "geopandas==1.0", "rasterio", "a_package_of_nobody"}
    require(wanted <= asked, f"not told: {', '.join(sorted(wanted - asked))}")
    return Seen("0", f"installed; {len(wanted)} requests stand in the record of the run")

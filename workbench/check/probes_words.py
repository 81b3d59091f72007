"""Probes of the rows that are no numbers: own records, results on disk."""

from __future__ import annotations

import hashlib

from workbench.check import planted
from workbench.check.bench import Bench
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.verdict import recorded, require
from workbench.models.scripted import finish
from workbench.workspace import RUN_PREFIX


@probe("own_records")
def own_records(bench: Bench) -> Seen:
    """Ask every door for the records of this run and of an older one."""
    bench.plant("assays.csv", planted.table(30))
    old = bench.ask("old", {"d01": [finish("seen")]}, agent="dataops").folder.name
    doors = [
        ("read_file", "path"),
        ("read_range", "id"),
        ("describe_table", "path"),
    ]
    names = [
        *(f"results/{old}/{name}" for name in ("requests/d01-r01.json", "events.jsonl")),
        *(f"results/{old}/run.json", "results/index.jsonl", f"results/{old}/full/answer.txt"),
        *(f"{RUN_PREFIX}events.jsonl", f"{RUN_PREFIX}requests/d01-r01.json"),
    ]
    tried = 0
    for tool, argument in doors:
        for name in names:
            trace = bench.call(tool, **{argument: name})
            require(not trace.ok, f"{tool} opened {name}")
            require("run_started" not in trace.text, f"{tool} showed {name}")
            recorded("own_records", trace)
            tried += 1
    return Seen("0", f"{tried} tries at records of runs were refused")


@probe("results_on_disk")
def results_on_disk(bench: Bench) -> Seen:
    """Let a tool make a table of every row, and look where the rows are."""
    name = bench.plant("assays.csv", planted.table(900))
    trace = bench.call("filter_rows", path=name, expression="`V1_ppm` >= 0")
    made = [data for data in trace.of("artefact") if data["rows"]]
    require(len(made) == 1, f"no result file was registered: {trace.text[:200]}")
    file = trace.folder / made[0]["path"]
    data = file.read_bytes()
    require(hashlib.sha256(data).hexdigest() == made[0]["sha256"], "its hash is another")
    rows = planted.canaries(data.decode())
    require(len(rows) == made[0]["rows"], "the file does not hold every row")
    require(not planted.canaries(trace.text), "rows came back with the answer")
    require(made[0]["path"] in trace.text, "its path did not")
    return Seen("0", f"{len(rows)} rows lie in {made[0]['path']}; path and counts came back")

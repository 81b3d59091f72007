"""Probes of what a child may write: its own folder, and nothing that others keep."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from typing import Any

from workbench.check import planted
from workbench.check.bench import Bench
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.standin import answering
from workbench.check.verdict import require
from workbench.files.places import Places
from workbench.models.scripted import call, finish
from workbench.reply import Made, Reply


@probe("others_files")
def others_files(bench: Bench) -> Seen:
    """Stand behind the walls of a child of a run, and try to write over what the run keeps."""
    name = bench.plant("assays.csv", planted.table(60))
    seen: list[Places] = []

    def start(job: Any, places: Places, *more: Any) -> Any:  # noqa: ANN401 - a link
        seen.append(places)
        return bench.start_child(job, places, *more)

    work = [call("filter_rows", path=name, expression="`V1_ppm` > 40"), finish("made")]
    trace = bench.ask("work", {"d01": work}, agent="transform", start=start)
    (made,) = trace.of("artefact")
    require((trace.folder / made["path"]).is_file(), "the result is not in the run's folder")
    left = [path.name for path in (trace.folder / "work").rglob("*")]
    require(not left, f"work in hand was left: {left}")
    (trace.folder / "work").mkdir(exist_ok=True)
    done = subprocess.run(  # noqa: S603 - this very program
        [sys.executable, "-m", "workbench.check.intruder", json.dumps(seen[0].to_json())],
        capture_output=True,
        timeout=120,
        check=False,
    )
    require(done.returncode == 0, f"the intruder broke: {done.stderr.decode()[-200:]}")
    told = json.loads(done.stdout)
    if told["wall"].startswith("not enforced"):
        return Seen("", f"not measured: files are {told['wall']}")
    require(not told["done"], f"a child {', '.join(told['done'][:3])}")
    return Seen("0", f"of {told['targets']} records, results and snapshots could be written over")


@probe("forged_results")
def forged_results(bench: Bench) -> Seen:
    """Let a child claim a name that is taken, and go on writing to a result it has claimed."""
    data = b"x\n1\n"
    held: list[int] = []

    def reply(one: dict[str, Any]) -> dict[str, Any]:
        (desk,) = (bench.data / "results").glob("*/work")
        if held:
            os.write(held[0], b"9\n")
        claims = []
        for name in ("mine.csv", "run.json"):
            (desk / name).write_bytes(data)
            sha256 = hashlib.sha256(data).hexdigest()
            claims.append(Made(name, len(data), sha256, "text/csv", 1, 1))
        held.append(os.open(desk / "mine.csv", os.O_WRONLY | os.O_APPEND))
        return Reply(facts={"n": one["id"][-1]}, made=tuple(claims)).to_json()

    looks = [call("list_files", pattern=sign) for sign in "ab"]
    trace = bench.ask(
        "claim", {"d01": [*looks, finish("tried")]}, agent="dataops", start=answering(reply)
    )
    for file in held:
        os.close(file)
    made = [artefact["path"] for artefact in trace.of("artefact")]
    require(made == ["mine.csv"], f"registered were {made}")
    kept = (trace.folder / "mine.csv").read_bytes()
    require(kept == data, f"a result changed after it was registered: {kept!r}")
    view = json.loads((trace.folder / "run.json").read_text("utf-8"))
    require(view["status"] == "answered", "a child wrote the record of the run")
    return Seen("0", "results were written over by a child that went on writing")

"""Runs whose results are opened in full: one with hostile names, one of a million rows."""

from __future__ import annotations

import csv
import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from sampleview import HOSTILE

from workbench.asking.run import Setting
from workbench.asking.starting import start_child
from workbench.limits import Limits
from workbench.models.scripted import Say, ScriptedModel
from workbench.session import Session
from workbench.workspace import Workspace

# A name of a column cannot be longer in a preview.
HEADER = HOSTILE[:150]
ROWS, MILLION = 240, 1_000_000
_MAKE = """
import sys
import numpy as np, pyarrow as pa, pyarrow.csv as pc
pick, n = np.random.default_rng(3), int(sys.argv[2])
gold = np.round(pick.lognormal(1, 1.2, n), 3).astype(str)
gold[::10] = "<0.5"
columns = {"SampleID": [f"S{i:07d}" for i in range(n)], "Au_ppb": gold}
columns["Rock"] = pick.choice(["Basalt", "Dacite", "Schist"], n)
for name in ("Easting", "Northing", "As_ppm", "Cu_ppm", "Sb_ppm", "S_pct"):
    columns[name] = np.round(pick.lognormal(3, 1, n), 2)
pc.write_csv(pa.table(columns), sys.argv[1], pc.WriteOptions(quoting_style="needed"))
"""


def hostile(folder: Path) -> Path:
    """Ask of a file with hostile cells; return the results folder.

    The specialist filters (``d01a1``, no row is shown), looks at five rows of the result, and at
    a long text.
    """
    data = folder / "data"
    data.mkdir()
    with (data / "soils.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["Sample", "Au_ppb", "Rock", HEADER])
        for n in range(ROWS):
            gold = "<0.5" if n % 6 == 0 else f"{n / 7:.2f}"
            note = HOSTILE if n in {0, 3} else f"note {n}"
            writer.writerow([f"S{n:03d}", gold, "Basalt" if n % 3 else "Dacite", note])
    (data / "notes.txt").write_text(f"{HOSTILE}\n" + "a line of notes\n" * 9_000)
    made = "results/…/soils_filtered.csv"
    calls = [
        ("filter_rows", {"path": "soils.csv", "expression": "Au_ppb < 100"}),
        ("query_data", {"path": made, "operation": "head", "n": 5}),
        ("read_range", {"id": "notes.txt"}),
        ("finish", {"status": "success", "results": [HOSTILE]}),
    ]
    model = ScriptedModel({"d01": [Say(calls=(call,)) for call in calls]}, 200_000)
    setting = Setting(Workspace.at(data), model, Limits(), start_child)
    answer = Session(setting).ask(HOSTILE, agent="transform")
    assert answer.status == "answered", answer.reason
    return data / "results"


def million(folder: Path) -> Path:
    """Make a run that has one result of a million rows; return the results folder."""
    results = folder / "data" / "results"
    run = results / "20261130-101010-a-million-rows-abc"
    run.mkdir(parents=True)
    place = run / "soils_filtered.csv"
    subprocess.run([sys.executable, "-c", _MAKE, str(place), str(MILLION)], check=True)
    with place.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    made_by = {"tool": "filter_rows", "parameters": {}, "seed": 42, "inputs": {}}
    data = {"id": "d01a1", "path": place.name, "bytes": place.stat().st_size, "sha256": sha256}
    more = {"media_type": "text/csv", "rows": MILLION, "columns": 9, "made_by": made_by}
    (run / "events.jsonl").write_text(_event("artefact", {**data, **more}))
    return results


def _event(kind: str, data: dict[str, Any]) -> str:
    about = {"seq": 1, "run": "", "dispatch": "d01", "kind": kind}
    return json.dumps({**about, "data": data, "time": "2026-11-30T10:10:10+00:00"}) + "\n"

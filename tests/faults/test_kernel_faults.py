"""F2, F3 in a real kernel: killed, and interrupted, at the first event of every kind.

The whole sweep is long: the suite takes every fifth kind, ``make faults`` takes all.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from faults import invariants
from faults.figures import note
from kernels import Cell, Kernel

from workbench.process.processtree import running
from workbench.runs import past

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are seen by /proc")
QUESTION = "%%agent --no-widget -m offline\nGroup the samples by Au, As, Cu and Sb into 3 clusters."
KINDS = [
    "run_started", "loop_started", "request", "response", "tool_call", "confinement", "versions",
    "tool_done", "snapshot", "raw", "artefact", "claim", "prompt_rule", "loop_ended", "run_ended",
]  # fmt: skip
EVERY = bool(os.environ.get("WORKBENCH_FAULTS"))
# At the event, in the thread that wrote it, as soon as it is on disk.
ARMED = """
import os, signal
from workbench import ledger
if not hasattr(ledger, "plain_append"):
    ledger.plain_append = ledger.Ledger.append
    ledger.armed = [None, 0, ""]
    def append(self, kind, *rest, **more):
        event = ledger.plain_append(self, kind, *rest, **more)
        if ledger.armed[0] == kind:
            (_, sign, mark), ledger.armed[:] = ledger.armed, [None, 0, ""]
            open(mark, "w").write(repr(__import__("time").time()))
            os.kill(os.getpid(), sign)
        return event
    ledger.Ledger.append = append
ledger.armed[:] = [{kind!r}, signal.{sign}, {mark!r}]
"""


def some(kinds: list[str]) -> list[str]:
    """Return what this run of the tests takes of a sweep."""
    return kinds if EVERY else kinds[::5]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, sample_data: Path) -> Path:
    """A notebook's folder with the sample data beside it."""
    folder = tmp_path_factory.mktemp("kernels")
    ignored = shutil.ignore_patterns("results", "*.py", "__pycache__")
    shutil.copytree(sample_data, folder / "data", ignore=ignored)
    return folder


def opened(place: Path) -> Kernel:
    """Start a kernel that has loaded the workbench."""
    kernel = Kernel(place)
    kernel.run("%load_ext workbench\n%agent use data")
    return kernel


@pytest.fixture(scope="module")
def kept(place: Path) -> Iterator[Kernel]:
    """A kernel that lives through every interrupt."""
    kernel = opened(place)
    yield kernel
    kernel.close()


def answered(cell: Cell) -> bool:
    """Tell whether a question came to its answer."""
    shown = [item["data"] for item in cell.of("display_data") + cell.of("update_display_data")]
    return not cell.errors and any("rule-based planner" in str(item) for item in shown)


@pytest.mark.parametrize("kind", some(KINDS))
def test_f2_a_real_kernel_killed_at_an_event_leaves_nothing_and_the_next_one_answers(
    place: Path, kind: str
) -> None:
    before, mark = invariants.fingerprint(place / "data"), place / f"killed-{kind}"
    known = {run.folder for run in past.runs(place / "data" / "results")}
    kernel = opened(place)
    kernel.run(ARMED.format(kind=kind, sign="SIGKILL", mark=str(mark)))
    below: set[int] = set()
    kernel.client.execute(QUESTION)
    limit = time.monotonic() + 90
    while running(kernel.process.pid) and time.monotonic() < limit:
        below |= kernel.descendants()
        time.sleep(0.02)
    ended = time.monotonic()
    assert mark.exists(), f"no event '{kind}' in this question"
    while any(map(running, below)) and time.monotonic() < ended + 20:
        time.sleep(0.02)
    note("kill to no process", time.monotonic() - ended)
    assert not [pid for pid in below if running(pid)]
    kernel.close()
    (run,) = [run for run in past.runs(place / "data" / "results") if run.folder not in known]
    assert run.status == ("answered" if kind == "run_ended" else "interrupted")
    invariants.holds(run.folder, before, outcome=kind == "run_ended")
    after = opened(place)
    assert answered(after.run(QUESTION))
    after.close()


@pytest.mark.parametrize("kind", some(KINDS[1:]))
def test_f3_a_real_kernel_interrupted_at_an_event_says_so_in_one_line_and_answers_next(
    place: Path, kept: Kernel, kind: str
) -> None:
    before, mark = invariants.fingerprint(place / "data"), place / f"stopped-{kind}"
    known = {run.folder for run in past.runs(place / "data" / "results")}
    kept.run(ARMED.format(kind=kind, sign="SIGINT", mark=str(mark)))
    cell = kept.run(QUESTION)
    assert mark.exists(), f"no event '{kind}' in this question: {cell.text} {cell.errors}"
    note("interrupt to prompt", time.time() - float(mark.read_text()))
    said = "\n".join(cell.errors)
    assert "Traceback" not in said
    assert len(said.splitlines()) <= 2, said
    (run,) = [run for run in past.runs(place / "data" / "results") if run.folder not in known]
    assert run.status in {"interrupted", "answered"}
    invariants.holds(run.folder, before)
    assert answered(kept.run(QUESTION))

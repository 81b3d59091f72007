"""The world around a run: F7 two notebooks, F8 clocks, F9 a folder that goes, F11 no notebook."""

from __future__ import annotations

import datetime as dt
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from faults import invariants, question

from workbench.errors import WorkbenchError
from workbench.runs import past

HERE = Path(__file__).resolve().parent
HOUR, YEAR = 3_600, 31_536_000


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with the question's file, and a key that must be found nowhere."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", invariants.KEY)
    folder = tmp_path / "data"
    question.plant(folder)
    return folder


def test_f7_two_kernels_on_one_workspace_keep_their_runs_apart(data: Path) -> None:
    before = invariants.fingerprint(data)
    command = [sys.executable, str(HERE / "asking.py"), str(data), "3"]
    pair = [subprocess.Popen(command, env=invariants.with_key()) for _ in range(2)]
    assert [process.wait() for process in pair] == [0, 0]
    runs = past.runs(data / "results")
    assert len({run.folder for run in runs}) == 6
    assert {run.status for run in runs} == {"answered"}
    for run in runs:
        invariants.holds(run.folder, before)
        view = json.loads((run.folder / "run.json").read_text(encoding="utf-8"))
        assert (view["run"], view["status"]) == (run.folder.name, "answered")
    lines = (data / "results" / "index.jsonl").read_text(encoding="utf-8").splitlines()
    assert len([json.loads(line) for line in lines]) == 12


class Stepping:
    """A clock that jumps when it has been looked at often enough."""

    def __init__(self, after: int, step: float) -> None:
        self.looks, self.after, self.step = 0, after, step

    def __call__(self) -> dt.datetime:
        self.looks += 1
        shift = self.step if self.looks > self.after else 0.0
        return dt.datetime.now(dt.UTC) + dt.timedelta(seconds=shift)


@pytest.mark.parametrize("step", [-HOUR, YEAR])
@pytest.mark.parametrize("after", [3, 30])
def test_f8_a_clock_that_steps_changes_neither_order_nor_durations(
    data: Path, after: int, step: int
) -> None:
    before = invariants.fingerprint(data)
    answer = question.ask(data, clock=Stepping(after, step))
    assert answer.status == "answered", answer.reason
    invariants.holds(answer.folder, before)
    spent = [loop["seconds"] for loop in answer.view["loops"]]
    assert all(0 <= seconds < 600 for seconds in spent), spent
    (run,) = past.runs(data / "results")
    assert run.status == "answered"
    assert question.ask(data).status == "answered"


@pytest.mark.skipif(sys.platform == "win32", reason="an open folder cannot be removed there")
@pytest.mark.parametrize("kind", ["confinement", "tool_call", "artefact", "loop_ended"])
def test_f9_a_results_folder_that_goes_ends_the_run_and_is_not_made_again_in_part(
    data: Path, kind: str
) -> None:
    before, gone = invariants.fingerprint(data), [False]

    def remove(event: object) -> None:
        if getattr(event, "kind", "") == kind and not gone[0]:
            gone[0] = True
            shutil.rmtree(data / "results")

    try:
        said = question.ask(data, listener=remove).reason
    except WorkbenchError as error:
        said = str(error)
    assert gone[0]
    assert said
    assert "\n" not in said
    assert "internal error" not in said
    assert invariants.fingerprint(data) == before
    left = [path for path in (data / "results").rglob("*") if path.is_file()]
    assert not [path for path in left if path.name != "index.jsonl"], left
    again = question.ask(data)
    assert again.status == "answered", again.reason
    invariants.holds(again.folder, before)


PLAIN = """
from IPython.terminal.interactiveshell import TerminalInteractiveShell
shell = TerminalInteractiveShell.instance()
shell.run_line_magic("load_ext", "workbench")
shell.run_line_magic("agent", "use data")
shell.run_cell_magic("agent", "-m offline", "How many rows does assays.csv have?")
"""


def test_f11_plain_ipython_gets_the_answer_as_text(data: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAIN],
        cwd=data.parent,
        capture_output=True,
        text=True,
        check=False,
        env={**invariants.with_key(), "IPYTHONDIR": str(data.parent / "ipython")},
    )
    assert done.returncode == 0, done.stderr[-800:]
    assert "rule-based planner" in done.stdout
    assert "300" in done.stdout
    assert "<div" not in done.stdout
    assert "Traceback" not in done.stdout + done.stderr

"""A colleague without a key runs the report: the same numbers, and another delivery's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from reporting import GEOCHEM

from workbench import demo
from workbench.cli import main
from workbench.report import page, writing
from workbench.session import Session

pytest.importorskip("nbclient", reason="nbclient is not installed: pip install -e '.[dev]'")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(280)]

QUESTION = "Group the samples by Au, As, Cu and Sb into three clusters, and map gold."


@pytest.fixture
def report(field: Path) -> Path:
    """Write the report of the quickstart's question, answered by the planner."""
    answer = Session.open(field, model="offline").ask(QUESTION)
    assert answer.status == "answered"
    return writing.write(answer.folder, [field.parent / "report.ipynb"])[0]


def printed(path: Path) -> dict[str, str]:
    """Return what the cells of a notebook show as text, by their ids."""
    book = nbformat.read(path, as_version=4)
    return {
        cell.id: "".join(output.get("data", {}).get("text/plain", "") for output in cell.outputs)
        for cell in book.cells
        if cell.cell_type == "code"
    }


def test_run_from_top_to_bottom_every_cell_says_the_same_and_the_last_one_verifies(
    report: Path,
) -> None:
    before = printed(report)
    demo.execute(report)
    after = printed(report)
    assert after.pop("verification").startswith("verified: ")
    before.pop("verification")
    assert after == before
    made = page.render(writing.read_book(report))
    assert '<pre class="verdict holds">verified' in made
    assert main(["verify", str(report), "--data", str(report.parent / "field")]) == 0


def test_papermill_runs_it_on_another_delivery(report: Path) -> None:
    field = report.parent / "field"
    lines = (field / GEOCHEM).read_text().splitlines(keepends=True)
    (field / "next.csv").write_text("".join(lines[:151]))
    words = [sys.executable, "-m", "papermill", report.name, "next.ipynb", "-p", "file_1"]
    done = subprocess.run(
        [*words, "next.csv", "--no-progress-bar"],
        cwd=report.parent,
        env={**os.environ, "PYDEVD_DISABLE_FILE_VALIDATION": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    after = printed(report.parent / "next.ipynb")
    assert after["verification"].startswith(f"other data: {GEOCHEM} is not what was recorded")
    clustered = [text for text in after.values() if "method: k-means" in text]
    assert "rows_in: 150" in clustered[0]
    assert (field / GEOCHEM).read_text() == "".join(lines)

"""``%agent report`` and ``%agent export`` write the last run, or the one that is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.notebook import subcommands
from workbench.notebook.desk import Desk
from workbench.session import Session


@pytest.fixture
def desk(run: Path) -> Desk:
    return Desk(Session.open(run.parent.parent, model="offline"))


def test_the_last_run_is_reported_beside_its_results(desk: Desk, run: Path) -> None:
    shown = subcommands.run(desk, "report")["text/plain"].splitlines()
    assert [Path(one).name for one in shown] == ["report.ipynb", "report.html"]
    assert (run / "report" / "report.html").is_file()


def test_a_named_run_is_exported_where_one_says(desk: Desk, run: Path, tmp_path: Path) -> None:
    said = subcommands.run(desk, f"export {run.name} -o {tmp_path / 'x.zip'} --with-data")
    assert said["text/plain"].endswith("files)")
    assert (tmp_path / "x.zip").is_file()

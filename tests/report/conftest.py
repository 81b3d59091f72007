"""Runs to report: scripted questions over real tools, in the process of the test."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from inprocess import start_in_process
from reporting import GEOCHEM, grouped

from workbench import session as session_module

pytest.importorskip("nbformat", reason="nbformat is not installed: pip install -e '.[dev]'")


@pytest.fixture(autouse=True)
def _in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have toolboxes work in the process of the test; what runs in kernels is not touched."""
    monkeypatch.setattr(session_module, "start_child", start_in_process)
    monkeypatch.delenv("WORKBENCH_RESULTS", raising=False)


@pytest.fixture
def field(tmp_path: Path, sample_data: Path) -> Path:
    """The sample soils in a folder of their own."""
    folder = tmp_path / "field"
    folder.mkdir()
    shutil.copy(sample_data / GEOCHEM, folder)
    return folder


@pytest.fixture(scope="session")
def asked_once(tmp_path_factory: pytest.TempPathFactory, sample_data: Path) -> Path:
    """A folder with a run that made one table; asked once, and copied by each test."""
    folder = tmp_path_factory.mktemp("asked") / "field"
    folder.mkdir()
    shutil.copy(sample_data / GEOCHEM, folder)
    grouped(folder)
    return folder


@pytest.fixture
def run(asked_once: Path, tmp_path: Path) -> Path:
    """The folder of a run that made one table, in data of its own."""
    field = shutil.copytree(asked_once, tmp_path / "field")
    (found,) = (field / "results").glob("2*")
    return found

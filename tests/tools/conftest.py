"""Benches for the tools: empty, with the sample set, and several at a time."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from toolbench import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """An empty data folder."""
    (tmp_path / "data").mkdir()
    made = Bench(tmp_path / "data", tmp_path / "results")
    yield made
    made.close()


@pytest.fixture(scope="session")
def ridge_folders(tmp_path_factory: pytest.TempPathFactory, sample_data: Path) -> tuple[Path, Path]:
    """Data and results shared by all tests of the sample set, so that it is read once."""
    root = tmp_path_factory.mktemp("ridge")
    (root / "data").mkdir()
    for file in sorted(sample_data.glob("meridian_ridge_*")):
        shutil.copy(file, root / "data" / file.name)
    return root / "data", root / "results"


@pytest.fixture
def ridge(ridge_folders: tuple[Path, Path]) -> Iterator[Bench]:
    """The sample set, with a run folder of its own; tests leave the data alone."""
    made = Bench(*ridge_folders)
    yield made
    made.close()


@pytest.fixture
def make_bench(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    """Make several benches, each with folders of its own."""
    made: list[Bench] = []

    def make(**options: Any) -> Bench:  # noqa: ANN401 - fields of a bench
        root = tmp_path / f"bench{len(made)}"
        (root / "data").mkdir(parents=True)
        made.append(Bench(root / "data", root / "results", **options))
        return made[-1]

    yield make
    for bench in made:
        bench.close()

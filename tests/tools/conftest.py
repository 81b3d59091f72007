"""A context in a temporary folder: what a child has, without a child."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from workbench.limits import Limits
from workbench.reply import Reply
from workbench.tools.context import Context
from workbench.tools.run import run_call
from workbench.workspace import Workspace


@dataclass
class Bench:
    """A data folder, a run folder, and calls through the path that a child takes."""

    data: Path
    results: Path
    limits: Limits = field(default_factory=Limits)
    seed: int = 42

    def __post_init__(self) -> None:
        self.run = self.results / "run"
        self.run.mkdir(parents=True, exist_ok=True)
        (self.results / "_snapshots").mkdir(exist_ok=True)
        self.context = Context(
            Workspace(self.data, self.results), self.run, self.limits, seed=self.seed
        )

    def call(self, tool: str, **arguments: Any) -> Reply:  # noqa: ANN401 - JSON values
        """Run a call as a child does; the reply passes through JSON."""
        import json

        return Reply.from_json(json.loads(json.dumps(run_call(tool, arguments, self.context))))

    def facts(self, tool: str, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON values
        """Run a call and return its facts."""
        return self.call(tool, **arguments).facts

    def write(self, name: str, text: str) -> str:
        """Write a data file."""
        (self.data / name).write_text(text, encoding="utf-8")
        return name

    def read(self, output: str) -> pd.DataFrame:
        """Read a result file by the route of another library; empty cells stay NaN."""
        return pd.read_csv(self.run / output.removeprefix("results/…/"), dtype={"SampleID": str})

    def close(self) -> None:
        """Close the connection."""
        if self.context._connection is not None:
            self.context._connection.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """An empty data folder."""
    (tmp_path / "data").mkdir()
    made = Bench(tmp_path / "data", tmp_path / "results")
    yield made
    made.close()


@pytest.fixture
def ridge(bench: Bench, sample_data: Path) -> Bench:
    """A folder with the sample set."""
    for file in sorted(sample_data.glob("meridian_ridge_*")):
        shutil.copy(file, bench.data / file.name)
    return bench


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

"""A bench for tools: a context in a temporary folder, what a child has, without a child."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

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
        self.results.mkdir(parents=True, exist_ok=True)
        self.run = Path(tempfile.mkdtemp(prefix="run", dir=self.results))
        (self.results / "_snapshots").mkdir(exist_ok=True)
        self.context = Context(
            Workspace(self.data, self.results), self.run, self.limits, seed=self.seed
        )

    def call(self, tool: str, **arguments: Any) -> Reply:  # noqa: ANN401 - JSON values
        """Run a call as a child does; the reply passes through JSON."""
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

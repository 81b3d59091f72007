"""What the abuse tests share: a bench whose children are real."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.asking.starting import start_child
from workbench.check.bench import Bench
from workbench.check.trace import Trace
from workbench.limits import Limits
from workbench.models.scripted import Say, finish

Disobey = Callable[..., Trace]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """An empty workspace with real children."""
    return Bench(tmp_path, Limits(), start_child)


@pytest.fixture
def disobey(bench: Bench) -> Disobey:
    """Let a specialist make calls one after the other, then end."""

    def run(*calls: Say, agent: str = "analytics") -> Trace:
        return bench.ask("work", {"d01": [*calls, finish("done")]}, agent=agent)

    return run

"""The order of the fault tests: shuffled where a seed is given, so that none leans on another."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SEED = "WORKBENCH_FAULT_SEED"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Shuffle what lies in this folder and leave the rest where it is."""
    seed = os.environ.get(SEED)
    if not seed:
        return
    places = [at for at, item in enumerate(items) if HERE in item.path.parents]
    moved = [items[at] for at in places]
    random.Random(seed).shuffle(moved)
    for at, item in zip(places, moved, strict=True):
        items[at] = item

"""The judge of the fuzz tests: an engine that the product knows nothing of."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest


@pytest.fixture(scope="module")
def judge() -> Iterator[duckdb.DuckDBPyConnection]:
    """An engine of the tests' own, which reads again what the gate let through."""
    with duckdb.connect() as made:
        yield made

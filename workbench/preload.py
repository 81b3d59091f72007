"""What a child should find imported already: imports only, no connection, no thread.

A library that is missing or broken here is left to the call that needs it, which can say so.
"""

from __future__ import annotations

import contextlib
import importlib

FIRST = (
    *("ctypes", "numpy", "duckdb", "pyarrow", "pyarrow.parquet", "pyarrow.compute"),
    *("pyarrow.csv", "pyarrow.dataset", "workbench.tools.run", "workbench.tables"),
)
# Heavy and not needed by every call: fetched in these steps while nothing else is asked for.
LATER = (
    *("scipy.special", "scipy.linalg", "scipy.sparse", "scipy.spatial", "scipy.optimize"),
    *("scipy.stats", "sklearn.base", "sklearn.metrics", "sklearn.cluster", "sklearn.decomposition"),
)


def preload(names: tuple[str, ...] = FIRST) -> None:
    """Import the modules named, skipping what cannot be imported."""
    for name in names:
        with contextlib.suppress(Exception):
            importlib.import_module(name)

"""What a child should find loaded already: no connection, no file of anybody, no thread.

A library that is missing or broken here is left to the call that needs it, which can say so.
"""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
from collections.abc import Callable, Iterable

Step = str | Callable[[], object]


def _every_tool() -> None:
    """Register the tools, which imports their modules."""
    from workbench.tools.registry import tools

    tools()


def _every_reader() -> None:
    for name in ("workbench.formats", "workbench.tables"):
        package = importlib.import_module(name)
        for module in pkgutil.iter_modules(package.__path__):
            with contextlib.suppress(ImportError):
                importlib.import_module(f"{name}.{module.name}")
    from workbench.formats.registry import formats
    from workbench.tables.store import reader_version

    formats()
    reader_version()


def _vocabulary() -> None:
    """Load the vocabulary that tokens are counted with."""
    from workbench.tokens import count

    count("1")


FIRST: tuple[Step, ...] = (
    *("ctypes", "numpy", "duckdb", "pyarrow", "pyarrow.parquet", "pyarrow.compute"),
    *("pyarrow.csv", "pyarrow.dataset", "workbench.tools.run", _every_tool, _every_reader),
)
# Heavy and not needed by every call: loaded in these steps while nothing else is asked for.
LATER: tuple[Step, ...] = (
    *(_vocabulary, "scipy.special", "scipy.linalg", "scipy.sparse", "scipy.spatial"),
    *("scipy.optimize", "scipy.stats", "sklearn.base", "sklearn.metrics", "sklearn.cluster"),
    *("sklearn.decomposition", "lasio.reader", "lasio.defaults", "chardet"),
)


def preload(steps: Iterable[Step] = FIRST) -> None:
    """Take the steps named, skipping what does not work."""
    for step in steps:
        with contextlib.suppress(Exception):
            if isinstance(step, str):
                importlib.import_module(step)
            else:
                step()

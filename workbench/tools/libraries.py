"""Which libraries a call computed with, so that its record names their versions.

They are imported where they are needed, and loaded ahead of need by the process that children
come from: what is loaded tells nothing, what the code of a call asks for does.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import metadata
from typing import Any

# Import name → distribution, of what decides numbers or bytes besides what every child reads by.
_LIBRARIES = {
    "scipy": "scipy",
    "sklearn": "scikit-learn",
    "umap": "umap-learn",
    "pyogrio": "pyogrio",
    "xlsxwriter": "xlsxwriter",
}
# A page of a figure carries the library that draws it.
_DRAWN = {"text/html": "plotly"}


_ASKED: ContextVar[set[str] | None] = ContextVar("asked", default=None)


@contextmanager
def used() -> Iterator[set[str]]:
    """Give the distributions whose import the package's own code asks for, until it ends."""
    _watch_imports()
    asked: set[str] = set()
    token = _ASKED.set(asked)
    try:
        yield asked
    finally:
        _ASKED.reset(token)


@cache
def _watch_imports() -> None:
    """Have each import noted for the call that asks for it; calls may run side by side."""
    imported: Callable[..., Any] = builtins.__import__

    def noted(name: str, *given: Any, **named: Any) -> Any:  # noqa: ANN401 - as Python calls it
        top = name.partition(".")[0]
        asked = _ASKED.get() if top in _LIBRARIES else None
        if asked is not None and _ours(given[0] if given else named.get("globals")):
            asked.add(_LIBRARIES[top])
        return imported(name, *given, **named)

    builtins.__import__ = noted


def _ours(asking: object) -> bool:
    """Tell by its globals whether code of this package asks."""
    return isinstance(asking, dict) and str(asking.get("__name__")).startswith("workbench.")


def versions(asked: set[str], media_types: set[str]) -> dict[str, str]:
    """Return distribution → version, of what was asked for and of what draws what was made."""
    drawn = {_DRAWN[kind] for kind in media_types if kind in _DRAWN}
    return {name: _version(name) for name in sorted(asked | drawn)}


@cache
def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "unknown"

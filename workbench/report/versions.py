"""The versions that decide numbers."""

from __future__ import annotations

import importlib.metadata
import platform

from workbench import __version__

_PACKAGES = ("duckdb", "pyarrow", "numpy", "scipy", "scikit-learn", "plotly")


def installed() -> dict[str, str]:
    """Return what decides numbers here: Python and the libraries that compute."""
    found = {"workbench": __version__, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found

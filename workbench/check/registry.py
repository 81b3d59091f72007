"""Probes by key: one function attacks one row of the limits table.

A row held by code without a probe is a failure of the check itself, so a new row cannot be
forgotten.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable

from workbench.check.bench import Bench
from workbench.check.outcome import Seen

Probe = Callable[[Bench], Seen]

_PROBES: dict[str, Probe] = {}


def probe(key: str) -> Callable[[Probe], Probe]:
    """Register a function as the probe of a row, or of a check beyond the rows."""

    def register(function: Probe) -> Probe:
        if key in _PROBES:
            raise ValueError(f"probe '{key}': there are two")
        _PROBES[key] = function
        return function

    return register


@functools.cache
def _load() -> None:
    """Import every module of this package once; each registers its probes."""
    package = importlib.import_module("workbench.check")
    for module in sorted(info.name for info in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"workbench.check.{module}")


def probes() -> dict[str, Probe]:
    """Return every probe by key."""
    _load()
    return dict(_PROBES)

"""How many inputs a fuzz test tries: a few with every run of the tests, many where asked for.

``WORKBENCH_FUZZ=50`` tries fifty times as many and begins anew each time; ``make faults`` does so.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings

TIMES = int(os.environ.get("WORKBENCH_FUZZ", "1"))


def tried(number: int) -> Callable[[Any], Any]:
    """Return the settings of a test that tries so many inputs, or a multiple of them."""
    return settings(
        max_examples=number * TIMES,
        derandomize=TIMES == 1,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )

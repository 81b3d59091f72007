"""What the fault tests saw in figures: worst times, kept for whoever asks (``make faults``)."""

from __future__ import annotations

import json
import os
from pathlib import Path

# Names a file to which each figure is added, one JSON line each; nothing is kept without it.
KEPT = "WORKBENCH_FAULT_FIGURES"


def note(name: str, seconds: float) -> None:
    """Keep how long something took."""
    _keep({"name": name, "seconds": round(seconds, 3)})


def escapes(engine: str, tried: int, refused: int) -> None:
    """Keep how many ways out of an engine were tried, and how many it refused."""
    _keep({"name": engine, "tried": tried, "refused": refused})


def _keep(figure: dict[str, object]) -> None:
    place = os.environ.get(KEPT)
    if place:
        with Path(place).open("a", encoding="utf-8") as file:
            file.write(json.dumps(figure) + "\n")

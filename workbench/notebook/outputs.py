"""Outputs that the cell of a run shows, kept beside the run too.

A notebook that was saved while its question was at work holds a card that nobody draws any more;
whoever opens it again finds here what would stand in its place, with a kernel and without.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.errors import WorkbenchError
from workbench.files.records import write_whole
from workbench.notebook import figures, static

# In the folder of whole texts, which no tool opens.
PLACE = "full/output.json"


def of_run(view: Mapping[str, Any], elapsed: str, folder: Path) -> list[dict[str, Any]]:
    """Return what a cell shows of a run that has ended: its card, then its figures.

    Parameters
    ----------
    view : mapping
        The view model.
    elapsed : str
        How long it took, in words.
    folder : Path
        The run's folder.
    """
    return [static.bundle(view, elapsed, folder), *figures.shown(view, folder)]


def keep(card: Mapping[str, Any], view: Mapping[str, Any], folder: Path) -> None:
    """Keep what a cell shows, its card first; a disk that refuses costs only this second copy."""
    place = folder / PLACE
    with contextlib.suppress(OSError, WorkbenchError):
        place.parent.mkdir(exist_ok=True)
        data = {"outputs": [card, *figures.shown(view, folder)]}
        write_whole(place, json.dumps(data).encode("utf-8", "replace"))

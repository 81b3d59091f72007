"""The first cells of a report's notebook: what may be changed, and what opens the data."""

from __future__ import annotations

import os
from pathlib import Path

from workbench.errors import Refused
from workbench.report.code import Expression, value
from workbench.report.sources import Source
from workbench.runs import past
from workbench.runs.recorded import Recorded


def parameters(recorded: Recorded, found: list[Source], data: str) -> str:
    """Return the cell whose values may be changed: where the data is, which files it is."""
    lines = [
        f"data = {value(data)}  # the data folder, as seen from where this runs",
        'results = "recomputed"  # where this run is kept; the data stays as it is',
    ]
    for number, name in enumerate(_used(recorded, found), start=1):
        lines.append(f"file_{number} = {name!r}  # read in place of {name!r}")
    return "\n".join(lines)


def _used(recorded: Recorded, found: list[Source]) -> list[str]:
    """Return the files that results were made from; all where nothing was made."""
    made_from = recorded.inputs()
    names = [item.name for item in found if item.name in made_from and "*" not in item.name]
    return names or [item.name for item in found if "*" not in item.name]


def opening(recorded: Recorded, found: list[Source]) -> str:
    """Return the cell that opens the data for the calls."""
    used = _used(recorded, found)
    view = recorded.view
    names = {
        name: Expression(f"file_{used.index(name) + 1}") if name in used else name
        for name in [item.name for item in found if "*" not in item.name]
    }
    parts = [
        "data,",
        "results,",
        f"names={value(names, 10)},",
        f"seed={view.get('seed', 42)!r},",
    ]
    if recorded.limits:
        parts.append(f"limits={value(recorded.limits, 11)},")
    if view.get("overrides"):
        parts.append(f"overrides={value(view['overrides'], 14)},")
    parts.append(f"question={f'recomputed: {recorded.run}'!r},")
    body = "".join(f"\n    {part}" for part in parts)
    return f"from workbench.report.toolbox import Toolbox\n\nbox = Toolbox({body}\n)"


def seen_from(recorded: Recorded, target: Path) -> str:
    """Return where the data is, seen from the notebook."""
    try:
        place = past.data_of(recorded.folder, dict(recorded.view))
        return relative(Path(place), target) or "data"
    except Refused:
        return "data"


def relative(place: Path, target: Path) -> str:
    """Return a place seen from a file; empty where it lies on another drive."""
    try:
        return Path(os.path.relpath(place.resolve(), target.resolve().parent)).as_posix()
    except ValueError:
        return ""

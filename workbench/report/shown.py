"""Tables and figures as a cell shows them: what draws them as JSON, with HTML, drawing and text.

The page of a report is drawn from the JSON alone; HTML is for hosts that know no better, and is
made by a library that escapes every cell.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.errors import Refused
from workbench.notebook import figures, plain
from workbench.notebook.vector_marks import words
from workbench.report.rows import Head, head, is_number

TABLE = "application/vnd.workbench.table+json"
FIGURE = figures.MIME


@dataclass(frozen=True)
class Shown:
    """Something to be displayed: forms of one thing by media type."""

    bundle: dict[str, Any]
    metadata: dict[str, Any] = field(default_factory=dict)

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, Any], dict[str, Any]]:
        return self.bundle, self.metadata

    def __repr__(self) -> str:
        return str(self.bundle["text/plain"])


def table(folder: Path, item: Mapping[str, Any]) -> Shown:
    """Return the first rows of a result, to be shown.

    Parameters
    ----------
    folder : Path
        The run's folder.
    item : mapping
        The artefact.
    """
    try:
        found = head(folder, item)
    except Refused as error:
        return Shown({"text/plain": str(error)})
    bundle = {"text/plain": as_text(found), TABLE: found.to_json()}
    html = as_html(found)
    return Shown({**bundle, "text/html": html} if html else bundle)


def as_text(found: Head) -> str:
    """Return a table as aligned text."""
    right = frozenset(n for n in range(len(found.columns)) if _numeric(found, n))
    lines = plain.columns([list(found.columns), *map(list, found.rows)], right)
    return f"{lines}\n{found.caption}"


def _numeric(found: Head, column: int) -> bool:
    cells = [row[column] for row in found.rows if row[column]]
    return bool(cells) and all(is_number(cell.lstrip("<>")) for cell in cells)


def as_html(found: Head) -> str:
    """Return a table as HTML with its style; empty where what draws it is not installed.

    Its id follows from its content, so that equal tables are equal bytes.
    """
    try:
        import pandas as pd
        from great_tables import GT
    except ImportError:
        return ""
    sign = hashlib.sha256(repr(found.to_json()).encode()).hexdigest()[:10]
    names = _unlike(found.columns)
    frame = pd.DataFrame([list(row) for row in found.rows], columns=names, dtype=object)
    right = [name for n, name in enumerate(names) if _numeric(found, n)]
    drawn = GT(frame, id=f"t{sign}").tab_source_note(source_note=found.caption)
    drawn = drawn.cols_align("left", [name for name in names if name not in right])
    drawn = drawn.cols_align("right", right) if right else drawn
    return str(drawn.tab_options(table_font_size="13px").as_raw_html())


def _unlike(names: tuple[str, ...]) -> list[str]:
    """Return names that are all different, as a data frame wants them."""
    found: list[str] = []
    for name in names:
        number, unlike = 2, name or "–"
        while unlike in found:
            unlike, number = f"{name} ({number})", number + 1
        found.append(unlike)
    return found


def figure(folder: Path, item: Mapping[str, Any]) -> Shown:
    """Return a figure of a run, to be shown.

    Parameters
    ----------
    folder : Path
        The run's folder.
    item : mapping
        The artefact: the figure as JSON.
    """
    try:
        found = figures.load(folder, str(item.get("path")))
    except Refused as error:
        return Shown({"text/plain": str(error)})
    return Shown(figures.bundle(found, alternative(found)))


@dataclass
class Room:
    """What the figures of one report may take together: past it they are drawings, then names.

    A page with 200 figures stays under 15 MB (see ``tests/report/test_page.py``).

    Attributes
    ----------
    live, drawn : int
        Characters that are left for figures, and for drawings.
    keep : bool
        Whether each figure keeps all its forms all the same, as a cell that is run has them.
    left : int
        Figures for whose drawing there was no room.
    """

    live: int = 3_000_000
    drawn: int = 4_000_000
    keep: bool = False
    left: int = 0

    def fit(self, shown: Shown) -> Shown:
        """Return a figure in the forms that there is room for."""
        bundle = dict(shown.bundle)
        live = len(json.dumps(bundle.get(FIGURE, "")))
        drawn = len(bundle.get("image/svg+xml", ""))
        if live > self.live:
            bundle.pop(FIGURE, None)
        if drawn > self.drawn:
            bundle.pop("image/svg+xml", None)
        self.live -= live if FIGURE in bundle else 0
        self.drawn -= drawn if "image/svg+xml" in bundle else 0
        self.left += len(bundle) == 1 < len(shown.bundle)
        return shown if self.keep else Shown(bundle, shown.metadata)


def alternative(drawn: Mapping[str, Any]) -> str:
    """Return a figure in words: title, axes, what is drawn."""
    layout = drawn["layout"]
    title = _said(layout.get("title"))
    below = layout["title"].get("subtitle") if isinstance(layout.get("title"), dict) else None
    axes = [_said((layout.get(f"{letter}axis") or {}).get("title")) for letter in "xy"]
    across = " against ".join(filter(None, reversed(axes)))
    traces = [trace for trace in drawn["data"] if isinstance(trace, dict)]
    points, cells = (sum(map(count, traces)) for count in (_points, _cells))
    named = [" ".join(words(str(t["name"]))) for t in traces if t.get("name")][:_NAMED]
    said = [title, _said(below), across, f"{points:,} points" if points else ""]
    said.append(f"{cells:,} cells" if cells else "")
    said.append(f"drawn apart: {', '.join(named)}" if len(named) > 1 else "")
    return "; ".join(filter(None, said)) or "a figure"


_NAMED = 8


def _points(trace: Mapping[str, Any]) -> int:
    found = trace.get("x")
    return len(found) if isinstance(found, list) and trace.get("type") != "heatmap" else 0


def _cells(trace: Mapping[str, Any]) -> int:
    rows = trace.get("z") if trace.get("type") == "heatmap" else None
    return sum(len(row) for row in rows if isinstance(row, list)) if isinstance(rows, list) else 0


def _said(value: object) -> str:
    """Return the words of a title, in any of the forms that plotly takes."""
    text = value.get("text", "") if isinstance(value, dict) else value or ""
    return " ".join(" ".join(words(str(text))).split())

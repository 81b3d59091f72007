"""A figure as a drawing without script: points, bars, lines, axes, legend, in SVG.

For exports, code hosts and hosts that cannot draw the interactive form. Text is escaped, colours
are checked, and nothing in it refers to anything outside.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workbench.notebook import vector_axes, vector_cells, vector_marks, vector_notes
from workbench.notebook.vector_axes import Axis
from workbench.notebook.vector_marks import element, words

WIDTH, HEIGHT = 860, 560
_LEFT, _TOP, _BOTTOM, _RIGHT = 84, 78, 62, 28
_LEGEND_LINE, _LETTER = 19, 6.6
_LEGEND_MOST = 24
_AXIS_NAME = re.compile(r"^([xy])(\d*)$")
_DRAWN = frozenset({"scatter", "scattergl", "bar"})
_FONT = "system-ui, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif"


@dataclass(frozen=True)
class Paper:
    """Where the panels lie.

    Attributes
    ----------
    left, right, top, bottom : float
        Pixels of the area of all panels.
    axes : dict
        ``x``, ``y``, ``y2`` … → axis.
    """

    left: float
    right: float
    top: float
    bottom: float
    axes: dict[str, Axis]


def draw(figure: Mapping[str, Any]) -> str | None:
    """Return the figure as SVG, or None if it has a kind of trace that is not drawn here.

    Parameters
    ----------
    figure : mapping
        ``{data, layout}``, cleaned.
    """
    traces, layout = figure["data"], figure["layout"]
    if not all(_is_drawn(trace) for trace in traces):
        return None
    if any(not isinstance(trace.get(key, []), list) for trace in traces for key in "xy"):
        return None
    entries = _entries(traces, layout)
    paper = _paper(traces, layout, entries)
    if paper is None:
        return None
    step, said = vector_marks.thinning(traces)
    parts = [
        element("rect", width=WIDTH, height=HEIGHT, fill="#ffffff"),
        *_titles(layout),
        *(part for name in paper.axes for part in _axis(paper, name)),
        *(part for trace in traces for part in _marks(paper, trace, step)),
        *vector_notes.shapes(layout, paper.axes, _box(paper)),
        *vector_notes.notes(layout, paper.axes, _box(paper)),
        *_legend(entries, layout, paper),
        vector_marks.text(_LEFT, HEIGHT - 6, [said], size=11, fill="#616e7c"),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" font-family="{html.escape(_FONT)}" '
        f'style="max-width:100%;height:auto">{_described(layout)}{"".join(parts)}</svg>'
    )


def _is_drawn(trace: Mapping[str, Any]) -> bool:
    kind = trace.get("type", "scatter")
    return kind in _DRAWN or (kind == "heatmap" and vector_cells.drawable(trace))


def _described(layout: Mapping[str, Any]) -> str:
    return f"<title>{html.escape(' '.join(words(_title(layout))))}</title>"


def _title(layout: Mapping[str, Any]) -> str:
    title = layout.get("title")
    return str(title.get("text", "") if isinstance(title, dict) else title or "")


def _titles(layout: Mapping[str, Any]) -> list[str]:
    title = layout.get("title")
    below = title.get("subtitle") if isinstance(title, dict) else None
    parts = [
        vector_marks.text(_LEFT, 32, words(_title(layout)), size=18, weight=600, fill="#1f2933")
    ]
    if isinstance(below, dict):
        said = words(str(below.get("text", "")))
        parts.append(vector_marks.text(_LEFT, 54, said, size=12.5, fill="#616e7c"))
    return parts


def _entries(
    traces: Sequence[Mapping[str, Any]], layout: Mapping[str, Any]
) -> list[tuple[Mapping[str, Any], str]]:
    """Return the traces that a legend names; it has none where there is only one thing."""
    named = [
        (trace, " ".join(words(str(trace.get("name", "")))))
        for trace in traces
        if trace.get("showlegend", True) and trace.get("name")
    ]
    wanted = layout.get("showlegend", len(named) > 1)
    return named[:_LEGEND_MOST] if wanted else []


def _beside(layout: Mapping[str, Any]) -> bool:
    return (layout.get("legend") or {}).get("orientation") != "h"


def _paper(
    traces: Sequence[Mapping[str, Any]],
    layout: Mapping[str, Any],
    entries: Sequence[tuple[Mapping[str, Any], str]],
) -> Paper | None:
    """Lay out the panels; maps keep their scale by shrinking the longer side."""
    room = max((len(name) for _, name in entries), default=0) * _LETTER + 36
    right = WIDTH - _RIGHT - (room if entries and _beside(layout) else 0)
    top = _TOP + (22 if entries and not _beside(layout) else 0)
    bottom = HEIGHT - _BOTTOM
    used: dict[str, list[object]] = {}
    for trace in traces:
        for letter in "xy":
            values = used.setdefault(str(trace.get(f"{letter}axis", letter)), [])
            values.extend(vector_marks.extent(trace, letter))
    axes: dict[str, Axis] = {}
    for name, values in used.items():
        found = _AXIS_NAME.match(name)
        if found is None:
            return None
        spec = dict(layout.get(f"{found[1]}axis{found[2]}") or {})
        spec["zero"] = any(trace.get("type") == "bar" for trace in traces)
        pixels = (float(_LEFT), right) if found[1] == "x" else (float(bottom), float(top))
        one = vector_axes.axis(spec, [*values, *vector_notes.extent(layout, name)], pixels)
        if one is None:
            return None
        axes[name] = one
    axes = _to_scale(axes)
    edge = max(axis.end for name, axis in axes.items() if name[0] == "x")
    return Paper(_LEFT, edge, top, bottom, axes)


def _to_scale(axes: dict[str, Axis]) -> dict[str, Axis]:
    """Shrink the axis with more pixels a unit where the figure asks for equal scale."""
    x, y = axes.get("x"), axes.get("y")
    if x is None or y is None or y.spec.get("scaleanchor") != "x":
        return axes
    ratio = float(y.spec.get("scaleratio", 1) or 1)
    across, up = x.pixels_per_unit * ratio, y.pixels_per_unit
    if across > up:
        half = (x.end - x.start) * (1 - up / across) / 2
        one = x.shrunk(up / across)
        # Flush left, so that the vertical axis stays where its labels have room.
        return {**axes, "x": replace(one, start=one.start - half, end=one.end - half)}
    return {**axes, "y": y.shrunk(across / up)}


def _box(paper: Paper) -> tuple[float, float, float, float]:
    return paper.left, paper.right, paper.top, paper.bottom


def _partner(paper: Paper, name: str) -> Axis:
    """Return the axis that stands across: of ``y2`` the one it is anchored to."""
    other = "y" if name[0] == "x" else "x"
    anchor = str(paper.axes[name].spec.get("anchor", other))
    fallback = next(axis for key, axis in paper.axes.items() if key[0] == other)
    return paper.axes.get(anchor, fallback)


def _axis(paper: Paper, name: str) -> list[str]:
    axis, across = paper.axes[name], _partner(paper, name)
    title = axis.spec.get("title")
    said = words(str(title.get("text", "") if isinstance(title, dict) else title or ""))
    shown = axis.spec.get("showticklabels", True)
    return vector_marks.axis(name[0], axis, across, said if any(said) else [], labels=bool(shown))


def _marks(paper: Paper, trace: Mapping[str, Any], step: int) -> list[str]:
    x = paper.axes[str(trace.get("xaxis", "x"))]
    y = paper.axes[str(trace.get("yaxis", "y"))]
    if trace.get("type") == "bar":
        return vector_marks.bars(trace, x, y)
    if trace.get("type") == "heatmap":
        return vector_cells.cells(trace, x, y)
    return vector_marks.points(trace, x, y, step)


def _legend(
    entries: Sequence[tuple[Mapping[str, Any], str]], layout: Mapping[str, Any], paper: Paper
) -> list[str]:
    parts: list[str] = []
    across = not _beside(layout)
    left, up = (paper.left, paper.top - 14.0) if across else (paper.right + 24.0, paper.top + 8.0)
    heading = (layout.get("legend") or {}).get("title")
    if isinstance(heading, dict) and not across:
        said = words(str(heading.get("text", "")))
        parts.append(vector_marks.text(left - 7, up + 4, said, size=12, weight=600, fill="#1f2933"))
        up += _LEGEND_LINE
    for trace, name in entries:
        parts.append(vector_marks.sign(trace, left, up))
        parts.append(vector_marks.text(left + 12, up + 4, [name], size=12, fill="#1f2933"))
        if across:
            left += len(name) * _LETTER + 40
        else:
            up += _LEGEND_LINE
    return parts

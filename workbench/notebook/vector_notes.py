"""Lines, boxes and words that stand on a drawn figure: scale bars, medians, names of panels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.notebook.vector_axes import Axis
from workbench.notebook.vector_marks import INK, colour, element, text, words

Box = tuple[float, float, float, float]


def extent(layout: Mapping[str, Any], axis: str) -> list[object]:
    """Return the values of lines and boxes that an axis must hold."""
    return [
        item.get(f"{axis[0]}{end}")
        for item in layout.get("shapes") or []
        for end in "01"
        if str(item.get(f"{axis[0]}ref", axis[0])) == axis
    ]


def _at(
    item: Mapping[str, Any],
    letter: str,
    key: str,
    axes: Mapping[str, Axis],
    ends: tuple[float, float],
) -> float | None:
    """Return the pixel of one coordinate of a shape or note: of an axis, a panel or the paper."""
    reference = str(item.get(f"{letter}ref", letter))
    value = item.get(key)
    if reference == "paper":
        if not isinstance(value, int | float):
            return None
        return ends[0] + float(value) * (ends[1] - ends[0])
    name, _, domain = reference.partition(" ")
    found = axes.get(name)
    if found is None:
        return None
    if domain == "domain":
        return (
            found.start + float(value) * (found.end - found.start)
            if isinstance(value, int | float)
            else None
        )
    return found.place(value)


def shapes(layout: Mapping[str, Any], axes: Mapping[str, Axis], box: Box) -> list[str]:
    """Return the lines and boxes that stand on the panels: scale bars, medians."""
    left, right, top, bottom = box
    parts = []
    for item in layout.get("shapes") or []:
        x0, x1 = (_at(item, "x", key, axes, (left, right)) for key in ("x0", "x1"))
        y0, y1 = (_at(item, "y", key, axes, (bottom, top)) for key in ("y0", "y1"))
        if x0 is None or x1 is None or y0 is None or y1 is None:
            continue
        line = item.get("line") or {}
        width = line.get("width", 1)
        drawn: dict[str, float | str] = {
            "stroke": colour(line.get("color"), INK),
            "stroke_width": float(width) if isinstance(width, int | float) else 1.0,
            "fill": colour(item.get("fillcolor"), "none"),
        }
        if line.get("dash"):
            drawn["stroke_dasharray"] = "5 4"
        path = f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}"
        if item.get("type") == "rect":
            path = f"M{x0:.1f} {y0:.1f}H{x1:.1f}V{y1:.1f}H{x0:.1f}Z"
        parts.append(element("path", d=path, **drawn))
    return parts


def notes(layout: Mapping[str, Any], axes: Mapping[str, Axis], box: Box) -> list[str]:
    """Return the words that stand on the panels."""
    left, right, top, bottom = box
    anchors = {"left": "start", "right": "end"}
    parts = []
    for item in layout.get("annotations") or []:
        x = _at(item, "x", "x", axes, (left, right))
        y = _at(item, "y", "y", axes, (bottom, top))
        if x is None or y is None:
            continue
        lines = words(str(item.get("text", "")))
        size = float((item.get("font") or {}).get("size", 12))
        shift = {"top": size, "bottom": -size * 1.25 * (len(lines) - 1) - 3}
        down = shift.get(str(item.get("yanchor", "")), size / 3) - float(item.get("yshift", 0) or 0)
        parts.append(
            text(
                x + float(item.get("xshift", 0) or 0),
                y + down,
                lines,
                size=size,
                fill=colour((item.get("font") or {}).get("color"), INK),
                text_anchor=anchors.get(str(item.get("xanchor", "")), "middle"),
            )
        )
    return parts

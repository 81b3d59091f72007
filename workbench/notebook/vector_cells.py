"""The cells of a heat map as drawn: a rectangle in its colour, and what it says, each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeGuard

from workbench.notebook.vector_axes import Axis
from workbench.notebook.vector_marks import INK, element, text, words

# A figure of ours has 800 cells at most; what a file says it has may be more.
MOST_CELLS = 2_000
_GAP, _LETTERS, _HEX = 1.0, 11.5, 7


def drawable(trace: Mapping[str, Any]) -> bool:
    """Return whether a trace is a heat map over categories that says its values in its cells."""
    rows = trace.get("z"), trace.get("text")
    names = [*(trace.get("x") or ()), *(trace.get("y") or ())]
    grids = all(isinstance(one, list) and all(isinstance(row, list) for row in one) for one in rows)
    small = len(trace.get("x") or ()) * len(trace.get("y") or ()) <= MOST_CELLS
    return grids and small and bool(names) and all(isinstance(name, str) for name in names)


def cells(trace: Mapping[str, Any], x: Axis, y: Axis) -> list[str]:
    """Return the cells of a heat map that `drawable` passed; one without a value stays white."""
    width, height = x.pixels_per_unit - 2 * _GAP, y.pixels_per_unit - 2 * _GAP
    parts = []
    for across, up, value, said in _each(trace, x, y):
        place = {"x": across - width / 2, "y": up - height / 2, "width": width, "height": height}
        parts.append(element("rect", **place, fill=_shade(trace, value)))
        name = {"size": _LETTERS, "fill": INK, "text_anchor": "middle"}
        parts.append(text(across, up + 4, words(str(said)), **name))  # type: ignore[arg-type]
    return parts


def _each(
    trace: Mapping[str, Any], x: Axis, y: Axis
) -> Iterator[tuple[float, float, object, object]]:
    rows = zip(trace["y"], trace["z"], trace["text"], strict=False)
    for name, values, texts in rows:
        for column, value, said in zip(trace["x"], values, texts, strict=False):
            across, up = x.place(column), y.place(name)
            if across is not None and up is not None:
                yield across, up, value, said


def _shade(trace: Mapping[str, Any], value: object) -> str:
    """Return the colour of a value on the trace's scale, between its two neighbours."""
    low, high = trace.get("zmin"), trace.get("zmax")
    if not (_is_number(low) and _is_number(high) and _is_number(value) and high > low):
        return "#ffffff"
    at = min(max((value - low) / (high - low), 0.0), 1.0)
    for (start, first), (end, second) in pairwise(_stops(trace.get("colorscale"))):
        if start <= at <= end and end > start:
            share = (at - start) / (end - start)
            mixed = (a + (b - a) * share for a, b in zip(first, second, strict=True))
            return "#" + "".join(f"{round(one):02x}" for one in mixed)
    return "#ffffff"


def _stops(scale: object) -> list[tuple[float, tuple[int, ...]]]:
    stops = []
    for stop in scale if isinstance(scale, Sequence) else ():
        at, shade = stop if isinstance(stop, list) and len(stop) == 2 else (None, "")  # noqa: PLR2004
        if _is_number(at) and isinstance(shade, str) and len(shade) == _HEX and shade[0] == "#":
            try:
                stops.append((float(at), tuple(bytes.fromhex(shade[1:]))))
            except ValueError:
                continue
    return stops


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)

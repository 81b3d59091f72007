"""What a drawn figure is made of: points, bars, lines, ticks and words, each a piece of SVG.

Every attribute is a number or a checked colour, every text is escaped.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any

from workbench.notebook.vector_axes import Axis

# More points than this make a drawing heavy; it then says how many of them it shows.
MOST_POINTS = 5_000
_COLOUR = re.compile(r"^(?:#[0-9a-fA-F]{3,8}|rgba?\([\d\s.,%]+\)|[a-zA-Z]{3,20})$")
_BREAK = re.compile(r"<br ?/?>")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
LINE, GRID, INK = "#9aa5b1", "#e4e7eb", "#1f2933"
_DIAMOND = ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0))


def element(name: str, **attributes: float | str) -> str:
    """Return an element without content; names in Python's spelling."""
    named = " ".join(
        f'{key.replace("_", "-")}="{html.escape(_number(value))}"'
        for key, value in attributes.items()
    )
    return f"<{name} {named}/>"


def _number(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")


def colour(value: object, otherwise: str = "#616e7c") -> str:
    """Return a colour if it is one, never a reference to something."""
    return value if isinstance(value, str) and _COLOUR.match(value) else otherwise


def words(text: str) -> list[str]:
    """Return the lines of a figure's text without its marks; entities become signs again."""
    return [html.unescape(_TAG.sub("", line)) for line in _BREAK.split(text)]


def text(x: float, y: float, lines: Sequence[str], *, size: float, **more: float | str) -> str:
    """Return lines of text that begin at a place.

    Parameters
    ----------
    x, y : float
        Where the first line begins.
    lines : sequence of str
        Literal text.
    size : float
        Of the letters, in pixels.
    """
    named = "".join(
        f' {key.replace("_", "-").replace("weight", "font-weight")}="{html.escape(_number(value))}"'
        for key, value in more.items()
    )
    spans = "".join(
        f'<tspan x="{_number(x)}" dy="{_number(0 if place == 0 else size * 1.25)}">'
        f"{html.escape(line)}</tspan>"
        for place, line in enumerate(lines)
    )
    return (
        f'<text x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}"{named}>{spans}</text>'
    )


def extent(trace: Mapping[str, Any], letter: str) -> list[object]:
    """Return the values that an axis must hold: bars reach down to zero and have a width."""
    values: list[object] = list(trace.get(letter) or [])
    if trace.get("type") != "bar":
        return values
    if letter == "y":
        return [0.0, *values]
    half = _width(trace) / 2
    numbers = [value for value in values if isinstance(value, int | float)]
    return [*values, *(number - half for number in numbers), *(n + half for n in numbers)]


def _width(trace: Mapping[str, Any]) -> float:
    width = trace.get("width")
    return float(width) if isinstance(width, int | float) else 0.8


def thinning(traces: Sequence[Mapping[str, Any]]) -> tuple[int, str]:
    """Return which of so many points are drawn, and what to say of it; nothing if all are."""
    total = sum(len(trace.get("x") or []) for trace in traces if trace.get("type") != "bar")
    step = max(1, -(-total // MOST_POINTS))
    said = f"every {step}th of {total:,} points is drawn; the interactive figure has all"
    return step, said if step > 1 else ""


def points(trace: Mapping[str, Any], x: Axis, y: Axis, step: int) -> list[str]:
    """Return the points or the line of a trace; of the points, one in `step`."""
    places = [
        (across, up)
        for across, up in (
            (x.place(one), y.place(two))
            for one, two in zip(trace.get("x") or [], trace.get("y") or [], strict=False)
        )
        if across is not None and up is not None
    ]
    parts: list[str] = []
    mode = str(trace.get("mode", "markers"))
    if "lines" in mode and places:
        line = trace.get("line") or {}
        path = "M" + "L".join(f"{_number(a)} {_number(b)}" for a, b in places)
        parts.append(
            element("path", d=path, fill="none", stroke=colour(line.get("color")), stroke_width=1.5)
        )
    if "markers" in mode:
        parts += [_sign(trace, across, up) for across, up in places[::step]]
    return parts


def sign(trace: Mapping[str, Any], x: float, y: float) -> str:
    """Return the sign of a trace in a legend."""
    if trace.get("type") == "bar":
        return element("rect", x=x - 6, y=y - 6, width=12, height=12, **_filled(trace))
    return _sign(trace, x, y)


def _sign(trace: Mapping[str, Any], x: float, y: float) -> str:
    marker = trace.get("marker") or {}
    size = marker.get("size")
    radius = float(size) / 2 if isinstance(size, int | float) else 3.5
    symbol = str(marker.get("symbol", "circle"))
    line = marker.get("line") or {}
    shade = colour(marker.get("color"))
    drawn: dict[str, float | str]
    if symbol.endswith("-open"):
        drawn = {"fill": "none", "stroke": shade, "stroke_width": 1.2}
    else:
        edge = line.get("width", 0)
        drawn = {
            "fill": shade,
            "stroke": colour(line.get("color"), "#ffffff"),
            "stroke_width": float(edge) if isinstance(edge, int | float) else 0.0,
        }
    if symbol.startswith("diamond"):
        path = "M" + "L".join(
            f"{_number(x + a * radius)} {_number(y + b * radius)}" for a, b in _DIAMOND
        )
        return element("path", d=path + "Z", **drawn)
    if symbol.startswith("square"):
        return element(
            "rect", x=x - radius, y=y - radius, width=2 * radius, height=2 * radius, **drawn
        )
    return element("circle", cx=x, cy=y, r=radius, **drawn)


def _filled(trace: Mapping[str, Any]) -> dict[str, float | str]:
    marker = trace.get("marker") or {}
    line = marker.get("line") or {}
    edge = line.get("width", 0)
    return {
        "fill": colour(marker.get("color")),
        "stroke": colour(line.get("color"), "#ffffff"),
        "stroke_width": float(edge) if isinstance(edge, int | float) else 0.0,
    }


def bars(trace: Mapping[str, Any], x: Axis, y: Axis) -> list[str]:
    """Return the bars of a trace, each standing on zero."""
    half = _width(trace) * x.pixels_per_unit / 2
    ground = y.place(0.0)
    floor = max(y.start, y.end) if ground is None else ground
    parts = []
    for one, two in zip(trace.get("x") or [], trace.get("y") or [], strict=False):
        middle, top = x.place(one), y.place(two)
        if middle is None or top is None or abs(floor - top) < 1e-9:  # noqa: PLR2004 - no height
            continue
        up, height = min(top, floor), abs(floor - top)
        parts.append(
            element("rect", x=middle - half, y=up, width=2 * half, height=height, **_filled(trace))
        )
    return parts


def axis(letter: str, one: Axis, across: Axis, title: Sequence[str], *, labels: bool) -> list[str]:
    """Return grid, line, ticks and words of an axis."""
    foot, head = across.start, across.end
    parts = []
    for place, label in one.ticks():
        said = words(label) if labels else []
        if letter == "x":
            parts.append(element("path", d=f"M{place:.1f} {foot:.1f}V{head:.1f}", stroke=GRID))
            parts.append(element("path", d=f"M{place:.1f} {foot:.1f}v4", stroke=LINE))
            parts.append(text(place, foot + 18, said, size=11.5, fill=INK, text_anchor="middle"))
        else:
            parts.append(element("path", d=f"M{foot:.1f} {place:.1f}H{head:.1f}", stroke=GRID))
            parts.append(element("path", d=f"M{foot:.1f} {place:.1f}h-4", stroke=LINE))
            parts.append(text(foot - 8, place + 4, said, size=11.5, fill=INK, text_anchor="end"))
    middle = (one.start + one.end) / 2
    if letter == "x":
        parts.append(element("path", d=f"M{one.start:.1f} {foot:.1f}H{one.end:.1f}", stroke=LINE))
        if title:
            parts.append(text(middle, foot + 42, title, size=13, fill=INK, text_anchor="middle"))
        return parts
    parts.append(element("path", d=f"M{foot:.1f} {one.start:.1f}V{one.end:.1f}", stroke=LINE))
    if title:
        turned = f"rotate(-90 {foot - 64:.1f} {middle:.1f})"
        parts.append(
            text(
                foot - 64, middle, title, size=13, fill=INK, text_anchor="middle", transform=turned
            )
        )
    return parts

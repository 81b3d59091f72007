"""Plots that tell populations apart: probability, and how many or how much ground lies above.

Logarithms stand on linear axes with ticks in the values themselves; breaks are dashed lines.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.figures.figure import Figure, axis
from workbench.figures.palette import GROUPS, ONE, short

Numbers = NDArray[np.float64]
_MOST = 1_500
_PERCENTS = (0.1, 1, 5, 20, 50, 80, 95, 99, 99.9)
_WIDE = 3
_GAP = 0.13


@dataclass(frozen=True)
class Curve:
    """Points of one panel.

    Attributes
    ----------
    title : str
        Name of the axis that goes up.
    x, y : ndarray of float64, shape (n,)
        log10 of the values, and normal scores or log10 of a number or an area.
    scores : bool
        True where y are normal scores, shown as percent.
    breaks : mapping of str to float
        Name of a rule → log10 of its break.
    """

    title: str
    x: Numbers
    y: Numbers
    scores: bool
    breaks: Mapping[str, float]


def plate(title: str, words: tuple[str, str], quantity: str, curves: Sequence[Curve]) -> Figure:
    """Draw curves side by side.

    Parameters
    ----------
    title, quantity : str
        Safe to show.
    words : tuple of str
        Subtitle and caption, safe to show.
    curves : sequence of Curve
        One to three.
    """
    traces: list[dict[str, Any]] = []
    layout: dict[str, Any] = {"shapes": [], "annotations": [], "showlegend": False}
    width = (1 - _GAP * (len(curves) - 1)) / len(curves)
    for place, curve in enumerate(curves):
        key = "" if place == 0 else str(place + 1)
        left = place * (width + _GAP)
        traces.append(_points(curve, key))
        domain = [round(left, 4), round(min(left + width, 1), 4)]
        layout[f"xaxis{key}"] = axis(
            quantity, domain=domain, anchor=f"y{key}", **_powers(curve.x, most=5)
        )
        ticks = _percents(curve.y) if curve.scores else _powers(curve.y, most=8)
        layout[f"yaxis{key}"] = axis(curve.title, anchor=f"x{key}", **ticks)
        for number, (name, value) in enumerate(curve.breaks.items()):
            layout["shapes"].append(_line(value, key, number))
            layout["annotations"].append(_word(name, value, key, number))
    return Figure(traces, layout, title, *words)


def _points(curve: Curve, key: str) -> dict[str, Any]:
    x, y = curve.x, curve.y
    if x.size > _MOST:
        # Evenly along the curve, and all of the upper end, where anomalies lie.
        picked = np.linspace(0, x.size - 1, _MOST).round().astype(int)
        picked = np.union1d(picked, np.arange(x.size - min(100, x.size), x.size))
        x, y = x[picked], y[picked]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [float(f"{one:.6g}") for one in x],
        "y": [float(f"{one:.6g}") for one in y],
        "xaxis": f"x{key}",
        "yaxis": f"y{key}",
        "marker": {"size": 5, "color": ONE, "opacity": 0.75},
        "hoverinfo": "skip",
    }


def _line(value: float, key: str, number: int) -> dict[str, Any]:
    colour = GROUPS[(number + 1) % len(GROUPS)]
    return {
        "type": "line", "xref": f"x{key}", "yref": f"y{key} domain", "x0": round(value, 6),
        "x1": round(value, 6), "y0": 0, "y1": 1,
        "line": {"color": colour, "width": 1.5, "dash": "dash"},
    }  # fmt: skip


def _word(name: str, value: float, key: str, number: int) -> dict[str, Any]:
    return {
        "text": f"{name}: {short(10**value)}", "xref": f"x{key} domain", "yref": f"y{key} domain",
        "x": 0.02, "y": 0.99 - 0.05 * number, "xanchor": "left", "yanchor": "top",
        "showarrow": False, "bgcolor": "rgba(255,255,255,0.8)",
        "font": {"size": 12, "color": GROUPS[(number + 1) % len(GROUPS)]},
    }  # fmt: skip


def _powers(logs: Numbers, most: int) -> dict[str, Any]:
    """Return ticks at 1, 2 and 5 of each power of ten, or at powers alone where there are many."""
    low, high = float(logs.min()), float(logs.max())
    steps = (1, 2, 5) if high - low < _WIDE else (1,)
    powers = range(math.floor(low), math.ceil(high) + 1)
    values = [step * 10.0**power for power in powers for step in steps]
    inside = [value for value in values if low - 0.05 <= math.log10(value) <= high + 0.05]
    inside = inside[:: max(math.ceil(len(inside) / most), 1)]
    return {
        "tickvals": [round(math.log10(value), 6) for value in inside],
        "ticktext": [short(value) for value in inside],
    }


def _percents(scores: Numbers) -> dict[str, Any]:
    """Return ticks of a probability axis in percent."""
    from scipy.stats import norm

    low, high = float(scores.min()) - 0.1, float(scores.max()) + 0.1
    inside = [one for one in _PERCENTS if low <= float(norm.ppf(one / 100)) <= high]
    return {
        "tickvals": [round(float(norm.ppf(one / 100)), 6) for one in inside],
        "ticktext": [f"{one:g}" for one in inside],
    }

"""Histograms as bars: counted here, so that a page holds bins and never rows.

On a log axis the bars stand at log10 of the values with ticks in the values themselves. Values
below detection have an open bar of their own, at the policy's value, and are in no other bar.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting.rows import Rows, groups
from workbench.figures.figure import axis, label
from workbench.figures.palette import AXIS, GROUPS, INK, ONE, short
from workbench.tables.statistics import Sample

if TYPE_CHECKING:
    from workbench.tables.table import Column

Numbers = NDArray[np.float64]
_PANELS = 8
_FEWEST, _MOST = 8, 60


@dataclass(frozen=True)
class Panel:
    """The counts of one group.

    Attributes
    ----------
    name : str
        Group, safe to show; empty where there is one panel.
    centres, counts : ndarray, shape (bins,)
        On the axis of the figure.
    below, above : list of (float, int)
        Place and count of censored values.
    median : float or None
        Place of the median; None where it lies among censored values.
    size : int
        Values, censored ones included.
    """

    name: str
    centres: Numbers
    counts: NDArray[np.int64]
    width: float
    below: list[tuple[float, int]]
    above: list[tuple[float, int]]
    median: float | None
    size: int


def panels(drawn: Rows, column: Column, by: Column | None, *, log: bool) -> list[Panel]:
    """Count the drawn rows into bins that all panels share."""
    series = drawn.frame.series[column.name]
    placed = (
        np.log10(series.values, where=drawn.keep, out=np.zeros_like(series.values))
        if log
        else series.values
    )
    under, over = series.below, series.above
    edges = _edges(placed[drawn.keep])
    found = []
    for name, rows in _groups(drawn, by):
        low, high = rows & under, rows & over
        plain = placed[rows & ~under & ~over]
        counts, _ = np.histogram(plain, edges)
        sample = Sample(
            plain, _limits(series.limit[low], log=log), _limits(series.limit[high], log=log)
        )
        middle = sample.quantile(0.5)
        found.append(
            Panel(
                name,
                (edges[:-1] + edges[1:]) / 2,
                counts,
                float(edges[1] - edges[0]),
                _stacked(placed[low], edges),
                _stacked(placed[high], edges),
                middle if isinstance(middle, int | float) else None,
                int(rows.sum()),
            )
        )
    return found


def _limits(values: Numbers, *, log: bool) -> Numbers:
    known = np.where(values > 0, values, np.nan)
    return np.log10(known) if log else values


def _edges(values: Numbers) -> Numbers:
    """Return equal bins, 8 to 60: by Freedman and Diaconis, and no fewer than the root of n.

    Two far populations have wide quartiles, for which the rule alone gives too few bins.
    """
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.linspace(low - 0.5, high + 0.5, _FEWEST + 1)
    first, third = np.percentile(values, [25, 75])
    width = 2 * (third - first) / np.cbrt(values.size)
    bins = _MOST if width <= 0 else math.ceil((high - low) / width)
    bins = max(bins, math.ceil(math.sqrt(values.size)))
    return np.linspace(low, high, min(max(bins, _FEWEST), _MOST) + 1)


def _groups(drawn: Rows, by: Column | None) -> list[tuple[str, NDArray[np.bool_]]]:
    """Return name and rows of each panel, largest group first."""
    if by is None:
        return [("", drawn.keep)]
    found = groups(drawn.frame.series[by.name], drawn.keep)
    shown = found.names[:_PANELS]
    panels_ = [(label(name), found.codes == place) for place, name in enumerate(shown)]
    for name, rows in (
        (f"{len(found.names) - len(shown)} other groups", found.codes >= len(shown)),
        ("no group", drawn.keep & (found.codes < 0)),
    ):
        if rows.any():
            panels_.append((name, rows))
    return panels_


def _stacked(places: Numbers, edges: Numbers) -> list[tuple[float, int]]:
    """Count censored values by the bin that their place falls in."""
    if not places.size:
        return []
    counts, _ = np.histogram(places, edges)
    middles = (edges[:-1] + edges[1:]) / 2
    return [(float(m), int(n)) for m, n in zip(middles, counts, strict=True) if n]


def draw(
    found: Sequence[Panel], quantity: str, unit: str, *, log: bool
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return traces and layout: one row of bars a panel, one shared axis of values."""
    traces: list[dict[str, Any]] = []
    layout: dict[str, Any] = {"bargap": 0.04, "barmode": "stack", "shapes": [], "annotations": []}
    gap = 0.05 if len(found) > 1 else 0.0
    named: set[str] = set() if len(found) == 1 else {"measured"}
    height = (1 - gap * (len(found) - 1)) / len(found)
    for number, panel in enumerate(found):
        key = "" if number == 0 else str(number + 1)
        top = 1 - number * (height + gap)
        bottom = max(top - height, 0.0)
        colour = ONE if len(found) == 1 else GROUPS[number % len(GROUPS)]
        traces += _bars(panel, f"y{key}", colour, named)
        layout[f"yaxis{key}"] = axis(
            "samples" if len(found) == 1 else "",
            domain=[round(bottom, 4), round(top, 4)],
            rangemode="tozero",
        )
        layout["annotations"] += _words(panel, f"y{key}", unit, log=log)
        layout["shapes"] += _median_line(panel, f"y{key}")
    layout["xaxis"] = axis(
        quantity, anchor=f"y{'' if len(found) == 1 else len(found)}", **_ticks(found, log=log)
    )
    shown = any(panel.below or panel.above for panel in found)
    legend = {"orientation": "h", "x": 1, "xanchor": "right", "y": 1.015, "yanchor": "bottom"}
    layout |= {"showlegend": shown, "legend": legend}
    return traces, layout


def _bars(panel: Panel, y: str, colour: str, named: set[str]) -> list[dict[str, Any]]:
    """Return the bars of a panel; each name stands in the legend once."""
    common = {"type": "bar", "xaxis": "x", "yaxis": y, "width": panel.width * 0.96}
    open_bar = {"color": "#ffffff", "line": {"color": INK, "width": 1}}
    traces = [
        {
            **common,
            "name": "measured",
            "legendgroup": "measured",
            "showlegend": "measured" not in named,
            "x": [round(float(v), 6) for v in panel.centres],
            "y": [int(v) for v in panel.counts],
            "marker": {"color": colour},
            "hovertemplate": "%{y} samples<extra></extra>",
        }
    ]
    for name, stacks, pattern in (
        ("below detection", panel.below, "/"),
        ("above the upper limit", panel.above, "x"),
    ):
        if stacks:
            traces.append(
                {
                    **common,
                    "name": name,
                    "legendgroup": name,
                    "showlegend": name not in named,
                    "x": [round(place, 6) for place, _ in stacks],
                    "y": [count for _, count in stacks],
                    "marker": {
                        **open_bar,
                        "pattern": {"shape": pattern, "fgcolor": AXIS, "size": 6},
                    },
                    "hovertemplate": f"%{{y}} {name}<extra></extra>",
                }
            )
            named.add(name)
    return traces


def _words(panel: Panel, y: str, unit: str, *, log: bool) -> list[dict[str, Any]]:
    """Return the panel's name with n, and the median beside its line."""
    median = ""
    if panel.median is not None:
        middle = short(10**panel.median if log else panel.median)
        median = f"median {middle} {unit}".rstrip()
    words = [f"<b>{panel.name}</b>" if panel.name else "", f"n = {panel.size:,}", median]
    return [
        {
            "text": "   ".join(word for word in words if word),
            "xref": "x domain",
            "yref": f"{y} domain",
            "x": 1,
            "y": 1,
            "xanchor": "right",
            "yanchor": "top",
            "showarrow": False,
            "font": {"size": 12},
            "bgcolor": "rgba(255,255,255,0.8)",
        }
    ]


def _median_line(panel: Panel, y: str) -> list[dict[str, Any]]:
    if panel.median is None:
        return []
    line = {"color": INK, "width": 1.5, "dash": "dash"}
    place = round(float(panel.median), 6)
    return [
        {
            "type": "line",
            "xref": "x",
            "yref": f"{y} domain",
            "x0": place,
            "x1": place,
            "y0": 0,
            "y1": 1,
            "line": line,
        }
    ]


def _ticks(found: Sequence[Panel], *, log: bool) -> dict[str, Any]:
    """Return ticks at 1, 2 and 5 of each power of ten, or at powers alone where there are many."""
    low = float(found[0].centres[0]) - found[0].width / 2
    high = float(found[0].centres[-1]) + found[0].width / 2
    if not log:
        return {"range": [low - found[0].width / 2, high + found[0].width / 2]}
    steps = (1, 2, 5) if high - low < 3 else (1,)  # noqa: PLR2004 - three powers of ten hold nine labels
    powers = range(math.floor(low), math.ceil(high) + 1)
    values = [step * 10.0**power for power in powers for step in steps]
    inside = [value for value in values if low - 0.1 <= math.log10(value) <= high + 0.1]
    return {
        "tickvals": [round(math.log10(value), 6) for value in inside],
        "ticktext": [short(value) for value in inside],
        "range": [low - found[0].width / 2, high + found[0].width / 2],
    }

"""Figures of groups: heat map of levels, curves for each number of groups, tree of merges.

Each is drawn from what a method found, never from rows, so that a page stays small.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.figures.figure import Figure, axis, label
from workbench.figures.palette import AXIS, INK, ONE, SOFT

Numbers = NDArray[np.float64]
# Low is blue and high is orange, as for groups, light enough for dark words; equal is white.
_TWO_WAYS = [[0.0, "#56a5d8"], [0.5, "#ffffff"], [1.0, "#ef8f57"]]
# No ink of the page: on a dark one the cells, and so their words, stay as they are.
_ON_CELLS = "#202124"
# Colours are full from four times the rest on, and from a quarter down.
_FULL = 2.0
MOST_ROWS, MOST_COLUMNS, MOST_LEAVES = 40, 20, 30


def heat_map(
    title: str,
    words: tuple[str, str],
    rows: Sequence[str],
    columns: Sequence[str],
    factors: Numbers,
) -> Figure:
    """Draw how many times the rest each group is, element by element.

    Parameters
    ----------
    title : str
        Safe to show.
    words : tuple of str
        Subtitle and caption, safe to show.
    rows, columns : sequence of str
        Elements and groups, of any text; the first 40 and 20 are drawn.
    factors : ndarray of float64, shape (rows, columns)
        Level of the group over level of the rest; NaN where one is not known.
    """
    shown = factors[:MOST_ROWS, :MOST_COLUMNS]
    z = np.log2(np.where(shown > 0, shown, np.nan))
    trace = {
        "type": "heatmap",
        "z": [[_number(one) for one in line] for line in z],
        "text": [[_times(one) for one in line] for line in shown],
        "texttemplate": "%{text}",
        "textfont": {"color": _ON_CELLS},
        "x": [label(name) for name in columns[:MOST_COLUMNS]],
        "y": [label(name) for name in rows[:MOST_ROWS]],
        "xgap": 2,
        "ygap": 2,
        "zmin": -_FULL,
        "zmax": _FULL,
        "colorscale": _TWO_WAYS,
        "colorbar": {
            "title": {"text": "times the rest"},
            "tickvals": [-2, -1, 0, 1, 2],
            "ticktext": ["¼", "½", "1", "2", "4"],
            "outlinewidth": 0,
        },
        "hovertemplate": "%{y} in %{x}: %{text}<extra></extra>",
    }
    layout = {
        "xaxis": axis("", type="category", side="bottom", showgrid=False),
        "yaxis": axis("", type="category", autorange="reversed", showgrid=False),
    }
    return Figure([trace], layout, title, *words)


def _times(value: float) -> str:
    if not math.isfinite(value) or value <= 0:
        return ""
    return f"{value:.2g}×" if value < 10 else f"{value:,.0f}×"  # noqa: PLR2004 - two digits


def _number(value: float) -> float | None:
    return float(f"{value:.6g}") if math.isfinite(value) else None


def curves(
    title: str,
    words: tuple[str, str],
    found: Mapping[str, Sequence[float]],
    errors: Mapping[str, Sequence[float]],
    taken: int,
) -> Figure:
    """Draw criteria against the number of groups, a panel each.

    Parameters
    ----------
    title : str
        Safe to show.
    words : tuple of str
        Subtitle and caption, safe to show.
    found : mapping
        ``k`` → numbers of groups; each other name → one value for each of them.
    errors : mapping
        Name → standard errors.
    taken : int
        Number of groups that was taken.
    """
    names = [name for name in found if name != "k"]
    traces: list[dict[str, Any]] = []
    line = {"color": SOFT, "width": 1.2, "dash": "dot"}
    layout: dict[str, Any] = {"showlegend": False, "shapes": []}
    for place, name in enumerate(names):
        key = "" if place == 0 else str(place + 1)
        column, row = place % 2, place // 2
        left, top = column * 0.55, 1 - row * 0.56
        traces.append(_curve(name, found, errors, key))
        layout[f"xaxis{key}"] = axis(
            "number of groups" if row else "",
            domain=[left, left + 0.45],
            anchor=f"y{key}",
            dtick=1,
        )
        layout[f"yaxis{key}"] = axis(
            name, domain=[round(max(top - 0.44, 0), 4), round(top, 4)], anchor=f"x{key}"
        )
        layout["shapes"].append(
            {"type": "line", "xref": f"x{key}", "yref": f"y{key} domain", "x0": taken,
             "x1": taken, "y0": 0, "y1": 1, "line": line}
        )  # fmt: skip
    return Figure(traces, layout, title, *words)


def _curve(
    name: str,
    found: Mapping[str, Sequence[float]],
    errors: Mapping[str, Sequence[float]],
    key: str,
) -> dict[str, Any]:
    trace: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "x": list(found["k"]),
        "y": [_number(one) for one in found[name]],
        "xaxis": f"x{key}",
        "yaxis": f"y{key}",
        "line": {"color": ONE, "width": 1.6},
        "marker": {"size": 8, "color": ONE},
        "hovertemplate": "%{x} groups: %{y}<extra></extra>",
    }
    if name in errors:
        bars = [_number(one) for one in errors[name]]
        trace["error_y"] = {"type": "data", "array": bars, "color": AXIS, "thickness": 1.2}
    return trace


def tree(
    title: str,
    words: tuple[str, str],
    merges: Numbers,
    names: Sequence[str] | None,
    k: int,
    distance: str,
) -> Figure:
    """Draw which members merge at which distance, cut into k groups.

    Parameters
    ----------
    title : str
        Safe to show.
    words : tuple of str
        Subtitle and caption, safe to show.
    merges : ndarray of float64, shape (members − 1, 4)
        As scipy's linkage has them.
    names : sequence of str or None
        Members, of any text; their counts if None.
    k : int
        Groups that are cut off.
    distance : str
        Name of the axis.
    """
    from scipy.cluster.hierarchy import dendrogram

    plan = dendrogram(merges, p=MOST_LEAVES, truncate_mode="lastp", no_plot=True)
    trace = {
        "type": "scatter",
        "mode": "lines",
        "x": _broken(plan["dcoord"]),
        "y": _broken(plan["icoord"]),
        "line": {"color": INK, "width": 1.3},
        "hoverinfo": "skip",
    }
    tops = merges[:, 2]
    cut = float(tops[-k] + tops[max(1 - k, -tops.size)]) / 2 if k > 1 else float(tops[-1])
    layout = {
        "showlegend": False,
        "xaxis": axis(distance, range=[0, float(tops[-1]) * 1.03]),
        "yaxis": _leaves([label(_leaf(text, names)) for text in plan["ivl"]]),
        "shapes": [
            {"type": "line", "xref": "x", "yref": "y domain", "x0": cut, "x1": cut, "y0": 0,
             "y1": 1, "line": {"color": ONE, "width": 1.5, "dash": "dash"}}
        ],
    }  # fmt: skip
    return Figure([trace], layout, title, *words)


def _broken(lines: Sequence[Sequence[float]]) -> list[float | None]:
    """Return lines as one, broken between them."""
    return [one for line in lines for one in (*map(_number, line), None)]


def _leaves(names: list[str]) -> dict[str, Any]:
    """Return the axis of leaves, which stand 10 apart from 5 on."""
    return axis(
        "",
        tickvals=[5 + 10 * place for place in range(len(names))],
        ticktext=names,
        tickfont={"size": 11},
        showgrid=False,
        range=[0, 10 * len(names)],
    )


def _leaf(text: str, names: Sequence[str] | None) -> str:
    """Return the name of a leaf, or how many members it stands for."""
    if text.startswith("("):
        return f"{text.strip('()')} {'more' if names else 'samples'}"
    return names[int(text)] if names is not None else "1 sample"

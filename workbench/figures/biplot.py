"""Scores of samples and loadings of columns in one figure.

Arrows share the axes of the scores, stretched by one factor: their directions and relative lengths
tell, not their absolute ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.figures import figure, points
from workbench.figures.figure import Figure, axis, label
from workbench.figures.palette import INK
from workbench.figures.points import Part

Numbers = NDArray[np.float64]
MOST_POINTS = 10_000
MOST_ARROWS = 30
_REACH = 0.9


def draw(
    title: str,
    words: tuple[str, str],
    axes: tuple[str, str],
    parts: Sequence[Part],
    scores: Numbers,
    names: Sequence[str],
    loadings: Numbers,
) -> Figure:
    """Draw two components.

    Parameters
    ----------
    title : str
        Safe to show.
    words, axes : tuple of str
        Subtitle and caption; names of the axes; safe to show.
    parts : sequence of Part
        Rows to draw, by group; their places are places in `scores`.
    scores : ndarray of float64, shape (rows, 2)
        NaN for rows that are not drawn.
    names : sequence of str
        Columns, of any text.
    loadings : ndarray of float64, shape (columns, 2)
        The longest 30 are drawn; none where there are no columns.
    """
    shown = sum(part.rows.size for part in parts)
    scale = points.sign_scale(shown)
    traces = [
        points.trace(scores[part.rows, 0], scores[part.rows, 1], part.name, part.marker, scale)
        for part in parts
    ]
    for trace in traces:
        trace["hoverinfo"] = "name"
    layout: dict[str, Any] = {
        "xaxis": axis(axes[0], zeroline=True, zerolinecolor="#cbd2d9"),
        "yaxis": axis(axes[1], zeroline=True, zerolinecolor="#cbd2d9"),
        "annotations": _arrows(scores, names, loadings),
        "showlegend": len(traces) > 1,
        "legend": figure.legend(),
    }
    return Figure(traces, layout, title, *words)


def longest(loadings: Numbers) -> NDArray[np.intp]:
    """Return places of the longest arrows, longest first."""
    return np.argsort(-np.hypot(*loadings.T), kind="stable")[:MOST_ARROWS]


def _arrows(scores: Numbers, names: Sequence[str], loadings: Numbers) -> list[dict[str, Any]]:
    if not len(names):
        return []
    spread = np.nanpercentile(np.abs(scores), 99, axis=0)
    length = np.abs(loadings).max(axis=0)
    stretch = _REACH * float((spread / np.where(length > 0, length, 1.0)).min())
    found = []
    for place in longest(loadings):
        x, y = (float(f"{one * stretch:.6g}") for one in loadings[place])
        found.append(
            {
                "x": x, "y": y, "ax": 0, "ay": 0, "xref": "x", "yref": "y", "axref": "x",
                "ayref": "y", "showarrow": True, "arrowhead": 2, "arrowsize": 1,
                "arrowwidth": 1.3, "arrowcolor": INK, "text": "",
            }
        )  # fmt: skip
        found.append(
            {
                "x": x, "y": y, "xref": "x", "yref": "y", "showarrow": False,
                "text": label(names[place]), "xanchor": "left" if x >= 0 else "right",
                "yanchor": "bottom" if y >= 0 else "top", "font": {"size": 12, "color": INK},
                "bgcolor": "rgba(255,255,255,0.7)",
            }
        )  # fmt: skip
    return found

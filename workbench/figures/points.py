"""Points of a figure: which rows are drawn, how each is marked, and what was left out.

Censored values are never drawn as if they were measured: they have traces and symbols of their
own. Above 50,000 points a seeded sample stands for the rest, and the extremes are always kept.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting.rows import Groups, Rows
from workbench.figures import figure
from workbench.figures.palette import GROUPS, INK, ONE, OTHER, percentile_classes

if TYPE_CHECKING:
    from workbench.tables.frame import Series
    from workbench.tables.table import Column

Mask = NDArray[np.bool_]
MOST_POINTS = 50_000
# Above this many points the drawing is handed to the graphics card.
_MANY = 4_000
_FEW = 500
# Whole numbers with at most so many different values are group numbers, not quantities.
_MOST_GROUPS = 12
# As much as the top class of a map holds, so that none of its points is left out.
_EXTREME = 2.0


def sampled(drawn: Rows, names: Sequence[str], seed: int) -> tuple[Mask, int | None]:
    """Choose at most 50,000 rows, the lowest and highest 2 % of each column among them.

    Returns
    -------
    mask : ndarray of bool, shape (rows,)
        Rows to draw.
    number : int or None
        How many; None where all are drawn.
    """
    rows = np.flatnonzero(drawn.keep)
    if rows.size <= MOST_POINTS:
        return drawn.keep, None
    extreme = np.zeros(rows.size, dtype=bool)
    for name in names:
        values = drawn.frame.series[name].values[rows]
        low, high = np.percentile(values, [_EXTREME, 100 - _EXTREME])
        extreme |= (values <= low) | (values >= high)
    sure, rest = rows[extreme], rows[~extreme]
    generator = np.random.default_rng(seed)
    if sure.size > MOST_POINTS:
        sure = generator.choice(sure, MOST_POINTS, replace=False)
    more = generator.choice(rest, min(MOST_POINTS - sure.size, rest.size), replace=False)
    mask = np.zeros(drawn.frame.rows, dtype=bool)
    mask[np.concatenate([sure, more])] = True
    return mask, int(mask.sum())


def is_grouping(series: Series) -> bool:
    """Tell whether a column is drawn by group: texts, or a few whole numbers such as clusters."""
    if series.column.kind != "number":
        return True
    if series.column.measured or series.column.role not in {"number", "group", "constant", "text"}:
        return False
    known = series.values[np.isfinite(series.values)]
    return bool(np.all(known == np.round(known))) and np.unique(known).size <= _MOST_GROUPS


def trace(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    name: str,
    marker: Mapping[str, Any],
    scale: float = 1.0,
) -> dict[str, Any]:
    """Return one trace of points, their signs `scale` times as large."""
    kind = "scattergl" if x.size > _MANY else "scatter"
    size = float(f"{marker.get('size', 7) * scale:.3g}")
    return {
        "type": kind,
        "mode": "markers",
        "name": name,
        "x": _list(x),
        "y": _list(y),
        "marker": {
            "line": {"width": 0.5, "color": "rgba(255,255,255,0.85)"},
            **marker,
            "size": size,
        },
    }


def sign_scale(number: int) -> float:
    """Return how large signs are drawn: larger where there are few of them."""
    return 1.35 if number <= _FEW else 1.0 if number <= _MANY else 0.7


def _list(values: NDArray[np.float64]) -> list[float]:
    return [float(f"{value:.10g}") for value in values]


def hover(ids: Sequence[str], axes: Mapping[str, str]) -> dict[str, Any]:
    """Return what a trace shows under the pointer: the sample's name first."""
    lines = [f"{name}: %{{{key}}}" for key, name in axes.items()]
    if ids:
        return {
            "text": list(ids),
            "hovertemplate": "<br>".join(["<b>%{text}</b>", *lines]) + "<extra></extra>",
        }
    return {"hovertemplate": "<br>".join(lines) + "<extra></extra>"}


@dataclass(frozen=True)
class Part:
    """Some of the drawn rows, with one name and one look."""

    name: str
    rows: NDArray[np.intp]
    marker: dict[str, Any]
    legend: bool = True

    @classmethod
    def counted(cls, name: str, rows: NDArray[np.intp], marker: dict[str, Any]) -> Part:
        """Name a part with its number of rows."""
        return cls(f"{name}  (n = {rows.size:,})", rows, marker)

    def opened(self, under: Mask, over: Mask) -> list[Part]:
        """Split off the rows that are censored, as open signs in the colour of this part.

        The part keeps its name, and with it the n of all its rows.
        """
        plain = self.rows[~under[self.rows] & ~over[self.rows]]
        found = [Part(self.name, plain, self.marker)] if plain.size else []
        for mask, shape in ((under, "circle"), (over, "diamond")):
            rows = self.rows[mask[self.rows]]
            if rows.size:
                symbol = {"symbol": f"{shape}-open", "line": {"width": 1.2}}
                found.append(Part(self.name, rows, {**self.marker, **symbol}, legend=not found))
        return found


def explained(parts: Sequence[Part], symbol: str, words: str, number: int) -> list[Part]:
    """Give the first part of an open sign that no legend names a legend of what the sign means."""
    found = list(parts)
    for place, part in enumerate(found):
        if part.marker.get("symbol") == symbol and not part.legend:
            found[place] = replace(part, name=f"{words}  (n = {number:,})", legend=True)
            break
    return found


def by_group(found: Groups, keep: Mask) -> list[Part]:
    """Split rows by group: the ten largest get a colour each, the others share one.

    Parameters
    ----------
    found : Groups
        The group of each row in use.
    keep : ndarray of bool, shape (rows,)
        Rows in use; those without a group come last.
    """
    shown = min(len(found.names), len(GROUPS))
    parts = [
        Part.counted(
            figure.label(found.names[place]),
            np.flatnonzero(found.codes == place),
            {"color": GROUPS[place], "size": 7},
        )
        for place in sorted(range(shown), key=lambda place: _natural(found.names[place]))
    ]
    for name, rows in (
        (f"{len(found.names) - shown} other groups", np.flatnonzero(found.codes >= shown)),
        ("no group", np.flatnonzero(keep & (found.codes < 0))),
    ):
        if rows.size:
            parts.append(Part.counted(name, rows, {"color": OTHER, "size": 6}))
    return parts


def _natural(name: str) -> tuple[int, float, str]:
    """Sort numbers as numbers and before words."""
    try:
        return (0, float(name), "")
    except ValueError:
        return (1, 0.0, name)


def by_class(series: Series, rows: NDArray[np.intp], unit: str) -> list[Part]:
    """Split rows by percentile class, lowest first; censored rows come before and after."""
    under, over = series.below, series.above
    low, plain = rows[under[rows]], rows[~under[rows] & ~over[rows]]
    parts = []
    if low.size:
        look = {"color": "#7b8794", "size": 6, "symbol": "circle-open", "line": {"width": 1.2}}
        parts.append(Part.counted("below detection", low, look))
    if plain.size:
        for item in percentile_classes(series.values[plain], unit):
            look = {"color": item.colour, "size": item.size}
            parts.append(Part(item.label, plain[item.members], look))
    high = rows[over[rows]]
    if high.size:
        look = {"color": "#4a1150", "size": 13, "symbol": "diamond-open", "line": {"width": 2}}
        parts.append(Part.counted("above the upper limit", high, look))
    return parts


def all_alike(rows: NDArray[np.intp]) -> list[Part]:
    """Return all rows as one part."""
    return [Part.counted("samples", rows, {"color": ONE, "size": 7})]


def scale_bar(drawn: Rows, across: Column, up: Column) -> dict[str, Any]:
    """Return a scale bar and a north sign for a map in metres; nothing for other maps."""
    if (across.role, up.role) != ("easting", "northing"):
        return {}
    x = drawn.frame.series[across.name].values[drawn.keep]
    y = drawn.frame.series[up.name].values[drawn.keep]
    length = _nice((float(x.max()) - float(x.min())) / 5)
    if not length > 0:
        return {}
    left = float(x.min())
    base = float(y.min()) - 0.06 * max(float(y.max() - y.min()), length)
    line = {"color": INK, "width": 3}
    word = f"{length / 1000:g} km" if length >= 1000 else f"{length:g} m"  # noqa: PLR2004 - metres to a kilometre
    text = {"showarrow": False, "font": {"size": 12, "color": INK}}
    return {
        "shapes": [
            {"type": "line", "x0": left, "x1": left + length, "y0": base, "y1": base, "line": line}
        ],
        "annotations": [
            {**text, "x": left + length / 2, "y": base, "text": word, "yshift": -12},
            {**text, "xref": "x domain", "yref": "y domain", "x": 0.985, "y": 0.97,
             "xanchor": "right", "yanchor": "top", "text": "▲<br>N", "align": "center"},
        ],
    }  # fmt: skip


def _nice(length: float) -> float:
    """Return the largest 1, 2 or 5 times a power of ten within a length; 0 for none."""
    if not length > 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(length))
    return max(step * power for step in (1, 2, 5) if step * power <= length * (1 + 1e-9))

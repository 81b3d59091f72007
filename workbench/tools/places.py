"""Where anomalous samples lie together: neighbours within a distance, and their elements.

Distances are in metres on the grid of the file; degrees are turned into local metres and said so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import identity, numeric, one_zone
from workbench.accounting.rows import Rows
from workbench.errors import Refused
from workbench.reply import Made, Reply
from workbench.tables import thresholds
from workbench.tables.statistics import rounded
from workbench.tools.context import Context
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
_FEWEST = 20
_SHOWN = 12
# Metres of one degree of latitude on a sphere of the Earth's mean radius.
METRES_OF_DEGREE = 111_195.0


@dataclass(frozen=True)
class Group:
    """Anomalous samples that are neighbours.

    Attributes
    ----------
    rows : ndarray of int64
        Places in the table.
    elements : dict of str to int
        Column → samples of the group above its threshold.
    centre : tuple of float
        Mean coordinates as the file has them.
    places : int
        Different coordinates among them; repeats of one spot are one.
    across : float
        Largest distance between two of its samples along either axis, in metres.
    """

    rows: NDArray[np.int64]
    elements: dict[str, int]
    centre: tuple[float, float]
    places: int
    across: float


@tool(effect="derive")
def anomaly_groups(
    context: Context,
    path: str,
    columns: list[str],
    radius: float,
    k: float = 2.0,
    sheet: str | None = None,
) -> Reply:
    """Find anomalies of more than one sample or element: neighbours within a radius in metres.

    A sample is anomalous in a column above median + k MAD of log10. Groups are ranked by elements,
    then samples; lone samples, and repeats at one place, are counted apart.

    Parameters
    ----------
    path : str
        File or result path.
    columns : list of str
        Number columns.
    radius : float
        Metres between neighbours; about the sample spacing, or twice.
    k : float
        Spreads above the median.
    sheet : str
        Sheet of a workbook.
    """
    if not (np.isfinite(radius) and radius > 0 and np.isfinite(k)):
        raise Refused(f"anomaly_groups radius={radius:g}: give metres above 0")
    table = context.table(path, sheet)
    chosen = numeric(table, columns)
    across, up = axes(table)
    listed = [column.name for column in chosen]
    rows = Rows.of(context.connection.frame(table, [*listed, across.name, up.name]))
    rows.need_numbers([across.name, up.name], positive=False)
    rows.need_some(_FEWEST, "anomaly_groups")
    high, limits = _high(rows, chosen, k)
    metres, grid = metres_of(rows, across, up)
    found = _groups(rows, high, listed, metres, radius, (across.name, up.name))
    made = _written(context, path, table, rows, high, found)
    values: dict[str, Any] = {
        "columns": [facts.name(name) for name in listed[:20]],
        "rule": f"median + {k:g} × MAD (scaled by {thresholds.MAD_SCALE}) of log10, by column",
        "thresholds": {facts.name(name): rounded(one) for name, one in limits.items()},
        "radius_m": rounded(radius),
        "distances": grid,
        **rows.facts(),
        "anomalous_samples": int(high.any(axis=1).sum()),
        **_told(found),
        "censored": facts.censored(chosen),
        "policy": facts.HALF,
        "output": facts.output(made.path),
    }
    return Reply(values, made=(made,))


def _told(found: list[Group]) -> dict[str, Any]:
    """Return the counts of the groups, and the first ones."""
    several = [one for one in found if one.places > 1]
    repeats = sum(one.rows.size > 1 for one in found) - len(several)
    values: dict[str, Any] = {
        "groups": len(several),
        "groups_of_several_elements": sum(len(one.elements) > 1 for one in several),
        "lone_samples": len(found) - len(several) - repeats,
        **({"repeats_at_one_place": repeats} if repeats else {}),
    }
    for number, one in enumerate(several[:_SHOWN], start=1):
        values[f"group {number}"] = {
            "samples": int(one.rows.size),
            **({"places": one.places} if one.places < one.rows.size else {}),
            "elements": {facts.name(name): count for name, count in one.elements.items()},
            "centre": [rounded(axis) for axis in one.centre],
            "across_m": rounded(one.across, 3),
        }
    return values


def axes(table: Table) -> tuple[Column, Column]:
    """Return the coordinate columns.

    Raises
    ------
    Refused
        If the table has no pair of them.
    """
    for first, second in (("easting", "northing"), ("longitude", "latitude")):
        found = table.with_role(first)[:1] + table.with_role(second)[:1]
        if len(found) == 2 and all(column.kind == "number" for column in found):  # noqa: PLR2004 - a pair
            if first == "easting":
                one_zone(table)
            return found[0], found[1]
    raise Refused(
        f"'{table.name}': no pair of coordinate columns (easting and northing, or longitude and "
        "latitude) was found; set role with a reader override, or use a table that has them"
    )


def _high(rows: Rows, columns: tuple[Column, ...], k: float) -> tuple[Mask, dict[str, float]]:
    """Tell which rows lie above each column's threshold, and the thresholds."""
    high = np.zeros((rows.frame.rows, len(columns)), dtype=bool)
    limits = {}
    for place, column in enumerate(columns):
        series = rows.frame.series[column.name]
        good = rows.keep & np.isfinite(series.values) & (series.values > 0)
        if int(good.sum()) < _FEWEST:
            raise Refused(
                f"column '{facts.name(column.name)}': {int(good.sum())} usable values, "
                f"{_FEWEST} are needed; leave it out"
            )
        told = thresholds.threshold(np.log10(series.values[good]), "mad", k, 0)
        if not np.isfinite(told.value):
            raise Refused(
                f"column '{facts.name(column.name)}': {told.reason}; leave it out, or use anomaly "
                "with method percentile"
            )
        limits[column.name] = float(10**told.value)
        high[:, place] = good & (series.values > limits[column.name]) & ~series.below
    return high, limits


def metres_of(rows: Rows, across: Column, up: Column) -> tuple[Numbers, str]:
    """Return places in metres, of shape (rows, 2), and what they are metres of."""
    x, y = rows.frame.series[across.name].values, rows.frame.series[up.name].values
    if across.role == "easting":
        return np.column_stack([x, y]), "metres of the file's grid"
    middle = float(np.nanmean(y[rows.keep]))
    scale = METRES_OF_DEGREE * np.array([np.cos(np.radians(middle)), 1.0])
    return np.column_stack([x, y]) * scale, f"local metres at latitude {middle:.3f} from degrees"


def _groups(
    rows: Rows,
    high: Mask,
    names: list[str],
    metres: Numbers,
    radius: float,
    axes: tuple[str, str],
) -> list[Group]:
    """Join anomalous samples that are neighbours, directly or through others."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    spots = np.flatnonzero(high.any(axis=1))
    if not spots.size:
        return []
    pairs = cKDTree(metres[spots]).query_pairs(radius, output_type="ndarray")
    ones = np.ones(len(pairs), dtype=np.int8)
    graph = coo_matrix((ones, (pairs[:, 0], pairs[:, 1])), shape=(spots.size, spots.size))
    count, labels = connected_components(graph, directed=False)
    given = [rows.frame.series[axis].values for axis in axes]
    found = []
    for label in range(count):
        inside = spots[labels == label]
        times = high[inside].sum(axis=0)
        elements = {name: int(n) for name, n in zip(names, times, strict=True) if n}
        centre = (float(given[0][inside].mean()), float(given[1][inside].mean()))
        span = metres[inside].max(axis=0) - metres[inside].min(axis=0)
        places = len(np.unique(metres[inside], axis=0))
        found.append(Group(inside, elements, centre, places, float(span.max())))
    return sorted(
        found,
        key=lambda one: (one.places < 2, -len(one.elements), -one.rows.size, int(one.rows[0])),  # noqa: PLR2004 - a pair
    )


def _written(
    context: Context, path: str, table: Table, rows: Rows, high: Mask, found: list[Group]
) -> Made:
    """Write every anomalous sample with the number of its group."""
    number = np.zeros(rows.frame.rows, dtype=np.int64)
    for place, one in enumerate(found, start=1):
        number[one.rows] = place
    measured = [name for name in rows.frame.series if table.column(name).measured]
    return results.write_beside(
        context,
        table,
        context.named(path, "anomaly_groups"),
        {"anomaly_group": number, "elements_above": high.sum(axis=1)},
        names=identity(table, *measured),
        used=number > 0,
        by="anomaly_group",
    )[0]

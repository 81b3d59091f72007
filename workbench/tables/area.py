"""How much ground lies at or above each concentration: places are gridded, and cells counted.

Pure functions. A break of the curve is a proposal: it is where straight lines fit best.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
# Cells of a grid; more would only draw the same curve finer.
MOST_CELLS = 200_000
_NEAREST = 8
# Cells farther from a sample than so many spacings are unknown ground.
_REACH = 2.0
_FEWEST = 20


@dataclass(frozen=True)
class Area:
    """Concentration against area.

    Attributes
    ----------
    logs : ndarray of float64, shape (cells,)
        log10 of the concentration of each cell, rising.
    area : ndarray of float64, shape (cells,)
        Square metres at or above it.
    cell : float
        Side of a cell in metres.
    places : int
        Different places among the samples.
    """

    logs: Numbers
    area: Numbers
    cell: float
    places: int


def concentration_area(metres: Numbers, logs: Numbers) -> Area | None:
    """Grid log10 concentrations and sum the area at or above each.

    Parameters
    ----------
    metres : ndarray of float64, shape (n, 2)
        Places.
    logs : ndarray of float64, shape (n,)
        log10 of the values; samples of one place are averaged.

    Returns
    -------
    Area or None
        None where there are fewer than 20 places, or they lie on a line.

    Notes
    -----
    Cheng, Agterberg and Ballantyne (1994), Journal of Geochemical Exploration 51, 109-130. Cells
    are half the median spacing wide and take the mean of the 8 nearest places, weighted by one
    over the squared distance; cells more than two spacings from any sample are left out.
    """
    from scipy.spatial import cKDTree

    places, at = np.unique(metres, axis=0, return_inverse=True)
    count = np.bincount(at.ravel(), minlength=len(places))
    mean = np.bincount(at.ravel(), weights=logs, minlength=len(places)) / count
    span = np.ptp(places, axis=0)
    if len(places) < _FEWEST or not bool(np.all(span > 0)):
        return None
    known = cKDTree(places)
    spacing = float(np.median(known.query(places, k=[2])[0]))
    cell = max(spacing / 2, float(np.sqrt(span.prod() / MOST_CELLS)))
    axes = [
        np.arange(low + cell / 2, low + wide + cell, cell)
        for low, wide in zip(places.min(axis=0), span, strict=True)
    ]
    if axes[0].size * axes[1].size > 4 * MOST_CELLS:
        return None
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    away, near = known.query(nodes, k=min(_NEAREST, len(places)))
    inside = away[:, 0] <= max(_REACH * spacing, cell)
    weight = 1 / np.maximum(away[inside], cell * 1e-6) ** 2
    values = np.sort((weight * mean[near[inside]]).sum(axis=1) / weight.sum(axis=1))
    area = (values.size - np.arange(values.size)) * cell**2
    return Area(values, area.astype(np.float64), cell, len(places))

"""Straight pieces through points: where a curve bends, found by least squares.

Pure functions. A break is a proposal: it is where straight lines fit best, not proof of two
populations.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
# Points that the fit is found on; more are thinned evenly along the curve.
POINTS = 300
# Fewest points of a piece.
_FEWEST = 5


@dataclass(frozen=True)
class Pieces:
    """A curve as straight pieces.

    Attributes
    ----------
    breaks : tuple of float
        Where pieces meet, on the x axis, in rising order.
    slopes : tuple of float
        Of each piece.
    r2 : float
        Share of the variance of y that the pieces explain.
    """

    breaks: tuple[float, ...]
    slopes: tuple[float, ...]
    r2: float


def pieces(x: Numbers, y: Numbers, count: int) -> Pieces | None:
    """Fit `count` straight pieces, each by least squares of its own.

    Parameters
    ----------
    x, y : ndarray of float64, shape (n,)
        Points in rising order of x.
    count : int
        Pieces, from 1.

    Returns
    -------
    Pieces or None
        None where there are too few points.

    Notes
    -----
    Exact over all places of the breaks, by dynamic programming (Bellman and Roth, 1969, Journal of
    the American Statistical Association 64, 1079-1084). A break is put half-way between the last
    point of one piece and the first of the next.
    """
    if x.size > POINTS:
        picked = np.linspace(0, x.size - 1, POINTS).round().astype(int)
        x, y = x[picked], y[picked]
    if x.size < count * _FEWEST:
        return None
    cost, slope = _costs(x, y)
    best, cut = cost[0], np.zeros((count, x.size), dtype=int)
    for level in range(1, count):
        tried = np.full((x.size, x.size), np.inf)
        tried[1:] = best[:-1, None] + cost[1:]
        cut[level], best = tried.argmin(axis=0), tried.min(axis=0)
    if not np.isfinite(best[-1]):
        return None
    starts, end = [], x.size - 1
    for level in range(count - 1, 0, -1):
        starts.append(int(cut[level, end]))
        end = starts[-1] - 1
    starts = [0, *reversed(starts)]
    ends = [*(start - 1 for start in starts[1:]), x.size - 1]
    total = float(((y - y.mean()) ** 2).sum())
    return Pieces(
        tuple(float((x[start - 1] + x[start]) / 2) for start in starts[1:]),
        tuple(float(slope[first, last]) for first, last in zip(starts, ends, strict=True)),
        1 - float(best[-1]) / total if total else 1.0,
    )


def _costs(x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
    """Return the squared error and slope of a line through points i to j, for every i and j."""
    size = x.size
    x, y = x - x.mean(), y - y.mean()

    def sums(values: Numbers) -> Numbers:
        whole = np.concatenate([[0.0], np.cumsum(values)])
        found: Numbers = whole[None, 1:] - whole[:-1, None]
        return found

    n = np.arange(size)[None, :] - np.arange(size)[:, None] + 1.0
    safe = np.where(n > 0, n, 1)
    xx = sums(x * x) - sums(x) ** 2 / safe
    xy = sums(x * y) - sums(x) * sums(y) / safe
    yy = sums(y * y) - sums(y) ** 2 / safe
    flat = xx <= 1e-12 * max(float((x * x).sum()), 1e-300)
    slope = np.where(flat, 0.0, xy / np.where(flat, 1.0, xx))
    cost = np.where(n >= _FEWEST, np.clip(yy - slope * xy, 0, None), np.inf)
    return cost, slope


def probability_points(values: Numbers) -> tuple[Numbers, Numbers]:
    """Return the points of a normal probability plot: value against normal score.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
        In any order.

    Returns
    -------
    x, y : ndarray of float64, shape (n,)
        Sorted values, and scores at the plotting positions (i − 0.5) / n (Hazen).
    """
    from scipy.stats import norm

    ordered = np.sort(values)
    places = (np.arange(1, ordered.size + 1) - 0.5) / ordered.size
    return ordered, np.asarray(norm.ppf(places))

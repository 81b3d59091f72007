"""Running means and medians down a hole: every sample counts by the length it has in the window.

Pure functions. Nothing crosses from one hole to another, and a gap stays a gap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Whole = NDArray[np.int64]
# Samples times neighbours that are gone through in some ten seconds.
MOST_WORK = 300_000_000
_CHUNK = 2_000_000


@dataclass(frozen=True)
class Order:
    """Samples in the order of hole and depth.

    Attributes
    ----------
    place : ndarray of int64, shape (n,)
        Row of each.
    hole : ndarray of int64, shape (n,)
        Number of its hole.
    top, bottom : ndarray of float64, shape (n,)
        Its interval; equal for points.
    reach : int
        Neighbours on one side that a window can hold.
    """

    place: Whole
    hole: Whole
    top: Numbers
    bottom: Numbers
    reach: int


def ordered(hole: Whole, top: Numbers, bottom: Numbers, window: float) -> Order:
    """Sort samples and find how many neighbours a window can hold."""
    middle = (top + bottom) / 2
    place = np.lexsort((middle, hole))
    hole = hole[place]
    top, bottom, middle = top[place], bottom[place], middle[place]
    longest = float((bottom - top).max(initial=0.0))
    reach = 0
    starts = np.flatnonzero(np.append(True, hole[1:] != hole[:-1]))
    for first, last in zip(starts, np.append(starts[1:], hole.size), strict=True):
        one = middle[first:last]
        far = np.searchsorted(one, one + (window + longest) / 2, side="right")
        reach = max(reach, int((far - np.arange(one.size)).max(initial=1)) - 1)
    return Order(place.astype(np.int64), hole, top, bottom, reach)


def smoothed(order: Order, values: Numbers, window: float, *, median: bool) -> Numbers:
    """Return a running mean or median, weighted by the length of each sample in the window.

    Parameters
    ----------
    order : Order
        From `ordered`, with the same window.
    values : ndarray of float64, shape (n,)
        By row, NaN for gaps.
    window : float
        Width, in the unit of the depths; centred on the middle of each sample. A point counts
        whole where it lies in the window.
    median : bool
        The value at which half of the weight is reached, in place of the mean.
    """
    given = values[order.place]
    found = np.full(given.size, np.nan)
    step = max(_CHUNK // (2 * order.reach + 1), 1) if median else given.size
    for first in range(0, given.size, max(step, 1)):
        rows = np.arange(first, min(first + step, given.size))
        found[rows] = (_medians if median else _means)(order, given, window, rows)
    whole = np.full(values.size, np.nan)
    whole[order.place] = np.where(np.isfinite(given), found, np.nan)
    return whole


def _weights(order: Order, given: Numbers, window: float, rows: Whole, shift: int) -> Numbers:
    """Return the weight of the neighbour `shift` places on; 0 outside window, hole and table."""
    at = np.clip(rows + shift, 0, given.size - 1)
    middle = (order.top[rows] + order.bottom[rows]) / 2
    low, high = middle - window / 2, middle + window / 2
    top, bottom = order.top[at], order.bottom[at]
    length = np.minimum(bottom, high) - np.maximum(top, low)
    points = (bottom == top) & (top >= low) & (top <= high)
    weight = np.where(points, 1.0, np.maximum(length, 0.0))
    same = (at == rows + shift) & (order.hole[at] == order.hole[rows]) & np.isfinite(given[at])
    chosen: Numbers = np.where(same, weight, 0.0)
    return chosen


def _means(order: Order, given: Numbers, window: float, rows: Whole) -> Numbers:
    total, mass = np.zeros(rows.size), np.zeros(rows.size)
    for shift in range(-order.reach, order.reach + 1):
        weight = _weights(order, given, window, rows, shift)
        at = np.clip(rows + shift, 0, given.size - 1)
        total += weight * np.where(weight > 0, given[at], 0.0)
        mass += weight
    means: Numbers = np.where(mass > 0, total / np.where(mass > 0, mass, 1.0), np.nan)
    return means


def _medians(order: Order, given: Numbers, window: float, rows: Whole) -> Numbers:
    shifts = range(-order.reach, order.reach + 1)
    weight = np.column_stack([_weights(order, given, window, rows, one) for one in shifts])
    at = np.clip(rows[:, None] + np.array(shifts)[None, :], 0, given.size - 1)
    values = np.where(weight > 0, given[at], np.inf)
    by = np.argsort(values, axis=1, kind="stable")
    values, weight = np.take_along_axis(values, by, 1), np.take_along_axis(weight, by, 1)
    share = np.cumsum(weight, axis=1)
    half = share[:, -1:] / 2
    first = (share >= half - 1e-12 * half).argmax(axis=1)
    line = np.arange(rows.size)
    middle = values[line, first]
    # Half the weight exactly: the mean of this value and the next, as for a plain median.
    even = np.abs(share[line, first] - half[:, 0]) <= 1e-12 * np.maximum(half[:, 0], 1e-300)
    after = values[line, np.minimum(first + 1, values.shape[1] - 1)]
    found = np.where(even & np.isfinite(after), (middle + after) / 2, middle)
    medians: Numbers = np.where(half[:, 0] > 0, found, np.nan)
    return medians

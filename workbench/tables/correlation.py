"""Correlation of every pair of columns over the rows in which both have a number.

Pure functions over a matrix with NaN where a value is not to be used. The number of pairs comes
with every coefficient; a coefficient over a constant is NaN, never 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Method = Literal["pearson", "spearman"]
# Relative variance below which a column counts as constant: what rounding leaves of equal values.
_CONSTANT = 1e-12


@dataclass(frozen=True)
class Correlations:
    """Coefficients and pair counts, both of shape (columns, columns)."""

    r: Numbers
    n: NDArray[np.int64]


def correlations(values: Numbers, method: Method) -> Correlations:
    """Correlate every pair of columns.

    Parameters
    ----------
    values : ndarray of float64, shape (rows, columns)
        NaN where a value is not to be used.
    method : {"pearson", "spearman"}
        Product-moment correlation of the values or of their mid-ranks.

    Returns
    -------
    Correlations
        Ranks are taken anew within the rows that a pair shares.
    """
    if method == "pearson":
        return _pearson(values)
    return _spearman(values)


def _pearson(values: Numbers) -> Correlations:
    """Return pairwise-complete product-moment correlation by sums over shared rows."""
    known = np.isfinite(values)
    count = np.maximum(known.sum(axis=0), 1)
    filled = np.where(known, values, 0.0)
    centred = np.where(known, values - filled.sum(axis=0) / count, 0.0)
    spread = np.sqrt((centred**2).sum(axis=0) / count)
    scaled = centred / np.where(spread > 0, spread, 1.0)
    mask = known.astype(np.float64)
    n = mask.T @ mask
    pairs = np.maximum(n, 1)
    sums = scaled.T @ mask
    squares = (scaled**2).T @ mask
    covariance = scaled.T @ scaled - sums * sums.T / pairs
    variance = (squares - sums**2 / pairs) / pairs
    product = variance * variance.T
    usable = (variance > _CONSTANT) & (variance.T > _CONSTANT) & (n > 1)
    r = np.full(n.shape, np.nan)
    r[usable] = covariance[usable] / pairs[usable] / np.sqrt(product[usable])
    return Correlations(np.clip(r, -1.0, 1.0), n.astype(np.int64))


def _spearman(values: Numbers) -> Correlations:
    """Return rank correlation; columns with the same gaps are ranked together."""
    known = np.isfinite(values)
    numbers: dict[bytes, int] = {}
    gaps = [np.packbits(column).tobytes() for column in known.T]
    kind = np.array([numbers.setdefault(gap, len(numbers)) for gap in gaps])
    width = values.shape[1]
    r, n = np.full((width, width), np.nan), np.zeros((width, width), dtype=np.int64)
    for first in range(len(numbers)):
        for second in range(first, len(numbers)):
            a, b = np.flatnonzero(kind == first), np.flatnonzero(kind == second)
            rows = known[:, a[0]] & known[:, b[0]]
            columns = np.union1d(a, b)
            part = _of_ranks([values[rows, at] for at in columns])
            wanted = np.ix_(np.isin(columns, a), np.isin(columns, b))
            r[np.ix_(a, b)], n[np.ix_(a, b)] = part[wanted], rows.sum()
            r[np.ix_(b, a)], n[np.ix_(b, a)] = part[wanted].T, rows.sum()
    return Correlations(r, n)


def _of_ranks(columns: Sequence[Numbers]) -> Numbers:
    """Return the rank correlation of columns without gaps; NaN beside a constant one."""
    from scipy.stats import rankdata

    # The mean of mid-ranks is known, and exact: those of a constant column differ from it by 0.
    centred = np.array([rankdata(one) - (len(one) + 1) / 2 for one in columns])
    products = centred @ centred.T
    spread = np.sqrt(np.diag(products))
    spread[spread == 0] = np.nan
    found: Numbers = np.clip(products / spread / spread[:, None], -1.0, 1.0)
    return found

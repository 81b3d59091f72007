"""k-means groups of samples: seeded, standardised, and numbered so that labels repeat.

Pure functions over a matrix without gaps. Group 1 is the largest; names stay neutral.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Labels = NDArray[np.int64]
# Silhouettes need all distances: above this many rows a seeded sample stands for them.
SILHOUETTE_ROWS = 5_000
_STARTS = 10


@dataclass(frozen=True)
class Groups:
    """Groups of samples.

    Attributes
    ----------
    labels : ndarray of int64, shape (rows,)
        From 1 to k, by size, largest first; equal sizes by the first column's mean.
    silhouette : float
        Mean silhouette width, from −1 to 1; NaN where every row is its own group.
    sampled : int
        Rows that the silhouette was taken over.
    within : float
        Sum of squared distances to the group means, on the standardised scale.
    """

    labels: Labels
    silhouette: float
    sampled: int
    within: float


def standardised(values: Numbers) -> Numbers:
    """Return each column less its mean, over its standard deviation (n)."""
    scaled: Numbers = (values - values.mean(axis=0)) / values.std(axis=0)
    return scaled


def k_means(values: Numbers, k: int, seed: int) -> Groups:
    """Group rows by k-means with ten seeded starts.

    Parameters
    ----------
    values : ndarray of float64, shape (rows, columns)
        Standardised, without gaps.
    k : int
        Groups, from 2 to the number of rows.
    seed : int
        Seed of the starts and of the silhouette's sample.

    Notes
    -----
    One thread, so that sums are taken in the same order every time.
    """
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(1):
        model = KMeans(n_clusters=k, n_init=_STARTS, random_state=seed).fit(values)
        labels = _ordered(np.asarray(model.labels_, dtype=np.int64), values[:, 0], k)
        width, sampled = _silhouette(values, labels, seed)
    return Groups(labels, width, sampled, float(model.inertia_))


def _ordered(found: Labels, first: Numbers, k: int) -> Labels:
    """Renumber groups from 1 by size, then by the mean of the first column."""
    sizes = np.bincount(found, minlength=k)
    means = np.bincount(found, weights=first, minlength=k) / np.maximum(sizes, 1)
    order = sorted(range(k), key=lambda group: (-int(sizes[group]), float(means[group])))
    number = np.empty(k, dtype=np.int64)
    number[order] = np.arange(1, k + 1)
    renumbered: Labels = number[found]
    return renumbered


def _silhouette(values: Numbers, labels: Labels, seed: int) -> tuple[float, int]:
    from sklearn.metrics import silhouette_score

    rows = values.shape[0]
    if rows > SILHOUETTE_ROWS:
        picked = np.random.default_rng(seed).choice(rows, SILHOUETTE_ROWS, replace=False)
        values, labels = values[picked], labels[picked]
    kinds = np.unique(labels).size
    if not 2 <= kinds < labels.size:  # noqa: PLR2004 - a silhouette compares two groups or more
        return float("nan"), labels.size
    return float(silhouette_score(values, labels)), labels.size

"""Recover the planted populations by k-means, in numpy alone, to state how separable they are.

Invariant: this is the planted truth's own check of itself; the tests repeat it with scikit-learn.
"""

import numpy as np
from generate_lab import Floats
from numpy.typing import NDArray

STARTS = 25
ROUNDS = 100


def standardised(values: Floats) -> Floats:
    """Centre and scale log10 of positive values, shape (n, p), by columns."""
    logs = np.log10(values)
    scaled: Floats = (logs - logs.mean(axis=0)) / logs.std(axis=0)
    return scaled


def kmeans(points: Floats, groups: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Lloyd's algorithm from random rows; the labels of the tightest of `STARTS` results."""
    best, labels = np.inf, np.zeros(len(points), dtype=np.int64)
    for _ in range(STARTS):
        centres = points[rng.choice(len(points), groups, replace=False)]
        for _ in range(ROUNDS):
            squared = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
            nearest = squared.argmin(axis=1)
            moved = np.array([points[nearest == k].mean(axis=0) for k in range(groups)])
            if np.array_equal(moved, centres):
                break
            centres = moved
        inertia = float(squared.min(axis=1).sum())
        if inertia < best:
            best, labels = inertia, nearest
    return labels


def adjusted_rand(first: NDArray[np.int64], second: NDArray[np.int64]) -> float:
    """Compare two labellings of shape (n,): adjusted Rand index, Hubert and Arabie (1985)."""
    table = np.zeros((first.max() + 1, second.max() + 1))
    np.add.at(table, (first, second), 1)
    together = _pairs(table).sum()
    rows, columns = _pairs(table.sum(axis=1)).sum(), _pairs(table.sum(axis=0)).sum()
    expected = rows * columns / _pairs(np.array(float(len(first))))
    return float((together - expected) / ((rows + columns) / 2.0 - expected))


def _pairs(count: Floats) -> Floats:
    return count * (count - 1.0) / 2.0

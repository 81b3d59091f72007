"""Labels of groups: numbered so that they repeat, and how far apart the groups lie.

Pure functions. Group 1 is the largest, 0 stands for rows of no group.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Labels = NDArray[np.int64]
# Silhouettes need all distances: above this many rows a seeded sample stands for them.
SILHOUETTE_ROWS = 5_000
_FEWEST_APART = 2


def ordered(found: Labels, first: Numbers) -> Labels:
    """Renumber groups from 1 by size, then by the mean of the first column; below 0 becomes 0."""
    inside = found >= 0
    kinds, place = np.unique(found[inside], return_inverse=True)
    sizes = np.bincount(place, minlength=kinds.size)
    means = np.bincount(place, weights=first[inside], minlength=kinds.size) / np.maximum(sizes, 1)
    order = sorted(range(kinds.size), key=lambda one: (-int(sizes[one]), float(means[one])))
    number = np.empty(kinds.size, dtype=np.int64)
    number[order] = np.arange(1, kinds.size + 1)
    renumbered = np.zeros(found.size, dtype=np.int64)
    renumbered[inside] = number[place]
    return renumbered


def silhouette(values: Numbers, labels: Labels, seed: int) -> tuple[float, int]:
    """Return the mean silhouette width of the rows in groups, and over how many it was taken."""
    from sklearn.metrics import silhouette_score

    inside = labels > 0
    if not inside.all():
        values, labels = values[inside], labels[inside]
    rows = values.shape[0]
    if rows > SILHOUETTE_ROWS:
        picked = np.random.default_rng(seed).choice(rows, SILHOUETTE_ROWS, replace=False)
        values, labels = values[picked], labels[picked]
    kinds = np.unique(labels).size
    if not _FEWEST_APART <= kinds < labels.size:
        return float("nan"), labels.size
    return float(silhouette_score(values, labels)), labels.size


def dispersion(values: Numbers, labels: Labels) -> float:
    """Return the sum of squared distances of rows in groups to their group's mean."""
    total = 0.0
    for number in range(1, int(labels.max(initial=0)) + 1):
        part = values[labels == number]
        total += float(((part - part.mean(axis=0)) ** 2).sum()) if part.size else 0.0
    return total

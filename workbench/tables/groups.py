"""Groups of samples by several methods: seeded, and numbered so that labels repeat.

Pure functions over a matrix without gaps. Group 1 is the largest, 0 stands for samples of no
group; names stay neutral. What needs all distances is found on a seeded sample of the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from workbench.tables.labels import Labels, Numbers, dispersion, ordered, silhouette

Method = Literal["kmeans", "gmm", "hierarchical", "dbscan", "hdbscan"]
# Rows that a method can take in seconds and within 200 MB; above, a seeded sample stands for them.
MOST_ROWS: dict[str, int] = {
    "kmeans": 10_000_000,
    "gmm": 200_000,
    "hierarchical": 5_000,
    "dbscan": 20_000,
    "hdbscan": 10_000,
}
# Methods that are told how many groups to make; the others find that themselves.
TOLD: tuple[Method, ...] = ("kmeans", "gmm", "hierarchical")
_FEWEST_APART = 2


@dataclass(frozen=True)
class Groups:
    """Groups of samples.

    Attributes
    ----------
    labels : ndarray of int64, shape (rows,)
        From 1, by size, largest first; equal sizes by the first column's mean. 0: no group.
    silhouette : float
        Mean silhouette width of the rows in groups, from −1 to 1; NaN where every row is its own
        group, or there is one group only.
    sampled : int
        Rows that the silhouette was taken over.
    within : float
        Sum of squared distances to the group means, on the scale of the values.
    found_on : int
        Rows that the groups were found on; each other row takes the group of the nearest of them.
    certainty : ndarray of float64, shape (rows,), or None
        How surely a row belongs to its group, 0 to 1, where the method tells it.
    told : dict of str to float
        What else the method tells: ``bic``, ``eps``.
    tree : ndarray of float64, shape (rows − 1, 4), or None
        Merges of hierarchical clustering, as scipy's linkage has them.
    """

    labels: Labels
    silhouette: float
    sampled: int
    within: float
    found_on: int = 0
    certainty: Numbers | None = None
    told: dict[str, float] = field(default_factory=dict)
    tree: Numbers | None = None

    @property
    def count(self) -> int:
        """Groups found, those of no group not counted."""
        return int(self.labels.max(initial=0))


@dataclass(frozen=True)
class Found:
    """What a method says of the rows it was given: labels in its own numbers, −1 for no group.

    `rest` says the same of further rows, where a method has a law for them.
    """

    labels: Labels
    certainty: Numbers | None = None
    told: dict[str, float] = field(default_factory=dict)
    tree: Numbers | None = None
    rest: Callable[[Numbers], tuple[Labels, Numbers]] | None = None


@dataclass(frozen=True)
class Asked:
    """A method and what it needs to know.

    Attributes
    ----------
    method : str
        kmeans, gmm, hierarchical, dbscan or hdbscan.
    k : int
        Groups, for the first three.
    min_samples : int
        dbscan: neighbours that make a row the core of a group; hdbscan: smallest group.
    eps : float or None
        dbscan: how far a neighbour is; found from the data if None.
    seed : int
        Seed of starts and samples.
    starts : int
        kmeans: seeded starts, of which the best counts; gmm takes a third as many.
    """

    method: Method
    k: int = 3
    min_samples: int = 5
    eps: float | None = None
    seed: int = 42
    starts: int = 10


def standardised(values: Numbers) -> Numbers:
    """Return each column less its mean, over its standard deviation (n)."""
    scaled: Numbers = (values - values.mean(axis=0)) / values.std(axis=0)
    return scaled


def k_means(values: Numbers, k: int, seed: int) -> Groups:
    """Group rows by k-means; see `grouped`."""
    return grouped(values, Asked("kmeans", k, seed=seed))


def grouped(values: Numbers, asked: Asked) -> Groups:
    """Group rows.

    Parameters
    ----------
    values : ndarray of float64, shape (rows, columns)
        Standardised, without gaps; for gmm, columns that are no combination of one another.
    asked : Asked
        How.

    Notes
    -----
    One thread, so that sums are taken in the same order every time.
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(1):
        used = sample(values.shape[0], MOST_ROWS[asked.method], asked.seed)
        found = found_in(values if used is None else values[used], asked)
        labels, certainty = found.labels, found.certainty
        if used is not None and found.rest is not None:
            labels, certainty = found.rest(values)
        elif used is not None:
            labels, certainty = labels[_nearest(values[used], values)], None
        labels = ordered(labels, values[:, 0])
        width, sampled = silhouette(values, labels, asked.seed)
    return Groups(
        labels,
        width,
        sampled,
        dispersion(values, labels),
        values.shape[0] if used is None else used.size,
        certainty,
        found.told,
        found.tree,
    )


def found_in(values: Numbers, asked: Asked) -> Found:
    """Run a method on all the rows it is given; the caller keeps their number within bounds."""
    return _METHODS[asked.method](values, asked)


def sample(rows: int, most: int, seed: int) -> NDArray[np.intp] | None:
    """Return places of a seeded sample in rising order; None where all rows fit."""
    if rows <= most:
        return None
    return np.sort(np.random.default_rng(seed).choice(rows, most, replace=False))


def _nearest(known: Numbers, values: Numbers) -> NDArray[np.intp]:
    from sklearn.metrics import pairwise_distances_argmin

    return np.asarray(pairwise_distances_argmin(values, known), dtype=np.intp)


def _by_means(values: Numbers, asked: Asked) -> Found:
    """Group by k-means (Lloyd) from several seeded starts."""
    from sklearn.cluster import KMeans

    model = KMeans(n_clusters=asked.k, n_init=asked.starts, random_state=asked.seed).fit(values)
    return Found(np.asarray(model.labels_, dtype=np.int64))


def _by_mixture(values: Numbers, asked: Asked) -> Found:
    """Group by a mixture of normal laws, each with a covariance of its own.

    Fraley and Raftery (2002), Journal of the American Statistical Association 97, 611-631; the BIC
    here is −2 log L + p log n, so that the lowest is the best.
    """
    from sklearn.mixture import GaussianMixture

    starts = max(asked.starts // 3, 1)
    model = GaussianMixture(asked.k, n_init=starts, random_state=asked.seed).fit(values)

    def rest(further: Numbers) -> tuple[Labels, Numbers]:
        chances = np.asarray(model.predict_proba(further), dtype=np.float64)
        return chances.argmax(axis=1).astype(np.int64), chances.max(axis=1)

    labels, certainty = rest(values)
    return Found(labels, certainty, {"bic": float(model.bic(values))}, rest=rest)


def _by_merging(values: Numbers, asked: Asked) -> Found:
    """Merge rows step by step so that the squares within groups grow least.

    Ward (1963), Journal of the American Statistical Association 58, 236-244.
    """
    from scipy.cluster.hierarchy import fcluster, linkage

    tree = linkage(values, "ward")
    labels = fcluster(tree, asked.k, "maxclust")
    return Found(np.asarray(labels, dtype=np.int64), tree=np.asarray(tree))


def _by_density(values: Numbers, asked: Asked) -> Found:
    """Join rows that have enough neighbours within a distance.

    Ester, Kriegel, Sander and Xu (1996), KDD-96, 226-231; the distance, where none is given, is
    where the sorted distances to the last neighbour bend most, as proposed there (4.2).
    """
    from sklearn.cluster import DBSCAN

    eps = asked.eps or bend(values, asked.min_samples)
    model = DBSCAN(eps=eps, min_samples=asked.min_samples).fit(values)
    return Found(np.asarray(model.labels_, dtype=np.int64), told={"eps": eps})


def bend(values: Numbers, neighbours: int) -> float:
    """Return the distance to the last of some neighbours at which the sorted curve bends most."""
    from scipy.spatial import cKDTree

    count = min(neighbours, values.shape[0])
    away = np.sort(cKDTree(values).query(values, k=[count])[0][:, 0])
    span = float(away[-1] - away[0])
    if not span > 0:
        return float(away[-1]) or 1.0
    chord = np.linspace(0, 1, away.size) - (away - away[0]) / span
    return float(away[int(chord.argmax())]) or float(away[away > 0][0])


def _by_levels(values: Numbers, asked: Asked) -> Found:
    """Keep the groups that last longest over all densities.

    Campello, Moulavi and Sander (2013), PAKDD 2013, LNCS 7819, 160-172.
    """
    from sklearn.cluster import HDBSCAN

    least = min(asked.min_samples, values.shape[0])
    model = HDBSCAN(min_cluster_size=max(least, _FEWEST_APART), copy=True).fit(values)
    chances = np.asarray(model.probabilities_, dtype=np.float64)
    return Found(np.asarray(model.labels_, dtype=np.int64), chances)


_METHODS: dict[str, Callable[[Numbers, Asked], Found]] = {
    "kmeans": _by_means,
    "gmm": _by_mixture,
    "hierarchical": _by_merging,
    "dbscan": _by_density,
    "hdbscan": _by_levels,
}

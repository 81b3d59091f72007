"""Many columns at once: principal components, robust distances, which parts vary together.

Pure functions over matrices without gaps. Signs and orders are fixed, so that the same numbers
give the same answer; every formula names its source.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
# Rows that the robust estimate is found on; above, a seeded sample stands for them.
MCD_ROWS = 20_000


@dataclass(frozen=True)
class Components:
    """Principal components.

    Attributes
    ----------
    loadings : ndarray of float64, shape (columns, k)
        Unit vectors; the largest weight of each is positive.
    scores : ndarray of float64, shape (rows, k)
        Centred rows on the loadings.
    shares : ndarray of float64, shape (k,)
        Share of the total variance, largest first.
    """

    loadings: Numbers
    scores: Numbers
    shares: Numbers


def ilr_basis(parts: int) -> Numbers:
    """Return an orthonormal basis of the plane of centred log-ratios, of shape (parts, parts − 1).

    Notes
    -----
    Pivot coordinates: column i sets part i against the geometric mean of those after it. Egozcue,
    Pawlowsky-Glahn, Mateu-Figueras and Barceló-Vidal (2003), Mathematical Geology 35, 279-300.
    """
    basis = np.zeros((parts, parts - 1))
    for place in range(parts - 1):
        rest = parts - place - 1
        basis[place, place] = np.sqrt(rest / (rest + 1))
        basis[place + 1 :, place] = -1 / np.sqrt(rest * (rest + 1))
    return basis


def components(values: Numbers, k: int, covariance: Numbers, centre: Numbers) -> Components:
    """Return principal components of a covariance matrix and the scores of rows on them.

    Parameters
    ----------
    values : ndarray of float64, shape (rows, columns)
        Rows to score.
    k : int
        Components to keep.
    covariance : ndarray of float64, shape (columns, columns)
        Plain or robust.
    centre : ndarray of float64, shape (columns,)
        What rows are measured from.
    """
    variances, vectors = np.linalg.eigh(covariance)
    order = np.argsort(variances)[::-1]
    variances, vectors = np.clip(variances[order], 0, None), vectors[:, order][:, :k]
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
    vectors = vectors * np.where(largest < 0, -1.0, 1.0)
    shares = variances[:k] / variances.sum()
    return Components(vectors, (values - centre) @ vectors, shares)


@dataclass(frozen=True)
class Robust:
    """Where most rows lie.

    Attributes
    ----------
    centre : ndarray of float64, shape (columns,)
    covariance : ndarray of float64, shape (columns, columns)
        Consistent: squared distances of normal rows have the median of their chi-square law.
    squared : ndarray of float64, shape (rows,)
        Squared robust distance of each row.
    sampled : int
        Rows that the estimate was found on.
    """

    centre: Numbers
    covariance: Numbers
    squared: Numbers
    sampled: int


def robust(values: Numbers, seed: int) -> Robust:
    """Find centre and covariance by the minimum covariance determinant.

    Parameters
    ----------
    values : ndarray of float64, shape (rows, columns)
        More rows than twice the columns; columns that are no combination of one another.
    seed : int
        Seed of the subsets tried.

    Raises
    ------
    ValueError
        If the columns depend on one another, so that no distance can be told.

    Notes
    -----
    Rousseeuw and Van Driessen (1999), Technometrics 41, 212-223. The library's estimate is not
    consistent after its reweighting: it is scaled so that the median squared distance is that of a
    chi-square law with as many degrees of freedom as there are columns.
    """
    from scipy.stats import chi2
    from sklearn.covariance import MinCovDet
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    rows, columns = values.shape
    used = values
    if rows > MCD_ROWS:
        used = values[np.random.default_rng(seed).choice(rows, MCD_ROWS, replace=False)]
    if np.linalg.matrix_rank(used - used.mean(axis=0)) < columns:
        raise ValueError("columns depend on one another")
    with threadpool_limits(1):
        found = MinCovDet(random_state=seed).fit(used)
        away = values - found.location_
        squared = np.einsum("ij,ij->i", away @ np.linalg.inv(found.covariance_), away)
    scale = float(np.median(squared) / chi2.ppf(0.5, columns))
    return Robust(found.location_, found.covariance_ * scale, squared / scale, len(used))


def variation(parts: Numbers) -> Numbers:
    """Return the variation matrix: the variance of the log-ratio of each two parts.

    Parameters
    ----------
    parts : ndarray of float64, shape (rows, parts)
        All above 0. Units do not matter: a constant factor leaves a variance as it is.

    Notes
    -----
    Aitchison (1986), The Statistical Analysis of Compositional Data, section 4.7; n − 1 in the
    denominator. From the covariance C of the logarithms: c_ii + c_jj − 2 c_ij.
    """
    found = np.cov(np.log(parts), rowvar=False)
    own = np.diag(found)
    matrix: Numbers = np.clip(own[:, None] + own[None, :] - 2 * found, 0, None)
    np.fill_diagonal(matrix, 0.0)
    return matrix


def merges(distances: Numbers) -> Numbers:
    """Return how columns merge by average linkage of their distances, as scipy's linkage has it.

    Parameters
    ----------
    distances : ndarray of float64, shape (columns, columns)
        Symmetric, 0 on the diagonal.
    """
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    return np.asarray(linkage(squareform(distances, checks=False), "average"), dtype=np.float64)


def families(tree: Numbers, k: int) -> NDArray[np.int64]:
    """Cut a tree of columns into groups.

    Parameters
    ----------
    tree : ndarray of float64, shape (columns − 1, 4)
        From `merges`.
    k : int
        Groups at most.

    Returns
    -------
    ndarray of int64, shape (columns,)
        From 1, in the order in which the columns first meet them.
    """
    from scipy.cluster.hierarchy import fcluster

    found = fcluster(tree, k, "maxclust")
    first: dict[int, int] = {}
    return np.array([first.setdefault(int(one), len(first) + 1) for one in found], dtype=np.int64)

"""How many groups: several criteria for each number of groups, side by side.

Pure functions. No criterion is proof: silhouette and gap judge how apart groups lie, BIC how well
normal laws fit, stability whether the same groups come back when some rows are left out.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbench.tables.groups import Asked, found_in, sample
from workbench.tables.labels import Labels, Numbers, dispersion, ordered, silhouette

# Rows that the criteria are worked out on: each number of groups is tried some twenty times.
SCAN_ROWS = 1_500
_REFERENCES = 10
_RESAMPLES = 10
_STARTS = 4
_SHARE = 0.8
# A mean adjusted Rand index below this: groups change with the rows (Hennig's 0.75 for Jaccard).
STABLE = 0.75


@dataclass(frozen=True)
class Count:
    """One number of groups and what speaks for it.

    Attributes
    ----------
    k : int
        Groups.
    silhouette : float
        Mean width, −1 to 1; highest is best.
    gap, gap_error : float
        Gap statistic (natural log) and its standard error; see `best`.
    bic : float
        Of normal laws with a covariance each; lowest is best. NaN where too few rows are there.
    stability : float
        Mean adjusted Rand index against groups found on 80 % of the rows; 1 is always the same.
    """

    k: int
    silhouette: float
    gap: float
    gap_error: float
    bic: float
    stability: float


def counts(
    values: Numbers,
    asked: Asked,
    most: int,
    progress: Callable[[str, float], None] = lambda _text, _share: None,
) -> list[Count]:
    """Try 2 to `most` groups.

    Parameters
    ----------
    values : ndarray of float64, shape (rows, columns)
        As `groups.grouped` takes them.
    asked : Asked
        Method and seed.
    most : int
        Largest number of groups.
    progress : callable
        Gets a text and a share from 0 to 1.

    Notes
    -----
    Above 1,500 rows, on a seeded sample. Rousseeuw (1987), Journal of Computational and Applied
    Mathematics 20, 53-65; Tibshirani, Walther and Hastie (2001), Journal of the Royal Statistical
    Society B 63, 411-423, with references uniform over the box of the principal axes; Schwarz
    (1978), Annals of Statistics 6, 461-464; Hennig (2007), Computational Statistics and Data
    Analysis 52, 258-271, with the index of Hubert and Arabie (1985).
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    picked = sample(values.shape[0], SCAN_ROWS, asked.seed)
    values = values if picked is None else values[picked]
    with threadpool_limits(1):
        return _tried(values, replace(asked, starts=_STARTS), most, progress)


def _tried(
    values: Numbers, asked: Asked, most: int, progress: Callable[[str, float], None]
) -> list[Count]:
    generator = np.random.default_rng(asked.seed)
    boxes = [_uniform(values, generator) for _ in range(_REFERENCES)]
    parts = [
        np.sort(generator.choice(len(values), int(_SHARE * len(values)), replace=False))
        for _ in range(_RESAMPLES)
    ]
    found = []
    for k in range(2, most + 1):
        progress(f"{k} groups", (k - 2) / (most - 1))
        now = replace(asked, k=k)
        labels = _labels(values, now)
        width = silhouette(values, labels, asked.seed)[0]
        gap, error = _gap(dispersion(values, labels), boxes, now)
        bic = _bic(values, now)
        found.append(Count(k, width, gap, error, bic, _stability(values, labels, parts, now)))
    return found


def _labels(values: Numbers, asked: Asked) -> Labels:
    return ordered(found_in(values, asked).labels, values[:, 0])


def _uniform(values: Numbers, generator: np.random.Generator) -> Numbers:
    """Return as many rows, uniform over the box that the principal axes span."""
    centre = values.mean(axis=0)
    axes = np.linalg.svd(values - centre, full_matrices=False)[2]
    turned = (values - centre) @ axes.T
    low, high = turned.min(axis=0), turned.max(axis=0)
    drawn: Numbers = generator.uniform(low, high, size=turned.shape) @ axes + centre
    return drawn


def _gap(within: float, boxes: Sequence[Numbers], asked: Asked) -> tuple[float, float]:
    logs = np.log([dispersion(box, _labels(box, asked)) for box in boxes])
    error = float(logs.std()) * math.sqrt(1 + 1 / len(boxes))
    return float(logs.mean()) - math.log(max(within, 1e-300)), error


def _bic(values: Numbers, asked: Asked) -> float:
    if values.shape[0] <= asked.k * (values.shape[1] + 1):
        return float("nan")
    return found_in(values, replace(asked, method="gmm")).told["bic"]


def _stability(
    values: Numbers, labels: Labels, parts: Sequence[NDArray[np.intp]], asked: Asked
) -> float:
    from sklearn.metrics import adjusted_rand_score

    told = [adjusted_rand_score(labels[p], _labels(values[p], asked)) for p in parts]
    return float(np.mean(told))


def best(found: Sequence[Count], method: str) -> tuple[int, dict[str, int]]:
    """Return the number of groups to take, and what each criterion would take.

    Notes
    -----
    The gap takes the smallest k whose gap is no more than a standard error below that of k + 1.
    Taken is the lowest BIC for gmm and the highest silhouette for the others, among the stable
    numbers of groups where there are any.
    """
    by: dict[str, int] = {}
    wide = [one for one in found if math.isfinite(one.silhouette)]
    if wide:
        by["silhouette"] = max(wide, key=lambda one: (one.silhouette, -one.k)).k
    by["gap"] = next(
        (
            one.k
            for one, after in itertools.pairwise(found)
            if one.gap >= after.gap - after.gap_error
        ),
        found[-1].k,
    )
    fitted = [one for one in found if math.isfinite(one.bic)]
    if fitted:
        by["bic"] = min(fitted, key=lambda one: (one.bic, one.k)).k
    pool = [one for one in found if one.stability >= STABLE] or list(found)
    if method == "gmm" and any(math.isfinite(one.bic) for one in pool):
        return min(pool, key=lambda one: _or_last(one.bic)).k, by
    return max(pool, key=lambda one: (-_or_last(-one.silhouette), -one.k)).k, by


def _or_last(value: float) -> float:
    return value if math.isfinite(value) else math.inf

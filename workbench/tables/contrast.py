"""How a group stands against the rest: medians, their ratio, and how often it is higher.

Pure functions over one column. Censored values are ranked, never replaced: a ratio is told only
where both medians are numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.tables.statistics import Sample

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Contrast:
    """One column in one group.

    Attributes
    ----------
    n, below : int
        Values of the group; of these below a limit.
    median, rest : float, int, str or None
        Median of the group and of all other samples; ``<1`` where it is censored.
    times : float
        Ratio of the medians; NaN where one is not a number above 0.
    higher : float
        Chance that a sample of the group is higher than one of the rest, ties counted half: 0.5
        says nothing. NaN where one side has no values.
    """

    n: int
    below: int
    median: float | int | str | None
    rest: float | int | str | None
    times: float
    higher: float


def ranks(values: Numbers, below: Mask, above: Mask, limits: Numbers) -> Numbers:
    """Return mid-ranks of a column in which censored values are ordered by what is known.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
        Numbers as reported; NaN where there is none.
    below, above : ndarray of bool, shape (n,)
        Values reported below or above a limit.
    limits : ndarray of float64, shape (n,)
        Their limits; NaN where not known.

    Returns
    -------
    ndarray of float64, shape (n,)
        NaN for gaps. Numbers under the highest lower limit, and values below one, are all equal:
        nothing is known of their order (Gehan's scores lead to the same order by pairs; this is
        the conservative form of Helsel, 2012, Statistics for Censored Environmental Data, ch. 9).
    """
    from scipy.stats import rankdata

    known = limits[below & np.isfinite(limits)]
    floor = float(known.max()) if known.size else -math.inf
    ceiling = limits[above & np.isfinite(limits)]
    top = float(ceiling.min()) if ceiling.size else math.inf
    order = np.where(values < floor, -math.inf, np.where(values > top, math.inf, values))
    order = np.where(below, -math.inf, np.where(above, math.inf, order))
    there = np.isfinite(values) | below | above
    found = np.full(values.shape, np.nan)
    found[there] = rankdata(order[there])
    return found


def contrast(
    values: Numbers, below: Mask, above: Mask, limits: Numbers, inside: Mask, ranked: Numbers
) -> Contrast:
    """Set a group against all other samples.

    Parameters
    ----------
    values, below, above, limits : ndarray, shape (n,)
        As `ranks` takes them.
    inside : ndarray of bool, shape (n,)
        Which samples are of the group.
    ranked : ndarray of float64, shape (n,)
        From `ranks`.

    Notes
    -----
    `higher` is the statistic of Mann and Whitney (1947), Annals of Mathematical Statistics 18,
    50-60, over the number of pairs.
    """
    mine = inside & np.isfinite(ranked)
    others = ~inside & np.isfinite(ranked)
    n, m = int(mine.sum()), int(others.sum())
    one = _sample(values, below, above, limits, mine).quantile(0.5)
    rest = _sample(values, below, above, limits, others).quantile(0.5)
    higher = float("nan")
    if n and m:
        higher = (float(ranked[mine].sum()) - n * (n + 1) / 2) / (n * m)
    return Contrast(n, int((below & mine).sum()), one, rest, _times(one, rest), higher)


def _sample(values: Numbers, below: Mask, above: Mask, limits: Numbers, rows: Mask) -> Sample:
    plain = rows & ~below & ~above
    return Sample(values[plain], limits[rows & below], limits[rows & above])


def _times(one: object, rest: object) -> float:
    if isinstance(one, int | float) and isinstance(rest, int | float) and one > 0 and rest > 0:
        return one / rest
    return float("nan")

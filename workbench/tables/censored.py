"""Statistics of values of which some are known only to lie below a limit.

Three routes that put no number in place of a non-detect: Kaplan–Meier on the flipped scale, robust
regression on order statistics, and the lognormal of greatest likelihood. Pure functions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
# Fewer detected values carry no regression and no likelihood.
FEWEST = 3


@dataclass(frozen=True)
class Estimate:
    """What one route came to.

    Attributes
    ----------
    mean, sd, median : float
        In the unit of the values; NaN where the route cannot tell.
    quantiles : dict of float to float
        Share → value; NaN where it lies below the smallest value that the route reaches.
    """

    mean: float
    sd: float
    median: float
    quantiles: dict[float, float]


def kaplan_meier(values: Numbers, below: Mask, shares: tuple[float, ...]) -> Estimate:
    """Estimate without a law: the product-limit distribution of values flipped about their largest.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
        Detected values, and the limits of the others.
    below : ndarray of bool, shape (n,)
        Which are limits.
    shares : tuple of float
        Quantiles wanted.

    Notes
    -----
    Kaplan and Meier (1958); flipped for values below limits by Helsel (2012), Statistics for
    Censored Environmental Data, chapter 6. Where the smallest value is a limit, the rest of the
    probability is put at that limit (Efron's rule), so that the mean leans high.
    """
    points = np.unique(values[~below])[::-1]
    share_left, mass, left = 1.0, [], []
    for point in points:
        at_risk = int((values <= point).sum())
        deaths = int((~below & (values == point)).sum())
        step = share_left * deaths / at_risk
        mass.append(step)
        share_left -= step
        left.append(share_left)
    weights = np.array(mass)
    spots = points.astype(float)
    if share_left > 1e-12:  # noqa: PLR2004 - rounding
        lowest = float(values[below].min(initial=float(points[-1])))
        spots = np.append(spots, min(lowest, float(points[-1])))
        weights = np.append(weights, share_left)
    mean = float((weights * spots).sum())
    variance = float((weights * (spots - mean) ** 2).sum())
    known = {share: _reached(points, np.array(left), share) for share in (0.5, *shares)}
    return Estimate(mean, math.sqrt(variance), known[0.5], {s: known[s] for s in shares})


def _reached(points: Numbers, below_it: Numbers, share: float) -> float:
    """Return the smallest detected value at or under which at least `share` of the values lie."""
    # below_it[i] is the probability of lying under points[i]; points fall.
    at_or_under = np.append(1.0, below_it[:-1])
    good = np.flatnonzero(at_or_under >= share - 1e-12)
    place = int(good[-1])
    if place == points.size - 1 and below_it[-1] >= share:
        return math.nan
    return float(points[place])


def regression_on_order(values: Numbers, below: Mask, shares: tuple[float, ...]) -> Estimate:
    """Estimate by regression on order statistics: non-detects drawn from the line of the others.

    Notes
    -----
    Helsel and Cohn (1988), Water Resources Research 24, 1997-2004: plotting positions for several
    limits; the logarithms of the detected values are regressed on their normal scores, and the
    non-detects are read off that line. NaN with fewer than three detected values, or where a
    limit lies above every detected value.
    """
    filled = filled_by_order(values, below)
    if filled is None:
        return Estimate(*(math.nan,) * 3, dict.fromkeys(shares, math.nan))
    known = {share: float(np.quantile(filled, share)) for share in shares}
    return Estimate(
        float(filled.mean()), float(filled.std(ddof=1)), float(np.median(filled)), known
    )


def filled_by_order(values: Numbers, below: Mask) -> Numbers | None:
    """Return the values with non-detects read off the line of the detected ones.

    Returns
    -------
    ndarray of float64, shape (n,), or None
        In the order given; equal limits are filled in that order. None where no line can be had.
    """
    detected = values[~below]
    if detected.size < FEWEST or np.unique(detected).size < 2:  # noqa: PLR2004 - a line
        return None
    # A limit above every detected value tells nothing of the order.
    if below.any() and values[below].max() > detected.max():
        return None
    from scipy.stats import norm

    limits, exceed = _exceedance(values, below)
    places = np.empty(values.size)
    for at, limit in enumerate(limits[:-1]):
        inside = (values >= limit) & (values < limits[at + 1]) & ~below
        order = np.argsort(values[inside], kind="stable")
        number = np.empty(order.size)
        number[order] = np.arange(1, order.size + 1)
        span = exceed[at] - exceed[at + 1]
        places[inside] = 1 - exceed[at] + span * number / (order.size + 1)
        same = below & (values == limit)
        count = int(same.sum())
        places[same] = (1 - exceed[at]) * np.arange(1, count + 1) / (count + 1)
    scores = norm.ppf(places)
    slope, start = np.polyfit(scores[~below], np.log(detected), 1)
    filled = values.copy()
    filled[below] = np.exp(start + slope * scores[below])
    return filled


def _exceedance(values: Numbers, below: Mask) -> tuple[list[float], list[float]]:
    """Return the distinct limits, with 0 before and infinity after, and the share above each."""
    limits = sorted({float(limit) for limit in values[below]})
    if not limits or values[~below].min() < limits[0]:
        limits = [0.0, *limits]
    limits.append(math.inf)
    exceed = [0.0] * len(limits)
    for at in range(len(limits) - 2, -1, -1):
        low, high = limits[at], limits[at + 1]
        between = int(((values >= low) & (values < high) & ~below).sum())
        under = int(((values < low) & ~below).sum()) + int((below & (values <= low)).sum())
        share = between / (between + under) if between + under else 0.0
        exceed[at] = exceed[at + 1] + share * (1 - exceed[at + 1])
    return limits, exceed


def likelihood(values: Numbers, below: Mask, shares: tuple[float, ...]) -> Estimate:
    """Estimate by the lognormal law under which what was reported is most likely.

    Notes
    -----
    Detected values enter by their density, the others by the probability of lying below their
    limit (Cohen 1959, Technometrics 1, 217-237). Mean exp(μ + σ²/2). NaN with fewer than three
    detected values, or where these are all one: any spread is then less likely than a smaller one.
    """
    nothing = Estimate(*(math.nan,) * 3, dict.fromkeys(shares, math.nan))
    if (~below).sum() < FEWEST:
        return nothing
    from scipy.optimize import minimize
    from scipy.stats import norm

    seen, limits = np.log(values[~below]), np.log(values[below])
    if np.ptp(seen) == 0:
        return nothing

    def cost(law: Numbers) -> float:
        middle, spread = law[0], math.exp(law[1])
        return -float(
            norm.logpdf(seen, middle, spread).sum() + norm.logcdf(limits, middle, spread).sum()
        )

    first = [float(seen.mean()), math.log(max(float(seen.std()), 1e-3))]
    found = minimize(cost, first, method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-10})
    if not found.success:
        return nothing
    middle, spread = float(found.x[0]), math.exp(float(found.x[1]))
    mean = math.exp(middle + spread**2 / 2)
    known = {share: math.exp(middle + spread * float(norm.ppf(share))) for share in shares}
    sd = mean * math.sqrt(math.expm1(spread**2))
    return Estimate(mean, sd, math.exp(middle), known)

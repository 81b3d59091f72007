"""Statistics of one column that know of censored values.

Pure functions over arrays. Nothing here puts a number in place of a censored value: a quantile
that could be moved by where the censored values really lie is given as a bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
PERCENTILES = (1, 5, 10, 25, 50, 75, 90, 95, 98, 99)
_DIGITS = 6


def rounded(value: float, digits: int = _DIGITS) -> float | int | None:
    """Round to significant digits; whole numbers as such; None for NaN and infinities."""
    if not math.isfinite(value):
        return None
    short = float(f"{value:.{digits}g}")
    return int(short) if short.is_integer() and abs(short) < 1e15 else short  # noqa: PLR2004 - exact in a double


@dataclass(frozen=True)
class Sample:
    """The numbers of one column, with what is known of the rest.

    Attributes
    ----------
    plain : ndarray of float64, shape (n,)
        Numbers as reported, in any order.
    below : ndarray of float64, shape (b,)
        Limits of values reported below one; NaN where the limit is not known.
    above : ndarray of float64, shape (a,)
        Limits of values reported above one.
    """

    plain: Numbers
    below: Numbers
    above: Numbers

    @property
    def size(self) -> int:
        """Values in all, censored ones included."""
        return self.plain.size + self.below.size + self.above.size

    def quantile(self, share: float) -> float | int | str | None:
        """Return a quantile by linear interpolation between order statistics.

        Parameters
        ----------
        share : float
            From 0 to 1.

        Returns
        -------
        float, int, str or None
            A number where it does not depend on where the censored values lie; else ``<1``,
            ``>10000`` or ``2.8 to 3``: the closest bounds. None without values.

        Notes
        -----
        The lower bound puts every value below a limit at minus infinity and every value above one
        at the limit; the upper bound the other way round. A value below an unknown limit is taken
        to lie under the largest known limit, or under the smallest number where none is known.
        """
        if self.size == 0:
            return None
        low = _quantile(self._at(np.full_like(self.below, -np.inf), self.above), share)
        high = _quantile(self._at(self._ceilings(), np.full_like(self.above, np.inf)), share)
        return _bounds(low, high)

    def _at(self, below: Numbers, above: Numbers) -> Numbers:
        return np.sort(np.concatenate([self.plain, below, above]))

    def _ceilings(self) -> Numbers:
        known = self.below[np.isfinite(self.below)]
        fallback = known.max() if known.size else self.plain.min(initial=np.inf)
        return np.where(np.isfinite(self.below), self.below, fallback)

    def summary(self) -> dict[str, float | int | None]:
        """Return n, min, median, mean, sd (n − 1) and max of the plain numbers."""
        x = self.plain
        if x.size == 0:
            return {"n": 0}
        spread = float(x.std(ddof=1)) if x.size > 1 else math.nan
        values = {
            "min": float(x.min()),
            "median": float(np.median(x)),
            "mean": float(x.mean()),
            "sd": spread,
            "max": float(x.max()),
        }
        return {"n": int(x.size), **{name: rounded(number) for name, number in values.items()}}


def _quantile(ordered: Numbers, share: float) -> float:
    """Return the quantile of ordered values that may be infinite (type 7 of Hyndman and Fan)."""
    place = (ordered.size - 1) * share
    left = math.floor(place)
    rest = place - left
    first = float(ordered[left])
    if rest == 0 or left + 1 == ordered.size:
        return first
    second = float(ordered[left + 1])
    if first == second:
        return first
    if math.isinf(first) or math.isinf(second):
        return first if math.isinf(first) else second
    return first + rest * (second - first)


def _bounds(low: float, high: float) -> float | int | str | None:
    if low == high:
        return rounded(low)
    if math.isinf(low) and math.isinf(high):
        return None
    if math.isinf(low):
        return f"<{rounded(high)}"
    if math.isinf(high):
        return f">{rounded(low)}"
    return f"{rounded(low)} to {rounded(high)}"


def mad(values: Numbers) -> tuple[float, float]:
    """Return the median and the median absolute deviation from it, not scaled."""
    centre = float(np.median(values))
    return centre, float(np.median(np.abs(values - centre)))


def geometric_mean(values: Numbers) -> float:
    """Return the geometric mean of numbers above 0."""
    return float(np.exp(np.mean(np.log(values))))

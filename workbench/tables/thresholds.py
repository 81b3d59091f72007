"""Where anomalous begins: three rules, each said in words.

Pure functions over the values of one group. A rule that cannot tell anything, because half of
the values are equal, says so instead of calling everything anomalous.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from workbench.tables.statistics import mad

Numbers = NDArray[np.float64]
Rule = Literal["mad", "tukey", "percentile"]
# Makes the median absolute deviation of normal values equal their standard deviation.
MAD_SCALE = 1.4826
DEFAULT_K = {"mad": 2.0, "tukey": 1.5}


@dataclass(frozen=True)
class Threshold:
    """A threshold and what each value scores against it.

    Attributes
    ----------
    value : float
        On the scale of the values; NaN where the rule cannot tell.
    centre, spread : float
        Median and scaled MAD; upper quartile and interquartile range; NaN for a percentile.
    scores : ndarray of float64, shape (n,)
        (value − centre) / spread, or the share of values at or below it, in percent.
    reason : str
        Why the rule cannot tell; empty otherwise.
    """

    value: float
    centre: float
    spread: float
    scores: Numbers
    reason: str = ""


def words(rule: Rule, k: float, percentile: float, *, log: bool) -> str:
    """Say a rule in words."""
    of = "log10 of the values" if log else "the values"
    if rule == "mad":
        return f"median + {k:g} × MAD (scaled by {MAD_SCALE}) of {of}"
    if rule == "tukey":
        return f"upper quartile + {k:g} × interquartile range of {of} (Tukey's fence)"
    return f"percentile {percentile:g} of the values"


def threshold(values: Numbers, rule: Rule, k: float, percentile: float) -> Threshold:
    """Find the threshold of one group.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
        At least one number, on the scale on which the rule works (log10 where asked).
    rule : {"mad", "tukey", "percentile"}
        Which rule.
    k : float
        Spreads above the centre.
    percentile : float
        From 0 to 100.

    Notes
    -----
    Tukey (1977), Exploratory Data Analysis; Reimann, Filzmoser and Garrett (2005), Science of the
    Total Environment 346, 1-16, for both on logarithms of geochemical data.
    """
    if rule == "percentile":
        ranks = np.searchsorted(np.sort(values), values, side="right") / values.size * 100
        return Threshold(float(np.percentile(values, percentile)), np.nan, np.nan, ranks)
    if rule == "mad":
        centre, deviation = mad(values)
        spread = deviation * MAD_SCALE
        reason = "half of the values or more are equal, so that the MAD is 0"
    else:
        low, centre = (float(end) for end in np.percentile(values, [25, 75]))
        spread = centre - low
        reason = "the quartiles are equal, so that the interquartile range is 0"
    if not spread > 0:
        nothing = np.full(values.shape, np.nan)
        return Threshold(np.nan, centre, spread, nothing, reason)
    return Threshold(centre + k * spread, centre, spread, (values - centre) / spread)

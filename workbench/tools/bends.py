"""Rules for where anomalous begins, each worked out on the values of one group.

Non-detects count for the places of the others, and are no points of a curve themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbench.figures.palette import short
from workbench.tables import thresholds
from workbench.tables.statistics import rounded

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
_PERCENTILES = (97.5, 98.0)
_PIECES = (2, 3)


@dataclass(frozen=True)
class Level:
    """One rule's threshold.

    Attributes
    ----------
    key, rule : str
        Its name and its words.
    value : float
        In the unit of the column; NaN where the rule cannot tell.
    more : str
        Why it cannot tell, or how well it fits.
    tells : bool
        False for a threshold among the non-detects or above all values.
    """

    key: str
    rule: str
    value: float
    more: str = ""
    tells: bool = True


@dataclass(frozen=True)
class Bending:
    """A curve whose bends part populations.

    Attributes
    ----------
    key, words : str
        Its name and what it is.
    x, y : ndarray of float64, shape (n,)
        log10 of the values, rising, and what belongs to each.
    more : str
        What it rests on.
    """

    key: str
    words: str
    x: Numbers
    y: Numbers
    more: str = ""


def warned(level: Level, limit: float, values: Numbers) -> Level:
    """Say of a threshold among the non-detects, or above all values, that it tells nothing."""
    if level.value <= limit:
        words = f"not above the detection limit ({rounded(limit)}): every detected value is flagged"
    elif level.value >= values.max():
        words = "above every value"
    else:
        return level
    return replace(level, more=f"{level.more}; {words}" if level.more else words, tells=False)


def levels(values: Numbers, below: Mask, metres: Numbers | None = None) -> Iterator[Level]:
    """Work every rule out.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
        Above 0, non-detects by the policy.
    below : ndarray of bool, shape (n,)
        Which are non-detects.
    metres : ndarray of float64, shape (n, 2), optional
        Places; without them no area can be told.
    """
    logs = np.log10(values)
    for key, rule, log in (
        ("mad_log", "mad", True),
        ("mad_raw", "mad", False),
        ("tukey_log", "tukey", True),
        ("tukey_raw", "tukey", False),
    ):
        k = thresholds.DEFAULT_K[rule]
        scale = logs if log else values
        found = thresholds.threshold(scale, rule, k, 0)  # type: ignore[arg-type]
        value = float(10**found.value) if log else found.value
        words = thresholds.words(rule, k, 0, log=log)  # type: ignore[arg-type]
        yield Level(key, words, value, found.reason)
    for share in _PERCENTILES:
        value = float(np.percentile(values, share))
        yield Level(f"p{share:g}", f"percentile {share:g} of the values", value)
    for curve in curves(logs, below, metres):
        for count in _PIECES:
            yield _bend(curve, count)


def curves(logs: Numbers, below: Mask, metres: Numbers | None) -> Iterator[Bending]:
    """Return the curves that bend where populations meet.

    Non-detects count for the places of the others, and are no points themselves; equal values are
    one point: a pile at a limit would be a bend of its own.
    """
    from workbench.tables import segments
    from workbench.tables.area import concentration_area

    order = np.argsort(logs, kind="stable")
    x, score = segments.probability_points(logs)
    seen = np.append(x[1:] != x[:-1], True) & ~below[order]
    x, score = x[seen], score[seen]
    yield Bending("probability_break", "the probability plot of log10", x, score)
    # How many values reach each value: log-log, as the concentration-number model has it.
    above = np.log10(logs.size - np.searchsorted(logs[order], x, side="left"))
    yield Bending("number_break", "log10 number at or above, against log10", x, above)
    ground = None if metres is None else concentration_area(metres, logs)
    if ground is not None:
        area, words = np.log10(ground.area), "log10 area at or above, against log10, of a grid"
        more = f"{ground.places:,} places, cells of {short(ground.cell)} m"
        yield Bending("area_break", words, ground.logs, area, more)


def _bend(curve: Bending, count: int) -> Level:
    from workbench.tables import segments

    found = segments.pieces(curve.x, curve.y, count)
    key = f"{curve.key}_{count}"
    words = f"highest break of {count} straight pieces through {curve.words}"
    if found is None:
        return Level(key, words, float("nan"), "too few different values")
    remark = "; ".join(filter(None, (f"r2 {found.r2:.3f}", curve.more, "a proposal")))
    return Level(key, words, float(10 ** found.breaks[-1]), remark)

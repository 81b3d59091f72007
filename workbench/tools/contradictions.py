"""Methods for one element that cannot both be right about a sample."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from workbench.tables.frame import Series

Mask = NDArray[np.bool_]
# Two methods differ by some ten per cent, near their limits by more; twofold is another number.
_TIMES = 2.0


def contradictions(
    parts: Sequence[Series], factors: Sequence[float]
) -> tuple[Mask, dict[str, int]]:
    """Find the rows in which two methods contradict each other.

    Parameters
    ----------
    parts : sequence of Series
        Columns of one element.
    factors : sequence of float
        To one unit.

    Returns
    -------
    ndarray of bool, shape (rows,)
        Contradicted rows.
    dict
        Rows by kind: ``below a limit and measured above it``, ``above a limit and measured below
        it``, ``differ more than twofold``; kinds without rows are left out.
    """
    rows = parts[0].values.size
    found = {
        "below a limit and measured above it": np.zeros(rows, dtype=bool),
        "above a limit and measured below it": np.zeros(rows, dtype=bool),
        "differ more than twofold": np.zeros(rows, dtype=bool),
    }
    low, high, apart = found.values()
    sides = [(part, times) for part, times in zip(parts, factors, strict=True)]
    with np.errstate(invalid="ignore", divide="ignore"):
        for (one, a), (other, b) in combinations(sides, 2):
            for (left, u), (right, v) in (((one, a), (other, b)), ((other, b), (one, a))):
                number, limit = right.values * v, left.limit * u
                low |= left.below & right.plain & (number > limit)
                low |= left.below & right.above & (right.limit * v >= limit)
                high |= left.above & right.plain & (number < limit)
            x, y = one.values * a, other.values * b
            both = one.plain & other.plain & (x > 0) & (y > 0)
            apart |= both & (np.maximum(x, y) > _TIMES * np.minimum(x, y))
    counts = {kind: int(mask.sum()) for kind, mask in found.items() if mask.any()}
    return low | high | apart, counts

"""The numbers of one column, sorted once: count, middle, ends and repeated values are read off."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pyarrow as pa


@dataclass(frozen=True)
class Spread:
    """How the numbers of a column lie.

    Attributes
    ----------
    count : int
        Numbers; blanks are none.
    median, low, high : float or None
        None where there is no number.
    lowest, negative : int
        Numbers equal to the smallest one; numbers below 0.
    common : float or None
        The most frequent number, of several the smallest.
    often, next_often : int
        How often it occurs, and the most frequent one of the others.
    """

    count: int
    median: float | None = None
    low: float | None = None
    high: float | None = None
    lowest: int = 0
    negative: int = 0
    common: float | None = None
    often: int = 0
    next_often: int = 0


def spread(column: pa.ChunkedArray) -> Spread:
    """Return how the numbers of a column of doubles lie; none of them is NaN."""
    # The library's own way to an array loads pandas first, which takes a second.
    chunks = [np.from_dlpack(chunk) for chunk in column.drop_null().chunks if len(chunk)]
    if not chunks:
        return Spread(0)
    values = np.concatenate(chunks)
    values.sort()
    count, middle = len(values), len(values) // 2
    starts = np.concatenate([[0], np.flatnonzero(values[1:] != values[:-1]) + 1])
    times = np.diff(starts, append=count)
    top = int(times.argmax())
    lowest, often, times[top] = int(times[0]), int(times[top]), 0
    return Spread(
        count,
        _between(float(values[~middle]), float(values[middle])),
        float(values[0]),
        float(values[-1]),
        lowest,
        int(np.searchsorted(values, 0.0)),
        float(values[starts[top]]),
        often,
        int(times.max()),
    )


def _between(low: float, high: float) -> float:
    """Return the middle of two numbers, as the engine takes it; of any size."""
    middle = low + (high - low) / 2
    return middle if math.isfinite(middle) else low / 2 + high / 2

"""Log-ratios of compositions, with a guard: no zero, gap or censored part slips through.

Pure functions over matrices of parts in one unit. Every formula names its source.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
# Share of the limit that multiplicative replacement puts for a part below it.
REPLACEMENT = 0.65


def clr(parts: Numbers) -> Numbers:
    """Return centred log-ratios: natural log of each part over its row's geometric mean.

    Parameters
    ----------
    parts : ndarray of float64, shape (rows, parts)
        All above 0, in one unit. The unit and the closure of a row do not matter.

    Returns
    -------
    ndarray of float64, shape (rows, parts)
        Each row sums to 0.

    Raises
    ------
    ValueError
        If a part is not a number above 0.

    Notes
    -----
    Aitchison (1986), The Statistical Analysis of Compositional Data.
    """
    if not bool(np.all(np.isfinite(parts) & (parts > 0))):
        raise ValueError("a centred log-ratio needs numbers above 0 in every part")
    logs = np.log(parts)
    ratios: Numbers = logs - logs.mean(axis=1, keepdims=True)
    return ratios


def multiplicative_replacement(parts: Numbers, small: Mask, limits: Numbers) -> Numbers:
    """Put 0.65 of the limit for parts below it and shrink the other parts of the row to match.

    Parameters
    ----------
    parts : ndarray of float64, shape (rows, parts)
        In one unit; what stands in censored places is ignored.
    small : ndarray of bool, shape (rows, parts)
        Parts below their limit.
    limits : ndarray of float64, shape (rows, parts)
        The limit of each such part, in the same unit.

    Returns
    -------
    ndarray of float64, shape (rows, parts)
        The ratios between parts that were measured are kept, and so is the sum of the row.

    Notes
    -----
    Martín-Fernández, Barceló-Vidal and Pawlowsky-Glahn (2003), Mathematical Geology 35, 253-278:
    x_j (1 - sum of replacements / c) for measured parts, where c is the sum of the row.
    """
    put = np.where(small, REPLACEMENT * limits, 0.0)
    measured = np.where(small, 0.0, parts)
    total = measured.sum(axis=1, keepdims=True)
    rest = 1.0 - put.sum(axis=1, keepdims=True) / np.where(total > 0, total, 1.0)
    filled: Numbers = np.where(small, put, measured * rest)
    return filled

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
    return _shrunk(parts, small, np.where(small, REPLACEMENT * limits, 0.0))


def _shrunk(parts: Numbers, small: Mask, put: Numbers) -> Numbers:
    """Put numbers for small parts and shrink the others of the row so that its sum stays."""
    measured = np.where(small, 0.0, parts)
    total = measured.sum(axis=1, keepdims=True)
    rest = 1.0 - put.sum(axis=1, keepdims=True) / np.where(total > 0, total, 1.0)
    filled: Numbers = np.where(small, put, measured * rest)
    return filled


def lognormal_replacement(parts: Numbers, small: Mask, limits: Numbers) -> Numbers | None:
    """Put the geometric mean below its limit of a lognormal law, and shrink the others to match.

    Parameters
    ----------
    parts, small, limits : ndarray, shape (rows, parts)
        As `multiplicative_replacement` takes them; NaN for gaps.

    Returns
    -------
    ndarray of float64, shape (rows, parts), or None
        None where a part has too few measured values for a law.

    Notes
    -----
    Palarea-Albaladejo and Martín-Fernández (2013), Analytica Chimica Acta 764, 32-43 (there
    multiplicative lognormal replacement): exp(μ − σ φ(z)/Φ(z)) with z = (ln limit − μ)/σ, where μ
    and σ are those of greatest likelihood (Cohen, 1959) over the whole column.
    """
    from scipy.stats import norm

    from workbench.tables.censored import likelihood

    put = np.zeros(parts.shape)
    one_up = float(norm.cdf(1.0))
    for place in np.flatnonzero(small.any(axis=0)):
        below, values = small[:, place], np.where(small, limits, parts)[:, place]
        known = np.isfinite(values) & (values > 0)
        law = likelihood(values[known], below[known], (one_up,))
        if not np.isfinite(law.median):
            return None
        middle = np.log(law.median)
        spread = np.log(law.quantiles[one_up]) - middle
        z = (np.log(limits[below, place]) - middle) / spread
        put[below, place] = np.exp(middle - spread * np.exp(norm.logpdf(z) - norm.logcdf(z)))
    return _shrunk(parts, small, put)


def contrasts(method: str, parts: int, over: int = -1) -> Numbers:
    """Return the basis of a log-ratio: coordinates are the logarithms of the parts times it.

    Parameters
    ----------
    method : {"clr", "alr", "ilr"}
        Centred; additive, against one part; isometric, in pivot coordinates.
    parts : int
        How many.
    over : int, optional
        Place of the part in the denominator of alr.

    Returns
    -------
    ndarray of float64, shape (parts, coordinates)
        Each column sums to 0, so that no unit and no closure matters.

    Notes
    -----
    Aitchison (1986), The Statistical Analysis of Compositional Data; Egozcue and others (2003) for
    ilr, see `multivariate.ilr_basis`.
    """
    from workbench.tables.multivariate import ilr_basis

    if method == "ilr":
        return ilr_basis(parts)
    one = np.eye(parts)
    if method == "clr":
        return one - 1 / parts
    place = range(parts)[over]
    one[place] = -1.0
    return np.delete(one, place, axis=1)

"""Rows put in a plane so that near ones stay near, by a package that is an extra.

Distances in such a plane are no distances of the data: only who lies beside whom tells.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.errors import Refused
from workbench.tables.groups import sample

Numbers = NDArray[np.float64]
# Rows that the plane is found on; the others are put into it.
MOST_ROWS = 20_000
_TRUST_ROWS = 2_000
_NEIGHBOURS = 15


@dataclass(frozen=True)
class Embedding:
    """Rows in few dimensions.

    Attributes
    ----------
    scores : ndarray of float64, shape (rows, k)
    trust : float
        Trustworthiness, 0 to 1: how far neighbours here are neighbours in the data.
    found_on : int
        Rows that the plane was found on.
    """

    scores: Numbers
    trust: float
    found_on: int


def embedded(values: Numbers, k: int, seed: int, desk: Path) -> Embedding:
    """Put rows in k dimensions by UMAP.

    Parameters
    ----------
    values : ndarray of float64, shape (rows, columns)
        Standardised or log-ratios, without gaps.
    k : int
        Dimensions.
    seed : int
        Of the start, and of samples.
    desk : Path
        A folder that can be written: what the compiler keeps goes there, and is removed.

    Raises
    ------
    Refused
        If the package is not installed.

    Notes
    -----
    McInnes, Healy and Melville (2018), arXiv:1802.03426; 15 neighbours, one thread, so that equal
    seeds give equal numbers. Trustworthiness of Venna and Kaski (2001), over 12 neighbours and a
    seeded sample of at most 2,000 rows.
    """
    with tempfile.TemporaryDirectory(dir=desk) as kept:
        # Read at import; the packages' own folders are closed to the process that runs tools.
        os.environ["NUMBA_CACHE_DIR"] = kept
        return _embedded(_package(), values, k, seed)


def _package() -> Any:  # noqa: ANN401 - an extra that is not there for the type checker
    try:
        import umap
    except ImportError:
        raise Refused(
            "pca method=umap: the package umap-learn is not installed; install it with "
            "pip install 'workbench[umap]', or use method pca"
        ) from None
    return umap


def _embedded(umap: Any, values: Numbers, k: int, seed: int) -> Embedding:  # noqa: ANN401 - as above
    from sklearn.manifold import trustworthiness

    used = sample(len(values), MOST_ROWS, seed)
    near = min(_NEIGHBOURS, len(values) - 1)
    model = umap.UMAP(n_components=k, n_neighbors=near, random_state=seed, n_jobs=1)
    if used is None:
        scores = model.fit_transform(values)
    else:
        scores = model.fit(values[used]).transform(values)
    scores = np.asarray(scores, dtype=np.float64)
    some = sample(len(values), _TRUST_ROWS, seed)
    picked = slice(None) if some is None else some
    count = min(12, (len(values[picked]) - 1) // 2)
    trust = float(trustworthiness(values[picked], scores[picked], n_neighbors=count))
    return Embedding(scores, trust, len(values) if used is None else used.size)

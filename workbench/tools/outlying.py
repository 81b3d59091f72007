"""Samples that are unusual in several columns together.

Every row used goes to disk with its distance, farthest first; what comes back is the rule, the
threshold, the count, and the farthest rows.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import identity
from workbench.errors import Refused
from workbench.reply import Made, Preview, Reply
from workbench.tables.statistics import rounded
from workbench.tools.context import Context
from workbench.tools.matrix import Matrix, matrix, robust_bulk
from workbench.tools.registry import tool

Numbers = NDArray[np.float64]
_HIGHEST = 10


@tool(effect="derive")
def outliers(
    context: Context,
    path: str,
    columns: list[str],
    method: Literal["mcd", "isolation_forest"] = "mcd",
    transform: Literal["clr", "log", "raw"] = "clr",
    share: float = 0.975,
    sheet: str | None = None,
) -> Reply:
    """Find samples unusual in several columns together, high or low; distances of all to disk.

    Parameters
    ----------
    path : str
        File or result path.
    columns : list of str
        Two number columns or more.
    method : str
        mcd: robust Mahalanobis distance (ilr for clr) against a chi-square quantile; above 20,000
        rows on a sample;
        isolation_forest: the most isolated rows.
    transform : str
        clr (log-ratios, for parts of a whole), log (log10) or raw.
    share : float
        Quantile of the chi-square law, or share of rows that are no outliers; 0.5 to 0.9999.
    sheet : str
        Sheet of a workbook.
    """
    if not 0.5 <= share <= 0.9999:  # noqa: PLR2004 - as the docstring says
        raise Refused(f"outliers share={share:g}: give 0.5 to 0.9999")
    found = matrix(
        context,
        context.table(path, sheet),
        columns,
        transform,
        fewest=2 * len(columns) + 1,
        what="outliers",
    )
    context.progress("distances", 0.3)
    seen = _distances(found, method, share, context.seed)
    stem = context.named(path, "outliers", method, transform)
    made, highest = _flagged(context, found, seen, stem)
    values: dict[str, Any] = {
        "method": method,
        "rule": seen.rule,
        **found.facts(),
        "threshold": rounded(seen.threshold),
        "flagged": int(seen.high.sum()),
        "flagged_share": rounded(float(seen.high.mean())),
        **seen.more,
        **found.treatment(),
        "output": facts.output(made.path),
    }
    return Reply(values, previews=(highest,), made=(made,), notes=found.notes())


class _Seen:
    """Distances of the rows used, and which lie beyond the threshold."""

    def __init__(self, score: Numbers, threshold: float, rule: str, **more: object) -> None:
        self.score, self.threshold, self.rule, self.more = score, threshold, rule, more
        self.high = score > threshold


def _distances(found: Matrix, method: str, share: float, seed: int) -> _Seen:
    from workbench.tables.multivariate import ilr_basis

    inner = found.values
    if found.transform == "clr":
        inner = inner @ ilr_basis(len(found.columns))
    if method == "isolation_forest":
        return _isolation(inner, share, seed)
    from scipy.stats import chi2

    bulk = robust_bulk(inner, seed, "outliers")
    free = inner.shape[1]
    rule = f"robust squared distance above the {share:g} quantile of chi-square with {free} df"
    expected = rounded((1 - share) * len(inner), 3)
    more = {"expected_if_normal": expected, "estimated_on_rows": bulk.sampled}
    return _Seen(bulk.squared, float(chi2.ppf(share, free)), rule, **more)


def _isolation(inner: Numbers, share: float, seed: int) -> _Seen:
    """Score rows by how few random cuts part them from the rest (Liu, Ting and Zhou, 2008)."""
    from sklearn.ensemble import IsolationForest

    model = IsolationForest(n_estimators=200, random_state=seed, n_jobs=1).fit(inner)
    score = -np.asarray(model.score_samples(inner))
    rule = f"isolation score above the {share:g} quantile of the rows: a share chosen, not found"
    return _Seen(score, float(np.quantile(score, share)), rule)


def _flagged(context: Context, found: Matrix, seen: _Seen, stem: str) -> tuple[Made, Preview]:
    """Write every row used with its distance, farthest first; return the first ones too."""
    high = np.zeros(found.rows.frame.rows, dtype=bool)
    high[found.rows.keep] = seen.high
    made, told = results.write_beside(
        context,
        found.table,
        stem,
        {"distance": found.placed(seen.score), "outlier": high},
        names=identity(found.table, *found.names),
        used=found.rows.keep,
        by="-distance",
        keep=_HIGHEST,
    )
    return made, facts.preview(
        *(context, "farthest from the rest", told.columns, told.first, made.rows or 0),
        facts.output(made.path),
    )

"""How many groups there are: every number tried, its criteria in a table and a figure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.errors import Refused
from workbench.figures import figure, panels
from workbench.reply import Made
from workbench.tables.statistics import rounded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.tables.groupcount import Count
    from workbench.tables.groups import Asked
    from workbench.tools.context import Context
    from workbench.tools.matrix import Matrix

Numbers = NDArray[np.float64]
_MOST = 15
_HEADER = ("k", "silhouette", "gap", "gap_error", "bic", "stability")


@dataclass(frozen=True)
class Scan:
    """The numbers of groups that were tried.

    Attributes
    ----------
    asked : Asked
        The method with the number taken.
    facts : dict
        Criteria of each number, and what each criterion would take.
    made : tuple of Made
        Table, then figure.
    """

    asked: Asked
    facts: dict[str, Any]
    made: tuple[Made, ...]


def scanned(context: Context, found: Matrix, values: Numbers, asked: Asked, most: int) -> Scan:
    """Try 2 to `most` groups and take the best number.

    Raises
    ------
    Refused
        If there are too few rows, or the largest number is out of bounds.
    """
    from workbench.tables.groupcount import SCAN_ROWS, STABLE, best, counts

    if not 3 <= most <= _MOST:  # noqa: PLR2004 - two numbers to choose from
        raise Refused(f"cluster scan={most}: give 3 to {_MOST}, the most groups to try")
    if found.rows.used < 5 * most:
        raise Refused(
            f"cluster scan={most}: {found.rows.used} rows can be used and {5 * most} are needed; "
            "try fewer groups"
        )
    tried = counts(values, asked, most, context.progress)
    taken, by = best(tried, asked.method)
    name = facts.output
    stem = context.named(found.table.source, "group_scan", asked.method, most)
    lines = [[one.k, *(getattr(one, key) for key in _HEADER[1:])] for one in tried]
    table = results.small_table(context, stem, _HEADER, lines)
    on = min(found.rows.used, SCAN_ROWS)
    page, data = _figure(context, found, tried, taken, on, stem)
    told: dict[str, Any] = {
        "taken_by": "BIC" if asked.method == "gmm" else "silhouette",
        "best_by": by,
        "scan_rows": on,
    }
    for one in tried:
        numbers = {key: rounded(getattr(one, key), 4) for key in ("silhouette", "gap", "bic")}
        told[f"scan {one.k}"] = {**numbers, "stability": rounded(one.stability, 3)}
    told["stable_from"] = STABLE
    told |= {"scan": name(table.path), "scan_figure": name(page.path)}
    return Scan(replace(asked, k=taken), told, (table, page, data))


def _figure(
    context: Context, found: Matrix, tried: Sequence[Count], taken: int, on: int, stem: str
) -> tuple[Made, Made]:
    source = figure.label(found.table.source)
    drawn: dict[str, Sequence[float]] = {
        "k": [one.k for one in tried],
        "silhouette": [one.silhouette for one in tried],
        "gap": [one.gap for one in tried],
        "BIC (low is good)": [one.bic for one in tried],
        "stability": [one.stability for one in tried],
    }
    sampled = "" if on == found.rows.used else " (a seeded sample)"
    picture = panels.curves(
        f"How many groups: {taken} taken",
        (
            f"{source}  ·  {on:,} rows{sampled}  ·  {found.transform} values",
            (
                f"{source}: mean silhouette width, gap statistic with its standard error, BIC of "
                "normal laws, and mean adjusted Rand index against groups of 80 % of the rows, for "
                f"each number of groups. The dotted line marks {taken}, the number taken."
            ),
        ),
        drawn,
        {"gap": [one.gap_error for one in tried]},
        taken,
    )
    return figure.write(context, f"{stem}_figure", picture)

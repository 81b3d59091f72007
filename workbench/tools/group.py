"""Natural groups of samples by several methods, under neutral numbers.

Every grouped row goes to disk with its label and all its columns; what comes back says how many
rows were used, where each group lies, how far apart they are, and what speaks for their number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import rock
from workbench.errors import Refused
from workbench.figures import figure, panels
from workbench.reply import Made, Reply
from workbench.tables.statistics import rounded
from workbench.tools.context import Context
from workbench.tools.groupcentres import centres, crosstab, sizes
from workbench.tools.groupcount import Scan, scanned
from workbench.tools.matrix import Matrix, matrix
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.groups import Asked, Groups

Numbers = NDArray[np.float64]
_MOST_GROUPS = 50
_MOST_COLUMNS = 20
_NAMES = {
    "kmeans": "k-means",
    "gmm": "mixture of normal laws",
    "hierarchical": "hierarchical (Ward)",
    "dbscan": "DBSCAN",
    "hdbscan": "HDBSCAN",
}


@tool(effect="derive")
def cluster(
    context: Context,
    path: str,
    columns: list[str],
    k: int = 3,
    transform: Literal["log", "clr", "raw"] = "log",
    method: Literal["kmeans", "gmm", "hierarchical", "dbscan", "hdbscan"] = "kmeans",
    scan: int | None = None,
    min_samples: int = 5,
    eps: float | None = None,
    sheet: str | None = None,
) -> Reply:
    """Group samples on standardised columns; give sizes, silhouette, centres, rocks.

    All rows go to disk with a `cluster` column: 1 is the largest, 0 is no group. Rows with a gap
    are left out and counted. profile_groups then tells what each group is.

    Parameters
    ----------
    path : str
        File or result path.
    columns : list of str
        Number columns; leave out those mostly below detection.
    k : int
        Groups, 2 to 50.
    transform : str
        clr (log-ratios, for parts of a whole), log (log10) or raw.
    method : str
        gmm: BIC, chances; hierarchical: Ward's tree; dbscan, hdbscan: dense groups of any number.
    scan : int
        Try 2 to this many, at most 15, and take the best.
    min_samples : int
        dbscan: neighbours of a core; hdbscan: smallest group.
    eps : float
        dbscan: distance of neighbours; found if left out.
    sheet : str
        Sheet of a workbook.
    """
    from workbench.tables.groups import Asked

    asked = Asked(method, k, min_samples, eps, context.seed)
    _possible(asked, scan)
    found = _read(context, path, columns, transform, asked, sheet)
    values = _scaled(found, method)
    tried = None if scan is None else scanned(context, found, values, asked, scan)
    if tried is not None:
        asked = tried.asked
    return _grouped(context, path, found, values, asked, tried)


def _possible(asked: Asked, scan: int | None) -> None:
    """Refuse numbers that no method can work with."""
    from workbench.tables.groups import TOLD

    if asked.method in TOLD and not 2 <= asked.k <= _MOST_GROUPS:  # noqa: PLR2004 - one group is no grouping
        raise Refused(f"cluster k={asked.k}: give 2 to {_MOST_GROUPS} groups")
    if scan is not None and asked.method not in TOLD:
        raise Refused(
            f"cluster scan={scan}: {asked.method} finds its own number of groups; leave scan out, "
            "or use kmeans, gmm or hierarchical"
        )
    if asked.min_samples < 2:  # noqa: PLR2004 - one sample is no group
        raise Refused(f"cluster min_samples={asked.min_samples}: give 2 or more")
    if asked.eps is not None and not asked.eps > 0:
        raise Refused(f"cluster eps={asked.eps:g}: give a distance above 0")


def _read(
    context: Context,
    path: str,
    columns: list[str],
    transform: Literal["log", "clr", "raw"],
    asked: Asked,
    sheet: str | None,
) -> Matrix:
    """Return the numbers to group; refuse too few rows."""
    table = context.table(path, sheet)
    fewest, what = max(asked.k, 3), f"cluster with k={asked.k}"
    if asked.method == "gmm":
        # A law needs as many rows as it has free directions, and one more.
        fewest, what = asked.k * (len(columns) + 1) + 1, f"cluster by gmm with k={asked.k}"
    elif asked.method in {"dbscan", "hdbscan"}:
        fewest, what = asked.min_samples + 1, f"cluster by {asked.method}"
    compare = rock(table)
    return matrix(
        context,
        table,
        columns,
        transform,
        least=2 if transform == "clr" else 1,
        fewest=fewest,
        what=what,
        also=[] if compare is None else [compare.name],
    )


def _scaled(found: Matrix, method: str) -> Numbers:
    """Return what is grouped: standardised; for normal laws, log-ratios in a basis without sum."""
    from workbench.tables.groups import standardised
    from workbench.tables.multivariate import ilr_basis

    if found.transform == "clr" and method == "gmm":
        return standardised(found.values @ ilr_basis(len(found.columns)))
    return standardised(found.values)


def _grouped(
    context: Context, path: str, found: Matrix, values: Numbers, asked: Asked, tried: Scan | None
) -> Reply:
    """Group, write, and say what was found."""
    from workbench.tables.groups import grouped

    context.progress(_NAMES[asked.method], 0.2)
    told = grouped(values, asked)
    way = _way(asked, told)
    made = [_labelled(context, path, found, told, way), *(tried.made if tried else ())]
    middles, more = centres(context, path, found, told, way)
    made += more
    if told.tree is not None:
        made += _tree(context, path, found, told, way)
    facts_told: dict[str, Any] = {
        "method": _NAMES[asked.method],
        "k": told.count,
        **found.facts(),
        "seed": context.seed,
        "silhouette": rounded(told.silhouette),
        **facts.numbers(told.told),
        **(tried.facts if tried else {}),
        **sizes(told),
        **middles,
        **crosstab(found, told),
        **found.treatment(),
        "output": facts.output(made[0].path),
        **_tree_path(told, made),
    }
    facts_told["columns"] = facts_told["columns"][:_MOST_COLUMNS]
    return Reply(facts_told, made=tuple(made), notes=_notes(found, told, asked))


def _way(asked: Asked, told: Groups) -> list[Any]:
    """Return what tells a result of one way of grouping from another, for its name."""
    if asked.method == "dbscan":
        return [asked.method, rounded(told.told["eps"], 3), asked.min_samples]
    if asked.method == "hdbscan":
        return [asked.method, asked.min_samples]
    return [asked.method, asked.k]


def _labelled(context: Context, path: str, found: Matrix, told: Groups, way: list[Any]) -> Made:
    """Write every grouped row with all its columns, its label, and how surely it belongs there."""
    whole = np.zeros(found.rows.frame.rows, dtype=np.int64)
    whole[found.rows.keep] = told.labels
    added: dict[str, Any] = {"cluster": whole}
    if told.certainty is not None:
        added["cluster_certainty"] = found.placed(np.round(told.certainty, 6))
    stem = context.named(path, *way)
    return results.write_beside(context, found.table, stem, added, used=found.rows.keep)[0]


def _tree(
    context: Context, path: str, found: Matrix, told: Groups, way: list[Any]
) -> tuple[Made, Made]:
    source = figure.label(found.table.source)
    picture = panels.tree(
        f"Tree of {told.found_on:,} samples, cut into {told.count} groups",
        (
            f"{source}  ·  n = {told.found_on:,}  ·  {found.transform} values, Ward's distance",
            (
                f"{source}: merges of samples by Ward's method; the dashed line cuts the tree into "
                f"{told.count} groups. Branches of many samples stand as one."
            ),
        ),
        np.asarray(told.tree),
        None,
        told.count,
        "distance at which groups merge",
    )
    return figure.write(context, context.named(path, f"{way[0]}_tree", *way[1:]), picture)


def _tree_path(told: Groups, made: list[Made]) -> dict[str, str]:
    return {} if told.tree is None else {"tree": facts.output(made[-2].path)}


def _notes(found: Matrix, told: Groups, asked: Asked) -> tuple[str, ...]:
    notes = []
    used = int(found.rows.used)
    if told.found_on < used:
        notes.append(
            f"{asked.method} was run on a seeded sample of {told.found_on:,} rows; each other row "
            f"takes {'the likeliest group' if asked.method == 'gmm' else 'its nearest one’s group'}"
        )
    if told.sampled < int((told.labels > 0).sum()):
        notes.append(f"the silhouette is taken over a seeded sample of {told.sampled:,} rows")
    if not told.count:
        notes.append("no group is dense enough: give a larger eps or a smaller min_samples")
    elif asked.method in {"kmeans", "gmm", "hierarchical"} and told.count < asked.k:
        notes.append(f"{told.count} of {asked.k} groups have samples")
    return (*found.notes(), *notes)

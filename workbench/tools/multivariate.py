"""Many columns at once: principal components, and which elements go together.

Loadings, scores and matrices go to disk whole; what comes back are the shares, the
columns that lead, and the counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import identity, rock
from workbench.errors import Refused
from workbench.reply import Made, Reply
from workbench.tables.statistics import rounded
from workbench.tools.context import Context
from workbench.tools.drawn import biplot, family_tree, plane
from workbench.tools.matrix import Matrix, matrix, robust_bulk
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.tables.table import Column

Numbers = NDArray[np.float64]
_MOST_COMPONENTS = 20
# Columns that the answer of element_groups names, over all groups; distances are in the file.
_NAMED = 120
_MOST_GROUPS = 30
_SHOWN_COMPONENTS = 4
_LEADING = 6


@tool(effect="derive")
def pca(
    context: Context,
    path: str,
    columns: list[str],
    transform: Literal["clr", "log", "raw"] = "clr",
    components: int = 3,
    *,
    robust: bool = False,
    method: Literal["pca", "umap"] = "pca",
    sheet: str | None = None,
) -> Reply:
    """Principal components: share of variance, leading columns; loadings, scores, biplot to disk.

    clr suits parts of a whole; log and raw columns are standardised. Leave out columns mostly below
    detection.

    Parameters
    ----------
    path : str
        File or result path.
    columns : list of str
        Number columns.
    transform : str
        clr (log-ratios, for parts of a whole), log (log10) or raw.
    components : int
        How many, 1 to 20.
    robust : bool
        By the bulk of the rows (minimum covariance determinant), not outliers.
    method : str
        umap keeps neighbours (slow; an extra package).
    sheet : str
        Sheet of a workbook.
    """
    if not 1 <= components <= _MOST_COMPONENTS:
        raise Refused(f"pca components={components}: give 1 to {_MOST_COMPONENTS}")
    fewest = 3 if not robust else 2 * len(columns) + 1
    table = context.table(path, sheet)
    compare = rock(table)
    also = [compare.name] if compare else []
    found = matrix(context, table, columns, transform, fewest=fewest, what="pca", also=also)
    if method == "umap":
        return _embedded(context, path, found, components, compare, robust=robust)
    parts = _components(context, found, components, robust=robust)
    way = [transform, *(["robust"] if robust else []), parts.scores.shape[1]]
    scores = _scores(context, found, parts.scores, context.named(path, "pca_scores", *way), "PC")
    loadings = _loadings(context, found, parts, context.named(path, "pca_loadings", *way))
    made = [scores, loadings, *biplot(context, path, found, parts, compare, way)]
    values: dict[str, Any] = {
        "method": "robust principal components" if robust else "principal components",
        **found.facts(),
        "scaled": "centred" if transform == "clr" else "standardised",
        "share_of_variance": {
            f"PC{place + 1}": rounded(float(share), 4) for place, share in enumerate(parts.shares)
        },
    }
    for place in range(min(_SHOWN_COMPONENTS, len(parts.shares))):
        values[f"PC{place + 1} loadings"] = _leading(found, parts.loadings[:, place])
    files = {"output": facts.output(scores.path), "loadings": facts.output(loadings.path)}
    values |= {**found.treatment(), **files}
    values |= {"biplot": facts.output(made[2].path)} if len(made) > 2 else {}  # noqa: PLR2004 - after two tables
    return Reply(values, made=tuple(made), notes=found.notes())


def _embedded(
    context: Context, path: str, found: Matrix, k: int, compare: Column | None, *, robust: bool
) -> Reply:
    """Put the rows in few dimensions by their neighbours.

    Raises
    ------
    Refused
        If a robust form is asked for, or the package is not there.
    """
    from workbench.tables.embedding import embedded
    from workbench.tables.groups import standardised

    if robust:
        raise Refused("pca robust=true: umap has no robust form; leave one of them out")
    context.progress("neighbours (this can take a minute)", 0.2)
    values = found.values if found.transform == "clr" else standardised(found.values)
    told = embedded(values, k, context.seed, context.desk)
    way = [found.transform, k]
    made = [_scores(context, found, told.scores, context.named(path, "umap_scores", *way), "UMAP")]
    made += plane(context, path, found, told.scores, compare, way)
    answer: dict[str, Any] = {
        "method": "UMAP",
        **found.facts(),
        "seed": context.seed,
        "trustworthiness": rounded(told.trust, 4),
        **found.treatment(),
        "output": facts.output(made[0].path),
        **({"figure": facts.output(made[1].path)} if len(made) > 1 else {}),
    }
    notes = ["only who lies beside whom tells; distances and densities of the plane do not"]
    if told.found_on < found.rows.used:
        notes.append(f"found on a seeded sample of {told.found_on:,} rows; the others put into it")
    return Reply(answer, made=tuple(made), notes=(*notes, *found.notes()))


def _components(context: Context, found: Matrix, k: int, *, robust: bool) -> Any:  # noqa: ANN401 - Components
    """Find the components; a composition has one dimension less than it has parts."""
    from workbench.tables import multivariate as many

    if found.transform == "clr":
        basis = many.ilr_basis(len(found.columns))
        inner = found.values @ basis
    else:
        basis = np.eye(len(found.columns))
        inner = (found.values - found.values.mean(axis=0)) / found.values.std(axis=0)
    context.progress("principal components", 0.3)
    if robust:
        bulk = robust_bulk(inner, context.seed, "pca")
        centre, spread = bulk.centre, bulk.covariance
    else:
        centre, spread = inner.mean(axis=0), np.atleast_2d(np.cov(inner, rowvar=False))
    outer = basis @ spread @ basis.T
    return many.components(inner @ basis.T, min(k, inner.shape[1]), outer, centre @ basis.T)


def _leading(found: Matrix, weights: Numbers) -> dict[str, Any]:
    order = np.argsort(-np.abs(weights), kind="stable")[:_LEADING]
    return {facts.name(found.names[at]): rounded(float(weights[at]), 3) for at in order}


def _scores(context: Context, found: Matrix, scores: Numbers, stem: str, name: str) -> Made:
    """Write ids, coordinates, groups and the scores of the rows used."""
    added = {
        f"{name}{place + 1}": found.placed(scores[:, place]) for place in range(scores.shape[1])
    }
    first = identity(found.table, *(c.name for c in found.table.with_role("group")))
    used = found.rows.keep
    return results.write_beside(context, found.table, stem, added, names=first, used=used)[0]


def _loadings(context: Context, found: Matrix, parts: Any, stem: str) -> Made:  # noqa: ANN401 - Components
    header = ["column", *(f"PC{place + 1}" for place in range(parts.loadings.shape[1]))]
    lines = [
        [name, *map(float, line)] for name, line in zip(found.names, parts.loadings, strict=True)
    ]
    lines.append(["share of variance", *map(float, parts.shares)])
    return results.small_table(context, stem, header, lines)


@tool(effect="derive")
def element_groups(
    context: Context, path: str, columns: list[str], k: int = 3, sheet: str | None = None
) -> Reply:
    """Which elements go together: columns grouped by how little their ratios vary.

    Hierarchical clustering (average linkage) of the variation matrix; matrix and tree to disk.

    Parameters
    ----------
    path : str
        File or result path.
    columns : list of str
        Three number columns or more, parts of a whole.
    k : int
        Groups, 2 to the number of columns less one.
    sheet : str
        Sheet of a workbook.
    """
    found = matrix(
        context, context.table(path, sheet), columns, "clr", least=3, what="element_groups"
    )
    if not 2 <= k <= min(len(found.columns) - 1, _MOST_GROUPS):  # noqa: PLR2004 - one group is no grouping
        most = min(len(found.columns) - 1, _MOST_GROUPS)
        raise Refused(f"element_groups k={k}: give 2 to {most} groups")
    from workbench.tables.multivariate import families, merges, variation

    ratios = variation(found.parts)
    tree = merges(ratios)
    labels = families(tree, k)
    lines = [[name, *map(float, line)] for name, line in zip(found.names, ratios, strict=True)]
    made = results.small_table(
        context, context.named(path, "variation_matrix"), ["column", *found.names], lines
    )
    values: dict[str, Any] = {**found.facts(), "measure": "variance of ln(a/b), average linkage"}
    for number in range(1, int(labels.max()) + 1):
        inside = np.flatnonzero(labels == number)
        values[f"group {number}"] = {
            "columns": _some([found.names[at] for at in inside], _NAMED // int(labels.max())),
            "mean_variation_within": rounded(_mean_within(ratios, inside), 4),
        }
    values |= {"closest_pairs": _closest(found, ratios), **found.treatment()}
    pictures = family_tree(context, path, found, tree, k)
    values |= {"output": facts.output(made.path), "tree": facts.output(pictures[0].path)}
    return Reply(values, made=(made, *pictures), notes=found.notes())


def _some(names: Sequence[str], most: int) -> list[str]:
    """Return the first names, and how many more there are."""
    shown = max(most, 2)
    rest = [f"and {len(names) - shown} more"] if len(names) > shown else []
    return [*map(facts.name, names[:shown]), *rest]


def _mean_within(ratios: Numbers, inside: NDArray[Any]) -> float:
    """Return the mean variation between the columns of a group; NaN for one alone."""
    if inside.size < 2:  # noqa: PLR2004 - a pair
        return float("nan")
    part = ratios[np.ix_(inside, inside)]
    return float(part[np.triu_indices(inside.size, 1)].mean())


def _closest(found: Matrix, ratios: Numbers) -> dict[str, Any]:
    left, right = np.triu_indices(len(found.names), 1)
    order = np.argsort(ratios[left, right], kind="stable")[:_LEADING]
    return {
        f"{facts.name(found.names[left[at]])} / {facts.name(found.names[right[at]])}": rounded(
            float(ratios[left[at], right[at]]), 4
        )
        for at in order
    }

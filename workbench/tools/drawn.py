"""Figures of many columns at once: biplot of components, plane of neighbours, tree of elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting.rows import groups
from workbench.figures import biplot as pictures
from workbench.figures import figure, panels, points
from workbench.figures.points import Part

if TYPE_CHECKING:
    from workbench.reply import Made
    from workbench.tables.multivariate import Components
    from workbench.tables.table import Column
    from workbench.tools.context import Context
    from workbench.tools.matrix import Matrix

Numbers = NDArray[np.float64]


def biplot(
    context: Context,
    path: str,
    found: Matrix,
    parts: Components,
    compare: Column | None,
    way: list[Any],
) -> tuple[Made, ...]:
    """Draw scores and loadings of the first two components; nothing where there is one only."""
    if parts.scores.shape[1] < 2:  # noqa: PLR2004 - a plane
        return ()
    axes = tuple(f"PC{n + 1} ({parts.shares[n]:.1%} of the variance)" for n in range(2))
    left = len(found.names) - pictures.MOST_ARROWS
    rest = f" The {pictures.MOST_ARROWS} longest of {len(found.names)} arrows." if left > 0 else ""
    caption = f"Arrows: loadings, all stretched by one factor.{rest}"
    stem = context.named(path, "biplot", *way)
    title = "Biplot of the first two components"
    return _plane(
        context, found, parts.scores, compare, (axes[0], axes[1]), title, caption, stem,
        found.names, parts.loadings[:, :2],
    )  # fmt: skip


def plane(
    context: Context,
    path: str,
    found: Matrix,
    scores: Numbers,
    compare: Column | None,
    way: list[Any],
) -> tuple[Made, ...]:
    """Draw the first two dimensions of an embedding; nothing where there is one only."""
    if scores.shape[1] < 2:  # noqa: PLR2004 - a plane
        return ()
    caption = "Only who lies beside whom tells; distances and densities do not."
    stem = context.named(path, "umap", *way)
    axes, title = ("UMAP1", "UMAP2"), "Samples by their neighbours (UMAP)"
    nothing = np.empty((0, 2))
    return _plane(context, found, scores, compare, axes, title, caption, stem, [], nothing)


def _plane(
    context: Context,
    found: Matrix,
    scores: Numbers,
    compare: Column | None,
    axes: tuple[str, str],
    title: str,
    caption: str,
    stem: str,
    names: list[str],
    loadings: Numbers,
) -> tuple[Made, ...]:
    drawn = _drawn(context, found)
    source = figure.label(found.table.source)
    whole = np.column_stack([found.placed(scores[:, n]) for n in range(2)])
    parts = _parts(found, compare, drawn)
    some = ""
    if drawn.sum() < found.rows.used:
        some = f" {int(drawn.sum()):,} samples are drawn, at random (seed {context.seed})."
    coloured = f"  ·  by {figure.label(compare.name)}" if compare else ""
    words = (
        f"{source}  ·  n = {found.rows.used:,}  ·  {found.transform} values{coloured}",
        (
            f"{source}: {found.rows.used:,} of {found.rows.frame.rows:,} rows have a value in "
            f"every column.{some} {caption}"
        ),
    )
    picture = pictures.draw(title, words, axes, parts, whole, names, loadings)
    return figure.write(context, stem, picture)


def _drawn(context: Context, found: Matrix) -> NDArray[np.bool_]:
    """Choose the rows to draw: all, or a seeded sample."""
    rows = np.flatnonzero(found.rows.keep)
    if rows.size <= pictures.MOST_POINTS:
        return found.rows.keep
    mask = np.zeros(found.rows.frame.rows, dtype=bool)
    generator = np.random.default_rng(context.seed)
    mask[generator.choice(rows, pictures.MOST_POINTS, replace=False)] = True
    return mask


def _parts(found: Matrix, compare: Column | None, drawn: NDArray[np.bool_]) -> list[Part]:
    if compare is None:
        return points.all_alike(np.flatnonzero(drawn))
    series = found.rows.frame.series[compare.name]
    return points.by_group(groups(series, drawn), drawn)


def family_tree(
    context: Context, path: str, found: Matrix, merges: Numbers, k: int
) -> tuple[Made, Made]:
    """Draw which elements go together."""
    source = figure.label(found.table.source)
    picture = panels.tree(
        f"Which elements go together: {k} groups",
        (
            f"{source}  ·  n = {found.rows.used:,}  ·  average linkage of the variation matrix",
            (
                f"{source}: elements merge where the variance of their log-ratio is small; the "
                f"dashed line cuts the tree into {k} groups."
            ),
        ),
        merges,
        found.names,
        k,
        "variance of ln(a/b)",
    )
    return figure.write(context, context.named(path, "element_tree", k), picture)

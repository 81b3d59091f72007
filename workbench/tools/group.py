"""Natural groups of samples by k-means, under neutral numbers.

Every clustered row goes to disk with its label and all its columns; what comes back says how many
rows were used, what each group is high or low in, and how far apart the groups are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import numeric, rock
from workbench.accounting.rows import Rows, groups
from workbench.errors import Refused
from workbench.reply import Made, Reply
from workbench.tables.statistics import geometric_mean, rounded
from workbench.tools.context import Context
from workbench.tools.parts import harmonised
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.groups import Groups
    from workbench.tables.table import Column, Table

Numbers = NDArray[np.float64]
Labels = NDArray[np.int64]
_MOST_GROUPS = 50
# Cells that fit an answer beside the rest of it; beyond, a table of centres goes to disk.
_MOST_CENTRES = 60
_MOST_COLUMNS = 20
_MOST_LINES = 12
_ROCKS = 12
_MANY_CENSORED = 0.3


@tool(effect="derive")
def cluster(
    context: Context,
    path: str,
    columns: list[str],
    k: int = 3,
    transform: Literal["log", "clr", "raw"] = "log",
    sheet: str | None = None,
) -> Reply:
    """Group samples by k-means on standardised columns.

    Gives sizes, silhouette, centres in original units, a cross-table with rock type; every
    clustered row goes to disk with a `cluster` column (1 is the largest). Rows with a missing value
    are left out and counted.

    Parameters
    ----------
    path : str
        File or result path.
    columns : list of str
        Number columns to group by; leave out those mostly below detection.
    k : int
        Groups, 2 to 50.
    transform : str
        log (log10), clr (log-ratios, for parts of a whole) or raw.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    chosen = numeric(table, columns)
    if not 2 <= k <= _MOST_GROUPS:  # noqa: PLR2004 - one group is no grouping
        raise Refused(f"cluster k={k}: give 2 to {_MOST_GROUPS} groups")
    rows = _usable(context, table, chosen, k, transform)
    scaled = _scaled(rows, chosen, transform)
    from workbench.tables.groups import k_means

    context.progress("k-means", 0.2)
    found = k_means(scaled, k, context.seed)
    made = [_labelled(context, path, table, rows, found.labels, k)]
    centres = _centres(rows, chosen, found.labels, k, transform)
    if k * len(chosen) > _MOST_CENTRES:
        made.append(_centre_table(context, path, rows, chosen, found.labels, k, transform))
        centres["centres"] = facts.output(made[1].path)
    values: dict[str, Any] = {
        "method": "k-means",
        "k": k,
        "transform": transform,
        "columns": [facts.name(column.name) for column in chosen[:_MOST_COLUMNS]],
        "seed": context.seed,
        **rows.facts(),
        "silhouette": rounded(found.silhouette),
        **_sizes(found.labels, k),
        **centres,
        **_crosstab(rows, rock(table), found.labels, k),
        "censored": _censored(rows, chosen),
        "policy": facts.HALF,
        "output": facts.output(made[0].path),
    }
    return Reply(values, made=tuple(made), notes=_notes(rows, chosen, found))


def _usable(
    context: Context, table: Table, columns: Sequence[Column], k: int, transform: str
) -> Rows:
    """Return the rows that have every value; refuse too few."""
    compare = rock(table)
    names = [column.name for column in columns]
    rows = Rows.of(context.connection.frame(table, [*names, *_extra(compare, names)]))
    rows.need_numbers(names, positive=transform != "raw")
    rows.need_some(max(k, 3), f"cluster with k={k}")
    return rows


def _extra(column: Column | None, names: Sequence[str]) -> list[str]:
    return [] if column is None or column.name in names else [column.name]


def _scaled(rows: Rows, columns: Sequence[Column], transform: str) -> Numbers:
    """Return the values that are grouped, standardised.

    Raises
    ------
    Refused
        If a column is constant among the rows used.
    """
    from workbench.tables.compositions import clr
    from workbench.tables.groups import standardised

    values = rows.frame.matrix([column.name for column in columns])[rows.keep]
    if transform == "clr":
        if len(columns) < 2:  # noqa: PLR2004 - a ratio has two parts
            raise Refused(
                "cluster: a log-ratio needs two columns or more; name another, or use log"
            )
        values = clr(values * harmonised(columns)[0])
    elif transform == "log":
        values = np.log10(values)
    spread = values.std(axis=0)
    size = np.abs(values).max(axis=0)
    flat = [c.name for c, s, top in zip(columns, spread, size, strict=True) if s <= 1e-12 * top]
    if flat:
        raise Refused(
            f"column '{facts.name(flat[0])}': all {rows.used} usable values are equal; leave it out"
        )
    return standardised(values)


def _labelled(
    context: Context, path: str, table: Table, rows: Rows, labels: Labels, k: int
) -> Made:
    """Write every clustered row with all its columns and its label."""
    whole = np.zeros(rows.frame.rows, dtype=np.int64)
    whole[rows.keep] = labels
    stem = context.named(path, "kmeans", k)
    return results.write_beside(context, table, stem, {"cluster": whole}, used=rows.keep)[0]


def _sizes(labels: Labels, k: int) -> dict[str, Any]:
    counts = np.bincount(labels, minlength=k + 1)[1:]
    return {"sizes": {str(number): int(size) for number, size in enumerate(counts, start=1)}}


def _centre_values(
    rows: Rows, columns: Sequence[Column], labels: Labels, k: int, transform: str
) -> Numbers:
    """Return each group's centre in the units of the file, of shape (k, columns)."""
    values = rows.frame.matrix([column.name for column in columns])[rows.keep]
    mean = np.mean if transform == "raw" else geometric_mean
    return np.array(
        [[float(mean(part)) for part in values[labels == number].T] for number in range(1, k + 1)]
    )


def _centres(
    rows: Rows, columns: Sequence[Column], labels: Labels, k: int, transform: str
) -> dict[str, Any]:
    """Return the centres that fit an answer: geometric means, or means of raw values."""
    lines = min(k, _MOST_LINES)
    shown = columns[: max(_MOST_CENTRES // lines, 3)]
    values = _centre_values(rows, shown, labels, k, transform)
    found: dict[str, Any] = {"centres_are": "means" if transform == "raw" else "geometric means"}
    found["units"] = {facts.name(c.name): c.unit or "not stated" for c in shown}
    for number in range(1, lines + 1):
        found[f"centre {number}"] = {
            facts.name(column.name): rounded(float(value))
            for column, value in zip(shown, values[number - 1], strict=True)
        }
    return found


def _centre_table(
    context: Context,
    path: str,
    rows: Rows,
    columns: Sequence[Column],
    labels: Labels,
    k: int,
    transform: str,
) -> Made:
    """Write the centres of all groups and columns."""
    values = _centre_values(rows, columns, labels, k, transform)
    sizes = np.bincount(labels, minlength=k + 1)[1:]
    lines = [[n, int(sizes[n - 1]), *map(float, values[n - 1])] for n in range(1, k + 1)]
    header = ["cluster", "size", *(column.name for column in columns)]
    return results.small_table(context, context.named(path, "kmeans_centres", k), header, lines)


def _crosstab(rows: Rows, column: Column | None, labels: Labels, k: int) -> dict[str, Any]:
    """Return how the groups fall on the rock types of the file."""
    if column is None or column.name not in rows.frame.series:
        return {}
    rocks = groups(rows.frame.series[column.name], rows.keep)
    names = [facts.name(name) for name in rocks.names[:_ROCKS]]
    codes = np.minimum(rocks.codes[rows.keep], _ROCKS)
    table = {}
    for number in range(1, min(k, _MOST_LINES) + 1):
        inside = codes[labels == number]
        line = {name: int((inside == place).sum()) for place, name in enumerate(names)}
        line |= {"other": int((inside == _ROCKS).sum()), "(none)": int((inside < 0).sum())}
        table[str(number)] = {kind: count for kind, count in line.items() if count}
    return {f"crosstab {facts.name(column.name)}": table}


def _censored(rows: Rows, columns: Sequence[Column]) -> dict[str, dict[str, int]]:
    """Count the censored values among the rows used."""
    counts = {}
    for column in columns:
        series = rows.frame.series[column.name]
        low, high = int((series.below & rows.keep).sum()), int((series.above & rows.keep).sum())
        if low or high:
            counts[facts.name(column.name)] = {"below": low, "above": high}
    return counts


def _notes(rows: Rows, columns: Sequence[Column], found: Groups) -> tuple[str, ...]:
    notes = []
    if found.sampled < rows.used:
        notes.append(f"the silhouette is taken over a seeded sample of {found.sampled:,} rows")
    for column in columns:
        share = float((rows.frame.series[column.name].below & rows.keep).sum()) / rows.used
        if share > _MANY_CENSORED:
            notes.append(
                f"{facts.name(column.name)}: {share:.0%} of the rows used are below detection; "
                "groups may follow the limit, consider leaving it out"
            )
    return tuple(notes[:8])

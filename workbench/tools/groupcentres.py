"""Where groups lie: their sizes, centres in the units of the file, and the rocks logged in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import rock
from workbench.accounting.rows import groups
from workbench.tables.statistics import geometric_mean, rounded

if TYPE_CHECKING:
    from workbench.reply import Made
    from workbench.tables.groups import Groups
    from workbench.tables.table import Column
    from workbench.tools.context import Context
    from workbench.tools.matrix import Matrix

Numbers = NDArray[np.float64]
# Cells that fit an answer beside the rest of it; beyond, a table of centres goes to disk.
_MOST_CENTRES = 60
_MOST_SIZES = 50
_MOST_LINES = 12
_ROCKS = 12


def sizes(told: Groups) -> dict[str, Any]:
    """Return how many rows each group has, and how many are in none."""
    counts = np.bincount(told.labels, minlength=told.count + 1)
    shown = {str(number): int(counts[number]) for number in range(1, told.count + 1)}
    none = {"in_no_group": int(counts[0])} if counts[0] else {}
    return {"sizes": dict(list(shown.items())[:_MOST_SIZES]), **none}


def _centre_values(found: Matrix, told: Groups) -> Numbers:
    """Return each group's centre in the units of the file, of shape (groups, columns)."""
    values = found.rows.frame.matrix(found.names)[found.rows.keep]
    mean = np.mean if found.transform == "raw" else geometric_mean
    every = range(1, told.count + 1)
    parts = [values[told.labels == number] for number in every]
    return np.array([[float(mean(part)) for part in one.T] for one in parts])


def centres(
    context: Context, path: str, found: Matrix, told: Groups, way: list[Any]
) -> tuple[dict[str, Any], list[Made]]:
    """Return the centres that fit an answer, and a table of all where these are not all.

    They are geometric means, or means of raw values.
    """
    if not told.count:
        return {}, []
    values = _centre_values(found, told)
    lines = min(told.count, _MOST_LINES)
    shown = found.columns[: max(_MOST_CENTRES // lines, 3)]
    facts_told: dict[str, Any] = {
        "centres_are": "means" if found.transform == "raw" else "geometric means",
        "units": {facts.name(c.name): c.unit or "not stated" for c in shown},
    }
    for number in range(1, lines + 1):
        facts_told[f"centre {number}"] = {
            facts.name(column.name): rounded(float(value))
            for column, value in zip(shown, values[number - 1], strict=False)
        }
    if values.size <= _MOST_CENTRES:
        return facts_told, []
    sizes = np.bincount(told.labels, minlength=told.count + 1)
    rows = [[n, int(sizes[n]), *map(float, values[n - 1])] for n in range(1, told.count + 1)]
    header = ["cluster", "size", *found.names]
    stem = context.named(path, f"{way[0]}_centres", *way[1:])
    made = results.small_table(context, stem, header, rows)
    return {**facts_told, "centres": facts.output(made.path)}, [made]


def crosstab(found: Matrix, told: Groups) -> dict[str, Any]:
    """Return how the groups fall on the rock types of the file."""
    column: Column | None = rock(found.table)
    if column is None or column.name not in found.rows.frame.series:
        return {}
    rocks = groups(found.rows.frame.series[column.name], found.rows.keep)
    names = [facts.name(name) for name in rocks.names[:_ROCKS]]
    codes = np.minimum(rocks.codes[found.rows.keep], _ROCKS)
    table = {}
    for number in range(1, min(told.count, _MOST_LINES) + 1):
        inside = codes[told.labels == number]
        line = {name: int((inside == place).sum()) for place, name in enumerate(names)}
        line |= {"other": int((inside == _ROCKS).sum()), "(none)": int((inside < 0).sum())}
        table[str(number)] = {kind: count for kind, count in line.items() if count}
    return {f"crosstab {facts.name(column.name)}": table}

"""Correlation within each group: what holds over all rocks may hold in none of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.accounting import facts, results
from workbench.accounting.rows import Groups, Rows, groups
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tables.correlation import Method
from workbench.tables.statistics import rounded
from workbench.tools import pairs
from workbench.tools.pairs import Pair, Transform

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.tables.table import Column, Table
    from workbench.tools.context import Context

_MOST_GROUPS = 30
_SHOWN = 10
_LEADING = 4


@dataclass(frozen=True)
class Way:
    """How to correlate, as `correlate` is told."""

    method: Method
    transform: Transform
    target: str | None
    least: int


def correlated(
    context: Context,
    path: str,
    table: Table,
    columns: Sequence[Column],
    split: Column,
    way: Way,
) -> Reply:
    """Correlate columns in each group that has rows enough, largest first.

    Raises
    ------
    Refused
        If no group has as many rows as a coefficient needs.
    """
    rows = Rows.of(context.connection.frame(table, [split.name]))
    found = groups(rows.frame.series[split.name], rows.keep)
    rows.need(split.name, found.codes >= 0, "missing")
    large = _large(split, found, way.least)
    lines: list[list[Any]] = []
    told: dict[str, Any] = {
        "method": way.method,
        "transform": way.transform,
        "by": facts.name(split.name),
        "groups": len(found.names),
        "columns": len(columns),
        **rows.facts(),
    }
    for number, place in enumerate(large):
        context.progress(f"group {number + 1} of {len(large)}", number / len(large))
        inside = found.codes == place
        one = pairs.correlated(context, table, columns, way.method, way.transform, inside)
        listed = one.pairs(way.least, way.target)
        lines += [[found.names[place], *pair.row()] for pair in listed]
        if number < _SHOWN:
            told[f"group {facts.name(found.names[place])}"] = {
                "rows": int(found.sizes[place]), "pairs": len(listed), "r_and_n": _first(listed),
            }  # fmt: skip
    stem = context.named(path, "correlation_pairs", way.method, "by", split.name)
    header = [split.name, "column_a", "column_b", "n", "r"]
    made = results.small_table(context, stem, header, lines)
    told |= {"censored": facts.censored(columns[:20]), "policy": one.policy}
    told |= {**facts.quality(table), "output": facts.output(made.path)}
    return Reply(told, made=(made,), notes=_notes(len(found.names), len(large), way.least))


def _large(split: Column, found: Groups, least: int) -> list[int]:
    """Return the places of the groups that have rows enough."""
    large = [at for at, size in enumerate(found.sizes) if size >= least][:_MOST_GROUPS]
    if not large:
        raise Refused(
            f"correlate by '{facts.name(split.name)}': no group has {least} rows; leave by out, "
            "name a coarser group, or give a smaller min_pairs"
        )
    return large


def _first(listed: Sequence[Pair]) -> dict[str, Any]:
    """Return the strongest pairs with their coefficient and n."""
    return {
        f"{facts.name(pair.a)} | {facts.name(pair.b)}": [rounded(pair.r, 3), pair.n]
        for pair in listed[:_LEADING]
    }


def _notes(count: int, large: int, least: int) -> tuple[str, ...]:
    notes = []
    if large < count:
        notes.append(
            f"{count - large} groups are left out: fewer than {least} rows, or not among the "
            f"{_MOST_GROUPS} largest"
        )
    if large > _SHOWN:
        notes.append(f"the {_SHOWN} largest groups are shown; all are in the file")
    return tuple(notes)

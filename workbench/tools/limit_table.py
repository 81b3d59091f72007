"""Which limits a table holds: share below detection by column and method, every limit met."""

from __future__ import annotations

from typing import Any

from workbench.accounting import facts
from workbench.accounting.columns import numeric
from workbench.accounting.results import small_table
from workbench.reply import Reply
from workbench.tables.statistics import rounded
from workbench.tools.request import Request

_SHOWN, _LIMITS = 15, 6
_HEADER = (
    *("column", "element", "unit", "method", "n", "below", "share_below", "above"),
    *("below_unstated_limit", "lowest_limit", "highest_limit", "limits"),
)


def limit_table(request: Request) -> Reply:
    """Return the share of values below detection of each column, the largest first."""
    table = request.table
    chosen = numeric(table, request.columns)
    lines = []
    for column in chosen:
        total = column.count + column.below + column.above
        share = column.below / total if total else 0.0
        lines.append((share, column, total))
    lines.sort(key=lambda line: -line[0])
    values: dict[str, Any] = {
        "rows_in": table.rows,
        "columns": len(chosen),
        "columns_with_limits": sum(bool(column.censored) for column in chosen),
        "over_half_below": sum(share > 0.5 for share, _, _ in lines),  # noqa: PLR2004 - the median
    }
    rows = []
    for share, column, total in lines:
        low, high = (column.limits[0], column.limits[-1]) if column.limits else (None, None)
        head = [column.name, column.element, column.unit, column.method, total, column.below]
        said = " ".join(f"{limit:g}" for limit in column.limits)
        rows.append([*head, share, column.above, column.bare, low, high, said])
        if len(rows) <= _SHOWN and column.censored:
            fact: dict[str, Any] = {"unit": column.unit, "n": total, "below": column.below}
            fact |= {"share_below": rounded(share, 3), "above": column.above}
            fact |= {"below_unstated_limit": column.bare, "limits": _few(column.limits)}
            key = f"limits {facts.name(column.name)}"
            values[key] = {k: v for k, v in fact.items() if v not in (None, 0, [])}
    made = small_table(
        request.context, request.context.named(request.path, "limits"), _HEADER, rows
    )
    values["basis"] = "all rows, those of quality control too; limits of values below and above"
    values["output"] = facts.output(made.path)
    # Half limits that a laboratory or an earlier hand has put in have no sign of their own.
    notes = tuple(note for note in table.notes if "limit" in note or "detection" in note)
    return Reply(values, made=(made,), notes=notes[:4])


def _few(limits: tuple[float, ...]) -> list[Any]:
    told: list[Any] = [rounded(limit) for limit in limits[:_LIMITS]]
    return told + ([f"and {len(limits) - _LIMITS} more"] if len(limits) > _LIMITS else [])

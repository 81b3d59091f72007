"""Means over drillhole intervals, each weighted by its length."""

from __future__ import annotations

import re

from workbench.models.planner.cards import Field
from workbench.models.planner.naming import GROUPS_SHOWN, quoted
from workbench.models.planner.sourced import cited
from workbench.models.planner.wording import censored, paths
from workbench.models.planner.work import CannotAnswer, Finding, Work

WEIGHTED = re.compile(
    r"\b(?:length|interval|metre|meter|thickness)[- ]?(?:weighted|averaged)\b"
    r"|\bweighted (?:by|for|with|to) (?:the |their |its )?(?:interval )?(?:lengths?|intervals?)\b",
    re.IGNORECASE,
)


def weighted(work: Work, fields: list[Field], by: Field | None) -> Finding:
    """Answer means over intervals, Σ value × length / Σ length, by group where asked.

    Raises
    ------
    CannotAnswer
        If the table has no intervals.
    """
    if not work.card.has_intervals:
        raise CannotAnswer(f"weighted by length: {work.card.title} has no intervals from and to")
    ends = {item.role: item for item in reversed(work.card.fields)}
    length = f"({quoted(ends['to'].name)} - {quoted(ends['from'].name)})"
    unit = f" {ends['to'].unit}" if ends["to"].unit else ""
    group = f"{quoted(by.name)}, " if by is not None else ""
    tail = " GROUP BY 1 ORDER BY 2 DESC, 1" if by is not None else ""
    calls = [
        {
            "query": f"SELECT {group}sum({quoted(item.name)} * {length}) / sum({length}) AS mean, "  # noqa: S608 - quoted
            f"count(*) AS intervals, sum({length}) AS metres FROM {quoted(work.card.view)} "
            f"WHERE {quoted(item.name)} IS NOT NULL AND {length} > 0{tail}",
            "paths": [work.card.path],
        }
        for item in fields
    ]
    answers = work.each("sql", calls, on_table=False)
    lines = []
    for item, told in zip(fields, answers, strict=True):
        rows = [row for row in told.previews[0].rows if row[-3]] if told.previews else []
        shown = [_row(row, item, unit) for row in rows[:GROUPS_SHOWN]]
        left = told.previews[0].total - len(shown) if rows else 0
        shown += [f"{left} more in the result table"] if left else []
        said = "; ".join(shown) or "no numbers"
        lines.append(f"{item.name}, each interval weighted by its length: {said}.")
    files = paths([("Result table:", told.text("output")) for told in answers])
    only = _ONLY if _OTHERS.search(work.text) else ""
    return Finding((*lines, *work.closing(only, censored(answers[0]), files)))


_OTHERS = re.compile(
    r"\b(?:median|percentile|quartile|quantile|deviation|minim|maxim)", re.IGNORECASE
)
_ONLY = "Means alone are weighted: ask for other statistics by themselves"


def _row(row: tuple[str, ...], item: Field, unit: str) -> str:
    *group, mean, intervals, metres = row
    named = f"{group[0] or 'no entry'} " if group else ""
    amount = f"{cited(mean)} {item.unit}".strip()
    return f"{named}mean {amount} over {cited(intervals)} intervals, {cited(metres)}{unit}"

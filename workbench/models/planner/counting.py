"""How many: rows, rows by group, or different values of a group column; and "which group"."""

from __future__ import annotations

import re

from workbench.models.planner.cards import Card, Field
from workbench.models.planner.looking import describe, inventory
from workbench.models.planner.naming import quoted
from workbench.models.planner.said import ROWS, grouping, ranked
from workbench.models.planner.sourced import cited
from workbench.models.planner.wording import number, samples
from workbench.models.planner.work import CannotAnswer, Finding, Work

_TABLES = 8
_HOW_MANY = re.compile(
    r"\b(?:how many|number of|count(?: of)?(?: the)?)\s+(?:different\s+|distinct\s+|unique\s+)?"
    r"(?P<what>[A-Za-z]+(?:\s+[A-Za-z]+){0,2}?)"
    r"(?=\s*(?:$|[?.,;]|\b(?:are|is|there|in|by|per|do|does|have|has|were|was|with|of)\b))",
    re.IGNORECASE,
)
_ROW_WORDS = re.compile(rf"\b(?:{ROWS})\b", re.IGNORECASE)


def count(work: Work) -> Finding:
    """Answer how many rows there are, by group where asked."""
    by = grouping(work.text)
    what = _counted(work.text)
    if what is not None:
        return _count_of(work, what)
    if not by:
        lines = [f"{card.title}: {samples(card.rows, 'row')}." for card in work.pool[:_TABLES]]
        return Finding((" ".join(lines),))
    column = work.by()
    if column is None:
        raise CannotAnswer(f"how many by {by}: no such column")
    return _values(work, column)


def _values(work: Work, column: Field) -> Finding:
    """Answer how many rows each value of a column has."""
    told = work.call("query_data", operation="value_counts", columns=[column.name], n=20)
    rows = told.previews[0].rows if told.previews else ()
    shown = [f"{row[0] or 'no entry'} {cited(row[1])}" for row in rows if len(row) > 1]
    rest = told.number("other") or 0
    others = f", others {number(rest)}" if rest else ""
    kinds = f"{len(shown)} different; " if not rest else ""
    lead = f"{samples(work.card.rows, 'row')} by {column.name}: {kinds}{', '.join(shown)}{others}."
    return Finding((lead, *work.closing()))


def _counted(text: str) -> str | None:
    """Return what "how many" asks for where it is not rows."""
    hit = _HOW_MANY.search(text)
    return None if hit is None or _ROW_WORDS.search(hit["what"]) else hit["what"]


def _count_of(work: Work, what: str) -> Finding:
    """Answer how many tables, columns, or different values of a group column there are."""
    if re.search(r"\b(?:tables?|files?)\b", what, re.IGNORECASE):
        return inventory(work)
    if re.search(r"\b(?:columns?|elements?|fields?|oxides?)\b", what, re.IGNORECASE):
        return describe(work)
    found = [(card, card.grouping(what)) for card in work.pool]
    fitting = [(card, item) for card, item in found if item is not None][:_TABLES]
    by = grouping(work.text)
    if fitting and not by and re.search(r"\beach\b", work.text, re.IGNORECASE):
        return _values(work.on(fitting[0][0]), fitting[0][1])
    if fitting and by:
        return _count_by(work, by, fitting)
    if not fitting:
        raise CannotAnswer(
            f"how many {what}: no table has such a column; rows are counted, and the different "
            "values of a group column"
        )
    calls = [
        {
            "query": f"SELECT count(DISTINCT {quoted(item.name)}) AS n FROM {quoted(card.view)}",  # noqa: S608 - quoted
            "paths": [card.path],
        }
        for card, item in fitting
    ]
    answers = work.each("sql", calls, on_table=False)
    lines = [
        f"{told.previews[0].rows[0][0] if told.previews else 'Not known how many'} different "
        f"{item.name} in {card.title} ({samples(card.rows, 'row')})."
        for (card, item), told in zip(fitting, answers, strict=True)
    ]
    return Finding((" ".join(lines),))


def _count_by(work: Work, by: str, fitting: list[tuple[Card, Field]]) -> Finding:
    """Answer how many different values of a column each group has."""
    found = ((card, item, card.grouping(by)) for card, item in fitting)
    card, item, group = next((each for each in found if each[2]), (*fitting[0], None))
    if group is None:
        raise CannotAnswer(f"by {by}: no table that has {item.name} has such a column to group by")
    query = (
        f"SELECT {quoted(group.name)}, count(DISTINCT {quoted(item.name)}) AS n "  # noqa: S608 - quoted
        f"FROM {quoted(card.view)} GROUP BY 1 ORDER BY n DESC, 1"
    )
    told = work.told(work.asking.ask("sql", query=query, paths=[card.path]))
    rows = told.previews[0].rows if told.previews else ()
    shown = ", ".join(f"{row[0] or 'no entry'} {cited(row[1])}" for row in rows if len(row) > 1)
    lead = f"Different {item.name} by {group.name}: {shown}. Table: {card.title}"
    return Finding((f"{lead} ({samples(card.rows, 'row')}).",))


def group_asked(work: Work) -> Field | None:
    """Return the group column of "which lithology has the highest …"; None for rows.

    Raises
    ------
    CannotAnswer
        If it asks for something that is no group column of the table.
    """
    what = ranked(work.text)
    if not what:
        return None
    found = work.card.grouping(what)
    if found is None or found.role not in {"group", "hole"}:
        raise CannotAnswer(
            f"which {what}: {work.card.title} has no such column to group by; ask for the "
            "highest samples, or for a summary by one of its group columns"
        )
    return found

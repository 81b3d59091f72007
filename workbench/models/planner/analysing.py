"""Statistics and highest samples: which calls, and how they read."""

from __future__ import annotations

import re

from workbench.models.planner.anomalies import MOST_ELEMENTS
from workbench.models.planner.answer import Rows, ToolAnswer
from workbench.models.planner.cards import Field
from workbench.models.planner.counting import group_asked
from workbench.models.planner.naming import GROUPS_SHOWN, more, named_rows, naming, quoted, value
from workbench.models.planner.said import top
from workbench.models.planner.symbols import spoken
from workbench.models.planner.wording import (
    amount,
    censored,
    count_word,
    listed,
    number,
    paths,
    treatments,
)
from workbench.models.planner.work import Finding, Work

_TOP, _TOP_MOST = 10, 20


def summary(work: Work) -> Finding:
    """Answer median, percentiles, mean and range of columns, by group where asked."""
    fields = work.need(1, "summary")[:MOST_ELEMENTS]
    by = work.by()
    if by is not None:
        return _summary_by(work, fields, by)
    names = [item.name for item in fields]
    wants_mean = _MEAN.search(work.text)
    told = work.call("query_data", operation="percentiles", columns=names)
    plain = work.call("query_data", operation="describe", columns=names) if wants_mean else None
    lines = [_quantiles(item, told, plain) for item in work.detail(fields)]
    return Finding((*lines, *work.closing(*_weighting(work), censored(told))))


def _weighting(work: Work) -> tuple[str, ...]:
    """Say what a mean over drillhole intervals is not."""
    if not work.card.has_intervals or not _MEAN.search(work.text):
        return ()
    return ("Each interval counts once, not weighted by length",)


def _quantiles(item: Field, told: ToolAnswer, plain: ToolAnswer | None) -> str:
    q = told.mapping(f"percentiles {item.name}")
    if not q:
        return f"{item.name}: no numbers."
    unit = item.unit
    text = (
        f"{item.label}: n {number(q.get('n'))}; median {amount(q.get('50'), unit)}, quartiles "
        f"{number(q.get('25'))} and {amount(q.get('75'), unit)}, 90th percentile "
        f"{number(q.get('90'))}, 95th {number(q.get('95'))}, 98th {amount(q.get('98'), unit)}"
    )
    d = plain.mapping(f"describe {item.name}") if plain else {}
    if d:
        text += (
            f". Over the {number(d.get('n'))} plain numbers: mean {amount(d.get('mean'), unit)}, "
            f"range {number(d.get('min'))} to {amount(d.get('max'), unit)}"
        )
    ends = d.get("mean_range")
    if isinstance(ends, list):
        text += (
            f". Over all values the mean is from {number(ends[0])} (non-detects at 0) to "
            f"{amount(ends[1], unit)} (at their limit)"
        )
    return f"{text}."


def _summary_by(work: Work, fields: list[Field], by: Field) -> Finding:
    calls = [
        {"query": _group_query(work.card.view, item, by), "paths": [work.card.path]}
        for item in fields
    ]
    answers = work.each("sql", calls, on_table=False)
    mean = _MEAN.search(work.text) is not None
    results = [
        _group_lines(item, told.previews[0] if told.previews else None, by, mean=mean)
        for item, told in zip(fields, answers, strict=True)
    ]
    files = paths([("Result table:", listed([told.text("output") for told in answers]))])
    return Finding((*results, *work.closing(*_weighting(work), treatments(answers), files)))


def _group_query(view: str, item: Field, by: Field, order: str = "n") -> str:
    column, group = quoted(item.name), quoted(by.name)
    return (  # names are quoted as identifiers, and the query runs on the locked connection
        f"SELECT {group} AS grp, count({column}) AS n, median({column}) AS median, "  # noqa: S608
        f"quantile_cont({column}, 0.25) AS q25, quantile_cont({column}, 0.75) AS q75, "
        f"max({column}) AS highest, avg({column}) AS mean FROM {quoted(view)} "
        f"WHERE {column} IS NOT NULL GROUP BY {group} ORDER BY {order} DESC, {group}"
    )


def _group_lines(item: Field, rows: Rows | None, by: Field, *, mean: bool) -> str:
    if rows is None or not rows.rows:
        return f"{item.name} by {by.name}: no numbers."
    lines = []
    for row in rows.rows[:GROUPS_SHOWN]:
        group, n, median, low, high, most, average = (*row, *[""] * 7)[:7]
        first = f"mean {value(average, item.unit)}, median " if mean else ""
        lines.append(
            f"{group or 'no entry'} {first}{value(median, item.unit)} (n {value(n, '')}, "
            f"quartiles {value(low, '')} to {value(high, '')}, maximum {value(most, '')})"
        )
    what = f"{item.label} by {by.name}" if mean else f"Median of {item.label} by {by.name}"
    return f"{what}: {'; '.join(lines)}{more([*map(str, rows.rows)])}."


_MEAN = re.compile(r"\bmean|\baverage|\bdeviation|\bsd\b|\bsummar", re.IGNORECASE)


def highest(work: Work) -> Finding:
    """Answer which samples are highest in an element."""
    group = group_asked(work)
    if group is not None:
        return _highest_group(work, work.need(1, "highest group")[:MOST_ELEMENTS], group)
    item = work.detail(work.need(1, "highest samples")[:1])[0]
    wanted = min(top(work.text) or _TOP, _TOP_MOST)
    flag = [f"{item.name}__flag"] if item.below or item.above else []
    shown = [*naming(work.card), item.name, *flag]
    column = quoted(item.name)
    query = (
        f"SELECT {', '.join(map(quoted, shown))} FROM {quoted(work.card.view)} "  # noqa: S608 - quoted
        f"WHERE {column} IS NOT NULL ORDER BY {column} DESC LIMIT {wanted}"
    )
    told = work.told(work.asking.ask("sql", query=query, paths=[work.card.path]))
    items = named_rows(_signed(told.previews, item), item, work.card)
    what = spoken(item.element) if item.element else item.name
    lead = f"The {count_word(len(items))} highest in {what}, {item.name}: {', '.join(items)}."
    files = paths([("Result table:", told.text("output"))])
    return Finding((lead, *work.closing(censored(told), files)))


def _highest_group(work: Work, fields: list[Field], by: Field) -> Finding:
    """Answer which group is highest by its median, and list the others after it."""
    calls = [
        {"query": _group_query(work.card.view, item, by, "median"), "paths": [work.card.path]}
        for item in fields
    ]
    answers = work.each("sql", calls, on_table=False)
    results = []
    for item, told in zip(fields, answers, strict=True):
        rows = told.previews[0] if told.previews else None
        if rows is not None and rows.rows:
            first = rows.rows[0]
            results.append(
                f"By the median, {first[0] or 'no entry'} is highest in {item.label}: "
                f"{value(first[2], item.unit)} (n {value(first[1], '')})."
            )
        results.append(_group_lines(item, rows, by, mean=False))
    files = paths([("Result table:", listed([told.text("output") for told in answers]))])
    return Finding((*results, *work.closing(treatments(answers), files)))


def _signed(previews: tuple[Rows, ...], item: Field) -> Rows:
    """Return rows whose values at a limit carry its sign, as the file has them."""
    if not previews:
        return Rows("", (), (), 0)
    rows = previews[0]
    cells = [dict(zip(rows.columns, row, strict=False)) for row in rows.rows]
    for cell in cells:
        sign = cell.get(f"{item.name}__flag", "")
        cell[item.name] = f"{sign}{cell[item.name]}" if sign in {"<", ">"} else cell[item.name]
    return Rows(rows.title, rows.columns, tuple(tuple(c.values()) for c in cells), rows.total)

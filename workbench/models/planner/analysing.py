"""Statistics, anomalies and highest samples: which calls, and how they read."""

from __future__ import annotations

import re

from workbench.models.planner.answer import Rows, ToolAnswer
from workbench.models.planner.cards import Card, Field
from workbench.models.planner.said import top
from workbench.models.planner.symbols import spoken
from workbench.models.planner.wording import (
    amount,
    censored,
    count_word,
    listed,
    number,
    paths,
    percent,
    samples,
    treatments,
)
from workbench.models.planner.work import Finding, Work

# One figure or table an element; more asked at once is a report, not an answer.
MOST_ELEMENTS = 6
_SHOWN = 5
_GROUPS_SHOWN = 8
_TOP, _TOP_MOST = 10, 20


def anomaly(work: Work) -> Finding:
    """Answer which samples are anomalous, and above which threshold."""
    by = work.by()
    fields = work.need(1, "anomalies")[:MOST_ELEMENTS]
    arguments: dict[str, object] = {} if by is None else {"by": by.name}
    if re.search(r"\btukey|\bfence|\bbox", work.text, re.IGNORECASE):
        arguments["method"] = "tukey"
    elif re.search(r"\bpercentile", work.text, re.IGNORECASE):
        arguments["method"] = "percentile"
    answers = work.each("anomaly", [{"column": item.name, **arguments} for item in fields])
    results: list[str] = []
    for item, told in zip(fields, answers, strict=True):
        results.append(_anomalous(item, told, work.card))
        if by is not None:
            results.append(_by_group(item, told, by))
    rules = dict.fromkeys(told.text("rule") for told in answers if told.text("rule"))
    caution = "It sets high values of this table apart; it does not say why they are high"
    made = paths(
        [
            ("Flagged:", listed([told.text("output") for told in answers])),
            ("all scores:", listed([told.text("scores") for told in answers])),
        ]
    )
    rule = f"Rule: {'; '.join(rules)}. {caution}"
    return Finding((*results, *work.closing(rule, treatments(answers), made)))


def _anomalous(item: Field, told: ToolAnswer, card: Card) -> str:
    used, flagged = told.number("rows_used") or 0, told.number("flagged") or 0
    what = spoken(item.element) if item.element else item.name
    over = told.number("threshold")
    limit = f": {item.name} above {amount(over, item.unit)}" if over is not None else ""
    verb = "is" if flagged == 1 else "are"
    share = f"{number(flagged)} of {samples(used, card.noun)} ({percent(flagged, used)})"
    lead = f"{share} {verb} anomalous in {what}{limit}."
    return " ".join(part for part in (lead, _highest(told, item, card)) if part)


def _highest(told: ToolAnswer, item: Field, card: Card) -> str:
    """Name the first rows of a preview with their value."""
    if not told.previews or not told.previews[0].rows:
        return ""
    shown = _named_rows(told.previews[0], item, card)[:_SHOWN]
    return f"Highest: {', '.join(shown)}." if shown else ""


def _named_rows(rows: Rows, item: Field, card: Card) -> list[str]:
    """Return ``NAME (VALUE UNIT)`` of each row of a preview."""
    names = _naming(card)
    cells = [dict(zip(rows.columns, row, strict=False)) for row in rows.rows]
    return [
        f"{_name([cell.get(name, '') for name in names])} ({_value(cell[item.name], item.unit)})"
        for cell in cells
        if item.name in cell
    ]


def _name(parts: list[str]) -> str:
    """Return how a row is called: its sample, or hole and interval."""
    if len(parts) == 3:  # noqa: PLR2004 - hole, from, to
        return f"{parts[0]} {parts[1]}–{parts[2]}"
    return " ".join(parts) or "row"


def _naming(card: Card) -> list[str]:
    """Return the columns that name a row: its sample, or its hole and interval."""
    samples_by = [field.name for field in card.fields if field.role == "id"][:1]
    return samples_by or [f.name for f in card.fields if f.role in {"hole", "from", "to"}][:3]


def _value(cell: str, unit: str) -> str:
    try:
        return amount(float(cell), unit)
    except ValueError:
        return amount(cell, unit)


def _by_group(item: Field, told: ToolAnswer, by: Field) -> str:
    """Return threshold and count of each group, largest groups first."""
    groups = [
        (key.removeprefix("group "), value)
        for key, value in told.facts.items()
        if key.startswith("group ") and isinstance(value, dict)
    ]
    groups.sort(key=lambda pair: -float(pair[1].get("n") or 0))
    unit = item.unit
    lines = [
        f"{name} above {amount(group.get('threshold'), unit)} ({number(group.get('flagged'))} of "
        f"{number(group.get('n'))}{', few samples' if group.get('small') else ''})"
        for name, group in groups
    ]
    return f"Thresholds by {by.name}: {'; '.join(lines[:_GROUPS_SHOWN])}{_more(lines)}."


def _more(lines: list[str]) -> str:
    left = len(lines) - _GROUPS_SHOWN
    return f"; {left} more groups in the file" if left > 0 else ""


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
    return Finding((*lines, *work.closing(censored(told))))


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
    return Finding((*results, *work.closing(treatments(answers), files)))


def _group_query(view: str, item: Field, by: Field) -> str:
    column, group = quoted(item.name), quoted(by.name)
    return (  # names are quoted as identifiers, and the query runs on the locked connection
        f"SELECT {group} AS grp, count({column}) AS n, median({column}) AS median, "  # noqa: S608
        f"quantile_cont({column}, 0.25) AS q25, quantile_cont({column}, 0.75) AS q75, "
        f"max({column}) AS highest, avg({column}) AS mean FROM {quoted(view)} "
        f"WHERE {column} IS NOT NULL GROUP BY {group} ORDER BY n DESC, {group}"
    )


def quoted(name: str) -> str:
    """Return a name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def _group_lines(item: Field, rows: Rows | None, by: Field, *, mean: bool) -> str:
    if rows is None or not rows.rows:
        return f"{item.name} by {by.name}: no numbers."
    lines = []
    for row in rows.rows[:_GROUPS_SHOWN]:
        group, n, median, low, high, most, average = (*row, *[""] * 7)[:7]
        first = f"mean {_value(average, item.unit)}, median " if mean else ""
        lines.append(
            f"{group or 'no entry'} {first}{_value(median, item.unit)} (n {_value(n, '')}, "
            f"quartiles {_value(low, '')} to {_value(high, '')}, maximum {_value(most, '')})"
        )
    what = f"{item.label} by {by.name}" if mean else f"Median of {item.label} by {by.name}"
    return f"{what}: {'; '.join(lines)}{_more([*map(str, rows.rows)])}."


_MEAN = re.compile(r"\bmean|\baverage|\bdeviation|\bsd\b|\bsummar", re.IGNORECASE)


def highest(work: Work) -> Finding:
    """Answer which samples are highest in an element."""
    item = work.detail(work.need(1, "highest samples")[:1])[0]
    wanted = min(top(work.text) or _TOP, _TOP_MOST)
    flag = [f"{item.name}__flag"] if item.below or item.above else []
    shown = [*_naming(work.card), item.name, *flag]
    column = quoted(item.name)
    query = (
        f"SELECT {', '.join(map(quoted, shown))} FROM {quoted(work.card.view)} "  # noqa: S608 - quoted
        f"WHERE {column} IS NOT NULL ORDER BY {column} DESC LIMIT {wanted}"
    )
    told = work.told(work.asking.ask("sql", query=query, paths=[work.card.path]))
    items = _named_rows(_signed(told.previews, item), item, work.card)
    what = spoken(item.element) if item.element else item.name
    lead = f"The {count_word(len(items))} highest in {what}, {item.name}: {', '.join(items)}."
    files = paths([("Result table:", told.text("output"))])
    return Finding((lead, *work.closing(censored(told), files)))


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

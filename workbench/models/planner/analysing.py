"""Statistics and highest samples: which calls, and how they read."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from workbench.errors import Refused
from workbench.models.planner import intervals, percentile
from workbench.models.planner.anomalies import MOST_ELEMENTS
from workbench.models.planner.answer import Rows, ToolAnswer
from workbench.models.planner.cards import Field
from workbench.models.planner.counting import group_asked
from workbench.models.planner.naming import GROUPS_SHOWN, named_rows, naming, quoted
from workbench.models.planner.range_tables import IN_UNIT, UNITS
from workbench.models.planner.said import top
from workbench.models.planner.symbols import spoken
from workbench.models.planner.wording import (
    amount,
    censored,
    count_word,
    number,
    paths,
    treatment,
)
from workbench.models.planner.work import CannotAnswer, Finding, Work
from workbench.tables.units import factor, unit_named

_TOP, _TOP_MOST = 10, 20


def summary(work: Work) -> Finding:
    """Answer median, percentiles, mean and range of columns, by group where asked."""
    fields = work.need(1, "summary")[:MOST_ELEMENTS]
    by = work.by()
    if intervals.WEIGHTED.search(work.text):
        return intervals.weighted(work, fields, by)
    if by is not None:
        return _summary_by(work, fields, by)
    names = [item.name for item in fields]
    wants_mean = _MEAN.search(work.text)
    told = work.call("query_data", operation="percentiles", columns=names)
    plain = work.call("query_data", operation="describe", columns=names) if wants_mean else None
    asked = percentile.asked(work.text)
    lines = [_quantiles(item, told, plain, asked) for item in work.detail(fields)]
    for item in fields:
        quantiles = told.mapping(f"percentiles {item.name}")
        lines += _in_unit(
            work.text, item, {_QUANTILES[key]: quantiles.get(key) for key in _QUANTILES}
        )
    last = percentile.missing(asked, told, "percentiles ")
    return Finding((*lines, *work.closing(*_weighting(work), last, censored(told))))


def _weighting(work: Work) -> tuple[str, ...]:
    """Say what a mean over drillhole intervals is not."""
    if not work.card.has_intervals or not _MEAN.search(work.text):
        return ()
    return ("Each interval counts once, not weighted by length",)


def _quantiles(
    item: Field, told: ToolAnswer, plain: ToolAnswer | None, asked: tuple[str, ...] = ()
) -> str:
    q = told.mapping(f"percentiles {item.name}")
    if not q:
        return f"{item.name}: no numbers."
    unit = item.unit
    text = (
        f"{item.label}: n {number(q.get('n'))}; median {amount(q.get('50'), unit)}, quartiles "
        f"{number(q.get('25'))} and {amount(q.get('75'), unit)}, 90th percentile "
        f"{number(q.get('90'))}, 95th {number(q.get('95'))}, 98th {amount(q.get('98'), unit)}"
    )
    text += percentile.more(tuple(share for share in asked if share not in _TOLD), q, "", unit)
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
    told = work.call(
        "query_data",
        operation="percentiles",
        columns=[item.name for item in fields],
        by=by.name,
    )
    mean, asked = _MEAN.search(work.text) is not None, percentile.asked(work.text)
    lines = [
        _group_lines(item, _of_groups(told, item), by, told, mean=mean, asked=asked)
        for item in fields
    ]
    for item in fields:
        groups = list(_of_groups(told, item).items())[:GROUPS_SHOWN]
        lines += _in_unit(work.text, item, {name: q.get("median") for name, q in groups}, "median ")
    files = paths([("Result table:", told.text("output"))])
    every = [q for item in fields for q in list(_of_groups(told, item).values())[:GROUPS_SHOWN]]
    table = "" if all({*q} >= _QUARTILES for q in every) else _IN_TABLE
    box = _BOX if re.search(r"\bbox[ -]?plots?\b", work.text, re.IGNORECASE) else ""
    last = percentile.missing(asked, told, "group ", "p")
    closing = work.closing(box, *_weighting(work), last, table, treatment(told), files)
    return Finding((*lines, *closing))


_QUARTILES = {"p25", "p75"}
_IN_TABLE = "Quartiles and percentiles that are not told here are in the result table, where known"
_TOLD = {"25", "50", "75", "90", "95", "98"}
_BOX = "No box plot is drawn: its numbers are told, and a histogram by group can be drawn"


_QUANTILES = {
    "50": "median",
    "25": "lower quartile",
    "75": "upper quartile",
    "98": "98th percentile",
}


def _in_unit(text: str, item: Field, values: Mapping[str, object], what: str = "") -> list[str]:
    """Return values in the unit that a text asks for, where it is another than the column's.

    Raises
    ------
    CannotAnswer
        If the column has no unit, or one of another kind.
    """
    hit = re.search(IN_UNIT, text, re.IGNORECASE)
    unit = UNITS.get(hit[1].casefold(), hit[1]) if hit else item.unit
    if hit is None or unit_named(unit) == item.unit:
        return []
    try:
        times = float(factor(unit_named(unit) or unit, item.unit))
    except Refused:
        has = f"is in {item.unit}" if item.unit else "has no unit in the file"
        raise CannotAnswer(f"{item.name} {has}; it cannot be told in {unit}") from None
    told = [
        f"{name} {what}{amount(value / times, unit)}"
        for name, value in values.items()
        if isinstance(value, int | float)
    ]
    named = amount("", unit)
    lead = f"The same in {named} (1 {named} = {amount(times, item.unit)})"
    return [f"{lead}: {', '.join(told)}."]


def _of_groups(told: ToolAnswer, item: Field) -> dict[str, dict[str, Any]]:
    """Return the statistics of a column by group, as they came back."""
    lead = f"group {item.name} | "
    return {
        key.removeprefix(lead): value
        for key, value in told.facts.items()
        if key.startswith(lead) and isinstance(value, dict)
    }


def _group_lines(
    item: Field,
    groups: dict[str, dict[str, Any]],
    by: Field,
    told: ToolAnswer,
    *,
    mean: bool,
    asked: tuple[str, ...] = (),
) -> str:
    if not groups:
        return f"{item.name} by {by.name}: no numbers."
    lines = []
    for group, q in list(groups.items())[:GROUPS_SHOWN]:
        first = f"mean {amount(q.get('mean'), item.unit)}, median " if mean else ""
        below = f", {number(q['below'])} below detection" if q.get("below") else ""
        asked_too = tuple(share for share in asked if share not in {"25", "75"})
        more = percentile.more(asked_too, q, "p", item.unit)
        # A long answer of the tool leaves some out; they are in its table.
        ends = f", quartiles {number(q['p25'])} to {number(q['p75'])}" if {*q} >= _QUARTILES else ""
        lines.append(
            f"{group} {first}{amount(q.get('median'), item.unit)} (n {number(q.get('n'))}{below}"
            f"{ends}{more}, maximum {number(q.get('max'))})"
        )
    left = int(told.number("groups") or 0) - len(lines)
    rest = f"; {left} more groups in the file" if left > 0 else ""
    what = f"{item.label} by {by.name}" if mean else f"Median of {item.label} by {by.name}"
    return f"{what}: {'; '.join(lines)}{rest}."


_MEAN = re.compile(
    r"\bmax(?:im|\b)|\bmin(?:im|\b)|\brange\b|\blowest\b|\bmean|\baverage|\bdeviation|\bsd\b|\bsummar",
    re.IGNORECASE,
)


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
    told = work.call(
        "query_data",
        operation="percentiles",
        columns=[item.name for item in fields],
        by=by.name,
    )
    results = []
    for item in fields:
        found = _of_groups(told, item)
        ordered = dict(sorted(found.items(), key=lambda pair: -_level(pair[1].get("median"))))
        if ordered:
            group, first = next(iter(ordered.items()))
            results.append(
                f"By the median, {group} is highest in {item.label}: "
                f"{amount(first.get('median'), item.unit)} (n {number(first.get('n'))})."
            )
        results.append(_group_lines(item, ordered, by, told, mean=False))
    files = paths([("Result table:", told.text("output"))])
    return Finding((*results, *work.closing(treatment(told), files)))


def _level(value: object) -> float:
    """Return a median to sort by; one below a limit stands under all numbers."""
    return float(value) if isinstance(value, int | float) else -math.inf


def _signed(previews: tuple[Rows, ...], item: Field) -> Rows:
    """Return rows whose values at a limit carry its sign, as the file has them."""
    if not previews:
        return Rows("", (), (), 0)
    rows = previews[0]
    cells = [dict(zip(rows.columns, row, strict=False)) for row in rows.rows]
    for cell in cells:
        sign = cell.get(f"{item.name}__flag", "")
        if sign in {"<", ">"}:
            cell[item.name] = f"{sign}{cell[item.name]}"
    return Rows(rows.title, rows.columns, tuple(tuple(c.values()) for c in cells), rows.total)

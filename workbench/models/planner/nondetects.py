"""Statistics where values are below detection: several routes side by side, none substitutes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.models.planner.anomalies import MOST_ELEMENTS
from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.cards import Field
from workbench.models.planner.naming import GROUPS_SHOWN
from workbench.models.planner.sourced import cited
from workbench.models.planner.wording import amount, listed, number, paths, percent
from workbench.models.planner.work import Finding, Work

# The route that stands for comparison alone is not among them.
_ROUTES = {
    "km": "Kaplan-Meier (km)",
    "ros": "regression on order statistics (ros)",
    "mle": "lognormal likelihood (mle)",
}
_HALF = "half"
# Means further apart than this share of the first are no longer one answer.
_APART = 0.1


def statistics(work: Work) -> Finding:
    """Answer mean, standard deviation and median of columns with values below detection."""
    fields = work.need(1, "statistics with values below detection")[:MOST_ELEMENTS]
    by = work.by()
    names = [item.name for item in fields]
    # By group each column has an answer of its own: one names a few groups only.
    calls = [{"columns": names}] if by is None else [{"columns": [n], "by": by.name} for n in names]
    answers = work.each("censored_stats", calls)
    each = answers if len(answers) == len(fields) else answers * len(fields)
    lines = [
        line for item, told in zip(fields, each, strict=True) for line in _of_column(item, told)
    ]
    weight = "Each interval counts once, not weighted by length" if work.card.has_intervals else ""
    policy = f"Treatment of values at a limit: {cited(answers[0].text('policy'))}"
    files = paths([("Result table:", listed([told.text("output") for told in answers]))])
    return Finding((*lines, *work.closing(weight, policy, files)))


def _of_column(item: Field, told: ToolAnswer) -> list[str]:
    """Return the sentences on a column, or on each of its groups."""
    whole = told.mapping(item.name)
    if whole:
        return [_of_part(item.label, whole, item.unit)]
    lead = f"{item.name} | "
    groups = [
        _of_part(f"{item.label}, {key.removeprefix(lead)}", value, item.unit)
        for key, value in told.facts.items()
        if key.startswith(lead) and isinstance(value, dict)
    ]
    more = told.text("more_in_output")
    left = max(len(groups) - GROUPS_SHOWN, 0)
    rest = more or (f"{left} groups more" if left else "")
    told_more = [f"{item.name}: {rest} in the result table."] if rest else []
    return [*groups[:GROUPS_SHOWN], *told_more] or [f"{item.name}: no numbers."]


def _of_part(label: str, part: Mapping[str, Any], unit: str) -> str:
    lead = f"{label}: n {number(part.get('n'))}, {_hidden(part, unit)}."
    means = [part[key]["mean"] for key in _ROUTES if key in part]
    if not means:
        return f"{lead} Every value is below detection: only the limits are known."
    routes = [_route(name, part[key], unit) for key, name in _ROUTES.items() if key in part]
    if not part.get("below"):
        return f"{lead} Nothing is hidden by a limit: {_route('', part['km'], unit)}."
    half = _route("for comparison, half the limit in their place", part.get(_HALF, {}), unit)
    return f"{lead} By {'; by '.join(routes)}; {half}.{_apart(means, unit)}"


def _hidden(part: Mapping[str, Any], unit: str) -> str:
    """Say how many values are below or above a limit, and how many are missing."""
    below, n = part.get("below") or 0, part.get("n") or 0
    said = f"{number(below)} of them below detection" if below else "none below detection"
    limits = part.get("limits")
    if below and isinstance(limits, list) and len(limits) == 2:  # noqa: PLR2004 - lowest and highest
        low, high = limits
        ends = f"limit {amount(low, unit)}"
        if low != high:
            ends = f"limits {number(low)} to {amount(high, unit)}"
        said += f" ({percent(below, n)}, {ends})"
    for key, words in (("above", "over range"), ("missing", "rows without a value left out")):
        said += f", {number(part[key])} {words}" if part.get(key) else ""
    for why, rows in dict(part.get("dropped") or {}).items():
        said += f", {number(rows)} {str(why).replace(' 0', ' zero')} left out"
    return said


def _route(name: str, route: Mapping[str, Any], unit: str) -> str:
    numbers = (
        f"mean {amount(route.get('mean'), unit)}, standard deviation "
        f"{amount(route.get('sd'), unit)}, median {amount(route.get('median'), unit)}"
    )
    return f"{name}: {numbers}" if name else numbers


def _apart(means: list[Any], unit: str) -> str:
    """Say where the routes that substitute nothing do not agree on the mean."""
    known = [value for value in means if isinstance(value, int | float)]
    if len(known) < 2 or max(known) - min(known) <= _APART * abs(known[0]):  # noqa: PLR2004 - a pair
        return ""
    return (
        f" The routes differ, from {number(min(known))} to {amount(max(known), unit)}: the data do "
        "not tell which mean is right."
    )

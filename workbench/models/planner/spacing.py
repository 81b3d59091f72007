"""Anomalies that lie close together: more than one sample, and more than one element."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from workbench.models.planner.cards import Card, Field
from workbench.models.planner.naming import quoted
from workbench.models.planner.said import SPREADS
from workbench.models.planner.sourced import cited
from workbench.models.planner.together import trace_columns
from workbench.models.planner.wording import amount, listed, number, paths, samples, treatment
from workbench.models.planner.work import CannotAnswer, Finding, Work

_RADIUS = re.compile(
    r"(?<![\w.])(?P<far>\d[\d,]*(?:\.\d+)?)\s*-?(?P<unit>km|m|metres?|meters?)\b", re.IGNORECASE
)
_SHOWN = 5
# Neighbours are looked for within so many times the mean spacing.
_SPACINGS = 2


def near_anomalies(work: Work) -> Finding:
    """Answer which anomalous samples lie together, most elements first."""
    card = work.card
    if not card.has_place:
        raise CannotAnswer(f"anomalies in space: {card.title} has no coordinates")
    names, chosen = trace_columns(work, 1, "anomalies in space")
    radius, why = _radius(work.text, work, card)
    spreads = SPREADS.search(work.text)
    more = {"k": float(spreads["k"] or spreads["mads"])} if spreads else {}
    told = work.call("anomaly_groups", columns=names, radius=radius, **more)
    thresholds = [
        f"{name} above {amount(limit, _unit(card, name))}"
        for name, limit in told.mapping("thresholds").items()
        if isinstance(limit, int | float)
    ]
    groups = [
        _group(key, value)
        for key, value in told.facts.items()
        if re.fullmatch(r"group \d+", key) and isinstance(value, dict)
    ]
    found, several = told.number("groups") or 0, told.number("groups_of_several_elements") or 0
    lead = (
        f"{number(told.number('anomalous_samples'))} of "
        f"{samples(told.number('rows_used'), card.noun)} are anomalous in at least one element. "
        f"{samples(found, 'group')} have more than one of them within "
        f"{amount(told.number('radius_m'), 'm')} of each other, {number(several)} with more than "
        f"one element; {number(told.number('lone_samples'))} stand alone."
    )
    lines = f"Most elements first: {'; '.join(groups[:_SHOWN])}." if groups else ""
    rule = f"Rule: {cited(told.text('rule'))}: {listed(thresholds, 8)}"
    caution = "A group is a place to look at: why it is high, and what lies between, is not told"
    files = paths([("Groups with their samples:", told.text("output"))])
    closing = work.closing(rule, why, caution, chosen, treatment(told), files)
    return Finding((*(part for part in (lead, lines) if part), *closing))


def _unit(card: Card, name: str) -> str:
    item = card.named(name)
    return item.unit if item is not None else ""


def _group(key: str, group: Mapping[str, Any]) -> str:
    elements = [f"{name} {number(n)}" for name, n in dict(group.get("elements") or {}).items()]
    centre = list(group.get("centre") or [])
    place = f" around {number(centre[0])}, {number(centre[1])}" if len(centre) == 2 else ""  # noqa: PLR2004 - a pair
    across = f", {amount(group.get('across_m'), 'm')} across"
    return f"{key} has {samples(group.get('samples'))}{place}{across} ({listed(elements)})"


def _radius(text: str, work: Work, card: Card) -> tuple[float, str]:
    """Return the distance between neighbours, as named or by the spacing, and how it was found.

    Raises
    ------
    CannotAnswer
        If none is named and the coordinates are in degrees.
    """
    hit = _RADIUS.search(text)
    if hit is not None:
        times = 1000 if hit["unit"].casefold() == "km" else 1
        return float(hit["far"].replace(",", "")) * times, ""
    east, north = _axis(card, "easting"), _axis(card, "northing")
    if east is None or north is None or not work.asking.has("sql"):
        raise CannotAnswer("anomalies in space: say how far neighbours are, as in “within 100 m”")
    e, n = quoted(east.name), quoted(north.name)
    query = (
        f"SELECT sqrt((max({e}) - min({e})) * (max({n}) - min({n})) / count(*)) AS spacing "  # noqa: S608 - quoted
        f"FROM {quoted(card.view)}"
    )
    told = work.told(work.asking.ask("sql", query=query, paths=[card.path]))
    cell = told.previews[0].rows[0][0] if told.previews and told.previews[0].rows else ""
    try:
        spacing = float(cell)
    except ValueError:
        spacing = 0.0
    if not math.isfinite(spacing) or spacing <= 0:
        raise CannotAnswer("anomalies in space: say how far neighbours are, as in “within 100 m”")
    radius = float(f"{_SPACINGS * spacing:.2g}")
    return radius, "Neighbours are within twice the mean spacing, since no distance was named"


def _axis(card: Card, role: str) -> Field | None:
    return next((item for item in card.fields if item.role == role), None)

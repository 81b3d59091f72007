"""How much was drilled: the depth of each hole, or where only intervals tell it, their deepest."""

from __future__ import annotations

from workbench.models.planner.cards import Card, Field
from workbench.models.planner.naming import quoted
from workbench.models.planner.sourced import cited
from workbench.models.planner.work import CannotAnswer, Finding, Work


def drilled(work: Work) -> Finding:
    """Answer how many metres were drilled, over how many holes, and how deep the deepest is.

    Raises
    ------
    CannotAnswer
        If no table has holes with a depth or with intervals.
    """
    card, hole, depth = _deepest(work)
    query = (
        "SELECT count(deep) AS holes, sum(deep) AS total, max(deep) AS deepest, "  # noqa: S608 - quoted
        f"count(*) - count(deep) AS without FROM (SELECT max({quoted(depth.name)}) AS deep "
        f"FROM {quoted(card.view)} WHERE {quoted(hole.name)} IS NOT NULL "
        f"GROUP BY {quoted(hole.name)})"
    )
    told = work.told(work.asking.ask("sql", query=query, paths=[card.path]))
    row = told.previews[0].rows[0] if told.previews and told.previews[0].rows else ()
    if len(row) < 4 or not row[1]:  # noqa: PLR2004 - the four columns of the query
        raise CannotAnswer(f"metres drilled: {card.title} has no depth in {depth.name}")
    holes, total, deepest, without = (cited(text) for text in row)
    unit = f" {depth.unit}" if depth.unit else ""
    by = "to the deepest interval of each hole, " if depth.role == "to" else ""
    lead = (
        f"{total}{unit} drilled in {holes} holes, the deepest {deepest}{unit} ({by}{depth.name})."
    )
    left = f"{without} holes without a depth: left out" if row[3] not in {"", "0"} else ""
    bare = "" if depth.unit else f"The file gives no unit for {depth.name}"
    return Finding((lead, *work.on(card).closing(bare, left)))


def _deepest(work: Work) -> tuple[Card, Field, Field]:
    """Return the table that tells depths of holes best: one of collars, else most intervals."""
    found = []
    for card in work.pool:
        roles = {item.role: item for item in reversed(card.fields)}
        depth = roles.get("depth") if card.has_place else None
        depth = depth or (roles.get("to") if card.has_intervals else None)
        if "hole" in roles and depth is not None:
            found.append((depth.role == "depth", card.rows, card, roles["hole"], depth))
    if not found:
        raise CannotAnswer(
            "metres drilled: no table looked at has holes with a depth, or with intervals"
        )
    best = max(found, key=lambda one: one[:2])
    return best[2:]

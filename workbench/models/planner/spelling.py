"""The condition in a clause, its values spelled as the file has them."""

from __future__ import annotations

import re
from dataclasses import replace

from workbench.models.planner import condition
from workbench.models.planner.cards import Card, Field
from workbench.models.planner.condition import Condition, Unread
from workbench.models.planner.wording import listed
from workbench.models.planner.work import CannotAnswer, Work

_VALUES = 20
# A width is no condition: of these kinds only what stands after one of the words is read.
_WIDTHS = frozenset({"smooth", "aggregate"})
_LED = re.compile(r"\b(?:where|whose|with)\b", re.IGNORECASE)


def read_condition(work: Work) -> Condition | None:
    """Return the condition in a clause, its values spelled as in the file.

    Raises
    ------
    CannotAnswer
        If there is one that cannot be read.
    """

    def lookup(field: Field, value: str) -> str:
        return _spelled(work, work.card, field, value)

    led = _LED.search(work.text) if work.clause.kind in _WIDTHS else None
    if work.clause.kind in _WIDTHS and led is None:
        return None
    start = led.start() if led else 0
    try:
        found = condition.read(work.text[start:], work.card, lookup)
        return found and replace(found, rest=f"{work.text[:start]}{found.rest}")
    except Unread as error:
        raise CannotAnswer(f"condition: {error}") from None


def _spelled(work: Work, card: Card, field: Field, value: str) -> str:
    """Return a value as the file spells it."""
    told = work.asking.ask(
        "query_data", **card.arguments, operation="value_counts", columns=[field.name], n=_VALUES
    )
    if told.error:
        raise CannotAnswer(told.error)
    there = [row[0] for row in told.previews[0].rows if row[0]] if told.previews else []
    wanted = value.casefold()
    for known in there:
        if known.casefold() in {wanted, wanted.rstrip("s")}:
            return known
    if (told.number("other") or 0) > 0:
        return value  # a value beyond the listed ones: the filter says whether it is there
    raise CannotAnswer(f"{field.name} is never '{value}'; its values are {listed(there, 12)}")

"""A condition inside a question ("in basalt", "above 100 m"): its rows are kept first.

The words of a clause that nothing else explains are looked for among the values of group columns;
what is found there, and any condition in words, becomes a filtered table that then answers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from workbench.models.planner.cards import Card, Field
from workbench.models.planner.cards import read as read_card
from workbench.models.planner.choice import Choice
from workbench.models.planner.condition import Condition
from workbench.models.planner.said import columns
from workbench.models.planner.spelling import read_condition
from workbench.models.planner.unused import unused
from workbench.models.planner.wording import listed, number, samples
from workbench.models.planner.work import CannotAnswer, Work

# So many tables and columns are looked through for a value.
_TABLES, _COLUMNS, _VALUES = 3, 4, 20
_NOT = r"\b(?:not|without|outside|except(?:ing)?|excluding|leaving out|other than|no|non)\b[\s-]+"
_LITTLE = r"(?:in|within|inside|for|from|of|over|among|the|any|a|an|logged|as|is|are)"


def narrowed(work: Work) -> Work:
    """Return the work on the rows that a clause speaks of; the same where it speaks of all.

    Raises
    ------
    CannotAnswer
        If the condition cannot be read, or no row meets it.
    """
    card, found, rest = rows_said(work)
    if found is None:
        return work
    if not work.asking.has("filter_rows"):
        raise CannotAnswer(
            f"“{work.text}”: the rows with {found.words} cannot be kept here; filter first, then "
            "ask of the table that makes"
        )
    return _kept(work, card, found, rest)


def rows_said(work: Work) -> tuple[Card, Condition | None, str]:
    """Return the table, the condition on its rows, and what else the clause says.

    Raises
    ------
    CannotAnswer
        If there is a condition that cannot be read.
    """
    said = read_condition(work)
    if said is not None:
        # Read against this table: its values are looked for in no other.
        choice = work.choice
        work = replace(work, clause=replace(work.clause, text=said.rest), cards=(work.card,))
        work.__dict__["choice"] = choice
    card, values = _values_said(work)
    more = _as_condition(values, work.text)
    rest = _without(work.text, [value for _, value in values])
    if said is None and more is None:
        _unread(work)
        return card, None, work.text
    parts = [part for part in (said, more) if part is not None]
    if said is not None and more is not None and " or " in said.expression:
        parts[0] = replace(said, expression=f"({said.expression})")
    words = " and ".join(part.words for part in parts)
    return card, Condition(" and ".join(p.expression for p in parts), words), rest


def _unread(work: Work) -> None:
    """Refuse a condition that was left unread: without it another question would be answered."""
    hit = _LED.search(work.text) if work.clause.kind in _ASKED_OF_ROWS else None
    if hit is not None:
        raise CannotAnswer(
            f"condition: “{hit[0].strip()}” was not read; write a column, above or below, a number "
            "and its unit, or a column, is, and its value"
        )


_LED = re.compile(
    r"(?<=\w)\s+\b(?:where|whose)\b(?![^.;]*\b(?:detection|detects?|censored|limits?)\b)[^.;]*",
    re.IGNORECASE,
)
_ASKED_OF_ROWS = frozenset(
    {
        "aggregate",
        "anomaly",
        "cluster",
        "correlate",
        "histogram",
        "scatter",
        "summary",
        "thresholds",
    }
)


def _kept(work: Work, card: Card, found: Condition, text: str) -> Work:
    """Return the work on the rows of a card that meet a condition."""
    told = work.told(work.asking.ask("filter_rows", **card.arguments, expression=found.expression))
    kept, rows = told.number("rows_out") or 0, told.number("rows_in") or 0
    if not kept:
        raise CannotAnswer(f"no {card.noun} of {card.title} has {found.words}")
    path = told.text("output")
    part = read_card(path, None, work.asking.ask("describe_table", path=path))
    if part is None:
        raise CannotAnswer(f"{path}: the rows with {found.words} could not be read again")
    units = {item.name: item for item in card.fields}
    fields = tuple(_like(item, units.get(item.name)) for item in part.fields)
    done = replace(
        work, clause=replace(work.clause, text=text), cards=(replace(part, fields=fields),)
    )
    unsure = told.number("undecided") or 0
    absent = told.number("missing") or 0
    more = f" ({samples(int(unsure), card.noun)} could be either, left out)" if unsure else ""
    more += f" ({samples(int(absent), card.noun)} without the value, left out)" if absent else ""
    why = (
        f"Table: {card.title}, of which {number(kept)} of {samples(rows, card.noun)} have "
        f"{found.words}{more} and were used (kept in {path})."
    )
    done.__dict__["choice"] = Choice(done.cards[0], why)
    return done


def _like(item: Field, before: Field | None) -> Field:
    """Return a column of kept rows with unit and element of the column it comes from."""
    if before is None:
        return item
    return replace(item, unit=item.unit or before.unit, element=item.element or before.element)


def _as_condition(values: Sequence[tuple[Field, str]], text: str) -> Condition | None:
    """Return the condition that one column has one of the values said, or none of them."""
    if not values:
        return None
    field = values[0][0]
    texts = [value for item, value in values if item.name == field.name]
    bare = not _left_out(text, texts)
    name = f"`{field.name.replace('`', '``')}`"
    literals = [json.dumps(value, ensure_ascii=False) for value in texts]
    one, several = ("==", "in") if bare else ("!=", "not in")
    test = f"{one} {literals[0]}" if len(texts) == 1 else f"{several} [{', '.join(literals)}]"
    said = listed(texts).replace(" and ", " or ")
    return Condition(f"{name} {test}", f"{field.name} {'' if bare else 'not '}{said}")


def _left_out(text: str, values: Sequence[str]) -> bool:
    """Tell whether values are said to be left out: "without dolerite", "not in basalt".

    Raises
    ------
    CannotAnswer
        If some are and some are not.
    """
    every = "|".join(re.escape(value) for value in values)
    lists = rf"(?:(?:{every})s?(?:\s*,\s*|\s+(?:and|or)\s+))*"
    out = [
        re.search(rf"{_NOT}(?:{_LITTLE}\s+)*{lists}{re.escape(v)}s?(?!\w)", text, re.IGNORECASE)
        for v in values
    ]
    if any(out) and not all(out):
        raise CannotAnswer(f"“{text}”: some groups are kept and some left out; say one of it")
    return bool(out[0])


def _values_said(work: Work) -> tuple[Card, list[tuple[Field, str]]]:
    """Return the table in whose group columns words of the clause occur, and these values."""
    left = unused(work.clause, work.card)
    if not left:
        return work.card, []
    tried = list(_tables(work))
    for card in tried:
        for item in _groups(card):
            work.asking.want("query_data", **card.arguments, **_counts(item))
    for card in tried:
        for item in _groups(card):
            told = work.asking.ask("query_data", **card.arguments, **_counts(item))
            there = [row[0] for row in told.previews[0].rows if row[0]] if told.previews else []
            found = [value for value in there if _says(work.text, value)]
            # A value that is part of a longer one that is said, too, is not meant.
            own = [
                v for v in found if not any(v != o and v.casefold() in o.casefold() for o in found)
            ]
            if own:
                return card, [(item, value) for value in own]
    return work.card, []


def _tables(work: Work) -> Iterator[Card]:
    """Yield the table chosen, then others that have the columns asked for."""
    yield work.card
    others = [
        card
        for card in work.pool
        if card is not work.card and _groups(card) and not columns(work.text, card).lacking
    ]
    yield from sorted(others, key=lambda card: -card.rows)[: _TABLES - 1]


def _groups(card: Card) -> list[Field]:
    return [item for item in card.fields if item.role == "group"][:_COLUMNS]


def _counts(item: Field) -> dict[str, object]:
    return {"operation": "value_counts", "columns": [item.name], "n": _VALUES}


def _says(text: str, value: str) -> bool:
    """Tell whether a text says a value, in any case, also in the plural."""
    if len(value) < 3 or value.isdigit():  # noqa: PLR2004 - codes are not said in words
        return False
    return re.search(rf"(?<!\w){re.escape(value)}s?(?!\w)", text, re.IGNORECASE) is not None


def _without(text: str, values: Sequence[str]) -> str:
    """Return the words of a clause without the values and the little words before them."""
    for value in values:
        text = re.sub(
            rf"\s*(?:\b(?:that|which|who)\s+)?(?:\b(?:{_LITTLE}|or|and)\s+)*(?:{_NOT}(?:{_LITTLE}\s+)*)?"
            rf"(?<!\w){re.escape(value)}s?(?!\w)",
            "",
            text,
            flags=re.IGNORECASE,
        )
    return text

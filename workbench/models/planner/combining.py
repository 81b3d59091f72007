"""One column of several: total iron, the best of several methods, limits put in as numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.cards import Card, Field
from workbench.models.planner.symbols import mentions, spoken
from workbench.models.planner.wording import amount, listed, number, paths, samples, treatment
from workbench.models.planner.work import CannotAnswer, Finding, Work

_PAIR = 2
# A column of total iron counts before the two oxides that make it.
_IRON = ("FeOT", "Fe2O3T", "FeO", "Fe2O3", "Fe")
_FORMS = {
    "Fe2O3T": re.compile(r"\bas (?:total )?Fe2O3\b|\bFe2O3[ _]?T(?:ot(?:al)?)?\b", re.IGNORECASE),
    "Fe": re.compile(r"\bas Fe\b(?!O)|\bas (?:metallic |elemental )?iron\b"),
}


def total_iron(work: Work) -> Finding:
    """Answer total iron in one form out of the iron columns of a table."""
    cards = [card for card in work.pool if _irons(card)]
    if not cards:
        raise CannotAnswer(f"total iron: no column of FeO, Fe2O3 or Fe; {work.card.near('')}")
    card = max(cards, key=lambda one: (len(_irons(one)), one.rows))
    work = work.on(card)
    fields = _irons(card)
    form = next((name for name, words in _FORMS.items() if words.search(work.text)), "FeOT")
    told = work.call("total_iron", columns=[item.name for item in fields], form=form)
    made = told.text("column")
    factors = [f"{name} × {number(times)}" for name, times in told.mapping("factors").items()]
    used = [f"{name} {number(n)}" for name, n in told.mapping("from").items()]
    lead = (
        f"{made} for {samples(told.number('rows_out'), card.noun)}, from {listed(used)} "
        f"(factors: {listed(factors)})."
    )
    files = paths([("Result table:", told.text("output"))])
    level = _level(work, told, made, "pct")
    return Finding((lead, *level, *work.closing(treatment(told), files)))


def _irons(card: Card) -> list[Field]:
    return [item for form in _IRON for item in card.measured if item.element == form]


def _level(work: Work, told: ToolAnswer, column: str, unit: str) -> tuple[str, ...]:
    """Tell the median and quartiles of a column that was made."""
    if not told.text("output") or not work.asking.has("query_data"):
        return ()
    found = work.asking.ask(
        "query_data", path=told.text("output"), operation="percentiles", columns=[column]
    )
    q = found.mapping(f"percentiles {column}")
    if not q:
        return ()
    ends = f"{number(q.get('25'))} and {amount(q.get('75'), unit)}"
    median = amount(q.get("50"), unit)
    return (f"{column}: median {median}, quartiles {ends} (n {number(q.get('n'))}).",)


def best_value(work: Work) -> Finding:
    """Answer one column for an element that several methods measured."""
    symbols = [mention.symbol for mention in mentions(work.text)]
    if len(symbols) != 1:
        raise CannotAnswer(f"best value: name one element; {work.card.near('')}")
    what = spoken(symbols[0])
    card = max(work.pool, key=lambda one: len(one.with_element(symbols[0])))
    fields = card.with_element(symbols[0])
    if len(fields) < _PAIR:
        has = f"only {fields[0].name}" if fields else "no column"
        raise CannotAnswer(f"best value of {what}: {card.title} has {has}, and two are needed")
    work = work.on(card)
    named = [item for item in work.columns.fields if item in fields]
    order = [*(named if len(named) > 1 else ()), *fields]
    names = list(dict.fromkeys(item.name for item in order))
    told = work.call("best_value", columns=names)
    used = [f"{name} {number(n)}" for name, n in told.mapping("from").items()]
    odd = told.number("contradictions")
    against = f" Methods contradict each other in {samples(odd, 'row')}." if odd else ""
    lead = (
        f"{told.text('column')} ({told.text('unit')}): {listed(used)}; "
        f"{number(told.number('without_value'))} without a value, "
        f"{number(told.number('below'))} below detection, {number(told.number('above'))} over "
        f"range by every method.{against}"
    )
    why = (
        f"Order of preference: {listed(names)}; a value over range gives way to the next. Name the "
        "columns in another order to change it"
    )
    files = paths([("Result table:", told.text("output"))])
    unit = told.text("unit")
    level = _level(work, told, told.text("column"), unit)
    return Finding((lead, *level, *work.closing(why, files)))


_FILLS = {
    "sqrt2": re.compile(r"√\s*2|\bsqrt|\broot\b", re.IGNORECASE),
    "zero": re.compile(r"\bzeros?\b|\bby 0\b|\bto 0\b", re.IGNORECASE),
    "ros": re.compile(r"\bROS\b|\bregression on order\b", re.IGNORECASE),
    "half": re.compile(r"\bhalf\b|/\s*2\b|\b0?\.5\b|½", re.IGNORECASE),
}


def fill(work: Work) -> Finding:
    """Answer numbers put in for values below detection, in columns of their own."""
    named = work.detail(work.need(0, "values below detection"))
    fields = _hidden(named or work.detail(list(work.card.measured)))
    if not fields:
        raise CannotAnswer(f"{work.card.title}: no value is reported as below detection there")
    way = next((name for name, words in _FILLS.items() if words.search(work.text)), "limit")
    told = work.call("fill_below", columns=[item.name for item in fields], method=way)
    filled = [f"{name} {number(n)}" for name, n in told.mapping("filled").items()]
    made = listed([str(name) for name in told.items("columns")], 6)
    lead = (
        f"{number(told.number('filled_in_all'))} values below detection were given a number "
        f"({_WAYS[way]}): {listed(filled, 12)}. They stand in columns of their own ({made}); the "
        "columns of the file keep flag and limit beside them."
    )
    caution = "For statistics ask for proper statistics instead: a number put in is no measurement"
    files = paths([("Result table:", told.text("output"))])
    return Finding((lead, *work.closing(caution, told.text("policy"), files)))


_WAYS = {
    "half": "half the limit",
    "sqrt2": "the limit over √2",
    "limit": "the limit itself",
    "zero": "zero",
    "ros": "read off the line of the detected values",
}


def _hidden(fields: Sequence[Field]) -> list[Field]:
    return [item for item in fields if item.below]

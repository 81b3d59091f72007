"""Thresholds by several rules, side by side: the choice between them is the analyst's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from workbench.models.planner.anomalies import MOST_ELEMENTS, anomaly, rules_said
from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.cards import Card, Field
from workbench.models.planner.naming import GROUPS_SHOWN
from workbench.models.planner.range_made import AREA
from workbench.models.planner.symbols import spoken
from workbench.models.planner.wording import amount, listed, number, paths, samples, treatments
from workbench.models.planner.work import Finding, Work

# Keys of the tool → words; a rule that is not among them is told by its key.
_WORDS = {
    "mad_log": "median + 2 MAD of the logarithms",
    "mad_raw": "median + 2 MAD of the values",
    "tukey_log": "Tukey's upper fence of the logarithms",
    "tukey_raw": "Tukey's upper fence of the values",
    "p97.5": "97.5th percentile",
    "p98": "98th percentile",
    "probability_break_2": "break of the probability plot, two straight pieces",
    "probability_break_3": "the same, three pieces",
    "number_break_2": "break of the concentration-number plot, two straight pieces",
    "number_break_3": "the same, three pieces",
    "area_break_2": "break of the concentration-area plot, two straight pieces",
    "area_break_3": "the same, three pieces",
}


def compare(work: Work) -> Finding:
    """Answer where anomalous begins by several rules; by one where one, or a grouping, is named."""
    if len(rules_said(work.text)) == 1:
        return anomaly(work)
    fields = work.need(1, "thresholds")[:MOST_ELEMENTS]
    by = work.by()
    if by is not None:
        return _by_group(work, fields, by)
    answers = work.each("compare_thresholds", [{"column": item.name} for item in fields])
    lines = [
        _side_by_side(item, told, work.card, work.text)
        for item, told in zip(fields, answers, strict=True)
    ]
    caution = "A threshold is a proposal: it sets high values apart and does not say why"
    figures = [told.text("figure") for told in answers if told.text("figure")]
    files = paths(
        [
            ("Result table:", listed([told.text("output") for told in answers])),
            ("figure of the breaks:", listed(figures)),
        ]
    )
    return Finding((*lines, *work.closing(caution, treatments(answers), files)))


def _by_group(work: Work, fields: list[Field], by: Field) -> Finding:
    """Answer the thresholds of each group by several rules."""
    calls = [{"column": item.name, "by": by.name} for item in fields]
    answers = work.each("compare_thresholds", calls)
    lines = []
    for item, told in zip(fields, answers, strict=True):
        groups = [
            _of_group(key.removeprefix("group "), value, item.unit)
            for key, value in told.facts.items()
            if key.startswith("group ") and isinstance(value, dict)
        ]
        shown = "; ".join(groups[:GROUPS_SHOWN]) or "no group has enough samples"
        lines.append(f"Where {item.label} becomes anomalous in each {by.name}: {shown}.")
    caution = "A threshold is a proposal: it sets high values apart and does not say why"
    files = paths([("All rules and groups:", listed([told.text("output") for told in answers]))])
    return Finding((*lines, *work.closing(caution, treatments(answers), files)))


def _of_group(name: str, group: Mapping[str, Any], unit: str) -> str:
    below = f", {number(group['below'])} below detection" if group.get("below") else ""
    rules = [
        f"{words} {amount(group[key], unit)}"
        for key, words in _WORDS.items()
        if isinstance(group.get(key), int | float)
    ]
    return f"{name} (n {number(group.get('n'))}{below}) {listed(rules) or 'no threshold'}"


# Words of a question → the rules that it asks for alone.
_ASKED = {
    "area": re.compile(AREA, re.IGNORECASE),
    "probability": re.compile(r"\bprobability[ -]plot\b|\bpopulations?\b", re.IGNORECASE),
}
_PLOTS = {
    "area": "The concentration-area plot, from interpolation between the samples,",
    "probability": "The probability plot",
}


def _of_rule(item: Field, found: Mapping[str, Mapping[str, Any]], stem: str, n: str) -> str:
    """Return the breaks of one plot; how many populations they set apart is a judgement."""
    told = [_rule(_WORDS.get(key, key), value, item.unit) for key, value in found.items()]
    if not told:
        return f"{item.label} ({n}): no {stem} breaks; concentration-area needs coordinates."
    return (
        f"{_PLOTS[stem]} of {item.label} ({n}) breaks thus: {'; '.join(told)}. Straight pieces are "
        "a proposal: how many populations there are is read from the figure."
    )


def _side_by_side(item: Field, told: ToolAnswer, card: Card, text: str) -> str:
    what = spoken(item.element) if item.element else item.name
    n = samples(told.number("rows_used"), card.noun)
    found = {
        key: value
        for key, value in told.facts.items()
        if isinstance(value, dict) and "flagged" in value
    }
    wanted = next((stem for stem, words in _ASKED.items() if words.search(text)), "")
    if wanted:
        return _of_rule(item, {k: v for k, v in found.items() if k.startswith(wanted)}, wanted, n)
    rules = [_rule(_WORDS.get(key, key), value, item.unit) for key, value in found.items()]
    ends = told.items("range")
    if len(ends) != 2:  # noqa: PLR2004 - lowest and highest
        lead = f"No rule tells where {what} becomes anomalous in {item.label} ({n})"
    else:
        lead = (
            f"Where {what} becomes anomalous depends on the rule: {item.name} above "
            f"{number(ends[0])} to {amount(ends[1], item.unit)} ({n})"
        )
    return f"{lead}. By rule: {'; '.join(rules)}."


def _rule(words: str, level: Mapping[str, Any], unit: str) -> str:
    remark = str(level.get("remark") or "")
    if level.get("threshold") is None:
        return f"{words} none{f' ({remark})' if remark else ''}"
    flagged = f"{number(level['flagged'])} above it"
    return (
        f"{words} {amount(level['threshold'], unit)} ({'; '.join(filter(None, (flagged, remark)))})"
    )

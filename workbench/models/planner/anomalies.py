"""Anomalies: which rule is asked for, which samples it flags, and what the threshold rests on."""

from __future__ import annotations

import re
from collections.abc import Mapping

from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.cards import Card, Field
from workbench.models.planner.naming import GROUPS_SHOWN, more, named_rows
from workbench.models.planner.said import SPREADS
from workbench.models.planner.sourced import cited
from workbench.models.planner.symbols import spoken
from workbench.models.planner.wording import (
    amount,
    listed,
    number,
    paths,
    percent,
    samples,
    treatments,
)
from workbench.models.planner.work import CannotAnswer, Finding, Work

# One figure or table an element; more asked at once is a report, not an answer.
MOST_ELEMENTS = 6
_SHOWN = 5


def anomaly(work: Work) -> Finding:
    """Answer which samples are anomalous, and above which threshold."""
    by = work.by()
    fields = work.need(1, "anomalies")[:MOST_ELEMENTS]
    arguments: dict[str, object] = {} if by is None else {"by": by.name}
    arguments |= _rule_asked(work.text)
    answers = work.each("anomaly", [{"column": item.name, **arguments} for item in fields])
    # Told beside the numbers already.
    work.notes[:] = [note for note in work.notes if not _TOLD.search(note)]
    results: list[str] = []
    for item, told in zip(fields, answers, strict=True):
        results.append(_anomalous(item, told, work.card))
        if by is not None:
            results.append(_by_group(item, told, by))
    rules = {told.text("rule"): cited(told.text("rule")) for told in answers if told.text("rule")}
    caution = "It sets high values of this table apart; it does not say why they are high"
    made = paths(
        [
            ("Flagged:", listed([told.text("output") for told in answers])),
            ("all scores:", listed([told.text("scores") for told in answers])),
        ]
    )
    rule = f"Rule: {'; '.join(rules.values())}. {caution}"
    level = _LEVEL if by is not None and _LEVELLED.search(work.text) else ""
    return Finding((*results, *work.closing(rule, level, treatments(answers), made)))


_LEVELLED = re.compile(r"\blevel(?:led|ling)?\b", re.IGNORECASE)
_LEVEL = "No levelled values are made: each group has a threshold of its own"


def _rule_asked(text: str) -> dict[str, object]:
    """Return method and percentile where a question names them.

    Raises
    ------
    CannotAnswer
        For a percentile that is no threshold for high values.
    """
    more: dict[str, object] = {"log": False} if _LINEAR.search(text) else {}
    spreads = SPREADS.search(text)
    if spreads is not None:
        more["k"] = float(spreads["k"] or spreads["mads"])
    said = rules_said(text)
    if len(said) > 1:
        raise CannotAnswer(f"anomalies by {listed(said)}: ask for one rule at a time")
    if said != ["percentile"]:
        return {"method": said[0], **more} if said else more
    hit = _PERCENTILE.search(text)
    if hit is None:
        return {"method": "percentile"}
    share = float(hit["before"] or hit["after"])
    if not 50 <= share < 100:  # noqa: PLR2004 - the upper half, as the tool has it
        raise CannotAnswer(f"percentile {share:g}: a threshold for high values is from 50 to 100")
    return {"method": "percentile", "percentile": share}


def rules_said(text: str) -> list[str]:
    """Return the rules that a text names."""
    return [name for name, words in _RULES.items() if words.search(text)]


_LINEAR = re.compile(r"\blinear\b|\b(?:without|no) log\w*|\bnot? logg?ed\b|\braw\b", re.IGNORECASE)
_TOLD = re.compile(r"\bno threshold: |\bthreshold exceeds the highest value\b")
_RULES = {
    "tukey": re.compile(r"\btukey|\bfence|\bbox|\binterquartile|\biqr\b", re.IGNORECASE),
    "percentile": re.compile(r"percentile|\bP\d\d\b|\bquantile", re.IGNORECASE),
    "mad": re.compile(r"\bMAD\b|\bby mad\b|median absolute|\bmedian \+"),
}
_PERCENTILE = re.compile(
    r"(?P<before>\d{1,2}(?:\.\d+)?)\s*(?:st|nd|rd|th)?[ -]?percentile"
    r"|(?:percentile\s*(?:of\s*|=\s*)?|\bP)(?P<after>\d{1,2}(?:\.\d+)?)",
    re.IGNORECASE,
)


def _anomalous(item: Field, told: ToolAnswer, card: Card) -> str:
    used, flagged = told.number("rows_used") or 0, told.number("flagged")
    what = spoken(item.element) if item.element else item.name
    if flagged is None:
        why = next((note for note in told.notes if "no threshold" in note), "")
        reason = why.partition("no threshold: ")[2] or "the rule cannot tell"
        return (
            f"No threshold: {reason}; no sample can be called anomalous in {what} or not "
            f"({samples(used, card.noun)} with a value). Ask for a percentile instead."
        )
    over = told.number("threshold")
    limit = f": {item.name} above {amount(over, item.unit)}" if over is not None else ""
    verb = "is" if flagged == 1 else "are"
    share = f"{number(flagged)} of {samples(used, card.noun)} ({percent(flagged, used)})"
    lead = f"{share} {verb} anomalous in {what}{limit}."
    doubts = _doubts(told.facts, item.unit)
    return " ".join(part for part in (lead, *doubts, _highest(told, item, card)) if part)


def _doubts(limit: Mapping[str, object], unit: str) -> list[str]:
    """Say what a threshold rests on: the treatment of non-detects, or a spread too wide."""
    said = []
    if limit.get("highest") is not None:
        said.append(
            f"The threshold exceeds the highest value {amount(limit['highest'], unit)}; the spread "
            "is too wide for this rule; try the percentile."
        )
    ends = limit.get("threshold_range")
    if isinstance(ends, list) and len(ends) == 2:  # noqa: PLR2004 - lowest and highest
        said.append(
            "The threshold depends on how non-detects are treated: "
            f"{number(ends[0])} to {amount(ends[1], unit)}."
        )
    return said


def _highest(told: ToolAnswer, item: Field, card: Card) -> str:
    """Name the first rows of a preview with their value."""
    if not told.previews or not told.previews[0].rows:
        return ""
    shown = named_rows(told.previews[0], item, card)[:_SHOWN]
    return f"Highest: {', '.join(shown)}." if shown else ""


def _by_group(item: Field, told: ToolAnswer, by: Field) -> str:
    """Return threshold and count of each group, largest groups first."""
    groups = [
        (key.removeprefix("group "), value)
        for key, value in told.facts.items()
        if key.startswith("group ") and isinstance(value, dict)
    ]
    groups.sort(key=lambda pair: -float(pair[1].get("n") or 0))
    unit = item.unit
    lines = [_of_group(name, group, unit) for name, group in groups]
    return f"Thresholds by {by.name}: {'; '.join(lines[:GROUPS_SHOWN])}{more(lines)}."


def _of_group(name: str, group: Mapping[str, object], unit: str) -> str:
    few = ", few samples" if group.get("small") else ""
    below = f", {number(group['below'])} below detection" if group.get("below") else ""
    if group.get("threshold") is None:
        return f"{name} no threshold (n {number(group.get('n'))}{below}{few})"
    ends = group.get("threshold_range")
    span = (
        f", {number(ends[0])} to {number(ends[1])} by treatment" if isinstance(ends, list) else ""
    )
    wide = ", above its highest value" if group.get("highest") is not None else ""
    return (
        f"{name} above {amount(group['threshold'], unit)} ({number(group.get('flagged'))} of "
        f"{number(group.get('n'))}{below}{span}{wide}{few})"
    )

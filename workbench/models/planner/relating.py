"""Correlation: what goes with an element, or how elements go together; strongest pairs first."""

from __future__ import annotations

import re

from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.cards import Card, Field
from workbench.models.planner.naming import GROUPS_SHOWN, more
from workbench.models.planner.sourced import said
from workbench.models.planner.symbols import spoken
from workbench.models.planner.wording import listed, number, paths, percent, samples, treatment
from workbench.models.planner.work import CannotAnswer, Finding, Work

_SHOWN = 5
_MOST = 12
# A weaker coefficient is no relation that is worth a word.
_WEAK = 0.4
# A coefficient over fewer pairs, or over what a limit left of a column, is flagged.
_FEW_PAIRS = 30
_MUCH_CENSORED = 0.3
_OXIDE = re.compile(r"([A-Z][a-z]?)\d*O\d*T?")


def correlate(work: Work) -> Finding:
    """Answer what goes with an element, or how elements go together."""
    fields = work.need(0, "correlation")
    if not fields and not re.search(
        r"\btogether\b|\beach other\b|\belements\b", work.text, re.IGNORECASE
    ):
        raise CannotAnswer(f"correlation: name the element; {work.card.near('')}")
    if len(fields) == 1:
        arguments: dict[str, object] = {"target": fields[0].name}
    else:
        arguments = {"columns": [item.name for item in fields]} if fields else {}
    by = work.by()
    if by is not None:
        return _by_group(work, by, arguments)
    told = work.call("correlate", **arguments, **_method_asked(work.text))
    pairs = _pairs(told)
    if len(fields) < 2:  # noqa: PLR2004 - two or more are asked for by name
        pairs = [pair for pair in pairs if not _one_element(work.card, pair)]
    if not pairs:
        raise CannotAnswer("correlation: no pair has enough samples with numbers in both columns")
    doubts = _doubts(work.card, told, pairs)
    lead = (
        _with_target(fields[0], pairs, doubts)
        if len(fields) == 1
        else _strongest(pairs, len(fields), doubts)
    )
    count = samples(told.number("pairs") or len(pairs), "pair")
    logs = " of logarithms" if told.text("transform") == "log" else ""
    how = f"{told.text('method').capitalize()} correlation{logs}"
    method = f"{how}, {count} computed, values at a limit left out. Correlation is not cause."
    rocks = work.card.grouping("lithology")
    if rocks is not None and rocks.role == "group":
        method += (
            " Populations can make or hide a correlation over all rows: ask for it by "
            f"{rocks.name} to see it within each."
        )
    files = paths([("Pairs:", told.text("output"))])
    return Finding((f"{lead} {method}", *work.closing(treatment(told), files)))


def _by_group(work: Work, by: Field, arguments: dict[str, object]) -> Finding:
    """Answer a correlation within each group of a column, each with its own pairs."""
    told = work.call("correlate", **arguments, by=by.name, **_method_asked(work.text))
    lines = [
        _of_group(key.removeprefix("group "), value)
        for key, value in told.facts.items()
        if key.startswith("group ") and isinstance(value, dict)
    ]
    shown = "; ".join(lines[:GROUPS_SHOWN]) or "no group has enough pairs"
    logs = " of logarithms" if told.text("transform") == "log" else ""
    how = f"{told.text('method').capitalize()} correlation{logs}, values at a limit left out"
    lead = f"Within each {by.name}: {shown}{more(lines)}. {how}. Correlation is not cause."
    files = paths([("Pairs:", told.text("output"))])
    return Finding((lead, *work.closing(treatment(told), files)))


def _of_group(name: str, group: dict[str, object]) -> str:
    """Return the strongest pairs within a group, n beside each."""
    pairs = group.get("r_and_n")
    told = [
        f"{pair.replace(' | ', ' and ')} {said(f'{r:+.2f}', r)} (n {number(n)}"
        f"{', few pairs' if n < _FEW_PAIRS else ''})"
        for pair, (r, n) in (pairs.items() if isinstance(pairs, dict) else ())
    ]
    return f"{name} {listed(told[:_SHOWN]) or 'too few pairs'}"


def _method_asked(text: str) -> dict[str, object]:
    """Return method and transform as a question names them; ranks of the values if it does not.

    Raises
    ------
    CannotAnswer
        For a coefficient that is not made here.
    """
    if re.search(r"\bkendall|\bpartial\b", text, re.IGNORECASE):
        raise CannotAnswer("correlation: only Spearman and Pearson are made here; ask for one")
    if not re.search(r"\bpearson|\bproduct[- ]moment", text, re.IGNORECASE):
        return {"transform": "raw"}
    linear = re.search(r"\b(?:without|no|not) log", text, re.IGNORECASE)
    logs = not linear and re.search(r"\blog(?:s|10|arithm\w*|ged|-\w+)?\b", text, re.IGNORECASE)
    return {"method": "pearson", "transform": "log" if logs else "raw"}


def _pairs(told: ToolAnswer) -> list[tuple[str, str, float, object]]:
    """Return the pairs of an answer, strongest first."""
    found = []
    for key, value in told.facts.items():
        if key.startswith("pair ") and isinstance(value, dict):
            first, _, second = key.removeprefix("pair ").partition(" | ")
            r = value.get("r")
            if isinstance(r, int | float):
                found.append((first, second, r, value.get("n")))
    return sorted(found, key=lambda pair: -abs(pair[2]))


def _one_element(card: Card, pair: tuple[str, str, float, object]) -> bool:
    """Tell whether both columns are of one element, as Zr and ZrO2."""
    found = [card.named(name) for name in pair[:2]]
    symbols = [item.element if item else "" for item in found]
    bare = [hit[1] if (hit := _OXIDE.fullmatch(text)) else text for text in symbols]
    return bool(bare[0]) and bare[0] == bare[1]


def _doubts(
    card: Card, told: ToolAnswer, pairs: list[tuple[str, str, float, object]]
) -> dict[tuple[str, str], str]:
    """Return what weakens a pair: few rows, or a column of which much is censored."""
    shares: dict[str, float] = {}
    for name, counts in told.mapping("censored").items():
        item = card.named(name)
        hidden = sum(int(n) for n in counts.values()) if isinstance(counts, dict) else 0
        known = item.n + hidden if item is not None and item.n is not None else card.rows
        shares[name] = hidden / known if known else 0.0
    doubts = {}
    for first, second, _, n in pairs:
        weak = [
            f"{name} {percent(shares[name], 1)} censored"
            for name in (first, second)
            if shares.get(name, 0.0) > _MUCH_CENSORED
        ]
        said = [f"; rests on the plain pairs, {listed(weak)}"] if weak else []
        said += ["; few pairs"] if isinstance(n, int | float) and n < _FEW_PAIRS else []
        doubts[first, second] = "".join(said)
    return doubts


def _with_target(
    item: Field,
    pairs: list[tuple[str, str, float, object]],
    doubts: dict[tuple[str, str], str],
) -> str:
    what = spoken(item.element) if item.element else item.name
    strong = [pair for pair in pairs if abs(pair[2]) >= _WEAK][:_MOST]
    if not strong:
        best = _pair(pairs[0], item, doubts)
        return f"Nothing correlates with {what} beyond ±{_WEAK} (strongest {best})."
    return f"With {what} correlate most: {listed([_pair(pair, item, doubts) for pair in strong])}."


def _pair(
    pair: tuple[str, str, float, object], item: Field, doubts: dict[tuple[str, str], str]
) -> str:
    other = pair[1] if pair[0] == item.name else pair[0]
    return f"{other} ({said(f'{pair[2]:+.2f}', pair[2])}, n {number(pair[3])}{doubts[pair[:2]]})"


def _strongest(
    pairs: list[tuple[str, str, float, object]], asked: int, doubts: dict[tuple[str, str], str]
) -> str:
    shown = [
        f"{a} and {b} {said(f'{r:+.2f}', r)} (n {number(n)}{doubts[a, b]})"
        for a, b, r, n in pairs[:_SHOWN]
    ]
    pair = asked == 2  # noqa: PLR2004 - a pair
    return f"{'Correlation of' if pair else 'Strongest pairs:'} {'; '.join(shown)}."

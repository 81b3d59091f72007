"""The chemistry of each logged group: what sets it apart, and how groups by chemistry cut it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.models.planner.cards import Field
from workbench.models.planner.together import trace_columns
from workbench.models.planner.wording import listed, number, paths, percent, samples, treatment
from workbench.models.planner.work import CannotAnswer, Finding, Work

_LEAST, _MOST = 2, 8
_SHOWN = 2
# Groups that are told; all are in the files.
_TOLD = 5


def agreement(work: Work) -> Finding:
    """Answer how far a logged group goes with the chemistry, by groups made without it."""
    by = work.card.grouping("lithology") or next(iter(work.text_columns()), None)
    if by is None:
        raise CannotAnswer(f"agreement: {work.card.title} has no column of logged rock")
    profile = work.call("profile_groups", by=by.name)
    lines = [
        _of_group(key.removeprefix("group "), value)
        for key, value in profile.facts.items()
        if key.startswith("group ") and isinstance(value, dict)
    ]
    lead = f"Chemistry of each {by.name}: {'; '.join(lines[:_TOLD])}{_rest(lines)}."
    names, chosen = trace_columns(work, _LEAST, "groups by chemistry")
    k = max(_LEAST, min(len(lines), _MOST))
    told = work.call("cluster", columns=names, k=k, transform="clr")
    lines = _crossed(told.facts, by)
    cross = (
        f"Grouped by chemistry alone into {k} groups, each {by.name} falls mostly into: "
        f"{'; '.join(lines)}."
        if lines
        else ""
    )
    basis = f"{profile.text('basis').capitalize()}. Groups: k-means on centred log-ratios"
    caution = "No classifier is trained: samples of another group are worth a look, not wrong"
    files = paths(
        [
            ("Profile:", profile.text("output")),
            ("heat map:", profile.text("figure")),
            ("group by chemistry of each sample:", told.text("output")),
        ]
    )
    closing = work.closing(basis, caution, chosen, treatment(told), files)
    return Finding((*(part for part in (lead, cross) if part), *closing))


def _rest(lines: list[str]) -> str:
    left = len(lines) - _TOLD
    return f"; {left} more in the file" if left > 0 else ""


def _of_group(name: str, group: Mapping[str, Any]) -> str:
    sides = []
    for side in ("high", "low"):
        levels = list(dict(group.get(side) or {}).items())[:_SHOWN]
        if levels:
            sides.append(f"{side} in {listed([f'{c} (× {number(v)})' for c, v in levels])}")
    return f"{name} (n {number(group.get('n'))}) {listed(sides) or 'like the rest'}"


def _crossed(facts: Mapping[str, Any], by: Field) -> list[str]:
    """Return for each logged group the group by chemistry that most of it falls into."""
    table: dict[str, dict[str, int]] = {}
    for group, counts in dict(facts.get(f"crosstab {by.name}") or {}).items():
        for name, n in counts.items():
            table.setdefault(str(name), {})[str(group)] = int(n)
    told = []
    for name, counts in sorted(table.items(), key=lambda pair: -sum(pair[1].values())):
        group, most = max(counts.items(), key=lambda pair: pair[1])
        whole = sum(counts.values())
        told.append(f"{name} {percent(most, whole)} group {group} ({most} of {samples(whole)})")
    return told[:_TOLD]

"""Groups of samples, and what each is in words: by its levels against the whole, never by a name.

A level is a group's centre; the whole is the mean of the centres weighted by group size, on logs,
which for centres that are geometric means is exactly the geometric mean of all samples grouped.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.said import groups
from workbench.models.planner.sourced import said
from workbench.models.planner.wording import (
    amount,
    count_word,
    listed,
    number,
    paths,
    percent,
    samples,
    treatment,
)
from workbench.models.planner.work import CannotAnswer, Finding, Work

_DEFAULT = 3
_LEAST = 2
# A level counts as high or low from half as much again, or two thirds.
_FACTOR = 1.5
_ROCKS = 3


@dataclass(frozen=True)
class _Group:
    """A group: its name, size, centre by column, and its cross table."""

    name: str
    size: int
    centre: dict[str, float]
    crossed: dict[str, dict[str, int]]


def cluster(work: Work) -> Finding:
    """Answer a grouping; describe each group where that is asked."""
    fields = work.need(_LEAST, "groups")
    asked = groups(work.text)
    way = _way(work.text, asked)
    columns = [item.name for item in fields]
    told = work.call("cluster", columns=columns, k=asked or _DEFAULT, **way)
    found = _groups(told)
    if not found and told.number("in_no_group"):
        raise CannotAnswer("groups: no samples lie densely together; ask for k-means instead")
    if not found:
        raise CannotAnswer("groups: the sizes did not come back; see the run's full answer")
    units = {item.name: item.unit for item in fields}
    free = asked is None and not way
    results = [_lead(told, found, work.card.noun, free=free), *_tried(told)]
    heat = ""
    if work.clause.profile or re.search(
        r"\bwhat (?:is|are)\b|\bdescribe\b", work.text, re.IGNORECASE
    ):
        whole = _whole(found)
        used = told.number("rows_used") or sum(group.size for group in found)
        of = (used, work.card.noun)
        results += [_profile(group, whole, units, *of) for group in found]
        heat = _heat_map(work, told.text("output"), columns)
    files = paths(
        [
            ("Group of each sample:", told.text("output")),
            ("heat map of the groups (× against the medians of all other samples):", heat),
            ("tree:", told.text("tree")),
            ("figure of the numbers of groups:", told.text("scan_figure")),
        ]
    )
    return Finding((*results, *work.closing(treatment(told), *_caution(results), files)))


def _way(text: str, asked: int | None) -> dict[str, object]:
    """Return the method that a text names, and how many groups to compare where that is asked."""
    method = next((name for name, words in _METHODS.items() if words.search(text)), "")
    way: dict[str, object] = {"method": method} if method else {}
    if asked is None and method not in {"dbscan", "hdbscan"} and _HOW_MANY.search(text):
        way["scan"] = _MOST
    return way


_METHODS = {
    "hdbscan": re.compile(r"\bhdbscan\b", re.IGNORECASE),
    "dbscan": re.compile(r"\bdbscan\b", re.IGNORECASE),
    "gmm": re.compile(r"\bgmm\b|\bmixtures?\b", re.IGNORECASE),
    "hierarchical": re.compile(r"\bhierarch\w+|\bward\b|\bdendrogram\b", re.IGNORECASE),
}
_HOW_MANY = re.compile(
    r"\bhow many\b|\bnatural\b|\b(?:best|right) number\b|\bby (?:silhouette|bic)\b", re.IGNORECASE
)
_MOST = 8


def _tried(told: ToolAnswer) -> list[str]:
    """Say what each criterion would take, where numbers of groups were compared."""
    by = told.mapping("best_by")
    if not by:
        return []
    each = listed([f"{_CRITERIA.get(name, name)} {number(k)}" for name, k in by.items()])
    taken = f"{number(told.number('k'))} were taken by {told.text('taken_by')}"
    words = f"Of two to {count_word(_MOST)} groups, {taken}. Best by criterion: {each}."
    return [f"{words} How many groups there are is a choice."]


_CRITERIA = {"silhouette": "silhouette", "gap": "gap statistic", "bic": "BIC"}


def _heat_map(work: Work, output: str, columns: list[str]) -> str:
    """Have the groups drawn against one another; empty where that cannot be."""
    if not output or not work.asking.has("profile_groups"):
        return ""
    told = work.asking.ask("profile_groups", path=output, by="cluster", columns=columns)
    return "" if told.error else told.text("figure")


def _caution(results: list[str]) -> tuple[str, ...]:
    """Return what a reader of groups must know; the scale only where levels were given."""
    name = "Group numbers are names only, and chemistry alone names no rock"
    scale = (
        "× is a group's level against the geometric mean of all grouped samples; high or low is "
        "from half as much again, or two thirds, on"
    )
    return (name, scale) if len(results) > 1 else (name,)


def _groups(told: ToolAnswer) -> list[_Group]:
    sizes = {name: n for name, n in told.mapping("sizes").items() if isinstance(n, int)}
    tables = {
        key.removeprefix("crosstab "): value
        for key, value in told.facts.items()
        if key.startswith("crosstab ") and isinstance(value, dict)
    }
    found = []
    for name, size in sizes.items():
        centre = told.mapping(f"centre {name}")
        numbers = {c: v for c, v in centre.items() if isinstance(v, int | float)}
        crossed = {column: _counts(table.get(name)) for column, table in tables.items()}
        found.append(_Group(name, size, numbers, crossed))
    return found


def _counts(value: object) -> dict[str, int]:
    if not isinstance(value, dict):
        return {}
    return {str(key): n for key, n in value.items() if isinstance(n, int)}


def _lead(told: ToolAnswer, found: list[_Group], noun: str, *, free: bool) -> str:
    used, rows = told.number("rows_used") or 0, told.number("rows_in") or 0
    sizes = listed([f"group {group.name} has {number(group.size)}" for group in found])
    how = [f"{told.text('method')} on {told.text('transform')} values", f"seed {told.text('seed')}"]
    silhouette = told.number("silhouette")
    if silhouette is not None:
        how.append(f"silhouette {said(f'{silhouette:.2f}', silhouette)}")
    columns = listed([str(name) for name in told.items("columns")]) or "the columns named"
    text = (
        f"{number(used)} of {samples(rows, noun)} fall into {count_word(len(found))} groups by "
        f"{columns}: {sizes} ({', '.join(how)})."
    )
    alone = told.number("in_no_group")
    if alone:
        text += f" {samples(alone, noun)} belong to no group."
    if free:
        text += " Three groups were made since no number was asked for."
    return text


def _whole(found: list[_Group]) -> dict[str, float]:
    """Return the level of each column over all groups."""
    total = sum(group.size for group in found)
    levels = {}
    for column in found[0].centre:
        values = [(group.size, group.centre.get(column, math.nan)) for group in found]
        if total and all(value > 0 for _, value in values):
            levels[column] = math.exp(sum(n * math.log(value) for n, value in values) / total)
    return levels


def _profile(
    group: _Group, whole: dict[str, float], units: dict[str, str], used: float, noun: str
) -> str:
    """Return one group in words: high in, low in, near the whole in; and what is logged there."""
    levels: dict[str, list[tuple[float, str]]] = {
        "high in": [],
        "low in": [],
        "near the whole in": [],
    }
    for column, overall in whole.items():
        value = group.centre[column]
        factor = value / overall
        kind = (
            "high in"
            if factor >= _FACTOR
            else "low in"
            if factor <= 1 / _FACTOR
            else "near the whole in"
        )
        shown = f"{column} ({amount(value, units.get(column, ''))}, {number(_round(factor))}×)"
        levels[kind].append((-abs(math.log(factor)), shown))
    parts = [
        f"{kind} {listed([text for _, text in sorted(items)])}"
        for kind, items in levels.items()
        if items
    ]
    share = percent(group.size, used)
    logged = "".join(_logged(column, counts) for column, counts in list(group.crossed.items())[:1])
    return f"Group {group.name} ({samples(group.size, noun)}, {share}): {'; '.join(parts)}.{logged}"


def _round(factor: float) -> float:
    return round(factor, 1) if factor < 10 else round(factor)  # noqa: PLR2004 - two digits


def _logged(column: str, counts: dict[str, int]) -> str:
    if not counts:
        return ""
    ordered = sorted(counts.items(), key=lambda pair: (pair[0] == "other", -pair[1]))
    shown = [f"{name or 'no entry'} {number(n)}" for name, n in ordered[:_ROCKS] if name != "other"]
    rest = sum(counts.values()) - sum(n for name, n in ordered[:_ROCKS] if name != "other")
    others = f", others {number(rest)}" if rest else ""
    return f" {column}: {', '.join(shown)}{others}."

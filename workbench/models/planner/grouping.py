"""Groups of samples, and what each is in words: by its levels against the rest, never by a name.

A level is the group's median, × is that over the median of all other samples: as `profile_groups`
tells it and as its heat map shows it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.said import groups
from workbench.models.planner.sourced import rest, said
from workbench.models.planner.together import trace_columns
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
    chosen = ""
    if work.columns.fields or work.columns.lacking:
        fields = work.need(_LEAST, "groups")
    else:
        every, chosen = trace_columns(work, _LEAST, "groups")
        fields = [item for item in work.card.fields if item.name in every]
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
    drawn = ToolAnswer()
    if work.clause.profile or re.search(
        r"\bwhat (?:is|are)\b|\bdescribe\b", work.text, re.IGNORECASE
    ):
        drawn = _profiled(work, told.text("output"), columns)
        used = told.number("rows_used") or sum(group.size for group in found)
        of = (used, work.card.noun)
        results += [
            _profile(group, drawn.mapping(f"group {group.name}"), units, *of) for group in found
        ]
    files = paths(
        [
            ("Group of each sample:", told.text("output")),
            ("heat map of the groups:", drawn.text("figure")),
            ("tree:", told.text("tree")),
            ("figure of the numbers of groups:", told.text("scan_figure")),
        ]
    )
    return Finding((*results, *work.closing(treatment(told), chosen, *_caution(drawn), files)))


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


def _profiled(work: Work, output: str, columns: list[str]) -> ToolAnswer:
    """Have the groups compared with one another; nothing where that cannot be."""
    if not output or not work.asking.has("profile_groups"):
        return ToolAnswer()
    return work.asking.ask("profile_groups", path=output, by="cluster", columns=columns)


def _caution(drawn: ToolAnswer) -> tuple[str, ...]:
    """Return what a reader of groups must know; the scale only where levels were given."""
    name = "Group numbers are names only, and chemistry alone names no rock"
    scale = (
        "Levels are medians; × is a group's median over the median of all other grouped samples, "
        "here and in the heat map, and high or low is from half as much again, or two thirds, on"
    )
    return (name, scale) if drawn.text("basis") else (name,)


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


def _profile(
    group: _Group, told: dict[str, Any], units: dict[str, str], used: float, noun: str
) -> str:
    """Return one group in words: high in, low in, near the rest in; and what is logged there."""
    medians = _mapping(told, "median")
    parts = []
    for key, words in _KINDS.items():
        shown = [
            f"{column} ({_level(medians.get(column), units.get(column, ''))}{_times(times)}×)"
            for column, times in _mapping(told, key).items()
        ]
        parts += [f"{words} {listed(shown)}"] if shown else []
    share = percent(group.size, used)
    logged = "".join(
        _logged(column, counts, group.size) for column, counts in list(group.crossed.items())[:1]
    )
    levels = f": {'; '.join(parts)}" if parts else ""
    return f"Group {group.name} ({samples(group.size, noun)}, {share}){levels}.{logged}"


_KINDS = {"high": "high in", "low": "low in", "near": "near the rest in"}


def _mapping(told: dict[str, Any], key: str) -> dict[str, Any]:
    value = told.get(key)
    return value if isinstance(value, dict) else {}


def _level(median: object, unit: str) -> str:
    return "" if median is None else f"{amount(median, unit)}, "


def _times(times: object) -> str:
    """Return a factor as it is worded: one decimal, two below a half, none from 10 on."""
    if isinstance(times, bool) or not isinstance(times, int | float):
        return number(times)
    shown = f"{times:.2f}" if times < 0.5 else f"{times:.1f}" if times < 10 else f"{times:,.0f}"  # noqa: PLR2004 - two digits
    return said(shown, times)


def _logged(column: str, counts: dict[str, int], size: int) -> str:
    if not counts:
        return ""
    ordered = sorted(counts.items(), key=lambda pair: (pair[0] == "other", -pair[1]))
    named = [(name, n) for name, n in ordered[:_ROCKS] if name != "other"]
    shown = [f"{name or 'no entry'} {number(n)}" for name, n in named]
    left = sum(counts.values()) - sum(n for _, n in named)
    told = f"{left:,}"
    if sum(counts.values()) == size:
        told = rest(told, size, [n for _, n in named])
    others = f", others {told}" if left else ""
    return f" {column}: {', '.join(shown)}{others}."

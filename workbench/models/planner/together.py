"""Several elements at once: which go together, principal components, and unusual samples."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.models.planner.answer import Rows, ToolAnswer
from workbench.models.planner.cards import Card, Field
from workbench.models.planner.naming import as_number, naming
from workbench.models.planner.said import groups
from workbench.models.planner.sourced import cited, said
from workbench.models.planner.wording import (
    count_word,
    listed,
    number,
    paths,
    percent,
    samples,
    treatment,
)
from workbench.models.planner.work import CannotAnswer, Finding, Work

# A column below detection in more of its rows follows its limit, not the rock.
_MOST_BELOW = 0.3
# Rows without a value in any column are left out: a column that lacks more costs too many.
_LEAST_ROWS = 0.9
_FAMILIES = 3
_LOADINGS, _COMPONENTS, _SHOWN = 4, 3, 5


def element_groups(work: Work) -> Finding:
    """Answer which elements go together by how little their ratios vary."""
    names, chosen = trace_columns(work, 3, "element groups")
    wanted = min(groups(work.text) or _FAMILIES, len(names) - 1)
    told = work.call("element_groups", columns=names, k=wanted)
    lines = [
        _family(key.removeprefix("group "), value)
        for key, value in told.facts.items()
        if re.fullmatch(r"group \d+", key) and isinstance(value, dict)
    ]
    used = samples(told.number("rows_used"), work.card.noun)
    lead = f"{len(names)} elements in {count_word(len(lines))} groups ({used} with all of them)"
    closest = [f"{pair} ({number(v)})" for pair, v in told.mapping("closest_pairs").items()]
    pairs = f"Closest pairs: {listed(closest[:_SHOWN])}." if closest else ""
    method = (
        f"Measure: {told.text('measure')}, without unit; small where the ratio of two elements is "
        "steady. How many groups there are is a choice; going together is not cause."
    )
    files = paths([("Matrix:", told.text("output")), ("tree:", told.text("tree"))])
    words = " ".join(filter(None, (f"{lead}: {'; '.join(lines)}.", pairs, method)))
    return Finding((words, *work.closing(chosen, treatment(told), files)))


def _family(name: str, group: dict[str, object]) -> str:
    members = group.get("columns")
    names = [str(item) for item in members] if isinstance(members, list) else []
    within = group.get("mean_variation_within")
    if names and names[-1].startswith("and "):
        # The tool names the first ones and tells how many more there are.
        names = [*names[:-1], names[-1].removeprefix("and ")]
    spread = f" (mean variation {number(within)})" if isinstance(within, int | float) else ""
    alone = " alone" if len(names) == 1 else ""
    return f"group {name} {listed(names)}{alone or spread}"


def components(work: Work) -> Finding:
    """Answer which principal components there are and which elements lead them."""
    names, chosen = trace_columns(work, 2, "principal components")
    robust = {"robust": True} if re.search(r"\brobust", work.text, re.IGNORECASE) else {}
    way = _transform(work.text)
    count = min(_COMPONENTS, len(names) - (way == "clr"))
    told = work.call("pca", columns=names, transform=way, components=count, **robust)
    shares = told.mapping("share_of_variance")
    lines = [
        f"{name} holds {number(100 * float(share))} % of the variance{_led(told, name)}"
        for name, share in shares.items()
    ]
    used = samples(told.number("rows_used"), work.card.noun)
    lead = f"{told.text('method').capitalize()} of {len(names)} elements over {used}"
    method = (
        f"{_WAYS[way]}, {told.text('scaled')}. The sign of a component is arbitrary; a component "
        "is a direction in the numbers, not a process"
    )
    files = paths(
        [
            ("Scores:", told.text("output")),
            ("loadings:", told.text("loadings")),
            ("biplot:", told.text("biplot")),
        ]
    )
    words = f"{lead}: {'; '.join(lines)}."
    return Finding((words, *work.closing(method, chosen, treatment(told), files)))


def _led(told: ToolAnswer, name: str) -> str:
    """Return the columns that lead a component, those of one sign together."""
    weights = {
        column: weight
        for column, weight in list(told.mapping(f"{name} loadings").items())[:_LOADINGS]
        if isinstance(weight, int | float)
    }
    high = [
        f"{column} {said(f'{weight:+.2f}', weight)}"
        for column, weight in weights.items()
        if weight > 0
    ]
    low = [
        f"{column} {said(f'{weight:+.2f}', weight)}"
        for column, weight in weights.items()
        if weight < 0
    ]
    sides = [listed(side) for side in (high, low) if side]
    return f" (loadings: {' against '.join(sides)})" if sides else ""


def outlying(work: Work) -> Finding:
    """Answer which samples are unusual in several elements together."""
    names, chosen = trace_columns(work, 2, "multivariate outliers")
    forest = re.search(r"\bisolation forest\b", work.text, re.IGNORECASE)
    method = {"method": "isolation_forest"} if forest else {}
    way = _transform(work.text)
    told = work.call("outliers", columns=names, transform=way, **method)
    used, flagged = told.number("rows_used") or 0, told.number("flagged") or 0
    share = f"{number(flagged)} of {samples(used, work.card.noun)} ({percent(flagged, used)})"
    expected = told.number("expected_if_normal")
    chance = (
        f" By chance about {number(round(expected))} would, if all were normal."
        if expected is not None
        else ""
    )
    first = _farthest(told.previews, work.card) if flagged else ""
    lead = (
        f"{share} {'lies' if flagged == 1 else 'lie'} far from the rest in {len(names)} elements "
        f"together.{chance}{first}"
    )
    limit = f"threshold {number(told.number('threshold'))}, no unit"
    rule = f"Rule: {cited(told.text('rule'))}, {limit}; {_WAYS[way]}"
    caution = "High or low, and why, is not told by a distance"
    files = paths([("All distances:", told.text("output"))])
    return Finding((lead, *work.closing(f"{rule}. {caution}", chosen, treatment(told), files)))


def _farthest(previews: Sequence[Rows], card: Card) -> str:
    """Name the farthest rows with their distance."""
    if not previews:
        return ""
    names = naming(card)
    cells = [dict(zip(previews[0].columns, row, strict=False)) for row in previews[0].rows]
    shown = [
        f"{' '.join(filter(None, (cell.get(name, '') for name in names))) or 'row'} "
        f"({_distance(cell['distance'])})"
        for cell in cells[:_SHOWN]
        if cell.get("distance") and cell.get("outlier", "").casefold() in _TRUE
    ]
    return f" Farthest, with distance: {listed(shown)}." if shown else ""


def _distance(cell: str) -> str:
    return number(as_number(cell))


_TRUE = frozenset({"true", "1", "1.0"})
_WAYS = {
    "clr": "centred log-ratios, since the elements are parts of a whole",
    "log": "logarithms (log10)",
    "raw": "the values as they are",
}


def _transform(text: str) -> str:
    """Return the transform that a question names; log-ratios if it does not."""
    if re.search(r"\braw\b|\b(?:without|no) (?:log|transform)", text, re.IGNORECASE):
        return "raw"
    logs = re.search(r"\blog(?:s|10|arithms?|ged)?\b(?![- ]ratio)", text, re.IGNORECASE)
    return "log" if logs else "clr"


def trace_columns(work: Work, least: int, what: str) -> tuple[list[str], str]:
    """Return the columns named, or the trace elements fit for it, and words on the choice.

    Raises
    ------
    CannotAnswer
        If there are too few.
    """
    named = work.need(0, what)
    if named:
        if len(named) < least:
            raise CannotAnswer(
                f"{what}: name {count_word(least)} elements or more; {work.card.near('')}"
            )
        return [item.name for item in named], ""
    traces = work.detail(_traces(work.card))
    fit = [item for item in traces if _fits(item, work.card.rows)]
    if len(fit) < max(least, 3):
        raise CannotAnswer(
            f"{what}: {work.card.title} has too few trace elements mostly above detection; name "
            f"the elements; {work.card.near('')}"
        )
    left = [item.name for item in traces if item not in fit]
    why = f"more than {percent(_MOST_BELOW, 1)} below detection or in too few rows"
    out = f"; left out, {why}: {listed(left)}" if left else ""
    all_of = "All elements reported in ppm, ppb or the like and mostly above detection were used"
    return [item.name for item in fit], f"{all_of}{out}"


def _traces(card: Card) -> list[Field]:
    """Return one column for each trace element: the first of those that measure it."""
    found: dict[str, Field] = {}
    for item in card.measured:
        if item.role == "element" and item.unit in _TRACE_UNITS:
            found.setdefault(item.element or item.name, item)
    return list(found.values())


_TRACE_UNITS = frozenset({"ppm", "ppb", "ppt", "g/t", "mg/kg", "ug/kg", "ug/g", "ng/g"})


def _fits(item: Field, rows: int) -> bool:
    known = (item.n or 0) + item.below + item.above
    return known >= _LEAST_ROWS * rows and item.below <= _MOST_BELOW * known

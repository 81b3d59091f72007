"""Maps, scatter plots and histograms: which calls, and what was drawn in words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.wording import left_out, number, paths, samples, treatment, treatments
from workbench.models.planner.work import CannotAnswer, Finding, Work

# One or two figures a question; more is a report.
_MOST = 4
_AGAINST = re.compile(r"\b(?:against|vs\.?|versus)\b", re.IGNORECASE)
_LINEAR = re.compile(r"\blinear\b|\bwithout logs?\b|\bno logs?\b", re.IGNORECASE)


def draw_map(work: Work) -> Finding:
    """Answer a map of one or more columns, or of the groups made before."""
    if not work.card.has_place:
        raise CannotAnswer(
            f"map: {work.card.title} has no coordinates, and no other table has more of what is "
            "asked"
        )
    found = _coloured(work)[:_MOST]
    answers = work.each("plot_map", [{"color": name} for name in found])
    lines = [
        _drawn(f"Map of {name}", told, work.card.noun)
        for name, told in zip(found, answers, strict=True)
    ]
    grid = _grid(answers[-1])
    measured = any(item.measured for item in work.columns.fields)
    treated = treatments(answers) if measured else " ".join(filter(None, map(left_out, answers)))
    return Finding((*lines, *work.closing(treated, grid)))


def _grid(told: ToolAnswer) -> str:
    """Say which grid the coordinates are in, where the file says it."""
    grid = told.text("grid")
    return f"Coordinates: {grid}" if grid else "The file does not name the grid of its coordinates"


def _coloured(work: Work) -> list[str]:
    """Return the columns a map is coloured by: measured ones, or a group column spoken of."""
    if not work.columns.fields and not work.columns.lacking:
        by = work.by()
        groups = [by] if by else work.text_columns()
        if groups:
            return [item.name for item in groups]
    return [item.name for item in work.need(1, "map")]


def scatter(work: Work) -> Finding:
    """Answer a scatter plot of one column against another."""
    fields = work.need(2, "scatter plot")
    # "Plot As against Au": what stands before "against" goes up.
    y, x = fields[0], fields[1]
    if not _AGAINST.search(work.text):
        x, y = fields[0], fields[1]
    arguments: dict[str, object] = {"x": x.name, "y": y.name}
    colour = work.by()
    if colour is not None:
        arguments["color"] = colour.name
    elif len(fields) > 2:  # noqa: PLR2004 - the third column colours
        arguments["color"] = fields[2].name
    log = not _LINEAR.search(work.text) and {x.role, y.role} == {"element"}
    told = work.call("plot_scatter", **arguments, log=log)
    axes = "log axes" if log else "linear axes"
    coloured = f", coloured by {arguments['color']}" if "color" in arguments else ""
    line = _drawn(f"{y.label} against {x.label}{coloured}, {axes}", told, work.card.noun)
    return Finding((line, *work.closing(treatment(told))))


def histogram(work: Work) -> Finding:
    """Answer a histogram of one or more columns."""
    fields = work.need(1, "histogram")[:_MOST]
    by = work.by()
    log = not _LINEAR.search(work.text)
    extra: dict[str, object] = {} if by is None else {"by": by.name}
    calls = [
        {"column": item.name, "log": log and item.role == "element", **extra} for item in fields
    ]
    answers = work.each("plot_histogram", calls)
    split = f" by {by.name}" if by else ""
    lines = [
        _drawn(f"Histogram of {item.label}{split}{_axis(call)}", told, work.card.noun)
        for item, call, told in zip(fields, calls, answers, strict=True)
    ]
    return Finding((*lines, *work.closing(treatments(answers))))


def _axis(call: Mapping[str, object]) -> str:
    return ", log axis" if call["log"] else ""


def _drawn(what: str, told: ToolAnswer, noun: str) -> str:
    used, rows = told.number("rows_used"), told.number("rows_in")
    text = f"{what}: {number(used)} of {samples(rows, noun)} drawn."
    drawn = told.mapping("sampled").get("drawn")
    if drawn:
        text += f" {number(drawn)} of the points are drawn, the extremes among them."
    return f"{text} {paths([('Figure:', told.text('figure'))])}".strip()

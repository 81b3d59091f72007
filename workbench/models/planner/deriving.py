"""New columns and tables: ratios, smoothed columns, one row for each group or cell."""

from __future__ import annotations

import re

from workbench.models.planner.said import columns as said_columns
from workbench.models.planner.wording import (
    amount,
    censored,
    left_out,
    listed,
    number,
    paths,
    samples,
    treatment,
)
from workbench.models.planner.work import CannotAnswer, Finding, Work

_SHOWN = 6
_PAIR = 2


def ratio(work: Work) -> Finding:
    """Answer the ratio of two columns, by mass or by moles."""
    fields = work.need(_PAIR, "ratios")
    if len(fields) != _PAIR:
        names = listed([item.name for item in fields])
        raise CannotAnswer(f"ratios: {names}; ask for one ratio of two elements at a time")
    moles = re.search(r"\bmolar\b|\bmoles?\b", work.text, re.IGNORECASE)
    molar = {"molar": True} if moles else {}
    told = work.call("ratio", over=[fields[0].name], under=[fields[1].name], **molar)
    lines = []
    for name, facts in told.mapping("ratios").items():
        bounds = [
            f"{number(facts[side])} {words}"
            for side, words in (("below", "only below a bound"), ("above", "only above one"))
            if facts.get(side)
        ]
        more = f"; {listed(bounds)}" if bounds else ""
        gaps = f"; {number(facts['gaps'])} without one" if facts.get("gaps") else ""
        lines.append(
            f"{name}: median {number(facts.get('median_of_plain'))} over "
            f"{samples(facts.get('n'), work.card.noun)} with both measured{more}{gaps}."
        )
    what = f"A ratio of {told.text('ratio_of')}, units brought together"
    files = paths([("Result table:", told.text("output"))])
    return Finding((*lines, *work.closing(what, censored(told), files)))


def smooth(work: Work) -> Finding:
    """Answer columns smoothed down each hole."""
    fields = work.need(1, "smoothing")
    hit = _WIDTH.search(work.text)
    if hit is None:
        raise CannotAnswer("smoothing: say how wide, as in “smooth Au over 5 m”")
    median = {"method": "median"} if re.search(r"\bmedian", work.text, re.IGNORECASE) else {}
    names = [item.name for item in fields]
    told = work.call("smooth", columns=names, window=float(hit["width"]), **median)
    spread = [
        f"{name} (standard deviation {number(facts.get('sd_before'))} before, "
        f"{number(facts.get('sd_after'))} after)"
        for name, facts in told.mapping("columns").items()
    ]
    width = amount(told.number("window"), told.text("unit"))
    lead = (
        f"{listed(spread, _SHOWN)} smoothed over {width} within "
        f"{samples(told.number('holes'), 'hole')}: {told.text('method')}."
    )
    files = paths([("Result table:", told.text("output"))])
    return Finding((lead, *work.closing(left_out(told), treatment(told), files)))


_WIDTH = re.compile(
    r"(?<![\w.])(?P<width>\d+(?:\.\d+)?)\s*-?(?:m|metres?|meters?|ft|feet|foot)\b", re.IGNORECASE
)


def aggregate(work: Work) -> Finding:
    """Answer one row for each group, or for each cell of a grid."""
    by, cell = work.by(), _CELL.search(work.text)
    if by is None and cell is None:
        raise CannotAnswer("aggregate: say by which column, or on which grid (“a 200 m grid”)")
    fields = work.need(1, "aggregate") if said_columns(work.text, work.card).fields else []
    keys: dict[str, object] = {} if by is None else {"by": [by.name]}
    if cell is not None:
        keys["cell"] = float(cell["side"]) * (1000 if cell["unit"].casefold() == "km" else 1)
    wanted = [name for name, words in _STATISTICS.items() if words.search(work.text)]
    more: dict[str, object] = {"columns": [item.name for item in fields]} if fields else {}
    more |= {"statistics": wanted} if wanted else {}
    told = work.call("aggregate", **keys, **more)
    what = listed([str(name) for name in told.items("statistics")])
    names = listed([str(name) for name in told.items("columns")], _SHOWN)
    unit = "cell" if by is None else "group"
    lead = (
        f"{samples(told.number('rows_out'), unit)} hold {number(told.number('rows_used'))} of "
        f"{samples(told.number('rows_in'), work.card.noun)}, with the {what} of {names} in each."
    )
    files = paths([("Result table:", told.text("output"))])
    return Finding((lead, *work.closing(left_out(told), treatment(told), files)))


_CELL = re.compile(
    r"(?<![\w.])(?P<side>\d+(?:\.\d+)?)\s*-?(?P<unit>km|m|metres?|meters?)\b", re.IGNORECASE
)
_STATISTICS = {
    "median": re.compile(r"\bmedians?\b", re.IGNORECASE),
    "mean": re.compile(r"\bmeans?\b|\baverages?\b", re.IGNORECASE),
    "max": re.compile(r"\bmax(?:im(?:um|a))?\b|\bhighest\b", re.IGNORECASE),
    "min": re.compile(r"\bmin(?:im(?:um|a))?\b|\blowest\b", re.IGNORECASE),
    "sum": re.compile(r"\bsums?\b|\btotals?\b", re.IGNORECASE),
}

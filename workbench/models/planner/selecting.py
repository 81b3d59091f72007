"""Filters and log-ratios: new tables, and what they hold in words."""

from __future__ import annotations

import re

from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.sourced import whole
from workbench.models.planner.within import rows_said
from workbench.models.planner.wording import (
    censored,
    left_out,
    listed,
    number,
    paths,
    percent,
    samples,
)
from workbench.models.planner.work import CannotAnswer, Finding, Work

_FEW = 20


def keep(work: Work) -> Finding:
    """Answer which samples meet a condition, as a new table and, where they are few, by name."""
    work.need(0, "filter")
    card, found, _ = rows_said(work)
    if found is not None and card is not work.card:
        work = work.on(card)
    if found is None:
        raise CannotAnswer(
            "filter: no condition was read; write a column, above or below, a number and its unit, "
            "or a column, is, and its value"
        )
    told = work.call("filter_rows", expression=found.expression)
    rows, kept = told.number("rows_in") or 0, whole(told.number("rows_out") or 0)
    meet = "meets" if kept == 1 else "meet"
    share = f"{number(kept)} of {samples(rows, work.card.noun)} ({percent(kept, rows)})"
    lead = f"{share} {meet} {found.words}."
    unsure = told.number("undecided") or 0
    absent = told.number("missing") or 0
    notes = [
        f"{samples(unsure)} could be either, with a value below or above a limit: left out"
        if unsure
        else "",
        f"{samples(absent)} without the value needed: left out" if absent else "",
        paths([("Result table:", told.text("output"))]),
    ]
    return Finding((lead, *_names(work, told.text("output"), kept), *work.closing(*notes)))


def _names(work: Work, output: str, kept: int) -> tuple[str, ...]:
    """Return the names of a few kept samples."""
    ids = [item.name for item in work.card.fields if item.role == "id"][:1]
    if not 0 < kept <= _FEW or not output or not ids or not work.asking.has("query_data"):
        return ()
    told = work.asking.ask("query_data", path=output, operation="head", n=kept, columns=ids)
    if told.error or not told.previews:
        return ()
    return (f"They are {listed([row[0] for row in told.previews[0].rows])}.",)


def _asked(work: Work, arguments: dict[str, object]) -> tuple[ToolAnswer, str]:
    """Call log_ratio; where it asks how to treat small parts, take half the limit and say so."""
    try:
        return work.call("log_ratio", **arguments), ""
    except CannotAnswer as error:
        if "; give impute" not in str(error):
            raise
    return work.call("log_ratio", **arguments, impute="half_limit"), _UNTREATED


_UNTREATED = (
    "The question names no treatment of values below detection, and a log-ratio needs a number in "
    "every part: ask “with multiplicative replacement” for the other way"
)


def log_ratio(work: Work) -> Finding:
    """Answer log-ratios of parts as a new table."""
    fields = work.need(2, "log-ratios")
    arguments: dict[str, object] = {"columns": [item.name for item in fields]}
    way = next((name for name, words in _RATIOS.items() if words.search(work.text)), "clr")
    arguments |= {} if way == "clr" else {"method": way}
    if re.search(r"\bhalf\b", work.text, re.IGNORECASE):
        arguments["impute"] = "half_limit"
    elif re.search(r"\bmultiplicative\b", work.text, re.IGNORECASE):
        arguments["impute"] = "multiplicative"
    elif re.search(r"\blognormal\b", work.text, re.IGNORECASE):
        arguments["impute"] = "lognormal"
    told, chosen = _asked(work, arguments)
    names = listed([item.name for item in fields])
    rows = f"{number(told.number('rows_out'))} of {samples(told.number('rows_in'), 'row')}"
    over = f", {told.text('over')} in the denominator" if told.text("over") else ""
    lead = f"{_NAMES[way]} of {names}{over} for {rows}."
    filled = told.mapping("imputed")
    put_in = (
        f"Put in for values below detection ({told.text('impute')}): "
        + listed([f"{name} {number(n)}" for name, n in filled.items()], 6)
        if filled
        else ""
    )
    why = "Log-ratios take away the tie that parts of a whole have through their constant sum"
    files = paths([("Result table:", told.text("output")), ("basis:", told.text("basis"))])
    return Finding(
        (lead, *work.closing(left_out(told), put_in or censored(told), chosen, why, files))
    )


_RATIOS = {
    "ilr": re.compile(r"\b(?:ilr|isometric|pivot)\b", re.IGNORECASE),
    "alr": re.compile(r"\b(?:alr|additive)\b", re.IGNORECASE),
}
_NAMES = {
    "clr": "Centred log-ratios",
    "ilr": "Isometric log-ratios (pivot coordinates in the order named)",
    "alr": "Additive log-ratios",
}

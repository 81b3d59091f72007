"""Answers about whole tables: their faults, their units, several elements at once, handing on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from workbench.models.planner.range_tables import FORMAT, UNIT, UNITS
from workbench.models.planner.sourced import cited
from workbench.models.planner.wording import listed, number, paths, samples, treatment
from workbench.models.planner.work import CannotAnswer, Finding, Work

_NAMED = 8
_CRS = re.compile(r"\b(?:EPSG|ESRI)\s*:\s*\d{2,6}\b", re.IGNORECASE)
_FORMATS = {"x": "xlsx", "e": "xlsx", "s": "xlsx", "w": "xlsx", "z": "zip"}


def issues(work: Work) -> Finding:
    """Answer what is wrong with a table, worst first."""
    told = work.call("detect_issues")
    count = told.number("issues") or 0
    if not count:
        rows = samples(told.number("rows_in"), "row")
        lead = f"{work.card.title}: nothing was found wrong in {rows}."
        return Finding((lead, *work.closing()))
    found = [one for key, one in told.facts.items() if re.fullmatch(r"issue \d+", key)]
    lines = [_issue(one) for one in found if isinstance(one, dict)]
    more = count - len(lines)
    lines += [f"- {more:,.0f} more are in the file."] if more > 0 else []
    levels = told.mapping("levels")
    kinds = [f"{number(n)} {level}{'s' if n != 1 else ''}" for level, n in levels.items() if n]
    what = f"{number(count)} things to look at ({listed(kinds)}), worst first:"
    lead = f"{work.card.title}: {what}"
    files = paths([("All of them:", told.text("output"))])
    return Finding(("\n".join([lead, *lines]), *work.closing("Nothing was changed", files)))


def _issue(value: Mapping[str, Any]) -> str:
    columns = [str(name) for name in value.get("columns") or ()]
    rows = value.get("rows")
    where = f" in {listed(columns, 6)}" if columns else ""
    count = f": {number(rows)}" if rows else ""
    return f"- {value.get('level')}: {value.get('what')}{where}{count}. Next: {value.get('next')}"


def convert(work: Work) -> Finding:
    """Answer a wish for other units: the elements that are named, or all."""
    hit = re.search(rf"\b(?:to|into|in)\s+({UNIT})(?![a-z])", work.text, re.IGNORECASE)
    if hit is None:
        raise CannotAnswer("units: say which, such as ppm, ppb, pct or g/t")
    unit = UNITS.get(hit[1].casefold(), hit[1])
    asked = {} if not work.columns.fields else {"columns": [f.name for f in work.columns.fields]}
    told = work.call("convert_units", to=unit, **asked)
    made = [
        f"{old} → {new} (× {number(times)})"
        for old, (new, times) in list(told.mapping("factors").items())[:_NAMED]
    ]
    count = told.number("converted") or 0
    more = f" and {count - len(made):,.0f} more" if count > len(made) else ""
    lead = f"{samples(count, 'column')} brought to {unit}: {', '.join(made)}{more}"
    left = told.mapping("left_as_they_are")
    kept = [f"{name} ({why})" for name, why in list(left.items())[:_NAMED]]
    rest = f". Left as they are: {'; '.join(kept)}" if kept else ""
    files = paths([("Result table:", told.text("output"))])
    return Finding((f"{lead}{rest}.", *work.closing(treatment(told), files)))


def export(work: Work) -> Finding:
    """Answer a wish to hand a table on."""
    hit = re.search(rf"\b(?:{FORMAT})\b", work.text, re.IGNORECASE)
    if hit is None:
        raise CannotAnswer("export: say as what: xlsx, GeoPackage, GeoJSON or zip")
    word = hit.group().casefold()
    kind = _FORMATS.get(word[0]) or ("geojson" if "json" in word else "gpkg")
    grid = _CRS.search(work.text)
    asked = {"crs": re.sub(r"\s", "", grid.group()).upper()} if grid else {}
    told = work.call("export_table", format=kind, **asked)
    rows = samples(told.number("rows_out"), work.card.noun)
    crs = f", in {told.text('crs')}" if told.text("crs") else ""
    gone = told.number("without_place")
    bare = f"; {number(gone)} of them without a place" if gone else ""
    files = paths([("File:", told.text("output"))])
    return Finding((f"{rows} written as {kind}{crs}{bare}.", *work.closing(treatment(told), files)))


def index(work: Work) -> Finding:
    """Answer which samples are high in several elements together."""
    fields = work.need(2, "an index of several elements")
    by = work.by()
    asked = {"by": by.name} if by is not None else {}
    told = work.call("anomaly_index", columns=[field.name for field in fields], **asked)
    named = listed([field.name for field in fields], _NAMED)
    flagged = told.number("flagged")
    lead = (
        f"By {named} together, equal weights, {number(flagged)} of "
        f"{samples(told.number('ranked'), work.card.noun)} stand out: {told.text('rule')}, "
        f"{number(told.number('threshold'))}."
    )
    rows = told.previews[0].rows[:_NAMED] if told.previews else ()
    if rows and "index" in told.previews[0].columns:
        at = told.previews[0].columns.index("index")
        first = ", ".join(f"{row[0]} ({cited(row[at])})" for row in rows)
        lead += f" The highest: {first}."
    caution = "An index ranks what is unusual in the data; it does not say why"
    files = paths([("Result table:", told.text("output"))])
    return Finding((lead, *work.closing(caution, treatment(told), files)))

"""Questions about whole tables: their faults, their units, several elements, handing on."""

from __future__ import annotations

from workbench.models.planner.ability import Ability, ability

# Whether a row is a sample or one element of it.
FORM = r"\b(?:long|wide)(?: or (?:long|wide)(?: form)?| form)\b|\b(?:one|each) row\b"
UNIT = r"ppm|ppb|pct|%|per ?cent|g/t|oz/t|mg/kg|wt ?%"
# Where an answer is wanted in another unit: at the end of what is asked.
IN_UNIT = rf"\bin\s+({UNIT})(?![\w/])(?=\s*(?:$|[?.!,;]|\b(?:by|where|for|and|with)\b))"
UNITS = {"%": "pct", "percent": "pct", "per cent": "pct", "wt%": "pct", "wt %": "pct"}
FORMAT = r"xlsx|excel|spreadsheet|workbook|geo-?package|gpkg|geo-?json|zip"

TABLES: tuple[Ability, ...] = (
    ability(
        "issues",
        "dataops",
        "what is wrong with a table, with what helps",
        ["What is wrong with meridian_ridge_assay.csv?", "Find the data quality issues."],
        r"\bwhat(?:'s| is| could be)? wrong\b"
        r"|\b(?:(?:data |quality |cleaning )*issues?|(?:data|quality) faults?)\b"
        r"|\bimpossible\b|\bcheck\b[^.;]*\bfor (?:errors?|mistakes?|faults?)\b"
        r"|\b(?:oxides?|majors?|totals?)\b[^.;]*\b(?:add|sum)s? (?:up )?to\b"
        r"|\bwhat (?:needs|has to be|should be) clean(?:ing|ed)\b"
        r"|\b(?:data )?problems? (?:in|with)\b",
    ),
    ability(
        "convert",
        "transform",
        "other units",
        ["Convert everything to ppm.", "Convert Au to g/t."],
        rf"\b(?:convert|bring|turn|change|put)\b(?:[^.;]|\.\w)*\b(?:to|into|in)\s+(?:{UNIT})(?![a-z])"
        r"|\b(?:want|need|have|give|get|put) (?:me )?"
        r"(?:everything|all (?:columns|elements|assays|results))\b(?:[^.;]|\.\w)*"
        rf"\bin\s+(?:{UNIT})(?![a-z])",
    ),
    ability(
        "export",
        "geoviz",
        "a table for a spreadsheet or a geographic system",
        ["Export meridian_ridge_geochem.csv as GeoPackage in EPSG:28350."],
        rf"\b(?:export|save|write|hand|give me)\b(?:[^.;]|\.\w)*\b(?:{FORMAT})\b",
    ),
    ability(
        "index",
        "anomaly_index",
        "samples ranked by several elements together",
        ["Which samples are anomalous in Au, As and Sb together?"],
        r"\b(?:anomal\w+|high|elevated|rank\w*|best|top)\b[^.;]*\b(?:together|combined|jointly)\b"
        r"|\b(?:multi-?element|combined|weighted|additive) (?:index|score|ranking|anomal\w+)\b"
        r"|\banomaly index\b",
    ),
)

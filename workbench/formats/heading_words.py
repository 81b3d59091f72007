"""The words of header rows: what a row is called, and what its cells look like.

Certificates and templates put rows of units, methods, limits and definitions under or above the
names, with or without saying so in the first cell. Nothing here knows where a row stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

Row = Sequence[str]


class Says(StrEnum):
    """What a header row says of the columns."""

    NAME = "name"
    UNIT = "unit"
    METHOD = "method"
    LOWER = "lower limit"
    UPPER = "upper limit"
    OTHER = "other"


_NUMBER = re.compile(
    r"^[<>≤≥]?=?\s*[-+]?(\d[\d.,]*|[.,]\d+|\d{1,3}([ \u00a0\u202f'\u2019]\d{3})+([.,]\d+)?)"
    r"([eE][-+]?\d+)?\s*%?$"
)
_CODE = re.compile(
    r"^(lnr|nss|i/?s|n/?a|n\.a\.|n\.?d\.?|bdl|tr|pend\w*|dup|-+|<\s?[a-z]{2,3})$", re.IGNORECASE
)
_UNIT = re.compile(
    r"^[(\[]?(ppm|ppb|ppt|%|pct|percent|wt\.?\s?%|vol\.?\s?%|mg/kg|[uµμ]g/kg|[uµμ]g/g|ng/g|mg/g|"
    r"g/t|gpt|oz/t(on)?|lb/t(on)?|g|mg|kg|m|cm|km|ft|mm|in|deg|met(re|er)s?|feet|degrees?|"
    r"(centi|milli)met(re|er)s?|mg/l|[uµμ]g/l|ms/m|[uµμ]s/cm|ms/cm|°|°c|degc|‰|permil|cps|api|gapi|"
    r"ohm\.?m|g/cc|g/cm3|kg/m3|t/m3|nt|mv|si|si units|ph units?|seconds|sec|ma|ratio|unitless)"
    r"[)\]]?$",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"^(-+|n/?a|none|\.)$", re.IGNORECASE)
_METHOD_CODE = re.compile(r"^(?=.*[A-Z])(?=.*\d)[A-Za-z0-9][A-Za-z0-9_/+.-]{1,14}$")
_SUBSTANCE = re.compile(
    r"^\d{0,3}(?:A[glrsu]|B[aeir]?|C[adelorsu]?|Dy|E[ru]|F[e]?|G[ade]|H[efgo]?|I[nr]?|Kr?|L[aiu]|"
    r"M[gno]|N[abdei]?|Os?|P[abdrt]?|R[abehu]|S[bceimnr]?|T[abehilm]|U|V|W|Xe|Yb?|Z[nr]|LOI)"
    r"(?:\d{0,2}O\d{0,2}T?)?(?:[\s_(,-].*|ppm|ppb|pct|%)?$"
)
# A cell of a row of units that is none: a format, a rule, a list of words.
_NO_UNIT = re.compile(r"^(?:[dmyhs:/ .-]+|.*[\"'|;].*|\w+ or \w+|.{21,})$", re.IGNORECASE)

_LABELS: dict[Says, str] = {
    Says.NAME: "h1000|field|fields|element|elements|analyte|analytes|parameter|parameters|compound|"
    "column|variable|column name|field name|analyte name|element name",
    Says.UNIT: "h1001|unit|units|uom|unit of measure|units of measure|unit of measurement|"
    "standard uom/format|reporting unit|reporting units|unit symbol|measure unit|"
    "einheit|einheiten|unité|unités|unidad|unidades",
    Says.METHOD: "h1002|analytical finish|"
    "method|methods|method code|method codes|analysis|analytical method|"
    "analysis method|assay code|assay code/method|assay method|lab method|scheme|scheme code|"
    "analysis code|analytical technique|technique|digest|digestion|finish|"
    "methode|méthode|metodo|método",
    Says.LOWER: "detection|detection limit|detection limits|lower detection|lower limit|"
    "lower detection limit|lower reporting limit|limit of detection|limit of reporting|"
    "limit of quantitation|reporting limit|det limit|det. limit|det lim|detection lower|"
    "min detection|minimum detection|minimum detection limit|lod|loq|lor|ldl|lld|mdl|mrl|rl|dl|"
    "d.l|lower|llod|nachweisgrenze|bestimmungsgrenze|limite de détection|limite de detección|"
    "limite de detección|límite de detección|nwg",
    Says.UPPER: "upper detection|upper limit|upper detection limit|upper reporting limit|"
    "detection upper|max detection|maximum detection|over limit|overlimit|udl|uld|url|upper",
    Says.OTHER: "h1003|h1004|h1005|h1006|h1007|"
    "code|ggic code|mandatory|required|data type|datatype|type|data length|length|"
    "format|accuracy|decimals|precision|standard decimal accuracy|definition|description|"
    "assay description|lab|laboratory|analytical laboratory|instrument|xrf instrument type|"
    "lab element|digest code|comment|comments|remark|remarks|example|notes|material",
}
_BY_LABEL = {label: says for says, labels in _LABELS.items() for label in labels.split("|")}
_SURE = frozenset(
    {
        "data type",
        "definition",
        "mandatory",
        "data length",
        "ggic code",
        *(f"h100{n}" for n in range(3, 8)),
    }
)


def label(cell: str) -> Says | None:
    """Return what a cell says its row is; None if it is no such word.

    Examples
    --------
    >>> label("Units:"), label("LOWER_DETECTION_LIMIT"), label("Unit of measure (e.g. ppm)")
    (<Says.UNIT: 'unit'>, <Says.LOWER: 'lower limit'>, <Says.UNIT: 'unit'>)
    """
    return _BY_LABEL.get(_plain(cell))


def is_sure(cell: str) -> bool:
    """Tell whether a label means a header row wherever it stands, and is no name of a column."""
    says = label(cell)
    return says not in {None, Says.NAME, Says.OTHER} or _plain(cell) in _SURE


def _plain(cell: str) -> str:
    bare = re.sub(r"\(.*", "", cell.casefold()).replace("_", " ")
    return " ".join(bare.split()).strip(" .:*")


def row_says(row: Row) -> Says | None:
    """Return what a row says by one of its first two cells, or by holding nothing but units."""
    first = next((cell for cell in row[:2] if cell.strip()), "")
    if is_sure(first):
        return label(first)
    return Says.UNIT if is_units(row) else None


def is_number(cell: str) -> bool:
    """Tell whether a cell reads as a number, censored or not."""
    return bool(_NUMBER.match(cell.strip()))


def is_gap_code(cell: str) -> bool:
    """Tell whether a cell is a code for a gap or a bare word for below detection."""
    return bool(_CODE.match(cell))


def is_units(row: Row) -> bool:
    """Tell whether a row holds nothing but units, and signs for none."""
    cells = [cell.strip() for cell in row if cell.strip()]
    units = sum(bool(_UNIT.match(cell)) for cell in cells)
    return units > 0 and all(_UNIT.match(cell) or _NOTHING.match(cell) for cell in cells)


def is_methods(row: Row) -> bool:
    """Tell whether most cells behind the first are codes of methods, and no substances."""
    cells = [cell.strip() for cell in row[1:] if cell.strip()]
    codes = sum(bool(_METHOD_CODE.match(cell)) and not _is_formula(cell) for cell in cells)
    return codes > 0 and 2 * codes >= len(cells)


def is_group(row: Row, names: Row) -> bool:
    """Tell whether a row groups the names: words, over fewer or repeated names."""
    cells = [cell.strip() for cell in row if cell.strip()]
    own = [cell.strip() for cell in names if cell.strip()]
    groups = 0 < len(cells) < len(own) or len(set(own)) < len(own)
    return groups and not any(map(is_number, cells))


def _is_formula(cell: str) -> bool:
    match = _SUBSTANCE.match(cell)
    return bool(match) and "-" not in cell and "_" not in cell


def substances(row: Row) -> int:
    """Count the cells that name an element or oxide, with or without a unit."""
    return sum(bool(_SUBSTANCE.match(cell.strip())) for cell in row if cell.strip())


def unit_of(cell: str) -> str | None:
    """Return the unit a cell of a row of units gives; None for a sign of none or a rule."""
    bare = cell.strip().strip("()[]").strip()
    if not bare or _NOTHING.match(bare):
        return None
    return bare if _UNIT.match(bare) or not _NO_UNIT.match(bare) else None


def amount(cell: str) -> float | None:
    """Return the limit a cell gives, whatever its decimal sign; None if it gives none."""
    bare = cell.strip().lstrip("<>≤≥= ").replace(",", ".", 1)
    try:
        found = float(bare)
    except ValueError:
        return None
    return found if 0 <= found < float("inf") else None

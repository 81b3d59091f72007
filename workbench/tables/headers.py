"""What a column header says: element or oxide, unit, method, and the role its words suggest.

A header proposes; the values decide. Symbols that are also words count only with a unit or in the
company of other elements, and a column is an element only if its values are numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.formats.format import HeaderCell, Stated
from workbench.tables.elements import is_ambiguous, oxide, symbol
from workbench.tables.roles import role_of, role_of_pair
from workbench.tables.units import UNITS, unit_named

# Elements that must stand together before a word such as "In" is believed without a unit.
_COMPANY = 3

_BRACKETS = re.compile(
    r"^(?P<base>.*?)[\s_-]*[(\[](?P<unit>[^)\]]*)[)\]]\s*(?P<rest>.*)$", re.DOTALL
)
_GLUED = re.compile(
    r"^(?P<base>[A-Z][A-Za-z0-9]{0,5}?)(?P<unit>wt\.?%|%|ppm|ppb|pct)$", re.IGNORECASE
)
_ISOTOPE = re.compile(
    r"^(?:(?:d|δ|delta ?)_?(?:2H|D|7Li|11B|13C|15N|18O|34S|37Cl|[A-Z][a-z]?\d{1,3})"
    r"|(?:e|ε|eps|epsilon)_?(?:Nd|Hf|Sr)(?:_?\(?[it]\)?)?"
    r"|\d{1,3}[A-Z][a-z]?\s*/\s*\d{1,3}[A-Z][a-z]?)(?![A-Za-z0-9])"
)
_PAIR = re.compile(
    r"^\(?([A-Z][A-Za-z0-9]*)\s*/\s*([A-Z][A-Za-z0-9]*?)\)?(?:N|[_ ](?:N|n|cn|CN|pm|PM|norm))?$"
)
_MASS = re.compile(r"(?<![A-Za-z0-9])\d{1,3}(?=[A-Z])")
_METHOD = re.compile(r"^(?=.*[A-Z])(?=.*(?:\d|[A-Z]{2}))[A-Za-z0-9.+-]{2,15}$")
# Coordinates named by one letter; "Z" is no element.
_LETTERS = frozenset({"x", "y", "e", "n"})
# Metres of a grid are larger than contents of yttrium or nitrogen.
_PLACE_SIZE = 10_000.0
_REPEATED = re.compile(r"^([A-Z][a-z]?|[A-Z]{2})[_ ]?\d$")
_LOG_RATIO = re.compile(r"^(?:clr|ilr|alr|log10|log|ln)[_ (](?!.*__)", re.IGNORECASE)
_INDICES = frozenset({"mg#", "a/cnk", "a/nk", "cia", "ciw", "mgno"})
# Words beside a symbol that are neither method nor another name.
_MANNERS = frozenset(
    [
        *("total", "tot", "org", "organic", "inorg", "calc", "mean", "median", "avg", "best"),
        *("final", "raw", "corr", "corrected", "adj", "orig", "original", "rpt", "rep", "repeat"),
        *("rerun", "recheck", "check", "chk", "dup", "duplicate"),
    ]
)


@dataclass(frozen=True)
class Named:
    """What a header says.

    Attributes
    ----------
    element : str or None
        Symbol or formula.
    unit : str or None
        Unit in its spelling in `workbench.tables.units`.
    method : str or None
        Laboratory method.
    role : str or None
        Role its words suggest; None for a plain word.
    sure : bool
        False for a symbol that may be a word.
    told : str
        The line above the header that states the unit; empty where the header does.
    """

    element: str | None = None
    unit: str | None = None
    method: str | None = None
    role: str | None = None
    sure: bool = True
    told: str = ""


def read_headers(
    cells: Sequence[HeaderCell],
    numeric: Sequence[bool],
    sizes: Sequence[float | None] = (),
) -> list[Named]:
    """Say what the headers of a table mean, taken together.

    Parameters
    ----------
    cells : sequence of HeaderCell
        As the format found them.
    numeric : sequence of bool
        True for columns whose values are numbers.
    sizes : sequence of float or None, optional
        The largest amount in each column, where it is known.

    Returns
    -------
    list of Named
        One a column. A symbol that may be a word counts only among at least three elements.
    """
    read = [_read(cell) for cell in cells]
    pairs = list(zip(read, numeric, strict=True))
    company = sum(one.element is not None and is_number for one, is_number in pairs)
    places = _letters(cells, sizes)
    named = [
        _settled(one, cell, number=number, company=company, place=places.get(at, False))
        for at, (one, cell, number) in enumerate(zip(read, cells, numeric, strict=True))
    ]
    return _surveyed(named, [role_of_pair(cell.name) for cell in cells], numeric)


def _surveyed(
    named: list[Named], proposed: Sequence[str | None], numeric: Sequence[bool]
) -> list[Named]:
    """Take a direction for an azimuth where an inclination stands beside it, and the reverse."""
    both = {role for role, number in zip(proposed, numeric, strict=True) if number}
    if not both >= {"azimuth", "dip"}:
        return named
    return [
        replace(one, role=role) if role and number and not one.role else one
        for one, role, number in zip(named, proposed, numeric, strict=True)
    ]


def _letters(cells: Sequence[HeaderCell], sizes: Sequence[float | None]) -> dict[int, bool]:
    """Tell for columns named by one letter whether they are places.

    ``Y`` beside ``X``, or ``N`` beside ``E``, is a place whatever else stands in the table, unless
    the table has other coordinates, or another column of that name: then a place needs the size
    of one.
    """
    names = [" ".join(cell.name.split()).casefold() for cell in cells]
    roles = [role_of(name) for name in names]
    letters = {at: name for at, name in enumerate(names) if name in _LETTERS}
    others = {role for at, role in enumerate(roles) if at not in letters}
    told = {"easting", "northing"} <= others or {"longitude", "latitude"} <= others
    paired = {"easting", "northing"} <= {roles[at] for at in letters} | others
    found = {}
    for at, name in letters.items():
        size = sizes[at] if at < len(sizes) else None
        large = size is None or size >= _PLACE_SIZE
        first = names.index(name) == at
        found[at] = paired and ((first and not told) or (large and size is not None))
    return found


def _settled(one: Named, cell: HeaderCell, *, number: bool, company: int, place: bool) -> Named:
    """Decide between an element, a place and a word."""
    letter = " ".join(cell.name.split()).casefold() in _LETTERS
    if not number and cell.stated is None and one.unit not in UNITS:
        one = replace(one, unit=None)  # a format of dates or a rule for words, no unit
    if one.element is None:
        return replace(one, role=None) if letter and number and not place else one
    role = role_of(cell.name)
    if not number or (place and one.unit is None) or (not one.sure and company < _COMPANY):
        return replace(one, element=None, role=role if place or not letter else None)
    return one


def read_header(header: str) -> Named:
    """Say what one header means by itself.

    Examples
    --------
    >>> read_header("Au (ppb)").element, read_header("Na2O_%").unit, read_header("FA50_Au").method
    ('Au', 'pct', 'FA50')
    """
    return _read(HeaderCell(header))


def _read(cell: HeaderCell) -> Named:
    if cell.stated is not None:
        return _stated(cell.name, cell.stated)
    base, unit, behind = _split_unit(" ".join(cell.name.split()))
    if cell.unit is not None:
        # A unit that is not known is kept as the row of units writes it.
        unit = unit_named(cell.unit) or unit or cell.unit
    if _LOG_RATIO.match(cell.name.strip()):
        # A log-ratio has no unit, whatever the unit of its parts.
        return Named(role="ratio")
    if _ISOTOPE.match(base):
        return Named(unit=unit, method=cell.method, role="isotope")
    if _is_ratio(base):
        return Named(unit=unit, method=cell.method, role="ratio")
    element, method, sure = _substance(base)
    if element is None and (again := _REPEATED.match(base)) and _is_fraction(unit):
        # "Au1_ppm" beside "Au2_ppm": the same element determined again.
        element, sure = symbol(again[1]), True
    if element is None:
        return Named(unit=unit, method=cell.method, role=role_of(base) or role_of(cell.name))
    if behind and method is None and _METHOD.match(behind):
        method = behind
    role = "oxide" if oxide(element) else "element"
    return Named(element, unit, cell.method or method, role, sure or unit is not None)


def _is_fraction(unit: str | None) -> bool:
    known = UNITS.get(unit or "")
    return known is not None and known.dimension == "mass fraction"


def _stated(name: str, stated: Stated) -> Named:
    """Take what the file says; a symbol is an element only with a unit of mass fraction."""
    unit = unit_named(stated.unit or "") or (stated.unit or "").strip() or None
    known = UNITS.get(unit or "")
    if stated.role is None and known is not None and known.dimension == "mass fraction":
        element, method, _ = _substance(name)
        if element is not None:
            return Named(element, unit, method, "oxide" if oxide(element) else "element")
    role = role_of(name)
    # A label has no unit, and a place none but of length or angle: "E" may be Young's modulus.
    placed = known is not None and known.dimension in {"length", "angle"}
    if unit is not None and (role in {"id", "hole", "date"} or not placed):
        role = None
    return Named(unit=unit, role=stated.role or role)


def _split_unit(header: str) -> tuple[str, str | None, str | None]:
    """Take the unit off a header; return what is left, the unit, and what stands behind it."""
    match = _BRACKETS.match(header)
    unit = unit_named(match["unit"]) if match else None
    if match and unit is not None:
        return match["base"].strip(" _-"), unit, match["rest"].strip(" _-") or None
    words = [word for word in re.split(r"[\s_,;]+", header) if word]
    for size in (2, 1):
        for start in range(len(words) - size, 0, -1):
            word, before = "".join(words[start : start + size]), " ".join(words[:start])
            unit = unit_named(word)
            # A single capital may be anything; behind a depth it is a metre.
            if unit is not None and not (word in {"M", "G"} and role_of(before) is None):
                return before, unit, " ".join(words[start + size :]) or None
    match = _GLUED.match(header)
    if match and (symbol(match["base"]) or oxide(match["base"])):
        return match["base"], unit_named(match["unit"]), None
    return header, None, None


def _substance(base: str) -> tuple[str | None, str | None, bool]:
    """Find element or oxide, the method beside it, and whether the word can be nothing else."""
    words = [word for word in re.split(r"[\s_]+", base) if word]
    for separate in (words, [part for word in words for part in word.split("-") if part]):
        for place, word in enumerate(separate):
            bare = _MASS.sub("", word)
            found = oxide(bare) or symbol(bare)
            others = [
                other
                for at, other in enumerate(separate)
                if at != place and other.casefold() not in _MANNERS
            ]
            # "…_N" says that a column is a bare number, not that it is nitrogen.
            number = found == "N" and others
            if found and not number and all(_METHOD.match(other) for other in others):
                return found, "-".join(others) or None, bool(oxide(bare)) or not is_ambiguous(bare)
    return None, None, True


def _is_ratio(base: str) -> bool:
    """Recognise ratios of elements and indices."""
    if base.casefold().replace(" ", "") in _INDICES:
        return True
    match = _PAIR.match(_MASS.sub("", base.replace("/", " / ")).replace(" / ", "/"))
    return bool(match and all(symbol(word) or oxide(word) for word in match.groups()))

"""What each column of a raw table is: role, kind, unit, and how its cells are read.

The header proposes, the whole column decides; what was set by a person overrides both. Identifiers
are text for ever, whatever their digits look like.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.formats.format import HeaderCell, RawTable
from workbench.formats.reading import Reading
from workbench.tables.around import codes, read_zeros, size, with_units, without_attached
from workbench.tables.attached import NOTHING, Attached, attach
from workbench.tables.cells import CellClass, Grammar
from workbench.tables.dates import Found, dated
from workbench.tables.headers import Named, read_headers
from workbench.tables.kinds import (
    NUMBERS_NAMED,
    holds_gaps,
    is_label,
    is_numeric,
    kinds_of,
    may_be_dates,
)
from workbench.tables.negatives import means_below, suspects_of
from workbench.tables.overrides import Override
from workbench.tables.profile import profile, textures
from workbench.tables.profile_record import Profile
from workbench.tables.sentinels import HIGH, LOW, find_sentinels
from workbench.tables.spelling import spellings, units_behind, with_grounds
from workbench.tables.table import MEASURED

_WORDS = (CellClass.BARE, CellClass.CODED, CellClass.REJECTED)
_GROUPS = 30
_MANY_GROUPS = 200
_DEGREES = 180.0
_DIFFER = 0.9
# Roles of texts that the header tells, whatever their number of values.
_KEPT = frozenset({"flag", "method"})


@dataclass(frozen=True)
class Decision:
    """What a column is and how its cells are read.

    Attributes
    ----------
    place : int
        Column of the raw table.
    role, kind : str
        As in `workbench.tables.table.Column`.
    named : Named
        Unit, element and method.
    grammar : Grammar
        For number columns.
    date : Found or None
        For date columns.
    profile : Profile
        Its cells, counted.
    note : str
        What a person should know about the decision; empty if nothing.
    beside : Attached
        Columns that say something about its values.
    """

    place: int
    role: str
    kind: str
    named: Named
    grammar: Grammar
    profile: Profile
    date: Found | None = None
    note: str = ""
    beside: Attached = NOTHING


def decide(reading: Reading, raw: RawTable, overrides: Mapping[int, Override]) -> list[Decision]:
    """Decide about every column of a raw table."""
    grammar = Grammar(raw.layout.decimal or ".")
    profiles = profile(reading, raw.relation, len(raw.headers), grammar)
    spelt = spellings(reading, raw, profiles, grammar, overrides)
    numeric = [is_numeric(one, NUMBERS_NAMED) or holds_gaps(one) for one in profiles]
    read = read_headers(raw.headers, numeric, [size(one) for one in profiles])
    read = with_units(read, raw.preamble)
    named = [_overridden(one, overrides.get(place)) for place, one in enumerate(read)]
    beside = attach(reading, raw.relation, raw.names, named, profiles, numeric)
    named = without_attached(named, beside)
    if not raw.headers[0].name.strip() and _all_differ(profiles[0]):
        named[0] = replace(named[0], role="id")
    named = units_behind(named, numeric, spelt)
    kinds = kinds_of(reading, raw, named, profiles, overrides)
    suspects = {
        at: named[at].role
        for at, kind in enumerate(kinds)
        if kind == "number" and raw.headers[at].stated is None and _suspect(profiles[at])
    }
    gaps = find_sentinels(reading, raw.relation, suspects, grammar)
    dates = dated(reading, raw.relation, _maybe_dates(kinds, named, profiles))
    grammars = [
        _grammar(
            spelt[at].grammar, cell, named[at], profiles[at], gaps.get(at, ()), overrides.get(at)
        )
        for at, cell in enumerate(raw.headers)
    ]
    _read_negatives(reading, raw, named, profiles, grammars, overrides)
    read_zeros(raw, named, profiles, beside, grammars, overrides)
    decided = [
        _decision(at, kind, named[at], grammars[at], profiles[at], dates.get(at), overrides.get(at))
        for at, kind in enumerate(kinds)
    ]
    decided = with_grounds(
        [replace(d, beside=beside.get(d.place, NOTHING)) for d in decided], spelt
    )
    return _places(reading, raw, codes(reading, raw, decided, overrides))


def _maybe_dates(
    kinds: Sequence[str], named: Sequence[Named], profiles: Sequence[Profile]
) -> dict[int, bool]:
    """Return the columns of texts that begin as dates do and are no labels."""
    return {
        at: named[at].role == "date"
        for at, kind in enumerate(kinds)
        if kind == "text" and not is_label(named[at]) and may_be_dates(profiles[at])
    }


def _read_negatives(
    reading: Reading,
    raw: RawTable,
    named: Sequence[Named],
    profiles: Sequence[Profile],
    grammars: list[Grammar],
    overrides: Mapping[int, Override],
) -> None:
    """Read negative numbers as below their amount where they mean that."""
    kept = {at for at, one in overrides.items() if one.negatives}
    columns = {at: g for at, g in enumerate(grammars) if at not in kept}
    roles = [one.role for one in named]
    for at in means_below(reading, raw.relation, suspects_of(columns, roles, profiles)):
        grammars[at] = replace(grammars[at], negatives_below=True)


def _grammar(
    base: Grammar,
    cell: HeaderCell,
    named: Named,
    found: Profile,
    gaps: Sequence[float],
    override: Override | None,
) -> Grammar:
    """Return how the cells of one column are read."""
    told = replace(
        base,
        results=named.role in MEASURED,
        sentinels=tuple(gaps),
        words=found.count(*_WORDS) > 0,
        cast=found.cast,
    )
    return _with_override(_with_gaps(told, cell.stated.gaps if cell.stated else ()), override)


def _overridden(named: Named, override: Override | None) -> Named:
    if override is None:
        return named
    role = override.role or ("element" if override.element and not named.role else named.role)
    return replace(
        named,
        role=role,
        unit=override.unit or named.unit,
        element=override.element or named.element,
    )


def _with_override(grammar: Grammar, override: Override | None) -> Grammar:
    if override is None:
        return grammar
    told = _with_gaps(grammar, override.missing)
    below = tuple(word for word in override.below if word not in told.marks_below)
    return replace(told, below=below, negatives_below=override.negatives == "below")


def _with_gaps(grammar: Grammar, gaps: Sequence[str]) -> Grammar:
    """Add numbers and texts that stand for a gap."""
    numbers, codes = [], []
    for one in gaps:
        try:
            numbers.append(float(one))
        except ValueError:
            codes.append(one)
    return replace(
        grammar,
        sentinels=tuple(sorted({*grammar.sentinels, *numbers})),
        codes=(*grammar.codes, *codes),
    )


def _all_differ(one: Profile) -> bool:
    """Tell whether a column of texts names every row; the count of distinct texts is rough."""
    return one.numbers == 0 and one.filled > 1 and one.distinct >= _DIFFER * one.filled


def _suspect(one: Profile) -> bool:
    """Tell whether the smallest or largest number is one that is written for a gap."""
    return one.low in LOW or one.high in HIGH


def _decision(
    at: int,
    kind: str,
    named: Named,
    grammar: Grammar,
    one: Profile,
    date: Found | None,
    override: Override | None,
) -> Decision:
    """Settle role and kind of one column."""
    note = ""
    if date is not None and kind == "text" and not (override and override.kind):
        kind = "date" if date.patterns else "text"
        note = "day and month cannot be told apart; kept as text"
        if date.patterns:
            note = date.told if len(date.patterns) > 1 else ""
    role = named.role or ""
    if kind == "empty" or (kind == "number" and _only_gaps(grammar, one)):
        kind = "empty"
        role = role if role in MEASURED else "empty"
    elif kind == "date":
        role = "date"
    elif kind in {"text", "boolean"}:
        role = role if is_label(named) or role in _KEPT else _text_role(one)
    elif role in {"", "date", "id", "hole"}:
        role = "constant" if one.constant and sum(one.classes) > 1 else "number"
    if override is not None and override.role:
        role = override.role
    element = named.element if role in MEASURED else None
    return Decision(at, role, kind, replace(named, element=element), grammar, one, date, note)


def _only_gaps(grammar: Grammar, one: Profile) -> bool:
    """Tell whether a number column holds nothing but numbers that stand for a gap."""
    plain = one.count(CellClass.PLAIN) == one.numbers
    return plain and len(grammar.sentinels) == 1 and one.low == one.high == grammar.sentinels[0]


def _text_role(one: Profile) -> str:
    rows = one.filled
    if one.constant and sum(one.classes) > 1:
        return "constant"
    few = one.distinct <= _GROUPS and one.distinct <= rows / 2
    return "group" if few or one.distinct <= min(_MANY_GROUPS, rows / 20) else "text"


def _places(reading: Reading, raw: RawTable, decided: list[Decision]) -> list[Decision]:
    """Tell degrees from metres in columns named X and Y."""
    east = [one for one in decided if one.role == "easting" and one.kind == "number"]
    north = [one for one in decided if one.role == "northing" and one.kind == "number"]
    if len(east) != 1 or len(north) != 1:
        return decided
    pair = (east[0].place, north[0].place)
    bounds = (_DEGREES, _DEGREES / 2)
    if not all(_within(decided[at].profile, bound) for at, bound in zip(pair, bounds, strict=True)):
        return decided
    written = textures(reading, raw.relation, pair, raw.layout.decimal or ".")
    if not all(written[at].fine > written[at].points / 2 for at in pair):
        return decided
    note = "values are degrees with five or more decimals: read as longitude and latitude"
    return [
        replace(one, role={pair[0]: "longitude", pair[1]: "latitude"}[one.place], note=note)
        if one.place in pair
        else one
        for one in decided
    ]


def _within(one: Profile, bound: float) -> bool:
    return one.low is not None and one.high is not None and -bound <= one.low <= one.high <= bound

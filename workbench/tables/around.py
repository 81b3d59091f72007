"""What stands around a column and says something about it: lines, rows and columns beside it.

Units of the lines above the header, limits of header rows, what zeros and codes mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.formats.format import RawTable
from workbench.formats.reading import Reading
from workbench.tables.attached import Attached
from workbench.tables.cells import CellClass, Grammar
from workbench.tables.headers import Named
from workbench.tables.overrides import Override
from workbench.tables.preamble import units_of
from workbench.tables.profile import textures
from workbench.tables.profile_record import Profile
from workbench.tables.units import UNITS

if TYPE_CHECKING:
    from workbench.tables.decide import Decision

# Whole numbers of so few values are codes of groups, not measures.
_CODES = 12
# Contents of a percent and more are no traces.
_TRACE = 10_000


def size(one: Profile) -> float | None:
    """Return the largest amount in a column."""
    return max((abs(end) for end in (one.low, one.high) if end is not None), default=None)


def with_units(named: Sequence[Named], preamble: Sequence[str]) -> list[Named]:
    """Give columns without a unit the one that the lines above the header state."""
    told = {role: one for one in units_of(preamble) for role in one.roles}
    return [
        replace(one, unit=told[one.role].unit, told=told[one.role].line)
        if one.unit is None and one.role in told
        else one
        for one in named
    ]


def without_attached(named: Sequence[Named], beside: Mapping[int, Attached]) -> list[Named]:
    """Call signs and limits what they are; they are no measurements of their own."""
    roles = {one.sign_at: "flag" for one in beside.values()}
    roles |= {one.limit_at: "limit" for one in beside.values()}
    return [
        replace(one, role=roles[at], element=None, method=None) if at in roles else one
        for at, one in enumerate(named)
    ]


def read_zeros(
    raw: RawTable,
    named: Sequence[Named],
    profiles: Sequence[Profile],
    beside: Mapping[int, Attached],
    grammars: list[Grammar],
    overrides: Mapping[int, Override],
) -> None:
    """Read zeros of traces as below detection, and take the limits that the file states.

    A table that writes its limits as negative numbers means something else by a zero: there they
    are kept unless a person says otherwise.
    """
    minus = any(one.negatives_below for one in grammars)
    for at, cell in enumerate(raw.headers):
        one, set_one = profiles[at], overrides.get(at, Override())
        limit = set_one.limit or (cell.lower if (cell.lower or 0) > 0 else None)
        known = one.count(CellClass.BELOW) or limit is not None or at in beside
        unit = UNITS.get(named[at].unit or "")
        small = bool(known) or (unit is not None and unit.factor < _TRACE)
        trace = named[at].role == "element" and small and not minus
        some = one.low is not None and (
            one.low == 0
            or (one.low < 0 and (bool(grammars[at].sentinels) or set_one.zeros == "below"))
        )
        zeros = some and set_one.zeros != "keep" and (set_one.zeros == "below" or bool(trace))
        grammars[at] = replace(grammars[at], bare_limit=limit, zeros_below=zeros)


def codes(
    reading: Reading,
    raw: RawTable,
    decided: list[Decision],
    overrides: Mapping[int, Override],
) -> list[Decision]:
    """Call columns of few whole numbers what they are: codes of groups."""
    few = [
        one.place
        for one in decided
        if (one.kind, one.role, one.named.unit) == ("number", "number", None)
        and one.profile.distinct <= min(_CODES, one.profile.filled / 2)
        and one.profile.count(CellClass.PLAIN) == one.profile.filled
        and all(end is not None and end.is_integer() for end in (one.profile.low, one.profile.high))
        and not (one.place in overrides and overrides[one.place].role)
        and raw.headers[one.place].stated is None
    ]
    written = textures(reading, raw.relation, few, raw.layout.decimal or ".")
    whole = {at for at, seen in written.items() if not seen.points}
    return [replace(one, role="group") if one.place in whole else one for one in decided]

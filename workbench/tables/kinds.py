"""Whether a column is numbers, text, truths or nothing, from the counts of its cells.

Labels are text for ever: what the header calls one, and what is written as no measurement is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.formats.format import RawTable
from workbench.formats.reading import Reading
from workbench.tables.cells import BARE_CODES, CellClass, Grammar
from workbench.tables.headers import Named
from workbench.tables.overrides import Override
from workbench.tables.profile import Texture, textures
from workbench.tables.profile_record import Profile
from workbench.tables.table import MEASURED

# Share of the filled cells without a known code that must be numbers.
_NUMBERS = 0.9
# A header that names an element or a depth needs less proof.
NUMBERS_NAMED = 0.5
_PLACES = frozenset(
    {"from", "to", "depth", "easting", "northing", "longitude", "latitude", "elevation"}
)


def is_numeric(one: Profile, share: float) -> bool:
    """Tell whether enough of the filled cells are numbers; known codes do not count against it."""
    open_cells = one.filled - one.count(CellClass.CODED, CellClass.BARE)
    return one.numbers > 0 and one.numbers >= share * open_cells


def holds_gaps(one: Profile) -> bool:
    """Tell whether the column is filled with codes alone, such as ``#REF!``, ``LNR`` or ``<LOD``.

    The first and the last text in order are all there are where no third one differs.
    """
    # A cross alone may be the mark of what was seen, not of what was not found.
    known = {*Grammar().codes_by_text(), *BARE_CODES} - {"X"}
    ends = {(one.first or "").upper(), (one.last or "").upper()}
    return one.filled > 0 and one.distinct <= len(ends) and ends <= known


def is_label(named: Named) -> bool:
    """Tell whether the header calls the column a label of samples or holes."""
    return named.role in {"id", "hole"}


def may_be_dates(one: Profile) -> bool:
    """Tell whether the first and the last text in order start as dates do."""
    return all(word is not None and word[:1].isdigit() for word in (one.first, one.last))


def kinds_of(
    reading: Reading,
    raw: RawTable,
    named: Sequence[Named],
    profiles: Sequence[Profile],
    overrides: Mapping[int, Override],
) -> list[str]:
    """Decide between number, text, boolean and empty; dates are found among the texts."""
    kinds = []
    for at, (name, one) in enumerate(zip(named, profiles, strict=True)):
        share = NUMBERS_NAMED if name.role in MEASURED | _PLACES or name.unit else _NUMBERS
        measured = is_numeric(one, share) or (holds_gaps(one) and name.role in MEASURED)
        kind = "number" if measured and not is_label(name) else "text"
        if at in overrides and overrides[at].kind:
            kind = overrides[at].kind or kind
        elif at in overrides and overrides[at].role in {"id", "hole", "text", "group"}:
            kind = "text"
        kinds.append("empty" if not one.filled else kind)
    plain = [
        at
        for at, kind in enumerate(kinds)
        if kind == "number" and not named[at].role and _is_whole(profiles[at])
    ]
    written = textures(reading, raw.relation, plain, raw.layout.decimal or ".")
    for at in plain:
        if _looks_like_a_label(written[at]) and not (at in overrides and overrides[at].kind):
            kinds[at] = "text"
    texts = [at for at, kind in enumerate(kinds) if kind == "text" and _may_be_truths(profiles[at])]
    for at, seen in textures(reading, raw.relation, texts, raw.layout.decimal or ".").items():
        if seen.truths == profiles[at].filled:
            kinds[at] = "boolean"
    return kinds


def _may_be_truths(one: Profile) -> bool:
    words = {(one.first or "").casefold(), (one.last or "").casefold()}
    return words <= {"true", "false"}


def _is_whole(one: Profile) -> bool:
    """Tell whether the smallest and the largest number are whole, as those of a label are."""
    return all(value is None or value.is_integer() for value in (one.low, one.high))


def _looks_like_a_label(written: Texture) -> bool:
    """Tell whether numbers are written as no measurement is: 00123, 12E5."""
    return not written.points and bool(written.zeros or written.exponents)

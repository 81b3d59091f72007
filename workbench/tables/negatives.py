"""Negative results that mean "below detection": how data bases without a sign column keep them.

A concentration cannot be negative. A few repeated negative numbers are limits with a minus in
front; many different ones are noise around zero, which is kept as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.formats.reading import Reading
from workbench.tables.cells import CellClass, Grammar
from workbench.tables.profile import layered
from workbench.tables.profile_record import Profile
from workbench.tables.weighted import Cells, raw_groups

# So few different limits occur in one column …
_LIMITS = 5
# … or so small a share of the negatives is different.
_SHARE = 0.1


def suspects_of(
    columns: Mapping[int, Grammar], roles: Sequence[str | None], profiles: Sequence[Profile]
) -> dict[int, Grammar]:
    """Return the columns of elements and oxides that have negatives."""
    return {
        at: grammar
        for at, grammar in columns.items()
        if roles[at] in {"element", "oxide"} and (profiles[at].low or 0) < 0
    }


def means_below(reading: Reading, relation: str, columns: Mapping[int, Grammar]) -> set[int]:
    """Return the columns whose negative numbers are limits.

    Parameters
    ----------
    reading, relation
        The raw table.
    columns : mapping of int to Grammar
        Columns of elements and oxides that have negatives, and how their cells are read.
    """
    found: set[int] = set()
    lone: set[int] = set()
    cell = Cells(reading, relation)
    for group in raw_groups(reading, relation, list(columns)):
        part = reading.part(relation, group)
        source = layered(part, {at: columns[at] for at in group}, cell.extra)
        tests = {at: f"k{at} = {CellClass.PLAIN:d} AND v{at} < 0" for at in group}
        parts = ", ".join(
            f"{cell.where(test)}, count(DISTINCT v{at}) FILTER ({test}), "
            f"min(v{at}) FILTER ({test}), "
            f"min(v{at}) FILTER (k{at} = {CellClass.PLAIN:d} AND v{at} > 0)"
            for at, test in tests.items()
        )
        row = reading.one(f"SELECT {parts} FROM {source}")  # noqa: S608 - our own names
        for place, at in enumerate(group):
            times, different, lowest, smallest = row[4 * place : 4 * place + 4]
            alone = times == 1 and smallest is not None and -lowest > smallest
            if 0 < different <= max(_LIMITS, _SHARE * times):
                (lone if alone else found).add(at)
    # One negative above the smallest result is an error of someone's, unless the table writes the
    # limits of other columns so.
    return found | lone if found else found

"""What a person should know about the columns of a table before using them.

Each remark names the columns it is about in one sentence; nothing is changed by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.formats.reading import Reading
from workbench.tables.grounds import ground_remarks
from workbench.tables.grounds import listed as _listed
from workbench.tables.place import place_remarks
from workbench.tables.spread import Spread
from workbench.tables.table import Column
from workbench.tables.typed import Typed
from workbench.tables.written import Written

# Half the limit put in without a mark: the lowest value in more than this share of the rows.
_HIDDEN_SHARE = 0.05
_HIDDEN_ROWS = 20
_HIDDEN_TIMES = 5
# A spike among the low values: so many times as frequent as any other value.
_SPIKE = 3.0


def remarks(
    reading: Reading,
    written: Written,
    columns: Sequence[Column],
    typed: Sequence[Typed],
    spreads: Mapping[str, Spread],
) -> list[str]:
    """Return the remarks on a table.

    Parameters
    ----------
    reading, written
        The loading connection and the snapshot.
    columns, typed : sequences
        The columns, and how they were decided about.
    spreads : mapping
        How the numbers of each column lie.
    """
    found = [f"{one.name}: {one.decision.note}" for one in typed if one.decision.note]
    how = {one.name: one for one in typed}
    measured = [one for one in columns if one.measured and one.name in spreads and one.count]
    # What changed how numbers are read comes first: a short description keeps the first remarks.
    found += _negatives(spreads, measured)
    found += _minus(columns, typed)
    found += ground_remarks(columns, typed)
    found += place_remarks(reading, written, columns, typed)
    found += _hidden(spreads, measured)
    found += _spikes(spreads, measured)
    found += _listed(
        (
            f"{one.name} ({one.bare})"
            for one in columns
            if one.bare and not how[one.name].decision.grammar.zeros_below
        ),
        "below detection without a stated limit (no value is made up for these)",
    )
    found += _listed((one.name for one in columns if one.kind == "empty"), "hold no value at all")
    found += _listed(
        (f"{one.name} ({one.rejected})" for one in columns if one.rejected),
        "hold texts that are no numbers; they are listed by line and left out",
    )
    gaps = (
        f"{one.name} ({reason.removeprefix('sentinel ')} × {times})"
        for one in columns
        for reason, times in one.missing.items()
        if reason.startswith("sentinel ") and one.kind != "empty"
    )
    return found + _listed(gaps, "hold numbers that stand for a gap; they count as missing")


def _hidden(spreads: Mapping[str, Spread], columns: Sequence[Column]) -> list[str]:
    """Spot limits that were replaced by a number without a mark."""
    return _listed(
        (
            f"{one.name} ({one.min:g} in {100 * n / one.count:.0f} % of rows)"
            for one in columns
            if not one.below
            and one.min
            and one.count >= _HIDDEN_ROWS
            and one.min != one.max
            and one.role != "ratio"
            and (n := spreads[one.name].lowest) > _HIDDEN_SHARE * one.count
            and n >= _HIDDEN_TIMES
        ),
        "the lowest value is repeated as if it had been put in for below detection",
    )


def _spikes(spreads: Mapping[str, Spread], columns: Sequence[Column]) -> list[str]:
    """Spot one value far more frequent than any other in the low half: a limit put in unmarked."""
    return _listed(
        (
            f"{one.name} ({found.common:g} in {100 * found.often / one.count:.0f} % of rows)"
            for one in columns
            if not one.below
            and one.count >= _HIDDEN_ROWS
            and one.role in {"element", "oxide"}
            and one.min != one.max
            and _is_spike(found := spreads[one.name])
        ),
        "one low value is repeated far more than any other, as if it had been put in for below "
        "detection (set COLUMN.missing, or give the limit to the question)",
    )


def _is_spike(found: Spread) -> bool:
    """Tell whether the most frequent number stands out among the low ones."""
    assert found.common is not None
    assert found.median is not None
    low = 0 < found.common <= found.median and found.common != found.low
    least = max(_HIDDEN_TIMES, _SPIKE * found.next_often)
    return low and found.often > _HIDDEN_SHARE * found.count and found.often >= least


def _negatives(spreads: Mapping[str, Spread], columns: Sequence[Column]) -> list[str]:
    """Propose repeated small negatives as below detection; ratios may be negative."""
    return _listed(
        (
            f"{one.name} ({spreads[one.name].negative})"
            for one in columns
            if one.role in {"element", "oxide"} and spreads[one.name].negative
        ),
        "negative results, kept as they are; they may mean below detection "
        "(set COLUMN.negatives=below)",
    )


def _minus(columns: Sequence[Column], typed: Sequence[Typed]) -> list[str]:
    """Say in which columns a negative number was read as a limit."""
    return _listed(
        (
            f"{one.name} ({one.below})"
            for one, how in zip(columns, typed, strict=True)
            if how.decision.grammar.negatives_below and one.below
        ),
        "repeated negative results are read as below their amount "
        "(set COLUMN.negatives=keep to keep the numbers)",
    )

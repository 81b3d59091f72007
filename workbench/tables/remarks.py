"""What a person should know about the columns of a table before using them.

Each remark names the columns it is about in one sentence; nothing is changed by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.formats.quoting import quote
from workbench.formats.reading import Reading
from workbench.tables.cells import CellClass
from workbench.tables.decide import Decision
from workbench.tables.grounds import ground_remarks
from workbench.tables.grounds import listed as _listed
from workbench.tables.place import place_remarks
from workbench.tables.profile import layered
from workbench.tables.table import Column
from workbench.tables.typed import Typed
from workbench.tables.weighted import groups
from workbench.tables.written import Written

# Half the limit put in without a mark: the lowest value in more than this share of the rows.
_HIDDEN_SHARE = 0.05
_HIDDEN_ROWS = 20
_HIDDEN_TIMES = 5
# A spike among the low values: so many times as frequent as any other value.
_SPIKE = 3.0
_TOPS = 4


def remarks(
    reading: Reading, written: Written, columns: Sequence[Column], typed: Sequence[Typed]
) -> list[str]:
    """Return the remarks on a table.

    Parameters
    ----------
    reading, written
        The loading connection and the snapshot.
    columns, typed : sequences
        The columns, and how they were decided about.
    """
    found = [f"{one.name}: {one.decision.note}" for one in typed if one.decision.note]
    how = {one.name: one for one in typed}
    measured = [one for one in columns if one.measured and one.min is not None]
    # What changed how numbers are read comes first: a short description keeps the first remarks.
    found += _negatives(reading, written, how, measured)
    found += _minus(columns, typed)
    found += ground_remarks(columns, typed)
    found += place_remarks(reading, written, columns, typed)
    found += _hidden(reading, written, how, measured)
    found += _spikes(reading, written, how, measured)
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


def _hidden(
    reading: Reading, written: Written, how: Mapping[str, Typed], columns: Sequence[Column]
) -> list[str]:
    """Spot limits that were replaced by a number without a mark."""
    open_ones = [
        one
        for one in columns
        if not one.below
        and one.min
        and one.count >= _HIDDEN_ROWS
        and one.min != one.max
        and one.role != "ratio"
    ]
    times = _counts(reading, written, how, [(one, f"= {one.min!r}::DOUBLE") for one in open_ones])
    return _listed(
        (
            f"{one.name} ({one.min:g} in {100 * n / one.count:.0f} % of rows)"
            for one, n in zip(open_ones, times, strict=True)
            if n > _HIDDEN_SHARE * one.count and n >= _HIDDEN_TIMES
        ),
        "the lowest value is repeated as if it had been put in for below detection",
    )


def _spikes(
    reading: Reading, written: Written, how: Mapping[str, Typed], columns: Sequence[Column]
) -> list[str]:
    """Spot one value far more frequent than any other in the low half: a limit put in unmarked."""
    open_ones = [
        one
        for one in columns
        if not one.below
        and one.count >= _HIDDEN_ROWS
        and one.role in {"element", "oxide"}
        and one.min != one.max
    ]
    found = []
    for group in groups(range(len(open_ones))):
        wanted = [open_ones[at] for at in group]
        tops = _tops(reading, written, [how[one.name] for one in wanted])
        tests = [
            (one, f"= {value!r}::DOUBLE")
            for one, values in zip(wanted, tops, strict=True)
            for value in values or ()
            if value is not None
        ]
        counted: dict[str, dict[float, int]] = {}
        for (one, test), n in zip(tests, _counts(reading, written, how, tests), strict=True):
            value = float(test.split("::")[0].removeprefix("= "))
            counted.setdefault(one.name, {})[value] = n
        found += [
            f"{one.name} ({spike:g} in {100 * times / one.count:.0f} % of rows)"
            for one in wanted
            for spike, times in _spike(one, counted.get(one.name, {}))
        ]
    return _listed(
        found,
        "one low value is repeated far more than any other, as if it had been put in for below "
        "detection (set COLUMN.missing, or give the limit to the question)",
    )


def _tops(
    reading: Reading, written: Written, columns: Sequence[Typed]
) -> Sequence[Sequence[float | None] | None]:
    """Return the most frequent numbers of some columns: all of them, and maybe others."""
    if written.coded:
        return [_top_texts(reading, written.coded, one.decision) for one in columns]
    parts = ", ".join(f"approx_top_k({quote(one.name)}, {_TOPS})" for one in columns)
    source = written.source(reading, columns)
    return reading.one(f"SELECT {parts} FROM {source}")  # noqa: S608 - quoted


def _top_texts(reading: Reading, relation: str, one: Decision) -> list[float]:
    """Return the most frequent numbers of a text kept as codes."""
    source = layered(reading.part(relation, [one.place]), {one.place: one.grammar}, "n")
    rows = reading.con.execute(
        f"SELECT v{one.place} AS v FROM {source} WHERE k{one.place} = {CellClass.PLAIN:d} "  # noqa: S608
        f"GROUP BY v ORDER BY sum(n) DESC, v LIMIT {_TOPS}"
    ).fetchall()
    return [float(row[0]) for row in rows]


def _spike(one: Column, counts: Mapping[float, int]) -> list[tuple[float, int]]:
    """Return the value of a column that stands out among the low ones, and its times."""
    if not counts or not isinstance(one.median, int | float):
        return []
    value, times = max(counts.items(), key=lambda item: item[1])
    others = max((n for other, n in counts.items() if other != value), default=0)
    low = 0 < value <= one.median and value != one.min
    often = times > _HIDDEN_SHARE * one.count and times >= max(_HIDDEN_TIMES, _SPIKE * others)
    return [(value, times)] if low and often else []


def _negatives(
    reading: Reading, written: Written, how: Mapping[str, Typed], columns: Sequence[Column]
) -> list[str]:
    """Propose repeated small negatives as below detection; ratios may be negative."""
    some = [
        one
        for one in columns
        if one.role in {"element", "oxide"} and isinstance(one.min, float) and one.min < 0
    ]
    times = _counts(reading, written, how, [(one, "< 0") for one in some])
    return _listed(
        (f"{one.name} ({n})" for one, n in zip(some, times, strict=True)),
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


def _counts(
    reading: Reading,
    written: Written,
    how: Mapping[str, Typed],
    tests: Sequence[tuple[Column, str]],
) -> list[int]:
    """Count the values of some columns that pass a test each."""
    found: list[int] = []
    for group in groups(range(len(tests))):
        wanted = [tests[at] for at in group]
        parts = ", ".join(f"count(*) FILTER ({quote(one.name)} {test})" for one, test in wanted)
        source = written.source(reading, [how[one.name] for one, _ in wanted])
        found += reading.one(f"SELECT {parts} FROM {source}")  # noqa: S608 - quoted
    return found

"""What the cells of whole columns look like, before it is decided what they are.

Columns are looked at in groups, so that a table of thousands of columns does not become one
statement of a million words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite

from workbench.formats.reading import Reading
from workbench.tables.cells import CellClass, Grammar, finite, starts_as_censored
from workbench.tables.profile_record import Profile
from workbench.tables.weighted import Cells, raw_groups
from workbench.tables.wide import profile_plain, profile_texts

# Without a FILTER it grows with the columns alone.
_CAST = 50


@dataclass(frozen=True)
class Texture:
    """How the cells of one column are written.

    Attributes
    ----------
    zeros : int
        Whole numbers with a zero in front.
    exponents : int
        Whole numbers with an exponent, such as 12E5.
    points : int
        Numbers with a decimal sign.
    fine : int
        Numbers with five or more decimals.
    truths : int
        ``true`` or ``false``.
    """

    zeros: int
    exponents: int
    points: int
    fine: int
    truths: int


def layered(
    relation: str, grammars: Mapping[int, Grammar], extra: str = "", *, classes: bool = True
) -> str:
    """Return SQL for a relation with, for each column, ``t0`` (text), ``v0``, ``l0`` and ``k0``.

    Parameters
    ----------
    relation : str
        Raw table with columns ``c0`` …
    grammars : mapping of int to Grammar
        Columns wanted. ``v`` is the number, ``l`` the limit, ``k`` the class of the cell.
    extra : str, optional
        Raw columns to hand through.
    classes : bool
        False to leave ``l`` and ``k`` out.
    """

    def layer(source: str, parts: Iterable[str]) -> str:
        chosen = ", ".join([extra] * bool(extra) + list(parts))
        return f"(SELECT {chosen} FROM {source})"  # noqa: S608 - our own names

    every = grammars.items()
    inner = layer(relation, (f"c{at} AS t{at}" for at in grammars))
    inner = layer(inner, (f"t{at}, {one.number(f't{at}')} AS x{at}" for at, one in every))
    inner = layer(inner, (f"t{at}, {finite(f'x{at}')} AS v{at}" for at in grammars))
    if not classes:
        return inner
    inner = layer(inner, (f"t{at}, v{at}, {one.limit(f't{at}')} AS l{at}" for at, one in every))
    return layer(
        inner,
        (
            f"t{at}, v{at}, l{at}, {one.cell_class(f't{at}', f'v{at}', f'l{at}')} AS k{at}"
            for at, one in every
        ),
    )


def profile(reading: Reading, relation: str, width: int, grammar: Grammar) -> list[Profile]:
    """Count the cells of every column of a raw table.

    Columns of nothing but numbers are settled by the engine's own cast, many at a time; texts
    without a number among them by a quick look; the others are classed cell by cell.
    """
    found: dict[int, Profile] = {}
    mixed: dict[int, Profile] = {}
    for group in raw_groups(reading, relation, range(width), _CAST):
        reading.told("profile", 0.5 * group[0] / width)
        settled = _settled(reading, relation, group, grammar)
        left = [at for at in group if at not in settled]
        found |= settled
        if left and grammar.decimal == ".":
            told = _cast(reading, relation, left)
            found |= {at: one for at, one in told.items() if one.classes}
            mixed |= {at: one for at, one in told.items() if not one.classes}
    left = [at for at in range(width) if at not in found and at not in mixed]
    for group in raw_groups(reading, relation, left):
        reading.told("profile", 0.5 + 0.5 * group[0] / width)
        found |= reprofile(reading, relation, dict.fromkeys(group, grammar))
    for group in raw_groups(reading, relation, list(mixed)):
        grammars = dict.fromkeys(group, grammar)
        found |= _classed(reading, relation, {at: mixed[at] for at in group}, grammars)
    return [found[at] for at in range(width)]


def reprofile(
    reading: Reading, relation: str, grammars: Mapping[int, Grammar]
) -> dict[int, Profile]:
    """Count the cells of some columns, each read in its own way."""
    found: dict[int, Profile] = {}
    for group in raw_groups(reading, relation, list(grammars), max(len(grammars), 1)):
        found |= _reprofiled(reading, relation, {at: grammars[at] for at in group})
    return found


def _reprofiled(
    reading: Reading, relation: str, grammars: Mapping[int, Grammar]
) -> dict[int, Profile]:
    found = _quick(reading, relation, grammars)
    mixed = {at: one for at, one in found.items() if one.classes == ()}
    return found | (_classed(reading, relation, mixed, grammars) if mixed else {})


def _cast(reading: Reading, relation: str, group: Sequence[int]) -> dict[int, Profile]:
    """Profile columns by the engine's own cast to numbers.

    Returns
    -------
    dict of int to Profile
        Columns of nothing but plain numbers, and of words, settled; and columns that hold numbers
        and other things, without their classes. All others are left out.
    """
    cell = Cells(reading, relation)
    parts = ", ".join(
        f"{cell.filled(f'c{at}')}, approx_count_distinct(c{at}), min(c{at}), max(c{at}), "
        f"{cell.filled(f'x{at}')}, min(x{at}), max(x{at}), "
        f"coalesce(bool_or(contains(c{at}, '_')), false)"
        for at in group
    )
    # Letters sort behind the colon: comparing is cheaper than a cast that fails.
    cells = ", ".join(
        f"c{at}, CASE WHEN c{at} < ':' THEN TRY_CAST(c{at} AS DOUBLE) END AS x{at}" for at in group
    )
    cells = ", ".join(filter(None, [cell.extra, cells]))
    part = reading.part(relation, group)
    row = reading.one(f"SELECT {cell.every}, {parts} FROM (SELECT {cells} FROM {part})")  # noqa: S608
    found = {}
    for place, at in enumerate(group):
        filled, distinct, first, last, numbers, low, high, joined = row[
            1 + place * 8 : 9 + place * 8
        ]
        blank = {CellClass.BLANK: row[0] - filled}
        if filled and not numbers and "?" <= first <= last < "≤":
            # Behind all digits and signs, so neither a number nor a limit.
            classes = _classes(blank | {CellClass.REJECTED: filled})
            found[at] = Profile(classes, distinct, first, last, None, None)
        if not numbers:
            continue
        # The cast takes words for infinity, digits joined by underscores, a sign after a plus.
        plain = numbers == filled and not joined and first > "+:" and isfinite(low + high)
        classes = _classes(blank | {CellClass.PLAIN: filled}) if plain else ()
        found[at] = Profile(classes, distinct, first, last, low, high, cast=plain)
    return found


def _classes(counts: Mapping[CellClass, int]) -> tuple[int, ...]:
    return tuple(counts.get(one, 0) for one in CellClass)


def _settled(
    reading: Reading, relation: str, group: Sequence[int], grammar: Grammar
) -> dict[int, Profile]:
    """Profile the plain columns of a table that is held outside the engine, or kept as codes."""
    coded = reading.coded(relation)
    if coded is not None:
        found = {at: profile_texts(coded.texts(at).read_all(), grammar) for at in group}
    elif reading.is_wide(relation):
        found = {at: profile_plain(reading.column(relation, at), grammar) for at in group}
    else:
        return {}
    return {at: one for at, one in found.items() if one is not None}


def _quick(reading: Reading, relation: str, group: Mapping[int, Grammar]) -> dict[int, Profile]:
    """Profile columns by what is cheap; the classes of a mixed column stay empty."""
    cell = Cells(reading, relation)
    parts = ", ".join(
        f"{cell.filled(f't{at}')}, {cell.filled(f'v{at}')}, "
        f"{cell.where(starts_as_censored(f't{at}'))}, "
        f"approx_count_distinct(t{at}), min(t{at}), max(t{at}), min(v{at}), max(v{at})"
        for at in group
    )
    part = reading.part(relation, group)
    source = layered(part, group, cell.extra, classes=False)
    row = reading.one(f"SELECT {cell.every}, {parts} FROM {source}")  # noqa: S608
    found = {}
    for place, at in enumerate(group):
        filled, numbers, censored, *rest = row[1 + place * 8 : 9 + place * 8]
        counts = {CellClass.BLANK: row[0] - filled}
        if numbers == filled and not group[at].marks_below:
            counts[CellClass.PLAIN] = numbers
        elif not numbers and not censored:
            counts[CellClass.REJECTED] = filled
        else:
            counts = {}
        found[at] = Profile(_classes(counts) if counts else (), *rest)
    return found


def _classed(
    reading: Reading,
    relation: str,
    quick: Mapping[int, Profile],
    grammars: Mapping[int, Grammar],
) -> dict[int, Profile]:
    """Count the cells of mixed columns by class; words are looked at only where there are any."""
    plain = {at: replace(grammars[at], words=False) for at in quick}
    found = _counted(reading, relation, quick, plain)
    wordy = {at: one for at, one in found.items() if one.count(CellClass.REJECTED)}
    return found | (_counted(reading, relation, wordy, grammars) if wordy else {})


def _counted(
    reading: Reading,
    relation: str,
    quick: Mapping[int, Profile],
    grammars: Mapping[int, Grammar],
) -> dict[int, Profile]:
    cell = Cells(reading, relation)
    parts = ", ".join(
        f"{', '.join(cell.where(f'k{at} = {one:d}') for one in CellClass)}, min(v{at}), max(v{at})"
        for at in quick
    )
    source = layered(reading.part(relation, quick), {at: grammars[at] for at in quick}, cell.extra)
    row = reading.one(f"SELECT {parts} FROM {source}")  # noqa: S608
    size = len(CellClass) + 2
    found = {}
    for place, (at, one) in enumerate(quick.items()):
        *classes, low, high = row[place * size : (place + 1) * size]
        found[at] = replace(one, classes=tuple(classes), low=low, high=high)
    return found


def textures(
    reading: Reading, relation: str, places: Sequence[int], decimal: str
) -> dict[int, Texture]:
    """Look closer at how the cells of some columns are written."""
    sign = "\\." if decimal == "." else ","
    tests = (
        r"regexp_full_match({t}, '0\d+')",
        r"regexp_full_match({t}, '\d+[eE]\d+')",
        f"regexp_matches({{t}}, '\\d{sign}\\d|^[+-]?{sign}\\d')",
        f"regexp_matches({{t}}, '{sign}\\d{{{{5,}}}}')",
        "lower({t}) IN ('true', 'false')",
    )
    found: dict[int, Texture] = {}
    cell = Cells(reading, relation)
    for group in raw_groups(reading, relation, places):
        parts = ", ".join(cell.where(test.format(t=f"c{at}")) for at in group for test in tests)
        source = reading.part(relation, group)
        row = reading.one(f"SELECT {parts} FROM {source}")  # noqa: S608
        for number, at in enumerate(group):
            found[at] = Texture(*row[number * len(tests) : (number + 1) * len(tests)])
    return found

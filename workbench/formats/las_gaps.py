"""Which numbers stand for a gap in the columns of a LAS log, and how its index runs.

The number that the header names does so everywhere but in the index; others only where they lie far
outside all other values. In a column of text the number is taken out, so that it is no text.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from workbench.formats.quoting import text
from workbench.formats.reading import Reading

# Written by loggers whatever their header says; the first ones hardly occur by chance.
_SURE = (-999.25, -9999.25, -9999.0, -99999.0, -999999.0)
_LOW = (-999.0, -32768.0, -32767.0, -1e30)
_HIGH = (9999.0, 9999.25, 99999.0, 999999.0, 32767.0, 2147483647.0, 1e30)
# A sure one must be this share of the range away from the other values, another a whole range;
# one at the top must be repeated and this many times the next value.
_APART, _FAR, _REPEATS = 0.05, 10.0, 2
# A column with a larger share of words than this is text.
_WORDS = 0.1
# Columns of one statement; a counter with FILTER takes memory by the square of their number
# (see workbench.tables.profile), one without does not.
_GROUP, _QUICK_GROUP = 6, 60
_CODES = r"[-–—.*]+|nan|\(?null\)?|n/?a|n\.a\.|#n/a"
# The header's range is told to be wrong from this share of a step on.
_STEP_SHARE = 0.01


@dataclass(frozen=True)
class _Seen:
    """The cells of one column, counted: numbers, words, words for a gap, known gaps by number."""

    numbers: int
    words: int
    codes: int
    low: float | None
    high: float | None
    counts: dict[float, int]


def find_gaps(
    into: Reading, relation: str, width: int, null: str, decimal: str, size: int
) -> tuple[str, list[tuple[str, ...]], list[int]]:
    """Find what stands for a gap in each column; none does in the first, the index.

    Parameters
    ----------
    into, relation
        The raw table.
    width : int
        Its columns.
    null : str
        What the header names; may be empty.
    decimal : str
        Decimal sign of the cells.
    size : int
        Bytes of the text.

    Returns
    -------
    tuple of str, list and list
        The raw table, in which columns of text are cleared of the number; gaps by column; columns
        of nothing but words for a gap, which are cleared.
    """
    named = as_number(null)
    found: list[tuple[str, ...]] = [()] * width
    bare: list[int] = []
    cleared: dict[int, str] = {}
    for at, seen in _seen(into, relation, width, named, decimal):
        chosen = _chosen(seen, named)
        if seen.codes and not (seen.numbers or seen.words or seen.counts):
            cleared[at] = "true"
            bare.append(at)
        elif seen.words and seen.words > _WORDS * (seen.numbers + seen.words):
            sure = [number for number in chosen if number < 0 or number == named]
            tests = [f"{_value(at, decimal)} = {number!r}::DOUBLE" for number in sure]
            tests += [f"lower(c{at}) = {text(null.lower())}"] * (bool(null) and named is None)
            if tests:
                cleared[at] = " OR ".join(tests)
        else:
            word = (null,) if null and named is None else ()
            found[at] = (*(f"{number!r}" for number in chosen), *word)
    return _cleared(into, relation, cleared, size), found, bare


def as_number(word: str) -> float | None:
    """Return the finite number a text spells, else None."""
    try:
        number = float(word.replace(",", "."))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _value(at: int, decimal: str) -> str:
    """Return SQL for the number in a cell."""
    cell = f"c{at}" if decimal == "." else f"replace(c{at}, ',', '.')"
    number = f"TRY_CAST({cell} AS DOUBLE)"
    return f"(CASE WHEN isfinite({number}) THEN {number} END)"


def _code(at: int) -> str:
    """Return SQL that tells whether a cell is a word for a gap."""
    return f"regexp_full_match(lower(c{at}), {text(_CODES)})"


def _seen(
    into: Reading, relation: str, width: int, named: float | None, decimal: str
) -> Iterator[tuple[int, _Seen]]:
    """Count the cells of every column but the first; only odd columns are looked at closely."""
    for start in range(1, width, _QUICK_GROUP):
        group = range(start, min(start + _QUICK_GROUP, width))
        odd: list[int] = []
        for at, seen, filled in _quick(into, relation, group, named, decimal):
            known = {seen.low, seen.high} & {*_SURE, *_LOW, *_HIGH}
            if known or filled > seen.numbers + sum(seen.counts.values()):
                odd.append(at)
            else:
                yield at, seen
        for first in range(0, len(odd), _GROUP):
            yield from _closely(into, relation, odd[first : first + _GROUP], named, decimal)


def _quick(
    into: Reading, relation: str, group: Sequence[int], named: float | None, decimal: str
) -> Iterator[tuple[int, _Seen, int]]:
    """Count numbers and the named gap, and find the range; the filled cells come last."""
    gap = "NULL" if named is None else f"{named!r}::DOUBLE"
    source = ", ".join(f"c{at}, {_value(at, decimal)} AS v{at}" for at in group)
    parts = ", ".join(
        f"count(c{at}), count(nullif(v{at}, {gap})), count(v{at}), "
        f"min(nullif(v{at}, {gap})), max(nullif(v{at}, {gap}))"
        for at in group
    )
    table = into.part(relation, group)
    row = into.one(f"SELECT {parts} FROM (SELECT {source} FROM {table})")  # noqa: S608 - our own
    for place, at in enumerate(group):
        filled, numbers, every, low, high = row[place * 5 : place * 5 + 5]
        met = {} if named is None or every == numbers else {named: every - numbers}
        yield at, _Seen(numbers, 0, 0, low, high, met), filled


def _closely(
    into: Reading, relation: str, group: Sequence[int], named: float | None, decimal: str
) -> Iterator[tuple[int, _Seen]]:
    """Count all numbers that may stand for a gap, words, and the range of all other numbers."""
    every = tuple(dict.fromkeys((*((named,) if named is not None else ()), *_SURE, *_LOW, *_HIGH)))
    listed = ", ".join(f"{number!r}::DOUBLE" for number in every)
    size = len(every) + 5
    source = ", ".join(f"c{at}, {_value(at, decimal)} AS v{at}" for at in group)
    parts = ", ".join(
        f"count(v{at}) FILTER (v{at} NOT IN ({listed})), "
        f"count(c{at}) FILTER (v{at} IS NULL AND NOT {_code(at)}), "
        f"count(c{at}) FILTER ({_code(at)}), "
        f"min(v{at}) FILTER (v{at} NOT IN ({listed})), "
        f"max(v{at}) FILTER (v{at} NOT IN ({listed})), "
        + ", ".join(f"count(*) FILTER (v{at} = {number!r}::DOUBLE)" for number in every)
        for at in group
    )
    table = into.part(relation, group)
    row = into.one(f"SELECT {parts} FROM (SELECT {source} FROM {table})")  # noqa: S608 - our own
    for place, at in enumerate(group):
        numbers, words, codes, low, high, *counts = row[place * size : (place + 1) * size]
        met = {number: n for number, n in zip(every, counts, strict=True) if n}
        yield at, _Seen(numbers, words, codes, low, high, met)


def _chosen(seen: _Seen, named: float | None) -> list[float]:
    """Choose the numbers that stand for a gap among those that occur."""
    span = (seen.high or 0.0) - (seen.low or 0.0)
    chosen = []
    for number, times in seen.counts.items():
        if number == named:
            chosen.append(number)
        elif number > 0:
            far = seen.high is None or 0 < seen.high * _FAR <= number
            if far and times > _REPEATS:
                chosen.append(number)
        else:
            away = math.inf if seen.low is None else seen.low - number
            sure = number in _SURE
            if away > (_APART if sure else 1.0) * span and (sure or times >= _REPEATS) and away > 0:
                chosen.append(number)
    return sorted(chosen)


def _cleared(into: Reading, relation: str, tests: Mapping[int, str], size: int) -> str:
    """Return the raw table without the cells that tests by column find."""
    if not tests:
        return relation
    if into.is_wide(relation):
        into.notes.append(f"{len(tests)} columns of text may hold the log's number for a gap")
        return relation
    changes = ", ".join(
        f"CASE WHEN {test} THEN NULL ELSE c{at} END AS c{at}" for at, test in tests.items()
    )
    # A large text is a view on its file: then this is a view on the view.
    return into.keep(f"SELECT * REPLACE ({changes}) FROM {relation}", size)  # noqa: S608


def index_notes(
    into: Reading, relation: str, name: str, said: Sequence[str], decimal: str
) -> list[str]:
    """Return what is odd about the index: its direction, repeats, and the header's range.

    Parameters
    ----------
    into, relation
        The raw table.
    name : str
        Mnemonic of the index.
    said : sequence of str
        Start, stop and step of the header; may be empty texts.
    """
    table = into.part(relation, (0,))
    row = into.one(
        f"SELECT count(v), first(v ORDER BY place), last(v ORDER BY place), "  # noqa: S608 - our own names
        "count(*) FILTER (d = 0), count(*) FILTER (d > 0), count(*) FILTER (d < 0) FROM "
        "(SELECT place, v, v - lag(v) OVER (ORDER BY place) AS d FROM "
        f"(SELECT row_number() OVER () AS place, {_value(0, decimal)} AS v FROM {table}))"
    )
    if row[0] < 2 or row[1] is None or row[2] is None:  # noqa: PLR2004 - no step
        return []
    count, first, last, same, up, down = row
    found = []
    if down > up:
        found.append(f"{name} runs upwards, from {first:.12g} to {last:.12g}")
    if same:
        found.append(f"{name} is repeated from one row to the next {same} times")
    if min(up, down):
        found.append(f"{name} turns round: {up} steps go down the hole and {down} up")
    return found + _against(name, first, last, (last - first) / (count - 1), said)


def _against(name: str, first: float, last: float, step: float, said: Sequence[str]) -> list[str]:
    """Compare the header's range with the data's."""
    start, stop, by = map(as_number, said)
    slack = abs(step) * _STEP_SHARE
    wrong = (start is not None and abs(start - first) > slack) or (
        stop is not None and abs(stop - last) > slack
    )
    if by:
        wrong = wrong or abs(by - step) > max(abs(by) * _STEP_SHARE, slack)
    if not wrong:
        return []
    along = f"from {first:.12g} to {last:.12g} by {step:.6g} on average"
    return [f"{name} runs {along}, not as the header says"]

"""Dates in columns of text: patterns that together spell every cell of the column, or none.

``03/04/2024`` is two days; a column of such texts is dates only if some cell settles the order.
A column that programs and people filled may hold several patterns, and a spreadsheet's day numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.formats.quoting import text
from workbench.formats.reading import Reading

_TIME = r"([ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?Z?)?"
_CLOCK = r"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?"
_MIDNIGHT = r"[ T]0?0:00(:00(\.0+)?)?Z?$"


@dataclass(frozen=True)
class Pattern:
    """One way to write a date.

    Attributes
    ----------
    name : str
        As it is told.
    regex : str
        A whole cell; a time of day may follow.
    format : str
        For the engine's strptime; the time of day is left out.
    day_first : bool or None
        For patterns that differ in the order of day and month alone.
    """

    name: str
    regex: str
    format: str
    day_first: bool | None = None


PATTERNS = (
    Pattern("year-month-day", r"\d{4}-\d{1,2}-\d{1,2}", "%Y-%m-%d"),
    Pattern("year/month/day", r"\d{4}/\d{1,2}/\d{1,2}", "%Y/%m/%d"),
    Pattern("day.month.year", r"\d{1,2}\.\d{1,2}\.\d{4}", "%d.%m.%Y"),
    Pattern("day-month name-year", r"\d{1,2}-[A-Za-z]{3}-\d{4}", "%d-%b-%Y"),
    Pattern("day-month name-year", r"\d{1,2}-[A-Za-z]{3}-\d{2}", "%d-%b-%y"),
    Pattern("day month name year", r"\d{1,2} [A-Za-z]{3} \d{4}", "%d %b %Y"),
    Pattern("day/month/year", r"\d{1,2}/\d{1,2}/\d{4}", "%d/%m/%Y", day_first=True),
    Pattern("month/day/year", r"\d{1,2}/\d{1,2}/\d{4}", "%m/%d/%Y", day_first=False),
    Pattern("day-month-year", r"\d{1,2}-\d{1,2}-\d{4}", "%d-%m-%Y", day_first=True),
    Pattern("month-day-year", r"\d{1,2}-\d{1,2}-\d{4}", "%m-%d-%Y", day_first=False),
)

_ISO = PATTERNS[0]
# Days since the end of 1899, as spreadsheets keep them: 1927 to 2064.
_SERIAL = Pattern("a spreadsheet's day number", r"[1-5]\d{4}", "")


@dataclass(frozen=True)
class Found:
    """The date patterns of a column; none if day and month cannot be told apart.

    `timed` is True if some cell has a time of day other than midnight.
    """

    patterns: tuple[Pattern, ...]
    timed: bool = False

    @property
    def told(self) -> str:
        """The patterns, where there are several."""
        names = dict.fromkeys(one.name for one in self.patterns)
        return f"dates are written in {len(names)} ways: {', '.join(names)}" if names else ""


def as_date(cell: str, pattern: Pattern) -> str:
    """Return SQL for the date a cell spells, NULL if it spells none."""
    if pattern is _SERIAL:
        whole = f"TRY_CAST({cell} AS INTEGER)"
        return f"CASE WHEN {cell} SIMILAR TO '{pattern.regex}' THEN DATE '1899-12-30' + {whole} END"
    day = f"regexp_extract({cell}, {text('^' + pattern.regex)})"
    return (
        f"CASE WHEN regexp_full_match({cell}, {text(pattern.regex + _TIME)}) "
        f"THEN CAST(try_strptime({day}, {text(pattern.format)}) AS DATE) END"
    )


def as_moment(cell: str, found: Found) -> str:
    """Return SQL for the date, or date and time, of a cell."""
    if not found.patterns:
        return cell
    if found.patterns == (_ISO,) and not found.timed:
        # Every cell was seen to be of the pattern, which is the engine's own.
        return f"CASE WHEN {cell} < ':' THEN TRY_CAST({cell} AS DATE) END"
    days = [as_date(cell, pattern) for pattern in found.patterns]
    day = days[0] if len(days) == 1 else f"coalesce({', '.join(days)})"
    if not found.timed:
        return day
    clock = f"TRY_CAST(regexp_extract({cell}, {text(_CLOCK)}) AS TIME)"
    return f"({day} + coalesce({clock}, TIME '00:00:00'))"


def dated(reading: Reading, relation: str, places: Mapping[int, bool]) -> dict[int, Found]:
    """Find the columns in which every filled cell is a date.

    Parameters
    ----------
    reading, relation
        Where the cells lie.
    places : mapping of int to bool
        Columns to look at, and whether the header says that they are dates: only then are bare
        numbers taken for a spreadsheet's days.
    """
    found: dict[int, Found] = {}
    for at, named in places.items():
        patterns = (*PATTERNS, _SERIAL) if named else PATTERNS
        orders = [[one for one in patterns if one.day_first is not left] for left in (False, True)]
        parts = [f"count({as_date('cell', one)})" for one in patterns]
        parts += [f"count(coalesce({', '.join(as_date('cell', p) for p in o)}))" for o in orders]
        # Days are few beside rows: each different text is looked at once.
        cells = f"SELECT DISTINCT c{at} AS cell FROM {reading.part(relation, [at])}"  # noqa: S608
        listed = ", ".join(["count(cell)", _timed("cell"), *parts])
        row = reading.one(f"SELECT {listed} FROM ({cells})")  # noqa: S608 - quoted patterns
        every, timed, *counts = row
        seen = [one for one, n in zip(patterns, counts[:-2], strict=True) if n]
        full = [order for order, n in zip(orders, counts[-2:], strict=True) if n == every > 0]
        kept = [tuple(one for one in seen if one in order) for order in full]
        if not kept or set(seen) == {_SERIAL}:
            continue
        settled = len(set(kept)) == 1
        found[at] = Found(kept[0] if settled else (), bool(timed))
    return found


def _timed(column: str) -> str:
    return (
        f"count(*) FILTER (regexp_matches({column}, '[ T]\\d{{1,2}}:\\d{{2}}') "
        f"AND NOT regexp_matches({column}, {text(_MIDNIGHT)}))"
    )

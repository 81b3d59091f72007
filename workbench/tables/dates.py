"""Dates in columns of text: one pattern for the whole column, or none.

``03/04/2024`` is two days; a column of such texts is dates only if some cell settles the order.
"""

from __future__ import annotations

from collections.abc import Sequence
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


@dataclass(frozen=True)
class Found:
    """The date pattern of a column; None if day and month cannot be told apart.

    `timed` is True if some cell has a time of day other than midnight.
    """

    pattern: Pattern | None
    timed: bool = False


def as_date(cell: str, pattern: Pattern) -> str:
    """Return SQL for the date a cell spells, NULL if it spells none."""
    day = f"regexp_extract({cell}, {text('^' + pattern.regex)})"
    return (
        f"CASE WHEN regexp_full_match({cell}, {text(pattern.regex + _TIME)}) "
        f"THEN CAST(try_strptime({day}, {text(pattern.format)}) AS DATE) END"
    )


def as_moment(cell: str, found: Found) -> str:
    """Return SQL for the date, or date and time, of a cell."""
    if found.pattern is None:
        return cell
    if found.pattern is _ISO and not found.timed:
        # Every cell was seen to be of the pattern, which is the engine's own.
        return f"CASE WHEN {cell} < ':' THEN TRY_CAST({cell} AS DATE) END"
    day = as_date(cell, found.pattern)
    if not found.timed:
        return day
    clock = f"TRY_CAST(regexp_extract({cell}, {text(_CLOCK)}) AS TIME)"
    return f"({day} + coalesce({clock}, TIME '00:00:00'))"


def dated(reading: Reading, relation: str, places: Sequence[int]) -> dict[int, Found]:
    """Find the columns in which every filled cell is a date of one pattern."""
    found: dict[int, Found] = {}
    for at in places:
        parts = ", ".join(f"count({as_date('cell', one)})" for one in PATTERNS)
        # Days are few beside rows: each different text is looked at once.
        cells = f"SELECT DISTINCT c{at} AS cell FROM {reading.part(relation, [at])}"  # noqa: S608
        row = reading.one(f"SELECT count(cell), {_timed('cell')}, {parts} FROM ({cells})")  # noqa: S608
        every, timed, *counts = row
        full = [one for one, n in zip(PATTERNS, counts, strict=True) if n == every > 0]
        if full:
            found[at] = Found(full[0] if len(full) == 1 else None, bool(timed))
    return found


def _timed(column: str) -> str:
    return (
        f"count(*) FILTER (regexp_matches({column}, '[ T]\\d{{1,2}}:\\d{{2}}') "
        f"AND NOT regexp_matches({column}, {text(_MIDNIGHT)}))"
    )

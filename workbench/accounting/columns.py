"""Which columns a tool works on: named ones are checked, the rest is found by role.

A text column in a numeric tool is refused with what to do; nothing is turned into numbers
silently.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.accounting.facts import name as shown
from workbench.errors import Refused, nearest

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table

# Roles that say which sample, where and how deep: every table of results keeps them.
IDENTITY = (
    "id",
    "hole",
    "from",
    "to",
    "depth",
    "easting",
    "northing",
    "longitude",
    "latitude",
    "elevation",
)
_LISTED = 12
# Rocks and the like before other groups, when a tool picks a column to compare with.
_ROCK = ("lith", "rock", "geol", "strat", "form", "unit")


def numeric(table: Table, names: Sequence[str] | None, least: int = 1) -> tuple[Column, ...]:
    """Return the named columns, or every measured one where none is named.

    Parameters
    ----------
    table : Table
        Where to look.
    names : sequence of str or None
        As asked; repeated names count once.
    least : int
        Columns needed.

    Raises
    ------
    Refused
        For unknown names, columns that are no numbers, or too few columns.
    """
    found = table.measured if names is None else tuple(table.column(word) for word in names)
    once = tuple({column.name: column for column in found}.values())
    for column in once:
        one_numeric(table, column)
    if len(once) < least:
        raise Refused(
            f"'{table.name}': at least {least} of its columns must be numbers; {len(once)} "
            f"{'named' if names else 'measured'}; number columns: {_number_names(table)}"
        )
    return once


def one_numeric(table: Table, column: Column) -> Column:
    """Return a column if it holds numbers.

    Raises
    ------
    Refused
        If it does not.
    """
    if column.kind == "number" and column.count + column.censored:
        return column
    what = "has no values" if column.kind in {"number", "empty"} else f"holds {column.kind}"
    raise Refused(
        f"column '{shown(column.name)}': it {what}, and numbers are needed; number columns: "
        f"{_number_names(table)}"
    )


def _number_names(table: Table) -> str:
    names = [shown(column.name) for column in table.columns if column.kind == "number"]
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return (", ".join(names[:_LISTED]) + more) or "none"


def grouping(table: Table, name: str) -> Column:
    """Return a column that splits samples into groups.

    Raises
    ------
    Refused
        If it is unknown, empty, an identifier, or a measured quantity.
    """
    column = table.column(name)
    if column.kind == "empty" or not column.count:
        raise Refused(f"column '{shown(column.name)}': it has no values to group by")
    if column.role == "id" or column.measured or column.role in IDENTITY[2:]:
        groups = [c.name for c in table.with_role("group", "hole")]
        hint = f"; group columns: {', '.join(groups[:_LISTED])}" if groups else ""
        raise Refused(f"column '{shown(column.name)}': its role is {column.role}, no group{hint}")
    return column


def one_zone(table: Table) -> None:
    """Refuse work on places whose rows are in several zones: no distance holds between them.

    Raises
    ------
    Refused
        Naming the column to filter by.
    """
    if table.zones:
        column, *zones = table.zones
        raise Refused(
            f"'{table.name}': its coordinates lie in several zones or grids "
            f"({', '.join(zones)[:160]}); keep the rows of one with filter_rows on {shown(column)}"
        )


def identity(table: Table, *more: str) -> tuple[str, ...]:
    """Return the names of the columns that say which sample and where, then `more`."""
    first = [column.name for column in table.with_role(*IDENTITY)]
    return tuple(dict.fromkeys([*first, *more]))


def rock(table: Table) -> Column | None:
    """Return the group column that most likely names rocks; None if there is none."""
    groups = [column for column in table.with_role("group") if column.kind == "text"]
    named = [c for c in groups if any(word in c.name.casefold() for word in _ROCK)]
    return next(iter([*named, *groups]), None)


def one_of(value: str, known: Sequence[str], what: str) -> str:
    """Return `value` if it is one of the known words; else refuse and name the nearest."""
    if value in known:
        return value
    raise Refused(f"{what} '{value[:40]}': give one of {', '.join(known)}{nearest(value, known)}")

"""Units, methods and limits that a workbook keeps in a sheet of their own.

Such a sheet lists analytes, one a row, with a unit or a limit; columns of the other sheets find
theirs by name, alone or behind the code of the method (``IC587_Ag``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.formats.format import HeaderCell, RawTable
from workbench.formats.heading_words import Says, amount, label, unit_of
from workbench.formats.reading import Reading
from workbench.workspace import shown

# No list of analytes is longer.
_MOST_ROWS = 2_000


@dataclass(frozen=True)
class _Entry:
    """One analyte of the list."""

    analyte: str
    method: str | None
    unit: str | None
    lower: float | None
    upper: float | None


def with_units(tables: Sequence[RawTable], into: Reading) -> list[RawTable]:
    """Give columns the units, methods and limits that another sheet lists for them."""
    found = list(tables)
    for source in tables:
        entries = _entries(source, into)
        if entries:
            found = [
                table if table.relation == source.relation else _told(table, source, entries)
                for table in found
            ]
    return found


def _entries(table: RawTable, into: Reading) -> list[_Entry]:
    """Read a list of analytes; empty if the table is none."""
    said: dict[Says, int] = {}
    for place, cell in enumerate(table.headers):
        kind = label(cell.name)
        if kind is not None:
            said.setdefault(kind, place)
    listed = Says.NAME in said and said.keys() & {Says.UNIT, Says.LOWER}
    if not listed or table.rows > _MOST_ROWS:
        return []
    kinds = (Says.NAME, Says.METHOD, Says.UNIT, Says.LOWER, Says.UPPER)
    columns = ", ".join(f"c{said[kind]}" if kind in said else "NULL" for kind in kinds)
    part = into.part(table.relation, said.values())
    rows = into.con.execute(f"SELECT {columns} FROM {part}").fetchall()  # noqa: S608 - our own names
    return [
        _Entry(name, method, unit_of(unit or ""), amount(lower or ""), amount(upper or ""))
        for name, method, unit, lower, upper in rows
        if name
    ]


def _told(table: RawTable, source: RawTable, entries: Sequence[_Entry]) -> RawTable:
    """Fill in what the list says of the columns of one table."""
    times = Counter(_key(entry.analyte) for entry in entries)
    known = {_key(entry.analyte): entry for entry in entries if times[_key(entry.analyte)] == 1}
    known |= {_key(f"{entry.method}{entry.analyte}"): entry for entry in entries if entry.method}
    headers = tuple(_filled(cell, known.get(_key(cell.name))) for cell in table.headers)
    changed = sum(one != other for one, other in zip(headers, table.headers, strict=True))
    if not changed:
        return table
    note = f"units, methods or limits of {changed} columns are from sheet '{shown(source.sheet or '')}'"  # noqa: E501
    return replace(table, headers=headers, notes=(*table.notes, note))


def _filled(cell: HeaderCell, entry: _Entry | None) -> HeaderCell:
    """Fill in what the table itself does not say."""
    if entry is None or cell.stated is not None:
        return cell
    return replace(
        cell,
        unit=cell.unit or entry.unit,
        method=cell.method or entry.method,
        lower=cell.lower if cell.lower is not None else entry.lower,
        upper=cell.upper if cell.upper is not None else entry.upper,
    )


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", name.casefold())

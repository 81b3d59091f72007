"""Rows of a table as a person wants them: sorted, filtered, page by page, as the file has them.

A choice is worked out once, as the numbers of its rows; pages are then read out of the snapshot.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from workbench.formats.quoting import quote, text
from workbench.tables.cells import ABOVE, BARE, BELOW
from workbench.tables.choice import Choice, key_sql, where
from workbench.tables.table import FLAG, LIMIT, Column, Table

if TYPE_CHECKING:
    from workbench.tables.connection import Connection

# Decoded groups of rows that are held while a person scrolls.
_HELD_BYTES = 200_000_000
BINS = 24
_DECADES = 100
_TOP = 5
_CHOSEN = "chosen_rows"


class RowSet:
    """The rows of one table.

    Parameters
    ----------
    connection : Connection
        The locked connection of the child.
    table : Table
        The table.
    """

    def __init__(self, connection: Connection, table: Table) -> None:
        self.table = table
        self._connection = connection
        self._view = connection.view(table)
        self._file = pq.ParquetFile(table.path)
        facts = self._file.metadata
        sizes = [facts.row_group(n).num_rows for n in range(facts.num_row_groups)]
        self._starts = [sum(sizes[:n]) for n in range(len(sizes))]
        self._stored = frozenset(self._file.schema_arrow.names)
        self._held: OrderedDict[int, pa.Table] = OrderedDict()
        self._choice = Choice()
        self._count = table.rows

    def choose(self, choice: Choice) -> int:
        """Take rows in an order; return how many there are.

        Raises
        ------
        Refused
            If a column or a value is not what the condition needs.
        """
        if choice == self._choice:
            return self._count
        self._connection.rows(f"DROP TABLE IF EXISTS {_CHOSEN}")
        count = self.table.rows
        if not choice.all:
            params: list[object] = []
            self._connection.rows(self._chosen_sql(choice, params), params)
            ((count,),) = self._connection.rows(f"SELECT count(*) FROM {_CHOSEN}")  # noqa: S608
        self._choice, self._count = choice, int(count)
        return self._count

    def _chosen_sql(self, choice: Choice, params: list[object]) -> str:
        """Return SQL that numbers the rows of a choice, and collect its values."""

        def bind(value: object) -> str:
            params.append(value)
            return "?"

        met, key = where(self.table, choice, bind), key_sql(self.table, choice)
        numbered = f"SELECT *, row_number() OVER () - 1 AS row_n FROM {quote(self._view)}"  # noqa: S608
        chosen = f"SELECT row_n AS n FROM ({numbered}){met} ORDER BY {key}row_n"  # noqa: S608
        return f"CREATE TEMP TABLE {_CHOSEN} AS {chosen}"

    def page(self, offset: int, limit: int) -> tuple[list[int], pa.Table]:
        """Return row numbers of the file, from 0, and the stored rows of a stretch."""
        if self._choice.all:
            numbers = list(range(min(offset, self._count), min(offset + limit, self._count)))
        else:
            rows = self._connection.rows(
                f"SELECT n FROM {_CHOSEN} LIMIT ? OFFSET ?",  # noqa: S608
                (limit, offset),
            )
            numbers = [int(row[0]) for row in rows]
        return numbers, self._take(numbers)

    def _take(self, numbers: Sequence[int]) -> pa.Table:
        groups: dict[int, list[int]] = {}
        for place, number in enumerate(numbers):
            group = sum(start <= number for start in self._starts) - 1
            groups.setdefault(group, []).append(place)
        if not groups:
            return self._file.schema_arrow.empty_table()
        order: list[int] = []
        parts = []
        for group, places in groups.items():
            wanted = pa.array([numbers[place] - self._starts[group] for place in places])
            parts.append(self._group(group).take(wanted))
            order += places
        back = sorted(range(len(order)), key=order.__getitem__)
        return pa.concat_tables(parts).take(pa.array(back))

    def _group(self, number: int) -> pa.Table:
        if number not in self._held:
            self._held[number] = self._file.read_row_group(number)
        self._held.move_to_end(number)
        while len(self._held) > 1 and sum(t.nbytes for t in self._held.values()) > _HELD_BYTES:
            self._held.popitem(last=False)
        return self._held[number]

    def scan(self, columns: Sequence[Column]) -> Iterator[tuple[int, pa.Table]]:
        """Yield all rows of some columns by stretches, with the number of each first row."""
        names = [column.name + ending for column in columns for ending in ("", FLAG, LIMIT)]
        for number, start in enumerate(self._starts):
            stored = [name for name in names if name in self._stored]
            yield start, self._file.read_row_group(number, columns=stored)

    def cells(self, rows: pa.Table, column: Column) -> tuple[list[Any], dict[int, str]]:
        """Return a column of stored rows: values, censored ones as written, and marks by place."""
        values = rows.column(column.name).to_pylist()
        if column.name + FLAG not in self._stored:
            return values, {}
        flags = rows.column(column.name + FLAG).to_pylist()
        limits = rows.column(column.name + LIMIT).to_pylist()
        marks = {place: str(flag) for place, flag in enumerate(flags) if flag}
        for place, flag in marks.items():
            if flag in {BELOW, ABOVE}:
                values[place] = f"{flag}{limits[place]:.10g}"
            elif values[place] is None:
                values[place] = flag if flag == BARE else None
        return values, marks

    def shape(self, name: str, choice: Choice) -> dict[str, Any]:
        """Return how the values of a column lie: bins of plain numbers, or its commonest texts."""
        column = self.table.column(name)
        params: list[object] = []

        def bind(value: object) -> str:
            params.append(value)
            return "?"

        met = where(self.table, choice, bind)
        facts = self._facts(column, met, params)
        if column.kind == "number":
            return {**self._bins(column, met, params), **facts}
        cell = f"CAST({quote(column.name)} AS VARCHAR)"
        rows = self._connection.rows(
            f"SELECT {cell} AS v, count(*) AS n, count(*) OVER () AS kinds "  # noqa: S608
            f"FROM {quote(self._view)}{met or ' WHERE true'} AND {cell} IS NOT NULL "
            f"GROUP BY v ORDER BY n DESC, v LIMIT {_TOP}",
            params,
        )
        top = [[str(value), int(count)] for value, count, _ in rows]
        return {"top": top, "kinds": int(rows[0][2]) if rows else 0, **facts}

    def _facts(self, column: Column, met: str, params: list[object]) -> dict[str, Any]:
        """Return counts and, of plain numbers, range and median among the rows of a choice."""
        value, flag = quote(column.name), quote(column.name + FLAG)
        low = f"{flag} IN ({text(BELOW)}, {text(BARE)})" if column.flagged else "false"
        high = f"{flag} = {text(ABOVE)}" if column.flagged else "false"
        plain = f"{value} IS NOT NULL AND NOT coalesce(({low}) OR ({high}), false)"
        ends = f"median({value}), min({value}), max({value})" if column.kind == "number" else ""
        asked = [
            *("count(*)", f"count(*) FILTER ({plain})"),
            *(f"count(*) FILTER ({one})" for one in (low, high)),
            *(f"{one} FILTER ({plain})" for one in ends.split(", ") if one),
        ]
        told = f"SELECT {', '.join(asked)} FROM {quote(self._view)}{met}"  # noqa: S608 - quoted
        every, count, below, above, *numbers = self._connection.rows(told, params)[0]
        facts = {"count": count, "below": below, "above": above}
        facts["missing"] = every - count - below - above
        return facts | dict(zip(("median", "min", "max"), numbers, strict=False))

    def _bins(self, column: Column, met: str, params: list[object]) -> dict[str, Any]:
        low, high = (float(v) if isinstance(v, int | float) else math.nan for v in _ends(column))
        if not (math.isfinite(low) and math.isfinite(high)) or low >= high:
            return {"bins": [], "low": None, "high": None, "log": False}
        log = column.measured and low > 0 and high / low >= _DECADES
        value, first, last = quote(column.name), low, high
        if log:
            value, first, last = f"log10({value})", math.log10(low), math.log10(high)
        plain = f"{quote(column.name)} BETWEEN {low!r} AND {high!r}"
        if column.flagged:
            plain += f" AND {quote(column.name + FLAG)} IS NULL"
        width = (last - first) / BINS
        rows = self._connection.rows(
            f"SELECT least(floor(({value} - ({first!r})) / {width!r}), {BINS - 1})::INTEGER AS b, "  # noqa: S608
            f"count(*) FROM {quote(self._view)}{met or ' WHERE true'} AND {plain} GROUP BY b",
            params,
        )
        bins = [0] * BINS
        for place, count in rows:
            bins[max(int(place), 0)] += int(count)
        return {"bins": bins, "low": low, "high": high, "log": log}


def _ends(column: Column) -> tuple[object, object]:
    return column.min, column.max

"""The facts of a table, computed from the snapshot that tools will read: counts, limits, range.

Nothing is carried over from the look at the raw text, so the description and the data cannot
disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.formats.format import RawTable
from workbench.formats.quoting import quote
from workbench.formats.reading import Reading
from workbench.tables.cells import ABOVE, BARE, BELOW, BLANK, REJECTED, CellClass
from workbench.tables.profile import layered
from workbench.tables.spread import Spread, spread
from workbench.tables.table import FLAG, LIMIT, Column, Rejected
from workbench.tables.typed import Typed
from workbench.tables.weighted import groups
from workbench.tables.written import Written

_LIMITS = 50
_LISTED = 50
_TEXT = 120
_FACTS = 5


def measure(
    reading: Reading, written: Written, rows: int, columns: Sequence[Typed]
) -> tuple[list[Column], dict[str, Spread]]:
    """Compute the facts of every column of a snapshot, and how the numbers of each lie, by name.

    Parameters
    ----------
    reading : Reading
        The loading connection.
    written : Written
        The snapshot.
    rows : int
        Its rows.
    columns : sequence of Typed
        Its columns, companions left out.
    """
    numeric = [one.name for one in columns if one.decision.kind == "number"]
    spreads: dict[str, Spread] = {}
    for name, values in written.each(numeric):
        reading.told("measure", 0.7 * len(spreads) / len(columns))
        spreads[name] = spread(values)
    asked = [one for one in columns if one.coded or one.name not in spreads]
    facts = dict.fromkeys((one.name for one in columns), (0, None, None, None, None))
    for group in groups(range(len(asked))):
        reading.told("measure", 0.7 + 0.3 * group[0] / len(asked))
        wanted = [asked[at] for at in group]
        parts = ", ".join(map(_facts, wanted))
        source = written.source(reading, wanted)
        row = reading.one(f"SELECT {parts} FROM {source}")  # noqa: S608 - quoted
        for at, one in enumerate(wanted):
            facts[one.name] = row[at * _FACTS : (at + 1) * _FACTS]
    found = [_column(rows, one, facts[one.name], spreads.get(one.name)) for one in columns]
    return found, spreads


def _facts(one: Typed) -> str:
    """Return SQL for five facts: count, smallest, largest, limits, cells by flag."""
    name, flag, limit = (quote(one.name + end) for end in ("", FLAG, LIMIT))
    told = "NULL, NULL"
    if one.coded:
        told = f"list_sort(list(DISTINCT {limit}))[1:{_LIMITS}], histogram({flag})"
    if one.decision.kind == "number":
        return f"0, NULL, NULL, {told}"
    if one.decision.kind == "date":
        return f"count({name}), min({name})::VARCHAR, max({name})::VARCHAR, {told}"
    return f"count({name}), NULL, NULL, {told}"


def _column(rows: int, one: Typed, facts: tuple[Any, ...], numbers: Spread | None) -> Column:
    count, low, high, limits, flags = facts
    median = None
    if numbers is not None:
        count, median, low, high = numbers.count, numbers.median, numbers.low, numbers.high
    if one.coded:
        flags = dict(sorted((flags or {}).items(), key=lambda item: (-item[1], item[0])))
    else:
        flags = {BLANK: rows - count}
    reasons = {
        reason: times
        for reason, times in flags.items()
        if times and reason not in {BELOW, ABOVE, BARE, REJECTED}
    }
    bare = flags.get(BARE, 0)
    below, above = flags.get(BELOW, 0) + bare, flags.get(ABOVE, 0)
    return Column(
        one.name,
        one.header,
        one.decision.role,  # type: ignore[arg-type]
        one.decision.kind,  # type: ignore[arg-type]
        one.decision.named.unit,
        one.decision.named.element,
        one.decision.named.method,
        count,
        below,
        above,
        bare,
        reasons,
        flags.get(REJECTED, 0),
        tuple(limit for limit in limits or () if limit is not None),
        # Half-way between two values, a double shows digits that neither has.
        None if median is None else float(f"{median:.14g}"),
        low,
        high,
        flagged=below + above > 0,
        coded=one.coded,
    )


def rejected_cells(
    reading: Reading, raw: RawTable, columns: Sequence[Typed], written: Written
) -> tuple[Rejected, ...]:
    """List the first cells that did not parse, by line.

    Parameters
    ----------
    reading, raw
        The raw table, before it is dropped.
    columns : sequence of Typed
        Those that have rejected cells.
    written : Written
        The snapshot: where it was written from codes, the cells were met then.
    """
    found: list[Rejected] = []
    for one in columns:
        at = one.decision.place
        if (met := written.odd.get(one.name)) is not None:
            found += [Rejected(raw.lines.line(row), one.name, cell[:_TEXT]) for row, cell in met]
            continue
        coded = reading.coded(raw.relation) is not None
        part = raw.relation if coded else reading.part(raw.relation, [at])
        numbered = f"(SELECT row_number() OVER () - 1 AS place, c{at} FROM {part})"  # noqa: S608
        source = layered(numbered, {at: one.decision.grammar}, extra="place")
        rows = reading.con.execute(
            f"SELECT place, t{at} FROM {source} WHERE k{at} = {CellClass.REJECTED:d} "  # noqa: S608
            f"ORDER BY place LIMIT {_LISTED}"
        ).fetchall()
        found += [Rejected(raw.lines.line(row), one.name, cell[:_TEXT]) for row, cell in rows]
    return tuple(sorted(found, key=lambda cell: cell.line)[:_LISTED])

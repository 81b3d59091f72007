"""Names and units that stand again inside a table, at the head of every page: no data, and told.

A row is left out only if it says of every column what the header says of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.formats.format import HeaderCell, LineMap
from workbench.formats.quoting import text
from workbench.formats.reading import WIDE, Reading

# A row of so few words may be data that happens to be called as its column is.
_FEWEST = 2
_SHOWN = 5


def without_repeats(
    relation: str, rows: int, lines: LineMap, header: Sequence[HeaderCell], into: Reading
) -> tuple[str, int, LineMap, str]:
    """Leave the rows out that repeat the header.

    Returns
    -------
    tuple of str, int, LineMap and str
        The relation without them, its rows, where they stand, and what to say; the same relation
        and nothing to say if there are none.
    """
    names = _same([cell.name for cell in header])
    units = _same([cell.unit or "" for cell in header])
    wanted = " OR ".join(filter(None, (names, units)))
    if not names or len(header) > WIDE or into.is_wide(relation) or into.coded(relation):
        return relation, rows, lines, ""
    # Most tables have no such row, and one look at the first two names tells so.
    (met,) = into.one(f"SELECT count(*) FROM {relation} WHERE {names}")  # noqa: S608 - our own names
    if not met:
        return relation, rows, lines, ""
    columns = ", ".join(f"c{at}" for at in range(len(header)))
    numbered = f"(SELECT *, row_number() OVER () - 1 AS n FROM {relation})"  # noqa: S608
    found = into.con.execute(f"SELECT n FROM {numbered} WHERE {wanted} ORDER BY n").fetchall()  # noqa: S608
    if len(found) == rows:
        return relation, rows, lines, ""
    left = np.array([row for (row,) in found], dtype=np.int64)
    kept = into.keep(
        f"SELECT {columns} FROM {numbered} WHERE n NOT IN (SELECT unnest({left.tolist()})) "  # noqa: S608
        "ORDER BY n",
        0,
    )
    into.drop(relation)
    where = ", ".join(f"{lines.line(int(row)):,}" for row in left[:_SHOWN])
    more = " …" if len(left) > _SHOWN else ""
    told = f"{len(left)} rows repeat the header and were left out (lines {where}{more})"
    return kept, rows - len(left), _without(lines, rows, left), told


def _same(words: Sequence[str]) -> str:
    """Return SQL that tells whether a row holds the words of the header; empty for too few."""
    known = [(at, word.strip()) for at, word in enumerate(words) if word.strip()]
    if len(known) < _FEWEST:
        return ""
    same = (f"c{at} = {text(word)}" for at, word in known)
    return f"({' AND '.join(same)})"


def _without(
    lines: LineMap, rows: int, left: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> LineMap:
    """Return where the rows stand that are kept."""
    every = np.arange(rows, dtype=np.int64)
    place = np.searchsorted(lines.rows, every, side="right") - 1
    kept = np.delete(lines.lines[place] + every - lines.rows[place], left)
    breaks = np.flatnonzero(np.diff(kept, prepend=kept[:1] - 2) != 1)
    return LineMap(breaks.astype(np.int64), kept[breaks])

"""Tables out of rows held as text: the parts of a sheet, or of a text of several tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from workbench.formats.footer import cut
from workbench.formats.format import Layout, LineMap, RawTable
from workbench.formats.heading import Heading, find_heading
from workbench.formats.heading_words import Row
from workbench.formats.reading import Reading
from workbench.formats.sheet_blocks import Place, places

_HEAD_ROWS = 400
# A list of two columns above a table is rather its job's details than a table.
_FEWEST_COLUMNS = 3
_FEWEST_ROWS = 2


def stacked(
    rows: Sequence[Row], lines: Sequence[int], layout: Layout, into: Reading
) -> list[RawTable]:
    """Take the tables that stand one under another in a text, each under its own row of names.

    Parameters
    ----------
    rows : sequence of sequence of str
        Every row of the text, empty ones included.
    lines : sequence of int
        Line on which each row starts.
    layout : Layout
        How the text was read.
    into : Reading
        Where they go.

    Returns
    -------
    list of RawTable
        None unless there are several; each says which lines it took.
    """
    width = max(map(len, rows), default=0)
    even = [[*row, *[""] * (width - len(row))] for row in rows]
    parts = places(even)
    if len(parts) < 2:  # noqa: PLR2004 - one table
        return []
    found = [table_at(even, part, into, lines) for part in parts]
    tables = [
        (part, raw)
        for part, raw in zip(parts, found, strict=True)
        if raw is not None and raw.rows >= _FEWEST_ROWS and len(raw.headers) >= _FEWEST_COLUMNS
    ]
    if len(tables) != len(parts):
        return []
    told = f"{len(tables)} tables stand in this text, this one in lines"
    ends = [lines[part.bottom] - 1 if part.bottom < len(lines) else lines[-1] for part in parts]
    return [
        replace(
            raw,
            sheet=str(number) if number > 1 else None,
            layout=replace(
                layout,
                header_rows=raw.layout.header_rows,
                skipped_lines=lines[raw.layout.skipped_lines] - 1,
            ),
            notes=(f"{told} {lines[part.top]:,} to {end:,}", *raw.notes),
        )
        for number, ((part, raw), end) in enumerate(zip(tables, ends, strict=True), start=1)
    ]


def table_at(
    held: Sequence[Row], place: Place, into: Reading, starts: Sequence[int] | None = None
) -> RawTable | None:
    """Take one table; None if there is no header with rows under it.

    Parameters
    ----------
    held : sequence of sequence of str
        All rows of the sheet or text.
    place : Place
        Where among them it stands.
    into : Reading
        Where it goes.
    starts : sequence of int, optional
        Line on which each row starts; rows count as lines if left out.
    """
    rows = place.cut(held)
    head = rows[:_HEAD_ROWS]
    width = max(
        (at for row in head for at, cell in enumerate(row, start=1) if cell.strip()), default=0
    )
    if not width:
        return None
    heading = find_heading(head, width)
    lines: list[int] = []

    def data() -> Iterator[Sequence[str | None]]:
        for number, row in enumerate(rows[heading.data :], start=place.top + heading.data + 1):
            cells: Sequence[str | None] = row
            if any(map(str.isspace, row)):
                cells = [None if cell.isspace() else cell for cell in row]
            if any(cells):
                lines.append(starts[number - 1] if starts else number)
                yield cells

    relation, count = into.gather(len(heading.cells), data())
    if not count:
        return None
    blank = len(rows) - heading.data - count
    found = _raw(heading, relation, lines, blank, place.top)
    relation, number, note = cut(relation, count, found.lines, len(heading.cells), into)
    notes = (*found.notes, note) if number else found.notes
    return replace(found, relation=relation, rows=count - number, notes=notes)


def _raw(heading: Heading, relation: str, places: list[int], blank: int, top: int) -> RawTable:
    """Put together what was read and how."""
    lines = np.array(places, dtype=np.int64)
    breaks = np.flatnonzero(np.diff(lines, prepend=lines[0] - 2) != 1)
    notes = [*heading.notes, *([f"{blank:,} empty rows were left out"] if blank else [])]
    return RawTable(
        relation,
        heading.cells,
        len(places),
        layout=Layout(header_rows=heading.rows, skipped_lines=top + heading.first),
        lines=LineMap(breaks.astype(np.int64), lines[breaks]),
        notes=tuple(notes),
        preamble=heading.preamble,
    )

"""What stands under a table: notes, totals, an end mark. It is told and left out of the rows.

Only the last rows are looked at, and a row is a footer only if no row of the body looks like it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from workbench.formats.format import LineMap
from workbench.formats.heading_words import is_number
from workbench.formats.reading import WIDE, Reading

Row = Sequence[str | None]

# Notes under a table are no longer than this.
FOOTER_ROWS = 25
_BODY_ROWS = 200
_SHOWN = 4
_SUMMARY = re.compile(
    r"^(?:grand |sub)?(?:total|mean|average|avg|median|std\.?\s?dev\w*|st\.?\s?dev\w*|"
    r"(?:lower |upper )?(?:detection|reporting) limits?|lld|lod|loq|lor|mdl|"
    r"standard deviation|min(?:imum)?|max(?:imum)?|count|sum|range|variance|n)\s*[:=.]?$",
    re.IGNORECASE,
)
_WORDS = re.compile(
    r"^(?:\*+|notes?\b|end\b|eof\b|total\b|source\b|remarks?\b|comments?\b|legend\b|"
    r"samples? (?:received|in)|# |--|==|[a-z][^:]{0,40}:\s*\S)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Tail:
    """The last rows of a table.

    Attributes
    ----------
    rows : sequence of sequence of str or None
        Their cells.
    lines : sequence of int
        Where they stand in the file.
    """

    rows: Sequence[Row]
    lines: Sequence[int]


def footer_rows(tail: Tail, body: Sequence[Row], width: int) -> int:
    """Return how many of the last rows are no data.

    Parameters
    ----------
    tail : Tail
        The last rows.
    body : sequence of rows
        Rows from the start of the table, for comparison.
    width : int
        Columns.
    """
    if width < 2 or not _has_numbers(body, width):  # noqa: PLR2004 - one column holds no notes
        return 0
    rows, lines = tail.rows, tail.lines
    alone = any(map(_alone, body[:-FOOTER_ROWS]))
    found = 0
    for back in range(1, len(rows) + 1):
        row = rows[-back]
        apart = back < len(rows) and lines[-back] - lines[-back - 1] > 1
        if _is_summary(row, body):
            found = back
        elif not alone and _alone(row):
            # A name alone may be a sample without results.
            text = next(cell for cell in row if cell)
            prose = bool(_WORDS.match(text)) or text.count(" ") > 1
            found = back if prose or (apart and not any(map(str.isdigit, text))) else found
        else:
            break
    # A table of statistics has their names in its rows.
    return found if 2 * found < max(len(rows), len(body)) else 0


def _has_numbers(body: Sequence[Row], width: int) -> bool:
    """Tell whether some column holds numbers in most rows."""
    filled = [[row[at] for row in body if row[at]] for at in range(width)]
    return any(
        2 * sum(is_number(cell or "") for cell in cells) > max(len(cells), len(body) / 4)
        for cells in filled
        if cells
    )


def _alone(row: Row) -> bool:
    """Tell whether a row holds one text and nothing else."""
    cells = [cell for cell in row if cell]
    return len(cells) == 1 and not is_number(cells[0])


def _is_summary(row: Row, body: Sequence[Row]) -> bool:
    """Tell whether a row sums the table up: a word for it first, and no such word in the body."""
    first = row[0] or ""
    if not _SUMMARY.match(first.strip()):
        return False
    return not any(other[0] and _SUMMARY.match(other[0].strip()) for other in body[:-FOOTER_ROWS])


def cut(
    relation: str, rows: int, lines: LineMap, width: int, into: Reading
) -> tuple[str, int, str]:
    """Leave the footer of a raw table out.

    Returns
    -------
    tuple of str, int and str
        The relation without it, the rows of the footer, and what to say of it.
    """
    if width > WIDE or not rows:
        return relation, 0, ""
    start = max(0, rows - FOOTER_ROWS)
    body, last = _ends(relation, rows - start, start, width, into)
    tail = Tail(last, [lines.line(row) for row in range(start, rows)])
    number = footer_rows(tail, body, width)
    if not number:
        return relation, 0, ""
    if into.is_wide(relation):
        kept = into.hold(into.held_table(relation).slice(0, rows - number))
    else:
        kept = into.keep(f"SELECT * FROM {relation} LIMIT {rows - number}", 0)  # noqa: S608
    into.drop(relation)
    return kept, number, _told(tail, number)


def _ends(
    relation: str, rows: int, start: int, width: int, into: Reading
) -> tuple[Sequence[Row], Sequence[Row]]:
    """Return the first rows of a raw table, and its last ones from a row on."""
    if into.is_wide(relation):
        table = into.held_table(relation)
        first, last = table.slice(0, _BODY_ROWS), table.slice(start, rows)
        return _rows(first), _rows(last)
    columns = ", ".join(f"c{at}" for at in range(width))
    query = f"SELECT {columns} FROM {relation} LIMIT {_BODY_ROWS}"  # noqa: S608 - our own names
    body = into.con.execute(query).fetchall()
    coded = into.coded(relation)
    if coded is not None:
        return body, coded.last(rows)
    return body, into.con.execute(f"{query} OFFSET {start}").fetchall()


def _rows(table: pa.Table) -> list[Row]:
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def _told(tail: Tail, number: int) -> str:
    """Say what was left out."""
    texts = [" ".join(cell for cell in row if cell)[:60] for row in tail.rows[-number:]]
    more = f" and {number - _SHOWN} more" if number > _SHOWN else ""
    first = tail.lines[-number]
    shown = " / ".join(texts[:_SHOWN]) + more
    return f"{number} rows under the table are no data (from line {first:,}): {shown}"[:400]

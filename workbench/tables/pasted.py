"""What a table would cost in a context if its text were pasted there, as far as a sample tells.

The text is that of a CSV file of the table's cells; the tokens of the first rows stand for all.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from workbench import tokens
from workbench.formats.format import RawTable
from workbench.formats.reading import Reading

# Enough for a few per cent; a table of so many rows or fewer is counted whole.
SAMPLE_ROWS = 400
# A very wide table must not make every call wait for the count.
_SAMPLE_CHARS = 120_000
# From so many rows on the reader counts once for all calls; before, most calls never ask.
COUNTED_ROWS = 100_000


def raw_tokens(reading: Reading, raw: RawTable) -> int | None:
    """Return the tokens of a long raw table; None for one that is counted when it is asked for."""
    if raw.rows < COUNTED_ROWS or reading.is_wide(raw.relation):
        return None
    query = f"SELECT * FROM {raw.relation} LIMIT {SAMPLE_ROWS}"  # noqa: S608 - our own name
    return table_tokens(raw.names, reading.con.execute(query).fetchall(), raw.rows)


def table_tokens(headers: Sequence[str], first: Iterable[Sequence[object]], rows: int) -> int:
    """Return the tokens of a table's text by its header and first rows.

    Parameters
    ----------
    headers : sequence of str
        Texts of the header.
    first : iterable of sequence
        The first rows, as many as `SAMPLE_ROWS` or all; they are taken as the mean of all rows.
    rows : int
        Rows of the table.
    """
    lines, size = [], 0
    for row in first:
        lines.append(_line(row))
        size += len(lines[-1])
        if size > _SAMPLE_CHARS:
            break
    body = tokens.count("".join(lines)) * rows / max(len(lines), 1)
    return tokens.count(_line(headers)) + round(body)


def _line(cells: Sequence[object]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow([_text(cell) for cell in cells])
    return out.getvalue()


def _text(cell: object) -> str:
    """Return a cell as a file has it: no `.0` behind whole numbers, nothing where it is empty."""
    if cell is None:
        return ""
    return f"{cell:.10g}" if isinstance(cell, float) else str(cell)

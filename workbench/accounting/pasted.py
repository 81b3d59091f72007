"""What a table would cost in a context if its text were pasted there: the outline beside the bars.

The text is that of a CSV file with the cells as a reader of the file sees them (`<0.5`, `NSS`),
made from the snapshot, so that a packed workbook is weighed by what it says, not by its bytes.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from workbench import tokens
from workbench.accounting.results import display

if TYPE_CHECKING:
    from workbench.tables.connection import Connection
    from workbench.tables.table import Table

# Enough for a few per cent; a table of so many rows or fewer is counted whole.
SAMPLE_ROWS = 400
# A very wide table must not make every call wait for the count.
_SAMPLE_CHARS = 120_000


def pasted_tokens(connection: Connection, table: Table) -> int:
    """Return the tokens of a table's text: header, and rows times the mean of the first ones.

    Parameters
    ----------
    connection : Connection
        Of the child.
    table : Table
        The table.

    Returns
    -------
    int
        Counted with the vocabulary of `workbench.tokens` over the header and up to `SAMPLE_ROWS`
        rows (fewer where they are very wide); those are taken as the mean of all rows.
    """
    from workbench.tables.connection import quote

    names = [column.name for column in table.columns]
    cells = ", ".join(display(table, names))
    view = quote(connection.view(table))
    sql = f"SELECT {cells} FROM {view} LIMIT {SAMPLE_ROWS}"  # noqa: S608 - quoted identifiers
    found = connection.rows(sql)
    lines, size = [], 0
    for row in found:
        lines.append(_line(row))
        size += len(lines[-1])
        if size > _SAMPLE_CHARS:
            break
    body = tokens.count("".join(lines)) * table.rows / max(len(lines), 1)
    return tokens.count(_line([column.header for column in table.columns])) + round(body)


def _line(cells: Any) -> str:  # noqa: ANN401 - cells of any kind
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow([_text(cell) for cell in cells])
    return out.getvalue()


def _text(cell: object) -> str:
    """Return a cell as a file has it: no `.0` behind whole numbers, nothing where it is empty."""
    if cell is None:
        return ""
    return f"{cell:.10g}" if isinstance(cell, float) else str(cell)

"""What a table would cost in a context if its text were pasted there: the outline beside the bars.

The cells are those that a reader of the file sees (`<0.5`, `NSS`), made from the snapshot, so that
a packed workbook is weighed by what it says, not by its bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.accounting.results import display
from workbench.tables.pasted import SAMPLE_ROWS, table_tokens

if TYPE_CHECKING:
    from workbench.tables.connection import Connection
    from workbench.tables.table import Table

__all__ = ["SAMPLE_ROWS", "pasted_tokens"]


def pasted_tokens(connection: Connection, table: Table) -> int:
    """Return the tokens of a table's text, as the reader counted them, or counted now.

    Parameters
    ----------
    connection : Connection
        Of the child.
    table : Table
        The table.
    """
    if table.pasted is not None:
        return table.pasted
    from workbench.tables.connection import quote

    cells = ", ".join(display(table, [column.name for column in table.columns]))
    view = quote(connection.view(table))
    sql = f"SELECT {cells} FROM {view} LIMIT {SAMPLE_ROWS}"  # noqa: S608 - quoted identifiers
    headers = [column.header for column in table.columns]
    return table_tokens(headers, connection.rows(sql), table.rows)

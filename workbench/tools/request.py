"""One look at a table, as it was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.tables.table import Table
    from workbench.tools.context import Context


@dataclass(frozen=True)
class Request:
    """What `query_data` was asked for.

    Attributes
    ----------
    context : Context
        Of the call.
    path : str
        File as asked.
    table : Table
        Its table.
    columns : tuple of str or None
        Columns asked for.
    n : int
        Rows or values, 1 or more.
    expression : str or None
        Condition on the rows.
    threshold : float
        Smallest |r|.
    """

    context: Context
    path: str
    table: Table
    columns: tuple[str, ...] | None
    n: int
    expression: str | None
    threshold: float

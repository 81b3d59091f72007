"""Where samples lie: the two columns of coordinates, and the grid they are in.

Nothing is guessed: a grid is named only where the file names it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from workbench.accounting.columns import one_numeric, one_zone
from workbench.errors import Refused

if TYPE_CHECKING:
    from workbench.accounting.rows import Rows
    from workbench.tables.table import Column, Table
    from workbench.tools.context import Context

_PAIRS = (("easting", "northing"), ("longitude", "latitude"))
_GRID = re.compile(
    r"^(?:grid|crs|datum|epsg|projection|coord\w*[ _]?sys\w*|srs|utm[ _]?zone|zone)",
    re.IGNORECASE,
)
_MOST_GRIDS = 3


def coordinates(table: Table, x: str | None, y: str | None) -> tuple[Column, Column]:
    """Return the coordinate columns: those named, else easting and northing, else degrees.

    Raises
    ------
    Refused
        If there are none, only one was named, or one holds no numbers.
    """
    if (x is None) != (y is None):
        raise Refused("coordinates: name both x and y, or neither")
    if x is not None and y is not None:
        return one_numeric(table, table.column(x)), one_numeric(table, table.column(y))
    for across, up in _PAIRS:
        first, second = table.with_role(across), table.with_role(up)
        if first and second:
            if across == "easting":
                one_zone(table)
            return one_numeric(table, first[0]), one_numeric(table, second[0])
    numbers = [column.name for column in table.columns if column.kind == "number"][:8]
    raise Refused(
        f"'{table.name}': no columns with the role of coordinates; name x and y; number columns: "
        f"{', '.join(numbers) or 'none'}"
    )


def aspect(drawn: Rows, across: Column, up: Column) -> float:
    """Return how long one unit of y is drawn for one of x: 1 for metres, 1/cos φ for degrees."""
    if (across.role, up.role) != ("longitude", "latitude"):
        return 1.0
    middle = float(np.median(drawn.frame.series[up.name].values[drawn.keep]))
    return float(f"{1 / max(np.cos(np.radians(middle)), 0.05):.6g}")


def grid_name(context: Context, table: Table) -> str:
    """Return the grid as a column of the table names it; empty if none does."""
    from workbench.tables.connection import quote

    for column in table.columns:
        if column.kind != "text" or not _GRID.match(column.name):
            continue
        view = context.connection.view(table)
        sql = (
            f"SELECT {quote(column.name)} AS grid, count(*) AS n FROM {quote(view)} "  # noqa: S608 - quoted
            "WHERE grid IS NOT NULL GROUP BY grid ORDER BY n DESC, grid"
        )
        found = [
            str(row[0])[:80] for row in context.connection.rows(f"{sql} LIMIT {_MOST_GRIDS + 1}")
        ]
        if 1 <= len(found) <= _MOST_GRIDS:
            return ", ".join(found)
    return ""

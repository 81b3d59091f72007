"""Cells of a column as they stand in the file, for the tools that put values right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.accounting import facts
from workbench.errors import Refused
from workbench.tools.rereading import reread

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table
    from workbench.tools.context import Context

DRY = "nothing was changed; call again with apply true to write the new file"
EXAMPLES, _CELL = 5, 60
# Numbers of a laboratory and words of a legend are short; longer cells are neither.
LONGEST = 200


def texts_of(
    context: Context, path: str, table: Table, columns: Sequence[Column]
) -> dict[str, list[str | None]]:
    """Return the cells of columns as they stand in the file, None for gaps.

    Raises
    ------
    Refused
        If a cell is longer than any number or word of a legend.
    """
    settings = {f"{column.name}.kind": "text" for column in columns}
    raw = reread(context, path, table.sheet, settings)
    frame = context.connection.frame(raw, [column.name for column in columns])
    found: dict[str, list[str | None]] = {}
    for column in columns:
        cells = frame.series[column.name].text.tolist()
        if any(cell is not None and len(cell) > LONGEST for cell in cells):
            raise Refused(
                f"column '{facts.name(column.name)}': it has cells of more than {LONGEST} "
                "characters, which are no numbers and no terms"
            )
        found[column.name] = cells
    return found


def short(text: str) -> str:
    """Return a cell as an example of an answer."""
    return facts.name(text)[:_CELL]

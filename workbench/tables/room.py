"""Whether columns as arrays have room in a child.

It is asked before any is read, so that no call works for a minute towards the end of its memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.errors import LimitReached
from workbench.limits import Limits
from workbench.tables.table import Column, Table
from workbench.workspace import shown

# Of the child's memory; a tool that copies them ends at the limit itself.
_SHARE = 0.75
# Bytes of a value: a number and its flag, with a limit where there are censored ones; a short text.
_PLAIN, _CODED, _TEXT = 9, 17, 80


def check_room(table: Table, columns: Sequence[Column], limits: Limits) -> None:
    """Refuse columns that would not fit as arrays.

    Raises
    ------
    LimitReached
        With how many would fit, and what else to do.
    """
    need = sum(map(_row_bytes, columns)) * table.rows
    most = int(limits["child_memory"].number * _SHARE)
    if need <= most:
        return
    fit = max(most * len(columns) // need, 1)
    raise LimitReached(
        f"table '{shown(table.name)}': {len(columns):,} columns of {table.rows:,} rows take "
        f"{need / 1e9:.1f} GB at once, and a child has {most / 1e9:.1f} GB for them; name at most "
        f"{fit:,} columns, keep fewer rows with filter_rows, or raise child_memory",
        "child_memory",
    )


def _row_bytes(column: Column) -> int:
    if column.kind not in {"number", "empty"}:
        return _TEXT
    return _CODED if column.coded else _PLAIN

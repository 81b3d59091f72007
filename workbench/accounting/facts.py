"""How tools say numbers: the same keys, six significant digits, censored values counted.

A planner reads these lines, so that keys are stable and numbers stay numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workbench import marker
from workbench.reply import Preview
from workbench.tables.statistics import rounded
from workbench.visible import visible
from workbench.workspace import RUN_PREFIX

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table
    from workbench.tools.context import Context

_SIDES = (("below", "half the limit below detection"), ("above", "the limit above range"))
HALF = ", ".join(words for _, words in _SIDES)
PLAIN = "censored values left out"
_NAME = 80
# One reply must pass the pipe to the parent as one line, with room for the rest of it.
_PREVIEW_BYTES = 400_000
_LONG_CELL = 4_000
_SPARE_ROWS = 21


def name(text: str) -> str:
    """Return a column name as a fact may show it."""
    return marker.short(visible(text), _NAME)


def numbers(values: Mapping[str, Any], digits: int = 6) -> dict[str, Any]:
    """Return a mapping with every number rounded, to six significant digits unless told."""
    return {
        key: rounded(value, digits) if isinstance(value, float) else value
        for key, value in values.items()
    }


def censored(columns: Iterable[Column]) -> dict[str, dict[str, int]]:
    """Count censored values by column over the whole table; columns without any are left out."""
    return {
        name(column.name): {"below": column.below, "above": column.above}
        for column in columns
        if column.censored
    }


def gaps(column: Column) -> int:
    """Return how many values of a column are missing, for whatever reason."""
    return sum(column.missing.values())


def rejected(table: Table) -> tuple[str, ...]:
    """Say how many cells were no numbers, if any."""
    total = table.report.rejected_total
    if not total:
        return ()
    return (f"{total:,} cells of number columns could not be read as numbers; see describe",)


def quality(table: Table) -> dict[str, str]:
    """Say which rows of quality control were left out; empty where there are none."""
    if table.control is None:
        return {}
    told = table.control
    return {"quality_control": f"{told.words} left out, known by {name(told.column)}"}


def applied(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a call with the treatment of censored values as far as it was applied.

    A side (below, above) that no column has is not spoken of, and nothing where there is none.
    """
    counts = values.get("censored")
    if "policy" not in values or not isinstance(counts, Mapping):
        return dict(values)
    met = {side for each in counts.values() for side, number in dict(each).items() if number}
    if not met:
        return {key: value for key, value in values.items() if key != "policy"}
    words = ", ".join(words for side, words in _SIDES if side in met)
    return {**values, "policy": str(values["policy"]).replace(HALF, words or HALF)}


def output(path: str) -> str:
    """Return a result file's name as it stands in a context and in a later call."""
    return f"{RUN_PREFIX}{path}"


def without_zeros(values: Mapping[str, int]) -> dict[str, int]:
    """Return the counts above 0."""
    return {name(key): number for key, number in values.items() if number}


def preview(
    context: Context,
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    total: int,
    full: str,
) -> Preview:
    """Make a preview that can pass the pipe; the gate alone decides what of it is shown.

    Parameters
    ----------
    context : Context
        Of the call.
    title, columns, rows, total, full
        As in `workbench.reply.Preview`.
    """
    width = context.limits["cell_chars"].number
    if any(isinstance(value, str) and _LONG_CELL < len(value) > width for r in rows for value in r):
        context.hit("cell_chars")
    cells = [tuple(_cell(value, width) for value in row) for row in rows]
    names = tuple(str(_cell(column, width)) for column in columns)
    size = 0
    for place, row in enumerate(cells):
        size += len(json.dumps(row, default=str))
        if size > _PREVIEW_BYTES:
            cells = cells[: max(place, min(_SPARE_ROWS, len(cells)))]
            break
    if size > _PREVIEW_BYTES:
        context.hit("cell_chars")
        keep = context.limits["preview_columns"].number
        cells = [tuple(_cell(value, width, always=True) for value in row[:keep]) for row in cells]
    return Preview(title, names, tuple(cells), total, full)


def _cell(value: object, width: int, *, always: bool = False) -> object:
    """Cut a cell that is too long for the pipe, its marker giving the true length."""
    if not isinstance(value, str):
        return value if isinstance(value, bool | int | float | None) else str(value)
    if len(value) > _LONG_CELL or (always and len(value) > width):
        return marker.short(visible(value), width)
    return value

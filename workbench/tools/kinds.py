"""Columns held as another kind, with what is lost by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.accounting import facts, results
from workbench.reply import Reply
from workbench.tables.statistics import rounded
from workbench.tools.cells import DRY, EXAMPLES, short, texts_of
from workbench.tools.rereading import reread

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table
    from workbench.tools.context import Context


def converted(
    context: Context, path: str, table: Table, columns: Sequence[Column], to: str, *, apply: bool
) -> Reply:
    """Say what another kind would lose, or write the columns so."""
    wanted = "number" if to == "whole" else to
    settings = {f"{column.name}.kind": wanted for column in columns}
    read = reread(context, path, table.sheet, settings)
    texts = texts_of(context, path, table, columns)
    values: dict[str, Any] = {"fix": "kind", "to": to, "rows_in": table.rows}
    for column in columns:
        fact = _lost(context, column, read.column(column.name), texts[column.name], read, to)
        values[f"column {facts.name(column.name)}"] = fact
    if not apply:
        return Reply(values, notes=(DRY,))
    from workbench.tables.connection import quote

    view = quote(context.connection.view(read))
    whole = {column.name for column in columns} if to == "whole" else set()
    listed = ", ".join(
        f"round_even({quote(name)}, 0) AS {quote(name)}" if name in whole else quote(name)
        for name in results.view_columns(read)
    )
    stem = context.named(path, "kind", to)
    made = results.stream(context, stem, f"SELECT {listed} FROM {view}")  # noqa: S608 - quoted
    values |= {"rows_out": made.rows, "policy": facts.HALF, "output": facts.output(made.path)}
    return Reply(values, made=(made,))


def _lost(
    context: Context,
    before: Column,
    after: Column,
    cells: Sequence[str | None],
    read: Table,
    to: str,
) -> dict[str, Any]:
    """Return what becomes of the cells of a column."""
    fact: dict[str, Any] = {"was": before.kind, "cells": sum(cell is not None for cell in cells)}
    fact |= {"converted": after.count, "below": after.below, "above": after.above}
    fact |= {"missing": facts.without_zeros(after.missing), "lost": after.rejected}
    if after.rejected:
        series = context.connection.frame(read, [after.name]).series[after.name]
        from workbench.tables.frame import REJECTED

        lost = [cell for cell, code in zip(cells, series.flag, strict=True) if code == REJECTED]
        fact["lost_such_as"] = [short(one) for one in dict.fromkeys(filter(None, lost))]
        fact["lost_such_as"] = fact["lost_such_as"][:EXAMPLES]
    if to == "whole":
        values = context.connection.frame(read, [after.name]).series[after.name].values
        finite = values[np.isfinite(values)]
        moved = np.abs(finite - np.round(finite))
        fact["rounded"] = int((moved > 0).sum())
        if moved.any():
            fact["largest_change"] = rounded(float(moved.max()))
    if to == "text" and before.kind == "number":
        fact["lost"] = "its numbers: no statistics, no units, sorted as words"
    return {key: value for key, value in fact.items() if value not in (0, None, {})}

"""Values put right: decimal signs, spellings of one word, the kind of a column.

First a proposal, which changes nothing; then the same call with `apply`, into a new file. A cell
that has no single reading is left as it is and counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from workbench.accounting import facts, results
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tools.cells import DRY, EXAMPLES, short, texts_of
from workbench.tools.context import Context
from workbench.tools.kinds import converted
from workbench.tools.legend import harmonised
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table

_MOST_COLUMNS = 40


@tool(effect="derive")
def clean_values(
    context: Context,
    path: str,
    fix: Literal["decimals", "terms", "kind"],
    columns: list[str],
    apply: bool = False,  # noqa: FBT001, FBT002 - a named argument of a call
    decimal: Literal["auto", ",", "."] = "auto",
    mapping: str | None = None,
    to: Literal["number", "whole", "text", "date"] = "number",
    sheet: str | None = None,
) -> Reply:
    """Put values right, in a new file: proposes first; `apply` true writes it.

    decimals: comma to point, thousands signs out. terms: spellings of one word in one text column;
    the proposal is a file that the analyst may edit and give as `mapping`. kind: another kind, and
    what is lost by it.

    Parameters
    ----------
    path : str
        File or result path.
    fix : str
        What to put right.
    columns : list of str
        Columns; one for terms.
    apply : bool
        Only after the analyst has agreed to the proposal.
    decimal : str
        The decimal sign, where `1,250` leaves it open.
    mapping : str
        File with columns from and to.
    to : str
        Kind wanted; whole rounds.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    chosen = tuple({name: table.column(name) for name in columns}.values())
    if not 1 <= len(chosen) <= _MOST_COLUMNS:
        raise Refused(f"clean_values: {len(chosen)} columns; name 1 to {_MOST_COLUMNS}")
    if fix == "decimals":
        return _decimals(context, path, table, chosen, decimal, apply=apply)
    if fix == "terms":
        if len(chosen) > 1:
            raise Refused("clean_values: terms takes one column at a time")
        return harmonised(context, path, table, chosen[0], mapping, apply=apply)
    return converted(context, path, table, chosen, to, apply=apply)


def _decimals(
    context: Context,
    path: str,
    table: Table,
    columns: Sequence[Column],
    decimal: str,
    *,
    apply: bool,
) -> Reply:
    """Say how the numbers of columns are written, or write them with a point."""
    texts = texts_of(context, path, table, columns)
    values: dict[str, Any] = {"fix": "decimals", "rows_in": table.rows}
    fresh: dict[str, list[str | None]] = {}
    for column in columns:
        fact, kept = _pointed(texts[column.name], decimal)
        values[f"column {facts.name(column.name)}"] = fact
        if kept is not None:
            fresh[column.name] = kept
    if not apply:
        return Reply(values, notes=(DRY,))
    if not fresh:
        raise Refused("clean_values: no column tells its decimal sign; give decimal")
    return _written(context, path, table, "decimals", fresh, values)


def _pointed(
    cells: Sequence[str | None], decimal: str
) -> tuple[dict[str, Any], list[str | None] | None]:
    """Return what the cells of a column tell, and the cells with a point; None if they do not."""
    from workbench.tables.decimals import evidence, plain

    told = evidence(cell for cell in cells if cell is not None)
    sign = told.sign if decimal == "auto" else decimal
    fact: dict[str, Any] = {
        "numbers": told.numbers,
        "comma_is_decimal": told.decimal[","],
        "point_is_decimal": told.decimal["."],
        "either": told.ambiguous,
    }
    if sign is None:
        return {**fact, "proposal": "none: both signs or neither tell; give decimal"}, None
    new = [cell if cell is None else plain(cell, sign) for cell in cells]  # type: ignore[arg-type]
    kept = [cell if one is None else one for one, cell in zip(new, cells, strict=True)]
    changed = [(a, b) for a, b in zip(cells, kept, strict=True) if a != b]
    left = [a for a, b in zip(cells, new, strict=True) if a is not None and b is None]
    fact |= {"decimal": sign, "changed": len(changed), "left_as_they_are": len(left)}
    fact["such_as"] = [_pair(*one) for one in dict.fromkeys(changed)][:EXAMPLES]
    fact["left_such_as"] = [short(one) for one in dict.fromkeys(left)][:EXAMPLES]
    return {key: value for key, value in fact.items() if value != []}, kept


def _pair(before: str | None, after: str | None) -> str:
    return f"{short(before or '')} → {short(after or '')}"


def _written(
    context: Context,
    path: str,
    table: Table,
    operation: str,
    fresh: Mapping[str, Sequence[str | None]],
    values: dict[str, Any],
) -> Reply:
    """Write the table with texts in place of some columns, in their places."""
    from workbench.tables.connection import quote

    added = {f"new {name}": np.array(cells, dtype=object) for name, cells in fresh.items()}
    with results.beside(context, table, added) as joined:
        listed = [
            f"{quote(joined.names[f'new {column.name}'])} AS {quote(column.name)}"
            if column.name in fresh
            else ", ".join(map(quote, results.view_columns(table, [column.name])))
            for column in table.columns
        ]
        sql = f"SELECT {', '.join(listed)} FROM {joined.sql}"  # noqa: S608 - quoted
        names = [*fresh][:_MOST_COLUMNS] if len(fresh) == 1 else []
        made = results.stream(context, context.named(path, operation, *names), sql)
    values |= {"rows_out": made.rows, "output": facts.output(made.path)}
    return Reply(values, made=(made,))

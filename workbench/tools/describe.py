"""What a table holds, in few words: a card of every column, or of groups of columns if it is wide.

The whole description of a wide table lies on disk; its path comes back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from workbench import marker
from workbench.accounting import facts
from workbench.accounting.holes import related
from workbench.accounting.schema_card import grouped
from workbench.figures.coordinates import grid_name
from workbench.reply import Made, Reply
from workbench.tables.statistics import rounded
from workbench.tables.table import COORDINATES, median_bound
from workbench.tools.context import Context
from workbench.tools.firstlook import look
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.opened import Opened
    from workbench.tables.table import Column, Table

_SINGLY = 30
_AT_FIRST_SIGHT = frozenset({"role", "unit", "columns", "in_short", "names", "not_named"})
# Notes on a wide table: how many, how long, how many columns each names.
_NOTES, _NOTE_CHARS, _NOTE_NAMES = 4, 240, 3


@tool(effect="read", looks=lambda given: not given.get("whole"))
def describe_table(
    context: Context,
    path: str,
    sheet: str | None = None,
    columns: list[str] | None = None,
    whole: bool = False,  # noqa: FBT001, FBT002 - a tool's arguments are given by name
) -> Reply:
    """Say what a table holds. Use it first, before any other table tool.

    Rows, and each column's role, unit, counts (n plain, below and above a limit, missing), median,
    min and max of the plain numbers. A wide table comes as groups of columns; `{Ag,As}_ppm` stands
    for Ag_ppm and As_ppm.

    Parameters
    ----------
    path : str
        File.
    sheet : str
        Sheet of a workbook.
    columns : list of str
        Only these.
    whole : bool
        Wait until a large file is read.
    """
    opened = context.opened(path) if whole else look(context, path)
    values: dict[str, Any] = {}
    if len(opened.tables) > 1:
        values["sheets"] = {facts.name(t.sheet or t.name): t.rows for t in opened.tables[:_SINGLY]}
        if sheet is None:
            note = "several tables: name one as sheet to see its columns"
            return Reply({"tables": len(opened.tables), **values}, notes=(note, *opened.notes))
    table = opened.table(sheet)
    chosen = table.columns if columns is None else tuple(table.column(name) for name in columns)
    if path in context.first_lines:
        return _at_first_sight(opened, table, chosen)
    values |= {"table": table.name, "rows": table.rows, "columns": len(table.columns)}
    grid = grid_name(context, table)
    values |= {"grid": grid} if grid else {}
    values |= _cards(chosen) if len(chosen) <= _SINGLY else grouped(chosen, table.rows)
    if len(chosen) <= _SINGLY and any(column.censored for column in chosen):
        values["basis"] = (
            "median, min, max over plain numbers; censored left out; median <limit where most are"
        )
    told, about = related(context, path, table) if table.holes == "collar" else ({}, ())
    values |= told
    notes = (*opened.notes, *table.notes, *about, *facts.rejected(table))
    if len(chosen) <= _SINGLY:
        return Reply(values, notes=notes)
    made = _description(context, path, opened, table)
    values["full_description"] = facts.output(made.path)
    return Reply(values, made=(made,), notes=_in_short(notes))


def _at_first_sight(opened: Opened, table: Table, chosen: Sequence[Column]) -> Reply:
    """Tell names, roles and units alone: everything else depends on all rows."""
    values: dict[str, Any] = {"table": table.name, "rows_at_least": table.rows}
    values["columns"] = len(table.columns)
    told = _cards(chosen) if len(chosen) <= _SINGLY else grouped(chosen, table.rows)
    for key, card in told.items():
        values[key] = {word: fact for word, fact in card.items() if word in _AT_FIRST_SIGHT}
    notes = tuple(f"in the first lines: {note}" for note in (*opened.notes, *table.notes))
    return Reply(values, notes=_in_short(notes) if len(chosen) > _SINGLY else notes)


def _in_short(notes: Sequence[str]) -> tuple[str, ...]:
    """Name fewer columns in the notes on a wide table; on disk they are whole."""
    alike: dict[str, list[str]] = {}
    for note in notes:
        head, colon, what = note.partition(": ")
        alike.setdefault(what, []).extend([head] if colon else [])
    whole = [": ".join(filter(None, (", ".join(heads), what))) for what, heads in alike.items()]
    told = [marker.short(_few_names(note), _NOTE_CHARS) for note in whole[:_NOTES]]
    more = len(whole) - len(told)
    return (*told, *([f"and {more} more notes in full_description"] if more > 0 else []))


def _few_names(note: str) -> str:
    """Keep the first names of ``A (1), B (2), C (3) and 4 more: WHAT``."""
    head, colon, what = note.partition(": ")
    names = head.split(", ")
    if not colon or len(names) <= _NOTE_NAMES:
        return note
    last = re.search(r" and (\d+) more$", names[-1])
    more = len(names) - _NOTE_NAMES + (int(last[1]) if last else 0)
    return f"{', '.join(names[:_NOTE_NAMES])} and {more} more: {what}"


def _cards(columns: Sequence[Column]) -> dict[str, Any]:
    return {f"column {facts.name(column.name)}": _card(column) for column in columns}


def _card(column: Column) -> dict[str, Any]:
    """Return one column in few words; what is zero or unknown is left out."""
    values: dict[str, Any] = {
        "role": column.role,
        "unit": column.unit,
        "n": column.count,
        "below": column.below,
        "above": column.above,
        "missing": facts.gaps(column),
        "rejected": column.rejected,
    }
    kept = {key: value for key, value in values.items() if value or key == "n"}
    if column.kind in {"number", "date"}:
        under = median_bound(column.count + column.above, column.below, column.limits)
        middle = column.median if under is None else f"<{rounded(under)}"
        kept |= {"median": middle, "min": column.min, "max": column.max}
    known = {key: value for key, value in kept.items() if value is not None}
    # Six digits would move a northing by metres.
    digits = 10 if column.role in COORDINATES else 6
    return facts.numbers(known, digits)


def _description(context: Context, path: str, opened: Opened, table: Table) -> Made:
    """Write the whole description as JSON."""
    told = {"source": opened.source.to_json(), **table.to_json()}
    told["notes"] = [*opened.notes, *table.notes]
    with context.new_file(context.named(path, "describe"), "json") as (part, final):
        whole = json.dumps(told, ensure_ascii=False, indent=1)
        part.write_text(whole, encoding="utf-8", errors="replace")
    return context.made(final[0], "application/json")

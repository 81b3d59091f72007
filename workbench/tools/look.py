"""What is there: files, tables and their columns, missing values, results so far.

These tools hand back counts and names. A column's values stay where they are.
"""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from workbench.accounting import facts
from workbench.errors import Refused
from workbench.figures.coordinates import grid_name
from workbench.recordnames import RECORDS
from workbench.reply import Made, Preview, Reply
from workbench.tables.statistics import rounded
from workbench.tables.table import COORDINATES
from workbench.tools.context import Context
from workbench.tools.registry import tool
from workbench.workspace import relative_parts

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table
    from workbench.workspace import Entry

_WORST = 20
_SINGLY = 30
# Names of a group are given up to this: a column whose name is not known cannot be asked for.
_GROUP_CHARS = 1_200
# A listing beyond this is not even sent to the gate, which shows half of it at most.
_SENT = 1_000


@tool(effect="read", answer="read_share", rows="list_entries")
def list_files(context: Context, folder: str = "", pattern: str | None = None) -> Reply:
    """List data files with their sizes. File names given here are what other tools take as `path`.

    `sets` names files of one layout, such as `wells/*.las`: as `path` they are one table with a
    column `file`.

    Parameters
    ----------
    folder : str
        Folder within the data; all if empty.
    pattern : str
        Name pattern such as `*.csv`.
    """
    found = list(context.workspace.walk(folder))
    if folder not in {"", "."} and not found:
        raise Refused(f"folder '{'/'.join(relative_parts(folder))}': no files there; leave it out")
    chosen = [entry for entry in found if _matches(entry.name, pattern)]
    counts = _kinds(entry.name for entry in chosen)
    values = {"files": len(chosen), **counts, "bytes": sum(entry.size for entry in chosen)}
    values |= _sets(context, chosen)
    listed = [(entry.name, entry.size) for entry in chosen]
    return Reply(values, previews=_listing("files", listed), notes=_too_many(context, listed))


def _sets(context: Context, entries: Sequence[Entry]) -> dict[str, Any]:
    """Name the files that seem to be one table; a few are looked at, so that it is quick."""
    from workbench.tables.alike import propose

    found = propose(entries, context.workspace.open, context.run, context.limits)
    if not found:
        return {}
    told = {
        facts.name(one.pattern): {
            "files": one.files,
            "columns": one.columns,
            "alike": f"{one.alike} of {one.looked} looked at",
        }
        for one in found
    }
    return {"sets": told}


def _matches(name: str, pattern: str | None) -> bool:
    return pattern is None or any(
        fnmatch.fnmatch(part.casefold(), pattern.casefold())
        for part in (name, name.rpartition("/")[2])
    )


def _kinds(names: Iterable[str]) -> dict[str, int]:
    """Count files that are tables by their ending, and the others."""
    from workbench.formats.format import extension
    from workbench.formats.registry import data_extensions

    data = data_extensions()
    tables = [extension(name) in data for name in names]
    return {"tables": sum(tables), "other": len(tables) - sum(tables)}


def _listing(title: str, entries: Sequence[tuple[str, int]]) -> tuple[Preview, ...]:
    if not entries:
        return ()
    return (Preview(title, ("name", "bytes"), tuple(entries[:_SENT]), len(entries), title),)


def _too_many(context: Context, entries: Sequence[object]) -> tuple[str, ...]:
    most = context.limits["list_entries"].number
    if len(entries) <= most:
        return ()
    return (
        f"{len(entries):,} files; only the first {most:,} are listed: name a folder or a pattern",
    )


@tool(effect="read", rows="list_entries", answer="read_share")
def summarise_artefacts(context: Context) -> Reply:
    """List the result files this run has made so far; each can be a `path` of a later call."""
    entries = [
        (facts.output(place.name), place.stat().st_size)
        for place in sorted(context.run.iterdir())
        if place.is_file() and place.name not in RECORDS and place.suffix != ".part"
    ]
    values = {"files": len(entries), "bytes": sum(size for _, size in entries)}
    return Reply(values, previews=_listing("result files", entries))


@tool(effect="read")
def check_missing(context: Context, path: str, sheet: str | None = None) -> Reply:
    """Count missing values by column and reason (not received, insufficient, blank …).

    Worst first. Values below detection are not missing; they are counted apart.

    Parameters
    ----------
    path : str
        File.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    lacking = sorted(
        (column for column in table.columns if _missing(column)),
        key=lambda column: -_missing(column),
    )
    values: dict[str, Any] = {
        "rows_in": table.rows,
        "columns": len(table.columns),
        "columns_with_missing": len(lacking),
    }
    for column in lacking[:_WORST]:
        values[f"missing {facts.name(column.name)}"] = _missing_fact(column, table.rows)
    values["censored"] = _bounded(facts.censored(table.columns))
    if len(lacking) <= _WORST:
        return Reply(values, notes=_rejected(table))
    made = _missing_table(context, path, table)
    values["output"] = facts.output(made.path)
    note = f"{len(lacking)} columns have missing values; the {_WORST} worst are shown"
    return Reply(values, made=(made,), notes=(note, *_rejected(table)))


def _missing(column: Column) -> int:
    return sum(column.missing.values())


def _missing_fact(column: Column, rows: int) -> dict[str, Any]:
    total = _missing(column)
    reasons = facts.without_zeros(column.missing)
    return {"share": rounded(total / max(rows, 1)), "n": total, "reasons": reasons}


def _bounded(values: dict[str, Any]) -> dict[str, Any]:
    """Keep the first entries of a mapping by column, and say how many more there are."""
    if len(values) <= _SINGLY:
        return values
    kept = dict(list(values.items())[:_SINGLY])
    return {**kept, "and more columns": len(values) - _SINGLY}


def _rejected(table: Table) -> tuple[str, ...]:
    total = table.report.rejected_total
    if not total:
        return ()
    return (f"{total:,} cells of number columns could not be read as numbers; see describe",)


def _missing_table(context: Context, path: str, table: Table) -> Made:
    """Write the counts of every column as a table."""
    reasons = sorted({reason for column in table.columns for reason in column.missing})
    header = ["column", "unit", "count", "below", "above", "rejected", "missing", *reasons]
    rows = [
        [
            column.name,
            column.unit or "",
            column.count,
            column.below,
            column.above,
            column.rejected,
            _missing(column),
            *(column.missing.get(reason, 0) for reason in reasons),
        ]
        for column in table.columns
    ]
    from workbench.accounting.results import small_table

    return small_table(context, f"{context.stem(path)}_missing", header, rows)


@tool(effect="read")
def describe_table(
    context: Context, path: str, sheet: str | None = None, columns: list[str] | None = None
) -> Reply:
    """Say what a table holds. Use it first, before any other table tool.

    Rows, and each column's role, unit, counts (n plain, below and above a limit, missing), median,
    min and max of the plain numbers.

    Parameters
    ----------
    path : str
        File.
    sheet : str
        Sheet of a workbook.
    columns : list of str
        Only these.
    """
    opened = context.opened(path)
    values: dict[str, Any] = {}
    if len(opened.tables) > 1:
        values["sheets"] = {facts.name(t.sheet or t.name): t.rows for t in opened.tables[:_SINGLY]}
        if sheet is None:
            note = "several tables: name one as sheet to see its columns"
            return Reply({"tables": len(opened.tables), **values}, notes=(note, *opened.notes))
    table = opened.table(sheet)
    chosen = table.columns if columns is None else tuple(table.column(name) for name in columns)
    values |= {"table": table.name, "rows": table.rows, "columns": len(table.columns)}
    grid = grid_name(context, table)
    values |= {"grid": grid} if grid else {}
    values |= _cards(chosen) if len(chosen) <= _SINGLY else _kinds_of(chosen)
    if len(chosen) <= _SINGLY and any(column.censored for column in chosen):
        values["basis"] = "median, min, max over plain numbers; censored left out"
    notes = (*opened.notes, *table.notes, *_rejected(table))
    if len(chosen) <= _SINGLY:
        return Reply(values, notes=notes)
    made = _description(context, path, table)
    values["full_description"] = facts.output(made.path)
    return Reply(values, made=(made,), notes=notes)


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
        "missing": _missing(column),
        "rejected": column.rejected,
    }
    kept = {key: value for key, value in values.items() if value or key == "n"}
    if column.kind in {"number", "date"}:
        kept |= {"median": column.median, "min": column.min, "max": column.max}
    known = {key: value for key, value in kept.items() if value is not None}
    # Six digits would move a northing by metres.
    digits = 10 if column.role in COORDINATES else 6
    return facts.numbers(known, digits)


def _kinds_of(columns: Sequence[Column]) -> dict[str, Any]:
    """Describe a wide table by groups of columns of one role and unit."""
    kinds: dict[str, list[Column]] = {}
    for column in columns:
        kinds.setdefault(f"group {column.role} {column.unit or ''}".strip(), []).append(column)
    return {key: _kind(members) for key, members in kinds.items()}


def _kind(members: Sequence[Column]) -> dict[str, Any]:
    names = [facts.name(column.name) for column in members]
    values: dict[str, Any] = {"columns": len(names), "names": _first(names, _GROUP_CHARS)}
    sums = {
        "below": sum(column.below for column in members),
        "above": sum(column.above for column in members),
        "missing": sum(_missing(column) for column in members),
    }
    return {**values, **{key: number for key, number in sums.items() if number}}


def _first(names: Sequence[str], chars: int) -> list[str]:
    """Return the first names that stand within so many characters."""
    ends = accumulate(len(name) for name in names)
    return [name for name, end in zip(names, ends, strict=True) if end <= chars]


def _description(context: Context, path: str, table: Table) -> Made:
    """Write the whole description as JSON."""
    with context.new_file(f"{context.stem(path)}_describe", "json") as (part, final):
        whole = json.dumps(table.to_json(), ensure_ascii=False, indent=1)
        part.write_text(whole, encoding="utf-8", errors="replace")
    return context.made(final[0], "application/json")

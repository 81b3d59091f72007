"""What is there: files, tables and their columns, missing values, results so far.

These tools hand back counts and names. A column's values stay where they are.
"""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from workbench.accounting import facts
from workbench.accounting.holes import related
from workbench.errors import Refused
from workbench.reply import Made, Preview, Reply
from workbench.tables.statistics import rounded
from workbench.tools.context import Context
from workbench.tools.inventory import inventory
from workbench.tools.registry import tool
from workbench.workspace import shown

if TYPE_CHECKING:
    from workbench.files.walking import Entry
    from workbench.tables.table import Column, Table

_WORST = 20
_SINGLY = 30
# Names of a group are given up to this: a column whose name is not known cannot be asked for.
_GROUP_CHARS = 1_200
# A listing beyond this is not even sent to the gate, which shows half of it at most.
_SENT = 1_000


@tool(
    effect="read",
    answer="read_share",
    rows="list_entries",
    looks=lambda given: bool(given.get("contents")),
)
def list_files(
    context: Context,
    folder: str = "",
    pattern: str | None = None,
    contents: bool = False,  # noqa: FBT001, FBT002 - a named argument of a call
) -> Reply:
    """List data files with their sizes. File names given here are what other tools take as `path`.

    `sets` names files of one layout, such as `wells/*.las`: as `path` they are one table with a
    column `file`.

    Parameters
    ----------
    folder : str
        Folder within the data; all if empty.
    pattern : str
        Name pattern such as `*.csv`.
    contents : bool
        Open each table: kind, rows, elements, samples, holes.
    """
    found = list(context.workspace.walk(folder))
    if folder not in {"", "."} and not found:
        raise Refused(f"folder '{shown(folder)}': no files there; leave it out")
    chosen = found if pattern is None else [one for one in found if _matches(one.name, pattern)]
    if contents:
        return inventory(context, chosen)
    counts = _kinds(entry.name for entry in chosen)
    values = {"files": len(chosen), **counts, "bytes": sum(entry.size for entry in chosen)}
    values |= _sets(context, chosen)
    return Reply(values, previews=_listing("files", chosen), notes=_too_many(context, chosen))


def _sets(context: Context, entries: Sequence[Entry]) -> dict[str, Any]:
    """Name the files that seem to be one table; a few are looked at, so that it is quick."""
    from workbench.tables.alike import propose

    found = propose(entries, context.workspace.open, context.desk, context.limits)
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
    from workbench.formats.registry import data_extensions

    # Endings are few, names may be a hundred thousand.
    endings = Counter(name[name.rfind(".") :] for name in names)
    data = {f".{ending}" for ending in data_extensions()}
    tables = sum(n for ending, n in endings.items() if ending.casefold() in data)
    return {"tables": tables, "other": endings.total() - tables}


def _listing(title: str, entries: Sequence[tuple[str, int]]) -> tuple[Preview, ...]:
    if not entries:
        return ()
    first = tuple((name, size) for name, size in entries[:_SENT])
    return (Preview(title, ("name", "bytes"), first, len(entries), title),)


def _too_many(context: Context, entries: Sequence[object]) -> tuple[str, ...]:
    most = context.limits["list_entries"].number
    if len(entries) <= most:
        return ()
    return (
        f"{len(entries):,} files; only the first {most:,} are listed: name a folder or a pattern",
    )


@tool(effect="read", rows="list_entries", answer="read_share")
def summarise_artefacts(context: Context) -> Reply:
    """List the result files made so far, newest question first; each can be a later `path`."""
    entries = list(context.results())
    values = {"files": len(entries), "bytes": sum(size for _, size in entries)}
    return Reply(values, previews=_listing("result files", entries))


@tool(effect="read")
def check_missing(context: Context, path: str, sheet: str | None = None) -> Reply:
    """Count missing values by column and reason (not received, insufficient, blank …).

    Worst first. Values below detection are not missing; they are counted apart. For a drillhole
    table also holes that the other tables lack, and intervals past the end.

    Parameters
    ----------
    path : str
        File.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    lacking = sorted(
        (column for column in table.columns if facts.gaps(column)),
        key=lambda column: -facts.gaps(column),
    )
    values: dict[str, Any] = {
        "rows_in": table.rows,
        "columns": len(table.columns),
        "columns_with_missing": len(lacking),
    }
    for column in lacking[:_WORST]:
        values[f"missing {facts.name(column.name)}"] = _missing_fact(column, table.rows)
    values["censored"] = _bounded(facts.censored(table.columns))
    told, about = related(context, path, table)
    values |= told
    notes = (*about, *facts.rejected(table))
    if len(lacking) <= _WORST:
        return Reply(values, notes=notes)
    made = _missing_table(context, path, table)
    values["output"] = facts.output(made.path)
    note = f"{len(lacking)} columns have missing values; the {_WORST} worst are shown"
    return Reply(values, made=(made,), notes=(note, *notes))


def _missing_fact(column: Column, rows: int) -> dict[str, Any]:
    total = facts.gaps(column)
    reasons = facts.without_zeros(column.missing)
    return {"share": rounded(total / max(rows, 1)), "n": total, "reasons": reasons}


def _bounded(values: dict[str, Any]) -> dict[str, Any]:
    """Keep the first entries of a mapping by column, and say how many more there are."""
    if len(values) <= _SINGLY:
        return values
    kept = dict(list(values.items())[:_SINGLY])
    return {**kept, "and more columns": len(values) - _SINGLY}


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
            facts.gaps(column),
            *(column.missing.get(reason, 0) for reason in reasons),
        ]
        for column in table.columns
    ]
    from workbench.accounting.results import small_table

    return small_table(context, context.named(path, "missing"), header, rows)

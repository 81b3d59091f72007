"""Tables of drillholes against each other: holes that one lacks, intervals past the end of a hole.

The tables are those of one folder, known by their columns. Nothing is mended; names of holes are
compared without regard to case and blanks, and what matches only without signs is said apart.
"""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Any

from workbench.accounting import facts
from workbench.errors import Refused
from workbench.tables.drillholes import ENDS, first, hole_column
from workbench.workspace import RUN_PREFIX

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table
    from workbench.tools.context import Context

KINDS = ("collar", "survey", "assay", "lithology")
# More files are not opened to be compared, nor larger ones.
_FILES = 16
_BYTES = 64 * 1024 * 1024
_NAMED = 3
# Depths are written with one or two decimals.
_CLOSE = 0.01


def related(context: Context, path: str, table: Table) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Compare a drillhole table with the others of its folder.

    Returns
    -------
    facts : dict
        Holes by kind of table, holes that lack in one, intervals past the end; empty if the table
        is none of drillholes or stands alone.
    notes : tuple of str
        What is wrong, in words.
    """
    if not table.holes or path.startswith(RUN_PREFIX):
        return {}, ()
    tables = {table.holes: table, **_siblings(context, path, table.holes)}
    if len(tables) < 2:  # noqa: PLR2004 - one table has nothing to be compared with
        return {}, ()
    names = {kind: _names(context, tables[kind]) for kind in KINDS if kind in tables}
    values: dict[str, Any] = {
        "drillholes": {
            kind: {"file": facts.name(tables[kind].source), "holes": len(found)}
            for kind, found in names.items()
        }
    }
    lacking, notes = _lacking(names)
    past = _past_end(context, tables)
    values |= {"holes_lacking": lacking} if lacking else {}
    values |= {"past_end_of_hole": past} if past else {}
    if past:
        listed = ", ".join(f"{n:,} in the {kind} table" for kind, n in past.items())
        notes.append(f"intervals past the end of their hole: {listed}")
    return values, tuple(notes)


def _siblings(context: Context, path: str, kind: str) -> dict[str, Table]:
    """Return the largest table of each other kind in the folder of a file."""
    from workbench.formats.format import extension
    from workbench.formats.registry import data_extensions

    folder = path.rpartition("/")[0]
    data = data_extensions()
    entries = [
        entry
        for entry in context.workspace.walk(folder)
        if entry.name.rpartition("/")[0] == folder
        and entry.name != path
        and extension(entry.name) in data
        and entry.size <= _BYTES
    ]
    found: dict[str, Table] = {}
    for entry in entries if len(entries) <= _FILES else ():
        with contextlib.suppress(Refused):
            for one in context.opened(entry.name).tables:
                known = found.get(one.holes)
                if one.holes not in {"", kind} and (known is None or known.rows < one.rows):
                    found[one.holes] = one
    return found


def _hole(table: Table) -> Column:
    """Return the column of holes of a table that is known to have one."""
    found = hole_column(table.columns)
    assert found is not None
    return found


def _names(context: Context, table: Table) -> dict[str, str]:
    """Return the holes of a table: name to compare by → name as written."""
    from workbench.tables.connection import quote

    column = quote(_hole(table).name)
    view = quote(context.connection.view(table))
    sql = f"SELECT DISTINCT {column} AS hole FROM {view} WHERE hole IS NOT NULL ORDER BY hole"  # noqa: S608 - quoted
    return {_folded(str(row[0])): str(row[0]) for row in context.connection.rows(sql)}


def _folded(name: str) -> str:
    return name.strip().casefold()


def _bare(name: str) -> str:
    """Return a name without signs and without zeros in front of its numbers: BH-001 as bh1."""
    return re.sub(r"(?<!\d)0+(?=\d)", "", re.sub(r"[^a-z0-9]+", "", name))


def _lacking(names: dict[str, dict[str, str]]) -> tuple[dict[str, int], list[str]]:
    """Count the holes of one table that another lacks: against the collars, and the reverse."""
    base = "collar" if "collar" in names else next(iter(names))
    counts, notes = {}, []
    pairs = [(kind, base) for kind in names if kind != base]
    for pair in pairs:
        for here, there in (pair, pair[::-1]):
            lost = [name for name in names[here] if name not in names[there]]
            if not lost:
                continue
            counts[f"{here} not in {there}"] = len(lost)
            shown = ", ".join(facts.name(names[here][name]) for name in lost[:_NAMED])
            more = " …" if len(lost) > _NAMED else ""
            bare = {_bare(name) for name in names[there]}
            near = sum(_bare(name) in bare for name in lost)
            hint = f"; {near:,} of them match without signs and leading zeros" if near else ""
            notes.append(
                f"{len(lost):,} holes of the {here} table are not in the {there} table "
                f"({shown}{more}){hint}"
            )
    return counts, notes


def _past_end(context: Context, tables: dict[str, Table]) -> dict[str, int]:
    """Count the intervals that end below the depth that the collar table gives their hole."""
    from workbench.tables.connection import quote

    collar = tables.get("collar")
    depth = first(collar.columns, "depth") if collar else None
    if collar is None or depth is None:
        return {}
    ends = ", ".join(f"{end!r}::DOUBLE" for end in ENDS)
    found = {}
    for kind in ("survey", "assay", "lithology"):
        table = tables.get(kind)
        base = first(table.columns, "depth" if kind == "survey" else "to") if table else None
        if table is None or base is None:
            continue
        own, other = quote(context.connection.view(table)), quote(context.connection.view(collar))
        ended = (
            f"SELECT lower(trim({quote(_hole(collar).name)})) AS h, max({quote(depth.name)}) AS e "  # noqa: S608
            f"FROM {other} GROUP BY h"
        )
        sql = (
            f"SELECT count(*) FROM {own} AS a JOIN ({ended}) AS c "  # noqa: S608 - quoted
            f"ON lower(trim(a.{quote(_hole(table).name)})) = c.h "
            f"WHERE a.{quote(base.name)} > c.e + {_CLOSE} AND a.{quote(base.name)} NOT IN ({ends})"
        )
        (times,) = context.connection.rows(sql)[0]
        if times:
            found[kind] = int(times)
    return found

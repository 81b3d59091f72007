"""What a folder holds: each file opened, its tables named by kind, with rows, samples and holes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from workbench.accounting import facts
from workbench.accounting.results import small_table
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tools.firstlook import look

if TYPE_CHECKING:
    from workbench.files.walking import Entry
    from workbench.tables.table import Table
    from workbench.tools.context import Context

HEADER = (
    *("file", "sheet", "kind", "rows", "columns", "elements", "samples", "holes", "grid"),
    *("first_date", "last_date", "remarks"),
)
_FILES, _BYTES, _SHOWN = 100, 64 * 1024 * 1024, 20
_LEFT = (
    f"files above {_BYTES // 1_048_576} MB, or beyond the first {_FILES}, were not opened: name a "
    "folder or a pattern"
)
_SHORT = ("file", "sheet", "kind", "rows", "columns", "elements", "samples", "holes")


def inventory(context: Context, entries: Sequence[Entry]) -> Reply:
    """Open the tables among some files and say what each is.

    Parameters
    ----------
    context : Context
        Of the call.
    entries : sequence of Entry
        Files of the workspace; at most 100 of 64 MB are opened, and it is said of the others.
    """
    from workbench.formats.format import extension
    from workbench.formats.registry import data_extensions

    data = data_extensions() | {"txt"}
    tables = [entry for entry in entries if extension(entry.name) in data]
    most = context.limits["load_bytes"].number if context.looking is not None else _BYTES
    opened = [e for e in tables if e.size <= _BYTES or (_is_text(e) and e.size <= most)][:_FILES]
    lines: list[dict[str, Any]] = []
    for place, entry in enumerate(opened):
        context.progress(f"opens {entry.name}", place / len(opened))
        lines += _lines(context, entry)
    kinds: dict[str, int] = {}
    for line in lines:
        kinds[line["kind"]] = kinds.get(line["kind"], 0) + 1
    values: dict[str, Any] = {
        "files": len(entries),
        "opened": len(opened),
        "not_opened": len(tables) - len(opened),
        "other": len(entries) - len(tables),
        "tables": {kind: kinds[kind] for kind in sorted(kinds, key=lambda k: (-kinds[k], k))},
    }
    if not lines:
        return Reply(values)
    made = small_table(
        context, "inventory", HEADER, [[line.get(key) for key in HEADER] for line in lines]
    )
    values["output"] = facts.output(made.path)
    rows = [[line.get(key) for key in _SHORT] for line in lines]
    shown = facts.preview(context, "tables", _SHORT, rows[:_SHOWN], len(rows), made.path)
    notes = (_LEFT,) if values["not_opened"] else ()
    return Reply(values, previews=(shown,), made=(made,), notes=notes)


def _lines(context: Context, entry: Entry) -> Iterator[dict[str, Any]]:
    """Yield a line for each table of a file, or one that says why it was not read."""
    try:
        tables = look(context, entry.name, whole=entry.size <= _BYTES).tables
    except Refused as error:
        yield {"file": entry.name, "kind": "not read", "remarks": str(error)[:300]}
        return
    if (first := context.first_lines.get(entry.name)) is not None:
        yield _at_first_sight(entry.name, tables[0], first["lines"])
        return
    for table in tables:
        yield _line(context, entry.name, table, several=len(tables) > 1)


def _is_text(entry: Entry) -> bool:
    """Tell whether a file may be known by its first lines."""
    from workbench.formats.format import extension
    from workbench.formats.registry import formats

    by_lines = (item.extensions for item in formats() if getattr(item, "by_lines", False))
    return extension(entry.name) in {"txt", *(one for some in by_lines for one in some)}


def _at_first_sight(name: str, table: Table, lines: int) -> dict[str, Any]:
    """Return what the first lines of a large file tell: nothing that is counted over all rows."""
    return {
        "file": name,
        "kind": _kind(name, table),
        "columns": len(table.columns),
        "elements": len({c.element for c in table.measured if c.element}) or None,
        "remarks": f"by its first {lines:,} lines; not counted",
    }


def _line(context: Context, name: str, table: Table, *, several: bool) -> dict[str, Any]:
    from workbench.figures.coordinates import grid_name

    dates = [column for column in table.with_role("date") if column.kind == "date"]
    line: dict[str, Any] = {
        "file": name,
        "sheet": table.sheet if several else None,
        "kind": _kind(name, table),
        "rows": table.rows,
        "columns": len(table.columns),
        "elements": len({c.element for c in table.measured if c.element}) or None,
        "samples": _distinct(context, table, "id"),
        "holes": _distinct(context, table, "hole"),
        "grid": grid_name(context, table) or None,
        "first_date": dates[0].min if dates else None,
        "last_date": dates[0].max if dates else None,
        "remarks": "; ".join(table.notes)[:300] or None,
    }
    return line


def _kind(name: str, table: Table) -> str:
    """Return what a table is, by its columns."""
    from workbench.formats.format import extension

    if table.holes:
        return f"{table.holes} of drillholes"
    if extension(name) in {"las", "zlas"} or (table.with_role("depth") and not table.measured):
        return "well log"
    placed = bool(table.with_role("easting", "longitude"))
    if table.measured:
        return "samples with places" if placed else "results without places"
    return "places" if placed else "other table"


def _distinct(context: Context, table: Table, role: str) -> int | None:
    """Count the names of one role; None where no column has it."""
    from workbench.tables.connection import quote

    column = next(iter(table.with_role(role)), None)
    if column is None or not column.count:
        return None
    view = quote(context.connection.view(table))
    sql = f"SELECT count(DISTINCT {quote(column.name)}) FROM {view}"  # noqa: S608 - quoted
    return int(context.connection.rows(sql)[0][0])

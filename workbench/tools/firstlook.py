"""A look at a large file that answers from its first lines while its snapshot is built.

A tool that only names what is there calls `look` in place of `Context.opened`. Whether the first
lines serve is decided here: live, where there is no snapshot yet; made again, as it was recorded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from workbench.errors import Refused
from workbench.files.fileset import is_pattern
from workbench.files.recordnames import SNAPSHOTS
from workbench.workspace import RUN_PREFIX, shown

if TYPE_CHECKING:
    from workbench.tables.opened import Opened
    from workbench.tables.table import Table
    from workbench.tools.context import Context
    from workbench.workspace import OpenFile


def look(context: Context, name: str, *, whole: bool = True) -> Opened:
    """Return the tables of a file for a look: of its first lines, where they have to serve.

    Parameters
    ----------
    context : Context
        Of the call; `Context.first_lines` then tells what was taken.
    name : str
        As the call names the file.
    whole : bool, optional
        Whether it is read as a whole where first lines do not serve and nobody read it before.

    Raises
    ------
    Refused
        If it cannot be read, or was to be read as a whole unasked.
    """
    if context.looking is None or is_pattern(name) or name.startswith(RUN_PREFIX):
        return context.opened(name)
    with context.open(name) as file:
        most = _bytes(context, name, file)
        found = _of_first_lines(context, name, file, most) if most else None
        if most and found is None and not whole:
            raise Refused(f"'{shown(name)}': large, and its first lines do not tell; name it alone")
    return context.opened(name) if found is None else found


def looked(context: Context, path: str, sheet: str | None) -> Table:
    """Return one table of a file for a look; see `look` and `Context.table`."""
    table = look(context, path).table(sheet)
    return table if path in context.first_lines else context.table(path, sheet)


def _bytes(context: Context, name: str, file: OpenFile) -> int:
    """Return how many bytes of a file are looked at; 0 for the whole of it."""
    from workbench.tables.firstlines import is_built, wanted
    from workbench.tables.snapshot import believed

    asked = context.looking or {}
    if "recorded" in asked:
        return int(asked["recorded"].get(name, 0))
    if name in asked.get("built", ()) or name in context.pins:
        return 0
    most = wanted(file, context.limits)
    shelf = context.workspace.results / SNAPSHOTS
    given = dict(context.overrides.get(file.name, {}))
    if not most or is_built(file, given, shelf, believed((context.shelf, shelf))):
        return 0
    return most


def _of_first_lines(context: Context, name: str, file: OpenFile, most: int) -> Opened | None:
    from workbench.tables.firstlines import taken
    from workbench.tables.snapshot import open_tables

    given = dict(context.overrides.get(file.name, {}))
    with taken(file, most, context.desk) as start:
        if start is None:
            return None
        head, told = start
        shared = context.workspace.results / SNAPSHOTS
        try:
            found = open_tables(
                head, context.shelf, context.limits, given, context.progress, shared=shared
            )
        except Refused:
            return None  # the whole may still be a table
    if len(found.tables) != 1:
        return None
    context.first_lines[name] = asdict(told)
    context.hit("look_bytes")
    context.weigh_text(name, file)
    return found


def facts_of(first_lines: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the basis of a look as facts: lines and bytes of each file."""
    if not first_lines:
        return {}
    kept = ("lines", "bytes", "of_bytes")
    return {"first_lines": {k: {key: v[key] for key in kept} for k, v in first_lines.items()}}


def notes_of(first_lines: Mapping[str, Mapping[str, Any]], named: object) -> tuple[str, ...]:
    """Say on what a look rests and how the whole is had.

    Parameters
    ----------
    first_lines : mapping
        File → what was taken.
    named : object
        The file that the call names; its snapshot is built meanwhile.
    """
    building = (
        "its snapshot is being built: ask again later, or wait for it with "
        "describe_table(…, whole=true); every tool that computes waits as well"
    )
    rest = {True: building, False: "describe_table has its snapshot built"}
    return tuple(
        f"{shown(name)}: looked at its first {one['lines']:,} lines only ({one['bytes']:,} of "
        f"{one['of_bytes']:,} bytes, limit look_bytes): roles and units are provisional, and "
        f"nothing is counted over all rows; {rest[name == named]}"
        for name, one in first_lines.items()
    )

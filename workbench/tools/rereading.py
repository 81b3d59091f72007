"""A file read again in another way: columns as the texts that they are in the file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from workbench.errors import Refused
from workbench.files.fileset import is_pattern
from workbench.files.recordnames import SNAPSHOTS

if TYPE_CHECKING:
    from workbench.tables.table import Table
    from workbench.tools.context import Context


def reread(context: Context, path: str, sheet: str | None, settings: Mapping[str, str]) -> Table:
    """Return a table as the reader makes it with settings of its own on top of the analyst's.

    Parameters
    ----------
    context : Context
        Of the call; the file was opened in it before.
    path, sheet : str
        As in `Context.table`.
    settings : mapping
        ``COLUMN.key`` → value; see `workbench.tables.overrides`.

    Raises
    ------
    Refused
        For a set of files.
    """
    from workbench.tables.snapshot import open_tables

    if is_pattern(path):
        raise Refused(f"'{path}': a set of files cannot be read in another way; name one file")
    with context.open(path) as file:
        own = dict(context.overrides.get(file.name, {}))
        opened = open_tables(
            file,
            context.shelf,
            context.limits,
            {**own, **settings},
            context.progress,
            None,
            context.workspace.results / SNAPSHOTS,
        )
    return opened.table(sheet)

"""The tables of one file as they were opened, and how one of them is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from workbench.errors import Refused, nearest
from workbench.files.fileset import is_pattern, set_stem
from workbench.tables.names import unique_names, view_name
from workbench.tables.source import Source
from workbench.tables.table import Table
from workbench.workspace import shown


@dataclass(frozen=True)
class Opened:
    """The tables of one file.

    Attributes
    ----------
    source : Source
        The file and how it was read.
    tables : tuple of Table
        One, or one a sheet.
    notes : tuple of str
        About the file as a whole.
    sha256 : str
        Hash of the description: pins every part of the snapshot.
    key : str
        Name of the snapshot.
    description : Path
        The description's file.
    """

    source: Source
    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    sha256: str
    key: str
    description: Path = field(default_factory=Path)

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file of the snapshot: the description, then one a table."""
        return (self.description, *(table.path for table in self.tables))

    def table(self, name: str | None = None) -> Table:
        """Return the table of a sheet or view name; the only one if no name is given.

        Raises
        ------
        Refused
            If the file has several tables and none, or an unknown one, was named.
        """
        known = [table.sheet or table.name for table in self.tables]
        if name is None:
            if len(self.tables) == 1:
                return self.tables[0]
            raise Refused(
                f"'{shown(self.source.path)}': {len(self.tables)} tables; name the sheet: "
                + ", ".join(known)[:300]
            )
        for table in self.tables:
            if name.casefold() in {(table.sheet or "").casefold(), table.name.casefold()}:
                return table
        raise Refused(f"'{shown(self.source.path)}': no sheet '{name[:60]}'{nearest(name, known)}")

    def to_json(self) -> dict[str, object]:
        """Return what ``describe --json`` prints."""
        return {
            "source": self.source.to_json(),
            "tables": [table.to_json() for table in self.tables],
            "notes": list(self.notes),
        }


def with_names(tables: Sequence[Table], path: str) -> tuple[Table, ...]:
    """Give every table the name of its view: the file's stem, or ``stem_sheet``."""
    stem = set_stem(path) if is_pattern(path) else PurePosixPath(path).stem
    several = len(tables) > 1
    wanted = [f"{stem}_{table.sheet}" if several and table.sheet else stem for table in tables]
    names = unique_names([view_name(name) for name in wanted])
    return tuple(replace(table, name=name) for table, name in zip(tables, names, strict=True))

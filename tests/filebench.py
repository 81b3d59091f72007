"""A bench for files: written into a temporary folder and opened as the product opens them."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from workbench.formats.format import RawTable
from workbench.formats.reading import Reading
from workbench.formats.registry import find
from workbench.limits import Limits
from workbench.tables.opened import Opened
from workbench.tables.snapshot import open_tables
from workbench.tables.table import Table
from workbench.workspace import OpenFile, Workspace


def contents(folder: Path) -> dict[str, str]:
    """Return a hash of every file below a folder."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@dataclass(frozen=True)
class Raw:
    """A raw table as rows of text, and what was said about it."""

    names: list[str]
    rows: list[tuple[str | None, ...]]
    lines: list[int]
    notes: tuple[str, ...]
    layout: Mapping[str, object]
    short: int
    long: int
    ragged: tuple[int, ...]
    sheet: str | None


@dataclass
class FileBench:
    """Files in a folder, and the tables made of them."""

    folder: Path
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        self.snapshots = self.folder / "snapshots"
        self.data = self.folder / "data"
        for place in (self.snapshots, self.data):
            place.mkdir(exist_ok=True)

    def write(self, name: str, content: bytes | str) -> Path:
        """Write a file; text as UTF-8."""
        path = self.data / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    @contextlib.contextmanager
    def opened(self, path: Path) -> Iterator[OpenFile]:
        """Open a file beneath its folder."""
        with Workspace(path.parent, self.folder / "results").open(path.name) as file:
            yield file

    def tables(self, path: Path, **options: object) -> Opened:
        """Open the tables of a file."""
        with self.opened(path) as file:
            return open_tables(file, self.snapshots, self.limits, **options)  # type: ignore[arg-type]

    def table(self, content: bytes | str, name: str = "t.csv", **options: object) -> Table:
        """Write a file and open its only table."""
        return self.tables(self.write(name, content), **options).table()

    def raw(self, content: bytes | str, name: str = "t.csv") -> Raw:
        """Write a file and read its first raw table."""
        return self.raws(self.write(name, content))[0]

    def raws(self, path: Path) -> Sequence[Raw]:
        """Read the raw tables of a file."""
        with self.opened(path) as file, Reading(self.snapshots, self.limits) as reading:
            return [
                Raw(
                    one.names,
                    reading.con.execute(f"SELECT * FROM {_part(reading, one)}").fetchall(),  # noqa: S608
                    [one.lines.line(row) for row in range(one.rows)],
                    one.notes,
                    vars(one.layout),
                    one.short_rows,
                    one.long_rows,
                    one.ragged_lines,
                    one.sheet,
                )
                for one in find(file).read(file, reading)
            ]


def _part(reading: Reading, raw: RawTable) -> str:
    """Return a relation with every column of a raw table, also of a very wide one."""
    return reading.part(raw.relation, range(len(raw.names)))

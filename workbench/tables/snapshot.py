"""A file read once into Parquet, so that every query of a run sees the same bytes.

A snapshot is found by the content of the file, the version of the reader and what was set about
columns; its description names the hash of every part, and the description's own hash pins them all.
Files appear whole or not at all, and several children may build the same one at once.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

import duckdb

from workbench.errors import Failed, Refused, nearest
from workbench.formats.format import RawTable, extension
from workbench.formats.reading import Progress, Reading, text
from workbench.formats.registry import find
from workbench.limits import Limits
from workbench.tables.decide import decide
from workbench.tables.measure import measure, rejected_cells
from workbench.tables.overrides import read_overrides, unknown_columns
from workbench.tables.record import from_record, to_record
from workbench.tables.remarks import remarks
from workbench.tables.table import Report, Source, Table, unique_names
from workbench.tables.typed import Typed, column_names, join_companions, select_typed
from workbench.workspace import OpenFile, shown

_GROUP_CELLS = 10_000_000
_GROUP_ROWS = 122_880
_BLOCK = 4 * 1024 * 1024
# Words that SQL would not take as a bare name.
_RESERVED = frozenset(
    ["all", "and", "any", "array", "as", "asc", "between", "both", "case", "cast", "check", "column", "constraint", "create", "default", "desc", "describe", "distinct", "do", "else", "end", "except", "false", "for", "foreign", "from", "grant", "group", "having", "in", "initially", "intersect", "into", "lateral", "leading", "limit", "not", "null", "offset", "on", "only", "or", "order", "pivot", "placing", "primary", "qualify", "references", "returning", "select", "show", "some", "summarize", "symmetric", "table", "then", "to", "trailing", "true", "union", "unique", "unpivot", "using", "variadic", "when", "where", "window", "with"]
)


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


def open_tables(
    file: OpenFile,
    snapshots: Path,
    limits: Limits,
    overrides: Mapping[str, object] | None = None,
    progress: Progress | None = None,
    pinned: str | None = None,
) -> Opened:
    """Open the tables of a file, reading it if there is no snapshot of it yet.

    Parameters
    ----------
    file : OpenFile
        The file.
    snapshots : Path
        Folder of the snapshots; made if it does not exist.
    limits : Limits
        The session's table.
    overrides : mapping, optional
        ``{"COLUMN.key": value}``; see `workbench.tables.overrides`.
    progress : callable, optional
        Called with a stage and a share; what it raises cancels.
    pinned : str, optional
        `Opened.sha256` of an earlier opening in this run.

    Raises
    ------
    Refused
        If the file cannot be read.
    Failed
        If the file or its snapshot is not the one that was pinned.
    """
    snapshots.mkdir(parents=True, exist_ok=True)
    given = dict(overrides or {})
    digest = _hash(file, progress)
    key = _key(digest, file.name, given)
    found = _load(file, snapshots, key)
    if found is None:
        found = _build(file, snapshots, limits, given, progress, digest, key)
    if pinned is not None and found.sha256 != pinned:
        raise Failed(
            f"'{shown(file.name)}': the file or its snapshot changed since this run opened it; "
            "start a new run"
        )
    return found


def _hash(file: OpenFile, progress: Progress | None) -> str:
    """Return the SHA-256 of the file's bytes."""
    digest, done = hashlib.sha256(), 0
    with file.stream() as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
            done += len(block)
            if progress is not None:
                progress("hash", done / max(file.size, done))
    return digest.hexdigest()


@functools.cache
def reader_version() -> str:
    """Return a hash of the code that reads, so that a changed reader never meets old snapshots."""
    digest = hashlib.sha256()
    for package in ("formats", "tables"):
        for path in sorted((Path(__file__).parent.parent / package).glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _key(digest: str, name: str, overrides: Mapping[str, object]) -> str:
    """Return the name of the snapshot of some content, read in some way."""
    parts = [digest, reader_version(), extension(name), sorted(overrides.items())]
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:32]


def _load(file: OpenFile, snapshots: Path, key: str) -> Opened | None:
    """Return a snapshot whose parts are what its description says; None if there is none."""
    path = snapshots / f"{key}.json"
    try:
        data = path.read_bytes()
        source, tables, notes = from_record(data, snapshots, file.name)
        for table in tables:
            with table.path.open("rb") as stream:
                if hashlib.file_digest(stream, "sha256").hexdigest() != table.sha256:
                    return None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    named = _named(tables, file.name)
    return Opened(source, named, notes, hashlib.sha256(data).hexdigest(), key, path)


def _named(tables: Sequence[Table], path: str) -> tuple[Table, ...]:
    """Give every table the name of its view."""
    stem = PurePosixPath(path).stem
    wanted = [stem if table.sheet is None or len(tables) == 1 else f"{stem}_{table.sheet}" for table in tables]
    names = unique_names([view_name(name) for name in wanted])
    return tuple(replace(table, name=name) for table, name in zip(tables, names, strict=True))


def view_name(name: str) -> str:
    """Make a name that SQL takes without quotes.

    Examples
    --------
    >>> view_name("2024 soils (final)"), view_name("table"), view_name("Görlitz")
    ('t_2024_soils_final', 't_table', 'Görlitz')
    """
    plain = re.sub(r"\W+", "_", name).strip("_") or "table"
    reserved = plain.casefold() in _RESERVED or plain[0].isdigit()
    return f"t_{plain}" if reserved else plain


def _build(
    file: OpenFile,
    snapshots: Path,
    limits: Limits,
    overrides: Mapping[str, object],
    progress: Progress | None,
    digest: str,
    key: str,
) -> Opened:
    """Read the file and publish its snapshot; another's that was quicker is taken as it is."""
    before = os.fstat(file.fd)
    item = find(file)
    with Reading(snapshots, limits, progress) as reading:
        try:
            raws = item.read(file, reading)
            _check_overrides(overrides, raws)
            tables = tuple(_write(reading, raw, snapshots, key, overrides) for raw in raws)
        except duckdb.OutOfMemoryException:
            raise Refused(
                f"'{shown(file.name)}': needs more memory than a child has; raise it with "
                "-l child_memory=BYTES, or keep fewer columns"
            ) from None
        notes = tuple(reading.notes)
    after = os.fstat(file.fd)
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        _discard(tables)
        raise Refused(f"'{shown(file.name)}': it changed while it was read; ask again")
    layout = raws[0].layout
    source = Source(file.name, digest, item.name, **vars(layout))
    _publish(snapshots / f"{key}.json", to_record(source, tables, notes))
    found = _load(file, snapshots, key)
    if found is None:
        raise Failed(f"'{shown(file.name)}': its snapshot could not be written; check the disk")
    _discard([table for table in tables if table.path not in found.files])
    return found


def _check_overrides(overrides: Mapping[str, object], raws: Sequence[RawTable]) -> None:
    names = [name for raw in raws for name in column_names([cell.name for cell in raw.headers])]
    unknown_columns(overrides, names)


def _write(
    reading: Reading, raw: RawTable, snapshots: Path, key: str, overrides: Mapping[str, object]
) -> Table:
    """Type one raw table and write it."""
    headers = [cell.name for cell in raw.headers]
    names = column_names(headers)
    decisions = decide(reading, raw, names, read_overrides(overrides, names))
    typed, dropped = _kept(join_companions(names, headers, decisions))
    part = reading.folder / secrets.token_hex(6)
    reading.told("write", 0.0)
    rows_a_group = max(1, min(_GROUP_ROWS, _GROUP_CELLS // max(len(typed), 1)))
    reading.con.execute(
        f"COPY ({select_typed(raw.relation, typed)}) TO {text(str(part))} "
        f"(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {rows_a_group})"
    )
    columns = measure(reading, part, raw.rows, typed)
    odd = [one for one, column in zip(typed, columns, strict=True) if column.rejected]
    report = Report(
        rejected_cells(reading, raw, odd),
        sum(column.rejected for column in columns),
        raw.short_rows,
        raw.long_rows,
        raw.ragged_lines,
    )
    notes = (*raw.notes, *dropped, *remarks(reading, part, columns, typed))
    reading.drop(raw.relation)
    with part.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    target = snapshots / f"{key}-{digest[:16]}.parquet"
    part.replace(target)
    return Table("", "", raw.sheet, tuple(columns), raw.rows, notes, report, target, digest)


def _kept(columns: Sequence[Typed]) -> tuple[list[Typed], list[str]]:
    """Leave out columns that have neither a name nor a value."""
    kept = [one for one in columns if one.header.strip() or one.decision.kind != "empty"]
    left = len(columns) - len(kept)
    return kept, [f"{left} columns without name and values were left out"] if left else []


def _publish(path: Path, data: bytes) -> None:
    """Write the description unless another was quicker; a damaged one is replaced."""
    part = path.with_suffix(f".{secrets.token_hex(6)}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _discard(tables: Sequence[Table]) -> None:
    for table in tables:
        table.path.unlink(missing_ok=True)

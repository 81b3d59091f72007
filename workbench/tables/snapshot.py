"""A file read once into Parquet, so that every query of a run sees the same bytes.

Files appear whole or not at all, and several children may build the same snapshot at once: the
first description wins, and it names parts that are there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from workbench.errors import Failed, Refused
from workbench.formats.format import RawTable
from workbench.formats.reading import Progress, Reading, check_bytes
from workbench.formats.registry import find
from workbench.formats.unread import Unread
from workbench.limits import Limits
from workbench.tables.control import find_control, repeated, said
from workbench.tables.decide import decide
from workbench.tables.drillholes import HOLE_ROLES, kind_of
from workbench.tables.drillholes import remarks as hole_remarks
from workbench.tables.measure import measure, rejected_cells
from workbench.tables.opened import Opened
from workbench.tables.overrides import read_overrides, sheets_asked, unknown_columns
from workbench.tables.pasted import raw_tokens
from workbench.tables.place import said as mixed_said
from workbench.tables.place import zones
from workbench.tables.record import to_record
from workbench.tables.remarks import remarks
from workbench.tables.source import Source
from workbench.tables.store import content_hash, discard, file_hash, load, publish, snapshot_key
from workbench.tables.table import Column, Report, Table
from workbench.tables.typed import Typed, column_names, join_companions
from workbench.tables.written import Written, write_snapshot
from workbench.workspace import OpenFile, shown

__all__ = ["Loaded", "Opened", "Wanted", "check_unchanged", "open_tables", "settled"]

_WITH_SHEETS = "workbook"


@dataclass(frozen=True)
class Loaded:
    """What was read, still text.

    Attributes
    ----------
    source : Source
        Where it came from, and how it was read.
    tables : sequence of RawTable
    check : callable
        Called once all is written: refuses what changed meanwhile, since large texts are read
        again for every pass.
    """

    source: Source
    tables: Sequence[RawTable]
    check: Callable[[], None] = lambda: None


Read = Callable[[Reading], Loaded]


@dataclass(frozen=True)
class Wanted:
    """A snapshot that is asked for.

    Attributes
    ----------
    name : str
        The file, or the pattern of a set of files.
    key : str
        See `workbench.tables.store.snapshot_key`.
    overrides : mapping
        ``{"COLUMN.key": value}``.
    pinned : str or None
        `Opened.sha256` of an earlier opening in this run.
    """

    name: str
    key: str
    overrides: Mapping[str, object]
    pinned: str | None = None


def open_tables(
    file: OpenFile,
    snapshots: Path,
    limits: Limits,
    overrides: Mapping[str, object] | None = None,
    progress: Progress | None = None,
    pinned: str | None = None,
    shared: Path | None = None,
) -> Opened:
    """Open the tables of a file, reading it if there is no snapshot of it yet.

    Parameters
    ----------
    file : OpenFile
        The file.
    snapshots : Path
        Folder that snapshots are built in; made if it does not exist.
    limits : Limits
        The session's table.
    overrides : mapping, optional
        ``{"COLUMN.key": value}``; see `workbench.tables.overrides`.
    progress : callable, optional
        Called with a stage and a share; what it raises cancels.
    pinned : str, optional
        `Opened.sha256` of an earlier opening in this run.
    shared : Path, optional
        Folder of snapshots that were built before, which is only read.

    Raises
    ------
    Refused
        If the file cannot be read.
    Failed
        If the file or its snapshot is not the one that was pinned.
    """
    # What is not read at all is refused before its bytes are gone through.
    item = find(file)
    if isinstance(item, Unread):
        item.refuse(file)
    check_bytes(file.name, file.size, limits)
    given = dict(overrides or {})
    places = (snapshots, shared)
    digest = content_hash(file, progress, believed(places))
    wanted = Wanted(file.name, snapshot_key(digest, file.name, given), given, pinned)
    return settled(wanted, places, limits, progress, lambda into: _read(file, digest, into))


def believed(places: tuple[Path, Path | None]) -> Path | None:
    """Return the folder whose list of known hashes may be believed: one that is only read."""
    built, shared = places
    return shared if shared != built else None


def settled(
    wanted: Wanted,
    places: tuple[Path, Path | None],
    limits: Limits,
    progress: Progress | None,
    read: Read,
) -> Opened:
    """Return a snapshot, building it by `read` if there is none yet.

    Raises
    ------
    Refused
        If it cannot be read.
    Failed
        If it is not the one that was pinned, or cannot be written.
    """
    snapshots, shared = places
    snapshots.mkdir(parents=True, exist_ok=True)
    found = load(snapshots, wanted.key, wanted.name)
    if found is None and shared is not None:
        found = load(shared, wanted.key, wanted.name, believed(places))
    if found is None:
        with Reading(snapshots, limits, progress, sheets_asked(wanted.overrides)) as reading:
            found = _build(wanted, snapshots, reading, read)
    if wanted.pinned is not None and found.sha256 != wanted.pinned:
        raise Failed(
            f"'{shown(wanted.name)}': the file or its snapshot changed since this run opened it; "
            "start a new run"
        )
    return found


def _read(file: OpenFile, digest: str, reading: Reading) -> Loaded:
    """Read one file."""
    before = os.fstat(file.fd)
    item = find(file)
    raws = item.read(file, reading)
    source = Source(file.name, digest, item.name, **vars(raws[0].layout))
    return Loaded(source, raws, lambda: check_unchanged(file, before))


def _build(wanted: Wanted, snapshots: Path, reading: Reading, read: Read) -> Opened:
    """Read what is wanted and publish its snapshot."""
    tables: list[Table] = []
    try:
        loaded = read(reading)
        names = [name for raw in loaded.tables for name in column_names(raw.names)]
        unknown_columns(wanted.overrides, names)
        _check_sheets(wanted.name, loaded, reading)
        for raw in loaded.tables:
            tables.append(_write(reading, raw, snapshots, wanted))  # noqa: PERF401 - what is written must be known if the next fails
        loaded.check()
        reading.notes += [
            f"set by hand: {path} = {value}" for path, value in wanted.overrides.items()
        ]
        record = to_record(loaded.source, tables, reading.notes)
        found = publish(snapshots, wanted.key, wanted.name, record)
    except BaseException as error:
        discard(tables)
        if isinstance(error, duckdb.OutOfMemoryException | MemoryError):
            raise _too_large(wanted.name) from None
        raise
    if found is None:
        raise Failed(f"'{shown(wanted.name)}': its snapshot could not be written; check the disk")
    discard(table for table in tables if table.path not in found.files)
    return found


def check_unchanged(file: OpenFile, before: os.stat_result) -> None:
    """Refuse a file that was written to while it was read."""
    after = os.fstat(file.fd)
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise Refused(f"'{shown(file.name)}': it changed while it was read; ask again")


def _check_sheets(name: str, loaded: Loaded, reading: Reading) -> None:
    """Refuse a setting about the sheets of a file that is no workbook."""
    if reading.sheets and loaded.source.format != _WITH_SHEETS:
        raise Refused(f"'{shown(name)}': has no sheets, so none can be set to be read")


def _too_large(name: str) -> Refused:
    return Refused(
        f"'{shown(name)}': needs more memory than a child has; raise it with "
        "-l child_memory=BYTES, or keep fewer columns"
    )


def _write(reading: Reading, raw: RawTable, snapshots: Path, wanted: Wanted) -> Table:
    """Type one raw table and write it."""
    raw = replace(raw, relation=reading.held(raw.relation, len(raw.headers), raw.rows))
    names = column_names(raw.names)
    decisions = decide(reading, raw, read_overrides(wanted.overrides, names))
    typed, dropped = _kept(join_companions(names, raw.names, decisions))
    written = write_snapshot(reading, raw, typed)
    columns, spreads = measure(reading, written, raw.rows, typed)
    report = _report(reading, raw, typed, columns, written)
    notes = [*raw.notes, *dropped, *remarks(reading, written, columns, typed, spreads)]
    mixed = zones(reading, written, columns, typed)
    notes += mixed_said(mixed)
    control = find_control(reading, written, columns, typed, _no_control(wanted.overrides))
    notes += [said(control)] if control else []
    notes += repeated(reading, written, columns, typed)
    holes = kind_of(columns)
    if holes:
        used = [one for one, c in zip(typed, columns, strict=True) if c.role in HOLE_ROLES]
        notes += hole_remarks(holes, columns, reading.one, written.source(reading, used))
    pasted = raw_tokens(reading, raw)
    reading.drop(raw.relation)
    digest = file_hash(written.path)
    target = snapshots / f"{wanted.key}-{digest[:16]}.parquet"
    written.path.replace(target)
    return Table(
        *("", "", raw.sheet, tuple(columns), raw.rows, tuple(notes), report, target, digest),
        control=control,
        holes=holes,
        zones=mixed,
        pasted=pasted,
    )


def _no_control(overrides: Mapping[str, object]) -> list[str]:
    """Return the columns that were said to mark no rows of quality control."""
    return [path.rpartition(".")[0] for path in overrides if path.rpartition(".")[2] == "control"]


def _report(
    reading: Reading,
    raw: RawTable,
    typed: Sequence[Typed],
    columns: Sequence[Column],
    written: Written,
) -> Report:
    """Say what did not fit."""
    odd = [one for one, column in zip(typed, columns, strict=True) if column.rejected]
    return Report(
        rejected_cells(reading, raw, odd, written),
        sum(column.rejected for column in columns),
        raw.short_rows,
        raw.long_rows,
        raw.ragged_lines,
    )


def _kept(columns: Sequence[Typed]) -> tuple[list[Typed], list[str]]:
    """Leave out columns that have neither a name nor a value."""
    kept = [one for one in columns if one.header.strip() or one.decision.kind != "empty"]
    left = len(columns) - len(kept)
    return kept, [f"{left} columns without name and values were left out"] if left else []

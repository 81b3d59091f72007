"""A file read once into Parquet, so that every query of a run sees the same bytes.

Files appear whole or not at all, and several children may build the same snapshot at once: the
first description wins, and it names parts that are there.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb

from workbench.errors import Failed, Refused
from workbench.formats.format import RawTable
from workbench.formats.reading import Progress, Reading
from workbench.formats.registry import find
from workbench.limits import Limits
from workbench.tables.decide import decide
from workbench.tables.measure import measure, rejected_cells
from workbench.tables.opened import Opened
from workbench.tables.overrides import read_overrides, unknown_columns
from workbench.tables.record import to_record
from workbench.tables.remarks import remarks
from workbench.tables.store import content_hash, discard, file_hash, load, publish, snapshot_key
from workbench.tables.table import Column, Report, Source, Table
from workbench.tables.typed import Typed, column_names, join_companions
from workbench.tables.written import write_snapshot
from workbench.workspace import OpenFile, shown

__all__ = ["Opened", "open_tables"]


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
    digest = content_hash(file, progress)
    key = snapshot_key(digest, file.name, given)
    found = load(snapshots, key, file.name)
    if found is None:
        with Reading(snapshots, limits, progress) as reading:
            found = _build(file, snapshots, reading, given, digest, key)
    if pinned is not None and found.sha256 != pinned:
        raise Failed(
            f"'{shown(file.name)}': the file or its snapshot changed since this run opened it; "
            "start a new run"
        )
    return found


def _build(
    file: OpenFile,
    snapshots: Path,
    reading: Reading,
    overrides: Mapping[str, object],
    digest: str,
    key: str,
) -> Opened:
    """Read the file and publish its snapshot."""
    tables: list[Table] = []
    try:
        before = os.fstat(file.fd)
        item = find(file)
        raws = item.read(file, reading)
        names = [name for raw in raws for name in column_names(raw.names)]
        unknown_columns(overrides, names)
        for raw in raws:
            tables.append(_write(reading, raw, snapshots, key, overrides))  # noqa: PERF401 - what is written must be known if the next fails
        _check_unchanged(file, before)
        source = Source(file.name, digest, item.name, **vars(raws[0].layout))
        record = to_record(source, tables, reading.notes)
        found = publish(snapshots, key, file.name, record)
    except BaseException as error:
        discard(tables)
        if isinstance(error, duckdb.OutOfMemoryException | MemoryError):
            raise _too_large(file) from None
        raise
    if found is None:
        raise Failed(f"'{shown(file.name)}': its snapshot could not be written; check the disk")
    discard(table for table in tables if table.path not in found.files)
    return found


def _check_unchanged(file: OpenFile, before: os.stat_result) -> None:
    """Refuse a file that was written to while it was read."""
    after = os.fstat(file.fd)
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise Refused(f"'{shown(file.name)}': it changed while it was read; ask again")


def _too_large(file: OpenFile) -> Refused:
    return Refused(
        f"'{shown(file.name)}': needs more memory than a child has; raise it with "
        "-l child_memory=BYTES, or keep fewer columns"
    )


def _write(
    reading: Reading, raw: RawTable, snapshots: Path, key: str, overrides: Mapping[str, object]
) -> Table:
    """Type one raw table and write it."""
    names = column_names(raw.names)
    decisions = decide(reading, raw, read_overrides(overrides, names))
    typed, dropped = _kept(join_companions(names, raw.names, decisions))
    written = write_snapshot(reading, raw, typed)
    columns = measure(reading, written, raw.rows, typed)
    report = _report(reading, raw, typed, columns)
    notes = (*raw.notes, *dropped, *remarks(reading, written, columns, typed))
    reading.drop(raw.relation)
    digest = file_hash(written.path)
    target = snapshots / f"{key}-{digest[:16]}.parquet"
    written.path.replace(target)
    return Table("", "", raw.sheet, tuple(columns), raw.rows, notes, report, target, digest)


def _report(
    reading: Reading, raw: RawTable, typed: Sequence[Typed], columns: Sequence[Column]
) -> Report:
    """Say what did not fit."""
    odd = [one for one, column in zip(typed, columns, strict=True) if column.rejected]
    return Report(
        rejected_cells(reading, raw, odd),
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

"""Where snapshots lie: how they are found, checked, published and thrown away.

A snapshot is found by the content of the file, the code of the reader and what was set about
columns. Its description names the hash of every part; a part that differs is no part of it.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path

from workbench.files import knownhashes
from workbench.formats.format import extension
from workbench.formats.reading import Progress
from workbench.tables.opened import Opened, with_names
from workbench.tables.record import from_record
from workbench.tables.table import Table
from workbench.workspace import OpenFile

_BLOCK = 4 * 1024 * 1024


def content_hash(
    file: OpenFile, progress: Progress | None = None, known: Path | None = None
) -> str:
    """Return the SHA-256 of a file's bytes.

    Parameters
    ----------
    file : OpenFile
        The file.
    progress : callable, optional
        Called with a stage and a share.
    known : Path, optional
        The folder of kept snapshots, whose list of hashes may be believed.
    """
    before = os.fstat(file.fd)
    if (found := knownhashes.recall(known, before)) is not None:
        return found
    digest, done = hashlib.sha256(), 0
    with file.stream() as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
            done += len(block)
            if progress is not None:
                progress("hash", done / max(file.size, done))
    knownhashes.remember(before, os.fstat(file.fd), digest.hexdigest())
    return digest.hexdigest()


@functools.cache
def reader_version() -> str:
    """Return a hash of the code that reads, so that a changed reader never meets old snapshots."""
    digest = hashlib.sha256()
    for package in ("formats", "tables"):
        for path in sorted((Path(__file__).parent.parent / package).glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def snapshot_key(digest: str, name: str, overrides: Mapping[str, object]) -> str:
    """Return the name of the snapshot of some content, read in some way.

    Parameters
    ----------
    digest : str
        Hash of the content.
    name : str
        Of the file: its extension has a say in how it is read.
    overrides : mapping
        What was set about columns.
    """
    parts = [digest, reader_version(), extension(name), sorted(overrides.items())]
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:32]


def load(snapshots: Path, key: str, name: str, known: Path | None = None) -> Opened | None:
    """Return a snapshot whose parts are what its description says; None if there is none."""
    path = snapshots / f"{key}.json"
    try:
        data = path.read_bytes()
        source, tables, notes = from_record(data, snapshots, name)
        if not all(_is_intact(table, known) for table in tables):
            return None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    named = with_names(tables, name)
    return Opened(source, named, notes, hashlib.sha256(data).hexdigest(), key, path)


def _is_intact(table: Table, known: Path | None) -> bool:
    before = knownhashes.recall(known, table.path.stat())
    return (before or file_hash(table.path)) == table.sha256


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file of our own."""
    with path.open("rb") as stream:
        before = os.fstat(stream.fileno())
        found = hashlib.file_digest(stream, "sha256").hexdigest()
        knownhashes.remember(before, os.fstat(stream.fileno()), found)
    return found


def publish(snapshots: Path, key: str, name: str, data: bytes) -> Opened | None:
    """Write a description in one step, and return the snapshot that is then in force.

    The first of several children that build the same snapshot wins; only a damaged one is
    replaced.
    """
    path = snapshots / f"{key}.json"
    part = snapshots / f"{key}.{secrets.token_hex(6)}.part"
    try:
        part.write_bytes(data)
        try:
            os.link(part, path)
        except OSError:
            # It exists, or the file system has no links.
            if load(snapshots, key, name) is None:
                part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return load(snapshots, key, name)


def discard(tables: Iterable[Table]) -> None:
    """Remove snapshots that no description names."""
    for table in tables:
        table.path.unlink(missing_ok=True)

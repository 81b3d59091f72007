"""The raw tables of a set of files, put one below the other while they are read.

Rows go into one relation a layout, the file's name before them. At the end the layout of most
files is kept; every file that gave no row is named with the reason.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

import numpy as np
import pyarrow as pa

from workbench.errors import LimitReached, Refused
from workbench.formats.delimited import DelimitedText
from workbench.formats.format import Format, HeaderCell, LineMap, RawTable, Stated
from workbench.formats.quoting import text
from workbench.formats.reading import WIDE, Reading, texts
from workbench.formats.registry import find
from workbench.tables.layout import Key, difference, joined, key_of
from workbench.tables.names import unique_names
from workbench.tables.snapshot import check_unchanged
from workbench.tables.source import Member, Source
from workbench.tables.typed import column_names
from workbench.workspace import OpenFile, shown

FILE = "file"
_NAMED = 5
# Small files whose rows are put in together: a statement takes longer than such a file.
_WAITING = 200
_TEXT = DelimitedText()
_NOTES = 8


@dataclass
class _Alike:
    """Raw tables of one layout in one relation.

    Attributes
    ----------
    first : RawTable
        The first of them; its order of columns holds.
    key : Key
        Their layout.
    relation : str
        The rows: the file's name in ``c0``, then the columns of `first`.
    cells : list of HeaderCell
        Headers of those columns.
    rows : dict of str to int
        Rows by file.
    starts, lines : list of int
        See `LineMap`; lines are those of the file that a row came from.
    notes : Counter
        What was noted, and of how many files.
    waiting : list of Table
        Rows of small files that are still to be put in.
    """

    first: RawTable
    key: Key
    relation: str
    cells: list[HeaderCell]
    rows: dict[str, int] = field(default_factory=dict)
    starts: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)
    waiting: list[pa.Table] = field(default_factory=list)
    total: int = 0
    short: int = 0
    long: int = 0

    def count(self, name: str, raw: RawTable, order: Sequence[int]) -> None:
        """Note what the rows of one more file came with."""
        self.starts += [self.total + int(at) for at in raw.lines.rows]
        self.lines += [int(line) for line in raw.lines.lines]
        self.rows[name] = self.rows.get(name, 0) + raw.rows
        self.total += raw.rows
        self.notes.update(raw.notes)
        self.short, self.long = self.short + raw.short_rows, self.long + raw.long_rows
        pairs = zip(self.cells, order, strict=True)
        self.cells = [joined(cell, raw.headers[at]) for cell, at in pairs]

    def table(self) -> RawTable:
        """Return the rows of all files as one raw table."""
        taken = column_names([cell.name for cell in self.cells])
        own = unique_names([FILE], taken)[0]
        headers = (HeaderCell(own, stated=Stated(role="group")), *self.cells)
        lines = LineMap(np.array(self.starts or [0]), np.array(self.lines or [1]))
        return replace(
            self.first,
            relation=self.relation,
            headers=headers,
            rows=self.total,
            lines=lines,
            notes=tuple(counted(self.notes, len(self.rows))),
            short_rows=self.short,
            long_rows=self.long,
            ragged_lines=(),
        )


class Gathering:
    """The tables of a set, as far as they were read.

    Parameters
    ----------
    pattern : str
        As the set was asked for.
    hashes : mapping of str to str
        Hash of every file by its name.
    into : Reading
        The loading connection.
    """

    def __init__(self, pattern: str, hashes: Mapping[str, str], into: Reading) -> None:
        self.pattern, self.hashes, self.into = pattern, hashes, into
        self.groups: dict[tuple[str, Key], _Alike] = {}
        self.differs: dict[str, str] = {}
        self.formats: Counter[str] = Counter()
        self.noted: Counter[str] = Counter()

    def add(self, file: OpenFile) -> None:
        """Read one more file; what cannot be read is kept by name and reason."""
        before, known = os.fstat(file.fd), len(self.into.notes)
        try:
            item: Format = _TEXT
            raws = _TEXT.read_alike(file, self.into)
            if raws is None:
                item = find(file)
                raws = item.read(file, self.into)
        except LimitReached:
            raise
        except Refused as refusal:
            del self.into.notes[known:]
            self.differs[file.name] = str(refusal).partition("': ")[2] or str(refusal)
            return
        self.formats[item.name] += 1
        self.noted.update(self.into.notes[known:])
        del self.into.notes[known:]
        for raw in raws:
            self._put(file.name, raw, (raw.sheet or "").casefold() if len(raws) > 1 else "")
            self.into.drop(raw.relation)
        check_unchanged(file, before)

    def _put(self, name: str, raw: RawTable, sheet: str) -> None:
        """Put the rows of one raw table below those of its layout."""
        if len(raw.headers) > WIDE:
            raise Refused(
                f"'{shown(name)}': {len(raw.headers):,} columns are too many for a set of files; "
                "open it alone"
            )
        names = column_names(raw.names)
        group = self._group(raw, names, sheet)
        places = {word.casefold(): at for at, word in enumerate(names)}
        order = [places[word.casefold()] for word in column_names(group.first.names)]
        own = PurePosixPath(name).name
        if self.into.is_wide(raw.relation):
            held = self.into.held_table(raw.relation)
            columns = [texts([own] * len(held)), *(held.column(f"c{at}") for at in order)]
            group.waiting.append(pa.table(columns, [f"c{at}" for at in range(len(columns))]))
            if len(group.waiting) >= _WAITING:
                self._flush(group)
        else:
            self._flush(group)  # rows stand in the order of the files
            cells = ", ".join([text(own), *(f"c{at}" for at in order)])
            self.into.con.execute(
                f"INSERT INTO {group.relation} SELECT {cells} FROM {raw.relation}"  # noqa: S608 - quoted
            )
        group.count(name, raw, order)

    def _flush(self, group: _Alike) -> None:
        """Put the rows of small files that are waiting into the relation of their layout."""
        if group.waiting:
            self.into.con.register("waiting", pa.concat_tables(group.waiting))
            self.into.con.execute(f"INSERT INTO {group.relation} SELECT * FROM waiting")  # noqa: S608 - our own names
            self.into.con.unregister("waiting")
            group.waiting.clear()

    def _group(self, raw: RawTable, names: Sequence[str], sheet: str) -> _Alike:
        key = key_of(raw, names)
        found = self.groups.get((sheet, key))
        if found is None:
            relation = self.into.relation()
            declared = ", ".join(f"c{at} VARCHAR" for at in range(len(names) + 1))
            self.into.con.execute(f"CREATE TABLE {relation} ({declared})")
            found = _Alike(raw, key, relation, list(raw.headers))
            self.groups[sheet, key] = found
        return found

    def whole(self, digest: str) -> tuple[Source, list[RawTable]]:
        """Return the tables that most files have in common, and where they came from.

        Raises
        ------
        Refused
            If no file could be read.
        """
        if not self.groups:
            first, reason = next(iter(self.differs.items()))
            raise Refused(
                f"'{shown(self.pattern)}': none of {len(self.differs):,} files can be read; "
                f"{shown(first)}: {reason}"
            )
        for group in self.groups.values():
            self._flush(group)
        chosen = self._chosen()
        self.into.use_threads(max(one.total for one in chosen))
        files = tuple(self._member(name, chosen) for name in self.hashes)
        self.into.notes += [*_said(files, chosen), *counted(self.noted, len(files))]
        layout = vars(chosen[0].first.layout)
        source = Source(self.pattern, digest, ", ".join(self.formats), **layout, files=files)
        return source, [one.table() for one in chosen]

    def _chosen(self) -> list[_Alike]:
        """Keep, for each sheet, the layout of most files; the first of equals."""
        best: dict[str, _Alike] = {}
        for (sheet, _), one in self.groups.items():
            if sheet not in best or len(one.rows) > len(best[sheet].rows):
                best[sheet] = one
        chosen = list(best.values())
        most = max(len(one.rows) for one in chosen)
        for one in self.groups.values():
            if not any(one is kept for kept in chosen):
                self.into.drop(one.relation)
        # Sheets named after jobs or dates are no layout of their own.
        kept = [one for one in chosen if len(one.rows) * 2 >= most]
        for one in chosen:
            if one not in kept:
                self.into.drop(one.relation)
        return kept

    def _member(self, name: str, chosen: Sequence[_Alike]) -> Member:
        rows = sum(one.rows.get(name, 0) for one in chosen)
        given = any(name in one.rows for one in chosen)
        reason = "" if given else self.differs.get(name) or self._difference(name, chosen[0])
        return Member(name, self.hashes[name], rows, reason)

    def _difference(self, name: str, wanted: _Alike) -> str:
        own = next((one for one in self.groups.values() if name in one.rows), None)
        return difference(own.key, wanted.key) if own is not None else "no table in it"


def _said(files: Sequence[Member], chosen: Sequence[_Alike]) -> list[str]:
    """Say which files are in the table, with how many rows, and which are not."""
    read = [one for one in files if not one.differs]
    odd = [one for one in files if one.differs]
    own = chosen[0].table().headers[0].name
    rows = [one.rows for one in read]
    listed = _listed((f"{_base(one.path)} {one.rows:,}" for one in read), len(read))
    told = [
        (
            f"{len(read):,} of {len(files):,} files of one layout as one table, named in column "
            f"'{own}': {sum(rows):,} rows, {min(rows):,} to {max(rows):,} a file ({listed})"
        )
    ]
    if odd:
        reasons = (f"{_base(one.path)} ({one.differs[:120]})" for one in odd)
        told.append(f"{len(odd):,} files differ and give no rows: {_listed(reasons, len(odd))}")
    return told


def _base(path: str) -> str:
    return shown(PurePosixPath(path).name)


def _listed(words: Iterable[str], total: int) -> str:
    first = [word for _, word in zip(range(_NAMED), words, strict=False)]
    return ", ".join(first) + (f" and {total - _NAMED:,} more" if total > _NAMED else "")


def counted(notes: Mapping[str, int], files: int) -> list[str]:
    """Return notes on single files, each kind once, with the number of files it is about.

    Notes that differ in nothing but what follows their first colon are of one kind.
    """
    kinds: dict[str, list[str]] = {}
    for note in notes:
        kinds.setdefault(note.partition(": ")[0], []).append(note)
    times = {kind: sum(notes[note] for note in same) for kind, same in kinds.items()}
    told = []
    for kind in sorted(kinds, key=lambda word: -times[word]):
        first = kinds[kind][0]
        several = ", such as" if len(kinds[kind]) > 1 else ""
        where = f"in {times[kind]:,} of {files:,} files{several}: " if files > 1 else ""
        told.append(f"{where}{first}")
    more = len(told) - _NOTES
    return [*told[:_NOTES], *([f"and {more:,} more notes on single files"] if more > 0 else [])]

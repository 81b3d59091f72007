"""A snapshot as it is written: by the engine, or a few columns at a time where there are very many.

Row groups hold some ten million cells and no more than 122,880 rows, so that a reader that wants
one group never holds much.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from workbench.formats.format import RawTable
from workbench.formats.quoting import text
from workbench.formats.reading import Reading
from workbench.tables.typed import Typed, names_of, places_of, select_typed
from workbench.tables.weighted import groups
from workbench.tables.wide import numbers
from workbench.tables.written_codes import write_codes

_GROUP_CELLS = 10_000_000
_GROUP_ROWS = 122_880
# Columns that one statement types; planning takes longer by the square of them.
_COLUMNS = 100


@dataclass(frozen=True)
class Written:
    """A snapshot that was just written.

    Attributes
    ----------
    path : Path
        The file.
    wide : pyarrow.Table or None
        Its content, where it has too many columns for the engine to look at once.
    odd : mapping
        By column the first cells that did not parse, as row and text, where they were met.
    coded : str
        The raw table, where it is kept as codes; else empty.
    """

    path: Path
    wide: pa.Table | None = None
    odd: Mapping[str, Sequence[tuple[int, str]]] = field(default_factory=dict)
    coded: str = ""

    def source(self, reading: Reading, columns: Iterable[Typed]) -> str:
        """Return SQL for a relation that has the given columns; good until the next call."""
        if self.wide is None:
            return f"read_parquet({text(str(self.path))})"
        names = [name for one in columns for name in names_of(one)]
        reading.con.register("written", self.wide.select(names))
        return "written"

    def each(self, names: Iterable[str]) -> Iterator[tuple[str, pa.ChunkedArray]]:
        """Yield some columns, one at a time, as they stand in the file."""
        if self.wide is not None:
            yield from ((name, self.wide.column(name)) for name in names)
            return
        with pq.ParquetFile(self.path) as file:
            for name in names:
                yield name, file.read([name], use_threads=False).column(0)


def _plain(reading: Reading, raw: RawTable, columns: Sequence[Typed]) -> dict[str, pa.ChunkedArray]:
    """Type the columns that are nothing but numbers."""
    found = {
        one.name: numbers(reading.column(raw.relation, one.decision.place), one.decision.grammar)
        for one in columns
        if one.decision.kind == "number" and not one.coded
    }
    return {name: values for name, values in found.items() if values is not None}


def write_snapshot(reading: Reading, raw: RawTable, columns: Sequence[Typed]) -> Written:
    """Type the columns of a raw table and write them as Parquet."""
    reading.told("write", 0.0)
    path = reading.folder / secrets.token_hex(6)
    stored = sum(len(names_of(one)) for one in columns)
    rows = max(1, min(_GROUP_ROWS, _GROUP_CELLS // max(stored, 1)))
    coded = reading.coded(raw.relation)
    if coded is not None:
        odd = write_codes(
            coded, columns, path, rows, reading.threads, lambda share: reading.told("write", share)
        )
        return Written(path, odd=odd, coded=raw.relation)
    if not reading.is_wide(raw.relation):
        reading.con.execute(
            f"COPY ({select_typed(raw.relation, columns)}) TO {text(str(path))} "
            f"(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {rows})"
        )
        return Written(path)
    typed = _plain(reading, raw, columns)
    left = [one for one in columns if one.name not in typed]
    for group in groups(range(len(left)), _COLUMNS):
        reading.told("write", group[0] / len(left))
        wanted = [left[at] for at in group]
        source = reading.part(raw.relation, sorted(places_of(wanted)))
        found = reading.con.sql(select_typed(source, wanted)).to_arrow_table()
        typed |= dict(zip(found.column_names, found.columns, strict=True))
    wide = pa.table({name: typed[name] for one in columns for name in names_of(one)})
    pq.write_table(wide, path, row_group_size=rows, compression="zstd")
    return Written(path, wide)

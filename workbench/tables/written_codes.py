"""A snapshot written from a text kept as codes: each text of a block is typed once, not each cell.

Blocks are typed in threads and written in order, so that equal input gives equal bytes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from workbench.formats.coded import Coded, codes_of, in_order
from workbench.tables.attached import NOTHING
from workbench.tables.cells import REJECTED
from workbench.tables.table import FLAG, LIMIT
from workbench.tables.typed import Typed, names_of, places_of, select_typed
from workbench.tables.wide import numbers

_LISTED = 50
# What typing the texts of one block may take.
_MEMORY = "300MB"
_WORDS = pa.dictionary(pa.int32(), pa.string())
# A text of more characters is long; what the writer may set aside in vain for one column.
_LONG = 10_000
_SET_ASIDE = 50_000_000
# Rows that the writer takes at once: with its own thousand it takes a quarter longer.
_BATCH = 65_536


@dataclass
class Odd:
    """The first cells that did not parse.

    Attributes
    ----------
    cells : dict
        By name of the column: row, counted from 0, and text.
    """

    cells: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    def add(self, name: str, found: Iterable[tuple[int, str]]) -> None:
        """Add cells of a column, up to as many as are listed."""
        known = self.cells.setdefault(name, [])
        known += [cell for _, cell in zip(range(_LISTED - len(known)), found, strict=False)]


Cells = dict[str, Any]
Oddities = dict[str, list[tuple[int, str]]]


def write_codes(
    coded: Coded,
    columns: Sequence[Typed],
    path: Path,
    rows: int,
    threads: int,
    told: Callable[[float], None],
) -> dict[str, list[tuple[int, str]]]:
    """Type the columns of a text and write them as Parquet.

    Parameters
    ----------
    coded : Coded
        The text.
    columns : sequence of Typed
        The columns of the snapshot.
    path : Path
        File to write.
    rows : int
        Rows of a row group.
    threads : int
        Threads to use.
    told : callable
        Called with the share that is done; what it raises ends the writing.

    Returns
    -------
    dict
        By column the first cells that did not parse: row, counted from 0, and text.
    """
    typing, odd = _Typing(columns), Odd()
    made = in_order(typing.block, coded.blocks(), threads)
    start, writer = 0, None
    try:
        for table, oddities in made:
            if writer is None:
                writer = _writer(path, table.schema)
            # A block has one list of words a column: rows of two blocks in one group of rows would
            # have the words of both written out, cell by cell.
            writer.write_table(table, row_group_size=rows)
            for name, cells in oddities.items():
                odd.add(name, ((start + row, text) for row, text in cells))
            start += len(table)
            told(start / coded.rows)
    finally:
        if writer is not None:
            writer.close()
    assert start == coded.rows
    return odd.cells


def _writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    """Open a file for blocks; nobody asks for the smallest and largest of flags and limits."""
    named = [name for name in schema.names if not name.endswith((FLAG, LIMIT))]
    return pq.ParquetWriter(
        path,
        schema,
        compression="zstd",
        store_schema=False,
        write_statistics=named,
        write_batch_size=_BATCH,
    )


class _Typing:
    """How the columns of a snapshot are made of those of a block.

    Columns that are made of their own cells alone are typed by text, those with others beside
    them by row.
    """

    def __init__(self, columns: Sequence[Typed]) -> None:
        self.columns = columns
        self.by_row = [one for one in columns if _beside(one)]
        self.sql: dict[str, str] = {}
        for one in columns:
            if not _beside(one) and not _as_it_is(one):
                # Columns that are read alike have the same statement, and go through it together.
                moved = replace(one, name="v", decision=replace(one.decision, place=0))
                self.sql[one.name] = select_typed("texts", [moved])
        self._own = threading.local()

    def _con(self) -> duckdb.DuckDBPyConnection:
        """Return the connection of this thread; statements of our own alone run in it."""
        if not hasattr(self._own, "con"):
            self._own.con = duckdb.connect(config={"threads": 1, "memory_limit": _MEMORY})
        con: duckdb.DuckDBPyConnection = self._own.con
        return con

    def block(self, batch: pa.RecordBatch) -> tuple[pa.Table, Oddities]:
        """Type one block."""
        made: Cells = {}
        odd: Oddities = {}
        waiting: dict[str, list[Typed]] = {}
        for one in self.columns:
            column = batch.column(one.decision.place)
            if _beside(one):
                continue
            if _as_it_is(one):
                made[one.name] = _wide_codes(column)
            elif (found := self._numbers(one, column)) is not None:
                made[one.name] = found
            else:
                waiting.setdefault(self.sql[one.name], []).append(one)
        for sql, alike in waiting.items():
            self._typed(sql, alike, batch, made, odd)
        made |= self._by_row(batch)
        names = [name for one in self.columns for name in names_of(one)]
        return pa.table({name: _long_apart(made[name]) for name in names}), odd

    def _numbers(self, one: Typed, column: pa.DictionaryArray) -> pa.Array | None:
        """Return a column of nothing but numbers; None if it is something else."""
        if one.decision.kind != "number" or one.coded:
            return None
        found = numbers(pa.chunked_array([column.dictionary]), one.decision.grammar)
        return None if found is None else found.combine_chunks().take(column.indices)

    def _typed(
        self, sql: str, alike: Sequence[Typed], batch: pa.RecordBatch, made: Cells, odd: Oddities
    ) -> None:
        """Type columns that are read alike: all their texts in one statement, blanks last."""
        columns = [batch.column(one.decision.place) for one in alike]
        texts = [_texts(column) for column in columns]
        con = self._con()
        con.register("texts", pa.table({"c0": pa.chunked_array(texts)}))
        found = con.sql(sql).to_arrow_table().combine_chunks()
        start = 0
        for one, column, own in zip(alike, columns, texts, strict=True):
            codes = codes_of(column)
            taken = pa.py_buffer(np.ascontiguousarray(codes, dtype=np.int32))
            places = pa.Array.from_buffers(pa.int32(), len(codes), [None, taken])
            for name, end in zip(names_of(one), ("", FLAG, LIMIT), strict=False):
                values = found.column("v" + end).combine_chunks().slice(start, len(own))
                made[name] = _taken(values, places)
                if end == FLAG:
                    odd |= _odd(one.name, values, codes, own)
            start += len(own)

    def _by_row(self, batch: pa.RecordBatch) -> Cells:
        """Type the columns that others stand beside."""
        if not self.by_row:
            return {}
        rows = {
            f"c{at}": batch.column(at).dictionary_decode() for at in sorted(places_of(self.by_row))
        }
        con = self._con()
        con.register("rows", pa.table(rows))
        found = con.sql(select_typed("rows", self.by_row)).to_arrow_table().combine_chunks()
        return {
            name: _word_codes(column.combine_chunks())
            for name, column in zip(found.column_names, found.columns, strict=True)
        }


def _beside(one: Typed) -> bool:
    """Tell whether a column is made of other columns too."""
    return one.flag_at is not None or one.decision.beside != NOTHING


def _as_it_is(one: Typed) -> bool:
    """Tell whether the texts of a column are kept as they are."""
    return not one.coded and one.decision.kind in {"text", "empty"}


def _texts(column: pa.DictionaryArray) -> pa.Array:
    """Return the texts of a column by their codes; behind them the blank, if there is one."""
    if not column.null_count:
        return column.dictionary
    return pa.concat_arrays([column.dictionary, pa.nulls(1, pa.string())])


def _wide_codes(column: pa.DictionaryArray) -> pa.DictionaryArray:
    """Return codes of one width, whatever a block needs."""
    return pa.DictionaryArray.from_arrays(column.indices.cast(pa.int32()), column.dictionary)


def _long_apart(column: pa.Array) -> pa.Array | pa.ChunkedArray:
    """Keep rows of long texts in pieces of their own.

    The writer may lay the texts of a piece out row by row, and sets aside the mean length of its
    different texts for every row: one cell of 1 MB would take gigabytes.
    """
    if not pa.types.is_dictionary(column.type) or not len(column.dictionary):
        return column
    sizes = pc.binary_length(column.dictionary).fill_null(0).to_numpy(zero_copy_only=False)
    if sizes.mean() * len(column) <= _SET_ASIDE:
        return column
    codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    long = np.append(sizes > _LONG, False)[codes]
    ends = [0, *(np.flatnonzero(np.diff(long)) + 1).tolist(), len(column)]
    pieces = []
    for start, stop in pairwise(ends):
        used, places = np.unique(codes[start:stop], return_inverse=True)
        blank = int(used[0] == -1)
        indices = pa.array(places - blank, pa.int32(), mask=places < blank)
        words = [column.dictionary[int(at)].as_py() for at in used[blank:]]
        pieces.append(pa.DictionaryArray.from_arrays(indices, pa.array(words, pa.string())))
    return pa.chunked_array(pieces, column.type)


def _word_codes(values: pa.Array) -> pa.Array:
    if pa.types.is_string(values.type):
        return values.dictionary_encode()
    return values


def _taken(values: pa.Array, places: pa.Array) -> pa.Array:
    """Give every row the value of its text."""
    if not pa.types.is_string(values.type):
        return values.take(places)
    words = values.dictionary_encode()
    return pa.DictionaryArray.from_arrays(words.indices.take(places), words.dictionary)


def _odd(name: str, flags: pa.Array, codes: NDArray[Any], texts: pa.Array) -> Mapping[str, Any]:
    """Return the first rows whose text did not parse, with the text."""
    rejected = [at for at, flag in enumerate(flags.to_pylist()) if flag == REJECTED]
    if not rejected:
        return {}
    rows = np.flatnonzero(np.isin(codes, rejected))[:_LISTED]
    return {name: [(int(row), texts[int(codes[row])].as_py()) for row in rows]}

"""A plain text as codes: block by block, the different texts of each column and a code a row.

Most columns of a long table hold few different texts. What is asked of a column is asked of its
texts and how often each occurs; what becomes of a cell is worked out once for each text. Cells
never pass through Python, and a file of any size needs the memory of some blocks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pcsv
from numpy.typing import NDArray

from workbench.formats.plain import LINE_BYTES, Look, NotPlain, Plain

# Of a block; two threads hold several of them.
BLOCK_BYTES = 16_000_000
# Texts of a column, and of all columns, that are kept; more are read from the blocks again.
_KEPT, _KEPT_IN_ALL = 1_000_000, 10_000_000
# Up to so many, equal ones of different blocks are not worth putting together; but each part lies
# in the way of the next block's cells, so that many small ones cost a child its memory.
_LOOSE, _PARTS = 300_000, 8
_NARROW = 32_767

Given = TypeVar("Given")
Made = TypeVar("Made")


def in_order(work: Callable[[Given], Made], items: Iterable[Given], threads: int) -> Iterator[Made]:
    """Do some work in threads and yield what it made in the order of the items.

    No more is begun than is soon wanted, so that memory stays bounded.
    """
    if threads == 1:
        yield from map(work, items)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Made]] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for one in waiting:
                one.cancel()


@dataclass
class Texts:
    """The different texts of one column and how often each occurs.

    Attributes
    ----------
    parts : list of Table or None
        ``cell`` and ``n``; a text may stand in several parts. None where they are too many.
    kept : int
        How many are kept at most.
    """

    kept: int = _KEPT
    parts: list[pa.Table] | None = field(default_factory=list)
    size: int = 0
    most: int = _LOOSE

    def add(self, part: pa.Table) -> None:
        """Add the texts of one more block."""
        if self.parts is None:
            return
        self.parts.append(part)
        self.size += len(part)
        if self.size > min(self.most, 2 * self.kept):
            self.settle()
        elif self.size <= _LOOSE and len(self.parts) > _PARTS:
            self._together()

    def settle(self) -> None:
        """Put equal texts together, where that makes them fewer."""
        if self.parts is None or self.size <= min(_LOOSE, self.kept):
            return
        # Sample numbers are all different: putting them together would cost much for nothing.
        if all(pc.max(part["n"]).as_py() == 1 for part in self.parts):
            self.parts = self.parts if self.size <= self.kept else None
            self.most = 2 * self.size
            return
        self._together()
        self.most = 2 * self.size + _LOOSE
        self.parts = self.parts if self.size <= self.kept else None

    def _together(self) -> None:
        assert self.parts is not None
        whole = pa.concat_tables(self.parts)
        sums = whole.group_by("cell", use_threads=False).aggregate([("n", "sum")])
        self.parts = [pa.table({"cell": sums["cell"], "n": sums["n_sum"]})]
        self.size = len(sums)


class Coded:
    """The blocks of one text in a file of our own.

    Parameters
    ----------
    path : Path
        File to keep the codes in.
    width : int
        Columns.
    """

    def __init__(self, path: Path, width: int) -> None:
        self.path, self.width, self.rows = path, width, 0
        self.first: tuple[str | None, ...] = ()
        kept = min(_KEPT, _KEPT_IN_ALL // max(width, 1))
        self._texts = [Texts(kept) for _ in range(width)]
        self._places: list[tuple[int, int]] = []

    def fill(self, blocks: Iterable[bytes], parse: Parse, plain: Plain, threads: int) -> None:
        """Look at blocks of whole lines, parse them and keep them.

        Raises
        ------
        NotPlain
            If a block holds what only the thorough look understands.
        """
        with self.path.open("wb") as out:
            for look, batch, counts in in_order(parse, blocks, threads):
                plain.add(look)
                if not self.rows and len(batch):
                    self.first = tuple(column[0].as_py() for column in batch.columns)
                self.rows += len(batch)
                data = _packed(batch)
                self._places.append((out.tell(), len(data)))
                out.write(data)
                for texts, column, n in zip(self._texts, batch.columns, counts, strict=True):
                    texts.add(_weighed(column, n))
        for texts in self._texts:
            texts.settle()

    def blocks(self, last: int | None = None) -> Iterator[pa.RecordBatch]:
        """Yield all blocks, or the last ones; columns ``c0`` … are texts and codes."""
        with pa.memory_map(str(self.path)) as file:
            whole = file.read_buffer()
            for start, size in self._places[-last if last else 0 :]:
                with pa.ipc.open_stream(whole.slice(start, size)) as stream:
                    yield stream.read_next_batch()

    def last(self, rows: int) -> list[tuple[str | None, ...]]:
        """Return the last rows; a block has more than anybody asks for, but for the last."""
        found: list[tuple[str | None, ...]] = []
        for batch in self.blocks(last=2):
            cells = [
                column.to_pylist() for column in batch.slice(max(len(batch) - rows, 0)).columns
            ]
            found += zip(*cells, strict=True)
        return found[-rows:]

    def texts(self, place: int) -> pa.RecordBatchReader:
        """Return ``c<place>`` and ``n``: the texts of a column and how often each occurs."""
        schema = pa.schema([(f"c{place}", pa.string()), ("n", pa.int64())])
        kept: Iterable[pa.Table] | None = self._texts[place].parts
        if kept is None:
            kept = (_weighed(block.column(place), None) for block in self.blocks())
        batches = (
            batch for table in kept for batch in table.rename_columns(schema.names).to_batches()
        )
        return pa.RecordBatchReader.from_batches(schema, batches)


Counts = list[NDArray[np.int64]]
Parse = Callable[[bytes], tuple[Look, pa.RecordBatch, Counts]]


def parser(plain: Plain) -> Parse:
    """Return what turns a block of whole lines of a plain text into codes."""
    width, delimiter = plain.width, plain.delimiter
    names = [f"c{place}" for place in range(width)]
    convert = pcsv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.dictionary(pa.int32(), pa.string())),
        strings_can_be_null=True,
        null_values=[""],
    )
    parse = pcsv.ParseOptions(
        delimiter=delimiter, quote_char=False, double_quote=False, newlines_in_values=False
    )

    def run(block: bytes) -> tuple[Look, pa.RecordBatch, Counts]:
        if (look := plain.look(block)) is None:
            raise NotPlain
        read = pcsv.ReadOptions(use_threads=False, block_size=len(block) + 1, column_names=names)
        try:
            found = pcsv.read_csv(pa.BufferReader(block), read, parse, convert).combine_chunks()
        except pa.ArrowInvalid:  # a record of another width
            raise NotPlain from None
        (batch,) = found.to_batches() or [pa.RecordBatch.from_pylist([], schema=found.schema)]
        columns, counts = [], []
        for column in batch.columns:
            codes = codes_of(column)
            counts.append(np.bincount(codes, minlength=len(column.dictionary) + 1))
            columns.append(_narrow(column))
        return look, pa.RecordBatch.from_arrays(columns, names), counts

    return run


def codes_of(column: pa.DictionaryArray) -> NDArray[np.int64]:
    """Return the code of every row; a blank has the one behind the last text."""
    indices = column.indices
    if indices.null_count:
        indices = indices.fill_null(pa.scalar(len(column.dictionary), indices.type))
    codes: NDArray[Any] = np.from_dlpack(indices)
    return codes


def _narrow(column: pa.DictionaryArray) -> pa.DictionaryArray:
    """Keep codes in two bytes where that is enough."""
    if len(column.dictionary) > _NARROW:
        return column
    return pa.DictionaryArray.from_arrays(column.indices.cast(pa.int16()), column.dictionary)


def _weighed(column: pa.DictionaryArray, counts: NDArray[np.int64] | None) -> pa.Table:
    if counts is None:
        counts = np.bincount(codes_of(column), minlength=len(column.dictionary) + 1)
    cells = column.dictionary
    if counts[-1]:
        cells = pa.concat_arrays([cells, pa.nulls(1, cells.type)])
    # The usual way from an array loads pandas first, which takes a second.
    times = np.ascontiguousarray(counts[: len(cells)], dtype=np.int64)
    n = pa.Array.from_buffers(pa.int64(), len(times), [None, pa.py_buffer(times)])
    return pa.table({"cell": cells, "n": n})


def _packed(batch: pa.RecordBatch) -> pa.Buffer:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return sink.getvalue()


def whole_lines(path: Path, skip: int, told: Callable[[int], None]) -> Iterator[bytes]:
    """Yield blocks of whole lines of a text that ends its lines with line feeds.

    Parameters
    ----------
    path : Path
        The text.
    skip : int
        Bytes before the first data record.
    told : callable
        Called with the bytes done.
    """
    with path.open("rb") as stream:
        stream.seek(skip)
        rest = b""
        while block := stream.read(BLOCK_BYTES):
            told(len(block))
            end = block.rfind(b"\n") + 1
            if end:
                yield rest + block[:end]
                rest = block[end:]
            else:
                rest += block
            if len(rest) > LINE_BYTES:
                raise NotPlain
        if rest:
            yield rest

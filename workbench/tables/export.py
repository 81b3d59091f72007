"""Results of a query as a file: streamed batch by batch, within the limits, safe in a spreadsheet.

A text cell that a spreadsheet would run as a formula gets an apostrophe in front; numbers, however
they begin, are left as they are. Parquet keeps every cell as it is.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from workbench.errors import LimitReached
from workbench.limits import Limits

Writer = Literal["csv", "parquet"]
# Rows of a batch, and cells: as text, a batch of wide rows would fill a child's memory.
_BATCH_ROWS, _BATCH_CELLS = 122_880, 4_000_000
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_FORMULA = r"(?s)^(?:[=@\t\r]|[+-].)"
_SPECIAL = r'[",\r\n]|^ | $'


@dataclass(frozen=True)
class Streamed:
    """A result file.

    Attributes
    ----------
    rows, bytes : int
        Its size.
    columns : tuple of str
        Its columns.
    neutralised : int
        Text cells that were made harmless.
    first : tuple of tuple
        The first rows, as many as were asked for.
    """

    rows: int
    bytes: int
    columns: tuple[str, ...]
    neutralised: int
    first: tuple[tuple[object, ...], ...] = ()


def batch_rows(columns: int) -> int:
    """Return how many rows of so many columns are handed on at once."""
    return max(1, min(_BATCH_ROWS, _BATCH_CELLS // max(columns, 1)))


def neutral(cell: str) -> str:
    """Return a text that no spreadsheet runs.

    Examples
    --------
    >>> neutral("=1+1"), neutral("-0.5"), neutral("-cmd"), neutral("Au")
    ("'=1+1", '-0.5', "'-cmd", 'Au')
    """
    if re.match(_FORMULA, cell) and not re.fullmatch(_NUMBER, cell):
        return "'" + cell
    return cell


def write(
    reader: pa.RecordBatchReader,
    path: Path,
    writer: Writer,
    limits: Limits,
    *,
    keep: int = 0,
    told: Callable[[int], None] = lambda _rows: None,
) -> Streamed:
    """Write the batches of a result.

    Parameters
    ----------
    reader : RecordBatchReader
        The result; it is never held whole.
    path : Path
        An existing or new file; its content is replaced.
    writer : {"csv", "parquet"}
        Format.
    limits : Limits
        Rows ``artefact_rows`` and ``artefact_bytes`` hold.
    keep : int, optional
        First rows to return as well.
    told : callable, optional
        Called with the rows written so far.

    Raises
    ------
    LimitReached
        If the result is longer or larger; what was written so far is left to the caller to remove.
    """
    with path.open("wb") as sink:
        kind = _Csv if writer == "csv" else _Parquet
        out = kind(sink, reader.schema)
        rows = 0
        first: list[tuple[object, ...]] = []
        with contextlib.closing(out):
            for batch in reader:
                if not batch.num_rows:
                    continue
                first += _tuples(batch.slice(0, max(keep - len(first), 0)))
                rows += batch.num_rows
                _check("artefact_rows", rows, limits)
                out.write(batch)
                told(rows)
                _check("artefact_bytes", sink.tell(), limits)
        size = sink.tell()
        _check("artefact_bytes", size, limits)
    return Streamed(rows, size, tuple(reader.schema.names), out.neutralised, tuple(first))


def _tuples(batch: pa.RecordBatch) -> list[tuple[object, ...]]:
    """Return the rows of a small batch."""
    return list(zip(*(column.to_pylist() for column in batch.columns), strict=True))


def _check(key: str, size: int, limits: Limits) -> None:
    if size > limits[key].number:
        raise LimitReached(
            f"result: {limits[key].sentence} Filter or group it, or raise the limit with "
            f"-l {key}=…",
            key,
        )


class _Parquet:
    """Batches into Parquet."""

    neutralised = 0

    def __init__(self, sink: BinaryIO, schema: pa.Schema) -> None:
        self._writer = pq.ParquetWriter(sink, schema, compression="zstd")

    def write(self, batch: pa.RecordBatch) -> None:
        self._writer.write_batch(batch)

    def close(self) -> None:
        self._writer.close()


class _Csv:
    """Batches into CSV: quotes only where they are needed, LF line ends, blanks for NULL."""

    def __init__(self, sink: BinaryIO, schema: pa.Schema) -> None:
        self._sink = sink
        self.neutralised = 0
        names = [neutral(name) for name in schema.names]
        sink.write((",".join(map(_quoted, names)) + "\n").encode())

    def write(self, batch: pa.RecordBatch) -> None:
        cells = [self._cells(column) for column in batch.columns]
        lines = pc.binary_join_element_wise(*cells, ",", null_handling="replace")
        if len(cells) == 1:
            # A single column that is blank would be an empty line, which readers skip.
            lines = pc.if_else(pc.equal(lines, ""), '""', lines)
        ended = pc.binary_join_element_wise(lines, "", "\n")
        # The texts lie one behind another in memory: that is the file.
        self._sink.write(ended.buffers()[2][: pc.sum(pc.binary_length(ended)).as_py()])

    def close(self) -> None:
        """Nothing is buffered."""

    def _cells(self, column: pa.Array) -> pa.Array:
        """Return a column as CSV cells."""
        if not _is_text(column.type):
            return pc.cast(column, pa.string())
        texts = pc.cast(column, pa.string())
        risky = pc.and_(
            pc.match_substring_regex(texts, _FORMULA),
            pc.invert(pc.match_substring_regex(texts, f"^(?:{_NUMBER})$")),
        )
        times = pc.sum(risky).as_py() or 0
        if times:
            self.neutralised += times
            texts = pc.if_else(risky, pc.binary_join_element_wise("'", texts, ""), texts)
        special = pc.match_substring_regex(texts, _SPECIAL)
        if pc.any(special).as_py():
            doubled = pc.replace_substring(texts, '"', '""')
            texts = pc.if_else(special, pc.binary_join_element_wise('"', doubled, '"', ""), texts)
        return texts


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if re.search(_SPECIAL, name) else name


def castable(columns: Sequence[tuple[str, str]]) -> list[bool]:
    """Tell which result columns are written as they are; others become text first.

    Parameters
    ----------
    columns : sequence of tuple of str
        Name and type of the engine.
    """
    plain = re.compile(
        r"^(BOOLEAN|U?(TINY|SMALL|BIG)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)|VARCHAR|DATE|"
        r"TIMESTAMP|TIMESTAMP_S|TIMESTAMP_MS)$"
    )
    return [bool(plain.match(kind)) for _, kind in columns]

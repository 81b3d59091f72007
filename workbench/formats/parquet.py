"""Parquet: columns are taken as text, like those of any other format.

So one set of rules decides about identifiers, censored values and missing ones.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from workbench.errors import LimitReached, Refused
from workbench.formats.format import Glimpse, Head, HeaderCell, Layout, LineMap, RawTable
from workbench.formats.quoting import WHITE, cell_sql, quote, text
from workbench.formats.reading import WIDE, Reading
from workbench.limits import Limits
from workbench.workspace import OpenFile, shown

_MAGIC = b"PAR1"
# To look for white space takes ten times as long as to write a number.
_BARE = re.compile(r"DOUBLE|FLOAT|DECIMAL|\w*INT(EGER)?$|BOOLEAN$|DATE$|TIMESTAMP")


class Parquet:
    """Parquet files."""

    name = "Parquet"
    extensions = ("parquet", "pq")
    is_data = True
    rank = 10
    by_extension = False

    def recognises(self, glimpse: Glimpse) -> bool:
        """Tell by the signature at both ends."""
        return glimpse.head.startswith(_MAGIC) and glimpse.tail.endswith(_MAGIC)

    def read(self, file: OpenFile, into: Reading) -> Sequence[RawTable]:
        """Read all columns as text.

        Raises
        ------
        Refused
            If the file is damaged, or its rows and columns are more than may be unpacked.
        """
        into.check_size(file)
        with file.stream() as stream:
            meta = _opened(stream, file).metadata
            rows, names = meta.num_rows, _opened(stream, file).schema_arrow.names
        _check_cells(file, rows * len(names), into.limits)
        into.use_threads(rows)
        try:
            relation = _wide(file, len(names), into) if len(names) > WIDE else _narrow(file, into)
        except duckdb.OutOfMemoryException:
            raise
        except (duckdb.Error, pa.ArrowException, OSError) as error:
            raise _damaged(file, error) from None
        headers = tuple(HeaderCell(name) for name in names)
        layout = Layout(header_rows=0)
        return (RawTable(relation, headers, rows, layout=layout, lines=LineMap.starting(1)),)

    def head(self, file: OpenFile, n: int, limits: Limits) -> Head:
        """Return the first rows as tab-separated text and the number of rows."""
        with file.stream() as stream:
            parquet = _opened(stream, file)
            total, names = parquet.metadata.num_rows, parquet.schema_arrow.names
            _check_cells(file, total * len(names), limits)
            try:
                batches = parquet.iter_batches(batch_size=max(n, 1)) if n > 0 else iter(())
                rows = [
                    row
                    for batch in itertools.islice(batches, 1)
                    for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)
                ]
            except (pa.ArrowException, OSError) as error:
                raise _damaged(file, error) from None
        lines = ("\t".join("" if cell is None else str(cell) for cell in row) for row in rows[:n])
        return Head(tuple(lines), total, names="\t".join(names))


def _narrow(file: OpenFile, into: Reading) -> str:
    """Read all columns at once."""
    source = f"read_parquet({text(str(file.path))})"
    shape = into.con.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()  # noqa: S608 - quoted
    cells = ", ".join(f"{_cell(*row[:2])} AS c{place}" for place, row in enumerate(shape))
    query = f"SELECT {cells} FROM {source}"  # noqa: S608 - quoted
    return into.keep(query, file.size)


def _cell(name: str, kind: str) -> str:
    """Return SQL of a cell as text; only a text can have white space around it."""
    written = f"CAST({quote(name)} AS VARCHAR)"
    return written if _BARE.match(kind) else cell_sql(written)


def _wide(file: OpenFile, width: int, into: Reading) -> str:
    """Read a few columns at a time."""
    columns: dict[str, pa.ChunkedArray] = {}
    with file.stream() as stream:
        parquet = _opened(stream, file)
        for place in range(width):
            name = parquet.schema.column(place).path
            cells = parquet.read(columns=[name]).column(0).cast(pa.string())
            cells = pc.utf8_trim(cells, WHITE)
            columns[f"c{place}"] = pc.if_else(pc.equal(cells, ""), None, cells)
    return into.hold(pa.table(columns))


def _opened(stream: object, file: OpenFile) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(stream)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(file, error) from None


def _check_cells(file: OpenFile, cells: int, limits: Limits) -> None:
    """Refuse a file whose declared cells are more than the bytes that may be unpacked."""
    most = limits["inflate_bytes"].number
    if cells > most:
        raise LimitReached(
            f"'{shown(file.name)}': it declares {cells:,} cells, and no more than {most:,} bytes "
            f"are unpacked; raise it with -l inflate_bytes={cells}",
            "inflate_bytes",
        )


def _damaged(file: OpenFile, error: Exception) -> Refused:
    reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
    return Refused(f"'{shown(file.name)}': damaged Parquet file ({reason}); export it again")


FORMATS = (Parquet(),)

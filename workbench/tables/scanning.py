"""Reading a snapshot in bounded pieces.

The engine and the arrays of tools both read through here: one group of rows ahead and no more, so
that a wide table does not fill a child's memory before the first row is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

# Bytes a text takes beside its codes, below which it is one of a few words.
_REPEATS = 1.0


class Bounded(ds.FileSystemDataset):  # type: ignore[misc]
    """A dataset whose scans read one batch ahead, in order."""

    def scanner(self, **options: Any) -> ds.Scanner:  # noqa: ANN401 - the library's options
        """Return a scanner; the engine asks for it with its own columns and filters."""
        options |= {"batch_readahead": 1, "fragment_readahead": 1, "use_threads": False}
        return super().scanner(**options)


def snapshot(path: Path, words: Sequence[str] = ()) -> Bounded:
    """Open a snapshot.

    Parameters
    ----------
    path : Path
        The Parquet file.
    words : sequence of str, optional
        Text columns of few different words: they are read as codes and a list.

    Raises
    ------
    OSError, pyarrow.ArrowException
        If it cannot be read.
    """
    options = ds.ParquetReadOptions(dictionary_columns=set(words))
    whole = ds.dataset(path, format=ds.ParquetFileFormat(read_options=options))
    return Bounded(list(whole.get_fragments()), whole.schema, whole.format, whole.filesystem)


def engine_view(path: Path) -> Bounded:
    """Open a snapshot for the engine: texts that repeat as codes, the smallest column first.

    Grouping by codes is several times as fast as by texts; and to count rows the engine reads the
    first column, whatever it holds.
    """
    sizes = _sizes(path)
    words = [name for name, (size, is_text) in sizes.items() if is_text and size < _REPEATS]
    whole = snapshot(path, words)
    first = min(sizes, key=lambda name: sizes[name][0])
    names = [first, *(name for name in whole.schema.names if name != first)]
    schema = pa.schema([whole.schema.field(name) for name in names], whole.schema.metadata)
    return Bounded(list(whole.get_fragments()), schema, whole.format, whole.filesystem)


def _sizes(path: Path) -> dict[str, tuple[float, bool]]:
    """Return, by column, the bytes a value takes in the first row group, and whether it is text."""
    facts = pq.ParquetFile(path).metadata
    if not facts.num_row_groups:
        return dict.fromkeys(facts.schema.to_arrow_schema().names, (0.0, False))
    group = facts.row_group(0)
    columns = [group.column(at) for at in range(group.num_columns)]
    return {
        one.path_in_schema: (
            one.total_uncompressed_size / max(group.num_rows, 1),
            one.physical_type == "BYTE_ARRAY",
        )
        for one in columns
    }

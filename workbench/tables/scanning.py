"""Reading a snapshot in bounded pieces.

The arrays of tools are read through here: one group of rows ahead and no more, so that a wide table
does not fill a child's memory before the first row is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds


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

"""What the read guard asks of a file: is it data, how long is it, what are its first lines.

A row of a workbook or Parquet file counts as a line. A file is data by its extension, or because
its first 64 KB hold a table, whatever it is called.
"""

from __future__ import annotations

from workbench.files.rowtext import is_rows
from workbench.formats.counting import text_head
from workbench.formats.encoding import decode, guess
from workbench.formats.format import GLIMPSE_BYTES, Glimpse, Head, extension
from workbench.formats.registry import data_extensions, recognised
from workbench.limits import Limits
from workbench.workspace import OpenFile


def head_lines(file: OpenFile, n: int, limits: Limits | None = None) -> Head:
    """Return the first lines of a file, or rows of a workbook, and how many there are.

    Parameters
    ----------
    file : OpenFile
        Any file.
    n : int
        Lines wanted; below 1 none.
    limits : Limits, optional
        Bounds on what is unpacked to count rows; the published table if left out.

    Raises
    ------
    Refused
        If a packed file cannot be opened or would unpack to too much.
    """
    item = recognised(Glimpse.of(file))
    limits = limits or Limits()
    return item.head(file, n, limits) if item else text_head(file, n, limits)


def is_data_file(file: OpenFile) -> bool:
    """Tell whether a file falls under the data-file rule.

    True by extension, by a signature of a data format, or because the first 64 KB read as a
    delimited or fixed-width table or as records in another dress.
    """
    if extension(file.name) in data_extensions():
        return True
    glimpse = Glimpse.of(file)
    item = recognised(glimpse)
    if item is not None and item.is_data:
        return True
    # Pages and markup too: records stand between tags as well as between commas.
    encoding = guess(glimpse.head)
    if encoding is None:
        return False
    lines = decode(glimpse.head, encoding).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return is_rows(lines if file.size <= GLIMPSE_BYTES else lines[:-1])

"""All formats, and which one a file is of: by its content first, by its extension second.

Every module of this package that has a ``FORMATS`` tuple adds to the list; nothing else names a
format.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil

import workbench.formats
from workbench.errors import Refused
from workbench.formats.encoding import guess
from workbench.formats.format import Format, Glimpse
from workbench.workspace import OpenFile, shown


@functools.cache
def formats() -> tuple[Format, ...]:
    """Return all formats, those with a signature first."""
    found: list[Format] = []
    for module in pkgutil.iter_modules(workbench.formats.__path__):
        loaded = importlib.import_module(f"workbench.formats.{module.name}")
        found += getattr(loaded, "FORMATS", ())
    return tuple(sorted(found, key=lambda item: (item.rank, item.name)))


def find(file: OpenFile) -> Format:
    """Find the format of a file.

    Raises
    ------
    Refused
        If the file is empty, binary of no known kind, or text without a table. A format that is
        known by name alone is returned and refuses when it is read.
    """
    glimpse = Glimpse.of(file)
    if not file.size:
        raise Refused(f"'{shown(file.name)}': the file is empty (0 bytes); nothing to read")
    by_content = recognised(glimpse)
    if by_content is not None:
        return by_content
    text = guess(glimpse.head) is not None
    for item in formats():
        # A binary file is not text because its name says so, and the other way round.
        if text and glimpse.extension in item.extensions and item.by_extension:
            return item
    if text:
        raise Refused(
            f"'{shown(file.name)}': plain text without a table; read it with read_file or "
            "search_text"
        )
    raise Refused(
        f"'{shown(file.name)}': binary data of no known kind (starts with "
        f"{glimpse.head[:4].hex(' ')}); export it as CSV, XLSX or Parquet"
    )


def recognised(glimpse: Glimpse) -> Format | None:
    """Return the format whose content this is; None if no format knows it."""
    return next((item for item in formats() if item.recognises(glimpse)), None)


def data_extensions() -> frozenset[str]:
    """Return the extensions that mean data whatever the file looks like."""
    return frozenset(name for item in formats() if item.is_data for name in item.extensions)

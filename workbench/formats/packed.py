"""Packed tables: delimited text, JSON, GeoJSON and LAS logs inside a ZIP or GZIP file.

Every text inside that holds a table is read as if it lay beside the archive, and becomes a table of
its own; what is not read is named. Archives inside archives stay closed.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from workbench.errors import LimitReached, Refused
from workbench.formats.counting import count_lines
from workbench.formats.encoding import Encoding, decode, guess
from workbench.formats.format import Format, Glimpse, Head, RawTable
from workbench.formats.reading import Reading
from workbench.formats.registry import find, formats, recognised
from workbench.formats.unpack import Part, gzip_part, is_packed, unpacked, zip_parts
from workbench.limits import Limits
from workbench.workspace import OpenFile, shown

# More tables in one file are better unpacked into a folder.
_TABLES = 200
_NAMED = 8
# How packed documents of office programs begin: their first part.
_DOCUMENTS = (b"[Content_Types].xml", b"mimetype", b"META-INF/", b"_rels/")
_NAME_AT = 30

Parts = Callable[[OpenFile, Limits], AbstractContextManager[list[Part]]]


@dataclass(frozen=True)
class Packed:
    """Tables in a packed file.

    Attributes
    ----------
    name : str
        As a person says it.
    extensions : tuple of str
        In lower case.
    signatures : tuple of bytes
        How such a file begins.
    parts : callable
        Opens it and lists what is inside.
    """

    name: str
    extensions: tuple[str, ...]
    signatures: tuple[bytes, ...]
    parts: Parts
    is_data: bool = True
    rank: int = 50
    by_extension: bool = False

    def recognises(self, glimpse: Glimpse) -> bool:
        """Tell by the signature; documents of office programs are no packed tables."""
        named = glimpse.head[_NAME_AT : _NAME_AT + 64]
        return glimpse.head.startswith(self.signatures) and not named.startswith(_DOCUMENTS)

    def read(self, file: OpenFile, into: Reading) -> Sequence[RawTable]:
        """Read every table inside.

        Raises
        ------
        LimitReached
            If it would grow beyond the limits.
        Refused
            If it is damaged or locked, or holds no table.
        """
        into.check_size(file)
        with self.parts(file, into.limits) as parts:
            wanted, left = _sorted(parts)
            _check_number(file, wanted)
            found: list[tuple[Part, Sequence[RawTable], Sequence[str]]] = []
            for done, part in enumerate(wanted):
                into.told("decode", done / len(wanted))
                try:
                    found.append((part, *_read(part, file, into)))
                except LimitReached:
                    raise
                except Refused as refusal:
                    left.append(str(refusal))
        if not found:
            raise _no_table(file, left)
        into.notes += _left_out(left)
        if len(found) == 1:
            into.notes.insert(0, f"read from '{found[0][0].label}' inside the packed file")
            into.notes += found[0][2]
            return found[0][1]
        return [table for one in found for table in _named(*one)]

    def head(self, file: OpenFile, n: int, limits: Limits) -> Head:
        """Return the first lines of the first table inside, and the lines of all tables."""
        with self.parts(file, limits) as parts:
            wanted, left = _sorted(parts)
            if not wanted:
                raise _no_table(file, left)
            lines: tuple[str, ...] = ()
            total, exact = 0, True
            for part in wanted:
                start = part.glimpse().head
                encoding = guess(start) or Encoding("binary", "latin-1")
                with part.stream() as stream:
                    count, counted, _ = count_lines(stream, encoding, limits["load_bytes"].number)
                total, exact = total + count, exact and counted
                lines = lines or _first(start, encoding, n)
        return Head(lines[: max(n, 0)], total, exact)


def _first(start: bytes, encoding: Encoding, n: int) -> tuple[str, ...]:
    text = decode(start, encoding).replace("\r\n", "\n").replace("\r", "\n")
    return tuple(itertools.islice(text.split("\n"), max(n, 1)))


def _sorted(parts: Sequence[Part]) -> tuple[list[Part], list[str]]:
    """Part what may hold a table from what is not read, with the reason."""
    wanted, left = [], []
    for part in parts:
        glimpse = part.glimpse()
        if is_packed(glimpse.head):
            left.append(f"'{part.label}' (an archive or a workbook in the archive)")
        elif guess(glimpse.head) is None:
            left.append(f"'{part.label}' (binary)")
        elif not glimpse.head.strip() or _format(glimpse) is None:
            left.append(f"'{part.label}' (no table)")
        else:
            wanted.append(part)
    return wanted, left


def _format(glimpse: Glimpse) -> Format | None:
    """Return the format that a text inside seems to be of."""
    named = (
        item for item in formats() if item.by_extension and glimpse.extension in item.extensions
    )
    item = recognised(glimpse) or next(named, None)
    return item if item is not None and item.is_data else None


def _read(part: Part, outer: OpenFile, into: Reading) -> tuple[Sequence[RawTable], Sequence[str]]:
    """Read the tables of one part, and return what was noted of it apart."""
    before = len(into.notes)
    with _own_folder(into):
        inner = unpacked(part, outer, into.folder)
        with inner:
            try:
                tables = find(inner).read(inner, into)
            finally:
                notes = into.notes[before:]
                del into.notes[before:]
    return tables, notes


@contextlib.contextmanager
def _own_folder(into: Reading) -> Iterator[None]:
    """Let a reading write into a folder of its own: large texts stay there until they are typed."""
    outer = into.folder
    folder = outer / f"part-{sum(1 for _ in outer.iterdir())}"
    folder.mkdir()
    into.folder = folder
    try:
        yield
    finally:
        into.folder = outer


def _named(part: Part, tables: Sequence[RawTable], notes: Sequence[str]) -> list[RawTable]:
    """Name the tables of a part after it, and give the first what was noted of it."""
    several = len(tables) > 1
    return [
        replace(
            table,
            sheet=f"{part.label} {table.sheet}" if several and table.sheet else part.label,
            notes=table.notes if at else (*notes, *table.notes),
        )
        for at, table in enumerate(tables)
    ]


def _check_number(file: OpenFile, wanted: Sequence[Part]) -> None:
    if len(wanted) > _TABLES:
        raise Refused(
            f"'{shown(file.name)}': {len(wanted):,} tables inside, and no more than {_TABLES} are "
            "read from one file; unpack it into a folder"
        )


def _no_table(file: OpenFile, left: Sequence[str]) -> Refused:
    inside = "; ".join(left[:_NAMED])[:400] or "no files"
    return Refused(
        f"'{shown(file.name)}': no table inside that is read ({inside}); unpack it, or pack CSV, "
        "JSON or LAS"
    )


def _left_out(left: Sequence[str]) -> list[str]:
    if not left:
        return []
    more = f" and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
    return [f"not read from the archive: {'; '.join(left[:_NAMED])}{more}"]


FORMATS = (
    Packed("zipped tables", ("zip",), (b"PK\x03\x04", b"PK\x05\x06"), zip_parts),
    Packed("gzipped table", ("gz",), (b"\x1f\x8b",), gzip_part),
)

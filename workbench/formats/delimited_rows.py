"""Rows of a delimited text into the loading connection, by the engine or line by line.

The engine reads regular text with every option spelt out. Its row count and first row must agree
with an independent look at the bytes; where they do not, and for text it cannot read as it stands,
the rows are read one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import duckdb

from workbench.formats.coded import parser, whole_lines
from workbench.formats.encoding import Encoding
from workbench.formats.format import LineMap
from workbench.formats.heading import Heading
from workbench.formats.loose import Loose
from workbench.formats.overflow import has_overflow, holds_remarks, with_overflow
from workbench.formats.plain import NotPlain, Plain
from workbench.formats.quoting import cell_sql, text
from workbench.formats.reading import WIDE, Reading
from workbench.formats.scan import Structure, scan
from workbench.formats.scan_plain import scan_plain, structure
from workbench.formats.sniff import WHITESPACE, Dialect
from workbench.workspace import OpenFile

# Cells beyond the header that are still looked at; garbage may hold thousands of delimiters.
_OVERFLOW = 20
# The engine keeps several lines of this size in memory.
_LINE_BYTES = 2_000_000
_LISTED = 50
# A smaller text is held by the engine as it is.
CODED_BYTES = 16_000_000


@dataclass(frozen=True)
class Text:
    """A text that is ready to be read: where it lies as UTF-8, and how it keeps its table."""

    path: Path
    encoding: Encoding
    dialect: Dialect
    heading: Heading
    skip: int
    first: tuple[str, ...]


@dataclass(frozen=True)
class Rows:
    """Rows in the loading connection, and what their reader counted."""

    relation: str
    rows: int
    line_end: str
    lines: LineMap
    blank: int
    short: int
    long: int
    ragged: tuple[int, ...]
    notes: tuple[str, ...] = ()
    joined: bool = False


def read_rows(ready: Text, file: OpenFile, into: Reading) -> Rows:
    """Read by the engine if the text is regular and both counts agree, else line by line."""
    if ready.dialect.delimiter == WHITESPACE:
        return _by_line(ready, file, into, open_quote=False)
    width = len(ready.heading.cells)
    if width <= WIDE and ready.path.stat().st_size >= CODED_BYTES:
        rows = _by_codes(ready, into)
    else:
        plain = _scanned(ready, file, into, scan_plain)
        rows = _by_engine(ready, plain, into, strict=True) if plain is not None else None
    if rows is not None:
        return rows
    found = _scanned(ready, file, into, scan)
    assert found is not None
    narrow = max(found.widest, len(ready.heading.cells)) <= WIDE
    if found.regular and narrow and found.longest < _LINE_BYTES:
        rows = _by_engine(ready, found, into)
        if rows is not None:
            return rows
    return _by_line(ready, file, into, open_quote=found.open_quote)


def _scanned(
    ready: Text, file: OpenFile, into: Reading, look: Callable[..., Structure | None]
) -> Structure | None:
    """Look at the data records of a text in one of two ways."""
    width, done = len(ready.heading.cells), [0]
    if look is scan_plain and width > WIDE:
        return None

    def told(size: int) -> None:
        done[0] += size
        into.told("scan", done[0] / max(file.size, 1))

    with ready.path.open("rb") as stream:
        _skip_lines(stream, ready.skip)
        return look(stream, ready.dialect.delimiter, width, ready.skip + 1, told)


def _skip_lines(stream: BinaryIO, lines: int) -> None:
    """Move a binary stream past a number of lines, whatever ends them."""
    place, left = 0, lines
    while left and (block := stream.read(65_536)):
        for at, sign in enumerate(block):
            following = block[at + 1 : at + 2]
            if sign == 10 or (sign == 13 and following != b"\n"):  # noqa: PLR2004 - LF, CR
                left -= 1
                if not left:
                    stream.seek(place + at + 1)
                    return
        place += len(block)
    stream.seek(0, 2 if lines else 0)


def _by_codes(ready: Text, into: Reading) -> Rows | None:
    """Keep a large plain text as codes; None if it is not plain."""
    size, width = ready.path.stat().st_size, len(ready.heading.cells)
    with ready.path.open("rb") as stream:
        _skip_lines(stream, ready.skip)
        skip = stream.tell()
    done = [0]

    def told(read: int) -> None:
        done[0] += read
        into.told("load", done[0] / size)

    coded, plain = into.new_codes(width), Plain(ready.dialect.delimiter, width)
    try:
        blocks = whole_lines(ready.path, skip, told)
        coded.fill(blocks, parser(plain), plain, into.threads)
    except (NotPlain, OSError):
        # Codes are not kept where they do not fit, on the disk or into one file.
        coded.path.unlink(missing_ok=True)
        return None
    found = structure(plain, ready.skip + 1)
    if found is None or coded.rows != found.records or not _same(coded.first, ready.first):
        coded.path.unlink()
        return None
    into.use_threads(found.records)
    relation = into.keep_codes(_read_plain(ready, width), coded)
    return Rows(relation, found.records, found.line_end, found.lines, 0, 0, 0, ())


def _by_engine(
    ready: Text, found: Structure, into: Reading, *, strict: bool = False
) -> Rows | None:
    """Read with the engine; None if it fails or disagrees with the scan."""
    into.told("load", 0.0)
    into.use_threads(found.records)
    width = min(max(found.widest, len(ready.heading.cells)), len(ready.heading.cells) + _OVERFLOW)
    try:
        query = _read_plain(ready, width) if strict else _read_csv(ready, found, width)
        relation = into.keep(query, ready.path.stat().st_size)
        (rows,) = into.one(f"SELECT count(*) FROM {relation}")  # noqa: S608 - our own name
        first = into.one(f"SELECT * FROM {relation} LIMIT 1")  # noqa: S608
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error:
        return None
    if rows != found.records or not _same(first, ready.first):
        return None
    named = len(ready.heading.cells)
    extra = has_overflow(into, relation, named, width)
    joined = extra and holds_remarks(into, relation, named)
    return Rows(
        with_overflow(into, relation, named, width) if joined else relation,
        found.records,
        found.line_end,
        found.lines,
        found.blank,
        found.short,
        found.long if extra else 0,
        tuple(line for line, fields in found.ragged if extra or fields < len(ready.heading.cells)),
        (_trailing(found.long),) if found.long and not extra else (),
        joined,
    )


def _read_csv(ready: Text, found: Structure, width: int) -> str:
    """Spell out how the engine is to read the file."""
    columns = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(width))
    cells = [cell_sql(f"c{place}", white=found.white) for place in range(width)]
    named = ", ".join(f"{cell} AS c{place}" for place, cell in enumerate(cells))
    where = f"WHERE coalesce({', '.join(cells)}) IS NOT NULL" if found.blank else ""
    return (
        f"SELECT {named} FROM read_csv({text(str(ready.path))}, "  # noqa: S608 - quoted
        f"auto_detect = false, columns = {{{columns}}}, delim = {text(ready.dialect.delimiter)}, "
        "quote = '\"', escape = '\"', comment = '', header = false, "
        f"skip = {ready.skip}, null_padding = true, strict_mode = false, compression = 'none', "
        f"encoding = 'utf-8', nullstr = '', max_line_size = {_LINE_BYTES}, "
        f"parallel = {'false' if found.quoted_breaks else 'true'}) {where}"
    )


def _read_plain(ready: Text, width: int) -> str:
    """Spell out how the engine is to read a plain text: any record of another width is an error."""
    columns = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(width))
    return (
        f"SELECT * FROM read_csv({text(str(ready.path))}, "  # noqa: S608 - quoted
        f"auto_detect = false, columns = {{{columns}}}, delim = {text(ready.dialect.delimiter)}, "
        "quote = '', escape = '', comment = '', header = false, "
        f"skip = {ready.skip}, strict_mode = true, compression = 'none', encoding = 'utf-8', "
        f"nullstr = '', max_line_size = {_LINE_BYTES})"
    )


def _same(row: tuple[object, ...], seen: Sequence[str]) -> bool:
    """Tell whether the engine's first row is the one the header was found above."""
    if not row or not any(map(str.strip, seen)):
        return True
    return all(
        str(cell or "").strip() == other.strip() for cell, other in zip(row, seen, strict=False)
    )


def _by_line(ready: Text, file: OpenFile, into: Reading, *, open_quote: bool) -> Rows:
    """Read line by line."""
    width, extra = len(ready.heading.cells), [False]

    def gathered(*, join: bool) -> tuple[Loose, str, int]:
        loose = Loose(ready.path, ready.dialect.delimiter, width, ready.skip)

        def kept(cells: list[str]) -> list[str | None]:
            over = [cell.strip() for cell in cells[width:] if cell.strip()]
            extra[0] = extra[0] or bool(over)
            if join and over:
                cells = [
                    *cells[: width - 1],
                    ", ".join(filter(None, [cells[width - 1].strip(), *over])),
                ]
            return [cell or None for cell in cells[:width]]

        told = loose.rows(lambda done: into.told("load", done / max(file.size, 1)))
        return loose, *into.gather(width, map(kept, told))

    loose, relation, rows = gathered(join=False)
    joined = extra[0] and holds_remarks(into, relation, width)
    if joined:
        into.drop(relation)
        loose, relation, rows = gathered(join=True)
    ragged = [line for line, fields in loose.ragged if extra[0] or fields < width]
    return Rows(
        relation,
        rows,
        loose.line_end,
        loose.lines,
        loose.blank,
        loose.short,
        loose.long if extra[0] else 0,
        tuple(ragged[:_LISTED]),
        tuple(_loose_notes(ready, loose, open_quote=open_quote, extra=extra[0])),
        joined,
    )


def _loose_notes(ready: Text, loose: Loose, *, open_quote: bool, extra: bool) -> Iterator[str]:
    """Say why the rows were read one by one, and what was met."""
    delimited = ready.dialect.delimiter != WHITESPACE
    if delimited and loose.width <= WIDE:
        yield "the file is irregular (quotes, control signs or line ends): read by line"
    if open_quote and delimited:
        yield "a quote is opened and never closed; it is kept as a sign of its cell"
    if loose.long and not extra:
        yield _trailing(loose.long)


def _trailing(rows: int) -> str:
    return f"{rows:,} rows end with delimiters that hold nothing; they were left out"

"""Small plain texts of one layout: what one was found to be is tried on the next, and proved there.

Of thousands of certificates, each opened by itself, most of the time goes into finding out what the
one before was already. The same lines above the data, the same kinds of cells in its first row and
one width in every record are proof enough; any other text is looked at like the first.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from workbench.formats.delimited_rows import Rows, Text
from workbench.formats.format import extension
from workbench.formats.heading_words import is_gap_code, is_number
from workbench.formats.plain import Plain
from workbench.formats.reading import WIDE, Reading, texts
from workbench.formats.scan_plain import structure
from workbench.workspace import OpenFile

# Larger texts are worth the engine.
_MOST_BYTES = 1_000_000


@dataclass(frozen=True)
class Plan:
    """How a small text was read.

    Attributes
    ----------
    ready : Text
        What was found out about it.
    head : bytes
        Everything above its data.
    extension : str
        Of its name.
    """

    ready: Text
    head: bytes
    extension: str


def plan_of(ready: Text, file: OpenFile) -> Plan | None:
    """Return how a text was read, if texts like it can be read in short."""
    dialect, encoding = ready.dialect, ready.encoding
    known = encoding.codec == "utf-8" and not encoding.mark and dialect.decimal == "."
    narrow = len(dialect.delimiter) == 1 and len(ready.heading.cells) <= WIDE
    if not (known and narrow and ready.skip and any(map(str.strip, ready.first))):
        return None
    if file.size > _MOST_BYTES:
        return None
    lines = file.read().split(b"\n", ready.skip)
    head = b"".join(line + b"\n" for line in lines[: ready.skip])
    # A return alone would be a line end too.
    odd = len(lines) <= ready.skip or head.count(b"\r") not in {0, ready.skip} or b'"' in head
    return None if odd else Plan(ready, head, extension(file.name))


def rows_alike(file: OpenFile, into: Reading, plan: Plan) -> Rows | None:
    """Read the rows of a text that is like another; None if it is not proved to be.

    Parameters
    ----------
    file, into
        The file and the reading.
    plan : Plan
        How the other was read.
    """
    ready = plan.ready
    width, delimiter = len(ready.heading.cells), ready.dialect.delimiter
    body = _body(file, plan)
    plain = Plain(delimiter, width)
    end = body.rfind(b"\n") + 1
    parts = [part for part in (body[:end], body[end:]) if part]
    if not parts or not all(plain.add(plain.look(part)) for part in parts):
        return None
    found = structure(plain, ready.skip + 1)
    lines = body.decode("utf-8").replace("\r\n", "\n").removesuffix("\n").split("\n")
    rows = [line.split(delimiter) for line in lines]
    even = found is not None and len(rows) == found.records and {width} == set(map(len, rows))
    if found is None or not even or not all(map(_alike, rows[0], ready.first)):
        return None
    columns = [texts([cell or None for cell in column]) for column in zip(*rows, strict=True)]
    relation = into.hold(pa.table(columns, names=[f"c{place}" for place in range(width)]))
    return Rows(relation, found.records, found.line_end, found.lines, 0, 0, 0, ())


def _body(file: OpenFile, plan: Plan) -> bytes:
    """Return the data of a text that has the same lines above it; nothing if it is another."""
    if file.size > _MOST_BYTES or extension(file.name) != plan.extension:
        return b""
    data = file.read()
    body = data[len(plan.head) :]
    # Where commas part no cells they may be decimal, which only a look at all of them tells.
    commas = plan.ready.dialect.delimiter != "," and b"," in body
    if not data.startswith(plan.head) or commas or not _is_utf8(body):
        return b""
    return body


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _alike(cell: str, other: str) -> bool:
    """Tell whether two cells are of one kind, or one of them says nothing."""
    blank = not cell.strip() or not other.strip()
    return blank or _is_result(cell) == _is_result(other)


def _is_result(cell: str) -> bool:
    return is_number(cell) or is_gap_code(cell) or cell.startswith(("<", ">"))

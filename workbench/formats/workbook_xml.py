"""What the reader of sheets leaves out of XLSX files: error values, formulas without a value.

Their texts go into the cells, so that a gap has its reason. The parts are small words of one
grammar, looked at as bytes; nothing is expanded or followed.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from typing import IO

# What stands in a cell whose formula was saved without its value.
UNCOMPUTED = "formula not computed"
_BLOCK = 4 * 1024 * 1024
# No cell of interest is longer; what is left of a block is looked at again with the next one.
_TAIL = 65_536

_SHEET = re.compile(rb"<(?:\w+:)?sheet\b[^>]*>")
_RELATION = re.compile(rb"<(?:\w+:)?Relationship\b[^>]*>")
_ATTRIBUTE = re.compile(rb'([\w:]+)="([^"]*)"')
_CELL = re.compile(
    # A cell ends before the next one begins, so that a part without ends costs no more than others.
    rb'<c\b(?=[^>]*\br="([A-Z]{1,3})(\d{1,7})")(?P<attributes>[^>/]*+)>'
    rb"(?P<inside>(?:[^<]|<(?!c\b|/c>))*+)</c>"
)
_VALUE = re.compile(rb"<v\b[^>]*>([^<]+)</v>")


def lost_in_xlsx(archive: zipfile.ZipFile) -> dict[str, dict[tuple[int, int], str]]:
    """Return the error cells and the formulas without a value of an XLSX workbook by sheet."""
    found = {}
    for name, part in _parts(archive):
        with archive.open(part) as sheet:
            cells = dict(_lost(sheet))
        if cells:
            found[name] = cells
    return found


def relations(links: bytes) -> dict[str, str]:
    """Return where the links of a workbook lead, by their ids."""
    told = [dict(_ATTRIBUTE.findall(match[0])) for match in _RELATION.finditer(links)]
    return {
        one.get(b"Id", b"").decode("utf-8", "replace"):
        one.get(b"Target", b"").decode("utf-8", "replace")
        for one in told
    }  # fmt: skip


def _parts(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """Yield the name of each sheet and the part that holds it."""
    names = set(archive.namelist())
    book, links = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
    if book not in names or links not in names:
        return
    targets = relations(archive.read(links))
    for match in _SHEET.finditer(archive.read(book)):
        said = dict(_ATTRIBUTE.findall(match[0]))
        ids = (v.decode("utf-8", "replace") for k, v in said.items() if k.endswith(b":id"))
        target = next((targets[one] for one in ids if one in targets), "")
        part = posixpath.normpath(posixpath.join("xl", target)).lstrip("/")
        part = part if part in names else target.lstrip("/")
        if part in names:
            yield _plain(said.get(b"name", b"")), part


def _plain(name: bytes) -> str:
    text = name.decode("utf-8", "replace")
    for code, sign in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'")):
        text = text.replace(code, sign)
    return text.replace("&amp;", "&")


def _lost(sheet: IO[bytes]) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the lost cells of one sheet."""
    rest = b""
    while True:
        block = sheet.read(_BLOCK)
        data = rest + block
        if b"<f" in data or b't="e"' in data:
            for match in _CELL.finditer(data):
                text = _text(match["attributes"], match["inside"])
                if text:
                    yield (int(match[2]) - 1, _column(match[1])), text
        if not block:
            return
        cut = data.rfind(b"</c>")
        rest = data[cut + 4 :] if cut >= 0 else data[-_TAIL:]
        rest = rest[-_TAIL:]


def _text(attributes: bytes, inside: bytes) -> str | None:
    value = _VALUE.search(inside)
    if b't="e"' in attributes and value:
        return value[1].decode("utf-8", "replace")[:20]
    if b"<f" in inside and value is None:
        return UNCOMPUTED
    return None


def _column(letters: bytes) -> int:
    """Return the place of a column by its letters: A is 0."""
    place = 0
    for letter in letters:
        place = place * 26 + letter - 64
    return place - 1

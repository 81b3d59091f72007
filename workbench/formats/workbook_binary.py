"""Error values in XLS and XLSB: records of bytes, walked one by one.

A sheet is walked only if the bytes of such a record are in it at all. Layouts: [MS-XLS] 2.5.10
BoolErr and 2.4.127 Formula; [MS-XLSB] 2.4.314 BrtCellError and 2.4.674 BrtFmlaError.
"""

from __future__ import annotations

import posixpath
import re
import struct
import zipfile
from collections.abc import Iterator
from typing import BinaryIO

import olefile

from workbench.formats.workbook_xml import relations

Cell = tuple[tuple[int, int], str]
Lost = dict[str, dict[tuple[int, int], str]]

_ERRORS = {
    0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!",
    0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A", 0x2B: "#GETTING_DATA",
}  # fmt: skip
# Records of XLS …
_BOF, _EOF, _SHEET, _FORMULA, _BOOLERR = 0x0809, 0x000A, 0x0085, 0x0006, 0x0205
# … where an error stands in a formula or alone.
_IN_XLS = re.compile(rb"\x05\x02\x08\x00|\x06\x00.{8}\x02.[\x00-\x2b].{3}\xff\xff", re.DOTALL)
# Records of XLSB …
_ROW, _ERROR, _FORMULA_ERROR, _BUNDLE = 0, 3, 11, 156
# … whose column is below 16,384.
_IN_XLSB = re.compile(
    rb"[\x03\x0b][\x09-\xff].{0,3}?.[\x00-\x3f]\x00\x00.{4}[\x00-\x2b]", re.DOTALL
)
_NAME_SIGNS = 255


def lost_in_xls(stream: BinaryIO) -> Lost:
    """Return the error cells of an XLS workbook by sheet; none if it cannot be taken apart."""
    try:
        with olefile.OleFileIO(stream) as container:
            book = next((n for n in ("Workbook", "Book") if container.exists(n)), None)
            data = container.openstream(book).read() if book else b""
        if not _IN_XLS.search(data):
            return {}
        found = {name: dict(_xls_cells(data, start)) for name, start in _xls_sheets(data)}
    except (OSError, ValueError, struct.error, IndexError, OverflowError):
        return {}
    return {name: cells for name, cells in found.items() if cells}


def _xls_records(data: bytes, start: int) -> Iterator[tuple[int, bytes]]:
    """Yield kind and content of the records of one substream, charts inside it left out."""
    depth = 0
    while start + 4 <= len(data):
        kind, size = struct.unpack_from("<HH", data, start)
        depth += (kind == _BOF) - (kind == _EOF)
        if depth == 1:
            yield kind, data[start + 4 : start + 4 + size]
        if depth < 1:
            return
        start += 4 + size


def _xls_sheets(data: bytes) -> list[tuple[str, int]]:
    """Return the name of every sheet and where its substream starts."""
    version = struct.unpack_from("<H", data, 4)[0]
    wide = version >= 0x0600  # noqa: PLR2004 - BIFF8, whose names are Unicode
    found = []
    for kind, record in _xls_records(data, 0):
        if kind == _SHEET:
            (start,) = struct.unpack_from("<I", record)
            size, name = record[6], record[8:] if wide else record[7:]
            two = wide and record[7] & 1
            code = "utf-16-le" if two else "latin-1" if wide else "cp1252"
            found.append((name[: size * 2 if two else size].decode(code, "replace"), start))
    return found


def _xls_cells(data: bytes, start: int) -> Iterator[Cell]:
    for kind, record in _xls_records(data, start):
        if kind == _BOOLERR and record[7]:
            row, column = struct.unpack_from("<HH", record)
            yield (row, column), _ERRORS.get(record[6], "#ERROR!")
        elif kind == _FORMULA and record[12:14] == b"\xff\xff" and record[6] == 2:  # noqa: PLR2004 - an error
            row, column = struct.unpack_from("<HH", record)
            yield (row, column), _ERRORS.get(record[8], "#ERROR!")


def lost_in_xlsb(archive: zipfile.ZipFile) -> Lost:
    """Return the error cells of an XLSB workbook by sheet; none if it cannot be taken apart."""
    names, found = set(archive.namelist()), dict[str, dict[tuple[int, int], str]]()
    links = "xl/_rels/workbook.bin.rels"
    targets = relations(archive.read(links)) if links in names else {}
    try:
        for name, link in _xlsb_sheets(archive.read("xl/workbook.bin")):
            part = posixpath.normpath(posixpath.join("xl", targets.get(link, ""))).lstrip("/")
            data = archive.read(part) if part in names else b""
            cells = dict(_xlsb_cells(data)) if _IN_XLSB.search(data) else {}
            if cells:
                found[name] = cells
    except (struct.error, IndexError):
        return found
    return found


def _xlsb_records(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield kind and content of every record; both kind and size are written in 7-bit groups."""
    at, size = 0, len(data)
    while at < size:
        kind = data[at]
        at += 1
        if kind & 0x80:
            kind = (kind & 0x7F) | data[at] << 7
            at += 1
        length = shift = 0
        for _ in range(4):
            byte = data[at]
            at += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                break
        yield kind, data[at : at + length]
        at += length


def _xlsb_sheets(book: bytes) -> Iterator[tuple[str, str]]:
    """Yield the name of every sheet and the link to its part."""
    for kind, record in _xlsb_records(book):
        if kind == _BUNDLE:
            link, at = _xlsb_text(record, 8)
            yield _xlsb_text(record, at)[0], link


def _xlsb_text(record: bytes, at: int) -> tuple[str, int]:
    """Return a text and where it ends."""
    (signs,) = struct.unpack_from("<I", record, at)
    end = at + 4 + 2 * min(signs, _NAME_SIGNS)
    return record[at + 4 : end].decode("utf-16-le", "replace"), end


def _xlsb_cells(data: bytes) -> Iterator[Cell]:
    row = 0
    for kind, record in _xlsb_records(data):
        if kind == _ROW:
            (row,) = struct.unpack_from("<I", record)
        elif kind in {_ERROR, _FORMULA_ERROR}:
            (column,) = struct.unpack_from("<I", record)
            yield (row, column), _ERRORS.get(record[8], "#ERROR!")

"""Error cells of every kind of workbook are gaps with their reason.

The files are put together here byte by byte, after the published layouts of their formats, so that
no reader is tested against its own writer.
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from filebench import FileBench

from workbench.errors import Refused
from workbench.tables.table import Table

NAMES = ("Sample", "Cu_ppm", "Zn_ppm")
ROWS = 12
# Zinc of row 2 is an error by itself, copper of row 3 the error of a formula; both have a code.
REF, NO_VALUE = 0x17, 0x2A
TOLD = {"#REF!": 1}, {"#N/A": 1}


def xls(path: Path) -> Path:
    """Write an XLS workbook: a container of sectors around records."""
    sheet = biff(0x0809, struct.pack("<HHHHII", 0x0600, 0x0010, 0, 0, 0, 0x0600))
    for column, name in enumerate(NAMES):
        sheet += text_cell(0, column, name)
    for row in range(1, ROWS + 1):
        sheet += text_cell(row, 0, f"S{row}")
        if row == 3:
            error = struct.pack("<BBBBHH", 2, 0, REF, 0, 0, 0xFFFF)
            head = struct.pack("<HHH", row, 1, 0)
            sheet += biff(0x0006, head + error + struct.pack("<HIH", 0, 0, 2) + b"\x1c\x17")
        else:
            sheet += biff(0x0203, struct.pack("<HHHd", row, 1, 0, row * 1.5))
        if row == 2:
            sheet += biff(0x0205, struct.pack("<HHHBB", row, 2, 0, NO_VALUE, 1))
        else:
            sheet += biff(0x0203, struct.pack("<HHHd", row, 2, 0, row * 2.0))
    sheet += biff(0x000A, b"")
    start = biff(0x0809, struct.pack("<HHHHII", 0x0600, 0x0005, 0, 0, 0, 0x0600))
    start += biff(0x0042, struct.pack("<H", 1200))
    at = len(start) + 4 + 8 + len("Assays") + 4
    start += biff(0x0085, struct.pack("<IBBBB", at, 0, 0, len("Assays"), 0) + b"Assays")
    path.write_bytes(container((start + biff(0x000A, b"") + sheet).ljust(4096, b"\0")))
    return path


def biff(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def text_cell(row: int, column: int, text: str) -> bytes:
    return biff(0x0204, struct.pack("<HHHHB", row, column, 0, len(text), 0) + text.encode("ascii"))


def container(stream: bytes) -> bytes:
    """Put a stream of whole sectors into a container: header, sectors' table, directory, stream."""
    sectors = len(stream) // 512
    last, free, table = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
    header = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16)
    header += struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, last, 0, last, 0)
    header += struct.pack("<109I", 0, *[free] * 108)
    chain = [table, last, *(n + 3 for n in range(sectors - 1)), last]
    chain += [free] * (128 - len(chain))
    root = entry("Root Entry", 5, 1, last, 0)
    book = entry("Workbook", 2, free, 2, len(stream))
    return header + struct.pack("<128I", *chain) + root + book + bytes(256) + stream


def entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    text = name.encode("utf-16-le") + b"\0\0"
    free = 0xFFFFFFFF
    head = text.ljust(64, b"\0") + struct.pack("<HBBIII", len(text), kind, 1, free, free, child)
    return head + bytes(36) + struct.pack("<IQ", start, size)


def xlsb(path: Path) -> Path:
    """Write an XLSB workbook: parts of records in a packed file."""
    size = struct.pack("<IIII", 0, ROWS, 0, len(NAMES) - 1)
    sheet = record(129, b"") + record(148, size) + record(145, b"")
    for row in range(ROWS + 1):
        sheet += record(0, struct.pack("<II", row, 0) + bytes(9))
        if row == 0:
            for column, name in enumerate(NAMES):
                sheet += record(6, struct.pack("<II", column, 0) + wide(name))
            continue
        sheet += record(6, struct.pack("<II", 0, 0) + wide(f"S{row}"))
        if row == 3:
            formula = struct.pack("<HI", 0, 2) + b"\x1c\x17" + struct.pack("<I", 0)
            sheet += record(11, struct.pack("<IIB", 1, 0, REF) + formula)
        else:
            sheet += record(5, struct.pack("<IId", 1, 0, row * 1.5))
        if row == 2:
            sheet += record(3, struct.pack("<IIB", 2, 0, NO_VALUE))
        else:
            sheet += record(5, struct.pack("<IId", 2, 0, row * 2.0))
    sheet += record(146, b"") + record(130, b"")
    bundle = struct.pack("<II", 0, 1) + wide("rId1") + wide("Assays")
    book = record(131, b"") + record(143, b"") + record(156, bundle) + record(144, b"")
    links = (
        '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/'
        'officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.bin"/>'
        "</Relationships>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.bin", book + record(132, b""))
        archive.writestr("xl/_rels/workbook.bin.rels", links)
        archive.writestr("xl/worksheets/sheet1.bin", sheet)
    return path


def record(kind: int, content: bytes) -> bytes:
    return seven(kind) + seven(len(content)) + content


def seven(number: int) -> bytes:
    """Write a number in groups of seven bits."""
    return bytes([number & 0x7F | 0x80, number >> 7]) if number > 0x7F else bytes([number])


def wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def ods(path: Path) -> Path:
    """Write an ODS workbook as two generations of programs do."""
    new = 'office:value-type="string" office:string-value="" calcext:value-type="error"'
    old = 'office:value-type="float" office:value="0"'
    lines = ["".join(map(paragraph, NAMES))]
    for row in range(1, ROWS + 1):
        cu = number(row * 1.5) if row != 3 else formula(new, "#REF!")
        zn = number(row * 2.0) if row != 2 else formula(old, "#N/A")
        lines.append(paragraph(f"S{row}") + cu + zn)
    rows = "".join(f"<table:table-row>{line}</table:table-row>" for line in lines)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest:manifest/>")
        archive.writestr(
            "content.xml",
            "<office:document-content><office:body><office:spreadsheet>"
            f'<table:table table:name="Assays">{rows}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )
    return path


def paragraph(text: str) -> str:
    inside = f"<text:p>{text}</text:p>"
    return f'<table:table-cell office:value-type="string">{inside}</table:table-cell>'


def number(value: float) -> str:
    said = f'office:value-type="float" office:value="{value}"'
    return f"<table:table-cell {said}><text:p>{value}</text:p></table:table-cell>"


def formula(said: str, shown: str) -> str:
    inside = f"<text:p>{shown}</text:p></table:table-cell>"
    return f'<table:table-cell table:formula="of:=1" {said}>{inside}'


@pytest.mark.parametrize("write", [xls, xlsb, ods])
def test_an_error_is_a_gap_with_its_reason_in_every_kind_of_workbook(
    bench: FileBench, write: Callable[[Path], Path]
) -> None:
    table = bench.tables(write(bench.data / f"b.{write.__name__}")).table()
    assert [column.missing for column in table.columns[1:]] == list(TOLD)
    assert [count(table, name) for name in NAMES] == [ROWS, ROWS - 1, ROWS - 1]
    assert any("2 cells hold an error such as" in note for note in table.notes)


def count(table: Table, name: str) -> int:
    return table.column(name).count


def test_a_workbook_of_records_that_ends_too_soon_is_refused(bench: FileBench) -> None:
    path = xlsb(bench.data / "cut.xlsb")
    with zipfile.ZipFile(path) as whole:
        parts = {name: whole.read(name) for name in whole.namelist()}
    parts["xl/worksheets/sheet1.bin"] = parts["xl/worksheets/sheet1.bin"][:10]
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    with pytest.raises(Refused, match="damaged workbook"):
        bench.tables(path)


def test_a_damaged_sheet_is_named_and_the_others_are_read(bench: FileBench) -> None:
    made = openpyxl.Workbook()
    for name in ("good", "bad"):
        sheet = made.active if name == "good" else made.create_sheet(name)
        sheet.title = name
        for row in (("id", "Au"), ("S1", 1.5), ("S2", 2.5)):
            sheet.append(row)
    whole, path = bench.data / "whole.xlsx", bench.data / "b.xlsx"
    made.save(whole)
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            bad = b"<v> x</v>" if name.endswith("sheet2.xml") else b"<v>1.5</v>"
            target.writestr(name, source.read(name).replace(b"<v>1.5</v>", bad))
    opened = bench.tables(path)
    assert [table.sheet for table in opened.tables] == ["good"]
    assert any("'bad': damaged, not read" in note for note in opened.notes)

"""Workbooks: one table a visible sheet, numbers as saved, and nothing unpacked unchecked."""

from __future__ import annotations

import datetime as dt
import random
import zipfile
from pathlib import Path

import openpyxl
import pytest
from filebench import FileBench

from workbench.errors import LimitReached, Refused
from workbench.formats.workbook import _text, _texts
from workbench.limits import Limits


@pytest.fixture
def book() -> openpyxl.Workbook:
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.title = "Assays"
    sheet.append(["Lab report"])
    sheet.append([])
    sheet.append(["Sample", "Au_ppb", "Date", "Ok"])
    sheet.append(["007", 1001.0, dt.date(2024, 1, 5), True])
    sheet.append([12, 0.1 + 0.2, dt.datetime(2024, 1, 5, 10, 30), False])  # noqa: DTZ001 - cells have no zone
    sheet.append([])
    sheet.append(["S3", "<1", None, None])
    made.create_sheet("Holes").append(["hole", "depth"])
    made["Holes"].append(["H1", 120])
    made.create_sheet("secret").append(["a", 1])
    made["secret"].sheet_state = "veryHidden"
    made.create_sheet("empty")
    return made


def saved(bench: FileBench, made: openpyxl.Workbook, name: str = "b.xlsx") -> Path:
    path = bench.data / name
    made.save(path)
    return path


def test_every_visible_sheet_with_a_table_is_read(
    bench: FileBench, book: openpyxl.Workbook
) -> None:
    raws = bench.raws(saved(bench, book))
    assert [raw.sheet for raw in raws] == ["Assays", "Holes"]
    assert raws[0].names == ["Sample", "Au_ppb", "Date", "Ok"]
    assert raws[0].lines == [4, 5, 7]


def test_cells_are_the_shortest_texts_that_give_the_value_back(
    bench: FileBench, book: openpyxl.Workbook
) -> None:
    rows = bench.raws(saved(bench, book))[0].rows
    assert rows[0] == ("007", "1001", "2024-01-05", "true")
    assert float(rows[1][1] or "") == pytest.approx(0.3, rel=1e-15)
    assert rows[1][2] == "2024-01-05 10:30:00"
    assert rows[2] == ("S3", "<1", None, None)


@pytest.mark.parametrize("odd", [(), (1e10,), (1e-5,), (1e300, True), (None,)])
def test_a_column_of_numbers_is_written_as_one_by_one(odd: tuple[object, ...]) -> None:
    draw = random.Random(7)
    cells = [draw.choice((1, -1)) * 10 ** draw.uniform(-4, 10) for _ in range(2_000)]
    cells += [round(cell, 2) for cell in cells] + [float(int(cell)) for cell in cells] + [-0.0]
    written = _texts(("Au_ppb", *cells, *odd))
    assert written == ["Au_ppb", *map(_text, cells), *map(_text, odd)]
    assert [float(one) for one in written[1 : len(cells) + 1]] == cells


def test_hidden_and_empty_sheets_are_named_in_the_notes(
    bench: FileBench, book: openpyxl.Workbook
) -> None:
    notes = " ".join(bench.tables(saved(bench, book)).notes)
    assert "'secret': very hidden" in notes
    assert "'empty': no table" in notes


def test_tables_are_named_by_stem_and_sheet(bench: FileBench, book: openpyxl.Workbook) -> None:
    opened = bench.tables(saved(bench, book, "2024 soils.xlsx"))
    assert [table.name for table in opened.tables] == ["t_2024_soils_Assays", "t_2024_soils_Holes"]
    assert opened.table("holes").rows == 1
    with pytest.raises(Refused, match="name the sheet: Assays, Holes"):
        opened.table()
    with pytest.raises(Refused, match="nearest: 'Assays'"):
        opened.table("Assay")


def test_a_workbook_without_a_table_is_refused(bench: FileBench) -> None:
    with pytest.raises(Refused, match="workbook without a table"):
        bench.raws(saved(bench, openpyxl.Workbook()))


def test_a_damaged_workbook_is_refused(bench: FileBench, book: openpyxl.Workbook) -> None:
    path = saved(bench, book)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2] + content[len(content) // 2 + 40 :])
    with pytest.raises(Refused, match="damaged"):
        bench.raws(path)


def bomb(bench: FileBench, size: int) -> Path:
    path = bench.data / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * size)
    return path


def test_a9_a_workbook_that_grows_too_much_is_refused_unopened(bench: FileBench) -> None:
    with pytest.raises(LimitReached, match=r"grows [\d,]+ times") as caught:
        bench.raws(bomb(bench, 10_000_000))
    assert caught.value.key == "inflate_ratio"


def test_a9_a_workbook_above_the_size_unpacked_is_refused(bench: FileBench) -> None:
    bench.limits = Limits().changed({"inflate_bytes": 1_000_000, "inflate_ratio": 1e9})
    with pytest.raises(LimitReached) as caught:
        bench.raws(bomb(bench, 2_000_000))
    assert caught.value.key == "inflate_bytes"


def test_a9_a_part_that_is_larger_than_it_declares_is_refused(bench: FileBench) -> None:
    path = bomb(bench, 5_000_000)
    content = bytearray(path.read_bytes())
    for sign, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        start = content.rindex(sign)
        content[start + place : start + place + 4] = (1_000).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises((LimitReached, Refused), match="larger than the file declares"):
        bench.raws(path)


def test_a9_declared_entities_are_refused(bench: FileBench) -> None:
    path = bench.data / "entities.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><workbook>&a;</workbook>'
        archive.writestr("xl/workbook.xml", bomb)
    with pytest.raises(Refused, match="declares entities"):
        bench.raws(path)


def test_a9_too_many_parts_are_refused(bench: FileBench) -> None:
    path = bench.data / "parts.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        for number in range(10_001):
            archive.writestr(f"p{number}", "")
    with pytest.raises(Refused, match="parts"):
        bench.raws(path)


def test_a_locked_workbook_is_refused(bench: FileBench) -> None:
    name = "EncryptedPackage".encode("utf-16-le")
    locked = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + name
    with pytest.raises(Refused, match=r"'locked\.xlsx'"):
        bench.raws(bench.write("locked.xlsx", locked + bytes(2_000)))

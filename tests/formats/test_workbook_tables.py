"""Sheets as people lay them out: several tables, merged names, units elsewhere, lost values."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pytest
from filebench import FileBench

from workbench.errors import Refused
from workbench.formats.sheet_blocks import places
from workbench.formats.workbook_lost import lost_cells
from workbench.formats.workbook_xml import UNCOMPUTED

Cells = Sequence[Sequence[object]]


def saved(bench: FileBench, sheets: dict[str, Cells], merged: Sequence[str] = ()) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
        for place in merged:
            sheet.merge_cells(place)
    path = bench.data / "b.xlsx"
    book.save(path)
    return path


ASSAYS: Cells = (("id", "Au"), ("s1", 2), ("s2", 4), ("s3", 5))
HOLES: Cells = (("hole", "depth", "rock"), ("H1", 10, "x"), ("H2", 10.5, "y"))


def test_tables_one_under_another_are_told_apart(bench: FileBench) -> None:
    sheet = [*ASSAYS, (), ("Collars of 2020",), *HOLES]
    first, second = bench.raws(saved(bench, {"S": sheet}))
    assert (first.sheet, first.names, first.lines) == ("S", ["id", "Au"], [2, 3, 4])
    assert (second.sheet, second.names, second.lines) == ("S 2", ["hole", "depth", "rock"], [8, 9])
    assert second.rows[1] == ("H2", "10.5", "y")
    assert "2 tables stand in the sheet 'S', this one in rows 6 to 9" in second.notes


def test_tables_side_by_side_are_told_apart(bench: FileBench) -> None:
    sheet = [(*left, None, *right) for left, right in zip(ASSAYS, (*HOLES, ()), strict=True)]
    first, second = bench.raws(saved(bench, {"S": sheet}))
    assert (first.names, len(first.rows)) == (["id", "Au"], 3)
    assert (second.names, len(second.rows)) == (["hole", "depth", "rock"], 2)


@pytest.mark.parametrize(
    "rows",
    [
        # An empty column for the eye, and results that end early.
        [["id", "x", "", "Au", "Cu"], ["a", "1", "", "2", "3"], ["b", "2", "", "", ""]],
        # Empty rows between campaigns of one table.
        [["id", "Au"], ["a", "1"], ["", ""], ["b", "2"], ["", ""], ["c", "3"]],
        # A table of words whose parts stand apart.
        [["code", "rock"], ["B", "basalt"], ["", ""], ["G", "granite"], ["T", "tuff"]],
        # A line of words between the rows.
        [["id", "Au"], ["a", "1"], ["", ""], ["Standards", ""], ["b", "2"]],
    ],
    ids=["column", "rows", "words", "line"],
)
def test_gaps_inside_a_table_part_nothing(rows: list[list[str]]) -> None:
    assert len(places(rows)) == 1


def test_merged_names_are_filled_over_their_columns(bench: FileBench) -> None:
    head = [("Sample", "Fire assay", None, "Aqua regia", None), (None, "Au", "Ag", "Au", "Ag")]
    body = [(f"S{n}", n, n + 0.5, 2 * n, 3 * n) for n in range(1, 5)]
    path = saved(bench, {"S": [*head, *body]}, ["A1:A2", "B1:C1", "D1:E1"])
    raw = bench.raws(path)[0]
    assert raw.names == [
        "Sample", "Fire assay Au", "Fire assay Ag", "Aqua regia Au", "Aqua regia Ag",
    ]  # fmt: skip
    assert raw.layout["header_rows"] == 2
    assert "3 merged cells were filled" in raw.notes


def test_a_title_over_all_columns_is_no_row_of_names(bench: FileBench) -> None:
    path = saved(bench, {"S": [("Rocks of the north", None), *ASSAYS]}, ["A1:B1"])
    assert bench.raws(path)[0].names == ["id", "Au"]


def test_a_name_merged_over_its_rows_stands_in_each_of_them(bench: FileBench) -> None:
    rows = [("hole", "from", "Au"), ("H1", 0, 5), (None, 1, 6), (None, 2, 7), ("H2", 0, 8)]
    raw = bench.raws(saved(bench, {"S": rows}, ["A2:A4"]))[0]
    assert [row[0] for row in raw.rows] == ["H1", "H1", "H1", "H2"]


def test_units_methods_and_limits_come_from_another_sheet(bench: FileBench) -> None:
    listed = [
        ("ANALYTE", "ASSAY_CODE", "UNIT_OF_MEASURE", "LOWER_DETECTION_LIMIT"),
        ("Au", "FA50", "ppb", 1), ("Au", "AR1", "ppm", 0.01), ("Cu", "AR1", "%", 0.001),
    ]  # fmt: skip
    data = [("id", "FA50_Au", "AR1_Au", "Cu", "Zn"), ("s1", 2, 3, 4, 5), ("s2", 3, 4, 5, 6)]
    table = bench.tables(saved(bench, {"data": data, "meta": listed})).table("data")
    told = [(one.unit, one.method) for one in table.columns[1:]]
    assert told == [("ppb", "FA50"), ("ppm", "AR1"), ("pct", "AR1"), (None, None)]
    assert any("from sheet 'meta'" in note for note in table.notes)


def test_errors_and_formulas_without_a_value_are_gaps_with_their_reason(bench: FileBench) -> None:
    rows = [("id", "Au", "Cu"), *((f"s{n}", n, n) for n in range(20)), ("t", "#REF!", "=B2*2")]
    table = bench.tables(saved(bench, {"S": rows})).table()
    assert table.column("Au").missing == {"#REF!": 1}
    assert table.column("Cu").missing == {UNCOMPUTED: 1}
    assert any("1 cells hold an error such as #REF!" in note for note in table.notes)
    assert any("1 formulas were saved without their value" in note for note in table.notes)


def test_cells_that_never_end_cost_no_more_than_others(bench: FileBench) -> None:
    path = saved(bench, {"S": ASSAYS})
    hostile = bench.data / "h.xlsx"
    with zipfile.ZipFile(path) as good, zipfile.ZipFile(hostile, "w", zipfile.ZIP_STORED) as bad:
        for part in good.infolist():
            data = good.read(part)
            if part.filename == "xl/worksheets/sheet1.xml":
                data = data.replace(b"</sheetData>", b'<c r="A9"><f>' * 200_000 + b"</sheetData>")
            bad.writestr(part.filename, data)
    # By the square of its length it would not end within a day.
    with bench.opened(hostile) as file:
        assert lost_cells(file) == {}


def test_hidden_sheets_are_told_by_their_state(bench: FileBench) -> None:
    path = saved(bench, {"a": ASSAYS, "b": ASSAYS, "c": ASSAYS})
    book = openpyxl.load_workbook(path)
    book["b"].sheet_state, book["c"].sheet_state = "hidden", "veryHidden"
    book.save(path)
    found = bench.tables(path)
    assert [table.sheet for table in found.tables] == ["a"]
    assert "sheet 'b': hidden, not read (set 'b'.sheet=read to read it)" in found.notes
    assert "sheet 'c': very hidden, not read (set 'c'.sheet=read to read it)" in found.notes
    asked = bench.tables(path, overrides={"C.sheet": "read"})
    assert [table.sheet for table in asked.tables] == ["a", "c"]
    assert "sheet 'c': very hidden, read as was asked" in asked.notes


def test_a_sheet_that_is_not_there_is_refused_by_name(bench: FileBench) -> None:
    path = saved(bench, {"assays": ASSAYS})
    with pytest.raises(Refused, match="no sheet 'asays'; nearest: 'assays'"):
        bench.tables(path, overrides={"asays.sheet": "read"})
    with pytest.raises(Refused, match="has no sheets"):
        bench.table("id,v\na,1\n", overrides={"assays.sheet": "read"})

"""Files of one layout are one table; what differs is named and gives no row."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from filebench import FileBench

from workbench.errors import LimitReached, Refused
from workbench.files.fileset import members
from workbench.limits import Limits
from workbench.tables.connection import Connection
from workbench.tables.opened import Opened
from workbench.tables.together import FileSet, open_set
from workbench.workspace import Workspace

FIRST = "id,Au_ppb,As_ppm\nS1,<1,10\nS2,5,20\n"
SECOND = "Job,BV2\n\nid,As_ppm,AU_PPB\nS3,30,7\nS4,NSS,8\nS5,50,9\n"


def together(bench: FileBench, pattern: str = "*.csv", **options: object) -> Opened:
    workspace = Workspace(bench.data, bench.folder / "results")
    names = members(workspace, pattern)
    assert names is not None
    files = FileSet(pattern, names, workspace.open)
    return open_set(files, bench.snapshots, bench.limits, **options)  # type: ignore[arg-type]


def rows(bench: FileBench, opened: Opened, columns: str) -> list[tuple[object, ...]]:
    with Connection(Limits(), bench.folder) as connection:
        name = connection.view(opened.table())
        return connection.rows(f'SELECT {columns} FROM "{name}"')  # noqa: S608 - the test's own names


def test_columns_in_another_order_are_put_under_their_names(bench: FileBench) -> None:
    bench.write("a.csv", FIRST)
    bench.write("b.csv", SECOND)
    opened = together(bench)
    assert rows(bench, opened, "file, id, Au_ppb__flag, Au_ppb, As_ppm") == [
        ("a.csv", "S1", "<", 0.5, 10.0),
        ("a.csv", "S2", None, 5.0, 20.0),
        ("b.csv", "S3", None, 7.0, 30.0),
        ("b.csv", "S4", None, 8.0, None),
        ("b.csv", "S5", None, 9.0, 50.0),
    ]
    table = opened.table()
    assert [column.name for column in table.columns] == ["file", "id", "Au_ppb", "As_ppm"]
    assert table.column("Au_ppb").below == 1
    assert table.column("As_ppm").missing == {"NSS": 1}


def test_rows_are_told_by_file(bench: FileBench) -> None:
    bench.write("a.csv", FIRST)
    bench.write("b.csv", SECOND)
    opened = together(bench)
    assert [(one.path, one.rows, one.differs) for one in opened.source.files] == [
        ("a.csv", 2, ""),
        ("b.csv", 3, ""),
    ]
    assert "2 of 2 files" in opened.notes[0]
    assert "a.csv 2, b.csv 3" in opened.notes[0]


def test_what_differs_is_named_with_the_difference(bench: FileBench) -> None:
    bench.write("a.csv", FIRST)
    bench.write("b.csv", SECOND)
    bench.write("c.csv", "id,Au_ppb,Zn_ppm\nS6,1,2\nS7,1,3\n")
    bench.write("d.csv", b"\x00\x01\x02\x03")
    opened = together(bench)
    differs = {one.path: one.differs for one in opened.source.files if one.differs}
    assert differs["c.csv"] == "lacks As_ppm; has besides Zn_ppm"
    assert "nothing to read" in differs["d.csv"]
    assert opened.table().rows == 5
    assert any("2 files differ and give no rows" in note for note in opened.notes)


def test_the_same_name_in_another_unit_is_another_layout(bench: FileBench) -> None:
    bench.write("a.csv", "id,Au\n,ppb\nS1,3\nS2,4\n")
    bench.write("b.csv", "id,Au\n,ppb\nS3,5\nS4,6\n")
    bench.write("c.csv", "id,Au\n,ppm\nS5,7\nS6,8\n")
    opened = together(bench)
    assert opened.table().rows == 4
    assert [one.differs for one in opened.source.files] == ["", "", "has Au in ppm"]


def test_a_decimal_comma_is_another_layout(bench: FileBench) -> None:
    bench.write("a.csv", "id,Au_ppb\nS1,3.5\nS2,4.5\n")
    bench.write("b.csv", "id,Au_ppb\nS3,3.5\nS4,4.5\n")
    bench.write("c.csv", "id;Au_ppb\nS5;3,5\nS6;4,5\n")
    assert "decimals with ','" in together(bench).source.files[2].differs


def test_types_are_decided_over_all_files(bench: FileBench) -> None:
    bench.write("a.csv", "Hole,n\n001,1\n002,2\n")
    bench.write("b.csv", "Hole,n\nDH-3,3\nDH-4,4\n")
    assert rows(bench, together(bench), "Hole") == [("001",), ("002",), ("DH-3",), ("DH-4",)]


def test_a_column_called_file_keeps_its_name(bench: FileBench) -> None:
    bench.write("a.csv", "file,v\nx,1\ny,2\n")
    bench.write("b.csv", "file,v\nz,3\nw,4\n")
    names = [column.name for column in together(bench).table().columns]
    assert names == ["file_2", "file", "v"]


def test_a_changed_file_makes_another_snapshot(bench: FileBench) -> None:
    bench.write("a.csv", FIRST)
    bench.write("b.csv", SECOND)
    first = together(bench)
    assert together(bench).sha256 == first.sha256
    bench.write("b.csv", SECOND + "S9,1,2\n")
    assert together(bench).key != first.key
    shutil.copy(bench.data / "a.csv", bench.data / "c.csv")
    assert together(bench).table().rows == 8


def test_settings_hold_for_the_set(bench: FileBench) -> None:
    bench.write("a.csv", FIRST)
    bench.write("b.csv", SECOND)
    opened = together(bench, overrides={"Au_ppb.unit": "ppm"})
    assert opened.table().column("Au_ppb").unit == "ppm"
    assert opened.key != together(bench).key
    with pytest.raises(Refused, match="no column"):
        together(bench, overrides={"Ag.unit": "ppm"})


def test_the_bytes_of_all_files_count_against_the_limit(tmp_path: Path) -> None:
    bench = FileBench(tmp_path, Limits().changed({"load_bytes": 60}))
    bench.write("a.csv", FIRST)
    bench.write("b.csv", SECOND)
    with pytest.raises(LimitReached, match="load_bytes"):
        together(bench)


def test_no_readable_file_is_a_refusal_with_a_reason(bench: FileBench) -> None:
    bench.write("a.csv", b"\x00\x01\x02\x03")
    with pytest.raises(Refused, match="none of 1 files can be read"):
        together(bench)
    assert list(bench.snapshots.iterdir()) == []


def test_sheets_of_workbooks_go_under_each_other_by_name(bench: FileBench) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    for name in ("a.xlsx", "b.xlsx"):
        book = openpyxl.Workbook()
        for sheet, header in (("assay", "Au_ppb"), ("survey", "Dip")):
            page = book.create_sheet(sheet)
            for line in (["Hole", header], ["H1", 1.5], ["H2", 2.5]):
                page.append(line)
        del book["Sheet"]
        book.save(bench.data / name)
    opened = together(bench, "*.xlsx")
    assert [(table.sheet, table.rows) for table in opened.tables] == [("assay", 4), ("survey", 4)]


def test_wells_in_feet_are_not_put_under_wells_in_metres(bench: FileBench, real_data: Path) -> None:
    for place in sorted((real_data / "mannville-logs").glob("*.LAS")):
        shutil.copy(place, bench.data / place.name)
    opened = together(bench, "*.las")
    assert opened.table().rows == 1041
    assert "DEPT in ft" in opened.source.files[1].differs

"""The header is what stands right above the first row that looks like the body."""

from __future__ import annotations

from filebench import FileBench

from workbench.formats.heading import find_heading


def test_lines_above_the_header_are_skipped_and_kept_as_a_note(bench: FileBench) -> None:
    body = "".join(f"H{n},{n},{n}.5\n" for n in range(8))
    raw = bench.raw(f"Job,,\nClient,42,\nhole,from,Au\n{body}")
    assert raw.names == ["hole", "from", "Au"]
    assert (raw.layout["skipped_lines"], raw.layout["header_rows"]) == (2, 1)
    assert "Job / Client 42" in raw.notes[0]


def test_rows_of_units_methods_and_limits_belong_to_the_header() -> None:
    rows = [
        ["Sample", "Au", "Cu"],
        ["Method", "FA50", "4A"],
        ["Unit", "ppb", "%"],
        ["Detection limit", "1", "0.001"],
        ["S1", "5", "0.2"],
        ["S2", "6", "0.3"],
    ]
    found = find_heading(rows, 3)
    assert (found.first, found.rows, found.data) == (0, 4, 4)
    assert [(cell.name, cell.unit, cell.method) for cell in found.cells[1:]] == [
        ("Au", "ppb", "FA50"),
        ("Cu", "%", "4A"),
    ]


def test_a_row_of_units_without_a_label_belongs_to_the_header() -> None:
    body = [[f"S{n}", "5", "2"] for n in range(6)]
    found = find_heading([["id", "Au", "Cu"], ["", "ppm", "pct"], *body], 3)
    assert [cell.unit for cell in found.cells] == [None, "ppm", "pct"]


def test_a_table_without_names_gets_numbered_columns(bench: FileBench) -> None:
    raw = bench.raw("1,2.5,3\n4,5.5,6\n7,8.5,9\n")
    assert raw.names == ["", "", ""]
    assert raw.rows[0] == ("1", "2.5", "3")
    assert any("no row of names" in note for note in raw.notes)


def test_a_table_of_words_has_its_names_in_the_first_full_row(bench: FileBench) -> None:
    raw = bench.raw("Legend,\ncode,rock\nBAS,basalt\nGRA,granite\n")
    assert raw.names == ["code", "rock"]
    assert raw.rows == [("BAS", "basalt"), ("GRA", "granite")]


def test_a_first_row_of_mostly_gaps_is_data_all_the_same(bench: FileBench) -> None:
    names = ",".join(["hole", "from", "to", *(f"c{i}" for i in range(9))])
    full = ",".join(["H1", "1", "2", *("x" for _ in range(9))])
    raw = bench.raw(f"{names}\nH1,0,1,,,,,,,,,\n" + f"{full}\n" * 20)
    assert raw.names[0] == "hole"
    assert len(raw.rows) == 21


def test_row_names_as_statistics_packages_write_them_get_a_column(bench: FileBench) -> None:
    raw = bench.raw('"Au","Cu"\n"a",1,2\n"b",3,4\n')
    assert raw.names == ["", "Au", "Cu"]
    assert raw.rows == [("a", "1", "2"), ("b", "3", "4")]


def test_a_header_may_hold_line_breaks(bench: FileBench) -> None:
    raw = bench.raw('id,"Au\n(ppb)"\nS1,3\nS2,4\n')
    assert raw.names == ["id", "Au\n(ppb)"]
    assert raw.rows == [("S1", "3"), ("S2", "4")]
    assert raw.lines == [3, 4]

"""The header is what stands right above the first row that looks like the body."""

from __future__ import annotations

import pytest
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


def heads(text: str, width: int) -> list[tuple[str, str | None, str | None, float | None]]:
    found = find_heading([line.split(",") for line in text.splitlines()], width)
    return [(cell.name, cell.unit, cell.method, cell.lower) for cell in found.cells]


def test_a_certificate_with_methods_over_the_names_and_units_under_them() -> None:
    text = (
        "BR10000001 - Finalized\nCLIENT : ABC\n# of SAMPLES : 3\nPROJECT : north\n"
        "SAMPLE,WEI-21,Au-AA25,ME-ICP61,ME-ICP61\n"
        "DESCRIPTION,Recvd Wt.,Au,Ag,Al\n,kg,ppm,ppm,%\n"
        "A1,1.2,0.02,<0.5,7.1\nA2,1.1,<0.01,0.6,6.9\nA3,0.9,0.5,0.7,7.7"
    )
    assert heads(text, 5) == [
        ("SAMPLE DESCRIPTION", None, None, None),
        ("Recvd Wt.", "kg", "WEI-21", None),
        ("Au", "ppm", "Au-AA25", None),
        ("Ag", "ppm", "ME-ICP61", None),
        ("Al", "%", "ME-ICP61", None),
    ]


def test_a_certificate_whose_samples_are_named_under_the_labelled_rows() -> None:
    text = (
        "ELEMENTS,Au,Ag\nUNITS,ppb,ppm\nDETECTION,1,0.1\nUPPER LIMIT,10000,100\n"
        "DIGEST,FA25,4A\nFINISH,MS,MS\nSAMPLE NUMBERS,,\nS1,5,0.2\nS2,X,0.3\nS3,7,0.1"
    )
    found = find_heading([line.split(",") for line in text.splitlines()], 3)
    assert (found.first, found.rows, found.data) == (0, 7, 7)
    assert [(c.name, c.unit, c.method, c.lower, c.upper) for c in found.cells] == [
        ("SAMPLE NUMBERS", None, None, None, None),
        ("Au", "ppb", "FA25/MS", 1.0, 10000.0),
        ("Ag", "ppm", "4A/MS", 0.1, 100.0),
    ]


def test_limits_without_a_word_stand_under_the_units() -> None:
    text = "Sample,Au,Cu\n,ppb,ppm\n,1,0.5\nS1,3,4\nS2,5,6"
    assert heads(text, 3)[1:] == [("Au", "ppb", None, 1.0), ("Cu", "ppm", None, 0.5)]


def test_a_first_row_without_a_name_is_data_where_no_units_stand_above() -> None:
    text = "Sample,Au,Cu\n,1,0.5\nS1,3,4\nS2,5,6"
    assert find_heading([line.split(",") for line in text.splitlines()], 3).data == 1


def test_labels_in_a_column_of_their_own_make_a_block_of_any_height() -> None:
    text = (
        "FIELD,HOLE,TOP,ANALYTE,Au\nCODE,H10,H11,Assay Code,FA50\n"
        "MANDATORY,Y,Y,Assay Description,fire\n"
        "STANDARD UOM/FORMAT,-,METRES,Unit of measure (e.g. ppm),ppb\n"
        "DEFINITION,the hole,its top,Detection limit,0.5\n,H1,3,,7\n,H2,4,,8"
    )
    assert heads(text, 5) == [
        ("", None, None, None),
        ("HOLE", None, None, None),
        ("TOP", "METRES", None, None),
        ("", None, None, None),
        ("Au", "ppb", "FA50", 0.5),
    ]


def test_a_group_over_the_names_is_used_where_they_repeat() -> None:
    text = "Sample,Fire assay,,Aqua regia,\nid,Au,Ag,Au,Ag\nS1,1,2,3,4\nS2,5,6,7,8"
    names = [cell[0] for cell in heads(text, 5)]
    assert names == ["id", "Fire assay Au", "Fire assay Ag", "Aqua regia Au", "Aqua regia Ag"]


def test_a_row_of_names_that_are_units_words_is_no_row_of_units() -> None:
    text = "id,rock,g\nS1,basalt,5\nS2,tuff,6"
    assert [cell[0] for cell in heads(text, 3)] == ["id", "rock", "g"]


def test_a_table_of_units_keeps_its_rows(bench: FileBench) -> None:
    raw = bench.raw("Code,Unit\nAu,ppb\nCu,ppm\nFe,%\n")
    assert (raw.names, len(raw.rows)) == (["Code", "Unit"], 3)


def test_labels_in_the_second_column_and_the_samples_named_under_them() -> None:
    text = (
        "Client: X,,,\n,,,\n,Method,FA430,MA200\n,Analyte,Au,Ag\n,Unit,PPM,PPM\n,MDL,0.005,0.5\n"
        "Sample,Type,,\nS1,Rock,0.1,2\nS2,Rock,0.2,3\nS3,Soil,0.3,4"
    )
    assert heads(text, 4) == [
        ("Sample", None, None, None),
        ("Type", None, None, None),
        ("Au", "PPM", "FA430", 0.005),
        ("Ag", "PPM", "MA200", 0.5),
    ]


def test_methods_between_the_names_and_the_units() -> None:
    text = ",Au,Ag\n,FA25/AA,4A/MS\n,ppm,ppm\nS1,0.1,2\nS2,0.2,3\nS3,0.3,4"
    assert heads(text, 3)[1:] == [("Au", "ppm", "FA25/AA", None), ("Ag", "ppm", "4A/MS", None)]


def test_units_over_the_names() -> None:
    text = ",ppm,ppb\nSample,Cu,Au\nS1,0.1,2\nS2,0.2,3\nS3,0.3,4"
    assert heads(text, 3)[1:] == [("Cu", "ppm", None, None), ("Au", "ppb", None, None)]


def test_labels_in_other_languages() -> None:
    text = "Probe,Cu,Au\nEinheit,ppm,ppb\nNachweisgrenze,0.5,1\nS1,0.7,2\nS2,0.9,3\nS3,1.3,4"
    assert heads(text, 3)[1:] == [("Cu", "ppm", None, 0.5), ("Au", "ppb", None, 1.0)]


def test_first_rows_of_words_are_data_where_the_columns_hold_such_words(bench: FileBench) -> None:
    lost = "A-1,red,lost\nA-2,brown,lost\nA-3,red,lost\n"
    raw = bench.raw(
        "station,colour,Cu\n" + lost + "".join(f"A-{n},red,{n}\n" for n in range(4, 40))
    )
    assert (raw.names, len(raw.rows)) == (["station", "colour", "Cu"], 39)
    assert raw.rows[0] == ("A-1", "red", "lost")


def test_words_that_stand_in_two_rows_of_a_column_of_numbers_are_no_names(bench: FileBench) -> None:
    words = "A,red,coarse,not sampled\nB,grey,fine,not sampled\n"
    body = "".join(f"{chr(67 + n)},red,fine,{n}\n" for n in range(20))
    raw = bench.raw("station,colour,texture,Zn\n" + words + body)
    assert raw.names == ["station", "colour", "texture", "Zn"]
    assert len(raw.rows) == 22


def test_rows_of_words_at_the_start_of_a_table_without_names_are_data(bench: FileBench) -> None:
    body = "".join(f"S{n},{'tuff' if n % 2 else 'basalt'},{n}.5\n" for n in range(3, 40))
    assert len(bench.raw("S1,tuff,lost\nS2,basalt,lost\n" + body, "a.csv").rows) == 39
    late = body.replace("S9,tuff,9.5", "S9,tuff,lost")
    assert len(bench.raw(late, "b.csv").rows) == 37


def test_comments_between_names_and_data_are_kept_as_a_note(bench: FileBench) -> None:
    raw = bench.raw("name,a,b\n#\n# taken over, with leave\nX,1,2\nY,3,4\nZ,5,6\n")
    assert (raw.names, len(raw.rows)) == (["name", "a", "b"], 3)
    assert any("taken over" in note for note in raw.notes)


def test_a_comment_sign_before_the_names_is_no_name(bench: FileBench) -> None:
    body = "1 2 3\n4 5 6.5\n7 8 9\n" * 4
    assert bench.raw("# x y z\n" + body, "a.txt").names == ["x", "y", "z"]
    prose = bench.raw("# Vectors taken from a surface\n" + body, "b.txt")
    assert (prose.names, len(prose.rows)) == (["", "", ""], 12)


def test_names_of_all_columns_but_the_first_are_names_over_words_too(bench: FileBench) -> None:
    raw = bench.raw(",fault,finite\nA,True,False\nB,False,True\n")
    assert (raw.names, len(raw.rows)) == (["", "fault", "finite"], 2)


def test_rows_of_a_reporting_template_are_what_their_codes_say(bench: FileBench) -> None:
    head = "H0002,Version,4\nH0203,Data_format,DL4\nH1000,Hole_id,Depth_From,Sample_id,Au,Cu\n"
    more = "H1001,,metres,,ppb,ppm\nH1004,,,,1,1\n"
    body = "".join(f"D,EX{n // 10:03d},{n % 10},S{n:05d},{n + 1},{n * 4 + 2}\n" for n in range(30))
    table = bench.table(head + more + body + "EOF\n", "dl.txt")
    assert table.rows == 30
    assert [(one.name, one.unit) for one in table.columns[2:]] == [
        ("Depth_From", "m"), ("Sample_id", None), ("Au", "ppb"), ("Cu", "ppm"),
    ]  # fmt: skip


def test_a_finish_and_a_row_of_the_samples_name_are_no_names(bench: FileBench) -> None:
    head = "ELEMENTS,Au,Cu\nUNITS,ppb,ppm\nDETECTION,5,1\nDIGEST,FA25/,4A/\n"
    head += "ANALYTICAL FINISH,OE,OE\nSAMPLE NUMBERS,,\n"
    body = "".join(f"INT{n},{'X' if n % 3 == 0 else n * 5},{n * 20}\n" for n in range(1, 31))
    table = bench.table(head + body)
    assert (table.rows, [one.name for one in table.columns]) == (30, ["SAMPLE NUMBERS", "Au", "Cu"])
    gold = table.column("Au")
    assert (gold.unit, gold.below, gold.count) == ("ppb", 10, 20)


def test_a_rule_under_the_names_is_no_row_of_the_header(bench: FileBench) -> None:
    body = "".join(f"|H{n}|{n}|{n}.5|\n" for n in range(12))
    raw = bench.raw("|Hole|From|Au|\n|----|---:|:--|\n" + body, "t.md.csv")
    assert [name for name in raw.names if name] == ["Hole", "From", "Au"]
    assert len(raw.rows) == 12


def test_rows_about_a_table_between_its_names_and_its_numbers_are_rows(bench: FileBench) -> None:
    head = "var,value,units,unc\nModel,UCC,,\nReference,Rudnick (2003),,\nNb,,,\n"
    raw = bench.raw(head + "".join(f"E{n},{n}.5,ppm,{n}.1\n" for n in range(1, 60)))
    assert (raw.names, len(raw.rows)) == (["var", "value", "units", "unc"], 62)


@pytest.mark.parametrize(
    ("names", "row"),
    [
        ("no,vein,Au", "{n},{a},{n}.5"),
        ("no,soil,rock,Au", "{n},{b},{c},{n}.5"),
        ("x,y,soil,Au,Cu", "{n}.5,{n},soil,{n}.5,{n}"),
        ("Q1,Q2,n", "A{d},B{d},{n}"),
        ("name,core", "{word},core"),
    ],
)
def test_names_that_are_words_of_their_columns_are_names(
    bench: FileBench, names: str, row: str
) -> None:
    odd = ("vein", "host"), ("soil", "none"), ("rock", "none")
    body = [
        row.format(n=n, d=n % 4, word="abcdefghijkl"[n:] + "z", **dict(zip("abc", (
            pair[n % 3 == 0] for pair in odd), strict=True)))
        for n in range(12)
    ]  # fmt: skip
    raw = bench.raw("\n".join([names, *body]))
    assert (raw.names, len(raw.rows)) == (names.split(","), 12)


def test_a_sign_over_the_numbers_of_rows_is_a_name(bench: FileBench) -> None:
    raw = bench.raw("#,Sample,,Au,,\n" + "".join(f"{n},S{n},a,{n}.5,b,c\n" for n in range(12)))
    assert (raw.names, len(raw.rows)) == (["#", "Sample", "", "Au", "", ""], 12)

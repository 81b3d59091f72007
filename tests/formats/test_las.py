"""LAS logs as they are met: every repair on a log that needs it, and on none that does not."""

from __future__ import annotations

import io
import json
from pathlib import Path

import lasio
import numpy as np
import pyarrow.parquet as pq
import pytest
from filebench import FileBench
from hypothesis import given, settings
from hypothesis import strategies as st
from lasbench import las

from workbench.errors import Refused
from workbench.formats.reading import WIDE
from workbench.tables.table import Column, Table

THREE = ("DEPT.M", "GR.GAPI", "RES.OHMM")


def rows(bench: FileBench, text: str | bytes) -> list[tuple[str | None, ...]]:
    return bench.raw(text, "a.las").rows


def missing(table: Table) -> dict[str, dict[str, int]]:
    return {one.name: dict(one.missing) for one in table.columns if one.missing}


def test_rows_of_one_line_are_read_as_they_stand(bench: FileBench) -> None:
    raw = bench.raw(las(THREE, "1.0 20.50 3\n1.5  21   4.250\n"), "a.las")
    assert raw.names == ["DEPT", "GR", "RES"]
    assert raw.rows == [("1.0", "20.50", "3"), ("1.5", "21", "4.250")]
    assert raw.lines == [11, 12]


@pytest.mark.parametrize("wrap", ["YES", "NO"])
def test_rows_that_run_over_lines_are_put_together_whatever_the_header_says(
    bench: FileBench, wrap: str
) -> None:
    # As many curves as fill whole lines: nothing but their number tells where a row ends.
    curves = ["DEPT.M", *(f"C{at}.V" for at in range(1, 16))]
    values = [[f"{100 + row * 0.5}", *(f"{row}.{at}" for at in range(1, 16))] for row in range(5)]
    lines = [" ".join(row[start : start + 8]) for row in values for start in (0, 8)]
    raw = bench.raw(las(curves, "\n".join(lines), wrap=wrap), "a.las")
    assert raw.rows == [tuple(row) for row in values]
    assert raw.lines == [24, 26, 28, 30, 32]
    assert any("run over several lines" in note for note in raw.notes) == (wrap == "NO")


def test_a_wrapped_row_that_lacks_values_does_not_shift_those_after_it(bench: FileBench) -> None:
    curves = ["DEPT.M", *(f"C{at}.V" for at in range(1, 7))]
    data = "1.0\n1 2 3\n4 5 6\n1.5\n1 2 3\n2.0\n7 8 9\n10 11 12\n"
    raw = bench.raw(las(curves, data, wrap="YES"), "a.las")
    assert [row[0] for row in raw.rows] == ["1.0", "1.5", "2.0"]
    assert raw.rows[1] == ("1.5", "1", "2", "3", None, None, None)
    assert (raw.short, raw.ragged) == (1, (18,))


def test_a_wrapped_log_that_was_cut_says_so(bench: FileBench) -> None:
    curves = ["DEPT.M", "A.V", "B.V", "C.V"]
    raw = bench.raw(las(curves, "1.0\n1 2\n3\n1.5\n1 2\n", wrap="YES"), "a.las")
    assert raw.rows == [("1.0", "1", "2", "3"), ("1.5", "1", "2", None)]
    assert any("may have been cut" in note for note in raw.notes)


FIXED = (
    "  100.000    10.000     1.000\n"
    "  100.500    11.000     1.500\n"
    "  101.000{}\n"
    "  101.500    12.000     2.000\n"
)


@pytest.mark.parametrize(
    ("touching", "cells"),
    [
        ("101130.188     3.000", ("101130.188", "3.000")),
        (" -9508.961-19999.000", ("-9508.961", "-19999.000")),
        ("********************", ("***", "***")),
        ("    12.000**********", ("12.000", "***")),
        ("               3.000", (None, "3.000")),
    ],
)
def test_columns_of_fixed_width_that_touch_are_parted_where_the_others_are(
    bench: FileBench, touching: str, cells: tuple[str | None, ...]
) -> None:
    raw = bench.raw(las(THREE, FIXED.format(touching)), "a.las")
    assert raw.rows[2] == ("101.000", *cells)
    assert (raw.short, raw.long) == (0, 0)


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("101.0 -1.5-2.25", ("101.0", "-1.5", "-2.25")),
        ("101.00 7.02101130.18", ("101.00", "7.02", "101130.18")),
        ("101.0 ****7.5", ("101.0", "***", "7.5")),
        ("101.0 ************", ("101.0", "***", "***")),
    ],
)
def test_columns_that_touch_are_parted_without_a_fixed_width_too(
    bench: FileBench, line: str, cells: tuple[str, ...]
) -> None:
    data = f"99.0 1 2\n100 10.25 3.5\n{line}\n102.125 1 22.5\n"
    assert rows(bench, las(THREE, data))[2] == cells


def test_a_row_that_no_repair_fits_is_kept_and_listed_by_its_line(bench: FileBench) -> None:
    table = bench.table(las(THREE, "1 2 3\n2 7\n3 4 5\n4 5 6 7 8\n5 6 7\n6 7 8\n"), "a.las")
    assert (table.report.short_rows, table.report.long_rows) == (1, 1)
    assert table.report.ragged_lines == (12, 14)
    values = pq.read_table(table.path).to_pylist()
    assert list(values[1].values()) == [2.0, 7.0, None, None]
    # Nothing of the long row is lost.
    assert list(values[3].values()) == [4.0, 5.0, 6.0, "7 8"]


def test_a_date_is_not_parted_at_its_dashes(bench: FileBench) -> None:
    curves = ("DEPT.M", "DATE.", "A.V", "B.V", "C.V")
    data = "1 2020-01-13 1 2 3\n2 2020-01-14 9\n3 2020-01-15 1 2 3\n"
    assert rows(bench, las(curves, data))[1] == ("2", "2020-01-14", "9", None, None)


@pytest.mark.parametrize(
    ("null", "data", "gaps"),
    [
        ("-999.25", "1 -999.2500 2\n2 5 -999.25\n", {"GR": 1, "RES": 1}),
        ("0", "0 0.00 2\n1 5 0\n", {"GR": 1, "RES": 1}),
        ("-32768", "1 -32768 2\n2 5 3\n", {"GR": 1}),
        ("", "1 -999.25 2\n2 5 3\n3 6 -9999\n", {"GR": 1, "RES": 1}),
        ("-999.25", "1 -9999 2\n2 5 3\n", {"GR": 1}),
        ("NULL", "1 NULL 2\n2 5 NULL\n3 5 6\n", {"GR": 1, "RES": 1}),
        ("-999.25", "1 -99 2\n2 -98.9 3\n3 -99 7\n4 -50 8\n", {}),
        ("-999.25", "1 9998 2\n2 9999 3\n3 9999 3\n4 9999 2\n5 10000 3\n", {}),
        ("-999.25", "1 - 2\n2 -- 3\n3 7 (null)\n4 8 NaN\n5 9 -1.#IND00\n", {"GR": 2, "RES": 3}),
    ],
)
def test_what_stands_for_a_gap_is_missing_and_nothing_else(
    bench: FileBench, null: str, data: str, gaps: dict[str, int]
) -> None:
    table = bench.table(las(THREE, data, null=null), "a.las")
    found = {name: sum(reasons.values()) for name, reasons in missing(table).items()}
    assert found == gaps
    assert not table.report.rejected_total


@pytest.mark.parametrize(
    ("null", "index"),
    [
        ("999.25", ["999.00", "999.25", "999.50"]),
        ("0", ["0", "1", "2"]),
        ("", ["-998", "-999", "-9999"]),
    ],
)
def test_the_index_keeps_every_value(bench: FileBench, null: str, index: list[str]) -> None:
    data = "".join(f"{depth} 10 20\n" for depth in index)
    column = bench.table(las(THREE, data, null=null), "a.las").columns[0]
    assert (column.count, column.missing) == (3, {})
    assert (column.min, column.max) == (min(map(float, index)), max(map(float, index)))


def test_curves_of_text_and_dates_are_typed_one_by_one(bench: FileBench) -> None:
    curves = ("DEPT.M", "ZONE.", "DAY.", "GR.GAPI")
    data = (
        "1.0 'pick delta' 2020-01-13 -999.25\n"
        '1.5 "pick gamma" 2020-01-14 51\n'
        "2.0 pick_alpha 2020-01-15 52\n"
        "2.5 -999.25 2020-01-16 53\n"
    )
    table = bench.table(las(curves, data), "a.las")
    assert [one.kind for one in table.columns] == ["number", "text", "date", "number"]
    zone, gr = table.columns[1], table.columns[3]
    # The number for a gap is no text in a column of text.
    assert (zone.count, zone.missing, gr.count) == (3, {"blank": 1}, 3)
    values = pq.read_table(table.path).column("ZONE").to_pylist()
    assert values == ["pick delta", "pick gamma", "pick_alpha", None]


def test_words_without_quotes_go_into_the_one_curve_of_text(bench: FileBench) -> None:
    curves = ("DEPT.M", "LITH.", "GR.GAPI")
    data = "1.0 SAND 20\n1.5 RED SILTY SAND 21\n2.0 SHALE 22\n"
    assert rows(bench, las(curves, data))[1] == ("1.5", "RED SILTY SAND", "21")
    stamps = "2020-01-01 04:00:00 1.0 20\n2020-01-01 04:00:10 1.5 21\n"
    assert rows(bench, las(("TIME.", "DEPT.M", "GR.GAPI"), stamps)) == [
        ("2020-01-01 04:00:00", "1.0", "20"),
        ("2020-01-01 04:00:10", "1.5", "21"),
    ]


def test_a_word_in_a_curve_of_numbers_is_listed_by_line(bench: FileBench) -> None:
    table = bench.table(las(THREE, "1 2 3\n2 ERR 4\n3 5 5\n"), "a.las")
    assert [(one.line, one.column, one.text) for one in table.report.rejected] == [
        (12, "GR", "ERR")
    ]


def test_repeated_mnemonics_are_numbered_and_missing_ones_too(bench: FileBench) -> None:
    table = bench.table(las(("DEPT.M", "RES.OHMM", "RES.OHMM", ".V"), "1 2 3 4\n"), "a.las")
    assert [one.name for one in table.columns] == ["DEPT", "RES", "RES_2", "column_4"]


def test_a_log_that_runs_upwards_turns_or_repeats_says_so(bench: FileBench) -> None:
    up = bench.raw(las(THREE, "3 1 1\n2 1 1\n1 1 1\n"), "a.las").notes
    assert any("runs upwards, from 3 to 1" in note for note in up)
    odd = bench.raw(las(THREE, "1 1 1\n2 1 1\n2 1 1\n1.5 1 1\n3 1 1\n"), "b.las").notes
    assert any("repeated from one row to the next 1 times" in note for note in odd)
    assert any("2 steps go down the hole and 1 up" in note for note in odd)


@pytest.mark.parametrize(
    ("well", "wrong"),
    [
        (("STRT.M 1 :", "STOP.M 3 :", "STEP.M 1 :"), False),
        (("STRT.M 1 :", "STOP.M 3 :", "STEP.M 0 :"), False),
        (("STRT.M 1 :", "STOP.M 9 :", "STEP.M 1 :"), True),
        (("STRT.M 1 :", "STOP.M 3 :", "STEP.M 0.5 :"), True),
    ],
)
def test_a_wrong_range_in_the_header_is_told(
    bench: FileBench, well: tuple[str, ...], *, wrong: bool
) -> None:
    notes = bench.raw(las(THREE, "1 1 1\n2 1 1\n3 1 1\n", well=well), "a.las").notes
    assert any("not as the header says" in note for note in notes) == wrong


@pytest.mark.parametrize(
    ("delimiter", "said"), [(",", "COMMA"), ("\t", "TAB"), (",", ""), ("\t", ""), (";", "")]
)
def test_delimiters_are_found_with_and_without_a_word_about_them(
    bench: FileBench, delimiter: str, said: str
) -> None:
    text = las(
        THREE, "".join(delimiter.join(row) + "\n" for row in (("1", "", "3"), ("2", "5", "6")))
    )
    text = text.replace("~Well", f" DLM. {said} :\n~Well") if said else text
    raw = bench.raw(text, "a.las")
    assert raw.rows == [("1", None, "3"), ("2", "5", "6")]
    assert raw.layout["delimiter"] == delimiter


def test_a_delimiter_that_the_data_do_not_have_is_overruled(bench: FileBench) -> None:
    text = las(THREE, "1 2 3\n2 5 6\n").replace("~Well", " DLM. COMMA :\n~Well")
    raw = bench.raw(text, "a.las")
    assert raw.rows[0] == ("1", "2", "3")
    assert any("another delimiter" in note for note in raw.notes)


def test_comments_blank_lines_and_control_signs_in_the_data_are_no_rows(bench: FileBench) -> None:
    data = "# DEPT GR RES\n1 2 3\n\n   \n#2 4 5\n2 4\0 5\n\x1a" + " " * 200
    raw = bench.raw(las(THREE, data), "a.las")
    assert raw.rows == [("1", "2", "3"), ("2", "4", "5")]
    assert raw.lines == [12, 16]


@pytest.mark.parametrize(
    ("codec", "told"),
    [
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-16-be", "utf-16"),
        ("cp1252", "cp1252"),
        ("cp1251", "windows-1251"),
        ("gb18030", "gb18030"),
    ],
)
def test_encodings_are_told_and_read(bench: FileBench, codec: str, told: str) -> None:
    words = {
        "cp1251": ("Гамма-каротаж скважины", "Самотлорское месторождение", "Глубина по стволу"),
        "gb18030": ("自然伽马测井曲线", "大庆油田有限责任公司", "测量深度井名油田"),
    }.get(codec, ("température °C", "Forêt", "µs/m"))
    curves = ("DEPT.M", f"GR.GAPI : {words[0]}", f"RES.OHMM : {words[2]}")
    text = las(curves, "1 2 3\n", well=(f"FLD. {words[1]} : field",))
    found = bench.tables(bench.write("a.las", text.encode(codec)))
    assert found.source.encoding == told
    assert words[0] in found.table().notes[0]
    assert words[1] in found.notes[0]


@pytest.mark.parametrize(
    ("end", "told"), [("\n", "lf"), ("\r\n", "crlf"), ("\r", "cr"), ("\r\r\n", "mixed")]
)
def test_every_line_end_ends_a_line(bench: FileBench, end: str, told: str) -> None:
    raw = bench.raw(las(THREE, "1 2 3\n2 5 6\n").replace("\n", end).encode(), "a.las")
    assert raw.rows == [("1", "2", "3"), ("2", "5", "6")]
    assert raw.layout["line_end"] == told


def test_decimal_commas_are_read_as_such(bench: FileBench) -> None:
    every = bench.table(las(THREE, "1,5 2,25 3\n2,0 2,50 4\n2,5 -999,25 4\n"), "a.las")
    assert [one.max for one in every.columns] == [2.5, 2.5, 4.0]
    assert (every.columns[1].count, every.columns[1].missing) == (2, {"sentinel -999.25": 1})
    one = bench.raw(las(THREE, "1.5 2.25 3.0\n2.0 2.50 123,420\n"), "b.las")
    assert one.rows[1] == ("2.0", "2.50", "123.420")
    assert any("another decimal sign" in note and "line 12" in note for note in one.notes)


@pytest.mark.parametrize("data", ["", "\n\n# nothing\n"])
def test_a_log_without_data_has_its_columns(bench: FileBench, data: str) -> None:
    table = bench.table(las(THREE, data), "a.las")
    assert (table.rows, [one.name for one in table.columns]) == (0, ["DEPT", "GR", "RES"])
    assert "the log has columns and no data" in table.notes
    cut = las(THREE, "").removesuffix("~A\n")
    assert bench.table(cut, "cut.las").rows == 0


@pytest.mark.parametrize(
    "title", ["~A  DEPTH  GR  RES", "~  DEPTH  GR  RES", "~ASCII LOG DATA SECTION"]
)
def test_names_come_from_the_line_above_the_data_where_no_columns_are_defined(
    bench: FileBench, title: str
) -> None:
    raw = bench.raw(las((), "1 2 3\n2 5 6\n", title=title), "a.las")
    assert raw.rows == [("1", "2", "3"), ("2", "5", "6")]
    assert raw.names == (["", "", ""] if "SECTION" in title else ["DEPTH", "GR", "RES"])


def test_a_header_with_too_few_or_too_many_columns_is_overruled_with_a_word(
    bench: FileBench,
) -> None:
    more = bench.raw(las(THREE, "1 2 3 4\n2 5 6 7\n"), "a.las")
    assert (more.names, more.rows[0]) == (["DEPT", "GR", "RES", ""], ("1", "2", "3", "4"))
    fewer = bench.raw(las((*THREE, "TEMP.DEGC"), "1 2 3\n2 5 6\n"), "b.las")
    assert fewer.rows == [("1", "2", "3", None), ("2", "5", "6", None)]
    titled = bench.raw(
        las((*THREE, "TEMP.DEGC"), "1 2 3\n2 5 6\n", title="~A DEPT RES TEMP"), "c.las"
    )
    assert titled.names == ["DEPT", "RES", "TEMP"]
    for raw, said in ((more, "no name"), (fewer, "TEMP"), (titled, "line above the data")):
        assert any("the header defines" in note and said in note for note in raw.notes)


def test_values_stand_behind_the_colon_in_the_first_version_and_wherever_labels_stand_before(
    bench: FileBench,
) -> None:
    for version, line in (
        ("1.20", "WELL. WELL : BH-7"),
        ("2.0", "WELL. WELL : BH-7"),
        ("2.0", "WELL. BH-7 : WELL"),
    ):
        text = las(THREE, "1 2 3\n", version=version, well=(line,))
        found = bench.tables(bench.write("a.las", text))
        assert found.notes[0] == f"LAS {version}: well BH-7"
        assert "null value -999.25" in found.notes[1]


def test_header_lines_that_hold_no_item_do_no_harm(bench: FileBench) -> None:
    curves = ("DEPT.M", "GR.GAPI", "RES.OHMM")
    text = las(curves, "1 2 3\n").replace("~A\n", "------\n  DEPT  GR  RES\n~Strange\n x y\n~A\n")
    found = bench.tables(bench.write("a.las", text))
    assert found.table().rows == 1
    assert any("2 header lines hold no item" in note and "10, 11" in note for note in found.notes)
    assert any("~Strange" in note for note in found.notes)


def test_units_are_stated_and_places_need_a_length(bench: FileBench) -> None:
    curves = ("DEPT.F", "E.GPA", "IDID.GM/CC", "URAN.PPM", "U.PPM", "Y.M", "GR.gAPI")
    table = bench.table(las(curves, "1 2 3.5 4 5 6 7\n2 2 3.5 4 5 6 7.5\n"), "a.las")
    said = [(one.unit, one.role if one.role != "constant" else None) for one in table.columns]
    assert said == [
        ("ft", "depth"), ("GPA", None), ("g/cm3", None), ("ppm", None), ("ppm", "element"),
        ("m", "northing"), ("gAPI", "number"),
    ]  # fmt: skip


LAS3 = """~Version
 VERS. 3.0 :
 WRAP. NO :
 DLM. COMMA :
~Well
 NULL. -999.25 :
~Core_Definition
 CORET.M : Core top depth {F}
 COREB.M : Core bottom depth {F}
 CDES.   : Description {S}
~Core_Data[1] | Core_Definition
 1.0, 2.5, "red sandstone
with pebbles"
 2.5, 3.0, sandstone, grey, fine
~Core_Data[2] | Core_Definition
 8.0, 9.5, -999.25
~Log_Definition
 DEPT.M : Depth {F}
 DAY.   : day {DD/MM/YYYY}
 GR.API : gamma {F}
~Log_Data | Log_Definition
 1.0,13/01/2020,-999.25
 1.5,14/01/2020,41
"""


def test_the_sections_of_version_3_are_tables_of_their_own(bench: FileBench) -> None:
    found = bench.tables(bench.write("a.las", LAS3))
    assert [one.sheet for one in found.tables] == ["Log_Data", "Core_Data[1]", "Core_Data[2]"]
    log, first, second = found.tables
    assert [one.kind for one in log.columns] == ["number", "date", "number"]
    assert [one.role for one in first.columns] == ["from", "to", "text"]
    texts = pq.read_table(first.path).column("CDES").to_pylist()
    assert texts == ["red sandstone\nwith pebbles", "sandstone, grey, fine"]
    assert second.rows == 1
    assert found.table("core_data[1]") is first


@pytest.mark.parametrize(
    ("form", "cells", "kind", "first"),
    [
        ("DD/MM/YYYY", ("03/04/2020", "04/04/2020"), "date", "2020-04-03"),
        ("MM/DD/YYYY", ("03/04/2020", "04/04/2020"), "date", "2020-03-04"),
        ("MM/dd/yyyy HH:mm:ss", ("03/04/2020 13:00:31", ""), "date", "2020-03-04 13:00:31"),
        ("DD/MM/YYYY", ("03/04/2020", "04/13/2020"), "date", "2020-03-04"),
        ("S", ("03/04/2020", "04/04/2020"), "text", None),
    ],
)
def test_the_order_of_day_and_month_is_the_one_that_the_header_states(
    bench: FileBench, form: str, cells: tuple[str, str], kind: str, first: str | None
) -> None:
    text = LAS3.replace("DD/MM/YYYY", form)
    for old, new in zip(("13/01/2020", "14/01/2020"), cells, strict=True):
        text = text.replace(old, new)
    day = bench.tables(bench.write("a.las", text)).tables[0].columns[1]
    assert (day.kind, day.min) == (kind, first)


def test_a_quote_that_is_not_closed_swallows_no_rows(bench: FileBench) -> None:
    text = LAS3.replace('with pebbles"', "with pebbles")
    first = bench.tables(bench.write("a.las", text)).tables[1]
    assert first.rows == 3
    assert first.report.short_rows == 1


def test_several_sets_of_log_data_are_told_apart(bench: FileBench) -> None:
    one = las(THREE, "1 2 3\n2 3 4\n", version="3.0")
    two = "~Parameter\n SET. Index :\n~Curve\n MD.M :\n TVD.M :\n~Ascii\n10 9\n20 18\n30 27\n"
    found = bench.tables(bench.write("a.las", one + two))
    assert [(one.sheet, one.rows, len(one.columns)) for one in found.tables] == [
        ("Log", 2, 3),
        ("Index", 3, 2),
    ]


def test_rows_under_a_title_of_no_known_kind_are_read_where_no_others_are(
    bench: FileBench,
) -> None:
    path = bench.write("a.las", las(THREE, "1 2 3\n2 3 4\n", title="~Measurements"))
    found = bench.tables(path)
    assert found.table().rows == 2
    assert not any("not read" in note for note in found.notes)


def test_a_section_without_rows_is_told(bench: FileBench) -> None:
    text = LAS3.replace(" 8.0, 9.5, -999.25\n", "")
    found = bench.tables(bench.write("a.las", text))
    assert [one.sheet for one in found.tables] == ["Log_Data", "Core_Data[1]"]
    assert "section Core_Data[2]: no rows in it" in found.notes


def test_a_log_under_another_name_is_a_log(bench: FileBench) -> None:
    assert bench.table(las(THREE, "1 2 3\n"), "log.txt").rows == 1


# No number that loggers write for a gap lies between these.
cells = st.floats(-900, 900, allow_nan=False).map(lambda value: round(value, 3))


@settings(max_examples=25)
@given(
    values=st.lists(st.lists(cells, min_size=3, max_size=3), min_size=3, max_size=12),
    wrap=st.booleans(),
    version=st.sampled_from([1.2, 2]),
)
def test_what_lasio_writes_is_read_as_lasio_reads_it(
    tmp_path_factory: pytest.TempPathFactory,
    values: list[list[float]],
    version: float,
    *,
    wrap: bool,
) -> None:
    log = lasio.LASFile()
    log.append_curve("DEPT", np.arange(len(values)) * 0.5, unit="m")
    for at in range(3):
        log.append_curve(f"C{at}", np.array([row[at] for row in values]), unit="V")
    text = io.StringIO()
    log.write(text, version=version, wrap=wrap, fmt="%.3f")
    table = FileBench(tmp_path_factory.mktemp("lasio")).table(text.getvalue(), "a.las")
    theirs = lasio.read(text.getvalue())
    ours = pq.read_table(table.path)
    for curve in theirs.curves:
        column = ours.column(curve.mnemonic).to_pylist()
        mine = np.array([np.nan if cell is None else cell for cell in column], dtype=float)
        np.testing.assert_array_equal(mine, curve.data)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"just some words\nand more of them\n", "no section line"),
        ("~V\n VERS. 2.0 :\n", "without columns or data"),
        (las(THREE, "1 2 3\n") + "9" * 5_000_000 + " 1 2\n", "line 12 is longer"),
        ("~V\n VERS. 2.0 :\n" + "~A\n" * 100_000, "sections"),
    ],
)
def test_what_is_no_log_is_refused_in_one_line(
    bench: FileBench, text: str | bytes, why: str
) -> None:
    with pytest.raises(Refused, match=why) as refusal:
        bench.table(text, "bad.las")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("head", [b"LASF\0\1", b"\x00\x01\x02\x7f" * 64])
def test_binary_data_of_that_name_are_refused_by_their_kind(bench: FileBench, head: bytes) -> None:
    with pytest.raises(Refused, match=r"point clouds|binary data"):
        bench.table(head + bytes(range(256)) * 40, "scan.las")


def test_a_log_cut_anywhere_is_read_up_to_there_or_refused(bench: FileBench) -> None:
    text = las((*THREE, "ZONE."), "1.0 2 3 'a b'\n2.0 3 4 c\n") + LAS3

    def outcome(size: int) -> str:
        try:
            return "rows" if bench.raws(bench.write(f"cut{size}.las", text[:size])) else ""
        except Refused as refusal:
            return str(refusal)

    for size in range(1, len(text), 23):
        assert "\n" not in outcome(size)
        assert outcome(size)


def test_more_curves_than_the_engine_takes_are_a_table(bench: FileBench) -> None:
    size = WIDE + 50
    curves = ["DEPT.M", *(f"C{at}.V" for at in range(1, size))]
    data = "".join(" ".join(str(row + at) for at in range(size)) + "\n" for row in range(3))
    raw = bench.table(las(curves, data.replace(" 7 ", " -999.25 ")), "wide.las")
    assert (raw.rows, len(raw.columns), raw.columns[-1].median) == (3, size, float(size))
    assert [one.name for one in raw.columns if one.missing] == ["C5", "C6", "C7"]


def nulls(column: Column) -> int:
    return sum(n for reason, n in column.missing.items() if reason.startswith("sentinel"))


def test_the_sample_log_agrees_with_its_planted_truth(bench: FileBench, sample_data: Path) -> None:
    text = (sample_data / "meridian_ridge_truth.json").read_text(encoding="utf-8")
    truth = json.loads(text)["las"]
    found = bench.tables(sample_data / f"meridian_ridge_{truth['hole']}.las")
    table = found.table()
    index, *curves = table.columns
    assert (table.rows, index.role, index.unit) == (truth["rows"], "depth", "m")
    assert (index.min, index.max, index.count) == (truth["start_m"], truth["stop_m"], truth["rows"])
    assert f"well {truth['hole']}" in found.notes[0]
    for curve in curves:
        fact = truth["curves"][curve.name]
        unit = {"G/C3": "g/cm3"}.get(fact["unit"], fact["unit"])
        assert (nulls(curve), curve.median, curve.unit) == (fact["nulls"], fact["median"], unit)
    assert [one.name for one in curves] == list(truth["curves"])

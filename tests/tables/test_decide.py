"""Roles and kinds are decided over whole columns; identifiers stay text for ever."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import pyarrow.parquet as pq
import pytest
from filebench import FileBench

from workbench.errors import Refused
from workbench.tables.sentinels import HIGH, LOW


def kinds(bench: FileBench, content: str) -> dict[str, tuple[str, str]]:
    return {one.name: (one.role, one.kind) for one in bench.table(content).columns}


def body(*columns: Sequence[object]) -> str:
    return "\n".join(",".join(map(str, row)) for row in zip(*columns, strict=True)) + "\n"


def test_identifiers_stay_text_whatever_their_digits_look_like(bench: FileBench) -> None:
    table = bench.table("SampleID,HoleID,Code,Lab\n0012,12E5,007,1E5\n0013,12E6,008,2E5\n")
    assert [one.kind for one in table.columns] == ["text"] * 4
    assert pq.read_table(table.path).to_pylist()[0] == {
        "SampleID": "0012", "HoleID": "12E5", "Code": "007", "Lab": "1E5",
    }  # fmt: skip


def test_roles_come_from_words_and_values(bench: FileBench) -> None:
    found = kinds(
        bench,
        "HoleID,From,To,Easting,RL,Lith,Au_ppm,SiO2_pct,Mg#,Note,Grid,Void_,v\n"
        + body(
            [f"H{i}" for i in range(40)],
            list(range(40)),
            list(range(1, 41)),
            [350_000 + i for i in range(40)],
            [300.5] * 40,
            ["BIF", "Basalt"] * 20,
            [i / 7 for i in range(40)],
            [50 + i / 9 for i in range(40)],
            [40 + i for i in range(40)],
            [f"remark {i}" for i in range(40)],
            ["MGA51"] * 40,
            [""] * 40,
            [i / 3 for i in range(40)],
        ),
    )
    assert found == {
        "HoleID": ("hole", "text"), "From": ("from", "number"), "To": ("to", "number"),
        "Easting": ("easting", "number"), "RL": ("elevation", "number"), "Lith": ("group", "text"),
        "Au_ppm": ("element", "number"), "SiO2_pct": ("oxide", "number"),
        "Mg#": ("ratio", "number"), "Note": ("text", "text"), "Grid": ("constant", "text"),
        "Void_": ("empty", "empty"), "v": ("number", "number"),
    }  # fmt: skip


def test_a_mostly_numeric_column_is_numbers_and_the_rest_is_listed_by_line(
    bench: FileBench,
) -> None:
    rows = [f"S{i},{i}.5" for i in range(30)]
    rows[4], rows[9] = "S4,12m", "S9,5.0R"
    table = bench.table("id,width\n" + "\n".join(rows) + "\n")
    column = table.column("width")
    assert (column.kind, column.count, column.rejected) == ("number", 28, 2)
    assert [(one.line, one.column, one.text) for one in table.report.rejected] == [
        (6, "width", "12m"),
        (11, "width", "5.0R"),
    ]
    assert table.report.rejected_total == 2
    assert any("width (2): hold texts" in note for note in table.notes)


def test_no_more_than_fifty_rejected_cells_are_listed(bench: FileBench) -> None:
    rows = "".join(f"S{i},{i}\n" for i in range(2_000)) + "".join(f"X{i},x{i}\n" for i in range(80))
    table = bench.table("id,Au_ppb\n" + rows)
    assert len(table.report.rejected) == 50
    assert table.report.rejected_total == 80


def test_a_mostly_wordy_column_is_text(bench: FileBench) -> None:
    assert kinds(bench, "id,note\na,5\nb,dark\nc,light\nd,7\n")["note"][1] == "text"


def test_truths_are_truths(bench: FileBench) -> None:
    table = bench.table("id,ok\na,true\nb,FALSE\nc,True\n")
    assert table.column("ok").kind == "boolean"
    assert pq.read_table(table.path)["ok"].to_pylist() == [True, False, True]


@pytest.mark.parametrize(
    ("cells", "first"),
    [
        (["2024-01-05", "2024-02-29"], dt.date(2024, 1, 5)),
        (["05/01/2024", "25/12/2024"], dt.date(2024, 1, 5)),
        (["01/05/2024", "12/25/2024"], dt.date(2024, 1, 5)),
        (["05-Jan-2024", "06-Feb-2024"], dt.date(2024, 1, 5)),
        (["05.01.2024", "06.02.2024"], dt.date(2024, 1, 5)),
        (["2024-01-05 00:00:00", "2024-02-06 00:00:00"], dt.date(2024, 1, 5)),
        (["2024-01-05 10:30", "2024-02-06 00:00"], dt.datetime(2024, 1, 5, 10, 30)),  # noqa: DTZ001 - dates of files have no zone
    ],
)
def test_dates_of_one_pattern_are_dates(bench: FileBench, cells: list[str], first: dt.date) -> None:
    table = bench.table("day,v\n" + body(cells, [1, 2]))
    assert (table.column("day").role, table.column("day").kind) == ("date", "date")
    assert pq.read_table(table.path)["day"].to_pylist()[0] == first


def test_dates_that_can_be_read_two_ways_stay_text_with_a_note(bench: FileBench) -> None:
    table = bench.table("day,v\n03/04/2024,1\n05/06/2024,2\n")
    assert table.column("day").kind == "text"
    assert any("day and month cannot be told apart" in note for note in table.notes)


def test_dates_in_an_identifier_stay_text(bench: FileBench) -> None:
    assert bench.table("SampleID,v\n2024-01-05,1\n2024-01-06,2\n").column("SampleID").kind == "text"


@pytest.mark.parametrize("value", [value for value in LOW if value > -1e20])
def test_a_repeated_sentinel_in_results_is_a_gap(bench: FileBench, value: float) -> None:
    cells = [*(i / 3 for i in range(1, 30)), value, value]
    column = bench.table("id,Au_ppb\n" + body([f"S{i}" for i in range(31)], cells)).column("Au_ppb")
    assert column.missing == {f"sentinel {value:.12g}": 2}
    assert column.min == pytest.approx(1 / 3)


@pytest.mark.parametrize("value", [value for value in HIGH if value < 1e20])
def test_a_repeated_number_far_above_all_others_is_a_gap(bench: FileBench, value: float) -> None:
    cells = [*(i / 3 for i in range(1, 30)), value, value, value]
    column = bench.table("id,Au_ppb\n" + body([f"S{i}" for i in range(32)], cells)).column("Au_ppb")
    assert column.missing == {f"sentinel {value:.12g}": 3}


def test_two_sentinels_in_one_column_are_kept_apart(bench: FileBench) -> None:
    cells = [1, 2, 3, -99, -99, -9999, -9999]
    table = bench.table("id,Au_ppb\n" + body(list("abcdefg"), cells))
    assert table.column("Au_ppb").missing == {"sentinel -9999": 2, "sentinel -99": 2}


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("Longitude", [-99.5, -99, -99, -98.2]),
        ("d13C", [-99, -99, -150.5, 3]),
        ("Depth_m", [0, 90_000, 90_000, 12]),
        ("Au_ppb", [9_999, 9_999, 9_999, 8_000]),
        ("v", [-99, 5, 7, 9]),
    ],
)
def test_a_number_that_may_be_a_value_is_kept(
    bench: FileBench, header: str, cells: list[float]
) -> None:
    column = bench.table(f"name,{header}\n" + body(list("abcd"), cells)).column(header)
    assert (column.count, dict(column.missing)) == (4, {})


def test_a_column_of_nothing_but_a_sentinel_is_empty_and_said_so(bench: FileBench) -> None:
    table = bench.table("id,Au_ppb,v\n" + body(list("abcd"), [-9999] * 4, [1, 2, 3, 4]))
    column = table.column("Au_ppb")
    assert (column.kind, column.count, column.missing) == ("empty", 0, {"sentinel -9999": 4})
    assert any("Au_ppb: hold no value at all" in note for note in table.notes)


def test_repeated_negative_results_are_limits_and_said_so(bench: FileBench) -> None:
    table = bench.table("id,Au_ppm\n" + body(list("abcdef"), [-0.01, 1, -0.01, 2, -9999, -0.05]))
    column = table.column("Au_ppm")
    assert (column.below, column.limits, column.missing) == (3, (0.01, 0.05), {"sentinel -9999": 1})
    assert any("repeated negative results" in note for note in table.notes)


def test_a_lone_negative_is_a_limit_only_where_other_columns_have_such_limits(
    bench: FileBench,
) -> None:
    gold, lead = [-0.01, 1, -0.01, 2], [-5, 0.9, 2, 3]
    alone = bench.table("id,Pb_ppm\n" + body(list("abcd"), lead), "alone.csv")
    assert alone.column("Pb_ppm").count == 4
    both = bench.table("id,Au_ppm,Pb_ppm\n" + body(list("abcd"), gold, lead), "both.csv")
    assert (both.column("Pb_ppm").below, both.column("Pb_ppm").limits) == (1, (5.0,))


def test_negative_noise_and_negative_places_are_kept(bench: FileBench) -> None:
    noise = [(i - 8) / 7 for i in range(40)]
    table = bench.table("id,Au_ppm,Latitude\n" + body(list(range(40)), noise, [-32.5] * 40))
    assert table.column("Au_ppm").count == 40
    assert table.column("Latitude").count == 40
    assert any("negative results, kept as they are" in note for note in table.notes)


def test_a_hidden_half_limit_is_noted(bench: FileBench) -> None:
    cells = [0.25] * 10 + [i / 3 for i in range(2, 60)]
    table = bench.table("id,Pd_ppb\n" + body(list(range(68)), cells))
    assert any("Pd_ppb (0.25 in 15 % of rows)" in note for note in table.notes)


def test_x_and_y_in_degrees_are_longitude_and_latitude(bench: FileBench) -> None:
    table = bench.table("X,Y,v\n120.0920531,-33.5579343,1\n120.1920531,-33.4579343,2\n")
    assert [one.role for one in table.columns[:2]] == ["longitude", "latitude"]
    assert sum("values are degrees" in note for note in table.notes) == 2


def test_x_and_y_of_a_small_local_grid_are_metres(bench: FileBench) -> None:
    table = bench.table("X,Y,v\n2.386,3.077,1\n2.544,1.972,2\n")
    assert [one.role for one in table.columns[:2]] == ["easting", "northing"]


def test_names_are_trimmed_numbered_and_never_empty(bench: FileBench) -> None:
    table = bench.table('" Au ",au,,Au,"b\nc"\n1,2,3,4,5\n6,7,8,9,0\n')
    assert [one.name for one in table.columns] == ["Au", "au_2", "column_3", "Au_3", "b c"]
    assert table.columns[0].header == " Au "


def test_a_column_without_name_and_values_is_left_out_and_said_so(bench: FileBench) -> None:
    table = bench.table("a,b,\n1,2,\n3,4,\n")
    assert [one.name for one in table.columns] == ["a", "b"]
    assert any("1 columns without name and values" in note for note in table.notes)


def test_a_first_column_without_a_name_that_tells_rows_apart_is_an_id(bench: FileBench) -> None:
    assert kinds(bench, ",Au,Cu\nACA,1,2\nAGI,3,4\nBAD,5,6\n")["column_1"] == ("id", "text")


def test_what_a_person_set_rules(bench: FileBench) -> None:
    content = "name,Au,x\nS1,-0.5,5\nS2,77,6\nS3,-3.25,7\n"
    table = bench.table(
        content,
        overrides={
            "Au.unit": "ppb", "Au.negatives": "keep", "Au.missing": "77,none", "x.role": "id",
        },
    )  # fmt: skip
    column = table.column("Au")
    assert (column.unit, column.count, column.missing) == ("ppb", 2, {"sentinel 77": 1})
    assert (table.column("x").role, table.column("x").kind) == ("id", "text")
    assert bench.table(content).column("Au").below == 2


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"Aux.unit": "ppb"}, "no column 'Aux'; nearest: 'Au'"),
        ({"Au.units": "ppb"}, "COLUMN.key with one of"),
        ({"Au.role": "metal"}, "one of id, hole"),
        ({"Au.unit": "ppx"}, "no known unit"),
        ({"Au": "ppb"}, "COLUMN.key"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(
    bench: FileBench, setting: dict[str, str], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        bench.table("name,Au\nS1,1\nS2,2\n", overrides=setting)


def test_very_many_columns_are_typed_like_any_others(bench: FileBench) -> None:
    narrow, wide = 12, 1_100
    names = ["SampleID", "Lith", *(f"Au{at}_ppm" for at in range(wide))]
    rows = [
        [f"S{row}", "BIF" if row % 2 else "Basalt"]
        + [
            f"<{at + 1}" if (row + at) % 5 == 0 and at % 4 == 0 else f"{row + at / 4}"
            for at in range(wide)
        ]
        for row in range(6)
    ]
    text = [names, *rows]

    def table(width: int, name: str) -> list[dict[str, object]]:
        content = "\n".join(",".join(row[:width]) for row in text) + "\n"
        return [one.to_json() for one in bench.table(content, name).columns[:narrow]]

    assert table(wide + 2, "wide.csv") == table(narrow, "narrow.csv")


@pytest.mark.parametrize(
    "cells",
    [
        ["2024-01-05", "13/02/2024", "05/01/2024", "5-Mar-24"],
        ["45296", "2024-02-13", "2024/01/05", "05.03.2024"],
    ],
)
def test_dates_written_in_several_ways_are_dates_and_said(
    bench: FileBench, cells: list[str]
) -> None:
    table = bench.table("Date,v\n" + body(cells, [1, 2, 3, 4]))
    assert table.column("Date").kind == "date"
    days = pq.read_table(table.path)["Date"].to_pylist()
    assert (days[0], days[2]) == (dt.date(2024, 1, 5), dt.date(2024, 1, 5))
    assert None not in days
    assert any("dates are written in" in note for note in table.notes)


def test_numbers_of_five_digits_are_no_days_unless_the_header_says_so(bench: FileBench) -> None:
    table = bench.table("lot,v\n45296,1\n2024-01-05,2\n")
    assert table.column("lot").kind == "text"


@pytest.mark.parametrize("header", ["Zn_ppm", "Au"])
def test_a_column_of_nothing_but_errors_is_an_empty_result(bench: FileBench, header: str) -> None:
    rows = [f"S{n}" for n in range(9)]
    column = bench.table(f"id,{header}\n" + body(rows, ["#REF!"] * 9)).column(header)
    assert (column.role, column.count, column.missing) == ("element", 0, {"#REF!": 9})


def test_direction_and_inclination_are_the_course_of_a_hole_together(bench: FileBench) -> None:
    table = bench.table("SITE_ID,DEPTH,DIRECTION,INCLINATION\nA,0,12,-60\nA,30,13,-61\nB,0,9,-90\n")
    assert table.column("DIRECTION").role == "azimuth"
    assert table.column("INCLINATION").role == "dip"
    alone = bench.table("SITE_ID,DEPTH,DIRECTION\nA,0,12\nA,30,13\nB,0,9\n", name="b.csv")
    assert alone.column("DIRECTION").role == "number"


def test_a_column_of_nothing_but_below_detection_is_a_result(bench: FileBench) -> None:
    codes = ("<LOD", "< LOD")
    rows = "".join(f"S{n},{n}.5,{n},{n}.1,{codes[n % 2]},X\n" for n in range(1, 20))
    table = bench.table("id,Zr,Sr,Rb,U,Au\n" + rows)
    assert (table.column("U").kind, table.column("U").below) == ("number", 19)
    # A cross alone may mark what was seen.
    assert table.column("Au").kind == "text"


def test_a_coordinate_is_known_beside_the_name_of_its_grid(bench: FileBench) -> None:
    rows = "".join(f"{n},{400000 + n},{6500000 + n},{n}\n" for n in range(20))
    table = bench.table("Site,Easting (MGA94),Northing_GDA2020,eggs_laid\n" + rows)
    roles = [one.role for one in table.columns[1:]]
    assert roles == ["easting", "northing", "number"]


@pytest.mark.parametrize(("code", "told"), [("x", "X"), ("nd", "ND"), ("-", "-")])
def test_a_code_set_to_mean_a_gap_is_no_result_below_detection(
    bench: FileBench, code: str, told: str
) -> None:
    rows = "".join(f"S{n},{n},{told if n % 3 == 0 else n}\n" for n in range(1, 31))
    text = "id,Cu,Au\n" + rows
    assert bench.table(text, "a.csv").column("Au").below == 10
    gold = bench.table(text, "b.csv", overrides={"Au.missing": code}).column("Au")
    assert (gold.below, gold.count, dict(gold.missing)) == (0, 20, {code: 10})


_MARKED = "Sample,Grid,As_ppm\n" + "".join(
    f"S{n},{n}E,{cell}\n"
    for n, cell in enumerate(
        ["5*", "2 J", "5 U", "0.3 B", "12 E", "<0.5 U", "7.2e", "7.2r", "3", "ND", "0.4 R", "x"]
    )
)


@pytest.mark.parametrize(
    ("overrides", "below", "count", "rejected"),
    [
        ({}, 3, 7, ["0.4 R", "x"]),
        ({"As_ppm.below": "U,x", "As_ppm.marks": "J,*,B,E,e,r,R"}, 4, 8, []),
        ({"As_ppm.marks": "none", "As_ppm.kind": "number"}, 2, 1, 8),
    ],
    ids=["proposed", "set", "none"],
)
def test_signs_behind_results_are_read_as_laboratories_mean_them(
    bench: FileBench, overrides: dict[str, str], below: int, count: int, rejected: object
) -> None:
    table = bench.table(_MARKED, overrides=overrides)
    arsenic, told = table.column("As_ppm"), [one.text for one in table.report.rejected]
    assert (arsenic.below, arsenic.count, arsenic.limits) == (below, count, (0.5, 5.0))
    assert rejected in (told, len(told))
    assert table.column("Grid").kind == "text"
    said = "'U' (2) behind a number means not detected, and the number is the limit"
    assert any(said in note for note in table.notes)


def test_signs_behind_numbers_that_are_no_contents_are_believed_with_care(bench: FileBench) -> None:
    cells = [("1.5*", "12A"), ("2.5", "13U"), ("3.5 U", "14"), ("1.25", "15"), ("2.75", "16*")]
    rows = "".join(f"{n},{a},{b}\n" for n, (a, b) in enumerate(cells * 3))
    table = bench.table("n,Reading,Lot\n" + rows)
    reading = table.column("Reading")
    assert (reading.kind, reading.count, reading.below) == ("number", 12, 3)
    assert table.column("Lot").kind == "text"

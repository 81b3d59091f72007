"""What stands around a column: units above the header, limits, signs, zeros, codes of groups."""

from __future__ import annotations

import pytest
from filebench import FileBench

from workbench.tables.preamble import units_of
from workbench.tables.table import Table


def said(table: Table, part: str) -> bool:
    return any(part in note for note in table.notes)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Einheit: mg/kg", [("mg/kg", ["element", "oxide"])]),
        ("# all values in ppm", [("ppm", ["element", "oxide"])]),
        ("Units: ppb", [("ppb", ["element", "oxide"])]),
        ("Majors in wt%; traces in ppm", [("pct", ["oxide"]), ("ppm", ["element"])]),
        ("oxides (wt. %), trace elements (ppm)", [("pct", ["oxide"]), ("ppm", ["element"])]),
        ("units in ppm or ppb", []),
        ("Job 12, 100 %", []),
        ("Au by FA50, ppm limit 0.01", []),
    ],
)
def test_a_line_states_a_unit_or_says_nothing(line: str, told: list[object]) -> None:
    assert [(one.unit, sorted(one.roles)) for one in units_of([line])] == told


def test_columns_without_a_unit_have_that_of_the_line_above_the_header(bench: FileBench) -> None:
    table = bench.table("Lab 7\nEinheit: mg/kg\nID,Al,Cu,Zn_pct\na,1,2,3\nb,4,5,6\nc,7,8,9\n")
    units = [table.column(name).unit for name in ("Al", "Cu", "Zn_pct")]
    assert units == ["mg/kg", "mg/kg", "pct"]
    assert said(table, "Al, Cu: unit mg/kg, from the line above the header 'Einheit: mg/kg'")
    other = bench.table(
        "Einheit: mg/kg\nID,Al,Cu\na,1,2\nb,4,5\nc,7,8\n", "b.csv", overrides={"Al.unit": "ppb"}
    )
    assert other.column("Al").unit == "ppb"


LIMITS = "Sample,Au,Cu\n,ppb,ppm\nDL,1,5\nS1,BDL,20\nS2,3,ND\nS3,4,30\nS4,4,<7\n"


def test_values_below_detection_have_the_limit_of_the_header_row(bench: FileBench) -> None:
    table = bench.table(LIMITS)
    gold, copper = table.column("Au"), table.column("Cu")
    assert (gold.below, gold.bare, gold.limits) == (1, 0, (1.0,))
    assert (copper.below, copper.bare, copper.limits) == (2, 0, (5.0, 7.0))
    assert said(table, "Au (1), Cu (5): values reported as below detection without a number")


def test_values_below_detection_have_the_limit_that_a_person_sets(bench: FileBench) -> None:
    text = "ID,Au_ppb\na,BDL\nb,4\nc,5\n"
    assert bench.table(text, "a.csv").column("Au_ppb").bare == 1
    set_one = bench.table(text, "a.csv", overrides={"Au_ppb.limit": 2}).column("Au_ppb")
    assert (set_one.bare, set_one.limits) == (0, (2.0,))


def test_values_below_detection_have_the_limit_of_the_column_beside(bench: FileBench) -> None:
    table = bench.table("ID,Au_ppb,Au_DL\na,BDL,1\nb,3,1\nc,ND,2\nd,4,2\n")
    assert table.column("Au_ppb").limits == (1.0, 2.0)
    assert (table.column("Au_DL").role, table.column("Au_DL").measured) == ("limit", False)
    assert said(table, "Au_ppb by Au_DL: limits of values below detection")


def test_a_column_of_signs_is_joined_to_its_values(bench: FileBench) -> None:
    table = bench.table("ID,Au_ppb,Au_q,Cu_ppm,Cu_qual\na,1,<,20,\nb,3,,900,>\nc,4,,30,J\n")
    gold, copper = table.column("Au_ppb"), table.column("Cu_ppm")
    assert (gold.count, gold.below, gold.limits) == (2, 1, (1.0,))
    assert (copper.count, copper.above, copper.limits) == (2, 1, (900.0,))
    assert [table.column(name).role for name in ("Au_q", "Cu_qual")] == ["flag", "flag"]
    assert said(table, "Au_ppb by Au_q, Cu_ppm by Cu_qual")


def test_a_truth_in_a_column_named_for_it_is_a_sign(bench: FileBench) -> None:
    table = bench.table("ID,As_ppm,As_bdl\na,1,1\nb,3,0\nc,4,0\n")
    assert (table.column("As_ppm").below, table.column("As_ppm").limits) == (1, (1.0,))


def test_a_column_of_other_words_is_no_sign(bench: FileBench) -> None:
    table = bench.table("ID,Au_ppb,Au_q\na,1,good\nb,3,<\nc,4,poor\n")
    assert (table.column("Au_ppb").below, table.column("Au_q").role) == (0, "text")


def test_a_sign_beside_two_columns_of_its_element_belongs_to_none(bench: FileBench) -> None:
    table = bench.table("ID,Au_ppb,Au_ppm_FA50,Au_q\na,1,2,<\nb,3,4,\nc,4,5,\n")
    assert (table.column("Au_ppb").below, table.column("Au_ppm_FA50").below) == (0, 0)


ZEROS = "ID,Au_ppb,SiO2_pct,CU,Depth\na,0,0,0,0\nb,3,60,1,1\nc,0,61,2,2\nd,5,62,3,3\n"


def test_zeros_of_traces_are_below_an_unstated_limit(bench: FileBench) -> None:
    table = bench.table(ZEROS)
    gold = table.column("Au_ppb")
    assert (gold.count, gold.below, gold.bare, gold.min) == (2, 2, 2, 3.0)
    for name in ("SiO2_pct", "Depth"):
        assert (table.column(name).count, table.column(name).below) == (4, 0)
    assert said(table, "Au_ppb (2): zeros are read as below an unstated detection limit")


def test_zeros_are_kept_where_a_person_says_so(bench: FileBench) -> None:
    table = bench.table(ZEROS, overrides={"Au_ppb.zeros": "keep", "SiO2_pct.zeros": "below"})
    assert (table.column("Au_ppb").below, table.column("SiO2_pct").bare) == (0, 1)


def test_zeros_of_an_element_without_unit_and_limits_are_kept_and_said(bench: FileBench) -> None:
    table = bench.table("ID,Cu\na,0\nb,3\nc,5\n")
    assert table.column("Cu").count == 3
    assert said(table, "Cu: zeros are kept as numbers")


def test_zeros_beside_a_limit_are_below_it(bench: FileBench) -> None:
    assert bench.table("ID,Cu\na,0\nb,<3\nc,5\n").column("Cu").below == 2


def test_whole_numbers_of_few_values_are_codes_of_groups(bench: FileBench) -> None:
    rows = "".join(f"S{i},{i % 3 + 1},{i % 3 + 1},{i % 3}.5,{i}\n" for i in range(40))
    text = f"ID,Weath,Au_ppb,ratio,count\n{rows}"
    table = bench.table(text)
    roles = {one.name: one.role for one in table.columns}
    assert (roles["Weath"], roles["Au_ppb"], roles["count"]) == ("group", "element", "number")
    assert roles["ratio"] == "number"
    assert table.column("Weath").kind == "number"
    assert said(table, "Weath: whole numbers of a few values, read as codes of groups")
    measure = bench.table(text, "b.csv", overrides={"Weath.role": "number"})
    assert measure.column("Weath").role == "number"


def test_a_spike_among_the_low_values_is_noted(bench: FileBench) -> None:
    cells = [0.1, *[0.25] * 20, *(i / 3 for i in range(2, 100))]
    table = bench.table("id,Pt_ppb\n" + "".join(f"s{n},{v:.4g}\n" for n, v in enumerate(cells)))
    assert said(table, "Pt_ppb (0.25 in 17 % of rows): one low value is repeated far more")


def test_rounded_values_are_no_spike(bench: FileBench) -> None:
    text = "id,As_ppm\n1x,1\n" + "".join(f"s{n},{2 + n % 9}\n" for n in range(90))
    assert not said(bench.table(text), "one low value is repeated")

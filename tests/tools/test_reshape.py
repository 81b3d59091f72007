"""Long and wide: the same cells both ways, and no cell with two values."""

from __future__ import annotations

import pandas as pd
import pytest
from toolbench import Bench

from workbench.errors import Refused

LONG = "SampleID,Analyte,Result\nA1,Au,5\nA1,As,<2\nA2,Au,7\nA2,As,30\nA3,As,4\n"


def test_one_row_an_element_becomes_one_row_a_sample(bench: Bench) -> None:
    facts = bench.facts(
        "reshape",
        path=bench.write("long.csv", LONG),
        how="wide",
        keys=["SampleID"],
        names="Analyte",
        values=["Result"],
    )
    table = bench.read(facts["output"]).set_index("SampleID")
    assert facts["rows_out"] == 3
    assert table["Au"].tolist()[:2] == [5, 7]
    assert table["Au"].isna().tolist() == [False, False, True]
    assert table["As__flag"].fillna("").tolist() == ["<", "", ""]
    assert table.loc["A1", "As__limit"] == 2


def test_two_values_for_a_cell_are_refused(bench: Bench) -> None:
    name = bench.write("twice.csv", LONG + "A1,Au,6\n")
    with pytest.raises(Refused, match=r"1 cells would have more than one value.*A1 Au"):
        bench.call(
            "reshape", path=name, how="wide", keys=["SampleID"], names="Analyte", values=["Result"]
        )


def test_stacking_agrees_with_pandas(ridge: Bench, sample_data: object) -> None:
    columns = ["As_ppm", "Cu_ppm"]
    facts = ridge.facts(
        "reshape",
        path="meridian_ridge_geochem.csv",
        how="long",
        keys=["SampleID"],
        values=columns,
    )
    table = ridge.read(facts["output"])
    whole = ridge.read(ridge.facts("sql", query="SELECT * FROM meridian_ridge_geochem")["output"])
    other = whole.melt("SampleID", columns, "column", "value")
    ours = table.set_index(["SampleID", "column"])["value"].sort_index()
    theirs = other.set_index(["SampleID", "column"])["value"].sort_index()
    pd.testing.assert_series_equal(ours, theirs)
    assert facts["rows_out"] == 480
    assert table["unit"].unique().tolist() == ["ppm"]
    assert table["SampleID"].tolist()[:4:2] == whole["SampleID"].tolist()[:2]


def test_there_and_back_is_the_same_table(bench: Bench) -> None:
    name = bench.write("wide.csv", "SampleID,Au_ppb,As_ppm\nA1,5,<2\nA2,,30\n")
    there = bench.facts("reshape", path=name, how="long", keys=["SampleID"])
    back = bench.facts(
        "reshape",
        path=there["output"],
        how="wide",
        keys=["SampleID"],
        names="column",
        values=["value"],
    )
    table = bench.read(back["output"]).set_index("SampleID")
    assert table["As_ppm"].tolist() == [1, 30]
    assert table["As_ppm__flag"].fillna("").tolist() == ["<", ""]
    assert table["Au_ppb"].isna().tolist() == [False, True]


def test_what_is_missing_is_said(bench: Bench) -> None:
    with pytest.raises(Refused, match="give names"):
        bench.call("reshape", path=bench.write("l.csv", LONG), how="wide", keys=["SampleID"])


UNITS = (
    "SampleID,Batch,Analyte,Unit,Result\nA1,B1,Au,ppb,5\nA1,B1,SiO2,%,61\n"
    "A2,B1,Au,ug/kg,<1\nA2,B1,SiO2,%,55\nA3,B1,Au,ppb,20\n"
)


def test_the_unit_of_each_row_goes_into_the_name_and_what_is_left_out_is_said(
    bench: Bench,
) -> None:
    arguments = {"how": "wide", "keys": ["SampleID"], "names": "Analyte", "values": ["Result"]}
    facts = bench.facts("reshape", path=bench.write("u.csv", UNITS), **arguments)
    assert facts["names"] == ["Au_ppb", "SiO2_pct"]
    assert facts["columns_left_out"] == ["Batch"]
    mixed = bench.write("mixed.csv", UNITS + "A4,B2,Au,ppm,0.02\n")
    with pytest.raises(Refused, match=r"'Au' comes in several units \(ppb, ppm, ug/kg\)"):
        bench.call("reshape", path=mixed, **arguments)

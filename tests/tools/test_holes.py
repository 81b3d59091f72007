"""Tables of drillholes against each other: what one lacks, what lies past the end, mixed zones."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from toolbench import Bench

from workbench.errors import Refused


@pytest.fixture
def holes(bench: Bench) -> Bench:
    bench.write(
        "collar.csv",
        "HoleID,Easting,Northing,Depth_m\nBH-001,500000,7000000,100\nBH-002,500010,7000000,50\n"
        "BH-003,500020,7000000,80\n",
    )
    bench.write(
        "survey.csv",
        "HoleID,Depth,Azimuth,Dip\nBH-001,0,90,-60\nBH-001,99999,90,-60\nBH-002,0,90,-60\n",
    )
    bench.write(
        "assay.csv",
        "BHID,From,To,Au_ppm\nbh-001 ,0,50,1\nbh-001,50,120,2\nBH2,0,1,3\nBH-009,0,1,3\n",
    )
    bench.write("notes.txt", "nothing\n")
    return bench


def test_holes_that_a_table_lacks_are_counted_and_named(holes: Bench) -> None:
    reply = holes.call("describe_table", path="collar.csv")
    assert {kind: told["holes"] for kind, told in reply.facts["drillholes"].items()} == {
        "collar": 3, "survey": 2, "assay": 3,
    }  # fmt: skip
    assert reply.facts["holes_lacking"] == {
        "collar not in survey": 1, "assay not in collar": 2, "collar not in assay": 2,
    }  # fmt: skip
    said = " | ".join(reply.notes)
    assert "1 holes of the collar table are not in the survey table (BH-003)" in said
    assert "(BH-009, BH2); 1 of them match without signs and leading zeros" in said


def test_intervals_past_the_end_are_counted_and_depths_to_the_end_are_none(holes: Bench) -> None:
    for path in ("collar.csv", "assay.csv", "survey.csv"):
        tool = "describe_table" if path == "collar.csv" else "check_missing"
        assert holes.facts(tool, path=path)["past_end_of_hole"] == {"assay": 1}


def test_a_table_of_samples_is_compared_with_nothing(holes: Bench) -> None:
    holes.write("soil.csv", "SampleID,Au_ppb\na,1\nb,2\n")
    assert "drillholes" not in holes.facts("check_missing", path="soil.csv")


def test_public_tables_of_one_deposit_have_the_same_holes(bench: Bench, real_data: Path) -> None:
    for part in ("collar", "survey", "assay"):
        name = f"{part}_BABBITT.csv"
        shutil.copy(real_data / "babbitt-drillholes" / name, bench.data / name)
    facts = bench.facts("describe_table", path="collar_BABBITT.csv")
    assert {told["holes"] for told in facts["drillholes"].values()} == {399}
    assert "holes_lacking" not in facts


def test_maps_and_distances_across_zones_are_refused(bench: Bench) -> None:
    rows = "".join(f"S{n},{500000 + n},{7000000 + n},{50 + n % 2},{n + 1}\n" for n in range(40))
    bench.write("a.csv", f"SampleID,Easting,Northing,Zone,Au_ppb\n{rows}")
    with pytest.raises(Refused, match=r"several zones .*50 \(20 rows\), 51 \(20 rows\)"):
        bench.call("plot_map", path="a.csv", color="Au_ppb")
    with pytest.raises(Refused, match="filter_rows on Zone"):
        bench.call("anomaly_groups", path="a.csv", columns=["Au_ppb"], radius=50.0)
    kept = bench.facts("filter_rows", path="a.csv", expression="Zone == 50")
    assert bench.facts("plot_map", path=kept["output"], color="Au_ppb")["rows_used"] == 20

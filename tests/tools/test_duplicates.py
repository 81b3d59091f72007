"""Repeats of samples, with field and laboratory duplicates, standards and blanks kept apart."""

from __future__ import annotations

from toolbench import Bench

TABLE = """SampleID,SampleType,Cu_ppm
S1,Original,5
S1,Lab duplicate,6
S2,Original,7
S2,Original,7
S3,Original,8
S3,Original,9
S4,Original,1
S5,Original,2
S6,Original,3
S7,Original,4
S9,Field duplicate,4
OREAS45,Standard,100
OREAS45,Standard,100
BLK,Blank,1
"""


def test_a_duplicate_of_a_sample_is_no_repeat_of_it(bench: Bench) -> None:
    facts = bench.facts("find_duplicates", path=bench.write("d.csv", TABLE))
    assert (facts["repeated_keys"], facts["rows_with_repeated_key"]) == (2, 4)
    assert (facts["exact_repeats"], facts["same_key_other_values"]) == (1, 1)
    assert facts["quality_control_kept"] == {
        "standard": {"rows": 2},
        "blank": {"rows": 1},
        "duplicate": {"rows": 2, "with_number_of_a_sample": 1},
    }


def test_what_each_row_is_stands_beside_it(bench: Bench) -> None:
    facts = bench.facts("find_duplicates", path=bench.write("d.csv", TABLE))
    rows = bench.read(facts["output"])
    assert rows["SampleID"].tolist() == ["S1", "S1", "S2", "S2", "S3", "S3"]
    assert rows["row_is"].tolist() == ["sample", "duplicate", *["sample"] * 4]


def test_no_row_of_quality_control_is_taken_out(bench: Bench) -> None:
    facts = bench.facts("find_duplicates", path=bench.write("d.csv", TABLE))
    kept = bench.read(facts["without_exact_repeats"])
    assert facts["rows_out"] == len(kept) == 13
    assert (kept["SampleID"] == "OREAS45").sum() == 2
    assert (kept["SampleID"] == "S2").sum() == 1

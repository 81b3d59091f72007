"""Joins and repeated rows: nothing is multiplied, and what does not match is counted and kept."""

from __future__ import annotations

import pandas as pd
import pytest
from toolbench import Bench

from workbench.errors import Refused

ASSAYS = "SampleID,Au_ppb\nA1,5\na2 ,<1\nA3,7\nA4,9\n"
LEDGER = "Sample,Lithology\na1,Basalt\nA2,Gabbro\nA3,Basalt\nA9,Dyke\n"


def both(bench: Bench) -> dict[str, object]:
    return {
        "path": bench.write("assays.csv", ASSAYS),
        "right_path": bench.write("ledger.csv", LEDGER),
        "on": ["SampleID"],
        "right_on": ["Sample"],
    }


def test_keys_match_without_regard_to_case_and_blanks(bench: Bench) -> None:
    facts = bench.facts("merge", **both(bench))
    assert (facts["matched"], facts["left_only"], facts["right_only"]) == (3, 1, 1)
    table = bench.read(facts["output"])
    assert table["Lithology"].tolist()[:3] == ["Basalt", "Gabbro", "Basalt"]
    assert len(table) == facts["rows_out"] == 4
    assert table["Au_ppb__flag"].fillna("").tolist() == ["", "<", "", ""]
    assert bench.read(facts["left_only_rows"])["SampleID"].tolist() == ["A4"]
    assert bench.read(facts["right_only_rows"])["Sample"].tolist() == ["A9"]


def test_an_inner_join_agrees_with_pandas(bench: Bench) -> None:
    facts = bench.facts("merge", how="inner", **both(bench))
    left = pd.DataFrame({"key": ["A1", "A2", "A3", "A4"]})
    right = pd.DataFrame({"key": ["A1", "A2", "A3", "A9"]})
    assert facts["rows_out"] == len(left.merge(right, on="key"))


def test_a_join_that_would_multiply_rows_is_refused(bench: Bench) -> None:
    name = bench.write("twice.csv", "SampleID,Batch\nA1,1\na1,2\nA3,1\n")
    with pytest.raises(Refused, match=r"1 keys are there more than once.*A1 \(2 rows\)"):
        bench.call("merge", path=bench.write("a.csv", ASSAYS), right_path=name, on=["SampleID"])


def test_names_that_both_tables_have_are_kept_apart(bench: Bench) -> None:
    first = bench.write("first.csv", "SampleID,Cu_ppm\nA,1\nB,2\n")
    second = bench.write("second.csv", "SampleID,Cu_ppm\nA,10\nB,20\n")
    facts = bench.facts("merge", path=first, right_path=second, on=["SampleID"])
    table = bench.read(facts["output"])
    assert table.shape == (2, 3)
    assert table.iloc[:, 1].tolist() == [1, 2]
    assert table.iloc[:, 2].tolist() == [10, 20]


def test_nothing_that_matches_is_said(bench: Bench) -> None:
    other = bench.write("other.csv", "SampleID,Rock\nX1,a\nX2,b\n")
    reply = bench.call(
        "merge", path=bench.write("a.csv", ASSAYS), right_path=other, on=["SampleID"]
    )
    assert reply.facts["matched"] == 0
    assert "no row matched" in reply.notes[0]


REPEATS = "SampleID,Cu_ppm\nA1,5\nA1,5\nA2,6\nA2,7\nA3,8\n,9\n"


def test_repeats_with_the_same_and_with_other_values_are_told_apart(bench: Bench) -> None:
    facts = bench.facts("find_duplicates", path=bench.write("r.csv", REPEATS))
    assert facts["repeated_keys"] == 2
    assert facts["rows_with_repeated_key"] == 4
    assert facts["exact_repeats"] == 1
    assert facts["same_key_other_values"] == 1
    assert facts["rows_without_key"] == 1
    assert bench.read(facts["output"])["SampleID"].tolist() == ["A1", "A1", "A2", "A2"]
    kept = bench.read(facts["without_exact_repeats"])
    assert kept["Cu_ppm"].tolist() == [5, 6, 7, 8, 9]


def test_elements_called_k_c_o_and_n_are_no_keys_of_the_search(bench: Bench) -> None:
    name = bench.write("moss.csv", "SampleID,K,C,O,N\nA1,5,1,1,1\nA2,5,1,1,1\nA2,6,1,1,1\n")
    facts = bench.facts("find_duplicates", path=name)
    assert (facts["repeated_keys"], facts["rows_with_repeated_key"]) == (1, 2)
    assert facts["exact_repeats"] == 0
    assert bench.read(facts["output"])["SampleID"].tolist() == ["A2", "A2"]


def test_intervals_are_named_by_hole_from_and_to(bench: Bench) -> None:
    name = bench.write("assay.csv", "HoleID,From,To,Au_ppm\nH1,0,1,1\nH1,1,2,1\nH1,1,2,3\n")
    facts = bench.facts("find_duplicates", path=name)
    assert facts["keys"] == ["HoleID", "From", "To"]
    assert facts["repeated_keys"] == 1


def test_a_table_without_repeats_makes_no_file(ridge: Bench) -> None:
    reply = ridge.call("find_duplicates", path="meridian_ridge_geochem.csv")
    assert reply.facts["repeated_keys"] == 0
    assert reply.made == ()

"""One value out of several methods, and filled non-detects, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from toolbench import Bench

from workbench.errors import Refused

ROWS = (
    "SampleID,Cu_ME-ICP61_ppm,Cu_OG62_pct\n"
    "A1,250,\nA2,>10000,2.5\nA3,<1,\nA4,,\nA5,>10000,\nA6,<1,0.02\nA7,40,<0.001\nA8,30,\n"
)


def test_an_over_range_value_gives_way_to_the_ore_method(bench: Bench) -> None:
    facts = bench.facts(
        "best_value",
        path=bench.write("cu.csv", ROWS),
        columns=["Cu_ME-ICP61_ppm", "Cu_OG62_pct"],
    )
    table = bench.read(facts["output"])
    best = table[facts["column"]]
    assert best.tolist()[:3] == [250, 25_000, 0.5]
    assert np.isnan(best[3])
    assert best.tolist()[4:] == [10_000, 200, 40, 30]
    flags = table[f"{facts['column']}__flag"].fillna("").tolist()
    assert flags == ["", "", "<", "", ">", "", "", ""]
    assert table[f"{facts['column']}_from"].tolist()[1] == "Cu_OG62_pct"
    assert facts["from"] == {"Cu_ME-ICP61_ppm": 5, "Cu_OG62_pct": 2}
    assert facts["without_value"] == 1


def test_methods_that_contradict_each_other_are_counted_and_marked(bench: Bench) -> None:
    rows = "A1,<5,20\nA2,<5,4\nA3,>100,90\nA4,>100,150\nA5,10,30\nA6,10,19\nA7,<5,>100\nA8,7,\n"
    path = bench.write("c.csv", "SampleID,Cu_AAS_ppm,Cu_ICP_ppm\n" + rows)
    facts = bench.facts("best_value", path=path, columns=["Cu_AAS_ppm", "Cu_ICP_ppm"])
    assert facts["contradictions"] == {
        "below a limit and measured above it": 2,
        "above a limit and measured below it": 1,
        "differ more than twofold": 1,
    }
    marked = bench.read(facts["output"]).set_index("SampleID")[f"{facts['column']}_contradicted"]
    assert marked[marked].index.tolist() == ["A1", "A3", "A5", "A7"]


def test_two_elements_are_refused(ridge: Bench) -> None:
    with pytest.raises(Refused, match="one element"):
        ridge.call("best_value", path="meridian_ridge_geochem.csv", columns=["As_ppm", "Cu_ppm"])


FILL = "SampleID,As_ppm\nA,<2\nB,4\nC,8\nD,16\nE,\nF,32\nG,<2\n"


@pytest.mark.parametrize(
    ("method", "number"), [("half", 1), ("sqrt2", 2 / 2**0.5), ("limit", 2), ("zero", 0)]
)
def test_non_detects_are_filled_beside_the_old_column(
    bench: Bench, method: str, number: float
) -> None:
    facts = bench.facts(
        "fill_below", path=bench.write("f.csv", FILL), columns=["As_ppm"], method=method
    )
    table = bench.read(facts["output"])
    assert table[f"As_ppm_{method}"].tolist()[:2] == pytest.approx([number, 4])
    assert table["As_ppm__flag"].tolist()[0] == "<"
    assert np.isnan(table[f"As_ppm_{method}"][4])
    assert facts["filled"] == {"As_ppm": 2}


def test_the_line_of_the_detected_values_lies_below_the_limit_here(bench: Bench) -> None:
    facts = bench.facts(
        "fill_below", path=bench.write("f.csv", FILL), columns=["As_ppm"], method="ros"
    )
    table = bench.read(facts["output"])
    filled = table.loc[table["As_ppm__flag"] == "<", "As_ppm_ros"]
    assert (filled < 4).all()
    assert filled.nunique() == 2


def test_two_columns_filled_from_their_lines_do_not_correlate_where_both_are_low(
    bench: Bench,
) -> None:
    rng = np.random.default_rng(3)
    low = "".join(f"S{n},<2,<3\n" for n in range(60))
    rest = "".join(
        f"T{n},{2 + x:.3f},{3 + y:.3f}\n" for n, (x, y) in enumerate(rng.exponential(5, (60, 2)))
    )
    name = bench.write("both.csv", "SampleID,As_ppm,Sb_ppm\n" + low + rest)
    facts = bench.facts("fill_below", path=name, columns=["As_ppm", "Sb_ppm"], method="ros")
    table = bench.read(facts["output"])[:60]
    assert abs(table["As_ppm_ros"].corr(table["Sb_ppm_ros"], method="spearman")) < 0.5
    assert not table["As_ppm_ros"].is_monotonic_increasing
    assert "drawn" in facts["policy"]
    again = bench.facts("fill_below", path=name, columns=["As_ppm", "Sb_ppm"], method="ros")
    assert bench.read(again["output"])[:60].equals(table)

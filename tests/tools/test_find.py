"""Correlation and anomalies, against planted truth and against pandas and scipy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import median_abs_deviation
from toolbench import Bench

from workbench.errors import Refused

GEOCHEM = "meridian_ridge_geochem.csv"


@pytest.fixture
def truth(sample_data: Path) -> dict[str, Any]:
    known: dict[str, Any] = json.loads((sample_data / "meridian_ridge_truth.json").read_text())
    return known


@pytest.fixture
def halved(sample_data: Path) -> pd.DataFrame:
    """The sample set with half the limit below it and the limit above it."""
    frame = pd.read_csv(sample_data / GEOCHEM, keep_default_na=False)
    for name in frame.columns[6:]:
        text = frame[name].astype(str)
        plain = pd.to_numeric(text, errors="coerce")
        low = pd.to_numeric(text.where(text.str.startswith("<")).str[1:], errors="coerce") / 2
        high = pd.to_numeric(text.where(text.str.startswith(">")).str[1:], errors="coerce")
        frame[name] = plain.fillna(low).fillna(high)
    return frame


def test_planted_correlations_are_found_with_their_pairs(
    ridge: Bench, truth: dict[str, Any]
) -> None:
    facts = ridge.facts("correlate", path=GEOCHEM, method="pearson")
    table = ridge.read(facts["output"])
    known = {
        frozenset((a.split("_")[0], b.split("_")[0])): (r, n) for a, b, n, r in table.to_numpy()
    }
    names = {"MgO": "MgO", "K2O": "K2O"}
    for pair, planted in truth["geochem"]["pearson_log10"].items():
        first, second = (names.get(part, part) for part in pair.split("-"))
        r, n = known[frozenset((first, second))]
        assert n == planted["n"]
        assert r == pytest.approx(planted["r"], abs=6e-4)
    assert facts["pairs"] == len(table) == 190
    assert "left out" in facts["policy"]


def test_the_strongest_pairs_come_back_and_the_matrix_is_on_disk(ridge: Bench) -> None:
    facts = ridge.facts("correlate", path=GEOCHEM)
    shown = [value["r"] for key, value in facts.items() if key.startswith("pair ")]
    assert len(shown) == 20
    assert np.all(np.diff(np.abs(shown)) <= 1e-9)
    matrix = ridge.read(facts["matrix"]).set_index("column")
    assert matrix.shape == (20, 20)
    assert np.allclose(matrix, matrix.T, equal_nan=True)


def test_a_target_gives_its_pairs_alone(ridge: Bench) -> None:
    facts = ridge.facts("correlate", path=GEOCHEM, target="au_ppb", columns=["As_ppm", "Cu_ppm"])
    assert facts["pairs"] == 2
    assert facts["target"] == "Au_ppb"
    assert all("Au_ppb" in key for key in facts if key.startswith("pair "))


def test_few_pairs_are_left_out_and_counted(ridge: Bench) -> None:
    facts = ridge.facts(
        "correlate", path=GEOCHEM, columns=["Au_ppb", "As_ppm", "Sb_ppm"], min_pairs=193
    )
    assert (facts["pairs"], facts["left_out"]) == (2, 1)


def test_log_ratios_are_correlated_over_complete_rows(ridge: Bench, halved: pd.DataFrame) -> None:
    names = ["Ni_ppm", "Cr_ppm", "Fe_pct"]
    facts = ridge.facts("correlate", path=GEOCHEM, columns=names, method="pearson", transform="clr")
    parts = halved[names].dropna() * [1, 1, 10_000]
    logs = np.log(parts)
    ratios = logs.sub(logs.mean(axis=1), axis=0)
    known = ratios.corr()
    told = facts["pair Ni_ppm | Fe_pct"]
    assert told["n"] == len(parts)
    assert told["r"] == pytest.approx(known.loc["Ni_ppm", "Fe_pct"], rel=1e-5)


def test_zeros_under_a_logarithm_are_counted(bench: Bench) -> None:
    rows = "\n".join(f"S{n},{n % 50},{n + 1},{n}" for n in range(100))
    bench.write("a.csv", f"SampleID,Cu,Zn,x\n{rows}\n")
    facts = bench.facts("correlate", path="a.csv", columns=["Cu", "Zn"], method="pearson")
    assert facts["dropped"] == {"Cu not above 0": 2}
    assert facts["pair Cu | Zn"]["n"] == 98


def test_zeros_of_traces_are_censored_in_every_tool(bench: Bench) -> None:
    rows = "\n".join(f"S{n},{n % 5},{n + 1}" for n in range(40))
    bench.write("a.csv", f"SampleID,Cu_ppm,Zn_ppm\n{rows}\n")
    for method in ("pearson", "spearman"):
        facts = bench.facts("correlate", path="a.csv", columns=["Cu_ppm", "Zn_ppm"], method=method)
        assert facts["pair Cu_ppm | Zn_ppm"]["n"] == 32
        assert facts["censored"] == {"Cu_ppm": {"below": 8, "above": 0}}
    facts = bench.facts("anomaly", path="a.csv", column="Cu_ppm")
    assert facts["dropped"] == {"Cu_ppm below an unstated limit": 8}


QUALITY = (
    "SampleID,Type,Au_ppb,Cu_ppm\n"
    + "".join(f"S{n},ORIG,{n % 7 + 1.5},{n % 11 + 2.5}\n" for n in range(40))
    + "STD1,STD,900,4000\nSTD2,STD,905,4100\nB1,BLK,0.1,0.2\n"
)


def test_rows_of_quality_control_are_left_out_and_counted(bench: Bench) -> None:
    bench.write("a.csv", QUALITY)
    said = "3 rows of quality control (2 standards, 1 blank) left out, known by Type"
    facts = bench.facts("correlate", path="a.csv")
    assert (facts["pair Au_ppb | Cu_ppm"]["n"], facts["quality_control"]) == (40, said)
    facts = bench.facts("anomaly", path="a.csv", column="Au_ppb", method="percentile")
    assert facts["dropped"] == {"Type says quality control": 3}
    facts = bench.facts("query_data", path="a.csv", operation="describe", columns=["Au_ppb"])
    assert (facts["describe Au_ppb"]["n"], facts["describe Au_ppb"]["max"]) == (40, 7.5)
    assert facts["quality_control"] == said
    facts = bench.facts(
        "query_data", path="a.csv", operation="filter_summary", expression="Cu_ppm > 0",
        columns=["Au_ppb"],
    )  # fmt: skip
    assert facts["summary Au_ppb"]["n"] == 40


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"columns": ["Au_ppb"]}, "at least 2 of its columns"),
        ({"columns": ["Au_ppb", "Lithology"]}, "holds text"),
        ({"columns": ["Au_ppb", "Gold"]}, "not in"),
        ({"min_pairs": 1}, "3 or more"),
        ({"method": "kendall"}, "none of pearson, spearman"),
        ({"columns": ["Au_ppb"], "target": "Au_ppb"}, "two different"),
        ({"columns": ["Au_ppb", "Depth_m"], "transform": "clr"}, "length"),
    ],
)
def test_a_correlation_that_cannot_be_is_refused(
    ridge: Bench, arguments: dict[str, Any], reason: str
) -> None:
    with pytest.raises(Refused, match=reason):
        ridge.call("correlate", path=GEOCHEM, **arguments)


def test_the_planted_anomaly_leads_the_flagged_rows(ridge: Bench, truth: dict[str, Any]) -> None:
    facts = ridge.facts("anomaly", path=GEOCHEM, column="Au_ppb")
    flagged = ridge.read(facts["output"])
    planted = set(truth["geochem"]["anomaly"]["samples"])
    assert len(flagged) == facts["flagged"]
    assert planted <= set(flagged["SampleID"])
    assert set(flagged["SampleID"].head(5)) <= planted
    assert flagged["Au_ppb"].is_monotonic_decreasing


def test_the_threshold_is_the_one_scipy_gives(ridge: Bench, halved: pd.DataFrame) -> None:
    facts = ridge.facts("anomaly", path=GEOCHEM, column="As_ppm", k=3)
    logs = np.log10(halved["As_ppm"].dropna())
    spread = 1.4826 * median_abs_deviation(logs)
    limit = 10 ** (np.median(logs) + 3 * spread)
    assert facts["threshold"] == pytest.approx(limit, rel=1e-5)
    assert facts["flagged"] == (halved["As_ppm"] > limit).sum()
    assert facts["rule"].startswith("median + 3 × MAD")
    scores = ridge.read(facts["scores"])
    assert len(scores) == 240
    told = scores.dropna(subset="score")
    assert told["score"].to_numpy() == pytest.approx(
        ((logs - np.median(logs)) / spread).to_numpy(), rel=1e-6
    )


def test_each_group_has_a_threshold_of_its_own(ridge: Bench, halved: pd.DataFrame) -> None:
    facts = ridge.facts(
        "anomaly", path=GEOCHEM, column="Cu_ppm", method="tukey", by="Lithology", log=False
    )
    total = 0
    for rock, part in halved.dropna(subset="Cu_ppm").groupby("Lithology")["Cu_ppm"]:
        first, third = np.quantile(part, [0.25, 0.75])
        limit = third + 1.5 * (third - first)
        told = facts[f"group {rock}"]
        assert told["threshold"] == pytest.approx(limit, rel=1e-5)
        assert (told["n"], told["flagged"]) == (len(part), (part > limit).sum())
        total += told["flagged"]
    assert facts["flagged"] == total
    assert facts["groups"] == 5


def test_a_percentile_threshold_needs_no_logarithm(ridge: Bench, halved: pd.DataFrame) -> None:
    facts = ridge.facts(
        "anomaly", path=GEOCHEM, column="Cu_ppm", method="percentile", percentile=95
    )
    limit = halved["Cu_ppm"].quantile(0.95)
    assert facts["threshold"] == pytest.approx(limit, rel=1e-5)
    assert facts["flagged"] == (halved["Cu_ppm"] > limit).sum()
    assert facts["rule"] == "percentile 95 of the values"


def test_a_value_below_detection_is_never_anomalous(bench: Bench) -> None:
    rows = [f"S{n},{n % 7 + 1}" for n in range(60)] + ["C1,<500", "C2,90"]
    bench.write("a.csv", "SampleID,Au_ppb\n" + "\n".join(rows) + "\n")
    facts = bench.facts("anomaly", path="a.csv", column="Au_ppb")
    flagged = bench.read(facts["output"])
    assert facts["threshold"] < 250
    assert flagged["SampleID"].tolist() == ["C2"]
    scores = bench.read(facts["scores"]).set_index("SampleID")
    assert np.isnan(scores.loc["C1", "score"])
    assert not scores.loc["C1", "anomalous"]


def test_a_value_above_range_is_flagged_and_shows_its_sign(ridge: Bench) -> None:
    reply = ridge.call("anomaly", path=GEOCHEM, column="As_ppm")
    shown = reply.previews[0]
    place = shown.columns.index("As_ppm")
    assert [row[place] for row in shown.rows[:2]] == [">10000", ">10000"]
    assert len(shown.rows) == 10


def test_zeros_and_negatives_under_a_logarithm_are_counted(bench: Bench) -> None:
    rows = [f"S{n},{n % 9 + 1}" for n in range(40)] + ["Z1,0", "Z2,-3", "Z3,"]
    bench.write("a.csv", "SampleID,dT\n" + "\n".join(rows) + "\n")
    facts = bench.facts("anomaly", path="a.csv", column="dT")
    assert facts["rows_used"] == 40
    assert facts["dropped"] == {"dT missing": 1, "dT not above 0": 2}


def test_a_mostly_constant_column_has_no_threshold_and_says_why(bench: Bench) -> None:
    rows = [f"S{n},{5 if n < 30 else n}" for n in range(40)]
    bench.write("a.csv", "SampleID,Cu_ppm\n" + "\n".join(rows) + "\n")
    reply = bench.call("anomaly", path="a.csv", column="Cu_ppm")
    assert reply.facts["threshold"] is None
    assert reply.facts["flagged"] is None
    assert reply.facts["flagged_share"] is None
    assert "equal" in reply.notes[0]


def test_a_group_without_threshold_has_no_count(bench: Bench) -> None:
    rows = [f"S{n},{5 if n < 20 else n * n},{'Even' if n < 20 else 'Spread'}" for n in range(40)]
    bench.write("a.csv", "SampleID,Cu_ppm,Rock\n" + "\n".join(rows) + "\n")
    facts = bench.facts("anomaly", path="a.csv", column="Cu_ppm", by="Rock")
    assert facts["group Even"]["flagged"] is None
    assert facts["flagged"] == facts["group Spread"]["flagged"]


def test_a_threshold_that_rests_on_non_detects_has_a_range(bench: Bench) -> None:
    values = [*["<1"] * 12, *(str(1 + n / 4) for n in range(20))]
    rows = [f"S{n},{value}" for n, value in enumerate(values)]
    bench.write("a.csv", "SampleID,Au_ppb\n" + "\n".join(rows) + "\n")
    facts = bench.facts("anomaly", path="a.csv", column="Au_ppb")

    def limit(put_in: float) -> float:
        logs = np.log10([put_in if v == "<1" else float(v) for v in values])
        spread = median_abs_deviation(logs, scale=1 / 1.4826)
        return float(10 ** (np.median(logs) + 2 * spread))

    known = [limit(share) for share in (1, 0.5, 0.1)]
    assert facts["threshold"] == pytest.approx(known[1], rel=1e-5)
    assert facts["threshold_range"] == pytest.approx([min(known), max(known)], rel=1e-5)


def test_a_threshold_that_non_detects_do_not_move_has_no_range(bench: Bench) -> None:
    values = ["<1", *(str(5 + n) for n in range(60))]
    rows = [f"S{n},{value},Chert" for n, value in enumerate(values)]
    bench.write("a.csv", "SampleID,Au_ppb,Rock\n" + "\n".join(rows) + "\n")
    assert "threshold_range" not in bench.facts("anomaly", path="a.csv", column="Au_ppb")
    grouped = bench.facts("anomaly", path="a.csv", column="Au_ppb", by="Rock")
    assert grouped["group Chert"]["below"] == 1


def test_a_threshold_above_every_value_is_said(bench: Bench) -> None:
    rows = [f"S{n},{10 ** (n % 5)}" for n in range(40)]
    bench.write("a.csv", "SampleID,Cu_ppm\n" + "\n".join(rows) + "\n")
    reply = bench.call("anomaly", path="a.csv", column="Cu_ppm")
    assert reply.facts["threshold"] > reply.facts["highest"] == 10_000
    assert any("exceeds the highest value" in note for note in reply.notes)


def test_small_groups_are_said(bench: Bench) -> None:
    rows = [f"S{n},{n + 1},{'Basalt' if n < 30 else 'Chert'}" for n in range(36)]
    bench.write("a.csv", "SampleID,Cu_ppm,Rock\n" + "\n".join(rows) + "\n")
    reply = bench.call("anomaly", path="a.csv", column="Cu_ppm", by="Rock")
    assert reply.facts["group Chert"]["small"] is True
    assert "small" not in reply.facts["group Basalt"]
    assert any("Chert" in note for note in reply.notes)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"column": "Lithology"}, "holds text"),
        ({"column": "Au"}, "not in"),
        ({"column": "Au_ppb", "k": -1}, "above 0"),
        ({"column": "Au_ppb", "percentile": 100}, "less than 100"),
        ({"column": "Au_ppb", "method": "zscore"}, "none of"),
        ({"column": "Au_ppb", "by": "SampleID"}, "no group"),
        ({"column": "Au_ppb", "by": "Cu_ppm"}, "no group"),
        ({"column": "Au_ppb", "log": "yes"}, "true or false"),
    ],
)
def test_an_anomaly_that_cannot_be_is_refused(
    ridge: Bench, arguments: dict[str, Any], reason: str
) -> None:
    with pytest.raises(Refused, match=reason):
        ridge.call("anomaly", path=GEOCHEM, **arguments)


def test_log_ratios_of_few_parts_say_what_chance_makes(ridge: Bench) -> None:
    parts = ["Cu_ppm", "Zn_ppm", "Pb_ppm"]
    reply = ridge.call("correlate", path=GEOCHEM, columns=parts, transform="clr")
    assert reply.facts["expected_by_chance"] == -0.5
    assert any("with 3 parts" in note for note in reply.notes)
    assert "expected_by_chance" not in ridge.facts("correlate", path=GEOCHEM, columns=parts)


def test_independent_parts_correlate_as_chance_makes(bench: Bench) -> None:
    draw = np.random.default_rng(7).lognormal(size=(2_000, 4))
    rows = [",".join([f"S{n}", *(f"{value:.6f}" for value in row)]) for n, row in enumerate(draw)]
    bench.write("a.csv", "SampleID,Cu_ppm,Zn_ppm,Pb_ppm,Ni_ppm\n" + "\n".join(rows) + "\n")
    facts = bench.facts("correlate", path="a.csv", transform="clr", method="pearson")
    found = [value["r"] for key, value in facts.items() if key.startswith("pair ")]
    assert np.mean(found) == pytest.approx(facts["expected_by_chance"], abs=0.03)


def test_each_group_has_correlations_of_its_own(ridge: Bench) -> None:
    facts = ridge.facts(
        "correlate", path=GEOCHEM, columns=["Ni_ppm", "Cr_ppm", "Zn_ppm"], by="Lithology"
    )
    told = ridge.read(facts["output"])
    raw = pd.read_csv(ridge.data / GEOCHEM)
    for rock, part in told.groupby("Lithology"):
        inside = raw[raw["Lithology"] == rock].apply(pd.to_numeric, errors="coerce")
        for _, line in part.iterrows():
            both = inside[[line["column_a"], line["column_b"]]].dropna()
            assert line["n"] == len(both)
            other = both.corr(method="spearman").iloc[0, 1]
            assert line["r"] == pytest.approx(other, abs=1e-5)
    assert facts["groups"] == told["Lithology"].nunique() == 5

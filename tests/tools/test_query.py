"""Looks at a table, against pandas on the same file and against published medians."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr
from toolbench import Bench

from workbench.errors import Refused

GEOCHEM = "meridian_ridge_geochem.csv"


@pytest.fixture
def plain(sample_data: Path) -> pd.DataFrame:
    """The sample set with everything that is no plain number as NaN."""
    frame = pd.read_csv(sample_data / GEOCHEM, keep_default_na=False)
    for name in frame.columns[6:]:
        frame[name] = pd.to_numeric(frame[name], errors="coerce")
    return frame


def test_describe_agrees_with_pandas(ridge: Bench, plain: pd.DataFrame) -> None:
    names = ["Au_ppb", "As_ppm", "SiO2_pct"]
    facts = ridge.facts("query_data", path=GEOCHEM, operation="describe", columns=names)
    for name in names:
        told, truth = facts[f"describe {name}"], plain[name].describe()
        assert told["n"] == truth["count"]
        for ours, theirs in (
            ("min", "min"),
            ("median", "50%"),
            ("mean", "mean"),
            ("sd", "std"),
            ("max", "max"),
        ):
            assert told[ours] == pytest.approx(truth[theirs], rel=1e-5)
    assert facts["censored"] == {
        "Au_ppb": {"below": 37, "above": 0},
        "As_ppm": {"below": 0, "above": 2},
    }


def test_medians_agree_with_those_published_beside_a_public_file(
    bench: Bench, real_data: Path
) -> None:
    name = "tellus_2013_stream_sediment.csv"
    (bench.data / name).write_bytes((real_data / "tellus-ie-2013" / name).read_bytes())
    truth = json.loads((real_data / "tellus-ie-2013" / f"{name}.facts.json").read_text())
    columns = list(truth["medians"])
    facts = bench.facts("query_data", path=name, operation="describe", columns=columns)
    for column, known in truth["medians"].items():
        told = facts[f"describe {column}"]
        assert told["n"] == known["n"]
        for ours, theirs in (("median", "median_excl_bdl"), ("min", "min"), ("max", "max")):
            assert told[ours] == pytest.approx(known[theirs], rel=1e-5)
    for pair in truth["top_correlations"]:
        found = bench.facts(
            "correlate", path=name, columns=[pair["x"], pair["y"]], method="spearman"
        )
        key = next(key for key in found if key.startswith("pair "))
        assert found[key]["n"] == pair["n"]
        assert found[key]["r"] == pytest.approx(pair["spearman"], abs=2e-6)
        found = bench.facts(
            "correlate", path=name, columns=[pair["x"], pair["y"]], method="pearson"
        )
        assert found[key]["r"] == pytest.approx(pair["pearson_log10"], abs=2e-6)


def test_many_columns_are_shown_in_part_and_kept_whole(ridge: Bench) -> None:
    for operation in ("describe", "percentiles"):
        facts = ridge.facts("query_data", path=GEOCHEM, operation=operation)
        assert sum(key.startswith(f"{operation} ") for key in facts) == 12
        assert len(ridge.read(facts["output"])) == 20


def test_percentiles_rank_censored_values(ridge: Bench, plain: pd.DataFrame) -> None:
    facts = ridge.facts(
        "query_data", path=GEOCHEM, operation="percentiles", columns=["Au_ppb", "Cu_ppm"]
    )
    gold = np.sort(np.concatenate([plain["Au_ppb"].dropna(), np.full(37, 0.0)]))
    told = facts["percentiles Au_ppb"]
    assert told["n"] == gold.size
    assert told["10"] == "<1"
    for share in (25, 50, 90, 99):
        assert told[str(share)] == pytest.approx(np.percentile(gold, share), rel=1e-5)
    copper = facts["percentiles Cu_ppm"]
    assert copper["98"] == pytest.approx(plain["Cu_ppm"].quantile(0.98), rel=1e-5)


def test_correlations_are_those_of_scipy_above_the_threshold(
    ridge: Bench, plain: pd.DataFrame
) -> None:
    names = ["Au_ppb", "As_ppm", "Cu_ppm", "Ni_ppm", "MgO_pct"]
    facts = ridge.facts(
        "query_data", path=GEOCHEM, operation="correlations", columns=names, threshold=0.6
    )
    strong = 0
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            both = plain[[first, second]].dropna()
            truth = spearmanr(both[first], both[second]).statistic
            if abs(truth) >= 0.6:
                strong += 1
                told = facts[f"pair {first} | {second}"]
                assert told["n"] == len(both)
                assert told["r"] == pytest.approx(truth, rel=1e-5)
    assert (facts["pairs"], facts["above"]) == (10, strong)
    assert len(ridge.read(facts["output"])) == 10


@pytest.mark.parametrize("operation", ["head", "tail"])
def test_rows_come_as_the_file_has_them(ridge: Bench, sample_data: Path, operation: str) -> None:
    raw = pd.read_csv(sample_data / GEOCHEM, dtype=str, keep_default_na=False)
    names = ["SampleID", "Au_ppb", "Bi_ppm"]
    reply = ridge.call("query_data", path=GEOCHEM, operation=operation, n=7, columns=names)
    wanted = getattr(raw[names], operation)(7)
    gap = {"LNR": None, "NSS": None}
    rows = [tuple(gap.get(cell, cell) for cell in row) for row in wanted.itertuples(index=False)]
    shown = [
        tuple(None if cell in {"LNR", "NSS"} else cell for cell in row)
        for row in reply.previews[0].rows
    ]
    assert shown == rows
    assert reply.previews[0].total == 240


def test_a_sample_repeats_with_its_seed(
    make_bench: Callable[..., Bench], sample_data: Path
) -> None:
    rows = []
    for seed in (1, 1, 2):
        bench = make_bench(seed=seed)
        (bench.data / GEOCHEM).write_bytes((sample_data / GEOCHEM).read_bytes())
        reply = bench.call("query_data", path=GEOCHEM, operation="sample", n=10)
        rows.append(reply.previews[0].rows)
        assert len(set(rows[-1])) == 10
    assert rows[0] == rows[1] != rows[2]


@pytest.mark.parametrize("n", [0, -5, -990_000])
def test_a_number_of_rows_below_one_is_refused(ridge: Bench, n: int) -> None:
    with pytest.raises(Refused, match="from 1 to 20"):
        ridge.call("query_data", path=GEOCHEM, operation="head", n=n)


@pytest.mark.parametrize("n", [2.5, "many", True, float("nan"), 1e400])
def test_a_number_of_rows_that_is_no_whole_number_is_refused(ridge: Bench, n: object) -> None:
    with pytest.raises(Refused, match=r"whole number|not a number"):
        ridge.call("query_data", path=GEOCHEM, operation="head", n=n)


def test_an_absurd_number_of_rows_fetches_a_thousand_at_most(bench: Bench) -> None:
    bench.write("long.csv", "SampleID,Au_ppb\n" + "\n".join(f"S{n},{n}" for n in range(3_000)))
    reply = bench.call("query_data", path="long.csv", operation="head", n=10**12)
    assert len(reply.previews[0].rows) == 1_000
    assert reply.previews[0].total == 3_000


def test_values_are_counted_with_the_rest_as_other(ridge: Bench, plain: pd.DataFrame) -> None:
    reply = ridge.call(
        "query_data", path=GEOCHEM, operation="value_counts", columns=["Lithology"], n=2
    )
    truth = plain["Lithology"].value_counts()
    assert [(row[0], row[1]) for row in reply.previews[0].rows] == list(truth.items())[:2]
    assert reply.facts["distinct"] == 5
    assert reply.facts["other"] == truth.iloc[2:].sum()
    assert reply.facts["missing"] == 0


def test_values_below_detection_are_counted_as_the_file_writes_them(ridge: Bench) -> None:
    reply = ridge.call(
        "query_data", path=GEOCHEM, operation="value_counts", columns=["Au_ppb"], n=20
    )
    assert ("<1", 37) in [row[:2] for row in reply.previews[0].rows]
    assert reply.facts["missing"] == 7


def test_a_filter_gives_the_numbers_of_the_rows_that_meet_it(
    ridge: Bench, plain: pd.DataFrame
) -> None:
    facts = ridge.facts(
        "query_data",
        path=GEOCHEM,
        operation="filter_summary",
        expression='Au_ppb > 2 and Lithology != "Basalt"',
        columns=["Cu_ppm"],
    )
    met = plain[(plain["Au_ppb"] > 2) & (plain["Lithology"] != "Basalt")]
    assert facts["rows_out"] == len(met)
    assert facts["rows_dropped"] == 240 - len(met)
    told = facts["summary Cu_ppm"]
    assert told["median"] == pytest.approx(met["Cu_ppm"].median(), rel=1e-5)
    assert told["mean"] == pytest.approx(met["Cu_ppm"].mean(), rel=1e-5)


def test_rows_that_nobody_can_decide_are_counted(ridge: Bench) -> None:
    reply = ridge.call(
        "query_data", path=GEOCHEM, operation="filter_summary", expression="Au_ppb > 0.5"
    )
    assert (reply.facts["undecided"], reply.facts["missing"]) == (37, 7)
    assert reply.facts["rows_out"] == 196
    assert "37 rows are undecided" in reply.notes[0]


def test_a_word_that_no_row_has_is_told_with_the_nearest(ridge: Bench) -> None:
    reply = ridge.call(
        "query_data", path=GEOCHEM, operation="filter_summary", expression='Lithology == "basalt"'
    )
    assert reply.facts["rows_out"] == 0
    assert "nearest: 'Basalt'" in reply.notes[0]


def test_rows_that_meet_an_expression_can_be_looked_at(ridge: Bench) -> None:
    reply = ridge.call(
        "query_data",
        path=GEOCHEM,
        operation="head",
        n=3,
        expression="isbelow(Au_ppb)",
        columns=["Au_ppb"],
    )
    assert reply.previews[0].rows == (("<1",), ("<1",), ("<1",))
    assert reply.previews[0].total == reply.facts["rows_out"] == 37
    with pytest.raises(Refused, match="takes no expression"):
        ridge.call("query_data", path=GEOCHEM, operation="describe", expression="Au_ppb > 1")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"operation": "describe", "columns": ["Au_pbb"]}, "nearest: 'Au_ppb'"),
        ({"operation": "describe", "columns": ["Lithology"]}, "holds text"),
        ({"operation": "descirbe"}, "none of"),
        ({"operation": "head", "rows": 5}, "no option 'rows'"),
        ({"operation": "value_counts"}, "takes one column"),
        ({"operation": "filter_summary"}, "needs an expression"),
        ({"operation": "correlations", "threshold": 2}, "0 to 1"),
        ({"operation": "correlations", "columns": ["Au_ppb"]}, "at least 2 of its columns"),
        ({}, "'operation' is missing"),
    ],
)
def test_a_wrong_request_is_refused_in_one_line(
    ridge: Bench, arguments: dict[str, Any], reason: str
) -> None:
    with pytest.raises(Refused, match=reason) as caught:
        ridge.call("query_data", path=GEOCHEM, **arguments)
    assert "\n" not in str(caught.value)


def test_an_unknown_file_is_refused_with_the_nearest(ridge: Bench) -> None:
    with pytest.raises(Refused, match=r"nearest: 'meridian_ridge_geochem\.csv'"):
        ridge.call("query_data", path="meridian_ridge_geochm.csv", operation="head")


def test_a_mean_is_bounded_by_what_non_detects_can_be(bench: Bench) -> None:
    bench.write("a.csv", "SampleID,Au_ppb\nA,<2\nB,4\nC,6\nD,<4\n")
    facts = bench.facts("query_data", path="a.csv", operation="describe", columns=["Au_ppb"])
    assert facts["describe Au_ppb"]["mean"] == 5
    assert facts["describe Au_ppb"]["mean_range"] == [2.5, 4]


def test_a_mean_without_non_detects_has_no_range(bench: Bench) -> None:
    bench.write("a.csv", "SampleID,Au_ppb\nA,2\nB,4\n")
    facts = bench.facts("query_data", path="a.csv", operation="describe", columns=["Au_ppb"])
    assert "mean_range" not in facts["describe Au_ppb"]


def test_percentiles_by_group_agree_with_pandas(ridge: Bench, sample_data: Path) -> None:
    reply = ridge.call(
        "query_data", path=GEOCHEM, operation="percentiles", columns=["Cu_ppm"], by="Lithology"
    )
    raw = pd.read_csv(sample_data / GEOCHEM, keep_default_na=False, dtype=str)
    raw["Cu"] = pd.to_numeric(raw["Cu_ppm"], errors="coerce")
    table = ridge.read(reply.facts["output"]).set_index("Lithology")
    for name, part in raw.dropna(subset="Cu").groupby("Lithology")["Cu"]:
        told = table.loc[name]
        expected = part.quantile([0.25, 0.5, 0.75, 0.95, 0.98]).tolist()
        assert told["n"] == len(part)
        for ours, theirs in zip(["p25", "median", "p75", "p95", "p98"], expected, strict=True):
            assert float(told[ours]) == pytest.approx(theirs, rel=1e-5)
        assert float(told["mean_at_half_limit"]) == pytest.approx(part.mean(), rel=1e-5)
        assert reply.facts[f"group Cu_ppm | {name}"]["n"] == len(part)


def test_a_median_among_censored_values_is_a_bound_in_its_group(bench: Bench) -> None:
    bench.write("a.csv", "ID,Rock,Au_ppb\na,B,<2\nb,B,<2\nc,B,5\nd,S,7\ne,S,9\nf,S,11\ng,,1\n")
    facts = bench.facts(
        "query_data", path="a.csv", operation="percentiles", columns=["Au_ppb"], by="Rock"
    )
    assert facts["group Au_ppb | B"]["median"] == "<2"
    assert facts["group Au_ppb | B"]["below"] == 2
    assert facts["group Au_ppb | S"]["median"] == 9
    assert facts["dropped"] == {"Rock missing": 1}


def test_only_percentiles_are_made_by_group(ridge: Bench) -> None:
    with pytest.raises(Refused, match="ask for percentiles"):
        ridge.call("query_data", path=GEOCHEM, operation="head", by="Lithology")

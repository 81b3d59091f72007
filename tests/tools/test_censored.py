"""Statistics with non-detects, against other libraries' routes to the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from toolbench import Bench

from workbench.tables import censored

# Forty lognormal values, rounded, under limits of 0.5, 1 and 2.
OBSERVED = np.array(
    [1.71, 6.42, 5.61, 1.0, 2.0, 0.97, 2.91, 2.0, 3.48, 1.0, 7.9, 1.5, 3.26, 2.0, 1.13, 2.62, 3.76,
     1.35, 1.42, 3.27, 0.69, 1.0, 2.45, 0.84, 1.0, 2.0, 1.03, 1.0, 2.0, 1.71, 4.04, 2.0, 0.78, 2.42,
     3.38, 1.22, 2.84, 4.68, 1.34, 1.0]
)  # fmt: skip
BELOW = np.isin(np.arange(40), [3, 4, 7, 9, 13, 21, 24, 25, 27, 28, 31, 39])
SHARES = (0.25, 0.75)


def test_order_statistics_give_the_numbers_of_statsmodels() -> None:
    # statsmodels 0.14, imputation.ros.impute_ros on the same values.
    found = censored.regression_on_order(OBSERVED, BELOW, SHARES)
    assert found.mean == pytest.approx(2.149685908428725, rel=1e-12)
    assert found.sd == pytest.approx(1.718824585121736, rel=1e-12)
    assert found.median == pytest.approx(1.441965939730859, rel=1e-12)
    filled = censored.filled_by_order(OBSERVED, BELOW)
    assert filled is not None
    assert np.sort(filled)[:3] == pytest.approx([0.43523053, 0.56423001, 0.57706538], abs=1e-8)
    assert (filled[~BELOW] == OBSERVED[~BELOW]).all()


def test_the_likeliest_lognormal_is_that_of_scipy() -> None:
    data = stats.CensoredData.left_censored(OBSERVED, BELOW)
    shape, _, scale = stats.lognorm.fit(data, floc=0)
    found = censored.likelihood(OBSERVED, BELOW, SHARES)
    assert found.median == pytest.approx(scale, rel=1e-4)
    assert found.mean == pytest.approx(stats.lognorm.mean(shape, 0, scale), rel=1e-4)
    assert found.sd == pytest.approx(stats.lognorm.std(shape, 0, scale), rel=1e-3)
    assert found.quantiles[0.75] == pytest.approx(
        stats.lognorm.ppf(0.75, shape, 0, scale), rel=1e-4
    )


def test_the_product_limit_is_that_of_scipy_on_flipped_values() -> None:
    data = stats.CensoredData.right_censored(10 - OBSERVED, BELOW)
    other = stats.ecdf(data).sf
    points = 10 - other.quantiles
    mass = -np.diff(np.concatenate([[1.0], other.probabilities]))
    rest = other.probabilities[-1]
    lowest = min(points[mass > 0].min(), OBSERVED[BELOW].min())
    mean = float((mass * points).sum() + rest * lowest)
    assert censored.kaplan_meier(OBSERVED, BELOW, SHARES).mean == pytest.approx(mean, rel=1e-9)


def test_nothing_censored_is_the_plain_statistic() -> None:
    none = np.zeros(40, dtype=bool)
    found = censored.kaplan_meier(OBSERVED, none, (0.25,))
    assert found.mean == pytest.approx(OBSERVED.mean())
    assert found.sd == pytest.approx(OBSERVED.std())
    assert censored.regression_on_order(OBSERVED, none, ()).sd == pytest.approx(
        OBSERVED.std(ddof=1)
    )


def test_a_median_below_the_lowest_detected_value_is_not_told() -> None:
    values, below = np.array([5.0, 5.0, 5.0, 6.0, 7.0]), np.array([True, True, True, False, False])
    assert np.isnan(censored.kaplan_meier(values, below, ()).median)
    assert censored.filled_by_order(values, below) is None


def written(bench: Bench) -> str:
    lines = [f"S{n},{'<' if low else ''}{value:g},{'A' if n < 20 else 'B'}\n"
             for n, (value, low) in enumerate(zip(OBSERVED, BELOW, strict=True))]  # fmt: skip
    return bench.write("water.csv", "SampleID,As_ppb,Rock\n" + "".join(lines))


def test_a_column_is_told_by_four_routes_with_its_counts(bench: Bench) -> None:
    facts = bench.facts("censored_stats", path=written(bench), columns=["As_ppb"])["As_ppb"]
    assert (facts["n"], facts["below"], facts["share_below"]) == (40, 12, 0.3)
    assert facts["limits"] == [1, 2]
    assert facts["ros"]["mean"] == pytest.approx(2.1497, abs=1e-3)
    half = np.where(BELOW, OBSERVED / 2, OBSERVED)
    assert facts["half"]["mean"] == pytest.approx(half.mean(), rel=1e-3)
    assert facts["unit"] == "ppb"


def test_groups_are_told_apart_and_written_whole(bench: Bench) -> None:
    facts = bench.facts("censored_stats", path=written(bench), columns=["As_ppb"], by="Rock")
    table = bench.read(facts["output"])
    assert set(table["group"]) == {"A", "B"}
    assert table.groupby("group")["n"].first().tolist() == [20, 20]
    part = censored.kaplan_meier(OBSERVED[:20], BELOW[:20], ())
    line = table[(table["group"] == "A") & (table["method"] == "km")].iloc[0]
    assert line["mean"] == pytest.approx(part.mean, rel=1e-5)


def test_a_median_among_the_non_detects_is_told_as_a_bound(bench: Bench) -> None:
    rows = "".join(f"S{n},{'<0.5' if n < 20 else n}\n" for n in range(30))
    name = bench.write("se.csv", "SampleID,Se_ppm\n" + rows)
    facts = bench.facts("censored_stats", path=name, columns=["Se_ppm"])["Se_ppm"]
    assert facts["km"]["median"] == "<0.5"


def test_groups_that_an_answer_has_no_room_for_are_counted(bench: Bench) -> None:
    rows = "".join(f"S{n},{n + 1},R{n % 12}\n" for n in range(60))
    name = bench.write("many.csv", "SampleID,As_ppm,Rock\n" + rows)
    facts = bench.facts("censored_stats", path=name, columns=["As_ppm"], by="Rock")
    shown = sum(key.startswith("As_ppm") for key in facts)
    assert facts["more_in_output"] == f"{12 - shown} columns or groups more"
    assert bench.read(facts["output"])["group"].nunique() == 12


def test_values_without_a_logarithm_are_left_out_counted_and_said(bench: Bench) -> None:
    rows = "".join(f"S{n},{n - 1}\n" for n in range(30))
    name = bench.write("low.csv", "SampleID,Temp\n" + rows)
    reply = bench.call("censored_stats", path=name, columns=["Temp"])
    facts = reply.facts["Temp"]
    assert (facts["n"], facts["dropped"]) == (28, {"not above 0": 2})
    assert facts["half"]["mean"] == pytest.approx(np.arange(1, 29).mean())
    assert "Temp: 2 rows not above 0 are left out" in reply.notes[0]


def test_a_column_without_a_usable_value_says_so(bench: Bench) -> None:
    name = bench.write("none.csv", "SampleID,Temp\n" + "".join(f"S{n},-{n}.5\n" for n in range(9)))
    reply = bench.call("censored_stats", path=name, columns=["Temp"])
    assert (reply.facts["Temp"]["n"], reply.facts["Temp"]["dropped"]) == (0, {"not above 0": 9})
    assert "Temp: no value can be used" in reply.notes


def test_a_non_detect_without_a_limit_is_counted_apart(bench: Bench) -> None:
    rows = "".join(f"S{n},{n + 1}\n" for n in range(30))
    name = bench.write("bare.csv", f"SampleID,Cu_ppm\n{rows}X,bdl\n")
    reply = bench.call("censored_stats", path=name, columns=["Cu_ppm"])
    facts = reply.facts["Cu_ppm"]
    assert (facts["n"], facts["dropped"]) == (30, {"below an unstated limit": 1})
    assert "leans high" in reply.notes[0]


def test_a_product_limit_mean_is_said_to_lean_high(bench: Bench) -> None:
    body = "\n".join(f"s{n},{'<1' if n < 4 else n}" for n in range(20))
    facts = bench.facts(
        "censored_stats", path=bench.write("k.csv", f"id,As_ppm\n{body}\n"), columns=["As_ppm"]
    )
    assert "leans high" in facts["km_mean"]
    # By hand: sixteen detected values of equal weight, and a fifth of the weight at the limit.
    assert facts["As_ppm"]["km"]["mean"] == pytest.approx(0.2 * 1 + sum(range(4, 20)) / 20)
    plain = bench.write("p.csv", "id,As_ppm\n" + "\n".join(f"s{n},{n + 1}" for n in range(9)))
    assert "km_mean" not in bench.facts("censored_stats", path=plain, columns=["As_ppm"])


def test_equal_detected_values_have_no_likeliest_law() -> None:
    values, below = np.array([5.0, 5, 5, 1]), np.array([False, False, False, True])
    assert np.isnan(censored.likelihood(values, below, SHARES).mean)


def test_each_column_and_each_piece_of_a_result_is_told_as_progress(bench: Bench) -> None:
    heard: list[tuple[str, float]] = []
    bench.context.progress = lambda text, share: heard.append((text, share))
    bench.write("two.csv", "As_ppm,Cu_ppm\n" + "<1,2\n3,4\n5,6\n" * 10)
    bench.call("censored_stats", path="two.csv", columns=["As_ppm", "Cu_ppm"])
    bench.call("filter_rows", path="two.csv", expression="As_ppm > 2")
    assert {("column 1 of 2", 0.0), ("column 2 of 2", 0.5), ("reads", 0.5)} <= set(heard)
    assert ("writes rows", 2 / 3) in heard

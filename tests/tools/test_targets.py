"""Thresholds side by side, indices and groups in space, against numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import median_abs_deviation
from toolbench import Bench

from workbench.errors import Refused
from workbench.tables import segments

GEOCHEM = "meridian_ridge_geochem.csv"


def two_populations(bench: Bench) -> tuple[str, np.ndarray]:
    rng = np.random.default_rng(4)
    values = np.concatenate(
        [rng.lognormal(np.log(10), 0.3, 450), rng.lognormal(np.log(200), 0.3, 50)]
    )
    table = pd.DataFrame({"SampleID": [f"S{n}" for n in range(500)], "Cu_ppm": values})
    return bench.write("two.csv", table.to_csv(index=False)), values


def test_each_rule_gives_the_number_of_its_formula(bench: Bench) -> None:
    name, values = two_populations(bench)
    facts = bench.facts("compare_thresholds", path=name, column="Cu_ppm")
    logs = np.log10(values)
    spread = median_abs_deviation(logs, scale=1 / 1.4826)
    assert facts["mad_log"]["threshold"] == pytest.approx(
        10 ** (np.median(logs) + 2 * spread), rel=1e-5
    )
    low, high = np.percentile(values, [25, 75])
    assert facts["tukey_raw"]["threshold"] == pytest.approx(high + 1.5 * (high - low), rel=1e-5)
    assert facts["p97.5"]["threshold"] == pytest.approx(np.quantile(values, 0.975), rel=1e-5)
    for key in ("mad_log", "tukey_raw", "p97.5"):
        assert facts[key]["flagged"] == (values > facts[key]["threshold"]).sum()


def test_a_break_lies_between_two_populations(bench: Bench) -> None:
    name, _ = two_populations(bench)
    facts = bench.facts("compare_thresholds", path=name, column="Cu_ppm")
    assert 20 < facts["probability_break_3"]["threshold"] < 150
    table = bench.read(facts["output"])
    assert table["rule"].is_unique
    assert facts["range"] == [
        pytest.approx(table["threshold"].min()),
        pytest.approx(table["threshold"].max()),
    ]


def test_no_break_is_found_at_a_pile_of_non_detects_and_a_threshold_there_is_said(
    bench: Bench,
) -> None:
    rng = np.random.default_rng(5)
    values = rng.lognormal(np.log(1.2), 0.6, 400)
    cells = [f"S{n},{f'{x:.3f}' if x > 1.5 else '<1.5'}\n" for n, x in enumerate(values)]
    name = bench.write("low.csv", "SampleID,Se_ppm\n" + "".join(cells))
    facts = bench.facts("compare_thresholds", path=name, column="Se_ppm")
    for key in ("probability_break_2", "probability_break_3", "number_break_2"):
        assert facts[key]["threshold"] > 1.5
    rare = [f"S{n},{'<1' if n < 394 else n}\n" for n in range(400)]
    name = bench.write("rare.csv", "SampleID,Te_ppm\n" + "".join(rare))
    facts = bench.facts("compare_thresholds", path=name, column="Te_ppm")
    assert facts["p98"]["threshold"] == 0.5
    assert "not above the detection limit (1)" in facts["p98"]["remark"]
    assert facts["range"] == []


def test_pieces_are_the_best_of_all_places() -> None:
    x = np.arange(40.0)
    y = np.where(x < 15, 2 * x, 30 + 0.2 * (x - 15)) + np.random.default_rng(0).normal(0, 0.1, 40)
    found = segments.pieces(x, y, 2)
    assert found is not None

    def error(cut: int) -> float:
        return sum(
            float(np.polyfit(x[part], y[part], 1, full=True)[1][0])
            for part in (slice(None, cut), slice(cut, None))
        )

    best = min(range(5, 36), key=error)
    assert found.breaks[0] == pytest.approx((x[best - 1] + x[best]) / 2)
    assert found.slopes == pytest.approx((2, 0.2), abs=0.05)


def test_an_index_is_the_weighted_mean_of_robust_scores(ridge: Bench) -> None:
    columns = ["As_ppm", "Cu_ppm", "Zn_ppm"]
    facts = ridge.facts("anomaly_index", path=GEOCHEM, columns=columns, weights=[2, 1, 1])
    table = ridge.read(facts["output"]).set_index("SampleID")
    whole = ridge.read(ridge.facts("sql", query="SELECT * FROM meridian_ridge_geochem")["output"])
    whole = whole.set_index("SampleID").loc[table.index]
    scores = []
    for name in columns:
        logs = np.log10(whole[name])
        score = (logs - logs.median()) / (1.4826 * median_abs_deviation(logs))
        if f"{name}__flag" in whole:
            score = score.where(whole[f"{name}__flag"] != "<", score.clip(upper=0))
        scores.append(score)
    expected = (2 * scores[0] + scores[1] + scores[2]) / 4
    assert np.allclose(table["index"], expected, rtol=1e-4)
    assert table["index"].is_monotonic_decreasing
    assert facts["weights"] == [0.5, 0.25, 0.25]


def test_a_sample_that_lacks_an_element_is_ranked_by_the_others(bench: Bench) -> None:
    rng = np.random.default_rng(3)
    table = pd.DataFrame(rng.lognormal(2, 1, (30, 3)), columns=["Cu_ppm", "Zn_ppm", "As_ppm"])
    table.insert(0, "SampleID", [f"S{n}" for n in range(30)])
    table.loc[0, "Zn_ppm"] = np.nan
    table.loc[1, ["Cu_ppm", "Zn_ppm", "As_ppm"]] = np.nan
    name = bench.write("gaps.csv", table.to_csv(index=False))
    columns = ["Cu_ppm", "Zn_ppm", "As_ppm"]
    reply = bench.call("anomaly_index", path=name, columns=columns, weights=[1, 2, 3])
    assert reply.facts["dropped"] == {"all elements missing": 1}
    assert (reply.facts["ranked"], reply.facts["ranked_by_fewer_elements"]) == (29, 1)
    assert reply.facts["not_usable"]["Zn_ppm missing"] == 2
    told = bench.read(reply.facts["output"]).set_index("SampleID")
    logs = np.log10(table[columns])
    scores = (logs - logs.median()) / (
        1.4826 * median_abs_deviation(logs, axis=0, nan_policy="omit")
    )
    first = scores.loc[0]
    assert told.loc["S0", "index"] == pytest.approx(
        (first["Cu_ppm"] + 3 * first["As_ppm"]) / 4, rel=1e-5
    )
    assert told.loc["S0", "elements_scored"] == 2
    assert "S1" not in told.index


def test_a_column_that_can_score_no_sample_is_refused_by_name(bench: Bench) -> None:
    rows = "".join(f"S{n},{n + 1},{'<2' if n % 3 else n + 3}\n" for n in range(40))
    name = bench.write("half.csv", "SampleID,Cu_ppm,Te_ppm\n" + rows)
    with pytest.raises(Refused, match=r"'Te_ppm' \(26 of 40 below detection\).*MAD is 0"):
        bench.call("anomaly_index", path=name, columns=["Cu_ppm", "Te_ppm"])


def test_a_group_too_small_to_score_is_said(bench: Bench) -> None:
    rows = "".join(f"S{n},{n % 9 + 1},{'A' if n else 'B'}\n" for n in range(40))
    name = bench.write("rocks.csv", "SampleID,Cu_ppm,Rock\n" + rows)
    reply = bench.call("anomaly_index", path=name, columns=["Cu_ppm"], by="Rock")
    assert reply.facts["ranked"] == 39
    assert "1 rows stand in groups of fewer than 5" in reply.notes[0]


def spots(bench: Bench) -> str:
    """Background on a 100 m grid, three neighbours high in two elements, and a lone one."""
    rng = np.random.default_rng(9)
    rows = []
    for at in range(400):
        x, y = 500_000 + 100 * (at % 20), 6_000_000 + 100 * (at // 20)
        gold, arsenic = rng.lognormal(0, 0.2), rng.lognormal(2, 0.2)
        if (x - 500_000, y - 6_000_000) in {(500, 500), (600, 500), (500, 600)}:
            gold, arsenic = 50, 900
        if (x - 500_000, y - 6_000_000) == (1500, 1500):
            gold = 60
        rows.append(f"S{at},{x},{y},{gold:.3f},{arsenic:.3f}\n")
    return bench.write("spots.csv", "SampleID,Easting,Northing,Au_ppb,As_ppm\n" + "".join(rows))


def test_neighbours_high_in_two_elements_lead(bench: Bench) -> None:
    facts = bench.facts(
        "anomaly_groups", path=spots(bench), columns=["Au_ppb", "As_ppm"], radius=150, k=6
    )
    assert facts["groups"] == 1
    assert facts["lone_samples"] == 1
    assert facts["group 1"]["samples"] == 3
    assert facts["group 1"]["elements"] == {"Au_ppb": 3, "As_ppm": 3}
    assert facts["group 1"]["across_m"] == 100
    table = bench.read(facts["output"])
    assert (table["anomaly_group"] == 1).sum() == 3


def test_repeats_at_one_place_are_no_group_of_samples(bench: Bench) -> None:
    name = spots(bench)
    extra = "S900,501500,6001500,62,7\nS901,500500,6000500,51,905\n"
    twice = bench.write("twice.csv", (bench.data / name).read_text() + extra)
    facts = bench.facts("anomaly_groups", path=twice, columns=["Au_ppb", "As_ppm"], radius=150, k=6)
    assert (facts["groups"], facts["lone_samples"], facts["repeats_at_one_place"]) == (1, 0, 1)
    assert (facts["group 1"]["samples"], facts["group 1"]["places"]) == (4, 3)


def test_a_table_without_coordinates_is_refused(bench: Bench) -> None:
    name, _ = two_populations(bench)
    with pytest.raises(Refused, match="no pair of coordinate columns"):
        bench.call("anomaly_groups", path=name, columns=["Cu_ppm"], radius=100)


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("anomaly_index", {"columns": ["Cu_ppm"], "weights": [1, 2]}, "give 1 numbers above 0"),
        ("anomaly_groups", {"columns": ["Cu_ppm"], "radius": -1}, "metres above 0"),
        ("compare_thresholds", {"column": "Lithology"}, "numbers are needed"),
    ],
)
def test_what_cannot_be_done_is_said(
    ridge: Bench, tool: str, arguments: dict[str, object], says: str
) -> None:
    with pytest.raises(Refused, match=says):
        ridge.call(tool, path=GEOCHEM, **arguments)

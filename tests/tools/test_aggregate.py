"""Samples put together and smoothed: against another library, and loops written out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from toolbench import Bench

from workbench.errors import Refused

GEOCHEM = "meridian_ridge_geochem.csv"
ASSAY = "meridian_ridge_assay.csv"


def test_statistics_by_group_are_those_of_another_library(ridge: Bench) -> None:
    facts = ridge.facts(
        "aggregate", path=GEOCHEM, by=["Lithology"], columns=["Zn_ppm"],
        statistics=["median", "mean", "min", "max", "sum", "sd", "p90"],
    )  # fmt: skip
    told = ridge.read(facts["output"]).set_index("Lithology")
    raw = pd.read_csv(ridge.data / GEOCHEM)
    zinc = pd.to_numeric(raw["Zn_ppm"], errors="coerce").groupby(raw["Lithology"])
    for name, expected in (
        ("median", zinc.median()), ("mean", zinc.mean()), ("min", zinc.min()), ("max", zinc.max()),
        ("sum", zinc.sum()), ("sd", zinc.std()), ("p90", zinc.quantile(0.9)), ("n", zinc.count()),
    ):  # fmt: skip
        assert np.allclose(told[f"Zn_ppm_{name}"], expected.loc[told.index])
    assert told["samples"].sum() == facts["rows_used"] == 240


def test_cells_of_a_grid_hold_the_samples_that_lie_in_them(ridge: Bench) -> None:
    facts = ridge.facts(
        "aggregate", path=GEOCHEM, cell=250.0, columns=["Zn_ppm"], statistics=["mean"]
    )
    told = ridge.read(facts["output"])
    raw = pd.read_csv(ridge.data / GEOCHEM)
    cell = [np.floor(raw[axis] / 250) for axis in ("Easting", "Northing")]
    other = pd.to_numeric(raw["Zn_ppm"], errors="coerce").groupby(cell).mean()
    assert len(told) == len(other) == facts["rows_out"]
    assert np.allclose(told["Zn_ppm_mean"], other.to_numpy())
    assert np.allclose((told["Easting"] / 250) % 1, 0.5)


def test_a_quantile_among_non_detects_keeps_its_limit(bench: Bench) -> None:
    cells = [("A", "<2"), ("A", "<2"), ("A", "9"), ("B", "<2"), ("B", "5"), ("B", "7"), ("", "1")]
    rows = [f"S{n},{g},{v}" for n, (g, v) in enumerate(cells)]
    bench.write("a.csv", "SampleID,Rock,Au_ppb\n" + "\n".join(rows) + "\n")
    facts = bench.facts(
        "aggregate", path="a.csv", by=["Rock"], statistics=["median", "min", "max", "mean"]
    )
    told = bench.read(facts["output"]).set_index("Rock")
    assert told["Au_ppb_median__flag"].fillna("").to_dict() == {"A": "<", "B": ""}
    assert told.loc["A", "Au_ppb_median__limit"] == 2
    assert told.loc["B", "Au_ppb_median"] == 5
    assert told["Au_ppb_min__flag"].to_dict() == {"A": "<", "B": "<"}
    assert told["Au_ppb_max"].to_dict() == {"A": 9, "B": 7}
    assert told.loc["A", "Au_ppb_mean"] == pytest.approx(11 / 3)
    assert facts["dropped"] == {"Rock missing": 1}


def test_degrees_are_put_in_cells_of_metres(bench: Bench) -> None:
    rows = [f"S{n},{118 + n * 0.001:.4f},-25.0,{n + 1}" for n in range(20)]
    bench.write("d.csv", "SampleID,Longitude,Latitude,Cu_ppm\n" + "\n".join(rows) + "\n")
    facts = bench.facts("aggregate", path="d.csv", cell=1008.0)
    assert "local metres" in facts["grid"]
    told = bench.read(facts["output"])
    # A thousandth of a degree is 100.8 m there, so that a cell holds ten samples.
    assert told["samples"].max() == 10
    assert told["Longitude"].between(117.9, 118.1).all()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "give by"),
        ({"cell": 0.0}, "above 0"),
        ({"by": ["Lithologie"]}, "nearest: 'Lithology'"),
        ({"by": ["Lithology"], "columns": ["SampleID"]}, "numbers are needed"),
        ({"by": ["Lithology"], "statistics": ["mode"]}, "none of"),
    ],
)
def test_what_cannot_be_put_together_is_refused(
    ridge: Bench, arguments: dict[str, object], reason: str
) -> None:
    with pytest.raises(Refused, match=reason):
        ridge.call("aggregate", path=GEOCHEM, **arguments)


def by_hand(part: pd.DataFrame, window: float, method: str) -> list[float]:
    found = []
    for _, row in part.iterrows():
        middle = (row["From_m"] + row["To_m"]) / 2
        inside = np.minimum(part["To_m"], middle + window / 2)
        length = (inside - np.maximum(part["From_m"], middle - window / 2)).clip(lower=0)
        values, length = part["v"][length > 0], length[length > 0]
        if method == "mean":
            found.append(np.average(values, weights=length))
        else:
            order = values.sort_values(kind="stable").index
            share = length[order].cumsum() / length.sum()
            upper = values[order][share >= 0.5 - 1e-9]
            tie = abs(share[upper.index[0]] - 0.5) < 1e-9
            found.append(upper.iloc[:2].mean() if tie else upper.iloc[0])
    return found


@pytest.mark.parametrize("method", ["mean", "median"])
def test_smoothing_is_weighted_by_length_within_each_hole(ridge: Bench, method: str) -> None:
    facts = ridge.facts("smooth", path=ASSAY, columns=["Au_ppm"], window=4.3, method=method)
    table = ridge.read(facts["output"])
    table["v"] = table["Au_ppm"]
    hole = table.columns[table.columns.str.lower().str.contains("hole")][0]
    assert facts["holes"] == table[hole].nunique() > 1
    for _, part in table[table["v"].notna()].groupby(hole):
        told = part[f"Au_ppm_{method}_4.3"]
        assert np.allclose(told, by_hand(part, 4.3, method))


def test_a_gap_stays_a_gap_and_points_count_alike(bench: Bench) -> None:
    rows = ["A,1,1", "A,2,2", "A,3,", "A,4,9", "B,4,100"]
    bench.write("p.csv", "HoleID,Depth_m,Cu_ppm\n" + "\n".join(rows) + "\n")
    facts = bench.facts("smooth", path="p.csv", columns=["Cu_ppm"], window=2.0)
    told = bench.read(facts["output"])["Cu_ppm_mean_2"].tolist()
    assert told[0] == told[1] == 1.5
    assert np.isnan(told[2])
    assert told[3:] == [9, 100]


def test_what_cannot_be_smoothed_is_refused(ridge: Bench, bench: Bench) -> None:
    with pytest.raises(Refused, match="above 0"):
        ridge.call("smooth", path=ASSAY, columns=["Au_ppm"], window=0.0)
    bench.write("a.csv", "SampleID,Cu_ppm\nS1,1\nS2,2\n")
    with pytest.raises(Refused, match="no columns of from and to"):
        bench.call("smooth", path="a.csv", columns=["Cu_ppm"], window=2.0)

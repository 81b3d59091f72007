"""Ratios and log-ratios: bounds are kept as bounds, bases and fillings agree with other routes."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.stats import CensoredData, norm, truncnorm
from toolbench import Bench

from workbench.errors import Refused
from workbench.tables.compositions import contrasts, lognormal_replacement

GEOCHEM = "meridian_ridge_geochem.csv"


def test_a_censored_part_makes_a_bound_of_a_ratio(bench: Bench) -> None:
    rows = ["S1,4,2", "S2,<4,2", "S3,4,<2", "S4,<4,<2", "S5,>4,2", "S6,4,>2", "S7,,2", "S8,<4,>2"]
    bench.write("a.csv", "SampleID,Cu_ppm,Zn_ppm\n" + "\n".join(rows) + "\n")
    facts = bench.facts("ratio", path="a.csv", over=["Cu_ppm"], under=["Zn_ppm"])
    name = "Cu_ppm_over_Zn_ppm"
    table = bench.read(facts["output"]).set_index("SampleID")
    flags = table[f"{name}__flag"].fillna("").to_dict()
    assert flags == {
        "S1": "", "S2": "<", "S3": ">", "S4": "", "S5": ">", "S6": "<", "S7": "", "S8": "<",
    }  # fmt: skip
    assert table[name].isna().to_dict()["S4"]
    assert (table.loc[["S2", "S3", "S5", "S6", "S8"], f"{name}__limit"] == 2).all()
    told = facts["ratios"][name]
    assert (told["n"], told["below"], told["above"], told["gaps"]) == (1, 3, 2, 2)


def test_units_are_brought_together_and_moles_are_those_of_the_element(ridge: Bench) -> None:
    facts = ridge.facts("ratio", path=GEOCHEM, over=["Fe_pct"], under=["Cu_ppm"])
    table = ridge.read(facts["output"])
    expected = table["Fe_pct"] * 10_000 / table["Cu_ppm"]
    assert np.allclose(table["Fe_pct_over_Cu_ppm"], expected, equal_nan=True)
    facts = ridge.facts("ratio", path=GEOCHEM, over=["K2O_pct"], under=["Al2O3_pct"], molar=True)
    table = ridge.read(facts["output"])
    # Molar masses of the oxides from Robie and Hemingway (1995): 94.196 and 101.961 g/mol.
    expected = table["K2O_pct"] / 94.196 / (table["Al2O3_pct"] / 101.961)
    assert np.allclose(table["K2O_pct_over_Al2O3_pct_molar"], expected, rtol=2e-5, equal_nan=True)


@pytest.mark.parametrize(
    ("over", "under", "reason"),
    [
        (["Cu_ppm"], ["Cu_ppm"], "over itself"),
        (["Cu_ppm", "Zn_ppm", "Ni_ppm"], ["Co_ppm", "Pb_ppm"], "3 numerators and 2"),
        (["Cu_ppm"], ["Easting"], "states no unit"),
        (["Cu_ppm"], ["Depth_m"], "length"),
        (["Cu_ppm"], ["Lithology"], "holds text"),
        ([], ["Cu_ppm"], "0 numerators"),
    ],
)
def test_a_ratio_that_cannot_be_is_refused(
    ridge: Bench, over: list[str], under: list[str], reason: str
) -> None:
    with pytest.raises(Refused, match=reason):
        ridge.call("ratio", path=GEOCHEM, over=over, under=under)


PARTS = ["Cu_ppm", "Zn_ppm", "Ni_ppm", "Fe_pct"]


def test_isometric_coordinates_keep_the_distances_of_all_log_ratios(ridge: Bench) -> None:
    facts = ridge.facts("log_ratio", path=GEOCHEM, columns=PARTS, method="ilr")
    table = ridge.read(facts["output"]).head(20)
    raw = pd.read_csv(ridge.data / GEOCHEM).set_index("SampleID").loc[table["SampleID"]]
    logs = np.log(raw[PARTS].astype(float).to_numpy() * [1, 1, 1, 10_000])
    ilr = table[["ilr_1", "ilr_2", "ilr_3"]].to_numpy()
    for a, b in itertools.combinations(range(20), 2):
        # Aitchison's distance over all pairs of parts (1992), with no basis in it.
        pairs = itertools.combinations(range(4), 2)
        squares = [((logs[a, i] - logs[a, j]) - (logs[b, i] - logs[b, j])) ** 2 for i, j in pairs]
        assert ((ilr[a] - ilr[b]) ** 2).sum() == pytest.approx(sum(squares) / 4, rel=1e-6)
    basis = ridge.read(facts["basis"]).set_index("part")
    assert basis.index.tolist() == PARTS
    assert np.allclose(logs @ basis.to_numpy(), ilr, atol=1e-4)


def test_additive_ratios_are_logs_over_the_part_named(ridge: Bench) -> None:
    facts = ridge.facts("log_ratio", path=GEOCHEM, columns=PARTS, method="alr", over="Zn_ppm")
    table = ridge.read(facts["output"])
    raw = pd.read_csv(ridge.data / GEOCHEM).set_index("SampleID").loc[table["SampleID"]]
    expected = np.log(raw["Fe_pct"].astype(float) * 10_000 / raw["Zn_ppm"].astype(float))
    assert np.allclose(table["alr_Fe_pct"], expected, rtol=1e-9)
    assert "alr_Zn_ppm" not in table
    assert facts["over"] == "Zn_ppm"


def test_a_denominator_must_be_one_of_the_parts(ridge: Bench) -> None:
    with pytest.raises(Refused, match="name it among the columns"):
        ridge.call("log_ratio", path=GEOCHEM, columns=PARTS, method="alr", over="Co_ppm")
    with pytest.raises(Refused, match="only alr has one"):
        ridge.call("log_ratio", path=GEOCHEM, columns=PARTS, over="Zn_ppm")


@pytest.mark.parametrize("method", ["clr", "alr", "ilr"])
def test_every_basis_forgets_the_closure(method: str) -> None:
    assert np.allclose(contrasts(method, 5).sum(axis=0), 0)


def test_a_lognormal_filling_is_the_mean_log_below_the_limit_by_another_library() -> None:
    generator = np.random.default_rng(8)
    parts = generator.lognormal([1, 3], 1, (400, 2))
    small = np.zeros(parts.shape, dtype=bool)
    small[:, 0] = parts[:, 0] < 2
    limits = np.where(small, 2.0, np.nan)
    filled = lognormal_replacement(parts, small, limits)
    assert filled is not None
    below = CensoredData(
        uncensored=np.log(parts[~small[:, 0], 0]), left=np.full(small[:, 0].sum(), np.log(2))
    )
    middle, spread = norm.fit(below)
    inside = truncnorm(-np.inf, (np.log(2) - middle) / spread, middle, spread)
    assert np.allclose(filled[small], np.exp(inside.mean()), rtol=1e-3)
    # The sum of a row stays, and so do ratios of parts that were measured.
    row = small[:, 0]
    assert np.allclose(filled[row].sum(axis=1), parts[row, 1])

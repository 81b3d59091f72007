"""What sets groups apart: medians and ranks by another route, censored values never replaced."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import mannwhitneyu
from toolbench import Bench

from workbench.errors import Refused

GEOCHEM = "meridian_ridge_geochem.csv"


def test_levels_and_chances_are_those_of_another_library(ridge: Bench) -> None:
    facts = ridge.facts("profile_groups", path=GEOCHEM, by="Lithology", columns=["Cu_ppm"])
    told = ridge.read(facts["output"]).set_index("Lithology")
    raw = pd.read_csv(ridge.data / GEOCHEM)
    for rock, part in raw.groupby("Lithology"):
        copper = pd.to_numeric(part["Cu_ppm"], errors="coerce").dropna()
        rest = raw.loc[raw["Lithology"] != rock, "Cu_ppm"]
        rest = pd.to_numeric(rest, errors="coerce").dropna()
        assert told.loc[rock, "n"] == len(copper)
        times = copper.median() / rest.median()
        assert told.loc[rock, "times_rest"] == pytest.approx(times, rel=1e-5)
        chance = mannwhitneyu(copper, rest).statistic / (len(copper) * len(rest))
        assert told.loc[rock, "chance_higher"] == pytest.approx(chance, rel=1e-5)


def test_numbers_of_a_grouping_are_told_with_the_rocks_in_each(ridge: Bench) -> None:
    made = ridge.facts("cluster", path=GEOCHEM, columns=["Au_ppb", "As_ppm", "Cu_ppm", "Sb_ppm"])
    facts = ridge.facts("profile_groups", path=made["output"], by="cluster")
    table = ridge.read(made["output"])
    assert facts["groups"] == 3
    for number in (1, 2, 3):
        part = table[table["cluster"] == number]
        told = facts[f"group {number}"]
        assert told["n"] == len(part)
        first = part["Lithology"].value_counts()
        assert next(iter(told["rocks"].items())) == (first.index[0], first.iloc[0])
    assert facts["group 3"]["high"]["As_ppm"] > 10
    mix = ridge.read(facts["rocks"])
    assert mix["n"].sum() == len(table)
    assert (ridge.run / facts["figure"].removeprefix("results/…/")).exists()


def test_a_median_below_detection_gives_no_ratio_but_a_rank(bench: Bench) -> None:
    rows = [f"S{n},A,{'<5' if n < 7 else 2 + n},{n + 1}" for n in range(10)]
    rows += [f"T{n},B,{10 + n},{n + 1}" for n in range(10)]
    bench.write("a.csv", "SampleID,Rock,Au_ppb,Cu_ppm\n" + "\n".join(rows) + "\n")
    reply = bench.call("profile_groups", path="a.csv", by="Rock")
    table = bench.read(reply.facts["output"]).set_index(["Rock", "column"])
    gold = table.loc[("A", "Au_ppb")]
    assert (gold["below_detection"], gold["median"]) == (7, "<5")
    assert np.isnan(gold["times_rest"])
    # By hand: of A's values 9, 10 and 11 the last two meet or pass the lowest of B.
    pairs = 0.5 + 1.5
    assert gold["chance_higher"] == pytest.approx(pairs / 100)
    assert "2 of 4 levels have no ratio" in reply.notes[0]


def test_rows_without_a_group_are_counted(bench: Bench) -> None:
    rows = [f"S{n},{'' if n < 3 else 'AB'[n % 2]},{n + 1}" for n in range(20)]
    bench.write("a.csv", "SampleID,Rock,Cu_ppm\n" + "\n".join(rows) + "\n")
    facts = bench.facts("profile_groups", path="a.csv", by="Rock")
    assert facts["dropped"] == {"Rock missing": 3}
    assert facts["group A"]["n"] + facts["group B"]["n"] == 17


def test_one_group_has_no_rest(bench: Bench) -> None:
    bench.write("a.csv", "SampleID,Rock,Cu_ppm\nS1,A,1\nS2,A,2\n")
    with pytest.raises(Refused, match="it has 1 groups"):
        bench.call("profile_groups", path="a.csv", by="Rock")

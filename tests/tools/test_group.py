"""Grouping: the planted populations are found, nothing is dropped silently."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.preprocessing import StandardScaler
from toolbench import Bench

from workbench.errors import Refused

GEOCHEM = "meridian_ridge_geochem.csv"
KEY = ["Au_ppb", "As_ppm", "Cu_ppm", "Sb_ppm"]


@pytest.fixture
def truth(sample_data: Path) -> dict[str, Any]:
    known: dict[str, Any] = json.loads((sample_data / "meridian_ridge_truth.json").read_text())
    return known


@pytest.mark.parametrize("which", ["key", "all"])
def test_the_planted_populations_are_found(ridge: Bench, truth: dict[str, Any], which: str) -> None:
    planted = truth["geochem"]["groups"][which]
    facts = ridge.facts("cluster", path=GEOCHEM, columns=planted["columns"])
    assert facts["rows_used"] == planted["rows"]
    table = ridge.read(facts["output"])
    assert len(table) == planted["rows"]
    known = [truth["geochem"]["population_of_sample"][sample] for sample in table["SampleID"]]
    found = adjusted_rand_score(known, table["cluster"])
    assert found == pytest.approx(planted["adjusted_rand"], abs=2e-4)


def test_labels_sizes_and_silhouette_agree_with_another_run(ridge: Bench) -> None:
    facts = ridge.facts("cluster", path=GEOCHEM, columns=KEY)
    table = ridge.read(facts["output"])
    scaled = StandardScaler().fit_transform(np.log10(table[KEY]))
    other = KMeans(3, n_init=25, random_state=0).fit(scaled)
    assert adjusted_rand_score(other.labels_, table["cluster"]) == 1.0
    assert facts["silhouette"] == pytest.approx(silhouette_score(scaled, other.labels_), rel=1e-5)
    sizes = table["cluster"].value_counts()
    assert facts["sizes"] == {str(n): int(sizes[n]) for n in (1, 2, 3)}
    assert list(facts["sizes"].values()) == sorted(facts["sizes"].values(), reverse=True)


def test_centres_are_geometric_means_in_the_units_of_the_file(ridge: Bench) -> None:
    facts = ridge.facts("cluster", path=GEOCHEM, columns=KEY)
    table = ridge.read(facts["output"])
    for number, part in table.groupby("cluster"):
        for name in KEY:
            geometric = float(np.exp(np.log(part[name]).mean()))
            assert facts[f"centre {number}"][name] == pytest.approx(geometric, rel=1e-5)
    assert facts["units"]["Au_ppb"] == "ppb"


def test_every_clustered_row_keeps_all_its_columns_and_its_flags(
    ridge: Bench, sample_data: Path
) -> None:
    reply = ridge.call("cluster", path=GEOCHEM, columns=KEY, k=3)
    assert reply.made[0].path == "meridian_ridge_geochem_kmeans_3.csv"
    table = ridge.read(reply.facts["output"])
    raw = pd.read_csv(sample_data / GEOCHEM, keep_default_na=False, dtype=str)
    assert set(raw.columns) <= set(table.columns)
    gold = raw.set_index("SampleID")["Au_ppb"]
    dropped = set(raw["SampleID"]) - set(table["SampleID"])
    assert len(dropped) == reply.facts["rows_dropped"] == 7
    assert set(gold[list(dropped)]) == {"LNR", "NSS"}
    below = table["Au_ppb__flag"] == "<"
    assert below.sum() == reply.facts["censored"]["Au_ppb"]["below"] == 37
    assert (table.loc[below, "Au_ppb"] == 0.5).all()
    assert table["SampleID"].tolist() == [s for s in raw["SampleID"] if s not in dropped]


def test_groups_are_crossed_with_the_logged_rock(ridge: Bench) -> None:
    facts = ridge.facts("cluster", path=GEOCHEM, columns=KEY)
    table = ridge.read(facts["output"])
    cross = pd.crosstab(table["cluster"], table["Lithology"])
    told = facts["crosstab Lithology"]
    for number in (1, 2, 3):
        for rock in cross.columns:
            assert told[str(number)].get(rock, 0) == cross.loc[number, rock]


def test_a_result_can_be_grouped_again_and_nothing_is_overwritten(ridge: Bench) -> None:
    first = ridge.facts("cluster", path=GEOCHEM, columns=KEY)
    second = ridge.facts("cluster", path=GEOCHEM, columns=KEY)
    assert second["output"].endswith("_kmeans_3-2.csv")
    again = ridge.facts("cluster", path=first["output"], columns=KEY, k=2)
    assert (again["rows_in"], again["censored"]) == (233, first["censored"])
    table = ridge.read(again["output"])
    assert {"cluster", "cluster_2"} <= set(table.columns)


def test_parts_of_a_whole_are_grouped_by_their_ratios(bench: Bench) -> None:
    generator = np.random.default_rng(2)
    rows = []
    for n in range(60):
        scale = generator.lognormal(sigma=2)
        high = 10 if n % 2 else 1
        parts = [scale * high * generator.lognormal(sigma=0.1), scale, scale * 3]
        rows.append(f"S{n},{','.join(f'{part:.6g}' for part in parts)}")
    bench.write("a.csv", "SampleID,Cu_ppm,Zn_ppm,Pb_ppm\n" + "\n".join(rows) + "\n")
    names = ["Cu_ppm", "Zn_ppm", "Pb_ppm"]
    facts = bench.facts("cluster", path="a.csv", columns=names, k=2, transform="clr")
    assert facts["sizes"] == {"1": 30, "2": 30}


def test_many_groups_keep_the_answer_short_and_all_centres_on_disk(ridge: Bench) -> None:
    reply = ridge.call("cluster", path=GEOCHEM, columns=KEY, k=50)
    assert len(json.dumps(reply.facts)) < 4_000
    centres = ridge.read(reply.facts["centres"])
    assert centres["size"].sum() == 233
    assert len(centres) == 50


def test_a_column_mostly_below_detection_is_said(bench: Bench) -> None:
    rows = [f"S{n},{'<1' if n % 2 else n + 1},{n + 1}" for n in range(40)]
    bench.write("a.csv", "SampleID,Au_ppb,Cu_ppm\n" + "\n".join(rows) + "\n")
    reply = bench.call("cluster", path="a.csv", columns=["Au_ppb", "Cu_ppm"], k=2)
    assert "50% of the rows used are below detection" in reply.notes[0]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"columns": KEY, "k": 1}, "2 to 50"),
        ({"columns": KEY, "k": 0}, "2 to 50"),
        ({"columns": KEY, "k": 240}, "2 to 50"),
        ({"columns": ["Lithology"]}, "holds text"),
        ({"columns": ["Au_pbb"]}, "nearest: 'Au_ppb'"),
        ({"columns": []}, "at least 1 of its columns must be numbers; 0 measured"),
        ({"columns": KEY, "transform": "ilr"}, "none of"),
        (
            {"columns": ["Au_ppb"], "transform": "clr"},
            "at least 2 of its columns must be numbers; 1 named",
        ),
    ],
)
def test_a_grouping_that_cannot_be_is_refused(
    ridge: Bench, arguments: dict[str, Any], reason: str
) -> None:
    with pytest.raises(Refused, match=reason):
        ridge.call("cluster", path=GEOCHEM, **arguments)


def test_more_groups_than_rows_are_refused_with_the_rows_there_are(bench: Bench) -> None:
    bench.write("a.csv", "SampleID,Cu_ppm\nS1,1\nS2,2\nS3,\nS4,4\n")
    with pytest.raises(
        Refused, match=r"3 of 4 rows can be used and 5 are needed.*Cu_ppm missing: 1"
    ):
        bench.call("cluster", path="a.csv", columns=["Cu_ppm"], k=5)


def test_a_constant_column_is_refused_by_name(bench: Bench) -> None:
    rows = "\n".join(f"S{n},7.3,{n}" for n in range(1, 20))
    bench.write("a.csv", f"SampleID,Cu_ppm,Zn_ppm\n{rows}\n")
    with pytest.raises(Refused, match="'Cu_ppm': all 19 usable values are equal"):
        bench.call("cluster", path="a.csv", columns=["Cu_ppm", "Zn_ppm"])

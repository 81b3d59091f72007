"""Other ways to group: each against another library or a closed form, nothing lost on the way."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist
from scipy.stats import multivariate_normal
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.preprocessing import StandardScaler
from toolbench import Bench

from workbench.errors import Refused
from workbench.tables import groups

GEOCHEM = "meridian_ridge_geochem.csv"
KEY = ["Au_ppb", "As_ppm", "Cu_ppm", "Sb_ppm"]


def scaled(table: pd.DataFrame, names: list[str] = KEY) -> np.ndarray:
    return np.asarray(StandardScaler().fit_transform(np.log10(table[names])))


@pytest.fixture
def blobs(bench: Bench) -> Bench:
    """Four groups far apart, 40 samples each, and their truth as a column."""
    generator = np.random.default_rng(4)
    centres = generator.permutation(np.arange(4 * 3).reshape(4, 3) % 5) * 1.5
    lines = [
        f"S{n},{n % 4},{','.join(f'{10**v:.6g}' for v in generator.normal(centres[n % 4], 0.1))}"
        for n in range(160)
    ]
    bench.write("b.csv", "SampleID,truth,Cu_ppm,Zn_ppm,Pb_ppm\n" + "\n".join(lines) + "\n")
    return bench


BLOB = ["Cu_ppm", "Zn_ppm", "Pb_ppm"]


def test_hierarchical_groups_are_those_of_another_library(ridge: Bench) -> None:
    facts = ridge.facts("cluster", path=GEOCHEM, columns=KEY, method="hierarchical")
    table = ridge.read(facts["output"])
    other = AgglomerativeClustering(3, linkage="ward").fit_predict(scaled(table))
    assert adjusted_rand_score(other, table["cluster"]) == 1.0
    assert facts["output"].endswith("_hierarchical_3.csv")
    assert (ridge.run / facts["tree"].removeprefix("results/…/")).exists()


def test_a_mixture_tells_the_bic_of_its_own_moments(ridge: Bench) -> None:
    facts = ridge.facts("cluster", path=GEOCHEM, columns=KEY, method="gmm", k=2)
    table = ridge.read(facts["output"])
    values, sure = scaled(table), table["cluster_certainty"].to_numpy()
    first = np.where(table["cluster"] == 1, sure, 1 - sure)
    likelihood = np.zeros(len(values))
    for share in (first, 1 - first):
        mean = np.average(values, axis=0, weights=share)
        spread = np.cov(values.T, aweights=share, ddof=0) + 1e-6 * np.eye(4)
        likelihood += share.mean() * multivariate_normal(mean, spread).pdf(values)
    free = 2 * (4 + 4 * 5 / 2) + 1
    bic = -2 * np.log(likelihood).sum() + free * np.log(len(values))
    assert facts["bic"] == pytest.approx(bic, rel=2e-3)


def test_dense_groups_are_the_joined_cores_and_their_neighbours(ridge: Bench) -> None:
    facts = ridge.facts(
        "cluster", path=GEOCHEM, columns=KEY, method="dbscan", eps=0.6, min_samples=6
    )
    table = ridge.read(facts["output"])
    near = cdist(scaled(table), scaled(table)) <= 0.6
    core = near.sum(axis=1) >= 6
    count, label = connected_components(near[np.ix_(core, core)])
    assert facts["k"] == count
    found = table["cluster"].to_numpy()
    assert adjusted_rand_score(label, found[core]) == 1.0
    alone = ~core & ~near[:, core].any(axis=1)
    assert set(np.flatnonzero(found == 0)) == set(np.flatnonzero(alone))
    assert facts["in_no_group"] == alone.sum()
    assert sum(facts["sizes"].values()) + facts["in_no_group"] == facts["rows_used"]


@pytest.mark.parametrize("method", ["kmeans", "gmm", "hierarchical", "dbscan", "hdbscan"])
def test_every_method_finds_groups_that_lie_far_apart(blobs: Bench, method: str) -> None:
    facts = blobs.facts("cluster", path="b.csv", columns=BLOB, method=method, k=4)
    table = blobs.read(facts["output"])
    inside = table["cluster"] > 0
    assert inside.mean() > 0.85
    assert adjusted_rand_score(table["truth"][inside], table["cluster"][inside]) == 1.0


def test_a_scan_takes_the_number_that_was_planted_by_every_criterion(blobs: Bench) -> None:
    facts = blobs.facts("cluster", path="b.csv", columns=BLOB, scan=6)
    assert facts["k"] == 4
    assert facts["best_by"] == {"silhouette": 4, "gap": 4, "bic": 4}
    assert facts["scan 4"]["stability"] == 1
    table = blobs.read(facts["output"])
    width = silhouette_score(scaled(table, BLOB), table["cluster"])
    assert facts["scan 4"]["silhouette"] == pytest.approx(width, rel=1e-3)
    assert blobs.read(facts["scan"])["k"].tolist() == [2, 3, 4, 5, 6]
    assert (blobs.run / facts["scan_figure"].removeprefix("results/…/")).exists()


def test_a_scan_of_one_cloud_is_not_stable(bench: Bench) -> None:
    generator = np.random.default_rng(9)
    rows = [f"S{n},{a:.6g},{b:.6g}" for n, (a, b) in enumerate(generator.uniform(1, 2, (120, 2)))]
    bench.write("u.csv", "SampleID,Cu_ppm,Zn_ppm\n" + "\n".join(rows) + "\n")
    facts = bench.facts("cluster", path="u.csv", columns=["Cu_ppm", "Zn_ppm"], scan=5)
    assert min(facts[f"scan {k}"]["stability"] for k in (2, 3, 4, 5)) < facts["stable_from"]


def test_the_same_call_writes_the_same_bytes(blobs: Bench) -> None:
    def hashes() -> list[str]:
        return [m.sha256 for m in blobs.call("cluster", path="b.csv", columns=BLOB, scan=4).made]

    assert hashes() == hashes()


@pytest.mark.parametrize("method", ["gmm", "hierarchical", "dbscan", "hdbscan"])
def test_above_its_ceiling_a_method_runs_on_a_sample_and_says_so(
    blobs: Bench, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setitem(groups.MOST_ROWS, method, 120)
    reply = blobs.call("cluster", path="b.csv", columns=BLOB, method=method, k=4)
    table = blobs.read(reply.facts["output"])
    assert len(table) == 160
    inside = table["cluster"] > 0
    assert adjusted_rand_score(table["truth"][inside], table["cluster"][inside]) == 1.0
    assert any("seeded sample of 120 rows" in note for note in reply.notes)


def test_log_ratios_of_parts_go_into_a_mixture_whatever_their_order(ridge: Bench) -> None:
    parts = ["Cu_ppm", "Zn_ppm", "Ni_ppm", "Co_ppm"]
    found = []
    for names in (parts, parts[::-1]):
        facts = ridge.facts(
            "cluster", path=GEOCHEM, columns=names, method="gmm", k=2, transform="clr"
        )
        found.append(ridge.read(facts["output"])["cluster"])
    assert adjusted_rand_score(*found) > 0.95


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"method": "ward"}, "none of"),
        ({"method": "hdbscan", "scan": 5}, "finds its own number"),
        ({"scan": 2}, "3 to 15"),
        ({"scan": 16}, "3 to 15"),
        ({"method": "dbscan", "eps": 0.0}, "above 0"),
        ({"method": "dbscan", "min_samples": 1}, "2 or more"),
        ({"method": "gmm", "k": 47}, "236 are needed"),
    ],
)
def test_what_a_method_cannot_do_is_refused(
    ridge: Bench, arguments: dict[str, Any], reason: str
) -> None:
    with pytest.raises(Refused, match=reason):
        ridge.call("cluster", path=GEOCHEM, columns=KEY, **arguments)


def test_no_dense_group_is_said_and_not_an_error(ridge: Bench) -> None:
    reply = ridge.call(
        "cluster", path=GEOCHEM, columns=KEY, method="dbscan", eps=1e-6, min_samples=9
    )
    assert (reply.facts["k"], reply.facts["in_no_group"]) == (0, 233)
    assert any("larger eps" in note for note in reply.notes)
    assert len(json.dumps(reply.facts)) < 4_000

"""Thresholds, areas, biplots, trees and planes, each worked out again by another route."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import median_abs_deviation
from toolbench import Bench

from workbench.errors import Refused
from workbench.tables import segments
from workbench.tables.area import concentration_area

PARTS = ["A_ppm", "B_ppm", "C_ppm", "D_ppm", "E_ppm"]


def drawn(bench: Bench, page: str) -> dict[str, Any]:
    """Return the figure whose page an answer names."""
    path = bench.run / page.removeprefix("results/…/")
    found: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return found


def parts_table(bench: Bench) -> tuple[str, np.ndarray]:
    """Write 120 rows of five parts, of which some rise together."""
    rng = np.random.default_rng(11)
    first, second = rng.normal(0, 0.6, (2, 120))
    noise = rng.normal(0, [0.1, 0.2, 0.15, 0.3, 0.5], (120, 5))
    logs = np.column_stack([first, first, second, second, 0 * first]) + noise
    values = np.round(np.exp(logs + np.array([3, 4, 2, 5, 1])), 6)
    table = pd.DataFrame(values, columns=PARTS)
    table.insert(0, "SampleID", [f"S{n:03d}" for n in range(120)])
    return bench.write("parts.csv", table.to_csv(index=False)), values


def test_thresholds_of_each_group_are_those_of_its_rows_alone(bench: Bench) -> None:
    rng = np.random.default_rng(8)
    groups = {"basalt": rng.lognormal(4, 0.5, 90), "granite": rng.lognormal(2, 0.4, 61)}
    lines = [f"{rock},{x:.6f}" for rock, values in groups.items() for x in values]
    name = bench.write("rocks.csv", "Lithology,Cu_ppm\n" + "\n".join([*lines, "gabbro,7"]) + "\n")
    facts = bench.facts("compare_thresholds", path=name, column="Cu_ppm", by="Lithology")
    table = bench.read(facts["output"]).set_index(["Lithology", "rule"])
    assert facts["groups"] == 3
    assert set(table.index.get_level_values(0)) == set(groups)
    for rock, exact in groups.items():
        values = exact.round(6)
        logs = np.log10(values)
        hinges = pd.Series(logs).quantile([0.25, 0.75]).to_numpy()
        expected = {
            "mad_log": 10 ** (np.median(logs) + 2 * median_abs_deviation(logs) * 1.4826),
            "mad_raw": np.median(values) + 2 * median_abs_deviation(values) * 1.4826,
            "tukey_log": 10 ** (hinges[1] + 1.5 * (hinges[1] - hinges[0])),
            "p98": pd.Series(values).quantile(0.98),
        }
        for rule, threshold in expected.items():
            told = table.loc[(rock, rule)]
            assert told["threshold"] == pytest.approx(threshold, rel=1e-5)
            assert told["flagged"] == (values > threshold).sum()
        assert facts[f"group {rock}"]["n"] == values.size


def test_the_area_at_or_above_is_what_plain_loops_sum() -> None:
    rng = np.random.default_rng(2)
    east, north = np.meshgrid(np.arange(6) * 50.0, np.arange(5) * 50.0)
    places = np.column_stack([east.ravel(), north.ravel()])
    logs = rng.normal(1, 0.4, len(places))
    found = concentration_area(places, logs)
    assert found is not None
    assert (found.cell, found.places) == (25.0, 30)
    cells = []
    for x in np.arange(12.5, 275, 25):
        for y in np.arange(12.5, 225, 25):
            away = np.sqrt((places[:, 0] - x) ** 2 + (places[:, 1] - y) ** 2)
            eighth = np.sort(away)[7]
            # Where places tie for eighth, either may be taken: only cells without ties are told.
            tied = np.isclose(np.sort(away)[8], eighth)
            near = np.argsort(away, kind="stable")[:8]
            weight = away[near] ** -2.0
            cells.append(np.nan if tied else (weight @ logs[near]) / weight.sum())
    known = np.array(cells)[np.isfinite(cells)]
    assert known.size > 0
    assert found.logs.size == len(cells)
    for value in known:
        assert np.abs(found.logs - value).min() < 1e-9
    assert found.area.tolist() == [625.0 * n for n in range(len(cells), 0, -1)]


def test_a_field_of_two_power_laws_breaks_where_they_meet() -> None:
    """C = r^-a has the area π C^(-2/a) at or above C: slopes of −1 and −4 for a = 2 and 1/2."""
    axis = np.arange(-1_000, 1_001, 25.0)
    places = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    radius = np.hypot(*places.T)
    places, radius = (
        places[(radius > 0) & (radius <= 1_000)],
        radius[(radius > 0) & (radius <= 1_000)],
    )
    meet = 300.0
    logs = np.where(radius < meet, -2.0, -0.5) * np.log10(radius / meet) + 2
    found = concentration_area(places, logs)
    assert found is not None
    # The rim and the cell at the middle are no part of the law.
    outer = np.log10(1_000 / meet) * -0.5 + 2
    inside = (found.logs > outer + 0.03) & (found.logs < 3.5)
    x, y = found.logs[inside], np.log10(found.area[inside])
    bent = segments.pieces(x, y, 2)
    assert bent is not None
    assert bent.breaks[0] == pytest.approx(2, abs=0.05)
    assert np.polyfit(x[x < 1.95], y[x < 1.95], 1)[0] == pytest.approx(-4, rel=0.05)
    assert np.polyfit(x[x > 2.05], y[x > 2.05], 1)[0] == pytest.approx(-1, rel=0.05)


def test_arrows_of_a_biplot_are_right_singular_vectors(bench: Bench) -> None:
    name, values = parts_table(bench)
    facts = bench.facts("pca", path=name, columns=PARTS, components=2)
    logs = np.log(values)
    ratios = logs - logs.mean(axis=1, keepdims=True)
    _left, sizes, right = np.linalg.svd(ratios - ratios.mean(axis=0), full_matrices=False)
    right *= np.sign(right[np.arange(5), np.abs(right).argmax(axis=1)])[:, None]
    loadings = bench.read(facts["loadings"]).set_index("column")
    assert np.allclose(loadings.loc[PARTS].to_numpy(), right[:2].T, atol=1e-5)
    shares = (sizes**2 / (sizes**2).sum())[:2]
    assert list(facts["share_of_variance"].values()) == pytest.approx(shares.tolist(), abs=1e-4)
    arrows = [
        one for one in drawn(bench, facts["biplot"])["layout"]["annotations"] if one["showarrow"]
    ]
    tips = np.array([[one["x"], one["y"]] for one in arrows])
    order = np.argsort(-np.hypot(*right[:2]), kind="stable")
    stretch = tips / right[:2].T[order]
    assert np.allclose(stretch, stretch[0, 0], rtol=1e-3)
    assert stretch[0, 0] > 0


def averaged(variation: np.ndarray) -> Iterator[float]:
    """Merge the two closest groups, by the mean over all pairs, until one is left."""
    groups = [[place] for place in range(len(variation))]

    def apart(pair: tuple[list[int], list[int]]) -> float:
        return float(np.mean([variation[i, j] for i in pair[0] for j in pair[1]]))

    while len(groups) > 1:
        left, right = min(combinations(groups, 2), key=apart)
        yield apart((left, right))
        groups = [one for one in groups if one not in (left, right)] + [left + right]


def test_elements_merge_at_the_mean_variance_of_their_log_ratios(bench: Bench) -> None:
    name, values = parts_table(bench)
    facts = bench.facts("element_groups", path=name, columns=PARTS, k=3)
    ratios = [[np.log(a / b).var(ddof=1) for b in values.T] for a in values.T]
    heights = list(averaged(np.array(ratios)))
    tree = drawn(bench, facts["tree"])
    corners = pd.Series(tree["data"][0]["x"], dtype=float).dropna().to_numpy().reshape(-1, 4)
    assert sorted(corners.max(axis=1)) == pytest.approx(heights, rel=1e-4)
    cut = tree["layout"]["shapes"][0]["x0"]
    assert cut == pytest.approx((heights[1] + heights[2]) / 2, rel=1e-4)
    assert sorted(tree["layout"]["yaxis"]["ticktext"]) == PARTS
    groups = [facts[f"group {n}"]["columns"] for n in (1, 2, 3)]
    assert sorted(groups) == [["A_ppm", "B_ppm"], ["C_ppm", "D_ppm"], ["E_ppm"]]


def test_without_its_package_umap_says_what_to_install(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "umap", None)
    name, _ = parts_table(bench)
    with pytest.raises(Refused, match=r"pip install 'workbench\[umap\]', or use method pca"):
        bench.call("pca", path=name, columns=PARTS, method="umap")


def test_rows_that_lie_apart_stay_apart_in_the_plane_of_neighbours(bench: Bench) -> None:
    pytest.importorskip("umap", reason="umap-learn is an extra: pip install 'workbench[umap]'")
    rng = np.random.default_rng(3)
    values = rng.lognormal(0, 0.1, (80, 4)) * np.where(np.arange(80) < 40, 1, 9)[:, None] ** [
        0, 1, 0, 1,
    ]  # fmt: skip
    table = pd.DataFrame(values, columns=PARTS[:4])
    name = bench.write("apart.csv", table.to_csv(index=False))
    facts = bench.facts("pca", path=name, columns=PARTS[:4], components=2, method="umap")
    plane = bench.read(facts["output"])[["UMAP1", "UMAP2"]].to_numpy()
    away = np.linalg.norm(plane[:, None] - plane[None], axis=2) + np.diag(np.full(80, np.inf))
    nearest = away.argmin(axis=1)
    assert ((nearest < 40) == (np.arange(80) < 40)).all()

"""Components, outliers and element groups, against other routes to the same numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2
from sklearn.decomposition import PCA
from toolbench import Bench

from workbench.errors import Refused
from workbench.tables import multivariate as many

GEOCHEM = "meridian_ridge_geochem.csv"
PARTS = ["As_ppm", "Cu_ppm", "Ni_ppm", "Zn_ppm", "Co_ppm"]


def clr_by_hand(table: pd.DataFrame) -> np.ndarray:
    parts = table[PARTS].to_numpy(dtype=float)
    return np.log(parts / np.exp(np.log(parts).mean(axis=1, keepdims=True)))


def used_rows(bench: Bench, table: pd.DataFrame) -> pd.DataFrame:
    """Every sample by its id, with the values that the tools use."""
    described = bench.facts("sql", query="SELECT * FROM meridian_ridge_geochem")
    whole = bench.read(described["output"]).set_index("SampleID")
    return whole.loc[table["SampleID"]]


def test_components_agree_with_another_librarys_on_centred_log_ratios(ridge: Bench) -> None:
    facts = ridge.facts("pca", path=GEOCHEM, columns=PARTS, components=3)
    scores = ridge.read(facts["output"])
    ratios = clr_by_hand(used_rows(ridge, scores))
    other = PCA(3).fit(ratios)
    shares = list(facts["share_of_variance"].values())
    assert shares == pytest.approx(other.explained_variance_ratio_.tolist(), rel=1e-3)
    theirs = other.transform(ratios)
    for place in range(3):
        ours = scores[f"PC{place + 1}"].to_numpy()
        assert abs(np.corrcoef(ours, theirs[:, place])[0, 1]) == pytest.approx(1, abs=1e-8)
        assert ours.std() == pytest.approx(theirs[:, place].std(), rel=1e-5)


def test_loadings_are_unit_vectors_that_sum_to_nothing_where_parts_are_ratios(ridge: Bench) -> None:
    facts = ridge.facts("pca", path=GEOCHEM, columns=PARTS)
    loadings = ridge.read(facts["loadings"]).set_index("column").loc[PARTS]
    assert np.allclose((loadings**2).sum(), 1, atol=1e-4)
    assert np.allclose(loadings.sum(), 0, atol=1e-4)
    assert (loadings.to_numpy()[np.abs(loadings).to_numpy().argmax(axis=0), range(3)] > 0).all()


def test_standardised_logs_agree_with_another_librarys(ridge: Bench) -> None:
    facts = ridge.facts("pca", path=GEOCHEM, columns=PARTS, transform="log", components=2)
    table = used_rows(ridge, ridge.read(facts["output"]))
    logs = np.log10(table[PARTS].to_numpy(dtype=float))
    other = PCA(2).fit((logs - logs.mean(axis=0)) / logs.std(axis=0))
    shares = list(facts["share_of_variance"].values())
    assert shares == pytest.approx(other.explained_variance_ratio_.tolist(), rel=1e-3)


def cloud(bench: Bench, outlying: int) -> str:
    """Write 400 lognormal rows of four parts, of which some lie far away along one ratio."""
    rng = np.random.default_rng(7)
    logs = rng.multivariate_normal([3, 2, 4, 1], np.diag([0.1, 0.2, 0.1, 0.3]), 400)
    logs[:outlying] += [4, -4, 0, 0]
    table = pd.DataFrame(np.exp(logs), columns=["A_ppm", "B_ppm", "C_ppm", "D_ppm"])
    table.insert(0, "SampleID", [f"S{n:03d}" for n in range(400)])
    return bench.write("cloud.csv", table.to_csv(index=False))


def test_a_robust_first_component_is_not_that_of_the_outliers(bench: Bench) -> None:
    columns = ["A_ppm", "B_ppm", "C_ppm", "D_ppm"]
    name = cloud(bench, 60)
    plain = bench.facts("pca", path=name, columns=columns, components=1)
    bulk = bench.facts("pca", path=name, columns=columns, components=1, robust=True)
    assert list(plain["PC1 loadings"])[:2] in (["A_ppm", "B_ppm"], ["B_ppm", "A_ppm"])
    assert next(iter(bulk["PC1 loadings"])) == "D_ppm"


@pytest.mark.parametrize("method", ["mcd", "isolation_forest"])
def test_planted_outliers_are_the_farthest_rows(bench: Bench, method: str) -> None:
    name = cloud(bench, 8)
    columns = ["A_ppm", "B_ppm", "C_ppm", "D_ppm"]
    facts = bench.facts("outliers", path=name, columns=columns, method=method)
    table = bench.read(facts["output"])
    assert set(table["SampleID"][:8]) == {f"S{n:03d}" for n in range(8)}
    assert facts["flagged"] == int(table["outlier"].sum()) >= 8
    assert len(table) == facts["rows_used"] == 400


def test_distances_follow_their_law_where_nothing_is_unusual() -> None:
    values = np.random.default_rng(3).standard_normal((4_000, 5))
    found = many.robust(values, 42)
    assert float(np.median(found.squared)) == pytest.approx(chi2.ppf(0.5, 5), rel=1e-9)
    beyond = float((found.squared > chi2.ppf(0.975, 5)).mean())
    assert beyond == pytest.approx(0.025, abs=0.01)
    assert np.allclose(found.covariance, np.eye(5), atol=0.12)


def test_columns_that_depend_on_one_another_are_refused(bench: Bench) -> None:
    rows = "".join(f"{n},{n % 7 + 1},{n + n % 7 + 1}\n" for n in range(1, 60))
    name = bench.write("sums.csv", "A_ppm,B_ppm,Total_ppm\n" + rows)
    with pytest.raises(Refused, match="combinations of others"):
        bench.call("outliers", path=name, columns=["A_ppm", "B_ppm", "Total_ppm"], transform="raw")


def test_the_basis_is_orthonormal_and_keeps_distances_of_log_ratios() -> None:
    basis = many.ilr_basis(6)
    assert np.allclose(basis.T @ basis, np.eye(5))
    assert np.allclose(basis.sum(axis=0), 0)
    ratios = np.log(np.random.default_rng(1).lognormal(size=(9, 6)))
    ratios -= ratios.mean(axis=1, keepdims=True)
    assert np.allclose(np.linalg.norm(ratios @ basis, axis=1), np.linalg.norm(ratios, axis=1))


def test_variation_is_the_variance_of_each_log_ratio(ridge: Bench) -> None:
    facts = ridge.facts("element_groups", path=GEOCHEM, columns=PARTS, k=2)
    matrix = ridge.read(facts["output"]).set_index("column")
    scores = ridge.read(ridge.facts("pca", path=GEOCHEM, columns=PARTS)["output"])
    table = used_rows(ridge, scores)
    for left in PARTS:
        for right in PARTS:
            ratio = np.log(table[left] / table[right])
            assert matrix.loc[left, right] == pytest.approx(ratio.var(), rel=1e-4, abs=1e-12)


def test_parts_that_rise_together_are_one_group(bench: Bench) -> None:
    rng = np.random.default_rng(5)
    first, second = rng.lognormal(size=(2, 200))
    table = pd.DataFrame(
        {
            "SampleID": [f"S{n}" for n in range(200)],
            "A_ppm": first,
            "B_ppm": 3 * first * rng.lognormal(0, 0.05, 200),
            "C_pct": second / 100,
            "D_ppm": second * rng.lognormal(0, 0.05, 200),
        }
    )
    name = bench.write("pairs.csv", table.to_csv(index=False))
    facts = bench.facts(
        "element_groups", path=name, columns=["A_ppm", "B_ppm", "C_pct", "D_ppm"], k=2
    )
    assert facts["group 1"]["columns"] == ["A_ppm", "B_ppm"]
    assert facts["group 2"]["columns"] == ["C_pct", "D_ppm"]


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("pca", {"components": 0}, "components=0"),
        ("outliers", {"share": 2}, "share=2"),
        ("element_groups", {"k": 5}, "give 2 to 4 groups"),
        ("pca", {"columns": ["As_ppm", "Lithology"]}, "Lithology"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    ridge: Bench, tool: str, arguments: dict[str, object], says: str
) -> None:
    with pytest.raises(Refused, match=says) as refused:
        ridge.call(tool, **{"path": GEOCHEM, "columns": PARTS, **arguments})
    assert "\n" not in str(refused.value)


def test_major_oxides_taken_as_they_are_come_with_a_word_on_their_sum(bench: Bench) -> None:
    rng = np.random.default_rng(2)
    parts = rng.dirichlet([60, 15, 10, 8, 7], 60) * 100
    names = "SampleID,SiO2_pct,Al2O3_pct,Fe2O3_pct,MgO_pct,CaO_pct\n"
    rows = "".join(f"S{n},{','.join(f'{x:.3f}' for x in row)}\n" for n, row in enumerate(parts))
    path = bench.write("majors.csv", names + rows)
    majors = ["SiO2_pct", "Al2O3_pct", "Fe2O3_pct", "MgO_pct"]
    for tool in ("pca", "outliers"):
        raw = bench.call(tool, path=path, columns=majors, transform="raw")
        assert "of the rock (median)" in raw.notes[0]
        assert not bench.call(tool, path=path, columns=majors).notes
        assert not bench.call(tool, path=path, columns=majors[2:], transform="log").notes


def test_a_robust_estimate_of_too_many_columns_is_refused_before_it_begins(bench: Bench) -> None:
    names = [f"E{n}_ppm" for n in range(101)]
    values = np.random.default_rng(1).lognormal(0, 1, (210, len(names)))
    name = bench.write("wide.csv", pd.DataFrame(values, columns=names).to_csv(index=False))
    for tool, more in (("outliers", {}), ("pca", {"robust": True})):
        with pytest.raises(Refused, match="columns, and a robust estimate takes at most 100"):
            bench.call(tool, path=name, columns=names, transform="log", **more)

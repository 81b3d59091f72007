"""Pairwise correlation against another library, one pair at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from workbench.tables.correlation import Method, correlations


def gappy(rows: int, columns: int) -> np.ndarray:
    """Return skewed, related columns with gaps of two patterns and some of their own."""
    generator = np.random.default_rng(7)
    base = generator.normal(size=(rows, 1))
    values = np.exp(base + generator.normal(size=(rows, columns)))
    values[generator.random(values.shape) < 0.1] = np.nan
    values[:9, :2] = np.nan
    values[:, 3] = np.round(values[:, 3])
    return values


@pytest.mark.parametrize(("method", "other"), [("pearson", pearsonr), ("spearman", spearmanr)])
def test_every_pair_agrees_with_scipy(
    method: Method,
    other: Any,  # noqa: ANN401 - a function of scipy
) -> None:
    values = gappy(80, 6)
    found = correlations(values, method)
    for i in range(6):
        for j in range(6):
            both = np.isfinite(values[:, i]) & np.isfinite(values[:, j])
            assert found.n[i, j] == both.sum()
            truth = other(values[both, i], values[both, j]).statistic
            assert found.r[i, j] == pytest.approx(truth, abs=1e-12)


def test_large_offsets_do_not_spoil_the_coefficient() -> None:
    generator = np.random.default_rng(1)
    values = generator.normal(size=(200, 2)) + np.array([6_611_117.0, 1e9])
    truth = np.corrcoef(values - values.mean(axis=0), rowvar=False)[0, 1]
    assert correlations(values, "pearson").r[0, 1] == pytest.approx(truth, abs=1e-6)


def test_a_constant_column_has_no_coefficient() -> None:
    values = np.column_stack([np.full(20, 0.1), np.arange(20.0)])
    for method in ("pearson", "spearman"):
        assert np.isnan(correlations(values, method).r[0, 1])


def test_a_column_that_is_constant_where_the_pair_meets_has_none() -> None:
    first = np.array([1.0, 1.0, 1.0, 2.0, 3.0])
    second = np.array([1.0, 2.0, 3.0, np.nan, np.nan])
    found = correlations(np.column_stack([first, second]), "pearson")
    assert found.n[0, 1] == 3
    assert np.isnan(found.r[0, 1])


def test_columns_that_never_meet_have_no_pairs() -> None:
    values = np.array([[1.0, np.nan], [2.0, np.nan], [np.nan, 1.0], [np.nan, 5.0]])
    for method in ("pearson", "spearman"):
        found = correlations(values, method)
        assert found.n[0, 1] == 0
        assert np.isnan(found.r[0, 1])

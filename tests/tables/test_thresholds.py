"""Threshold rules against numbers worked out by hand or by another library."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import iqr, median_abs_deviation

from workbench.tables.thresholds import threshold, words

VALUES = np.random.default_rng(5).normal(10, 2, size=501)


def test_the_mad_rule_agrees_with_scipy() -> None:
    found = threshold(VALUES, "mad", 2.0, 97.5)
    spread = median_abs_deviation(VALUES, scale="normal")
    assert found.value == pytest.approx(np.median(VALUES) + 2 * spread, rel=1e-4)
    assert found.scores == pytest.approx((VALUES - np.median(VALUES)) / spread, rel=1e-4)


def test_the_fence_agrees_with_scipy() -> None:
    found = threshold(VALUES, "tukey", 1.5, 97.5)
    assert found.value == pytest.approx(np.quantile(VALUES, 0.75) + 1.5 * iqr(VALUES))


def test_the_percentile_rule_flags_the_share_it_names() -> None:
    found = threshold(VALUES, "percentile", 0.0, 97.5)
    assert found.value == pytest.approx(np.quantile(VALUES, 0.975))
    assert (found.value < VALUES).mean() == pytest.approx(0.025, abs=0.002)
    assert found.scores.max() == 100.0


@pytest.mark.parametrize("rule", ["mad", "tukey"])
def test_a_rule_that_cannot_tell_says_why_and_flags_nothing(rule: str) -> None:
    values = np.array([0.5] * 9 + [7.0, 9.0])
    found = threshold(values, rule, 2.0, 97.5)  # type: ignore[arg-type]
    assert np.isnan(found.value)
    assert "equal" in found.reason
    assert not (values > found.value).any()


def test_a_rule_is_said_in_words() -> None:
    assert (
        words("mad", 2.0, 97.5, log=True)
        == "median + 2 × MAD (scaled by 1.4826) of log10 of the values"
    )
    assert "interquartile range of the values" in words("tukey", 1.5, 97.5, log=False)
    assert words("percentile", 0, 97.5, log=False) == "percentile 97.5 of the values"

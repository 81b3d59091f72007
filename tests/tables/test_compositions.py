"""Log-ratios: their laws, and what the guard turns away."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.tables.compositions import clr, multiplicative_replacement


def test_log_ratios_of_a_row_sum_to_zero_and_forget_the_scale() -> None:
    parts = np.random.default_rng(3).lognormal(size=(20, 5))
    ratios = clr(parts)
    assert np.abs(ratios.sum(axis=1)).max() < 1e-12
    assert clr(parts * np.arange(1, 21)[:, None]) == pytest.approx(ratios)


def test_a_log_ratio_is_the_log_of_a_part_over_the_geometric_mean() -> None:
    found = clr(np.array([[1.0, 10.0, 100.0]]))
    assert found[0] == pytest.approx(np.log([0.1, 1.0, 10.0]))


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf])
def test_a_part_that_is_no_number_above_zero_is_turned_away(bad: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        clr(np.array([[1.0, bad, 2.0]]))


def test_replacement_keeps_the_sum_and_the_ratios_of_measured_parts() -> None:
    parts = np.array([[0.5, 30.0, 60.0], [10.0, 20.0, 70.0]])
    small = np.array([[True, False, False], [False, False, False]])
    limits = np.array([[1.0, np.nan, np.nan], [np.nan] * 3])
    filled = multiplicative_replacement(parts, small, limits)
    assert filled[0, 0] == pytest.approx(0.65)
    assert filled[0].sum() == pytest.approx(90.0)
    assert filled[0, 2] / filled[0, 1] == pytest.approx(2.0)
    assert filled[1] == pytest.approx(parts[1])


def test_replacement_leaves_gaps_as_gaps() -> None:
    filled = multiplicative_replacement(
        np.array([[np.nan, 1.0]]), np.array([[False, False]]), np.full((1, 2), np.nan)
    )
    assert np.isnan(filled[0, 0])

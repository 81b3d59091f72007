"""Statistics that know of censored values, against brute force over what they could be."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.tables.statistics import Sample, geometric_mean, mad, rounded


def sample(plain: list[float], below: list[float], above: list[float]) -> Sample:
    return Sample(np.array(plain, float), np.array(below, float), np.array(above, float))


def test_a_quantile_of_plain_numbers_is_that_of_numpy() -> None:
    values = [3.0, 1.5, 9.0, 4.0, 4.5, 7.0]
    for share in (0, 0.01, 0.25, 0.5, 0.9, 1):
        assert sample(values, [], []).quantile(share) == pytest.approx(
            rounded(float(np.quantile(values, share)))
        )


def test_a_quantile_among_values_below_a_limit_says_so() -> None:
    found = sample([2, 3, 4, 5], [1, 1, 1, 1, 1], [])
    assert found.quantile(0.25) == "<1"
    assert found.quantile(0.75) == 3


def test_a_quantile_among_values_above_a_limit_says_so() -> None:
    found = sample([2, 3, 4], [], [100, 100])
    assert found.quantile(1.0) == ">100"
    assert found.quantile(0.5) == 4


def test_with_a_high_limit_the_bounds_are_given() -> None:
    # `<10` may lie anywhere among the numbers: the median is between 2 and 3.
    assert sample([2, 3, 4, 5], [10], []).quantile(0.5) == "3 to 4"


def test_a_value_below_an_unknown_limit_ranks_lowest() -> None:
    assert sample([2, 3, 4], [math.nan, math.nan], []).quantile(0.5) == 2
    assert sample([], [math.nan], []).quantile(0.5) is None


def test_no_values_have_no_quantile() -> None:
    assert sample([], [], []).quantile(0.5) is None


@given(
    st.lists(st.integers(1, 6), min_size=1, max_size=4),
    st.lists(st.integers(1, 6), max_size=3),
    st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]),
)
def test_whatever_the_censored_values_are_the_quantile_is_within_its_bounds(
    plain: list[int], limits: list[int], share: float
) -> None:
    found = sample([float(v) for v in plain], [float(v) for v in limits], []).quantile(share)
    for hidden in itertools.product(*[[0.0, limit / 2, limit - 1e-9] for limit in limits]):
        truth = float(np.quantile([*plain, *hidden], share))
        if isinstance(found, str) and found.startswith("<"):
            assert truth <= float(found[1:])
        elif isinstance(found, str):
            low, high = (float(end) for end in found.split(" to "))
            assert low - 1e-6 <= truth <= high + 1e-6
        else:
            assert truth == pytest.approx(found, abs=1e-5)


def test_a_summary_of_nothing_has_no_numbers() -> None:
    assert sample([], [1], []).summary() == {"n": 0}


def test_numbers_keep_six_digits_and_never_become_infinite() -> None:
    assert rounded(123456.7) == 123457
    assert rounded(0.00012345678) == 0.000123457
    assert rounded(math.inf) is None
    assert rounded(math.nan) is None
    assert rounded(6611117.4, 10) == 6611117.4


def test_median_absolute_deviation_and_geometric_mean() -> None:
    values = np.array([1.0, 2.0, 4.0, 8.0, 100.0])
    assert mad(values) == (4.0, 3.0)
    assert geometric_mean(values) == pytest.approx(math.prod(values) ** (1 / 5))

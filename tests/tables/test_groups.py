"""k-means: planted blobs are found, labels repeat, and the largest group is the first."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, silhouette_score

from workbench.tables import labels as group_labels
from workbench.tables.groups import k_means, standardised


def blobs(sizes: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(11)
    truth = np.repeat(np.arange(len(sizes)), sizes)
    values = generator.normal(size=(truth.size, 3)) + truth[:, None] * 8.0
    order = generator.permutation(truth.size)
    return standardised(values[order]), truth[order]


def test_planted_groups_are_found_and_numbered_by_size() -> None:
    values, truth = blobs((40, 25, 60))
    found = k_means(values, 3, 42)
    assert adjusted_rand_score(truth, found.labels) == 1.0
    assert [int((found.labels == number).sum()) for number in (1, 2, 3)] == [60, 40, 25]
    assert found.silhouette == pytest.approx(silhouette_score(values, found.labels))


def test_equal_sizes_are_numbered_by_the_first_column() -> None:
    values, _ = blobs((30, 30))
    labels = k_means(values, 2, 42).labels
    assert values[labels == 1, 0].mean() < values[labels == 2, 0].mean()


def test_equal_input_and_seed_give_equal_labels_and_row_order_does_not_matter() -> None:
    values, _ = blobs((40, 25, 60))
    first = k_means(values, 3, 1).labels
    assert np.array_equal(first, k_means(values, 3, 1).labels)
    backwards = k_means(values[::-1], 3, 9).labels[::-1]
    assert np.array_equal(first, backwards)


def test_the_silhouette_of_many_rows_is_taken_over_a_seeded_sample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(group_labels, "SILHOUETTE_ROWS", 50)
    values, _ = blobs((100, 80))
    found = k_means(values, 2, 42)
    assert found.sampled == 50
    assert found.silhouette == k_means(values, 2, 42).silhouette


def test_a_silhouette_of_single_rows_is_no_number() -> None:
    values = np.array([[0.0], [1.0], [3.0]])
    assert np.isnan(k_means(values, 3, 42).silhouette)

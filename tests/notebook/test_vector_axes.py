"""Ticks of a drawn axis: round numbers, inside the axis, not crowded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.notebook.vector_axes import Axis, axis


def made(values: list[object], **spec: object) -> Axis:
    found = axis(spec, values, (0.0, 800.0))
    assert found is not None
    return found


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=20))
def test_ticks_lie_on_the_axis_and_are_not_crowded(values: list[float]) -> None:
    ticks = made(list(values)).ticks()
    assert all(-0.5 <= place <= 800.5 for place, _ in ticks)
    assert len(ticks) <= 12


def test_ticks_are_round_numbers_with_separators() -> None:
    assert [text for _, text in made([0.0, 10_000.0], range=[0, 10_000]).ticks()][-1] == "10,000"


def test_a_long_logarithmic_axis_has_a_tick_a_decade() -> None:
    labels = [text for _, text in made([0.01, 10_000.0], type="log").ticks()]
    assert labels == ["0.01", "0.1", "1", "10", "100", "1,000", "10,000"]


def test_given_ticks_are_kept() -> None:
    spec = {"tickvals": [0, 1, 99], "ticktext": ["1", "10", "far"]}
    assert [text for _, text in made([0.0, 1.0], **spec).ticks()] == ["1", "10"]


def test_words_become_categories_in_order() -> None:
    found = made(["Basalt", "Dacite", "Basalt"])
    assert [text for _, text in found.ticks()] == ["Basalt", "Dacite"]
    assert found.place("Dacite") == pytest.approx(600)


def test_what_is_no_number_has_no_place() -> None:
    found = made([1.0, 2.0], type="log")
    assert [found.place(value) for value in (None, True, "x", float("inf"), -1)] == [None] * 5

"""The words of a question that are elements, and those that only look like it."""

from __future__ import annotations

import pytest

from workbench.models.planner.symbols import mentions, spoken


def symbols(text: str) -> list[str]:
    return [mention.symbol for mention in mentions(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Group by Au, As, Cu and Sb", ["Au", "As", "Cu", "Sb"]),
        ("What correlates with gold?", ["Au"]),
        ("copper and arsenic and sulphur", ["Cu", "As", "S"]),
        ("map au and cu", ["Au", "Cu"]),
        ("MAP CU", ["Cu"]),
        ("plot SiO2 against k2o", ["SiO2", "K2O"]),
        ("correlate As and Sb", ["As", "Sb"]),
        ("As against Au", ["As", "Au"]),
        ("anomalous in In", ["In"]),
        ("log of W and V", ["W", "V"]),
    ],
)
def test_elements_are_found_by_symbol_and_name(text: str, expected: list[str]) -> None:
    assert symbols(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "As a first step, describe the data",
        "In which samples is it high?",
        "Be careful",
        "What can I do next?",
        "this will lead to nothing",
        "No idea at all",
    ],
)
def test_english_words_are_no_elements(text: str) -> None:
    assert symbols(text) == []


def test_a_column_header_is_not_taken_apart() -> None:
    assert symbols("map As_ppm and Au_ppb") == []


def test_an_element_is_spoken_with_its_symbol() -> None:
    assert spoken("As") == "arsenic (As)"
    assert spoken("SiO2") == "SiO2"

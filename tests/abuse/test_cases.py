"""Every abuse and fault case has a test that carries its number, wherever it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CASES = {"a": 15, "b": 17, "c": 8, "d": 3, "e": 7, "f": 11}
TESTS = Path(__file__).resolve().parent.parent
NAMED = re.compile(r"^    def test_([a-f]\d+)_|^(?:async )?def test_([a-f]\d+)_", re.MULTILINE)


@pytest.fixture(scope="module")
def found() -> set[str]:
    """The numbers that tests carry."""
    texts = [path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py")]
    return {first or second for text in texts for first, second in NAMED.findall(text)}


@pytest.mark.parametrize(
    "case", [f"{kind}{n}" for kind, top in CASES.items() for n in range(1, top + 1)]
)
def test_a_case_has_a_test_of_its_number(found: set[str], case: str) -> None:
    assert case in found

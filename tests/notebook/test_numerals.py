"""Numbers as a person reads them."""

from __future__ import annotations

import pytest

from workbench.notebook import numerals


def test_a_count_has_thousands_separators() -> None:
    assert numerals.count(31_204) == "31,204"


@pytest.mark.parametrize(
    ("number", "shown"),
    [(840, "840 B"), (14_200, "14.2 kB"), (3_140_000, "3.1 MB"), (5_200_000_000_000, "5200.0 GB")],
)
def test_bytes_come_in_the_unit_that_fits(number: int, shown: str) -> None:
    assert numerals.size(number) == shown


@pytest.mark.parametrize(("seconds", "shown"), [(3.24, "3.2 s"), (125, "2 min 05 s")])
def test_a_duration_has_minutes_from_one_minute(seconds: float, shown: str) -> None:
    assert numerals.duration(seconds) == shown


@pytest.mark.parametrize(
    ("part", "whole", "shown"), [(3, 100, "3.0 %"), (42, 100, "42 %"), (1, 0, "–")]
)
def test_a_share_has_a_decimal_below_ten_per_cent(part: int, whole: int, shown: str) -> None:
    assert numerals.percent(part, whole) == shown


def test_a_noun_follows_its_count() -> None:
    assert [numerals.plural(n, "hit") for n in (0, 1, 2)] == ["0 hits", "1 hit", "2 hits"]

"""Decimal signs: what the cells of a column tell, and cells with one reading alone changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.tables.decimals import evidence, plain


@pytest.mark.parametrize(
    ("cell", "sign", "wanted"),
    [
        ("0,52", ",", "0.52"),
        ("<0,5", ",", "<0.5"),
        ("-0,5", ",", "-0.5"),
        ("1.250,75", ",", "1250.75"),
        ("1,250.75", ".", "1250.75"),
        ("1,250", ",", "1.250"),
        ("1,250", ".", "1250"),
        ("0.9", ",", "0.9"),
        ("1 250,5", ",", "1250.5"),
        ("12,34,56", ",", None),
        ("1,2.3,4", ",", None),
        ("BDL", ",", None),
        ("3,4 ppm", ",", None),
    ],
)
def test_a_cell_has_one_reading_or_is_left(cell: str, sign: str, wanted: str | None) -> None:
    assert plain(cell, sign) == wanted  # type: ignore[arg-type]


def test_three_digits_behind_one_comma_tell_nothing() -> None:
    told = evidence(["1,250", "2,100", "300"])
    assert (told.numbers, told.ambiguous, told.sign) == (3, 2, None)


def test_one_cell_that_tells_settles_the_others() -> None:
    assert evidence(["1,250", "0,5"]).sign == ","
    assert evidence(["1,250", "1,250.5"]).sign == "."


def test_signs_that_disagree_settle_nothing_where_a_cell_fits_both() -> None:
    assert evidence(["0,5", "0.5", "1,250"]).sign is None
    assert evidence(["0,5", "0,7", "0.5"]).sign == ","


@given(st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: f"{x:.2f}"))
def test_a_number_written_with_a_comma_comes_back_as_it_was(text: str) -> None:
    assert plain(text.replace(".", ","), ",") == text

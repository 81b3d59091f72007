"""Units convert by exact factors, and only into their own kind."""

from __future__ import annotations

from fractions import Fraction

import pytest

from workbench.errors import Refused
from workbench.tables.units import UNITS, alike, factor, unit_named


@pytest.mark.parametrize(
    ("source", "target", "value"),
    [
        ("pct", "ppm", 10_000),
        ("%", "mg/kg", 10_000),
        ("ppb", "ppm", Fraction(1, 1_000)),
        ("g/t", "ppm", 1),
        ("ug/kg", "ppb", 1),
        ("ng/g", "ppb", 1),
        ("mg/t", "ppb", 1),
        ("ft", "m", Fraction("0.3048")),
        ("km", "m", 1_000),
        ("t/m3", "g/cm3", 1),
    ],
)
def test_factors_are_exact(source: str, target: str, value: Fraction | int) -> None:
    assert factor(source, target) == value
    assert factor(target, source) == 1 / Fraction(value)


@pytest.mark.parametrize(
    ("source", "ppm"), [("oz/t", 34.2857), ("oz/long ton", 30.6122), ("lb/t", 500.0)]
)
def test_ounces_and_pounds_to_the_ton_are_as_in_the_tables(source: str, ppm: float) -> None:
    assert float(factor(source, "ppm")) == pytest.approx(ppm, abs=5e-5)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("PPM", "ppm"), ("mgkg", "mg/kg"), ("mg/kg", "mg/kg"), ("ugkg", "ug/kg"),
        ("µg/kg", "ug/kg"),
        ("wt%", "pct"), ("wt. %", "pct"), ("(pct)", "pct"), ("%", "pct"), ("gpt", "g/t"),
        ("g/t", "g/t"), ("opt", "oz/t"), ("ppt", None), ("rock", None), ("wt", None),
    ],
)  # fmt: skip
def test_units_are_known_in_any_dress(text: str, name: str | None) -> None:
    assert unit_named(text) == name


def test_a_concentration_in_water_is_no_mass_fraction() -> None:
    with pytest.raises(Refused, match="concentration in water"):
        factor("mg/l", "ppm")


def test_an_ambiguous_unit_is_refused_with_the_reason() -> None:
    with pytest.raises(Refused, match="per thousand and per trillion"):
        factor("ppt", "ppm")


def test_an_unknown_unit_is_refused_with_the_nearest() -> None:
    with pytest.raises(Refused, match="nearest: 'ppm'"):
        factor("ppmm", "ppb")


def test_there_and_back_is_exactly_one_for_every_pair() -> None:
    for first in UNITS.values():
        for second in UNITS.values():
            if first.dimension == second.dimension:
                assert factor(first.name, second.name) * factor(second.name, first.name) == 1


def test_units_of_one_size_are_alike_and_unknown_ones_only_among_themselves() -> None:
    assert alike(["ppm", "g/t", "mg/kg"])
    assert not alike(["ppm", "ppb"])
    assert not alike(["ppm", None])
    assert alike([None, None])

"""Units of geochemistry: how headers write them, and exact factors between them.

A unit is known by one spelling each (``ppm``, ``ppb``, ``pct``, ``g/t`` …). Only units of the same
dimension convert; a concentration in a liquid is no mass fraction.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from workbench.errors import Refused, nearest


@dataclass(frozen=True)
class Unit:
    """One unit.

    Attributes
    ----------
    name : str
        Its spelling here.
    dimension : str
        Units of one dimension convert into each other.
    factor : Fraction
        What one of it is in the base unit of its dimension (ppm for mass fractions).
    """

    name: str
    dimension: str
    factor: Fraction


# One troy ounce is 31.1034768 g; a short ton 907.18474 kg; a long ton 1016.0469088 kg, exactly.
_TROY_OUNCE = Fraction("31.1034768")
_POUND = Fraction("453.59237")
_SHORT_TON = Fraction("907184.74")
_LONG_TON = Fraction("1016046.9088")
_MILLION = 1_000_000

UNITS: dict[str, Unit] = {
    name: Unit(name, dimension, Fraction(factor))
    for name, dimension, factor in (
        ("ppm", "mass fraction", 1),
        ("mg/kg", "mass fraction", 1),
        ("g/t", "mass fraction", 1),
        ("ug/g", "mass fraction", 1),
        ("ppb", "mass fraction", Fraction(1, 1_000)),
        ("ug/kg", "mass fraction", Fraction(1, 1_000)),
        ("ng/g", "mass fraction", Fraction(1, 1_000)),
        ("mg/t", "mass fraction", Fraction(1, 1_000)),
        ("ng/kg", "mass fraction", Fraction(1, _MILLION)),
        ("pct", "mass fraction", 10_000),
        ("g/kg", "mass fraction", 1_000),
        ("kg/t", "mass fraction", 1_000),
        # The ounce of the United States trade: troy ounces to the short ton.
        ("oz/t", "mass fraction", _TROY_OUNCE / _SHORT_TON * _MILLION),
        ("oz/long ton", "mass fraction", _TROY_OUNCE / _LONG_TON * _MILLION),
        ("lb/t", "mass fraction", _POUND / _SHORT_TON * _MILLION),
        # To the metric ton of 1,000,000 g.
        ("oz/tonne", "mass fraction", _TROY_OUNCE),
        ("lb/tonne", "mass fraction", _POUND),
        ("mg/l", "concentration in water", 1),
        ("ug/l", "concentration in water", Fraction(1, 1_000)),
        ("ng/l", "concentration in water", Fraction(1, _MILLION)),
        ("m", "length", 1),
        ("mm", "length", Fraction(1, 1_000)),
        ("cm", "length", Fraction(1, 100)),
        ("km", "length", 1_000),
        ("ft", "length", Fraction("0.3048")),
        ("deg", "angle", 1),
        ("g/cm3", "density", 1),
        ("t/m3", "density", 1),
        ("kg/m3", "density", Fraction(1, 1_000)),
        ("kg", "mass", 1),
        ("g", "mass", Fraction(1, 1_000)),
        ("Ma", "age", 1),
        ("permil", "delta", 1),
        ("us/cm", "conductivity", 1),
        ("mm/day", "rate", 1),
    )
}
# ppt is parts per thousand to some and per trillion to others, so it is no unit here.
AMBIGUOUS = frozenset({"ppt"})

_SPELLINGS: dict[str, str] = {
    spelling: name
    for name, spellings in {
        "ppm": "ppm ppmw partspermillion",
        "mg/kg": "mg/kg mgkg mgkg-1 mg.kg-1 mg_kg mgperkg",
        "g/t": "g/t gpt gt-1 g.t-1 g/tonne gm/t g_t gt grams/tonne",
        "ug/g": "ug/g ugg ugg-1 ug.g-1 ug_g",
        "ppb": "ppb ppbw partsperbillion",
        "ug/kg": "ug/kg ugkg ugkg-1 ug.kg-1 ug_kg",
        "ng/g": "ng/g ngg ngg-1 ng.g-1 ng_g",
        "mg/t": "mg/t",
        "ng/kg": "ng/kg ngkg",
        "pct": "pct % wt% wt.% percent wtpct wt.pct wt_pct wt-% mass% weight% weightpercent w% "
        "gew% gew.% gew-% gew.-% m% m.% perc",
        "g/kg": "g/kg gkg",
        "kg/t": "kg/t",
        "oz/t": "oz/t opt oz/ton oz/st ozt oz_t",
        "oz/long ton": "oz/lt",
        "lb/t": "lb/t lb/ton lbs/t lb/st lb_t",
        "oz/tonne": "oz/tonne oz/mt",
        "lb/tonne": "lb/tonne lbs/tonne lb/mt",
        "mg/l": "mg/l mgl mgl-1",
        "ug/l": "ug/l ugl ugl-1",
        "ng/l": "ng/l ngl",
        "m": "m metre metres meter meters",
        "mm": "mm",
        "cm": "cm",
        "km": "km",
        "ft": "ft feet foot",
        "deg": "deg degree degrees °",
        "g/cm3": "g/cm3 g/cc gcm3 g_cm3 g/cm^3 g/cm³ gcc",
        "t/m3": "t/m3 t/m^3 t/m³ tm3",
        "kg/m3": "kg/m3 kg/m^3 kg/m³ kgm3",
        "kg": "kg",
        "g": "g",
        "Ma": "ma",
        "permil": "permil ‰ permille",
        "us/cm": "us/cm",
    }.items()
    for spelling in spellings.split()
}


# Two signs for micro; minus and dots as typeset.
_SIGNS = str.maketrans({"µ": "u", "μ": "u", "−": "-", "–": "-", "·": ".", "⋅": "."})


def unit_named(text: str) -> str | None:
    """Return the unit a text spells, in any dress; None if it is none.

    Examples
    --------
    >>> unit_named("PPM"), unit_named("wt. %"), unit_named("µg/kg"), unit_named("ppt")
    ('ppm', 'pct', 'ug/kg', None)
    """
    plain = re.sub(r"\s+", "", text.strip().strip("()[]")).casefold()
    plain = plain.translate(_SIGNS).replace("\u207b\u00b9", "-1")
    return _SPELLINGS.get(plain)


def factor(source: str, target: str) -> Fraction:
    """Return the exact number that turns values in one unit into another.

    Parameters
    ----------
    source, target : str
        Units in any spelling.

    Raises
    ------
    Refused
        If a unit is unknown, or they measure different things.

    Examples
    --------
    >>> factor("pct", "ppm"), factor("ppb", "g/t"), round(float(factor("oz/t", "ppm")), 4)
    (Fraction(10000, 1), Fraction(1, 1000), 34.2857)
    """
    first, second = _known(source), _known(target)
    if first.dimension != second.dimension:
        raise Refused(
            f"convert {source} to {target}: one is a {first.dimension}, the other a "
            f"{second.dimension}; choose a unit of the same kind"
        )
    return first.factor / second.factor


def _known(text: str) -> Unit:
    name = text if text in UNITS else unit_named(text)
    if name is None:
        why = "stands for per thousand and per trillion" if text in AMBIGUOUS else "is not known"
        raise Refused(f"unit '{text[:40]}': it {why}{nearest(text, UNITS)}")
    return UNITS[name]


def alike(units: list[str | None]) -> bool:
    """Tell whether values in these units may be added or compared as they are.

    Unknown units are alike only if all are unknown.
    """
    known = {
        (UNITS[unit].dimension, UNITS[unit].factor) if unit in UNITS else unit for unit in units
    }
    return len(known) <= 1

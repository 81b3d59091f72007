"""Masses of elements and oxides: what share of an oxide is its element.

Standard atomic weights as abridged by IUPAC's commission (CIAAW 2021, five figures at most).
"""

from __future__ import annotations

import re
from fractions import Fraction

from workbench.errors import Refused

_WEIGHTS: dict[str, str] = {
    "H": "1.0080", "Li": "6.94", "C": "12.011", "O": "15.999", "Na": "22.990", "Mg": "24.305",
    "Al": "26.982", "Si": "28.085", "P": "30.974", "S": "32.06", "K": "39.098", "Ca": "40.078",
    "Sc": "44.956", "Ti": "47.867", "V": "50.942", "Cr": "51.996", "Mn": "54.938", "Fe": "55.845",
    "Co": "58.933", "Ni": "58.693", "Cu": "63.546", "Zn": "65.38", "Ga": "69.723", "Ge": "72.630",
    "As": "74.922", "Se": "78.971", "Ag": "107.87", "Cd": "112.41", "Sb": "121.76", "Te": "127.60",
    "Hg": "200.59", "Bi": "208.98", "Rb": "85.468",
    "Sr": "87.62", "Y": "88.906", "Zr": "91.224", "Nb": "92.906", "Mo": "95.95", "Sn": "118.71",
    "Cs": "132.91", "Ba": "137.33", "La": "138.91", "Ce": "140.12", "Pr": "140.91", "Nd": "144.24",
    "Sm": "150.36", "Eu": "151.96", "Gd": "157.25", "Tb": "158.93", "Dy": "162.50", "Ho": "164.93",
    "Er": "167.26", "Tm": "168.93", "Yb": "173.05", "Lu": "174.97", "Hf": "178.49", "Ta": "180.95",
    "W": "183.84", "Pb": "207.2", "Th": "232.04", "U": "238.03",
}  # fmt: skip
WEIGHTS = {symbol: Fraction(weight) for symbol, weight in _WEIGHTS.items()}
_PART = re.compile(r"([A-Z][a-z]?)(\d*)")


def parts(formula: str) -> dict[str, int]:
    """Return the atoms of a formula.

    Raises
    ------
    Refused
        If it holds something else than elements whose weight is known.

    Examples
    --------
    >>> parts("Fe2O3")
    {'Fe': 2, 'O': 3}
    """
    found: dict[str, int] = {}
    rest = formula
    while match := _PART.match(rest):
        symbol, count = match.groups()
        if symbol not in WEIGHTS:
            break
        found[symbol] = found.get(symbol, 0) + int(count or 1)
        rest = rest[match.end() :]
    if rest or not found:
        raise Refused(f"formula '{formula[:40]}': it is no oxide whose mass is known")
    return found


def element_of(oxide: str) -> tuple[str, Fraction]:
    """Return the element of an oxide and its share of the mass.

    Parameters
    ----------
    oxide : str
        Such as ``Fe2O3``; total iron may end in ``T``.

    Raises
    ------
    Refused
        If it is no oxide of one element.

    Examples
    --------
    >>> element_of("Fe2O3")[0], round(float(element_of("SiO2")[1]), 4)
    ('Fe', 0.4674)
    """
    atoms = parts(oxide.removesuffix("T"))
    others = [symbol for symbol in atoms if symbol != "O"]
    if len(others) != 1 or "O" not in atoms:
        raise Refused(f"'{oxide[:40]}': it is no oxide of one element")
    whole = sum((WEIGHTS[symbol] * count for symbol, count in atoms.items()), Fraction(0))
    return others[0], WEIGHTS[others[0]] * atoms[others[0]] / whole

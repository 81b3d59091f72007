"""Symbols and formulas of geochemistry: which words of a header name an element or an oxide.

Letters alone are no proof: ``In``, ``As``, ``At``, ``No``, ``I`` or ``W`` are also words and
directions. `workbench.tables.headers` weighs them by case, unit and company.
"""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Elements that are assayed; short-lived ones are left out, so that At, Fr or No are never met.
SYMBOLS = _words(
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se "
    "Br Kr Rb Sr Y Zr Nb Mo Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Sm Eu Gd Tb Dy Ho "
    "Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Ra Th Pa U"
)
# Words, directions, codes: symbols that need a unit or the company of other elements.
AMBIGUOUS = _words(
    "H He B C N O F Ne P S K Ar V Co As Se Y I In Os Be W U Re Er Ho La Pa Ra Ga Al Mo Cd Ir Th Ti "
    "Sc Pr"
)
_UPPER = {symbol.upper(): symbol for symbol in SYMBOLS}
_FORMULAS = _words(
    "SiO2 TiO2 Al2O3 Fe2O3 FeO MnO MnO2 MgO CaO Na2O K2O P2O5 Cr2O3 NiO BaO SrO ZrO2 V2O5 "
    "V2O3 ZnO CuO CoO PbO Rb2O Li2O Cs2O SO2 SO3 CO2 UO2 U3O8 ThO2 HfO2 Nb2O5 Ta2O5 WO3 "
    "SnO2 MoO3 Sb2O5 Sb2O3 As2O3 As2O5 Bi2O3 TeO2 SeO2 GeO2 CdO Ag2O HgO "
    "La2O3 CeO2 Ce2O3 Pr6O11 Pr2O3 Nd2O3 Sm2O3 Eu2O3 Gd2O3 Tb4O7 Tb2O3 Dy2O3 "
    "Ho2O3 Er2O3 Tm2O3 Yb2O3 Lu2O3 Y2O3 Sc2O3 Ga2O3 H2O"
)
_BY_FOLD = {formula.casefold(): formula for formula in _FORMULAS}
# What labs write after a formula: total iron, water given off below and above 105 degrees.
_SUFFIX = re.compile(r"(?:_?(?:t|tot|total)|\*|\+|-|neg|pos|minus|plus)$", re.IGNORECASE)
LOSS = frozenset({"loi", "lossonignition"})


def symbol(word: str) -> str | None:
    """Return the symbol a word spells, in proper case or all capitals; None if it is none.

    Examples
    --------
    >>> symbol("Au"), symbol("CU"), symbol("cu"), symbol("At")
    ('Au', 'Cu', None, None)
    """
    if word in SYMBOLS:
        return word
    return _UPPER.get(word) if word.isupper() else None


def oxide(word: str) -> str | None:
    """Return the formula of an oxide that a word spells; total iron keeps its ``T``.

    Examples
    --------
    >>> oxide("SiO2"), oxide("AL2O3"), oxide("Fe2O3T"), oxide("Cool")
    ('SiO2', 'Al2O3', 'Fe2O3T', None)
    """
    if word.casefold() in LOSS:
        return "LOI"
    if found := _BY_FOLD.get(word.casefold()):
        # "coo" and "so2" in small letters are no formulas.
        return found if word[:1].isupper() else None
    match = _SUFFIX.search(word)
    base = _BY_FOLD.get(word[: match.start()].casefold()) if match else None
    if base is None or not word[:1].isupper():
        return None
    total = match is not None and any(sign in match.group().casefold() for sign in "t*")
    return base + "T" if base.startswith("Fe") and total else base


def is_ambiguous(word: str) -> bool:
    """Tell whether a symbol is also a word, a direction or a code."""
    return word in AMBIGUOUS or len(word) == 1 or word.isupper()

"""Elements and oxides as people write them in a question.

A word is taken for an element only where it can hardly be anything else: `As` may begin a
sentence, `In` is mostly a preposition, `lead` may be a verb.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

NAMES: dict[str, str] = {
    "Ag": "silver",
    "Al": "aluminium",
    "As": "arsenic",
    "Au": "gold",
    "B": "boron",
    "Ba": "barium",
    "Be": "beryllium",
    "Bi": "bismuth",
    "Br": "bromine",
    "C": "carbon",
    "Ca": "calcium",
    "Cd": "cadmium",
    "Ce": "cerium",
    "Cl": "chlorine",
    "Co": "cobalt",
    "Cr": "chromium",
    "Cs": "caesium",
    "Cu": "copper",
    "Dy": "dysprosium",
    "Er": "erbium",
    "Eu": "europium",
    "F": "fluorine",
    "Fe": "iron",
    "Ga": "gallium",
    "Gd": "gadolinium",
    "Ge": "germanium",
    "Hf": "hafnium",
    "Hg": "mercury",
    "Ho": "holmium",
    "I": "iodine",
    "In": "indium",
    "Ir": "iridium",
    "K": "potassium",
    "La": "lanthanum",
    "Li": "lithium",
    "Lu": "lutetium",
    "Mg": "magnesium",
    "Mn": "manganese",
    "Mo": "molybdenum",
    "Na": "sodium",
    "Nb": "niobium",
    "Nd": "neodymium",
    "Ni": "nickel",
    "Os": "osmium",
    "P": "phosphorus",
    "Pb": "lead",
    "Pd": "palladium",
    "Pr": "praseodymium",
    "Pt": "platinum",
    "Rb": "rubidium",
    "Re": "rhenium",
    "Rh": "rhodium",
    "Ru": "ruthenium",
    "S": "sulphur",
    "Sb": "antimony",
    "Sc": "scandium",
    "Se": "selenium",
    "Si": "silicon",
    "Sm": "samarium",
    "Sn": "tin",
    "Sr": "strontium",
    "Ta": "tantalum",
    "Tb": "terbium",
    "Te": "tellurium",
    "Th": "thorium",
    "Ti": "titanium",
    "Tl": "thallium",
    "Tm": "thulium",
    "U": "uranium",
    "V": "vanadium",
    "W": "tungsten",
    "Y": "yttrium",
    "Yb": "ytterbium",
    "Zn": "zinc",
    "Zr": "zirconium",
}
OXIDES = [
    "SiO2",
    "TiO2",
    "Al2O3",
    "Fe2O3",
    "Fe2O3T",
    "FeO",
    "FeOT",
    "MnO",
    "MgO",
    "CaO",
    "Na2O",
    "K2O",
    "P2O5",
    "Cr2O3",
    "V2O5",
    "BaO",
    "SrO",
    "SO3",
    "LOI",
    "U3O8",
]
_OTHER_WORDS = {
    "silica": "SiO2",
    "alumina": "Al2O3",
    "magnesia": "MgO",
    "potash": "K2O",
    "sulfur": "S",
    "aluminum": "Al",
    "cesium": "Cs",
    "wolfram": "W",
}
_BY_WORD = {name: symbol for symbol, name in NAMES.items()} | _OTHER_WORDS
# Symbols that no one writes for anything else, whatever the case of the letters.
_ANY_CASE = frozenset(
    [
        "ag",
        "au",
        "bi",
        "cd",
        "cr",
        "cu",
        "fe",
        "hg",
        "li",
        "mn",
        "nb",
        "ni",
        "pb",
        "rb",
        "sb",
        "sn",
        "sr",
        "te",
        "th",
        "ti",
        "tl",
        "zn",
        "zr",
    ]
)
# Symbols that are words of English too: taken only in the company of list words and marks.
_WORDS_TOO = frozenset({"As", "Be", "I", "In", "Re"})

_TOKEN = re.compile(r"(?<![\w.])[A-Za-z][A-Za-z0-9]*(?![\w])")
_AFTER_WORD = re.compile(
    r"\s*(?:$|[,;.?!:()/&+<>=~-]|(?:and|or|against|vs|versus|with|to|by|into|in|above|below|over|"
    r"under|is|are|from|for|as|coloured|colored|per|higher|lower|greater|less|where|map|on|that|"
    r"than|vary|varies|differs?|values?|samples?|content|ppm|ppb|correlates?|mean|median|anomalous)\b)"
)
_BEFORE_WORD = re.compile(
    r"(?:[,/&+(-]|\b(?:and|or|against|vs|versus|with|by|of|in|for|map|plot|is|correlate|log|both|"
    r"median|mean|high|highest|elevated|anomalous|top))\s*$",
    re.IGNORECASE,
)
_AT_START = re.compile(
    r"\s*(?:[,/&+<>=≥≤]|(?:and|against|vs|above|below|over|under|exceeds?|greater|less|more)\b)"
)
# Words that follow "lead" where it is a verb.
_VERB_LEAD = re.compile(r"\s+(?:to|us|me|into|the way)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Mention:
    """An element or oxide in a question: symbol and the place of its word."""

    symbol: str
    start: int
    end: int


def mentions(text: str) -> list[Mention]:
    """Return the elements and oxides that `text` names, in order, each once."""
    seen: dict[str, Mention] = {}
    for mention in _all(text):
        seen.setdefault(mention.symbol, mention)
    return list(seen.values())


def spoken(symbol: str) -> str:
    """Return a symbol with its name, for a sentence: ``arsenic (As)``."""
    return f"{NAMES[symbol]} ({symbol})" if symbol in NAMES else symbol


def _all(text: str) -> Iterator[Mention]:
    oxides = {name.casefold(): name for name in OXIDES}
    for hit in _TOKEN.finditer(text):
        word = hit[0]
        symbol = oxides.get(word.casefold()) or _element(word, text, hit)
        if symbol:
            yield Mention(symbol, hit.start(), hit.end())


def _element(word: str, text: str, hit: re.Match[str]) -> str | None:
    """Return the symbol that a word stands for, or None."""
    before, after = text[: hit.start()], text[hit.end() :]
    named = _BY_WORD.get(word.casefold())
    if named:
        return None if word.casefold() == "lead" and _VERB_LEAD.match(after) else named
    if word.casefold() in _ANY_CASE:
        return word.capitalize()
    if word not in NAMES:
        return None
    if word in _WORDS_TOO or len(word) == 1:
        alone = not _BEFORE_WORD.search(before) and not _AFTER_WORD.match(after)
        opens = not before.strip() or before.rstrip().endswith((".", "?", "!"))
        # At the start of a sentence a list mark must follow; elsewhere one side is enough.
        if opens and word in _WORDS_TOO:
            return word if _AT_START.match(after) else None
        return None if alone else word
    return word


def misspelt(text: str) -> str:
    """Return a hint where a word is nearly the name of an element, or an empty string."""
    for word in re.findall(r"[A-Za-z]{4,}", text):
        near = difflib.get_close_matches(word.casefold(), _BY_WORD, n=1, cutoff=_ALIKE)
        if near and near[0] != word.casefold():
            return f"; is '{word}' {near[0]}?"
    return ""


_ALIKE = 0.8

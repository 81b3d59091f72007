"""How rows of quality control are called: by the type of sample, or by their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.formats.quoting import text

KINDS = ("standard", "blank", "duplicate")
# Words of a column of sample types, in any case; the whole cell must be one of them.
_TYPES = {
    "standard": r"STD|STDS|STAND|STANDARD|CRM|SRM|REFERENCE( MATERIAL)?|CERTIFIED REFERENCE.*|"
    r"STD[ _-]?[A-Z0-9]{1,8}|LAB STANDARD|FIELD STANDARD|COMPANY STANDARD",
    "blank": r"BLK|BLANK|BLANKS|BLNK|(FIELD|LAB|PULP|COARSE|PREP|REAGENT)[ _-]?BLANK|BL",
    "duplicate": r"DUP|DUPL|DUPE|DUPLICATE|[FLPCR]DUP|(FIELD|LAB|PULP|COARSE|PREP|CORE|CRUSH)"
    r"[ _-]?(DUP|DUPLICATE|REPEAT|SPLIT)|DUPLICATE.*|REPEAT|RPT|REPLICATE|REP|CHECK|UMPIRE.*",
}
# Numbers of control samples: the word at one end, apart from the rest by a sign or a digit.
_NUMBERS = {
    "standard": r"(STD|STANDARD|CRM|SRM|OREAS|GBM|AMIS)([ _./-]?[0-9].*|[ _./-].*)?|"
    r".*[ _./-](STD|STANDARD|CRM)[0-9]*",
    "blank": r"(BLK|BLANK|BLNK)([ _./-]?[0-9].*|[ _./-].*)?|.*[ _./-](BLK|BLANK|BLNK)[0-9]*",
    "duplicate": r"(DUP|DUPLICATE)([ _./-]?[0-9].*|[ _./-].*)?|"
    r".*[ _./-](DUP|DUPL|DUPLICATE|RPT|REPEAT)[0-9]*",
}


@dataclass(frozen=True)
class Control:
    """Rows that are standards, blanks or duplicates, and how they are known.

    Attributes
    ----------
    column : str
        Column that tells.
    how : str
        ``type`` for a column of sample types, ``id`` for sample numbers.
    counts : mapping of str to int
        Rows by kind.
    """

    column: str
    how: str
    counts: Mapping[str, int]

    @property
    def rows(self) -> int:
        """Rows in all."""
        return sum(self.counts.values())

    @property
    def ground(self) -> str:
        """What they are known by, in words."""
        return "type of sample" if self.how == "type" else "look of the sample number"

    @property
    def words(self) -> str:
        """The rows in words: ``3 rows of quality control (2 standards, 1 blank)``."""
        there = [(kind, self.counts[kind]) for kind in KINDS if kind in self.counts]
        kinds = [f"{n:,} {kind}{'s' if n > 1 else ''}" for kind, n in there]
        rows = f"{self.rows:,} row{'s' if self.rows > 1 else ''} of quality control"
        return f"{rows} ({', '.join(kinds)})"


def patterns(how: str) -> dict[str, str]:
    """Return the expressions that tell a kind: of sample types, or of sample numbers."""
    chosen = _TYPES if how == "type" else _NUMBERS
    return {kind: _whole(words) for kind, words in chosen.items()}


def _whole(words: str) -> str:
    return f"(?i)^(?:{words})$"


def is_control(cell: str, how: str) -> str:
    """Return SQL that tells whether a cell of a snapshot names a row of quality control.

    Such cells have no blanks around them, and one expression takes a third of the time of three.
    """
    chosen = _TYPES if how == "type" else _NUMBERS
    return f"regexp_matches({cell}, {text(_whole('|'.join(chosen.values())))})"

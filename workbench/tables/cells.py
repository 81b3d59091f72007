"""What the text of a cell means: a number, a censored value, a reason for a gap, or none of these.

The grammar is written once, as SQL expressions, and applied by the engine to whole columns; no cell
is looked at in Python. Every cell falls into exactly one class.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from workbench.formats.quoting import text


class CellClass(IntEnum):
    """The classes of cells in a number column."""

    BLANK = 0
    PLAIN = 1
    BELOW = 2
    ABOVE = 3
    BARE = 4
    CODED = 5
    REJECTED = 6


# Flags in snapshots, views and result files.
BELOW, ABOVE, BARE, BLANK, REJECTED = "<", ">", "bdl", "blank", "rejected"

# Reported as below detection without saying the limit. A dash is read so only in a column of
# laboratory results; elsewhere it is a gap.
BARE_CODES = (
    "BDL", "B.D.L.", "B.D.", "BLD", "ND", "N.D.", "N.D", "<LOD", "<DL", "<LOR", "<LLD", "<MDL",
    "<LOQ", "<BDL", "LLD", "LOD", "TR", "TR.", "TRACE", "<", "NOT DETECTED", "BELOW DETECTION",
    "BELOW DETECTION LIMIT", "< LOD", "< DL", "< LOR", "X",
)  # fmt: skip
_CROSS = "x"
DASHES = ("-", "--", "---", "–", "—")

# Codes for a gap, as they are told. NA is "not analysed" in a result column, never sodium: sodium
# stands in headers.
MISSING_CODES = (
    "LNR", "NSS", "I/S", "IS", "NS", "INS", "NA", "N/A", "n.a.", "n/r", "NR", "N.R.", "N.S.S.",
    "Dup", "Pend", "Pending", "PND", "Missing", "Lost", "Void", "Null", "None", "NaN", "#N/A",
    "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!", "Not analysed", "Not analyzed",
    "#ERROR!", "#GETTING_DATA", "#SPILL!", "#CALC!", "Err:502", "Err:503", "Err:504", "Err:508",
    "Err:509", "Err:511", "Err:512", "Err:519", "Err:520", "Err:522", "Err:523",
    "Not received", "Not sampled", "No sample", "Insufficient sample", "Listed not received",
    "*", "**", "***", "?", "..", "...", "(null)", "formula not computed",
)  # fmt: skip
_CANONICAL = {code.upper(): code for code in (*MISSING_CODES, *DASHES)}

# Thousands signs are believed only where a decimal sign, or a second one, leaves no other reading.
_GROUPED = {
    ".": r"[+-]?\d{1,3}((,\d{3}){2,}|(,\d{3})+\.\d+)",
    ",": r"[+-]?\d{1,3}((\.\d{3}){2,}|(\.\d{3})+,\d+)",
}
# The signs between groups where a column is known to have them; blanks and apostrophes vary.
_THOUSANDS = {",": ",", ".": r"\.", " ": "[ \u00a0\u202f]", "'": "['\u2019]"}
_BELOW_SIGNS, _ABOVE_SIGNS = ("<", "≤", "&lt;"), (">", "≥", "&gt;")
_SIGN = r"^(<=?|≤|&lt;|>=?|≥|&gt;)\s*"


@dataclass(frozen=True)
class Grammar:
    """How the cells of one column are read.

    Attributes
    ----------
    decimal : str
        ``.`` or ``,``.
    results : bool
        True for laboratory results, where a dash means below detection.
    sentinels : tuple of float
        Numbers that stand for a gap.
    codes : tuple of str
        Further texts that stand for a gap.
    negatives_below : bool
        True to read a negative number as below its amount.
    zeros_below : bool
        True to read a zero as below a limit that is not stated.
    bare_limit : float or None
        Limit of values that are reported as below detection without one.
    thousands : str
        The sign between groups of three digits, where a column is known to have one: a comma, a
        point, a blank (of any width) or an apostrophe. Empty to believe in groups only where no
        other reading is left.
    suffix : str
        A unit that is written behind the numbers of the column.
    marks, marks_below : tuple of str
        Signs behind numbers of the column, and those of them that make the number a limit.
    below : tuple of str
        Further texts that stand for a value below detection.
    words : bool
        False where all cells are numbers, censored or not: the tests for words, which take the
        planner longest, are left out.
    cast : bool
        True where it is known that the engine's own cast reads every cell: nothing guards it.
    """

    decimal: str = "."
    results: bool = False
    sentinels: tuple[float, ...] = ()
    codes: tuple[str, ...] = ()
    negatives_below: bool = False
    zeros_below: bool = False
    bare_limit: float | None = None
    thousands: str = ""
    suffix: str = ""
    marks: tuple[str, ...] = ()
    marks_below: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    words: bool = True
    cast: bool = False

    @property
    def plain(self) -> bool:
        """True if numbers are written as everywhere in the file."""
        return not (self.thousands or self.suffix or self.marks)

    def number(self, cell: str) -> str:
        """Return SQL for the number a cell spells, NULL if it spells none.

        The engine's own cast decides, guarded against what it takes beyond plain numbers: words
        for infinity, digits joined by underscores, a sign after a sign. Digits and signs sort
        before the colon, letters behind it: comparing is cheaper than a cast that fails.
        """
        if self.cast and self.plain:
            # Not bare: the engine would have its CSV reader cast, and stop where that fails.
            return f"CASE WHEN {cell} < ':' THEN TRY_CAST({cell} AS DOUBLE) END"
        if self.suffix or self.marks:
            ends = _either([self.suffix] if self.suffix else self.marks)
            behind, kept = text(rf"([0-9.,])\s*{ends}$"), text(r"\1")
            cell = f"regexp_replace({cell}, {behind}, {kept})"
        other = "," if self.decimal == "." else "."
        plain = f"replace({cell}, ',', '.')" if self.decimal == "," else cell
        grouped, sign = text(_GROUPED[self.decimal]), text(other)
        has, joined = f"contains({cell}, {sign})", f"replace({cell}, {sign}, '')"
        if self.thousands:
            point, sign = re.escape(self.decimal), _THOUSANDS[self.thousands]
            grouped = text(rf"[+-]?[1-9]\d{{0,2}}({sign}\d{{3}})+({point}\d+)?")
            has = f"regexp_matches({cell}, {text(sign)})"
            joined = f"regexp_replace({cell}, {text(sign)}, '', 'g')"
        return (
            f"CASE WHEN {cell} >= ':' THEN NULL WHEN {has} THEN "
            f"CASE WHEN regexp_full_match({cell}, {grouped}) "
            f"THEN TRY_CAST(replace({joined}, ',', '.') AS DOUBLE) END "
            f"WHEN contains({cell}, '_') OR starts_with({cell}, '+-') THEN NULL "
            f"ELSE TRY_CAST({plain} AS DOUBLE) END"
        )

    def limit(self, cell: str) -> str:
        """Return SQL for the limit of a censored cell, NULL if it is not censored."""
        bare = f"regexp_replace({cell}, {text(_SIGN)}, '')"
        return f"(CASE WHEN {starts_as_censored(cell)} THEN {self.number(bare)} END)"

    def codes_by_text(self) -> dict[str, str]:
        """Return the texts, in capitals, that stand for a gap, and how each is told."""
        own = {code.upper(): code for code in self.codes}
        if self.results:
            return {key: name for key, name in _CANONICAL.items() if key not in DASHES} | own
        return _CANONICAL | {code: code for code in BARE_CODES if code[0] != "<"} | own

    def reason(self, cell: str) -> str:
        """Return SQL for the reason code of a cell, NULL if it is none."""
        names = self.codes_by_text()
        # Two constant lists: a CASE of as many branches takes the planner longer than the data.
        keys, told = (
            f"[{', '.join(map(text, items))}]" for items in (names.keys(), names.values())
        )
        return f"{told}[list_position({keys}, upper({cell}))]"

    def cell_class(self, cell: str, number: str, limit: str) -> str:
        """Return SQL for the class of a cell, given its number and its limit."""
        below = _starts(cell, *_BELOW_SIGNS)
        return (
            f"CASE WHEN {cell} IS NULL THEN {CellClass.BLANK:d} "
            f"{self._numbers(cell, number)}"
            f"WHEN {limit} >= 0 THEN CASE WHEN {below} THEN {CellClass.BELOW:d} "
            f"ELSE {CellClass.ABOVE:d} END "
            f"{self._words(cell)}ELSE {CellClass.REJECTED:d} END"
        )

    def _words(self, cell: str) -> str:
        """Return SQL cases for words."""
        if not self.words:
            return ""
        bare = [code for code in BARE_CODES if self.results or code[0] == "<"]
        bare += DASHES if self.results else ()
        own = {code.upper() for code in self.codes}
        bare = [code for code in bare if code not in own]  # what a person set comes first
        bare += self.below
        told = {code.upper() for code in (*self.codes, *self.below)}
        # A small cross may as well mark what was seen or not done: no guess is made of it.
        cross = (
            ""
            if _CROSS.upper() in told
            else f"WHEN {cell} = '{_CROSS}' THEN {CellClass.REJECTED:d} "
        )
        return cross + (
            f"WHEN {_one_of(cell, bare)} THEN {CellClass.BARE:d} "
            f"WHEN {_one_of(cell, self.codes_by_text())} THEN {CellClass.CODED:d} "
        )

    def _numbers(self, cell: str, number: str) -> str:
        """Return SQL cases for numbers: sentinels, negatives that mean a limit, plain ones."""
        cases = ""
        if self.sentinels:
            same = " OR ".join(f"{number} = {value!r}::DOUBLE" for value in self.sentinels)
            cases += f"WHEN {same} THEN {CellClass.CODED:d} "
        if self.negatives_below:
            cases += f"WHEN {number} < 0 THEN {CellClass.BELOW:d} "
        if self.marks_below:
            behind = f"regexp_matches({cell}, {text(_either(self.marks_below) + '$')})"
            cases += f"WHEN {number} >= 0 AND {behind} THEN {CellClass.BELOW:d} "
        if self.zeros_below:
            cases += f"WHEN {number} = 0 THEN {CellClass.BARE:d} "
        return cases + f"WHEN {number} IS NOT NULL THEN {CellClass.PLAIN:d} "

    def flag(self, cell: str, number: str, kind: str) -> str:
        """Return SQL for the flag of a cell: NULL for a plain number."""
        sentinels = " ".join(
            f"WHEN {value!r}::DOUBLE THEN {text(sentinel_name(value))}" for value in self.sentinels
        )
        coded = self.reason(cell) if self.words else "NULL"
        if sentinels:
            coded = f"coalesce(CASE {number} {sentinels} END, {coded})"
        flags = {
            CellClass.BLANK: text(BLANK),
            CellClass.BELOW: text(BELOW),
            CellClass.ABOVE: text(ABOVE),
            CellClass.BARE: text(BARE),
            CellClass.CODED: coded,
            CellClass.REJECTED: text(REJECTED),
        }
        cases = " ".join(f"WHEN {key:d} THEN {value}" for key, value in flags.items())
        return f"CASE {kind} {cases} END"


def finite(number: str) -> str:
    """Return SQL for a number that is neither infinite nor a word for no number."""
    return f"CASE WHEN isfinite({number}) THEN {number} END"


def _either(words: Iterable[str]) -> str:
    """Return a pattern for one of some texts."""
    return f"(?:{'|'.join(map(re.escape, words))})"


def _one_of(cell: str, words: Iterable[str]) -> str:
    """Return SQL that tells whether a cell is one of some words, in any case."""
    return f"regexp_full_match({cell}, {text('(?i)' + _either(words))})"


def starts_as_censored(cell: str) -> str:
    """Return SQL that tells whether a cell may start with a sign of censoring.

    Ranges of texts are the cheapest test there is; what is let in too has no number behind it.
    """
    ranges = ("<", "?"), ("≤", "≦"), ("&gt;", "&lt<")
    return (
        "("
        + " OR ".join(f"({cell} >= '{low}' AND {cell} < '{high}')" for low, high in ranges)
        + ")"
    )


def _starts(cell: str, *signs: str) -> str:
    """Return SQL that tells whether a cell starts with one of some signs.

    An IN list would read better; the engine's rewriting of it costs a second for each hundred.
    """
    return "(" + " OR ".join(f"starts_with({cell}, {text(sign)})" for sign in signs) + ")"


def sentinel_name(value: float) -> str:
    """Name a number that stands for a gap: ``sentinel -9999``."""
    return f"sentinel {value:.12g}"

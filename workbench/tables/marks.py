"""Signs that laboratories write behind a number: ``5 U``, ``2 J``, ``7.2*``.

U and its like say that nothing was found at the number given, which is then a limit; the others say
something of a number that stays one. Each is a proposal, told with its count, and a person's
setting comes first. Letters are no signs of a name or a place: ``12E`` may be a line of a grid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.formats.format import RawTable
from workbench.formats.quoting import text
from workbench.formats.reading import Reading
from workbench.tables.cells import CellClass, Grammar
from workbench.tables.headers import read_header
from workbench.tables.overrides import Override
from workbench.tables.profile_record import Profile
from workbench.tables.table import MEASURED
from workbench.tables.weighted import Cells

# Not detected at the number given: qualifiers of the U.S. EPA's data validation, and plain words.
BELOW_MARKS = ("U", "UJ", "ND", "nd", "N.D.", "n.d.", "BDL")
# The number stays one. R is not among them: it calls a result unusable.
PLAIN_MARKS = (
    "J", "J+", "J-", "NJ", "JN", "E", "e", "B", "D", "H", "N", "r",
    "*", "**", "***", "#", "†", "‡", "?", "est", "est.", "(est)", "(est.)", "(e)", "(J)", "(r)",
)  # fmt: skip
# Those that no name of a place or part ends in: they are believed where no content is named, and
# a few letters more where the numbers are no whole ones.
_SIGNS = ("*", "**", "***", "#", "†", "‡", "est", "est.", "(est)", "(est.)")
_PLAIN_LETTERS, _BELOW_LETTERS = ("J",), ("U", "UJ")
_MARK = r"^[<>≤≥]?=?\s*[-+]?(?:\d[\d.,]*|[.,]\d+)\s*([^\d\s.,][^\d]{0,9})$"
_NONE = "none"
# Distinct texts behind numbers that are looked at in one column.
_LOOKED_AT = 50


@dataclass(frozen=True)
class Marks:
    """What stands behind the numbers of one column, and how often.

    Attributes
    ----------
    below, plain : mapping of str to int
        Signs that make the number a limit; signs that leave it a number.
    """

    below: Mapping[str, int]
    plain: Mapping[str, int]

    def on(self, grammar: Grammar) -> Grammar:
        """Return how the cells of the column are read."""
        marks = (*self.below, *self.plain)
        return replace(grammar, marks=marks, marks_below=tuple(self.below))

    @property
    def note(self) -> str:
        """What was decided, on what ground, and how to overrule it."""
        said = [
            f"{_told(self.below)} behind a number means not detected, and the number is the limit"
        ] * bool(self.below) + [
            f"{_told(self.plain)} behind a number is a laboratory's remark, and the number is kept"
        ] * bool(self.plain)
        return f"{'; '.join(said)} (set COLUMN.below or COLUMN.marks, to none for neither)"


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"'{sign}' ({times:,})" for sign, times in counts.items())


def find_marks(
    reading: Reading,
    raw: RawTable,
    profiles: Sequence[Profile],
    overrides: Mapping[int, Override],
) -> dict[int, Marks]:
    """Find the columns that have such signs behind their numbers.

    Parameters
    ----------
    reading, raw
        The loading connection and the raw table.
    profiles : sequence of Profile
        Its columns; only those with cells that were not understood are looked at.
    overrides : mapping of int to Override
        What a person set: `below` and `marks` are taken in the place of a guess.
    """
    found: dict[int, Marks] = {}
    for at, one in enumerate(profiles):
        set_one = overrides.get(at, Override())
        free = raw.headers[at].stated is None and bool(one.count(CellClass.REJECTED))
        below, plain = _known(raw, at, one, set_one)
        # Letters alone: the first text in order begins with no digit or sign.
        if not free or not (below or plain) or "?" <= (one.first or "") < "≤":
            continue
        counts = _behind(reading, raw.relation, at)
        marks = Marks(_met(counts, below), _met(counts, plain))
        if marks.below or marks.plain:
            found[at] = marks
    return found


def _known(
    raw: RawTable, at: int, one: Profile, override: Override
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the signs that may stand in a column: those for below, and the others."""
    named = read_header(raw.headers[at].name)
    role = override.role or ("element" if override.element else named.role)
    unit = override.unit or named.unit or raw.headers[at].unit
    below: Sequence[str] = ()
    plain: Sequence[str] = ()
    if role in MEASURED or (not role and unit):
        below, plain = BELOW_MARKS, PLAIN_MARKS
    elif not role and 2 * one.numbers >= one.filled:
        plain = _SIGNS
        if not all(end is None or end.is_integer() for end in (one.low, one.high)):
            below, plain = _BELOW_LETTERS, (*_SIGNS, *_PLAIN_LETTERS)
    below = _set(override.below) if override.below else below
    plain = _set(override.marks) if override.marks else plain
    return below, [sign for sign in plain if sign not in below]


def _set(words: Sequence[str]) -> Sequence[str]:
    return [word for word in words if word and word.casefold() != _NONE]


def _met(counts: Mapping[str, int], signs: Sequence[str]) -> dict[str, int]:
    return {sign: counts[sign] for sign in signs if counts.get(sign)}


def _behind(reading: Reading, relation: str, at: int) -> dict[str, int]:
    """Count the texts that stand behind numbers in one column."""
    cell, part = Cells(reading, relation), reading.part(relation, [at])
    rows = reading.con.execute(
        f"SELECT regexp_extract(c{at}, {text(_MARK)}, 1) AS s, {cell.every} FROM {part} "  # noqa: S608 - our own names
        f"GROUP BY s HAVING s <> '' ORDER BY 2 DESC, s LIMIT {_LOOKED_AT}"
    ).fetchall()
    return dict(rows)

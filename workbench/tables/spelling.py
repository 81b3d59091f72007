"""How the numbers of one column are written where they differ from the file's custom.

``1,250`` is read by the company it keeps: the other cells of the column first, then the file. Where
both readings stay possible the cells are left as texts, and it is said why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workbench.formats.format import HeaderCell, RawTable
from workbench.formats.quoting import text
from workbench.formats.reading import Reading
from workbench.tables.cells import CellClass, Grammar
from workbench.tables.headers import Named, read_header
from workbench.tables.marks import find_marks
from workbench.tables.overrides import Override
from workbench.tables.profile import reprofile
from workbench.tables.profile_record import Profile
from workbench.tables.units import alike, unit_named
from workbench.tables.weighted import Cells, raw_groups

if TYPE_CHECKING:
    from workbench.tables.decide import Decision

# Share of the filled cells of a column that must look like numbers in some spelling.
_LIKE_NUMBERS = 0.5
_SIGN = r"^[<>≤≥]?=?\s*[-+]?"
_SUFFIX = r"^[<>≤≥]?=?\s*[-+]?\d[\d.,]*\s*([a-zA-Zµ°][a-zA-Z/%µ°.]{0,7}|%)$"

# What a cell looks like; each is counted over the column.
_SHAPES = {
    "commas": r"[1-9]\d{0,2},\d{3}",
    "points": r"[1-9]\d{0,2}\.\d{3}",
    "comma_groups": r"[1-9]\d{0,2}(,\d{3})+\.\d+|[1-9]\d{0,2}(,\d{3}){2,}",
    "point_groups": r"[1-9]\d{0,2}(\.\d{3})+,\d+|[1-9]\d{0,2}(\.\d{3}){2,}",
    "comma_decimals": r"\d*,\d{1,2}|\d*,\d{4,}|0+,\d+|\d{4,},\d+",
    "point_decimals": r"\d*\.\d{1,2}|\d*\.\d{4,}|0+\.\d+|\d{4,}\.\d+",
    "small": r"\d{1,3}",
    "large": r"\d{4,}",
    # The ordinary blank, the hard one, the narrow one.
    "blanks": r"[1-9]\d{0,2}([ \x{00a0}\x{202f}]\d{3})+([.,]\d+)?",
    "grouped_commas": r"[1-9]\d{0,2}([ '\x{00a0}\x{202f}\x{2019}]\d{3})+,\d+",
    "apostrophes": r"[1-9]\d{0,2}(['\x{2019}]\d{3})+([.,]\d+)?",
}


@dataclass(frozen=True)
class Spelling:
    """How one column is read, and on what ground.

    Attributes
    ----------
    grammar : Grammar
        As it is read.
    unit : str or None
        Unit that stands behind the numbers.
    note : str
        What was decided, and why.
    """

    grammar: Grammar
    unit: str | None = None
    note: str = ""


def spellings(
    reading: Reading,
    raw: RawTable,
    profiles: list[Profile],
    base: Grammar,
    overrides: Mapping[int, Override],
) -> list[Spelling]:
    """Decide how the numbers of every column are written, and count those anew that differ.

    Parameters
    ----------
    reading, raw
        The loading connection and the raw table. What the file itself states of a column is not
        guessed again; a semicolon as delimiter speaks for decimal commas.
    profiles : list of Profile
        Its columns, counted by the file's custom; columns of another spelling are counted anew.
    base : Grammar
        The file's custom.
    overrides : mapping of int to Override
        What a person set about the signs behind numbers.

    Returns
    -------
    list of Spelling
        One a column; the file's custom where nothing speaks against it.
    """
    odd = [
        at
        for at, one in enumerate(profiles)
        if one.count(CellClass.REJECTED) and raw.headers[at].stated is None
    ]
    shapes = _counted(reading, raw.relation, _like_numbers(reading, raw.relation, odd, profiles))
    found = {
        at: one
        for at, one in _suffixes(reading, raw.relation, list(shapes), profiles, base).items()
        if alike([_unit(raw.headers[at]) or one.unit, one.unit])
    }
    for at, seen in shapes.items():
        spelling = None if at in found else _decided(seen, base, raw.layout.delimiter)
        if spelling is not None:
            found[at] = spelling
    if base.decimal == "." and any(one.grammar.decimal == "," for one in found.values()):
        found |= _points_as_groups(reading, raw.relation, profiles, found, base)
    for at, marks in find_marks(reading, raw, profiles, overrides).items():
        how = found.get(at, Spelling(base))
        if not how.grammar.suffix:
            note = "; ".join(filter(None, [how.note, marks.note]))
            found[at] = replace(how, grammar=marks.on(how.grammar), note=note)
    own = {at: one.grammar for at, one in found.items()}
    for at, counted in reprofile(reading, raw.relation, own).items():
        profiles[at] = counted
    return [found.get(at, Spelling(base)) for at in range(len(profiles))]


def units_behind(
    named: Sequence[Named], numeric: Sequence[bool], spelt: Sequence[Spelling]
) -> list[Named]:
    """Give number columns the unit that stands behind their numbers."""
    return [
        replace(one, unit=one.unit or how.unit) if number else one
        for one, number, how in zip(named, numeric, spelt, strict=True)
    ]


def with_grounds(decided: Sequence[Decision], spelt: Sequence[Spelling]) -> list[Decision]:
    """Say of every column in another spelling how it was read, and why."""
    found = []
    for one in decided:
        how = spelt[one.place]
        read = one.kind == "number" or (one.kind == "text" and how.grammar.plain)
        said = how.note if read and one.role not in {"id", "hole"} else ""
        found.append(replace(one, note="; ".join(filter(None, [one.note, said]))))
    return found


def _unit(cell: HeaderCell) -> str | None:
    return (unit_named(cell.unit) if cell.unit else None) or read_header(cell.name).unit


def _like_numbers(
    reading: Reading, relation: str, places: Sequence[int], profiles: Sequence[Profile]
) -> list[int]:
    """Return the columns that begin with digits in enough of their cells."""
    found = []
    cell = Cells(reading, relation)
    # Behind all digits and signs, no cell begins with one.
    open_ones = [at for at in places if not "?" <= (profiles[at].first or "") <= _end(profiles[at])]
    for group in raw_groups(reading, relation, open_ones):
        begins = text(_SIGN + "[.,]?[0-9]")
        parts = ", ".join(cell.where(f"regexp_matches(c{at}, {begins})") for at in group)
        row = reading.one(f"SELECT {parts} FROM {reading.part(relation, group)}")  # noqa: S608 - our own names
        found += [
            at for at, n in zip(group, row, strict=True) if n > _LIKE_NUMBERS * profiles[at].filled
        ]
    return found


def _end(one: Profile) -> str:
    """Return the last text of a column in order, if it stands before all signs of a limit."""
    return one.last if one.last is not None and one.last < "≤" else ""


def _counted(
    reading: Reading, relation: str, places: Sequence[int]
) -> dict[int, Mapping[str, int]]:
    """Count the shapes of the cells of some columns."""
    found: dict[int, Mapping[str, int]] = {}
    cell = Cells(reading, relation)
    for group in raw_groups(reading, relation, places):
        parts = ", ".join(
            cell.where(f"regexp_matches(c{at}, {text(f'{_SIGN}({shape})$')})")
            for at in group
            for shape in _SHAPES.values()
        )
        row = reading.one(f"SELECT {parts} FROM {reading.part(relation, group)}")  # noqa: S608
        size = len(_SHAPES)
        for place, at in enumerate(group):
            counts = row[place * size : (place + 1) * size]
            found[at] = dict(zip(_SHAPES, counts, strict=True))
    return found


def _decided(seen: Mapping[str, int], base: Grammar, delimiter: str | None) -> Spelling | None:
    """Decide how a column is read by the shapes of its cells; None to leave it as it is."""
    comma = seen["comma_decimals"] + seen["point_groups"]
    point = seen["point_decimals"] + seen["comma_groups"]
    for told, sign in (("blanks", " "), ("apostrophes", "'")):
        if seen[told]:
            commas = comma + seen["grouped_commas"]
            decimal = "," if commas > point or base.decimal == "," else "."
            grammar = replace(base, decimal=decimal, thousands=sign)
            return Spelling(grammar, note=f"digits are grouped by {told}")
    if comma and point:
        return None
    if comma and (base.decimal != "," or seen["points"]):
        ground = "cells such as 0,5 or 1.250,5 are in the column"
        return Spelling(_commas(base), note=f"read with decimal commas: {ground}")
    if point and (base.decimal != "." or seen["commas"]):
        ground = "cells such as 0.5 or 1,250.5 are in the column"
        return Spelling(_points(base), note=f"read with decimal points: {ground}")
    return _ambiguous(seen, base, delimiter)


def _commas(base: Grammar) -> Grammar:
    return replace(base, decimal=",", thousands=".")


def _points(base: Grammar) -> Grammar:
    return replace(base, decimal=".", thousands=",")


def _ambiguous(seen: Mapping[str, int], base: Grammar, delimiter: str | None) -> Spelling | None:
    """Decide where every sign has three digits behind it."""
    if base.decimal == "," and seen["points"] and not seen["commas"]:
        note = "1.250 is read as 1250: the file has decimal commas"
        return Spelling(_commas(base), note=note)
    if base.decimal != "." or not seen["commas"] or seen["points"]:
        return None
    if delimiter == ";":
        note = "1,250 is read as 1.25: semicolons part the cells, so commas are decimal"
        return Spelling(replace(base, decimal=","), note=note)
    if delimiter == "," or (seen["small"] and not seen["large"]):
        ground = (
            "commas part the cells, so those inside one group digits"
            if delimiter == ","
            else "no number of four digits stands without a comma"
        )
        return Spelling(_points(base), note=f"1,250 is read as 1250: {ground}")
    return Spelling(base, note="1,250 may be 1.25 or 1250; kept as text")


def _points_as_groups(
    reading: Reading,
    relation: str,
    profiles: Sequence[Profile],
    found: Mapping[int, Spelling],
    base: Grammar,
) -> dict[int, Spelling]:
    """Read 1.250 as 1250 in columns of a file whose other columns have decimal commas."""
    others = [at for at, one in enumerate(profiles) if at not in found and one.numbers]
    note = "1.250 is read as 1250: other columns have decimal commas"
    return {
        at: Spelling(_commas(base), note=note)
        for at, seen in _counted(reading, relation, others).items()
        if seen["points"] and not seen["point_decimals"] and not seen["comma_groups"]
    }


def _suffixes(
    reading: Reading,
    relation: str,
    places: Sequence[int],
    profiles: Sequence[Profile],
    base: Grammar,
) -> dict[int, Spelling]:
    """Find the columns that have one and the same unit behind their numbers."""
    found = {}
    cell = Cells(reading, relation)
    for at in places:
        part = reading.part(relation, [at])
        commas, points = (cell.where(f"contains(c{at}, '{sign}')") for sign in ",.")
        rows = reading.con.execute(
            f"SELECT regexp_extract(c{at}, {text(_SUFFIX)}, 1) AS s, {cell.every}, "  # noqa: S608
            f"{commas}, {points} FROM {part} GROUP BY s HAVING s <> '' ORDER BY 2 DESC LIMIT 3"
        ).fetchall()
        if len(rows) != 1:
            continue
        suffix, times, commas, points = rows[0]
        unit = unit_named(suffix)
        sure = unit is not None and not (len(suffix) == 1 and suffix.isupper())
        # One cell alone proves no custom.
        if sure and times > 1 and times >= profiles[at].count(CellClass.REJECTED) / 2:
            decimal = "," if commas and not points else base.decimal
            note = f"'{suffix}' behind {times:,} numbers is read as the unit"
            found[at] = Spelling(replace(base, suffix=suffix, decimal=decimal), unit, note)
    return found

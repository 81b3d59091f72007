"""Raw text into typed columns: the SELECT that a snapshot is written from.

A number column with censored or coded cells gets two companions, ``NAME__flag`` and
``NAME__limit``; the column itself then holds plain numbers only. A result file that carries such
companions gets its censoring back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.formats.quoting import quote, text
from workbench.tables.attached import NOTHING
from workbench.tables.cells import ABOVE, BARE, BELOW, BLANK, REJECTED, CellClass
from workbench.tables.dates import as_moment
from workbench.tables.decide import Decision
from workbench.tables.names import unique_names
from workbench.tables.profile import layered
from workbench.tables.table import FLAG, LIMIT

_FLAGGING = (
    CellClass.BELOW,
    CellClass.ABOVE,
    CellClass.BARE,
    CellClass.CODED,
    CellClass.REJECTED,
)
_FLAG_CLASSES = {
    BELOW: CellClass.BELOW,
    ABOVE: CellClass.ABOVE,
    BARE: CellClass.BARE,
    BLANK: CellClass.BLANK,
    REJECTED: CellClass.REJECTED,
}


@dataclass(frozen=True)
class Typed:
    """One column as it goes into the snapshot.

    Attributes
    ----------
    name : str
        Its name there.
    header : str
        As the file gives it.
    decision : Decision
        What it is.
    flag_at, limit_at : int or None
        Columns of the raw table that carry its censoring, if the file has them.
    """

    name: str
    header: str
    decision: Decision
    flag_at: int | None = None
    limit_at: int | None = None

    @property
    def coded(self) -> bool:
        """True if its companions are kept in the snapshot."""
        numeric = self.decision.kind == "number" or bool(self.decision.grammar.sentinels)
        some = self.decision.profile.count(*_FLAGGING) or self.decision.grammar.sentinels
        how = self.decision.grammar
        beside = self.decision.beside != NOTHING
        other = how.negatives_below or how.zeros_below or beside or self.flag_at is not None
        return numeric and (bool(some) or other)


def column_names(headers: Sequence[str]) -> list[str]:
    """Return the names of the raw columns: trimmed, unique, line breaks as blanks."""
    return unique_names([" ".join(header.split()) for header in headers])


def companions(names: Sequence[str]) -> dict[int, tuple[int, int | None]]:
    """Find the columns that carry the censoring of another.

    Returns
    -------
    dict of int to tuple
        For each column that has them: its flag column and its limit column.
    """
    places = {name: place for place, name in enumerate(names)}
    return {
        place: (places[name + FLAG], places.get(name + LIMIT))
        for name, place in places.items()
        if name + FLAG in places
    }


def join_companions(
    names: Sequence[str], headers: Sequence[str], decisions: Sequence[Decision]
) -> list[Typed]:
    """Give each column the companions the file has for it, and leave those out as columns."""
    carried = {
        place: pair
        for place, pair in companions(names).items()
        if decisions[place].kind in {"number", "empty"}
    }
    used = {at for pair in carried.values() for at in pair if at is not None}
    return [
        Typed(names[at], headers[at], decisions[at], *carried.get(at, (None, None)))
        for at in range(len(names))
        if at not in used
    ]


def names_of(one: Typed) -> list[str]:
    """Return the names of a column and its companions in the snapshot."""
    return [one.name, one.name + FLAG, one.name + LIMIT] if one.coded else [one.name]


def select_typed(relation: str, columns: Sequence[Typed]) -> str:
    """Return the SELECT of a snapshot."""
    numbers = {
        one.decision.place: one.decision.grammar
        for one in columns
        if one.decision.kind == "number" or one.coded
    }
    raw = ", ".join(f"c{at}" for at in sorted(_needed(columns)))
    source = layered(relation, numbers, extra=raw)
    return f"SELECT {', '.join(map(_expressions, columns))} FROM {source}"  # noqa: S608 - quoted


def places_of(columns: Sequence[Typed]) -> set[int]:
    """Return the raw columns that some columns are made of."""
    return _needed(columns) | {one.decision.place for one in columns}


def _needed(columns: Sequence[Typed]) -> set[int]:
    """Return the raw columns that are used as they stand."""
    plain = {one.decision.place for one in columns if one.decision.kind != "number"}
    told = [(one.decision.beside.sign_at, one.decision.beside.limit_at) for one in columns]
    pairs = [*told, *((one.flag_at, one.limit_at) for one in columns)]
    carried = {at for pair in pairs for at in pair if at is not None}
    return plain | carried


def _expressions(one: Typed) -> str:
    at, name = one.decision.place, quote(one.name)
    cell = f"c{at}"
    if not one.coded:
        value = {
            "number": f"v{at}",
            "date": as_moment(cell, one.decision.date) if one.decision.date else cell,
            "boolean": f"TRY_CAST({cell} AS BOOLEAN)",
        }.get(one.decision.kind, cell)
        return f"{value} AS {name}"
    own, limit, value = _censored(one.decision)
    if one.flag_at is not None:
        given = f"c{one.flag_at}"
        own = f"coalesce({given}, {own})"
        value = f"CASE WHEN {given} IS NULL THEN {value} END"
        if one.limit_at is not None:
            told = one.decision.grammar.number(f"c{one.limit_at}")
            limit = (
                f"CASE WHEN {given} IN ({text(BELOW)}, {text(ABOVE)}) THEN {told} ELSE {limit} END"
            )
    return (
        f"{value} AS {name}, {own} AS {quote(one.name + FLAG)}, "
        f"CAST({limit} AS DOUBLE) AS {quote(one.name + LIMIT)}"
    )


def _censored(one: Decision) -> tuple[str, str, str]:
    """Return SQL for flag, limit and value of a column, with what stands beside it."""
    at, how, beside = one.place, one.grammar, one.beside
    kind = f"k{at}"
    own = how.flag(f"t{at}", f"v{at}", kind)
    limit = (
        f"CASE WHEN {kind} IN ({CellClass.BELOW:d}, {CellClass.ABOVE:d}) "
        f"THEN coalesce(l{at}, abs(v{at})) END"
    )
    value = f"CASE WHEN {kind} = {CellClass.PLAIN:d} THEN v{at} END"
    known = "NULL" if how.bare_limit is None else f"{how.bare_limit!r}::DOUBLE"
    if beside.limit_at is not None:
        known = f"coalesce({how.number(f'c{beside.limit_at}')}, {known})"
    if known != "NULL":
        known = f"(CASE WHEN {known} > 0 THEN {known} END)"
        bare = f"{kind} = {CellClass.BARE:d} AND {known} IS NOT NULL"
        own = f"CASE WHEN {bare} THEN {text(BELOW)} ELSE {own} END"
        limit = f"CASE WHEN {bare} THEN {known} ELSE {limit} END"
    if beside.sign_at is None:
        return own, limit, value
    sign = f"({beside.sign()})"
    number = f"(CASE WHEN {kind} = {CellClass.PLAIN:d} AND v{at} > 0 THEN v{at} END)"
    gap = f"{kind} IN ({CellClass.BLANK:d}, {CellClass.BARE:d})"
    flag = (
        f"CASE WHEN {sign} IS NULL THEN {own} WHEN {number} IS NOT NULL THEN {sign} "
        f"WHEN {sign} = '<' AND ({gap} OR v{at} = 0) THEN "
        f"CASE WHEN {known} IS NULL THEN {text(BARE)} ELSE {text(BELOW)} END ELSE {own} END"
    )
    told = f"CASE WHEN {sign} IS NULL THEN {limit} WHEN {number} IS NOT NULL THEN {number} "
    told += f"WHEN {sign} = '<' AND ({gap} OR v{at} = 0) THEN {known} ELSE {limit} END"
    return flag, told, f"CASE WHEN {sign} IS NULL THEN {value} END"

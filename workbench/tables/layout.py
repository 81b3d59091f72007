"""What makes two tables of one layout: the same columns of the same units, in whatever order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from workbench.formats.format import HeaderCell, RawTable
from workbench.tables.units import unit_named

_NAMED = 3


@dataclass(frozen=True)
class Key:
    """Columns without regard to case and order, and the decimal sign their numbers have.

    Attributes
    ----------
    columns : frozenset of tuple
        Name and unit of each; the unit is empty where it stands in the name or nowhere.
    decimal : str
        Decimal sign.
    names : dict of str to str
        The names as the file writes them, for what is said of them.
    """

    columns: frozenset[tuple[str, str]]
    decimal: str
    names: Mapping[str, str] = field(default_factory=dict, compare=False)


def key_of(raw: RawTable, names: Sequence[str]) -> Key:
    """Return the layout of a raw table.

    Parameters
    ----------
    raw : RawTable
        The table.
    names : sequence of str
        Its column names, unique.
    """
    pairs = zip(names, raw.headers, strict=True)
    columns = frozenset((name.casefold(), _unit(cell)) for name, cell in pairs)
    shown = {name.casefold(): name for name in names}
    return Key(columns, raw.layout.decimal or ".", shown)


def _unit(cell: HeaderCell) -> str:
    told = cell.unit or (cell.stated.unit if cell.stated else None) or ""
    return unit_named(told) or told.strip().casefold()


def difference(one: Key, wanted: Key) -> str:
    """Say in what a layout differs from the one that is read."""
    have, need = dict(one.columns), dict(wanted.columns)
    units = [
        f"{one.names[name]} in {have[name] or 'no unit'}"
        for name in need.keys() & have.keys()
        if have[name] != need[name]
    ]
    parts = [
        ("lacks", sorted(wanted.names[name] for name in need.keys() - have.keys())),
        ("has besides", sorted(one.names[name] for name in have.keys() - need.keys())),
        ("has", sorted(units)),
    ]
    told = [f"{word} {_listed(names)}" for word, names in parts if names]
    if one.decimal != wanted.decimal:
        told.append(f"writes decimals with '{one.decimal}'")
    return "; ".join(told) or "has other columns"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def joined(one: HeaderCell, other: HeaderCell) -> HeaderCell:
    """Return the header of a column of two files: a number for a gap in one is a gap in both."""
    if one.stated is None or other.stated is None or one.stated.gaps == other.stated.gaps:
        return one
    gaps = tuple(dict.fromkeys((*one.stated.gaps, *other.stated.gaps)))
    return replace(one, stated=replace(one.stated, gaps=gaps))

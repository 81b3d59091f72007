"""What a person set about the columns of a file, ``COLUMN.key=value``: checked before use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from workbench.errors import Refused, nearest
from workbench.tables.table import Kind, Role
from workbench.tables.units import UNITS, unit_named

KEYS = ("role", "kind", "unit", "element", "missing", "negatives")
_NEGATIVES = ("below", "keep")


@dataclass(frozen=True)
class Override:
    """What was set about one column.

    Attributes
    ----------
    role, kind, unit, element : str or None
        Taken as they are; None where nothing was set.
    missing : tuple of str
        Texts or numbers that stand for a gap.
    negatives : str or None
        ``below`` to read negative numbers as below their amount.
    """

    role: str | None = None
    kind: str | None = None
    unit: str | None = None
    element: str | None = None
    missing: tuple[str, ...] = field(default_factory=tuple)
    negatives: str | None = None


def read_overrides(given: Mapping[str, object], names: Sequence[str]) -> dict[int, Override]:
    """Turn ``{"Au_ppm.unit": "ppb"}`` into what was set about each column.

    Parameters
    ----------
    given : mapping of str to object
        ``COLUMN.key`` and value; several gaps are separated by commas.
    names : sequence of str
        Columns of the table. A name that is in no table of the file is refused by the caller.

    Raises
    ------
    Refused
        If a key or value is not known.
    """
    found: dict[int, dict[str, object]] = {}
    by_fold = {name.casefold(): place for place, name in enumerate(names)}
    for path, value in given.items():
        column, _, key = path.rpartition(".")
        if key not in KEYS:
            raise Refused(f"'{path[:80]}': a setting is COLUMN.key with one of {', '.join(KEYS)}")
        place = by_fold.get(column.strip().casefold())
        if place is not None:
            found.setdefault(place, {})[key] = _checked(path, key, str(value))
    return {place: Override(**values) for place, values in found.items()}  # type: ignore[arg-type]


def unknown_columns(given: Mapping[str, object], names: Sequence[str]) -> None:
    """Refuse settings about columns that no table of the file has.

    Raises
    ------
    Refused
        Naming the nearest column.
    """
    known = {name.casefold() for name in names}
    for path in given:
        column, _, key = path.rpartition(".")
        if key not in KEYS or not column:
            raise Refused(f"'{path[:80]}': a setting is COLUMN.key with one of {', '.join(KEYS)}")
        if column.strip().casefold() not in known:
            raise Refused(f"'{path[:80]}': no column '{column[:60]}'{nearest(column, names)}")


def _checked(path: str, key: str, value: str) -> object:
    known: Sequence[str] = {
        "role": get_args(Role),
        "kind": get_args(Kind),
        "negatives": _NEGATIVES,
    }.get(key, ())
    if known and value not in known:
        raise Refused(f"'{path[:80]}={value[:40]}': one of {', '.join(known)}")
    if key == "unit":
        unit = unit_named(value)
        if unit is None:
            raise Refused(f"'{path[:80]}={value[:40]}': no known unit{nearest(value, UNITS)}")
        return unit
    return tuple(part.strip() for part in value.split(",")) if key == "missing" else value

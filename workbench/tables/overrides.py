"""What a person set about the columns of a file, ``FILE:COLUMN.key=value``: checked before use.

Keys and values are checked where they are given, files by the session, columns once the file is
read. One form is carried everywhere: file → ``COLUMN.key`` → value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import get_args

from workbench.errors import Refused, nearest
from workbench.tables.table import Kind, Role
from workbench.tables.units import UNITS, unit_named

# What can be set, and what it overrules: the README's list is made from this.
KEYS: dict[str, str] = {
    "role": "what the column is for, such as id, hole, easting, element, group or text",
    "kind": "how its cells are held: number, text, date, boolean or empty",
    "unit": "the unit of its numbers, such as ppm, ppb, pct or g/t",
    "element": "the element or oxide it holds",
    "missing": "texts and numbers that stand for a gap, separated by commas",
    "below": "texts, alone or behind a number, that mean below detection, such as x or U; or none",
    "marks": "signs behind numbers that stay numbers, such as J or *, separated by commas; or none",
    "negatives": "below: a negative number is a limit with a minus; keep: it is a number",
    "zeros": "below: a zero is below a limit nobody states; keep: it is a number",
    "limit": "the limit of values reported as below detection without one, in the column's unit",
    "sheet": "read: a hidden sheet of a workbook, in the place of the column, is read too",
    "control": "keep: rows that this column marks as standards, blanks or duplicates are samples",
}
_BELOW = ("below", "keep")
_SHEET = "sheet"
_LISTS = frozenset({"missing", "below", "marks"})


# The first colon ends the file, the first `.word=` after it the column.
_WRITTEN = re.compile(r"(?P<file>[^:]+):(?P<column>.+?)\.(?P<key>\w+)=(?P<value>.*)", re.DOTALL)

Settings = Mapping[str, Mapping[str, object]]


def read_settings(
    given: Iterable[str] | Mapping[str, Mapping[str, object]] | None,
) -> dict[str, dict[str, object]]:
    """Bring settings into one form, their keys and values checked.

    Parameters
    ----------
    given : iterable of str, or mapping
        ``"soils.csv:Au.unit=ppb"`` and the like; or ``{"soils.csv": {"Au": {"unit": "ppb"}}}``,
        also with ``"Au.unit"`` in one.

    Returns
    -------
    dict
        ``{"soils.csv": {"Au.unit": "ppb"}}``.

    Raises
    ------
    Refused
        If a setting is not of this form, or its key or value is not known; the nearest is named.
    """
    found: dict[str, dict[str, object]] = {}
    for file, path, value in _parts(given):
        column, _, key = path.rpartition(".")
        if not column.strip() or not file.strip():
            raise _form(f"{file}:{path}={value}")
        _check_key(f"{file}:{path}", key)
        _checked(f"{file}:{path}", key, str(value))
        name = str(PurePosixPath(file.strip().replace("\\", "/")))
        found.setdefault(name, {})[f"{column.strip()}.{key}"] = value
    return found


def _parts(given: Iterable[str] | Settings | None) -> Iterable[tuple[str, str, object]]:
    """Yield file, ``COLUMN.key`` and value."""
    if isinstance(given, str):
        given = [given]
    if isinstance(given, Mapping):
        for file, columns in given.items():
            if not isinstance(columns, Mapping):
                raise _form(f"{file}:{columns}")
            for path, value in columns.items():
                if isinstance(value, Mapping):
                    yield from ((file, f"{path}.{key}", one) for key, one in value.items())
                else:
                    yield file, path, value
        return
    for word in given or ():
        hit = _WRITTEN.fullmatch(str(word))
        if hit is None:
            raise _form(str(word))
        yield hit["file"], f"{hit['column']}.{hit['key']}", hit["value"]


def _form(word: str) -> Refused:
    return Refused(
        f"set '{word[:80]}': write it as FILE:COLUMN.KEY=VALUE, for example soils.csv:Au.unit=ppb"
    )


def _check_key(path: str, key: str) -> None:
    if key not in KEYS:
        raise Refused(
            f"'{path[:80]}': a setting is COLUMN.key with one of {', '.join(KEYS)}"
            f"{nearest(key, KEYS)}"
        )


@dataclass(frozen=True)
class Override:
    """What was set about one column.

    Attributes
    ----------
    role, kind, unit, element : str or None
        Taken as they are; None where nothing was set.
    missing : tuple of str
        Texts or numbers that stand for a gap.
    below : tuple of str
        Texts that mean below detection, alone or behind the number that is the limit.
    marks : tuple of str
        Signs behind numbers that stay numbers.
    negatives : str or None
        ``below`` to read negative numbers as below their amount.
    zeros : str or None
        ``below`` to read zeros as below detection, ``keep`` to keep them.
    limit : float or None
        Of values below detection without one.
    control : str or None
        ``keep`` to take no row for one of quality control.
    """

    role: str | None = None
    kind: str | None = None
    unit: str | None = None
    element: str | None = None
    missing: tuple[str, ...] = field(default_factory=tuple)
    below: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    negatives: str | None = None
    zeros: str | None = None
    limit: float | None = None
    control: str | None = None


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
        _check_key(path, key)
        if key == _SHEET:
            continue
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
        _check_key(path, key)
        if key != _SHEET and column.strip().casefold() not in known:
            raise Refused(f"'{path[:80]}': no column '{column[:60]}'{nearest(column, names)}")


def sheets_asked(given: Mapping[str, object]) -> frozenset[str]:
    """Return the names of hidden sheets that are to be read, without their case."""
    parts = (path.rpartition(".") for path in given)
    return frozenset(name.strip().casefold() for name, _, key in parts if key == _SHEET)


def _limit(path: str, value: str) -> float:
    try:
        limit = float(value)
    except ValueError:
        limit = -1.0
    if not 0 < limit < float("inf"):
        raise Refused(f"'{path[:80]}={value[:40]}': a limit is a number above 0")
    return limit


def _checked(path: str, key: str, value: str) -> object:
    known: Sequence[str] = {
        "role": get_args(Role),
        "kind": get_args(Kind),
        "negatives": _BELOW,
        "zeros": _BELOW,
        "control": ("keep",),
        _SHEET: ("read",),
    }.get(key, ())
    if known and value not in known:
        raise Refused(
            f"'{path[:80]}={value[:40]}': one of {', '.join(known)}{nearest(value, known)}"
        )
    if key == "unit":
        unit = unit_named(value)
        if unit is None:
            raise Refused(f"'{path[:80]}={value[:40]}': no known unit{nearest(value, UNITS)}")
        return unit
    if key == "limit":
        return _limit(path, value)
    return tuple(part.strip() for part in value.split(",")) if key in _LISTS else value

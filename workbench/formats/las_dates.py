"""Dates whose order of day and month a LAS 3 header states: ``{DD/MM/YYYY}``.

03/04/2024 is two days, and the tables would keep it as text; where the header says which and every
cell agrees, the column is written year-month-day. Cells that do not agree leave it as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.formats.las_header import Curve
from workbench.formats.quoting import text
from workbench.formats.reading import Reading

_TOKEN = re.compile(r"[A-Za-z]+|[^A-Za-z]+")
_DAY = {"D": "%d", "M": "%m", "Y": "%Y"}
_CLOCK = {"H": "%H", "M": "%M", "S": "%S"}


def pattern_of(form: str) -> str | None:
    """Return how the engine reads a form; None if it is none of a date.

    Examples
    --------
    >>> pattern_of("MM/dd/yyyy HH:mm:ss"), pattern_of("DD-MM-YY"), pattern_of("F10.4")
    ('%m/%d/%Y %H:%M:%S', '%d-%m-%y', None)
    """
    day, _, clock = form.strip().replace("T", " ").partition(" ")
    parts = [_spelt(day, _DAY)]
    parts += [_spelt(clock.strip(), _CLOCK)] if clock.strip() else []
    if None in parts or not all(f"%{sign}" in str(parts[0]) for sign in "dm"):
        return None
    return " ".join(map(str, parts))


def _spelt(form: str, signs: dict[str, str]) -> str | None:
    """Translate one half of a form sign by sign."""
    found = []
    for token in _TOKEN.findall(form):
        kinds = set(token.upper())
        if not token.isalpha():
            found.append(token)
        elif len(kinds) == 1 and (sign := signs.get(token[0].upper())):
            found.append(sign.lower() if token.upper() == "YY" else sign)
        else:
            return None
    return "".join(found) or None


def with_dates(
    into: Reading, relation: str, curves: Sequence[Curve], size: int
) -> tuple[str, list[str]]:
    """Write dates of a stated form as year-month-day.

    Parameters
    ----------
    into, relation
        The raw table.
    curves : sequence of Curve
        Its columns.
    size : int
        Bytes of the text.

    Returns
    -------
    tuple of str and list of str
        The raw table, and notes.
    """
    changes, notes = [], []
    for at, curve in enumerate(curves):
        pattern = pattern_of(curve.form) if curve.form else None
        if pattern is None or into.is_wide(relation):
            continue
        moment = f"try_strptime(c{at}, {text(pattern)})"
        filled, read = into.one(f"SELECT count(c{at}), count({moment}) FROM {relation}")  # noqa: S608
        if filled != read:
            notes.append(f"{curve.mnemonic}: {filled - read} cells are not written {curve.form}")
        elif filled:
            written = "%Y-%m-%d %H:%M:%S" if "%H" in pattern else "%Y-%m-%d"
            changes.append(f"strftime({moment}, '{written}') AS c{at}")
            notes.append(f"{curve.mnemonic}: read as {curve.form}, as the header says")
    if not changes:
        return relation, notes
    query = f"SELECT * REPLACE ({', '.join(changes)}) FROM {relation}"  # noqa: S608 - our own names
    return into.keep(query, size), notes

"""Columns that say something about the values of another: a sign (``Au_q`` = ``<``), a limit.

A column is taken for one only if its name is that of a measured column with an ending that says
so, and if every one of its cells fits; otherwise it stays a column like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from workbench.formats.quoting import text
from workbench.formats.reading import Reading
from workbench.tables.headers import Named
from workbench.tables.profile_record import Profile
from workbench.tables.table import FLAG, LIMIT, MEASURED

BELOW_WORDS = ("<", "<=", "≤", "LT", "U", "UJ", "ND", "N.D.", "BDL", "BD", "<DL", "<LOD", "BELOW")
ABOVE_WORDS = (">", ">=", "≥", "GT", "ABOVE", "OVER")
# J is a laboratory's "estimated": a number all the same.
_PLAIN_WORDS = ("=", "EQ", "OK", "J")
# In a column that is named for being below, a truth says it.
_TRUE, _FALSE = ("1", "TRUE", "T", "Y", "YES"), ("0", "FALSE", "F", "N", "NO")
_MOST_WORDS = 12

_SIGN = re.compile(
    r"^(?P<base>.+?)[_ .-]+(?P<what>q|qual|qualifier|flag|flg|sign|lt|gt|prefix|bdl|bd|nd|rmk|"
    r"remark|cens|censored|nondetect)$",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"^(?P<base>.+?)[_ .-]+(?:dl|mdl|ldl|lod|loq|lor|rl|lld|limit|detlim|det[_ .]?lim(?:it)?|"
    r"detection[_ .]?limit|lower[_ .]?limit|reporting[_ .]?limit)$",
    re.IGNORECASE,
)
_TRUTHS = frozenset({"bdl", "bd", "nd", "cens", "censored", "nondetect"})


@dataclass(frozen=True)
class Attached:
    """What stands beside a measured column.

    Attributes
    ----------
    sign_at, limit_at : int or None
        Columns of the raw table.
    truths : bool
        True if the sign is written as a truth: below or not.
    """

    sign_at: int | None = None
    limit_at: int | None = None
    truths: bool = False

    def sign(self) -> str:
        """Return SQL for the sign of a cell: ``<``, ``>`` or NULL."""
        if self.sign_at is None:
            return "NULL"
        cell = f"upper(c{self.sign_at})"
        if self.truths:
            return f"CASE WHEN {cell} IN ({_listed(_TRUE)}) THEN '<' END"
        return (
            f"CASE WHEN {cell} IN ({_listed(BELOW_WORDS)}) THEN '<' "
            f"WHEN {cell} IN ({_listed(ABOVE_WORDS)}) THEN '>' END"
        )


NOTHING = Attached()


def _listed(words: Iterable[str]) -> str:
    return ", ".join(map(text, words))


def attach(
    reading: Reading,
    relation: str,
    headers: Sequence[str],
    named: Sequence[Named],
    profiles: Sequence[Profile],
    numeric: Sequence[bool],
) -> dict[int, Attached]:
    """Find what stands beside each measured column.

    Returns
    -------
    dict of int to Attached
        By the place of the measured column.
    """
    known = _names(headers, named, numeric)
    signs: dict[int, tuple[int, bool]] = {}
    limits: dict[int, int] = {}
    for at, header in enumerate(headers):
        name = header.strip()
        if name.endswith((FLAG, LIMIT)) or not profiles[at].filled:
            continue
        if (hit := _LIMIT.match(name)) and numeric[at]:
            place = known.get(_plain(hit["base"]))
            if place is not None:
                limits[place] = at
        elif hit := _SIGN.match(name):
            place = known.get(_plain(hit["base"]))
            truths = hit["what"].casefold() in _TRUTHS
            if place is None:
                continue
            if _only(reading, relation, at, (*BELOW_WORDS, *ABOVE_WORDS, *_PLAIN_WORDS)):
                signs[place] = (at, False)
            elif truths and _only(reading, relation, at, (*_TRUE, *_FALSE)):
                signs[place] = (at, True)
    found = {}
    for place in signs.keys() | limits.keys():
        sign, truths = signs.get(place, (None, False))
        found[place] = Attached(sign, limits.get(place), truths)
    return found


def _names(
    headers: Sequence[str], named: Sequence[Named], numeric: Sequence[bool]
) -> Mapping[str, int]:
    """Return the measured columns by every name that another may call them by."""
    found: dict[str, int] = {}
    doubtful: set[str] = set()
    for at, (header, one) in enumerate(zip(headers, named, strict=True)):
        if one.role not in MEASURED or not numeric[at]:
            continue
        if _LIMIT.match(header.strip()) or _SIGN.match(header.strip()):
            continue
        for name in {_plain(header), _plain(one.element or header)}:
            doubtful |= {name} & found.keys()
            found[name] = at
    # "Au_q" beside two columns of gold says nothing.
    return {name: at for name, at in found.items() if name not in doubtful}


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9%#/]+", "", name.casefold())


def _only(reading: Reading, relation: str, at: int, words: Iterable[str]) -> bool:
    """Tell whether a column holds nothing but some words."""
    part = reading.part(relation, [at])
    row = reading.one(
        f"SELECT list(DISTINCT upper(c{at}))[1:{_MOST_WORDS}] FROM {part} "  # noqa: S608 - our own names
        f"WHERE c{at} IS NOT NULL"
    )
    found = set(row[0] or ())
    return bool(found) and len(found) < _MOST_WORDS and found <= set(words)

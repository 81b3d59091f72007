"""A wide table in few words: one line for the columns of one role and unit.

Names that end alike are written once: ``{Ag,As}_ppm`` stands for ``Ag_ppm`` and ``As_ppm``. What
decides whether a column can be used comes with each group: the share of real values (all, if it
is not said), what is below which limits, and the numbers that stand for gaps.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from workbench.accounting import facts
from workbench.tables.statistics import rounded

if TYPE_CHECKING:
    from workbench.tables.table import Column

# Names are given up to this: a column whose name is not known cannot be asked for.
_GROUP_CHARS = 1_200
_REASONS = 3
# Names that share an ending, from which on writing it once is shorter.
_ALIKE = 3
_PLAIN = re.compile(r"[\w.+%#/-]+")
_SHORT = re.compile(r"\{([^{}]*)\}([^{}]*)")


def grouped(columns: Sequence[Column], rows: int) -> dict[str, Any]:
    """Describe columns by groups of one role and unit.

    Parameters
    ----------
    columns : sequence of Column
        In the order of the file.
    rows : int
        Rows of the table.
    """
    kinds: dict[str, list[Column]] = {}
    for column in columns:
        kinds.setdefault(f"group {column.role} {column.unit or ''}".strip(), []).append(column)
    return {key: _group(members, rows) for key, members in kinds.items()}


def _group(members: Sequence[Column], rows: int) -> dict[str, Any]:
    values: dict[str, Any] = {"columns": len(members)} if len(members) > 1 else {}
    values |= _names(members)
    if members[0].role == "empty":
        return values
    real = {column.name: (column.count + column.censored) / max(rows, 1) for column in members}
    least = min(real, key=lambda name: real[name])
    if real[least] < 1:
        values["real"] = rounded(sum(real.values()) / len(real), 3)
    if len(real) > 1 and real[least] < 1:
        # Cut, not rounded: a column with a gap never looks full.
        values["least"] = f"{facts.name(least)} {int(100 * real[least]) / 100:g}"
    for key in ("below", "above", "rejected"):
        total = sum(getattr(column, key) for column in members)
        values |= {key: total} if total else {}
    limits = [limit for column in members for limit in column.limits]
    if limits:
        values["limits"] = sorted({rounded(min(limits), 3), rounded(max(limits), 3)})
    return values | _gaps(members)


def _gaps(members: Sequence[Column]) -> dict[str, Any]:
    """Return why values are missing: the commonest reasons, and the sum."""
    reasons: Counter[str] = Counter()
    for column in members:
        reasons.update(column.missing)
    if not reasons.total():
        return {}
    told = {
        facts.name(word.removeprefix("sentinel ")): count
        for word, count in reasons.most_common(_REASONS)
        if count
    }
    rest = reasons.total() - sum(told.values())
    return {"missing": told | ({"other": rest} if rest else {})}


def _names(members: Sequence[Column]) -> dict[str, Any]:
    names = [facts.name(column.name) for column in members]
    ends = accumulate(len(name) for name in names)
    given = [name for name, end in zip(names, ends, strict=True) if end <= _GROUP_CHARS]
    left = len(names) - len(given)
    short, rest = in_short(given)
    values: dict[str, Any] = {"in_short": short} if short else {}
    values |= {"names": rest} if rest else {}
    return values | ({"not_named": left} if left else {})


def in_short(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Write names that end alike once.

    Returns
    -------
    tuple of list of str
        ``{Ag,As}_ppm`` and the like, and the names that stand alone, as they are.

    Examples
    --------
    >>> in_short(["Ag_ppm", "As_ppm", "Au_ppm", "SampleID"])
    (['{Ag,As,Au}_ppm'], ['SampleID'])
    """
    endings: dict[str, list[str]] = {}
    for name in names:
        endings.setdefault(_ending(name), []).append(name)
    many = {end: same for end, same in endings.items() if end and len(same) >= _ALIKE}
    short = [
        f"{{{','.join(name.removesuffix(end) for name in same)}}}{end}"
        for end, same in many.items()
    ]
    kept = set(itertools.chain.from_iterable(many.values()))
    return short, [name for name in names if name not in kept]


def _ending(name: str) -> str:
    """Return the last part of a name with the sign before it; empty for a name of one part."""
    if not _PLAIN.fullmatch(name):
        return ""
    start, sign, end = name.rpartition("_")
    return sign + end if start else ""


def spelt_out(short: Iterable[str]) -> list[str]:
    """Return the names that were written in short."""
    found = []
    for text in short:
        hit = _SHORT.fullmatch(text)
        if hit:
            found += [start + hit[2] for start in hit[1].split(",")]
    return found

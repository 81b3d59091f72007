"""Cells that pack many values: joined texts, lists, structures. A row counts as what it packs.

Twenty rows of twelve ids each are 240 records, whatever the query that joined them was called; so
a preview shows as many values of them as it may show rows, and cuts the rest with a marker.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.visible import cell

_TOKEN = re.compile(r"[^\s,;|¦/{}\[\]()<>\"'=:~^#]+")
# A moment is one value, however many numbers it is written with.
_CLOCK = re.compile(
    r"(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?:[+-]\d\d:?\d\d|Z)?"
)
_NUMBER = re.compile(r"[<>]?[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?%?")
_ID = re.compile(r"[^\W\d_]{0,12}[-_.]?\d[\w.-]*")
# Ids that were joined by nothing: the same letters, each time with another number.
_GLUED = re.compile(r"([^\W\d_]+[-_]?)\d+")
_HASH = re.compile(r"[0-9a-fA-F-]{32}|[0-9a-fA-F-]{36}|[0-9a-fA-F]{40}|[0-9a-fA-F]{64}")
# A sentence holds some numbers; a list of values holds little else.
_FEW, _MOSTLY = 4, 0.6
# So many short words in a row, with nothing but one sign between them, are values as well.
_WORDS = 8
_WORD_LIST = re.compile(r"\s*[\w.-]{1,24}(?:\s*[,;|¦/]\s*[\w.-]{1,24})+\s*")


@dataclass(frozen=True)
class Packed:
    """Rows of which each counts as what it packs.

    Attributes
    ----------
    rows : tuple of tuple
        Those that fit; of the last one, perhaps the first values of each cell.
    shown, total : int
        Values shown, and values that came.
    """

    rows: tuple[tuple[object, ...], ...]
    shown: int
    total: int


def values_in(value: object) -> int:
    """Return how many values a cell packs; 1 for a plain number, name or sentence."""
    if isinstance(value, dict | list | tuple):
        inner = list(value.values()) if isinstance(value, dict) else value
        return max(sum(map(values_in, inner)), 1)
    if not isinstance(value, str):
        return 1
    if value[:1] in {"{", "["}:
        with contextlib.suppress(ValueError, RecursionError):
            return values_in(json.loads(value))
    tokens = _TOKEN.findall(_CLOCK.sub("time", value))
    told = sum(bool(_NUMBER.fullmatch(one) or _ID.fullmatch(one)) for one in tokens)
    if told >= _FEW and told >= _MOSTLY * len(tokens):
        return told
    if len(tokens) >= _WORDS and _WORD_LIST.fullmatch(value):
        return len(tokens)
    return _glued(value) or 1


def _glued(value: str) -> int:
    """Return how many ids are joined by nothing; 0 where that is no list of them."""
    if _HASH.fullmatch(value):
        return 0
    found = Counter(_GLUED.findall(value)).most_common(1)
    return found[0][1] if found and found[0][1] >= _FEW and " " not in value.strip() else 0


def within(rows: Sequence[Sequence[object]], allowed: int) -> Packed | None:
    """Return the rows whose values may be shown; None where no cell packs any.

    Parameters
    ----------
    rows : sequence of sequence
        Cells as JSON values.
    allowed : int
        Values that may be shown.
    """
    weights = [max(map(values_in, row), default=1) for row in rows]
    if max(weights, default=1) == 1:
        return None
    kept: list[tuple[object, ...]] = []
    shown = 0
    for row, weight in zip(rows, weights, strict=True):
        room = min(weight, allowed - shown)
        if room <= 0:
            break
        kept.append(tuple(row) if room == weight else tuple(_first(one, room) for one in row))
        shown += room
    return Packed(tuple(kept), shown, sum(weights))


def _first(value: object, number: int) -> object:
    """Return the first values of a cell and how many characters follow."""
    if values_in(value) <= number:
        return value
    whole = cell(value)
    ends = [found.end() for found in (_GLUED if _glued(whole) else _TOKEN).finditer(whole)]
    end = ends[min(number, len(ends)) - 1] if ends else 0
    return f"{whole[:end]}…[+{len(whole) - end:,}]"

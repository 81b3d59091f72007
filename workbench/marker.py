"""The one way to say that something was left out.

Long form: ``[... truncated: 236 of 241 lines left out (11,904 characters) | full: d01a2
results/…/x.csv | next: query_data(path="x.csv", operation="describe") ...]``; short form for a
cell: ``…[+6,231]``. Nothing is ever cut without one, and it counts inside the limit that cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_LONG = re.compile(
    r"\[\.\.\. truncated: (?P<least>at least )?(?P<left>[\d,]+) of (?:at least )?"
    r"(?P<total>[\d,]+) (?P<unit>[a-z ]+?) left out"
    r"(?: \((?P<chars>[\d,]+) characters\))?"
    r" \| full: (?P<full>.*?) \| next: (?P<next>.*?) \.\.\.\]"
)
_SHORT = re.compile(r"…\[\+(?P<left>[\d,]+)\]")


@dataclass(frozen=True)
class Marker:
    """What was left out, where the whole is, and how to get it.

    Attributes
    ----------
    left, total : int
        Units left out, and units there are.
    unit : str
        ``lines``, ``rows``, ``columns``, ``characters``, ``entries`` or ``hits``.
    full : str
        Where the whole is: an artefact id with its path, or a file name.
    next : str
        The call that gets at it, of a tool that the reader has.
    chars : int or None
        Characters left out, where they are known and are not the unit.
    least : bool
        True if there may be more units than were counted.
    """

    left: int
    total: int
    unit: str
    full: str
    next: str
    chars: int | None = None
    least: bool = False

    def __str__(self) -> str:
        chars = f" ({self.chars:,} characters)" if self.chars is not None else ""
        least = "at least " if self.least else ""
        return (
            f"[... truncated: {least}{self.left:,} of {least}{self.total:,} {self.unit}"
            f" left out{chars}"
            f" | full: {self.full} | next: {self.next} ...]"
        )


def parse(text: str) -> list[Marker]:
    """Return every long marker in `text`, in order."""
    found = []
    for hit in _LONG.finditer(text):
        chars = hit["chars"]
        found.append(
            Marker(
                _int(hit["left"]),
                _int(hit["total"]),
                hit["unit"],
                hit["full"],
                hit["next"],
                None if chars is None else _int(chars),
                bool(hit["least"]),
            )
        )
    return found


def short_marks(text: str) -> list[int]:
    """Return the counts of every short marker in `text`, in order."""
    return [_int(hit["left"]) for hit in _SHORT.finditer(text)]


def _int(text: str) -> int:
    return int(text.replace(",", ""))


def short(text: str, limit: int) -> str:
    """Cut one cell or name to `limit` characters, short marker included."""
    if len(text) <= limit:
        return text
    keep = limit
    while keep > 0 and keep + len(_tail(len(text) - keep)) > limit:
        keep -= 1
    return text[:keep] + _tail(len(text) - keep)


def _tail(left: int) -> str:
    return f"…[+{left:,}]"


def head_and_tail(text: str, limit: int, marker: Callable[[int], str]) -> str:
    """Cut `text` to `limit` characters, keeping head and tail round a marker.

    Parameters
    ----------
    text : str
        The whole.
    limit : int
        Characters allowed, marker included.
    marker : callable
        Gets the characters left out, returns the marker's text.

    Returns
    -------
    str
        `text` itself where it fits.
    """
    if len(text) <= limit:
        return text
    room = max(limit - len(marker(len(text))) - 2, 0)
    head, tail = room - room // 3, room // 3
    left = len(text) - head - tail
    return f"{text[:head]}\n{marker(left)}\n{text[len(text) - tail :]}"[: max(limit, 0)]

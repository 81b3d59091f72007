"""What a model saw of a result, and what stayed on disk: the two sides of every cut.

Where a result never entered a request, that is what is said; see `workbench.runs.story` for how the
seen side is found.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from workbench import marker, tokens
from workbench.artefacts import Artefact

# How the gate heads a preview: what it is, and how many rows of how many are shown.
_TITLE = re.compile(r"^.* \((?P<shown>[\d,]+) of (?P<total>[\d,]+) rows\)$")
SEPARATOR = " | "
_SIGNS = (",", "\t", ";", "|")


@dataclass(frozen=True)
class Gap:
    """Something that was left out of a text.

    Attributes
    ----------
    begin, end : int
        Where its marker stands in the text; both 0 where the text has none.
    left, total : int
        Units left out, and units there are.
    unit : str
        ``rows``, ``lines``, ``characters`` …
    chars : int or None
        Characters left out, where they are known.
    full : str
        Where the whole is, as the marker says it.
    least : bool
        True if there may be more units than were counted.
    """

    begin: int
    end: int
    left: int
    total: int
    unit: str
    chars: int | None = None
    full: str = ""
    least: bool = False


@dataclass(frozen=True)
class Rows:
    """Rows that stand in a seen text.

    Attributes
    ----------
    columns : tuple of str
        Names as they were shown.
    lines : tuple of str
        The rows as they were shown, cells set apart by `` | ``.
    total : int
        Rows there are.
    """

    columns: tuple[str, ...]
    lines: tuple[str, ...]
    total: int


@dataclass(frozen=True)
class Seen:
    """What came of one tool call, as a model saw it.

    Attributes
    ----------
    run, call, loop, agent, tool : str
        Where it belongs.
    arguments : dict
        Of the call.
    request : str
        Key of the first request it stands in; empty where it stands in none.
    text : str
        Its exact text there.
    cut : tuple of str
        Rows of the limits table that cut it.
    made : tuple of str
        Ids of the files it made.
    gaps : tuple of Gap
        What was left out, in order; a marker that only stands in quoted data is none.
    rows : tuple of Rows
        Rows of tables that it shows.
    """

    run: str
    call: str
    loop: str
    agent: str
    tool: str
    arguments: dict[str, Any]
    request: str
    text: str
    cut: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    gaps: tuple[Gap, ...] = ()
    rows: tuple[Rows, ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens of the text, by our vocabulary."""
        return tokens.count(self.text)

    def rows_of(self, item: Artefact) -> tuple[Rows, ...]:
        """Return the rows of one file that it shows."""
        return tuple(found for found in self.rows if found.total == item.rows)

    def gap(self, item: Artefact | None = None) -> Gap | None:
        """Return what it leaves out of a table it made or named, or else its largest gap."""
        if item is None or item.rows is None:
            return max(self.gaps, key=lambda gap: gap.total, default=None)
        shown = max((len(found.lines) for found in self.rows_of(item)), default=0)
        left = item.rows - min(shown, item.rows)
        for gap in self.gaps:
            if (gap.unit, gap.total) == ("rows", item.rows):
                return gap
        return Gap(0, 0, left, item.rows, "rows", full=item.shown)


def gaps_in(text: str, known: set[str]) -> Iterator[Gap]:
    """Yield the markers of a text, but those that data brought along."""
    begin = 0
    for mark in marker.parse(text):
        words = str(mark)
        begin = text.index(words, begin)
        end = begin + len(words)
        if mark.full in known:
            yield Gap(
                *(begin, end, mark.left, mark.total, mark.unit, mark.chars, mark.full, mark.least)
            )
        begin = end


def rows_of_lines(seen: Seen, names: Sequence[str]) -> tuple[Rows, ...]:
    """Return the rows of a delimited file whose first lines a text shows, as `rows_in` does.

    Parameters
    ----------
    seen : Seen
        Its gap counts lines.
    names : sequence of str
        Columns of the file: the line that has most of them is the head.
    """
    gap = seen.gap()
    shown = gap.total - gap.left if gap and gap.unit == "lines" else 0
    if gap is None or shown <= 0:
        return ()
    lines = seen.text[: gap.begin].removesuffix("\n").split("\n")[-shown:]
    sign = max(_SIGNS, key=lambda one: sum(line.count(one) for line in lines))
    cells = [[cell.strip() for cell in line] for line in csv.reader(lines, delimiter=sign)]
    alike = [len(set(names).intersection(line)) for line in cells]
    head = alike.index(max(alike, default=0)) if any(alike) else None
    if head is None:
        return ()
    body = [line for line in cells[head + 1 :] if len(line) == len(cells[head])]
    told = tuple(SEPARATOR.join(line) for line in body)
    return (Rows(tuple(cells[head]), told, gap.total),)


def rows_in(text: str) -> Iterator[Rows]:
    """Yield the previews of a text."""
    lines = text.split("\n")
    for place, line in enumerate(lines):
        title = _TITLE.match(line)
        shown = int(title["shown"].replace(",", "")) if title else 0
        if title and shown and place + shown + 1 < len(lines):
            columns = tuple(lines[place + 1].split(SEPARATOR))
            body = tuple(lines[place + 2 : place + 2 + shown])
            yield Rows(columns, body, int(title["total"].replace(",", "")))

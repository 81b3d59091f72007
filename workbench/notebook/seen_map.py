"""Where in a whole lies what a model saw: stretches from its first row or character to its last.

The bar above both sides is drawn from them, at true scale; a person goes to a place by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from workbench.artefacts import Artefact
from workbench.notebook.marked import NOT, PART, WHOLE, Marked
from workbench.notebook.nodes import Node, node
from workbench.notebook.whole import Whole
from workbench.runs.seen import Gap, Seen

# Enough to know a beginning again; more lines than a tool says of a text.
_ALIKE, _TOLD_LINES = 200, 60
_LINE_END = re.compile("\n")
_LOOKS = {WHOLE: "wb-sf-known", PART: "wb-sf-partly"}


@dataclass(frozen=True)
class Stretch:
    """A part of a whole of which alike much was seen.

    Attributes
    ----------
    begin, end : int
        First unit, from 0, and the one after the last.
    state : int
        `WHOLE`, `PART` or `NOT`.
    """

    begin: int
    end: int
    state: int


def mapped(seen: Seen, whole: Whole, gap: Gap | None) -> tuple[Stretch, ...]:
    """Return where in the whole lies what was seen; empty where that is not known."""
    if gap is None:
        return ()
    if whole.marks is not None:
        alike = (gap.unit, gap.total) == ("rows", whole.rows) and not whole.marks.lost
        return of_rows(whole.marks, gap.total) if alike else ()
    apart = hidden(seen, whole, gap)
    return of_text(apart, whole.chars) if apart[1] and whole.chars else ()


def of_rows(marks: Marked, total: int) -> tuple[Stretch, ...]:
    """Return the stretches of a table, in the order of its rows."""
    seen = ((number, marks.state(number)) for number in sorted(marks.whole | marks.part))
    return tuple(_filled(_runs(seen), total))


def of_text(hidden: tuple[int, int], total: int) -> tuple[Stretch, ...]:
    """Return the stretches of a text of which one part was left out."""
    begin, end = (min(at, total) for at in hidden)
    return tuple(_filled([Stretch(0, begin, WHOLE), Stretch(end, total, WHOLE)], total))


def gap_of(seen: Seen, whole: Whole, item: Artefact | None) -> Gap | None:
    """Return what was left out; of a table that was read, in rows, where the text counts lines."""
    gap = seen.gap(item)
    marks, rows = whole.marks, whole.rows
    if gap is None or gap.unit != "lines" or marks is None or not marks.count or rows is None:
        return gap
    return replace(gap, left=rows - marks.count, total=rows, unit="rows")


def hidden(seen: Seen, whole: Whole, gap: Gap | None) -> tuple[int, int]:
    """Return which characters of a whole text the model did not see; (0, 0) if unknown.

    Known only where the seen text has the whole's own beginning.
    """
    begin = start(seen, whole, gap)
    if gap is None or begin is None:
        return 0, 0
    shown = len(seen.text[begin : gap.begin].removesuffix("\n"))
    left = gap.left if gap.unit == "characters" else gap.chars
    if left is None:
        # Nobody counted the characters: the whole ends as the text does.
        tail = seen.text[gap.end :].strip("\n")
        ending = whole.ending.rstrip("\n")
        if whole.chars is None or not tail or not ending.endswith(tail[-_ALIKE:]):
            return 0, 0
        left = whole.chars - (len(whole.ending) - len(ending)) - shown - len(tail)
    return shown, shown + max(left, 0)


def start(seen: Seen, whole: Whole, gap: Gap | None) -> int | None:
    """Return where in the seen text the whole begins; None if that is not known.

    What a tool says of a text stands before it.
    """
    if gap is None or not gap.end or whole.offset or not whole.text:
        return None
    told = seen.text[: gap.begin].removesuffix("\n")
    begins = (0, *(hit.end() for hit in _LINE_END.finditer(told)))
    for begin in begins[:_TOLD_LINES]:
        piece = told[begin : begin + _ALIKE]
        if piece and whole.text.startswith(piece):
            return begin
    return None


def _runs(seen: Iterable[tuple[int, int]]) -> list[Stretch]:
    """Join neighbours of one state."""
    found: list[Stretch] = []
    for number, state in seen:
        if found and (found[-1].end, found[-1].state) == (number, state):
            found[-1] = Stretch(found[-1].begin, number + 1, state)
        else:
            found.append(Stretch(number, number + 1, state))
    return found


def _filled(seen: Iterable[Stretch], total: int) -> Iterator[Stretch]:
    """Yield what was seen with what was not between it."""
    at = 0
    for one in (*seen, Stretch(total, total, NOT)):
        if one.begin > at:
            yield Stretch(at, one.begin, NOT)
        if one.end > one.begin:
            yield one
        at = max(at, one.end)


def bar(stretches: Iterable[Stretch], total: int, label: str) -> Node:
    """Return the bar; a sliver that would be too thin to see has a least width of its own."""
    parts = [
        node(
            "span",
            _LOOKS[one.state],
            style=f"left:{100 * one.begin / total:.3f}%;"
            f"width:{100 * (one.end - one.begin) / total:.3f}%",
        )
        for one in stretches
        if one.state != NOT
    ]
    return node("div", "wb-sf-bar", *parts, role="img", aria_label=label)

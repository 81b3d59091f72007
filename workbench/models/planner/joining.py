"""Two tables put together by a key, and what of either found no partner."""

from __future__ import annotations

import re

from workbench.models.planner.cards import Card, Field
from workbench.models.planner.choice import said_apart
from workbench.models.planner.wording import listed, number, paths, percent, samples
from workbench.models.planner.work import CannotAnswer, Finding, Work

_PAIR, _SHOWN = 2, 40
_ON = re.compile(
    r"\b(?:on|by|using|through|via)\s+(?:the\s+)?(?P<key>`[^`]+`|[\w ()%-]+)", re.IGNORECASE
)


def merge(work: Work) -> Finding:
    """Answer a wish to put two tables together: the longer keeps its rows."""
    left, right = _two(work)
    here, there = _keys(work.text, left, right)
    more: dict[str, object] = {} if here == there else {"right_on": [there]}
    if right.sheet is not None:
        more["right_sheet"] = right.sheet
    told = work.told(
        work.asking.ask("merge", **left.arguments, right_path=right.path, on=[here], **more)
    )
    rows, found = told.number("rows_in") or 0, told.number("matched") or 0
    alone, over = told.number("left_only") or 0, told.number("right_only") or 0
    key = here if here == there else f"{here} = {there}"
    lead = (
        f"{number(found)} of {samples(rows, 'row')} of {left.title} ({percent(found, rows)}) found "
        f"their row of {right.title} by {key}"
    )
    rest = (
        f"{number(alone)} without one are kept, their added columns empty; {number(over)} of "
        f"{samples(told.number('right_rows'), 'row')} of {right.title} found none"
    )
    files = paths([("Result table:", told.text("output"))])
    how = "Keys match without regard to case and outer blanks; nothing is matched by likeness."
    return Finding((f"{lead}; {rest}.", " ".join([how, *_notes(work), files])))


def _notes(work: Work) -> list[str]:
    return [f"Note: {note}." for note in dict.fromkeys(work.notes)][:4]


def _two(work: Work) -> tuple[Card, Card]:
    """Return the two tables meant: the one with more rows first, since its keys may repeat.

    Raises
    ------
    CannotAnswer
        If not exactly two are named.
    """
    meant = list(work.pool) if len(work.pool) == _PAIR else said_apart(work.text, work.cards)
    if len(meant) != _PAIR:
        said = f"{len(meant)} are" if meant else "none is"
        names = listed([card.title for card in work.cards], 8)
        raise CannotAnswer(f"merge: name two tables ({said} named); there are {names}")
    first, second = meant
    return (second, first) if second.rows > first.rows else (first, second)


def _keys(text: str, left: Card, right: Card) -> tuple[str, str]:
    """Return the key columns: those named, or sample number or hole where none is.

    Raises
    ------
    CannotAnswer
        If those named, or these, are not in both.
    """
    words = [hit["key"].strip("` ") for hit in _ON.finditer(text)]
    for word in words:
        pair = _named(word, left), _named(word, right)
        if pair[0] is not None and pair[1] is not None:
            return pair[0].name, pair[1].name
    if words:
        raise CannotAnswer(
            f"merge: {left.title} and {right.title} have no column “{words[0][:_SHOWN]}” in "
            "both; say by which column, as in “by SampleID”"
        )
    for role in ("id", "hole"):
        both = [next((f for f in card.fields if f.role == role), None) for card in (left, right)]
        if both[0] is not None and both[1] is not None:
            return both[0].name, both[1].name
    raise CannotAnswer(
        f"merge: {left.title} and {right.title} share no sample number or hole; say by which "
        "column, as in “by SampleID”"
    )


def _named(words: str, card: Card) -> Field | None:
    """Return the column that words begin with."""
    parts = words.split()
    for end in range(min(len(parts), 4), 0, -1):
        piece = " ".join(parts[:end])
        found = card.named(piece) or card.grouping(piece)
        if found is not None:
            return found
    return None

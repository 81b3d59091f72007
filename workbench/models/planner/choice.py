"""Which table answers a clause: the one with most of what is asked, then the one with most rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.models.planner.cards import Card
from workbench.models.planner.clauses import Clause
from workbench.models.planner.condition import text_columns, untied
from workbench.models.planner.range_made import AREA
from workbench.models.planner.said import columns, grouping, ranked
from workbench.models.planner.wording import listed, number

_HOLES = re.compile(r"\b(?:drill|hole|interval|intercept|down-?hole|core|assays?)", re.IGNORECASE)
_SURFACE = re.compile(
    r"\b(?:soils?|surface|stream|sediments?|rock chips?|auger|outcrops?|grab)\b", re.IGNORECASE
)
_GRID = re.compile(r"\bgrid\b|\bcells?\b", re.IGNORECASE)
_PLACED = frozenset({"map", "space"})
_AREA = re.compile(AREA, re.IGNORECASE)
# Asked of all elements, these say most where most were measured.
_MANY = frozenset({"agreement", "cluster", "families", "outlying", "pca", "space"})
_MEASURED = _MANY | {
    *(
        "agreement",
        "anomaly",
        "censored",
        "cluster",
        "correlate",
        "limits",
        "logratio",
        "ratio",
        "thresholds",
        "top",
    )
}
# Kinds whose numbers may be a width.
_WIDTHS = frozenset({"smooth", "aggregate", "sql"})
_DEPTH = re.compile(r"(?<!m )(?<!metres )(?<!in )\bdepth\b", re.IGNORECASE)
_SHORTEST = 4


@dataclass(frozen=True)
class Choice:
    """A table and the sentence that says why it was taken."""

    card: Card
    why: str


def choose(
    clause: Clause, whole: Sequence[Clause], cards: Sequence[Card], before: str = ""
) -> Choice:
    """Choose a table for a clause.

    Parameters
    ----------
    clause : Clause
        What is to be answered.
    whole : sequence of Clause
        All clauses of the question: a table that answers them all is preferred, so that a grouping
        and its map speak of the same samples.
    cards : sequence of Card
        At least one.
    before : str, optional
        File of the answer before: a conversation goes on about the same samples.
    """
    pool = named(clause, whole, cards) or cards

    def rank(card: Card) -> tuple[object, ...]:
        return (
            _lack(clause, card),
            sum(_lack(other, card) for other in whole),
            _other_kind(clause.text, card),
            not _stem_said(clause.text, card, cards),
            card.path != before,
            -len(card.measured) if clause.kind in _MANY else 0,
            -card.rows,
            card.path,
            card.sheet or "",
        )

    ranked = sorted(pool, key=rank)
    return Choice(ranked[0], _why([clause, *whole], ranked, cards, before))


def _other_kind(text: str, card: Card) -> bool:
    """Tell whether a table is of holes where the text speaks of the surface, or the reverse."""
    if _SURFACE.search(text):
        return card.has_intervals
    return not card.has_intervals if _HOLES.search(text) else False


def named(clause: Clause, whole: Sequence[Clause], cards: Sequence[Card]) -> list[Card]:
    """Return the tables that a clause names in full, or else those its whole question names."""
    return _named(clause.text, cards) or _named(" ".join(c.text for c in whole), cards)


def _lack(clause: Clause, card: Card) -> int:
    """Return how much of what a clause asks for is not in a table."""
    lacking = len(columns(clause.text, card).lacking)
    by = grouping(clause.text)
    lacking += sum(card.grouping(what) is None for what in text_columns(clause.text))
    what = ranked(clause.text) if clause.kind == "top" else ""
    lacking += bool(what) and card.grouping(what) is None
    lacking += clause.kind not in _WIDTHS and untied(clause.text, card)
    lacking += _DEPTH.search(clause.text) is not None and not _has_depth(card)
    lacking += clause.kind in _MEASURED and not card.measured
    lacking += clause.kind == "smooth" and not card.has_intervals
    lacking += bool(by) and clause.kind != "cluster" and card.grouping(by) is None
    placed = (
        clause.kind in _PLACED
        or _AREA.search(clause.text) is not None
        or (clause.kind == "aggregate" and _GRID.search(clause.text) is not None)
    )
    return lacking + (placed and not card.has_place)


def _has_depth(card: Card) -> bool:
    return any(item.role == "depth" for item in card.fields)


def _named(text: str, cards: Sequence[Card]) -> list[Card]:
    """Return the tables whose file (or sheet) a text names in full."""
    said = text.casefold()
    found = [card for card in cards if _file_said(said, card.path)]
    sheets = [card for card in found if card.sheet and card.sheet.casefold() in said]
    return sheets or found


def _file_said(said: str, path: str) -> bool:
    name = path.rpartition("/")[2].casefold()
    stem = name.rpartition(".")[0] or name
    return any(
        re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", said) is not None
        for word in {path.casefold(), name, *([stem] if len(stem) >= _SHORTEST else [])}
    )


def _stem_said(text: str, card: Card, cards: Sequence[Card]) -> bool:
    """Tell whether a word of the file's name that sets it apart stands in the text."""
    words = re.findall(r"[a-z]{4,}", text.casefold())
    others = [_tokens(other) for other in cards if other.path != card.path]
    own = {token for token in _tokens(card) if not others or not all(token in o for o in others)}
    return any(word.startswith(token) for token in own for word in words)


def said_apart(text: str, cards: Sequence[Card]) -> list[Card]:
    """Return the tables of whose names a word that sets them apart stands in a text."""
    return [card for card in cards if _stem_said(text, card, cards)]


def _tokens(card: Card) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", card.path.rpartition(".")[0].casefold()))


def _why(
    clauses: Sequence[Clause], ranked: Sequence[Card], cards: Sequence[Card], before: str
) -> str:
    """Return the sentence on the choice; it names the other tables that could have answered."""

    def lack(card: Card) -> int:
        return sum(_lack(clause, card) for clause in clauses)

    first = ranked[0]
    also = [card.title for card in ranked[1:] if lack(card) <= lack(first)]
    lead = f"Table: {first.title} ({number(first.rows)} rows)"
    if len(cards) == 1 or len(ranked) == 1:
        return f"{lead}."
    if not also:
        return f"{lead}, which alone has all that is asked."
    if first.path == before:
        return f"{lead}, as in the answer before; {listed(also, 3)} could answer it too."
    why = "the largest that has" if first.rows >= max(c.rows for c in ranked) else "which has"
    others = f"{listed(also, 3)} {'has' if len(also) == 1 else 'have'} it too"
    return f"{lead}, {why} what is asked; {others}: name a file to choose it."

"""What the reader found worth saying about tables: repeats, drillholes, places, negatives, QC.

Nothing is computed here: each answer is the reader's own remarks on the subject, table by table;
tables without one are counted.
"""

from __future__ import annotations

import re

from workbench.models.planner.cards import Card
from workbench.models.planner.looking import coordinates_of
from workbench.models.planner.sourced import cited
from workbench.models.planner.wording import listed, number, sentence
from workbench.models.planner.work import CannotAnswer, Finding, Work

# Subject, words of a question that ask for it, words of a remark that is about it.
_SUBJECTS: tuple[tuple[str, str, str], ...] = (
    ("repeated sample numbers", r"repeat|duplicat", r"more than once|repeated \d|duplicate"),
    (
        "drillholes",
        r"collar|survey|drill|hole|interval|dips?\b|azimuth",
        r"table of [\d,]+ hole|holes|intervals:|station|point down|end of the hole|outside 0 to",
    ),
    (
        "coordinates",
        r"coordinate|projection|\bcrs\b|\bzone|\bgrid\b|\bdatum",
        r"grid|degrees|zone|swapped|lie at 0, 0",
    ),
    ("negative values", r"negative", r"negative"),
    (
        "quality control",
        r"\bqa|\bqc\b|quality|standards?\b|blanks\b",
        r"quality control",
    ),
)
_MOST = 12


def check(work: Work) -> Finding:
    """Answer what is known about repeats, drillholes, coordinates, negatives or quality control."""
    asked = [entry for entry in _SUBJECTS if re.search(entry[1], work.text, re.IGNORECASE)]
    if not asked:
        raise CannotAnswer(
            f"check: name what to check; {listed([name for name, _, _ in _SUBJECTS])} can be told"
        )
    lines: list[str] = []
    for subject, _, about in asked:
        cards = [c for c in work.pool if subject != "drillholes" or _of_holes(c)]
        told = [line for card in cards for line in _remarks(work, card, subject, about)]
        silent = len(cards) - len({line.partition(": ")[0] for line in told})
        more = [f"{len(told) - 2 * _MOST} more remarks on {subject}; name a file to see its own."]
        told = told[: 2 * _MOST] + (more if len(told) > 2 * _MOST else [])
        lines += told or [f"{sentence(f'no remark on {subject}')[:-1]} in any table."]
        if told and silent > 0:
            lines.append(f"{number(silent)} more tables: nothing to remark on {subject}.")
    return Finding(tuple(lines))


def _of_holes(card: Card) -> bool:
    return any(re.search(r"\ban? \w+ table of [\d,]+ holes?\b", note) for note in card.notes)


def _remarks(work: Work, card: Card, subject: str, about: str) -> list[str]:
    """Return the remarks on a subject in one table, each as a line."""
    notes = [note for note in card.notes if re.search(about, note, re.IGNORECASE)]
    if subject == "coordinates" and card.has_place:
        notes.insert(0, coordinates_of(card))
    if subject == "drillholes" and card.has_place:
        told = work.told(work.asking.ask("check_missing", **card.arguments))
        holes = told.mapping("drillholes")
        if len(holes) > 1 and not told.mapping("holes_lacking"):
            notes.append(f"the {listed(list(holes))} tables have the same holes")
        depths = any(item.role == "depth" for item in card.fields)
        if len(holes) > 1 and depths and not told.mapping("past_end_of_hole"):
            notes.append("no interval lies past the depth that it gives its hole")
        notes += [note for note in told.notes if "holes of the" in note or "past the end" in note]
    return [f"{card.title}: {sentence(cited(note))}" for note in dict.fromkeys(notes)]

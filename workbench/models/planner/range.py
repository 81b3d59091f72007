"""What the planner understands: one table, which is also what it lists when it cannot answer.

A question is taken apart by the triggers below, first match first; whatever matches none of them
is outside the range and is said to be so. Nothing is guessed from the rest.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.models.planner.abilities import RANGE, Ability

__all__ = ["BY_KIND", "HEADING", "OUTSIDE", "RANGE", "Ability"]

HEADING = "rule-based planner, no language model"
OUTSIDE = "outside the range of the rule-based planner"


BY_KIND = {ability.kind: ability for ability in RANGE}


def listing() -> str:
    """Return what the planner understands, one line a kind, as it is shown to a person."""
    lines = []
    for ability in RANGE:
        if ability.examples:
            examples = " / ".join(f"“{example}”" for example in ability.examples)
            lines.append(f"- {ability.what}: {examples}")
    return "\n".join(lines)


def kind_of(text: str) -> str | None:
    """Return the kind of question that `text` is, or None where it is outside the range."""
    if is_beyond(text):
        return None
    for ability in RANGE:
        if ability.trigger.search(text):
            return ability.kind
    return None


def is_beyond(text: str) -> bool:
    """Return whether words of kinds above ask for what no kind works out.

    That is whether standards, blanks and duplicates are good, and which holes or samples of one
    table have none in another.
    """
    return _BEYOND.search(text) is not None


_REST = r"(?:[^.;]|\.(?=\w))*"
_BEYOND = re.compile(
    rf"\b(?:standards?|blanks?|crms?|duplicates?)\b{_REST}\b(?:pass\w*|fail\w*|clean|contaminat\w*|"
    r"precis\w*|accura\w*|bias\w*|coefficients? of variation)\b"
    rf"|\b(?:precision|accuracy|bias)\b{_REST}\b(?:standards?|blanks?|crms?|duplicates?)\b"
    r"|\b(?:have|has|with|having) no (?!assays?\b)\w+ in \S+\.\w",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class NoAnswer:
    """A question to which there is no answer: what the analyst reads, and why, on one line."""

    words: str
    reason: str


def unanswered(reasons: Sequence[str]) -> NoAnswer:
    """Return the guide's end where nothing was answered: heading and reasons."""
    told = reasons[0] if len(reasons) == 1 else "\n".join(f"- {reason}" for reason in reasons)
    words = f"{HEADING}\n\nNo answer:{' ' if len(reasons) == 1 else chr(10)}{told}"
    return NoAnswer(words, reasons[0].partition("\n")[0])


def nearest_questions(question: str) -> list[str]:
    """Return the examples that share most with a question, three at most, the nearest first.

    A word counts the more, the fewer kinds of question have it; where no rare word is shared there
    are none.
    """
    asked = _stems(question)
    kinds = {
        example: _stems(f"{ability.what} {example}")
        for ability in RANGE
        for example in ability.examples
    }
    spread = Counter(stem for stems in kinds.values() for stem in stems)

    def shared(example: str) -> float:
        return sum(1 / spread[stem] for stem in asked & kinds[example])

    best = sorted(kinds, key=shared, reverse=True)[:_NEAREST]
    return [example for example in best if shared(example) >= _CLOSE]


_NEAREST = 3
# One word that few kinds of question have, or several that some have.
_CLOSE = 0.2


def _stems(text: str) -> set[str]:
    words = re.findall(r"[a-z]{4,}", text.casefold())
    return {word[:5] for word in words} - _EVERYWHERE


_EVERYWHERE = {
    *("what", "which", "there", "these", "those", "have", "with", "from", "that", "this", "does"),
    *("will", "show", "give", "make", "each", "them", "they", "the", "tell", "where", "many"),
    *("merid", "ridge", "sampl", "group", "table", "eleme", "colum", "value", "seve", "sever"),
}


def outside(question: str) -> str:
    """Return the words for a question outside the range.

    Parameters
    ----------
    question : str
        What was asked; shown shortened.
    """
    shown = " ".join(question.split())
    shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
    close = nearest_questions(question)
    near = "the nearest that it understands" if close else "for example"
    lines = "\n".join(f"- “{example}”" for example in close or _TYPICAL)
    return (
        f"“{shown}” is {OUTSIDE}; ask otherwise, or use a model (-m).\n\n"
        f"{near[0].upper()}{near[1:]}:\n\n{lines}\n\n"
        f"“What can you do?” lists all. Name elements by symbol or name, columns by their exact "
        f"header.{_NO_CODE if _CODE.search(question) else ''}"
    )


_TYPICAL = tuple(
    BY_KIND[kind].examples[0] for kind in ("inventory", "summary", "anomaly", "cluster", "map")
)
_SHOWN = 200
_CODE = re.compile(r"\b(?:scripts?|code|python|programs?|commands?|shell)\b", re.IGNORECASE)
_NO_CODE = (
    "\n\nThe rule-based planner writes no code: scripts and commands are written by a model, for "
    "the specialist `extended`; code of your own runs by `workbench call run_script code=…`."
)

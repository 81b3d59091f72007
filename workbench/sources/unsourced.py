"""Numbers of an answer that no claim stands behind.

What a person would not ask the source of is passed over: names and ids, dates, numbering, labels
of groups and percentiles, and what the question itself said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from workbench.sources.placing import NUMBER, Mark

# What is no number of its own, whatever digits are in it.
_NO_NUMBERS = re.compile(
    r"`[^`\n]*`"  # names and conditions, as they were written
    r"|results/…/\S+"
    r"|\b\d{4}-\d\d(?:-\d\d)?\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{1,2}:\d\d(?::\d\d)?\b"
    r"|^[ \t]*(?:[-*]\s+)?\(?\d{1,3}[.)](?=\s)"  # numbering
    r"|\b\d+(?:st|nd|rd|th)\b(?:,? (?:and )?\d+(?:st|nd|rd|th)\b)*"
    r"|\b[23]-?D\b"
    r"|(?<=\w )[<>≤≥]=? [+\-−]?[\d.,]*\d"  # a condition; a bound stands close to its sign
    r"|\b\d[\d,]* (?:more|others)\b"  # of a list that was cut
    r"|\b(?:sentinel|code)s? [+\-−]?[\d.,]*\d",
    re.MULTILINE,
)
# A number after one of these words is a label, a year or a setting, not a result.
_LABELLED = re.compile(
    r"(?:\b(?:group|cluster|class|component|factor|table|figure|fig\.|step|section|sheet|line|row"
    r"|item|claim|dispatch|note|zone|EPSG|UTM|MGA|GDA|WGS|version|seed|PC|year|season|page"
    r"|January|February|March|April|May|June|July|August|September|October|November|December"
    r"|in|since|until|during|of|by)s?\.?\s+(?:no\.?\s*)?)$",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_YEAR_WORDS = re.compile(
    r"\b(?:in|since|until|during|of|by|year|season|[JFMASOND]\w{2,8})\s+$", re.IGNORECASE
)
_BEFORE = 24


def unsourced(text: str, marks: Sequence[Mark], question: str) -> tuple[Mark, ...]:
    """Return the numbers of an answer without a claim.

    Parameters
    ----------
    text : str
        The answer.
    marks : sequence of Mark
        Where its claims stand.
    question : str
        What was asked: its numbers need no source.
    """
    asked = {_digits(number) for number in NUMBER.findall(question)}
    taken = [(mark.start, mark.end) for mark in marks]
    taken += [hit.span() for hit in _NO_NUMBERS.finditer(text)]
    return tuple(
        Mark(*hit.span(), "")
        for hit in NUMBER.finditer(text)
        if not _within(hit.start(), hit.end(), taken)
        and _digits(hit[0]) not in asked
        and not _is_label(text, hit)
    )


def every(text: str, marks: Sequence[Mark], question: str) -> list[list[int | str]]:
    """Return start, end and claim of every number that has one, or has none, in order."""
    both = sorted([*marks, *unsourced(text, marks, question)], key=lambda mark: mark.start)
    return [[mark.start, mark.end, mark.claim] for mark in both]


def _within(start: int, end: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(a < end and start < b for a, b in spans)


def _digits(number: str) -> str:
    """Return a number as it is compared: without sign of order, blanks and commas."""
    plain = re.sub(r"[<>≤≥±~+\s,]", "", number)
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _is_label(text: str, hit: re.Match[str]) -> bool:
    before = text[max(hit.start() - _BEFORE, 0) : hit.start()]
    if _YEAR.fullmatch(hit[0]):
        return _YEAR_WORDS.search(before) is not None
    labelled = _LABELLED.search(before)
    word = labelled[0].split()[0].casefold() if labelled else ""
    return bool(word) and word not in _YEARS_ONLY and hit[0].isdigit()


_YEARS_ONLY = frozenset({"in", "since", "until", "during", "of", "by"})

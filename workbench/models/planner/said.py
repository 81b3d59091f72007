"""What a clause says beside its kind: columns, grouping, condition, how many.

Everything is looked up in the table at hand. What a clause names and the table lacks is returned
as lacking, so that it is told and not passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.models.planner.cards import Card, Field
from workbench.models.planner.symbols import mentions, spoken

_NUMBERS = {
    word: number
    for number, word in enumerate(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ],
        start=1,
    )
} | {"fifteen": 15, "twenty": 20}
_COUNT = r"(\d{1,4}|" + "|".join(_NUMBERS) + r")"
_GROUPS = re.compile(
    rf"\b{_COUNT}\s+(?:\w+\s+){{0,2}}?(?:groups?|clusters?|classes|populations?)\b|\bk\s*=?\s*{_COUNT}\b",
    re.IGNORECASE,
)
_TOP = re.compile(
    rf"\btop\s+{_COUNT}\b|\b{_COUNT}\s+(?:\w+\s+)?(?:highest|largest|richest|samples?|intervals?|rows)\b"
    rf"|\b(?:highest|largest|richest)\s+{_COUNT}\b",
    re.IGNORECASE,
)
# Words that end a grouping: what comes after them is a condition, a place or another wish.
_AFTER_GROUPING = (
    "and|or|by|into|on|using|with|without|for|of|in|as|at|to|from|than|where|whose|which|that|who|when|if|"
    "only|but|not|except|excluding|outside|inside|within|between|against|versus|vs|has|have|is|are|"
    "above|over|below|under|exceeding|greater|more|less|higher|lower"
)
_BY = re.compile(
    r"(?<!supported )(?<!followed )\b(?P<how>(?:vary|varies|differs?) (?:between|among|with)|by|"
    r"per|for each|for every|of each|within each|in each|across|split by|grouped by|"
    r"colou?red by|colou?r(?:ed)? (?:by|with))\s+(?:the\s+|logged\s+)?(?P<what>[A-Za-z][\w ]*?)"
    rf"(?=\s*(?:$|[,.;:?!()<>=≥≤]|\b(?:{_AFTER_GROUPING})\b))",
    re.IGNORECASE,
)
# "by Tukey", "by several methods", "per cent", "per sample": no grouping.
_RULE = re.compile(
    r"\b(?:tukey|mad|median|percentiles?|quantiles?|fence|box|pearson|spearman|kendall|ranks?|k-?means)\b"
    r"|\b(?:methods?|rules?|ways?|ind(?:ex|ices)|scores?|weights?|mass|moles?|distances?|hand|default|"
    r"cent|mille?|elements?|analytes?|columns?|files?|tables?|samples?|rows?|tonn?es?|chemistry|"
    r"geochemistry|composition|matrix|limits?|regression|zeros?)$",
    re.IGNORECASE,
)
# So many spreads above the median are a rule, no condition; as "k = 3" are so many groups.
SPREADS = re.compile(
    r"\bk\s*=\s*(?P<k>\d+(?:\.\d+)?)|(?<![\w.])(?P<mads>\d+(?:\.\d+)?)\s*[×x*]?\s*(?:MADs?|IQRs?)\b",
    re.IGNORECASE,
)
_HEADER_LIKE = re.compile(r"`([^`]+)`|(?<![\w./-])([A-Za-z]\w*_\w+)(?![\w/])(?!\.\w)")


ROWS = r"samples?|rows?|intervals?|records?|assays?|analys[ei]s|entries|points?|values?|specimens?"
_WHICH = re.compile(
    r"\brank(?:ing)?(?: of)?\s+(?:the |all |my )?(?P<ranked>[A-Za-z]+(?:\s+[A-Za-z]+){0,2}?)\s+"
    r"(?:by|in|on|according)\b|"
    r"\b(?:which|what)\s+(?P<what>[A-Za-z]+(?:\s+[A-Za-z]+){0,2}?)\s+"
    r"(?:has|have|had|holds?|is|are|shows?|carr(?:y|ies)|contains?|ranks?)\b",
    re.IGNORECASE,
)
_NO_GROUP = re.compile(rf"\b(?:{ROWS}|ones?|columns?|elements?|the|of|in)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Columns:
    """Columns that a clause names, in its order, and what of it the table lacks."""

    fields: tuple[Field, ...]
    lacking: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """Their names."""
        return [item.name for item in self.fields]


def columns(text: str, card: Card) -> Columns:
    """Return the number columns that `text` names, measured or not.

    Parameters
    ----------
    text : str
        A clause, or a piece of it.
    card : Card
        The table.
    """
    fields: list[Field] = []
    lacking: list[str] = []
    for _, _, found in sorted(_named(text, card), key=lambda entry: entry[:2]):
        if isinstance(found, str):
            lacking.append(found)
        elif found not in fields:
            fields.append(found)
    return Columns(tuple(fields), tuple(dict.fromkeys(lacking)))


def named_places(text: str, card: Card) -> list[tuple[int, int, Field]]:
    """Return start, end and column of every number column that `text` names, in its order."""
    places = [(a, b, found) for a, b, found in _named(text, card) if isinstance(found, Field)]
    return sorted(places, key=lambda entry: entry[:2])


def _named(text: str, card: Card) -> Iterator[tuple[int, int, Field | str]]:
    """Yield start, end and column, or start, end and the words for what is lacking."""
    taken: list[tuple[int, int]] = []

    def free(start: int, end: int) -> bool:
        return not any(a < end and start < b for a, b in taken)

    for item in sorted(card.fields, key=lambda field: -len(field.name)):
        for start, end in () if item.role in _NOT_NUMBERS else _places(item, text):
            if free(start, end):
                taken.append((start, end))
                yield start, end, item
    for hit in _HEADER_LIKE.finditer(text):
        name = hit[1] or hit[2]
        if free(*hit.span()) and card.named(name) is None and not _of_file(name, card):
            taken.append(hit.span())
            yield hit.start(), hit.end(), f"column '{name}'"
    for mention in mentions(text):
        if free(mention.start, mention.end):
            found = card.with_element(mention.symbol)
            yield mention.start, mention.end, found[0] if found else spoken(mention.symbol)


_NOT_NUMBERS = frozenset({"group", "text", "hole", "id", "date", "constant", "empty"})
# Columns that are called by the first word of their header: "depth" for Depth_m.
_BY_FIRST_WORD = frozenset({"depth", "easting", "northing", "elevation", "number", "from", "to"})
_SHORT = 3


def _of_file(name: str, card: Card) -> bool:
    return name.casefold() in card.path.casefold()


def _places(item: Field, text: str) -> list[tuple[int, int]]:
    """Return where a header stands in a text; a short plain one only in its own case."""
    if item.element == item.name:
        return []  # a bare symbol as header: found as an element, with all its care
    plain = item.name.isalpha() and len(item.name) <= _SHORT
    names = [re.escape(item.name)]
    first = re.split(r"[\W_]", item.name)[0]
    if item.role in _BY_FIRST_WORD and len(first) > _SHORT:
        names.append(re.escape(first))
    pattern = rf"(?<!\w)(?:{'|'.join(names)})(?![\w%])"
    return [hit.span() for hit in re.finditer(pattern, text, 0 if plain else re.IGNORECASE)]


def grouping(text: str) -> str:
    """Return the words after "by", or an empty string; elements after it are no grouping."""
    for hit in _BY.finditer(text):
        if _is_grouping(hit):
            return hit["what"].strip()
    return ""


def without_grouping(text: str) -> str:
    """Return a text with its groupings blanked out, every place kept."""
    return _BY.sub(lambda hit: " " * len(hit[0]) if _is_grouping(hit) else hit[0], text)


def _is_grouping(hit: re.Match[str]) -> bool:
    return not mentions(hit[0]) and not _RULE.search(hit["what"])


def ranked(text: str) -> str:
    """Return WORDS of "which WORDS has the highest …", or an empty string where rows are meant."""
    hit = _WHICH.search(text)
    what = (hit["what"] or hit["ranked"]) if hit else ""
    return "" if _NO_GROUP.search(what) or mentions(what) else what


def groups(text: str) -> int | None:
    """Return how many groups are asked for."""
    return _first(_GROUPS, text)


def top(text: str) -> int | None:
    """Return how many samples are asked for."""
    return _first(_TOP, text)


def _first(pattern: re.Pattern[str], text: str) -> int | None:
    hit = pattern.search(text)
    if hit is None:
        return None
    word = next(part for part in hit.groups() if part)
    return int(word) if word.isdigit() else _NUMBERS[word.casefold()]

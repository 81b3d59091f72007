"""A condition in words turned into an expression of the filter grammar.

Numbers with units are converted to the column's unit. A piece that looks like a condition and
cannot be read, or names a column that is not there, makes the whole condition unread: half a
condition is another condition.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from workbench.errors import Refused
from workbench.models.planner.cards import Card, Field
from workbench.models.planner.said import SPREADS, named_places
from workbench.models.planner.symbols import mentions
from workbench.models.planner.wording import amount
from workbench.tables.units import factor, unit_named

_NUM = r"(?P<num>-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e-?\d+)?)(?![\d,]*[,.]?\d)"
_UNIT = (
    r"(?:\s*(?P<unit>ppm|ppb|wt\s?%|%|pct|percent|g/t|gpt|oz/t|mg/kg|[uµ]g/kg|[uµ]g/g|ng/g|m|met(?:re|er)s?|"
    r"ft|feet)(?![\w/]))?"
)
_SIGNS = {
    ">": r">(?!=)|above|over|exceed(?:s|ing)?|(?:greater|more|higher|larger) than",
    ">=": r">=|≥|at least|not less than",
    "<": r"<(?!=)|below|under|(?:less|lower|smaller|fewer) than",
    "<=": r"<=|≤|at most|up to|not more than",
    "==": r"==?|equals?(?: to)?",
}
_OP = "|".join(f"(?P<s{number}>{words})" for number, words in enumerate(_SIGNS.values()))
_LINK = r"\s*(?:values?|contents?|grades?|concentrations?)?\s*(?:that\s+)?(?:is|are|of|was)?\s*"
_AFTER = re.compile(rf"^{_LINK}(?:{_OP})\s*{_NUM}{_UNIT}", re.IGNORECASE)
_BETWEEN = re.compile(
    rf"^{_LINK}between\s*{_NUM.replace('num', 'low')}{_UNIT.replace('unit', 'unit0')}\s*"
    rf"and\s*{_NUM}{_UNIT}",
    re.IGNORECASE,
)
_BEFORE = re.compile(rf"(?:{_OP})\s*{_NUM}{_UNIT}\s*(?:of\s+|in\s+)?$", re.IGNORECASE)
_REST = re.compile(rf"(?:{_OP})\s*-?\d|\bbetween\s+\d", re.IGNORECASE)
_WORDS = r"(?:\"[^\"]+\"|'[^']+'|“[^”]+”|[A-Za-z][\w-]*(?: [A-Za-z][\w-]*){0,2}?)"
_TEXT = re.compile(
    r"\b(?P<lead>where|whose|with|which|and|or|in)\s+(?:the\s+|logged\s+)?"
    r"(?P<what>[A-Za-z](?:(?!\b(?:where|whose|which|with)\b)[\w ]){0,40}?)"
    r"\s*(?:\bis\b|\bare\b|==?|\bequals?\b)\s*(?P<not>not\s+)?"
    rf"(?P<value>{_WORDS}(?:(?:\s*,\s*|\s+or\s+){_WORDS})*)"
    r"(?=\s*(?:$|[,.;?!]|\b(?:and|or|where|with)\b))",
    re.IGNORECASE,
)
# Words that stand in a question and never name a column.
_ASKING = re.compile(
    r"\b(?:which|what|that|this|these|those|it|they|there|who|how|each|samples?|rows?|groups?|"
    r"elements?|columns?|values?|say|tell|show)\b",
    re.IGNORECASE,
)
_DEPTH = re.compile(
    rf"\b(?P<where>above|over|shallower than|below|under|deeper than)\s+(?:a depth of\s+)?{_NUM}"
    r"\s*(?P<unit>m|met(?:re|er)s?|ft|feet)(?![\w/])",
    re.IGNORECASE,
)
_HOLE = re.compile(
    r"\b(?:(?:in|of|from)\s+)?(?:drill)?hole\s+(?P<value>[A-Za-z]+[-_]?\d[\w-]*)", re.IGNORECASE
)
# Gets a text column and the word for its value; returns the value as the file has it.
Lookup = Callable[[Field, str], str]


class Unread(ValueError):
    """A condition that cannot be read; the message says why."""


@dataclass(frozen=True)
class Condition:
    """An expression, how it reads, and the words of the text that have no part in it."""

    expression: str
    words: str
    rest: str = ""


@dataclass(frozen=True)
class _Atom:
    start: int
    end: int
    expression: str
    words: str


def read(text: str, card: Card, lookup: Lookup) -> Condition | None:
    """Return the condition of a clause; None where it holds none.

    Raises
    ------
    Unread
        If it holds one that cannot be read as a whole.
    """
    texts = list(_textual(text, card, lookup))
    without = _without(SPREADS.sub(_blank, text), texts)
    numbers = _depths(without, card)
    numbers += _numeric(_without(without, numbers), card)
    left = _REST.search(_without(without, numbers))
    if left is not None:
        piece = text[left.start() : left.start() + 30].strip()
        raise Unread(f"“{piece}” could not be tied to a column of {card.title}")
    if not texts and not numbers:
        return None
    atoms = sorted([*texts, *numbers], key=lambda atom: atom.start)
    joins = {_join(text[a.end : b.start]) for a, b in itertools.pairwise(atoms)} or {"and"}
    if len(joins) > 1:
        raise Unread("“and” and “or” are mixed; ask in two questions, or write the SQL")
    join = f" {joins.pop()} "
    rest = _rest(text, atoms)
    return Condition(
        join.join(a.expression for a in atoms), join.join(a.words for a in atoms), rest
    )


def untied(text: str, card: Card) -> bool:
    """Tell whether a text compares something with a number that a table has no column for."""
    bare = SPREADS.sub(_blank, text)
    try:
        numbers = _depths(bare, card)
        numbers += _numeric(_without(bare, numbers), card)
    except Unread:
        return True
    return _REST.search(_without(bare, numbers)) is not None


_LINKS = re.compile(
    r"(?:[\s,]*\b(?:where|whose|with|which|that|and|or|if|when|for|in|of|only|but|have|has|having|samples?|"
    r"rows?|intervals?|is|are)\b)*[\s,]*\0+",
    re.IGNORECASE,
)


def _rest(text: str, atoms: list[_Atom]) -> str:
    """Return a text without its conditions and the little words that lead to them."""
    left = list(text)
    for atom in atoms:
        left[atom.start : atom.end] = "\0" * (atom.end - atom.start)
    return " ".join(_LINKS.sub(" ", "".join(left)).split())


_LENGTHS = frozenset({"from", "to", "depth", "elevation"})


def _depths(text: str, card: Card) -> list[_Atom]:
    """Return "above 100 m" and "below 100 m" as depths, where the table has no elevation."""
    roles = {item.role: item for item in reversed(card.fields)}
    top, base = (roles.get(role) or roles.get("depth") for role in ("from", "to"))
    named = {field.role for _, _, field in named_places(text, card)}
    if top is None or base is None or "elevation" in roles or named & _LENGTHS:
        return []
    found = []
    for hit in _DEPTH.finditer(text):
        upper = hit["where"].casefold() in {"above", "over", "shallower than"}
        field, sign = (base, "<=") if upper else (top, ">=")
        value = _value(hit["num"], hit["unit"] if field.unit else None, field)
        shown = f"{field.name} {sign} {amount(value, field.unit)} ({hit[0].strip()})"
        found.append(
            _Atom(hit.start(), hit.end(), f"{_quoted(field.name)} {sign} {value!r}", shown)
        )
    return found


def _without(text: str, atoms: list[_Atom]) -> str:
    """Return a text with what was read blanked out, every place kept."""
    rest = list(text)
    for atom in atoms:
        rest[atom.start : atom.end] = " " * (atom.end - atom.start)
    return "".join(rest)


def _blank(hit: re.Match[str]) -> str:
    return " " * len(hit[0])


def _join(between: str) -> str:
    return "or" if re.search(r"\bor\b", between, re.IGNORECASE) else "and"


def _numeric(text: str, card: Card) -> Iterator[_Atom]:
    """Yield comparisons of number columns; each column takes the number next to it."""
    taken: list[tuple[int, int]] = []
    for start, end, field in named_places(text, card):
        atom = _atom(text, start, end, field)
        if atom and not any(a < atom.end and atom.start < b for a, b in taken):
            taken.append((atom.start, atom.end))
            yield atom


def _atom(text: str, start: int, end: int, field: Field) -> _Atom | None:
    if hit := _BETWEEN.match(text[end:]):
        unit = hit["unit"] or hit["unit0"]
        low, high = _value(hit["low"], unit, field), _value(hit["num"], unit, field)
        name = _quoted(field.name)
        words = f"{field.name} from {amount(low, '')} to {amount(high, field.unit)}"
        return _Atom(start, end + hit.end(), f"({name} >= {low!r} and {name} <= {high!r})", words)
    hit = _AFTER.match(text[end:])
    if hit:
        return _compared(hit, start, end + hit.end(), field)
    hit = _BEFORE.search(text[:start])
    return _compared(hit, hit.start(), end, field) if hit else None


def _compared(hit: re.Match[str], start: int, end: int, field: Field) -> _Atom:
    sign = next(sign for number, sign in enumerate(_SIGNS) if hit[f"s{number}"])
    value = _value(hit["num"], hit["unit"], field)
    shown = amount(value, field.unit)
    if hit["unit"] and unit_named(hit["unit"]) != field.unit:
        shown += f" ({hit['num']} {hit['unit']})"
    return _Atom(
        start, end, f"{_quoted(field.name)} {sign} {value!r}", f"{field.name} {sign} {shown}"
    )


def _value(digits: str, unit: str | None, field: Field) -> float:
    """Return a number in the column's unit."""
    value = float(digits.replace(",", ""))
    if not unit:
        return value
    try:
        times = factor(unit, field.unit)
    except Refused:
        said = f"is in {field.unit}" if field.unit else "has no unit in the file"
        raise Unread(f"{field.name} {said}; a value in {unit} cannot be compared with it") from None
    return float(f"{value * float(times):.12g}")


def text_columns(text: str) -> list[str]:
    """Return the words for columns that a text compares with words: ``where WORDS is basalt``."""
    found = [hit["what"].strip() for hit in _TEXT.finditer(text) if _is_claim(hit)]
    return found + (["hole"] if _HOLE.search(text) else [])


def _is_claim(hit: re.Match[str]) -> bool:
    """Tell whether a match can only be a condition: no element in it, no asking word."""
    if mentions(hit["what"]) or _ASKING.search(hit["what"]) or "_" in hit["what"]:
        return False
    return hit["lead"].casefold() not in {"which", "in"}


def _textual(text: str, card: Card, lookup: Lookup) -> Iterator[_Atom]:
    for hit in _TEXT.finditer(text):
        field = card.grouping(hit["what"])
        if field is not None:
            yield _equal(hit, field, lookup, bare=not hit["not"])
        elif _is_claim(hit):
            raise Unread(f"{card.title} has no column for “{hit['what'].strip()}”")
    hole = next((item for item in card.fields if item.role == "hole"), None)
    for hit in _HOLE.finditer(text):
        if hole is None:
            raise Unread(f"{card.title} has no column of holes")
        yield _equal(hit, hole, lookup, bare=True)


def _equal(hit: re.Match[str], field: Field, lookup: Lookup, *, bare: bool) -> _Atom:
    """Return the comparison of a text column with one value or several."""
    said = [word.strip("\"'“” ") for word in re.findall(_WORDS, hit["value"])]
    values = [lookup(field, word) for word in said if word.casefold() != "or"]
    literals = [json.dumps(value, ensure_ascii=False) for value in values]
    name = _quoted(field.name)
    if len(values) == 1:
        test = f"{name} {'==' if bare else '!='} {literals[0]}"
    else:
        test = f"{name} {'in' if bare else 'not in'} [{', '.join(literals)}]"
    words = f"{field.name} {'is' if bare else 'is not'} {' or '.join(values)}"
    return _Atom(hit.start(), hit.end(), test, words)


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"

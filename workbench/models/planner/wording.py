"""Numbers, lists and treatments as sentences: three digits, units, n, and what was left out."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.cards import Field
from workbench.models.planner.sourced import cited, said

_DIGITS = 3
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
# From here on thousands get a comma and decimals say nothing.
_LARGE = 1_000


def number(value: object) -> str:
    """Return a number with three significant digits and its source; ``<1`` as it is."""
    text = isinstance(value, bool) or not isinstance(value, int | float)
    if text and _BOUND.fullmatch(str(value)) is None:
        return "not known" if value is None else str(value)
    return said(_limited(str(value)) if text else _shown(value), value)  # type: ignore[arg-type]


_BOUND = re.compile(r"[<>]?-?\d[\d.,]*(?:e[+-]?\d+)?(?: to -?\d[\d.,]*)?")


def _shown(value: float) -> str:
    """Return a number without its source."""
    if not math.isfinite(value):
        return "not defined"
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}"
    if abs(value) >= _LARGE:
        return f"{round(value):,}"
    shown = f"{value:.{_DIGITS}g}"
    return f"{float(shown):,.{_decimals(shown)}f}" if "e" in shown and abs(value) > 1 else shown


def _limited(text: str) -> str:
    """Return ``>10000`` as ``>10,000``; any other text as it is."""
    sign, digits = text[:1], text[1:]
    return f"{sign}{int(digits):,}" if sign in {"<", ">"} and digits.isdigit() else text


def _decimals(shown: str) -> int:
    return max(_DIGITS - 1 - math.floor(math.log10(abs(float(shown)) or 1)), 0)


def amount(value: object, unit: str) -> str:
    """Return a number with its unit, as a report prints it."""
    return f"{number(value)} {_PRINTED.get(unit, unit)}".strip()


_PRINTED = {"pct": "%", "ug/kg": "µg/kg", "ug/g": "µg/g"}


def count_word(value: int) -> str:
    """Return a small number as a word."""
    return _WORDS[value] if 0 <= value < len(_WORDS) else f"{value:,}"


def percent(part: float, whole: float) -> str:
    """Return a share in percent, whole above 10 %."""
    share = 100 * part / whole if whole else 0.0
    shown = f"{share:.0f}" if share >= 10 or share == 0 else f"{share:.1f}"  # noqa: PLR2004 - two digits
    return f"{said(shown, part, whole)} %"


def listed(items: Sequence[str], most: int = 0) -> str:
    """Return items as ``a, b and c``; beyond `most` only their number."""
    shown = list(items)
    if most and len(shown) > most:
        return f"{', '.join(shown[:most])} and {len(shown) - most} more"
    if len(shown) > 1:
        return f"{', '.join(shown[:-1])} and {shown[-1]}"
    return "".join(shown)


def sentence(text: str) -> str:
    """Return a text that ends as a sentence and begins with a capital."""
    text = text.strip()
    if not text:
        return ""
    return f"{text[0].upper()}{text[1:]}{'' if text[-1] in '.!?' else '.'}"


def samples(count: object, noun: str = "sample") -> str:
    """Return a count with its noun in the right number."""
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def left_out(told: ToolAnswer) -> str:
    """Say how many rows were left out and why; empty where none was."""
    dropped = told.number("rows_dropped") or 0
    if not dropped:
        return ""
    reasons = told.mapping("dropped")
    named = [f"{key} ({number(n)})" for key, n in reasons.items()]
    where = listed(named if len(named) > 1 else list(reasons), 6)
    return f"{samples(dropped, 'row')} left out{f': {where}' if where else ''}."


def censored(told: ToolAnswer) -> str:
    """Say how many values were below or above a limit and how they were treated."""
    parts = []
    for name, counts in told.mapping("censored").items():
        sides = [
            f"{number(counts[side])} {words}"
            for side, words in (("below", "below detection"), ("above", "over range"))
            if isinstance(counts, dict) and counts.get(side)
        ]
        if sides:
            parts.append(f"{name} {' and '.join(sides)}")
    if not parts:
        return ""
    policy = cited(told.text("policy"))
    return f"Values at a limit: {listed(parts, 6)}{f' (treatment: {policy})' if policy else ''}."


def treatment(told: ToolAnswer) -> str:
    """Say what was left out and how limits were treated, in one or two sentences."""
    none = "No value is reported as below or above a limit."
    at_limit = censored(told) or (none if "censored" in told.facts else "")
    return " ".join(part for part in (left_out(told), at_limit) if part)


def treatments(answers: Sequence[ToolAnswer]) -> str:
    """Say it for several answers of one tool: each reason once, all columns together."""
    lost = dict.fromkeys(part for part in map(left_out, answers) if part)
    merged = {name: counts for told in answers for name, counts in told.mapping("censored").items()}
    told = {"censored": merged, "policy": answers[0].text("policy")}
    whole = ToolAnswer(told if any("censored" in each.facts for each in answers) else {})
    return " ".join([*lost, treatment(whole)])


def paths(pairs: Iterable[tuple[str, str]]) -> str:
    """Return ``what: path`` pairs as one line; pairs without a path are left out."""
    there = [f"{what} {path}" for what, path in pairs if path]
    return sentence("; ".join(there)) if there else ""


def units(fields: Iterable[Field]) -> dict[str, str]:
    """Return column name → unit."""
    return {item.name: item.unit for item in fields}

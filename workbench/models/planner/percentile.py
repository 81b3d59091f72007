"""Percentiles that a question names: told where they are worked out, else said to be none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.wording import amount, listed

_SHARE = r"\d{1,2}(?:\.\d{1,3})?"
_NAMED = re.compile(
    rf"\bp({_SHARE})\b(?!\.\d)|(?<![\w.])({_SHARE})(?:st|nd|rd|th)\b"
    rf"|(?<![\w.])({_SHARE}) ?%? ?(?:percentile|quantile)",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"percentile|quantile|\bp\d\d\b", re.IGNORECASE)
_ENDS = {"1": "st", "2": "nd", "3": "rd"}


def asked(text: str) -> tuple[str, ...]:
    """Return the percentiles that a text names, such as `90` of "the 90th percentile"."""
    if not _ABOUT.search(text):
        return ()
    return tuple(dict.fromkeys("".join(hit) for hit in _NAMED.findall(text)))


def more(wanted: tuple[str, ...], told: Mapping[str, Any], lead: str, unit: str) -> str:
    """Tell percentiles that were asked for beside those that a sentence always has."""
    return "".join(
        f", {_ordinal(share)} percentile {amount(told[lead + share], unit)}"
        for share in wanted
        if lead + share in told
    )


def missing(wanted: tuple[str, ...], told: ToolAnswer, keys: str, lead: str = "") -> str:
    """Say which percentiles were asked for and are none of those that a call works out."""
    facts = (value for key, value in told.facts.items() if key.startswith(keys))
    first = next((value for value in facts if isinstance(value, dict)), {})
    known = {key.removeprefix(lead) for key in first if key.removeprefix(lead).isdigit()}
    lacking = [_ordinal(share) for share in wanted if share not in {*known, "50"}]
    if not known or not lacking:
        return ""
    have = listed([_ordinal(share) for share in sorted({*known, "50"}, key=int)])
    return f"Not worked out here: the {listed(lacking)} percentile; what is: {have}"


def _ordinal(share: str) -> str:
    ten = len(share) > 1 and share[0] == "1"
    return share + ("th" if ten else _ENDS.get(share[-1], "th"))

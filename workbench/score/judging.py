"""Whether an answer has in it what a right one has: numbers within rounding, names as they are."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workbench.score import registry

if TYPE_CHECKING:
    from workbench.answer import Answer
    from workbench.score.rawfiles import Raw
    from workbench.score.registry import Value

# Between a number and the text round it stands no letter, so that sample names are no numbers.
_NUMBER = re.compile(r"(?<![\w.])(?<!\w[-+−])[-+−]?\d[\d,]*\.?\d*(?:[eE][-+]?\d+)?(?![\w])")
# A number may be as far off as three digits of it allow.
_WITHIN = 0.005
_MADE = {"figure": "plotly", "table": "csv"}
_OWN = frozenset({"value", "within", "times", "made", "rows_of"})


def missing(raw: Raw, expected: Sequence[Mapping[str, Any]], answer: Answer) -> list[str]:
    """Return what a right answer has and this one has not, in words.

    Parameters
    ----------
    raw : Raw
        The raw files.
    expected : sequence of mapping
        As a question lists them.
    answer : Answer
        What came.
    """
    found: list[str] = []
    for item in expected:
        if "made" in item:
            found += _unmade(raw, item, answer)
            continue
        named = {key: value for key, value in item.items() if key not in _OWN}
        right = registry.find(item["value"])(raw, **named)
        within = float(item.get("within", _WITHIN))
        found += [
            f"{item['value']}: {_said(value)}"
            for value in (_times(one, float(item.get("times", 1))) for one in right)
            if not given(value, answer.text, within)
        ]
    return found


def _times(value: Value, factor: float) -> Value:
    return value if isinstance(value, str) else value * factor


def _said(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


def given(value: Value, text: str, within: float = _WITHIN) -> bool:
    """Tell whether a text has a number, as near as it is rounded there, or a name."""
    if isinstance(value, str):
        return (
            re.search(rf"(?<![^\W_]){re.escape(value)}(?![^\W_])", text, re.IGNORECASE) is not None
        )
    return any(_near(value, word, within) for word in _NUMBER.findall(text))


def _near(value: float, word: str, within: float) -> bool:
    plain = word.replace(",", "").replace("−", "-").rstrip(".")
    try:
        number = float(plain)
    except ValueError:
        return False
    if value == int(value) and abs(value) >= 1:
        return number == value  # a count is right or it is not
    places = len(plain.partition(".")[2])
    # As it is rounded, but never to less than two digits: "0" stands for no share of 0.4.
    digits = len(plain.replace(".", "").replace("-", "").strip("0"))
    rounded = digits > 1 and abs(number - value) <= 0.5 * 10.0**-places * (1 + 1e-9)
    return rounded or math.isclose(number, value, rel_tol=within)


def _unmade(raw: Raw, item: Mapping[str, Any], answer: Answer) -> list[str]:
    kind = _MADE[item["made"]]
    made = [one for one in answer.view["artefacts"] if kind in str(one["media_type"])]
    if not made:
        return [f"no {item['made']} was made"]
    if "rows_of" in item:
        most = len(raw.table(item["rows_of"]))
        # Rows that cannot be used may be left out, but not most of them.
        if not any(one["rows"] and most / 2 <= one["rows"] <= most for one in made):
            return [f"no {item['made']} has the rows of {item['rows_of']}"]
    return []

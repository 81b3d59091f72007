"""Correlation: what goes with an element, or how elements go together; strongest pairs first."""

from __future__ import annotations

import re

from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.cards import Field
from workbench.models.planner.symbols import spoken
from workbench.models.planner.wording import listed, number, paths, samples, treatment
from workbench.models.planner.work import CannotAnswer, Finding, Work

_SHOWN = 5
# A weaker coefficient is no relation that is worth a word.
_WEAK = 0.3


def correlate(work: Work) -> Finding:
    """Answer what goes with an element, or how elements go together."""
    fields = work.need(0, "correlation")
    if not fields and not re.search(
        r"\btogether\b|\beach other\b|\belements\b", work.text, re.IGNORECASE
    ):
        raise CannotAnswer(f"correlation: name the element; {work.card.near('')}")
    if len(fields) == 1:
        arguments: dict[str, object] = {"target": fields[0].name}
    else:
        arguments = {"columns": [item.name for item in fields]} if fields else {}
    told = work.call("correlate", **arguments, **_method_asked(work.text))
    pairs = _pairs(told)
    if not pairs:
        raise CannotAnswer("correlation: no pair has enough samples with numbers in both columns")
    lead = _with_target(fields[0], pairs) if len(fields) == 1 else _strongest(pairs, len(fields))
    count = samples(told.number("pairs") or len(pairs), "pair")
    logs = " of logarithms" if told.text("transform") == "log" else ""
    how = f"{told.text('method').capitalize()} correlation{logs}"
    method = f"{how}, {count} computed, values at a limit left out. Correlation is not cause."
    files = paths([("Pairs:", told.text("output"))])
    return Finding((f"{lead} {method}", *work.closing(treatment(told), files)))


def _method_asked(text: str) -> dict[str, object]:
    """Return method and transform as a question names them; ranks of the values if it does not.

    Raises
    ------
    CannotAnswer
        For a coefficient that is not made here.
    """
    if re.search(r"\bkendall|\bpartial\b", text, re.IGNORECASE):
        raise CannotAnswer("correlation: only Spearman and Pearson are made here; ask for one")
    if not re.search(r"\bpearson|\bproduct[- ]moment", text, re.IGNORECASE):
        return {"transform": "raw"}
    linear = re.search(r"\b(?:without|no|not) log", text, re.IGNORECASE)
    logs = not linear and re.search(r"\blog(?:s|10|arithm\w*|ged|-\w+)?\b", text, re.IGNORECASE)
    return {"method": "pearson", "transform": "log" if logs else "raw"}


def _pairs(told: ToolAnswer) -> list[tuple[str, str, float, object]]:
    """Return the pairs of an answer, strongest first."""
    found = []
    for key, value in told.facts.items():
        if key.startswith("pair ") and isinstance(value, dict):
            first, _, second = key.removeprefix("pair ").partition(" | ")
            r = value.get("r")
            if isinstance(r, int | float):
                found.append((first, second, float(r), value.get("n")))
    return sorted(found, key=lambda pair: -abs(pair[2]))


def _with_target(item: Field, pairs: list[tuple[str, str, float, object]]) -> str:
    what = spoken(item.element) if item.element else item.name
    strong = [pair for pair in pairs if abs(pair[2]) >= _WEAK][:_SHOWN]
    if not strong:
        return (
            f"Nothing correlates with {what} beyond ±{_WEAK} (strongest {_pair(pairs[0], item)})."
        )
    return f"With {what} correlate most: {listed([_pair(pair, item) for pair in strong])}."


def _pair(pair: tuple[str, str, float, object], item: Field) -> str:
    other = pair[1] if pair[0] == item.name else pair[0]
    return f"{other} ({pair[2]:+.2f}, n {number(pair[3])})"


def _strongest(pairs: list[tuple[str, str, float, object]], asked: int) -> str:
    shown = [f"{a} and {b} {r:+.2f} (n {number(n)})" for a, b, r, n in pairs[:_SHOWN]]
    pair = asked == 2  # noqa: PLR2004 - a pair
    return f"{'Correlation of' if pair else 'Strongest pairs:'} {'; '.join(shown)}."

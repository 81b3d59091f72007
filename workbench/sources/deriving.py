"""Numbers derived from other numbers of an answer: ratio, share, difference, count of the rest.

Computed here from what the claims below them came to, never from what a text says; a number rests
on others no better than they hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from workbench.sources.claims import Claim

_SIGNS = {"ratio": " ÷ ", "share": " in percent of ", "difference": " − ", "rest": " − "}
_TWO = frozenset({"ratio", "share", "difference"})


def derived(claim: Claim, known: Mapping[str, Claim]) -> Claim:
    """Return a claim on claims, judged.

    Parameters
    ----------
    claim : Claim
        With its `parts` as ids of the run.
    known : mapping
        Id → claim, judged.
    """
    parts = [known.get(key) for key in claim.parts]
    for key, part in zip(claim.parts, parts, strict=True):
        if part is None or part.parts:
            return claim.failed(f"from names no claim {key} on a file or call")
        if part.status == "unchecked":
            return claim.unchecked(f"claim {key}, which it rests on, was not checked")
        if part.status == "failed":
            return claim.failed(f"claim {key}, which it rests on, does not hold")
    if claim.statistic in _TWO and len(parts) != 2:  # noqa: PLR2004 - one and another
        return claim.failed(f"a {claim.statistic} is taken of two claims")
    try:
        numbers = [Decimal(part.found) for part in parts if part is not None]
        found = _computed(claim.statistic, numbers)
    except (InvalidOperation, ZeroDivisionError):
        return claim.failed(f"no {claim.statistic} can be taken of what it rests on")
    words = _SIGNS[claim.statistic].join(map(str, numbers))
    return claim.judged([(int(found) if found == int(found) else float(found), words)])


def _computed(way: str, numbers: list[Decimal]) -> Decimal:
    first, *others = numbers
    if way == "rest":
        return first - sum(others)
    if way == "difference":
        return first - others[0]
    if not others[0]:
        raise ZeroDivisionError
    return first / others[0] * (100 if way == "share" else 1)

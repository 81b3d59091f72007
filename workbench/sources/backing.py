"""How the numbers of an answer are backed, in words: computed again, failed, without a source.

The one place that counts them: card, plain text, command line and report say what stands here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_SHOWN = 8


@dataclass(frozen=True)
class Number:
    """One number of an answer.

    Attributes
    ----------
    text : str
        As it stands there.
    state : str
        ``verified``, ``failed``, ``unchecked`` or ``no source``.
    source : str
        What it was computed from, in one sentence; empty where it has no source.
    start, end : int
        Where it stands, in characters.
    """

    text: str
    state: str
    source: str
    start: int
    end: int


def numbers(view: Mapping[str, Any]) -> list[Number]:
    """Return the numbers of the answer of a run, in order."""
    claims = {str(one.get("id")): one for one in view.get("claims") or ()}
    text, found, end = str(view["answer"]), [], 0
    for place in view.get("numbers") or ():
        start, stop = int(place[0]), int(place[1])
        if end <= start < stop <= len(text):
            claim = claims.get(str(place[2])) if place[2] else None
            state = str(claim["status"]) if claim else "no source"
            said = source(claim) if claim else ""
            found.append(Number(text[start:stop], state, said, start, stop))
            end = stop
    return found


def source(claim: Mapping[str, Any]) -> str:
    """Say what a claimed number was computed from and what came of computing it again."""
    what = str(claim.get("what") or claim.get("statistic") or "")
    file = str(claim.get("artefact") or claim.get("path") or "")
    basis = str(claim.get("basis") or "")
    again = {
        "verified": f"computed again: {claim.get('found', '')}",
        "failed": f"check failed: {claim.get('reason', '')}",
    }.get(str(claim.get("status")), f"not checked: {claim.get('reason', '')}")
    of = f"{what}; from {file}" if file else what
    return f"{of}; {again}{f' ({basis})' if basis else ''}"


def summary(view: Mapping[str, Any]) -> str:
    """Say in one sentence how the numbers of an answer are backed; empty where it has none."""
    every = numbers(view)
    count = Counter(number.state for number in every)
    parts = []
    if count["verified"]:
        # A claim may stand in several places, as a group's size does.
        used = len({str(place[2]) for place in view["numbers"] if place[2]})
        by = f" by {used} claims" if used != len(every) - count["no source"] else ""
        parts.append(f"{count['verified']} computed again and equal{by}")
    if count["failed"]:
        parts.append(f"{count['failed']} FAILED ({_listed(every, 'failed')})")
    if count["unchecked"]:
        parts.append(f"{count['unchecked']} not checked ({_listed(every, 'unchecked')})")
    if count["no source"]:
        parts.append(f"{count['no source']} without a source ({_listed(every, 'no source')})")
    return f"numbers: {', '.join(parts)}" if parts else ""


def _listed(every: list[Number], state: str) -> str:
    texts = list(dict.fromkeys(number.text for number in every if number.state == state))
    more = f" and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""
    return f"{'; '.join(texts[:_SHOWN])}{more}"

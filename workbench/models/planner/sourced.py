"""Numbers that know which fact of which answer they are, from the answer to the words.

A worded number carries its source within the text, in signs that no text has; when the planner
finishes, each becomes a claim and stands as ``{{claim:N}}``. What is computed anew has no source.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workbench.sources.placing import NUMBER, numbers_in

# From the private area: whatever of it stands in an answer is taken out when that is read.
_OPEN, _CLOSE = "\ue000", "\ue001"
_TOKEN = re.compile(f"{_OPEN}([0-9a-f]*){_CLOSE}")
# As the limit on claims: what is beyond it keeps its number and has no source.
_MOST = 200


@dataclass(frozen=True)
class Source:
    """A fact of an answer: id of the call, names one below the other."""

    call: str
    fact: tuple[str, ...]


class Whole(int):
    """A whole number with its source."""

    source: Source


class Real(float):
    """A number with its source."""

    source: Source


class Words(str):
    """A text with its source, whose numbers are told by their place in the whole of it."""

    __slots__ = ("source", "whole")
    source: Source
    whole: str

    def part(self, piece: str) -> Words:
        """Return a piece of the text, its numbers still those of the whole."""
        return _words(piece, self.source, self.whole)


def _words(text: str, source: Source, whole: str) -> Words:
    made = Words(text)
    made.source, made.whole = source, whole
    return made


def traced(value: Any, source: Source) -> Any:  # noqa: ANN401 - JSON values
    """Return a JSON value of an answer whose numbers and texts know where they are from."""
    if isinstance(value, dict):
        return {key: traced(item, _below(source, key)) for key, item in value.items()}
    if isinstance(value, list):
        return [traced(item, _below(source, str(n))) for n, item in enumerate(value)]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str):
        return _words(value, source, value)
    made = Whole(value) if isinstance(value, int) else Real(value)
    made.source = source
    return made


def _below(source: Source, key: str) -> Source:
    return Source(source.call, (*source.fact, str(key)))


def whole(value: float) -> int:
    """Return a number as a whole one, which keeps its source."""
    if isinstance(value, Whole):
        return value
    made = Whole(value)
    if isinstance(value, Real):
        made.source = value.source
    return made


def source_of(value: object) -> Source | None:
    """Return the source of a number or text, or None."""
    found = getattr(value, "source", None)
    return found if isinstance(found, Source) else None


def said(shown: str, value: object, of: object = None) -> str:
    """Return a number as it is worded, with its source; in percent of another, where given."""
    source, whole_of = source_of(value), source_of(of)
    if source is None or not source.call or len(source.fact) > 4:  # noqa: PLR2004 - as a claim may be deep
        return shown
    claim: dict[str, Any] = {"value": shown, "call": source.call, "fact": list(source.fact)}
    if of is not None:
        if whole_of is None or whole_of.call != source.call:
            return shown
        claim["of"] = list(whole_of.fact)
    return f"{_OPEN}{json.dumps(claim).encode().hex()}{_CLOSE}"


def rest(shown: str, whole: object, parts: Sequence[object]) -> str:
    """Return what is left of a count, as it is worded, resting on the counts it is left of."""
    claims = []
    for value in (whole, *parts):
        source = source_of(value)
        if source is None or not source.call:
            return shown
        claims.append({"value": str(value), "call": source.call, "fact": list(source.fact)})
    claim = {"value": shown, "statistic": "rest", "from": claims}
    return f"{_OPEN}{json.dumps(claim).encode().hex()}{_CLOSE}"


def cited(text: str) -> str:
    """Return a text of an answer with the source of each number in it."""
    source = source_of(text)
    if source is None or not isinstance(text, Words):
        return text
    there = numbers_in(text.whole)
    if text.whole.strip() in there and len(there) == 1:
        return said(str(text), text)

    def put(hit: re.Match[str]) -> str:
        shown = hit[0].replace(" ", "")
        if shown not in there:
            return hit[0]
        place = Whole(0)
        place.source = _below(source, str(there.index(shown)))
        return said(shown, place)

    return NUMBER.sub(put, str(text))


def without(text: str) -> str:
    """Return a text without the signs that sources are carried in."""
    return text.replace(_OPEN, "").replace(_CLOSE, "")


def plain(text: str) -> str:
    """Return worded text as a person reads it."""
    return _TOKEN.sub(lambda hit: str(_claim(hit)["value"]), text)


def claimed(texts: Sequence[str]) -> tuple[list[str], list[dict[str, Any]]]:
    """Return texts with ``{{claim:N}}`` in them, and the claims; each fact is claimed once."""
    numbers: dict[str, int] = {}
    claims: list[dict[str, Any]] = []

    def entered(claim: dict[str, Any]) -> int:
        """Return the number of a claim, entered with those it rests on at its first mention."""
        key = json.dumps(claim)
        if key not in numbers:
            below = [entered(part) for part in claim.get("from", ())]
            claims.append({**claim, "from": below} if below else claim)
            numbers[key] = len(claims)
        return numbers[key]

    def put(hit: re.Match[str]) -> str:
        claim = _claim(hit)
        if json.dumps(claim) not in numbers and len(claims) + len(claim.get("from", ())) >= _MOST:
            return str(claim["value"])
        return f"{{{{claim:{entered(claim)}}}}}"

    return [_TOKEN.sub(put, text) for text in texts], claims


def _claim(hit: re.Match[str]) -> dict[str, Any]:
    return dict(json.loads(bytes.fromhex(hit[1])))

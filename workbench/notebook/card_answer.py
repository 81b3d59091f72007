"""The answer in the card: its words, each number with what it was computed from.

A number that holds looks like any other until one points at it; one without a source, or whose
check failed, is marked. Nothing here is markup from the text: every piece is text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from workbench.notebook import card_tables
from workbench.notebook.card_loops import short
from workbench.notebook.nodes import Node, node
from workbench.sources import backing
from workbench.sources.backing import Number
from workbench.visible import visible

_LOOKS = {"verified": "wb-held", "failed": "wb-failed", "unchecked": "wb-unchecked"}
_WORDS = {"verified": "equal", "failed": "failed", "unchecked": "not checked"}
_NO_SOURCE = "no source: nothing that was computed stands behind this number"
# A longer table is no answer to "where is this number from"; the whole is in run.json.
_LISTED = 200


def answer(view: Mapping[str, Any], heading: str) -> Node | None:
    """Return the words of the answer with their numbers marked, and what stands behind them.

    Parameters
    ----------
    view : mapping
        The view model.
    heading : str
        First line that is left out, since the card says it already.
    """
    pieces = list(_pieces(view, heading))
    if not pieces:
        return None
    words = node("pre", "wb-answer", *pieces)
    proof = _proof(view)
    return words if proof is None else node("div", "wb-answered", words, proof)


def _pieces(view: Mapping[str, Any], heading: str) -> Iterator[Node | str]:
    text = str(view["answer"])
    begin, end = _span(text, heading)
    for number in backing.numbers(view):
        if begin <= number.start and number.end <= end:
            yield from _words(text[begin : number.start])
            yield _number(number)
            begin = number.end
    yield from _words(text[begin:end])


def _span(text: str, heading: str) -> tuple[int, int]:
    """Return where the words begin and end that are shown."""
    begin = len(text) - len(text.lstrip("\n"))
    first = text[begin:].partition("\n")[0]
    if heading and first.strip() == heading:
        begin += len(first)
    begin += len(text[begin:]) - len(text[begin:].lstrip("\n"))
    return begin, max(begin, len(text.rstrip("\n")))


def _words(text: str) -> Iterator[str]:
    if text:
        yield visible(text, keep="\n\t")


def _number(number: Number) -> Node:
    look = _LOOKS.get(number.state, "wb-nosource")
    said = short(number.source, 300) or _NO_SOURCE
    return node("span", f"wb-claim {look}", visible(number.text), title=said, tabindex="-1")


def _proof(view: Mapping[str, Any]) -> Node | None:
    """Return one line on all numbers, which opens as a table of those that have a source."""
    said = backing.summary(view)
    if not said:
        return None
    claims = {str(item.get("id")): item for item in view.get("claims") or ()}
    keys = dict.fromkeys(str(place[2]) for place in view.get("numbers") or () if place[2])
    used = [claims[key] for key in keys if key in claims][:_LISTED]
    line = said[0].upper() + said[1:]
    if not used:
        return node("p", "wb-quiet wb-proof", line)
    columns = [("Number", "wb-right"), ("What it is", ""), ("From", "wb-mono"), ("Check", "")]
    rows: list[list[Node | str]] = [
        [
            short(str(item.get("value", "")), 40),
            short(str(item.get("what", "")), 160),
            short(str(item.get("artefact", "")), 80),
            _WORDS.get(str(item.get("status")), "not checked"),
        ]
        for item in used
    ]
    table = node("div", "wb-tall", card_tables.grid("wb-claims", columns, rows), tabindex="0")
    return node("details", "wb-more wb-proof", node("summary", "", line), table)

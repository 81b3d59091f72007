"""Numbers of claims in a text: put in their places by code, and the rest told from them.

A result names a claim as ``{{claim:3}}``. Between agents it is written with the id that holds in
the whole run and the number itself, ``{{claim:d01.3=49}}``; what stands after the sign is never
read again. In the answer the number stands alone, and its place is noted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from workbench.sources.claims import Claim

_TOKEN = re.compile(
    r"\{\{\s*claim\s*:\s*([A-Za-z]*\d*\.?\d{1,5})\s*(?:=[^{}\n]{0,80})?\}\}", re.ASCII
)
# A number that stands by itself: no part of a name, an id, a path, a date or a version.
NUMBER = re.compile(
    r"(?<![\w./\-:§#@])(?<!\d,)(?:[<>≤≥±~]\s?)?[+\-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
    r"(?:[eE][+-]?\d+)?(?!\d|\w*[A-Za-z_]\w*\d|\w*_|\.\d|[/:\-]\w|,\d{3})"
)


@dataclass(frozen=True)
class Mark:
    """A number of an answer.

    Attributes
    ----------
    start, end : int
        Where it stands in the answer, in characters.
    claim : str
        Id of its claim, or empty where it has no source.
    """

    start: int
    end: int
    claim: str


def named(text: str) -> list[str]:
    """Return the ids of the claims that a text names, in order."""
    return [hit[1] for hit in _TOKEN.finditer(text)]


def numbered(text: str, claims: Mapping[str, Claim]) -> str:
    """Return the text of a result as other agents get it: ids of the run, and the numbers.

    Parameters
    ----------
    text : str
        As its agent wrote it.
    claims : mapping
        Number as the agent gave it (``3``) or id of the run → claim.
    """

    def token(hit: re.Match[str]) -> str:
        claim = claims.get(hit[1])
        return hit[0] if claim is None else f"{{{{claim:{claim.id}={said(claim)}}}}}"

    return _TOKEN.sub(token, text)


def said(claim: Claim) -> str:
    """Return the number of a claim as it stands in a text; one that failed says so there."""
    value = claim.value or "?"
    if claim.status != "failed":
        return value
    return f"{value} [check failed: {claim.reason or 'not confirmed'}]".translate(_NO_BRACES)


_NO_BRACES = str.maketrans("{}\n", "() ")


def placed(text: str, claims: Mapping[str, Claim]) -> tuple[str, tuple[Mark, ...]]:
    """Put the numbers in their places.

    Parameters
    ----------
    text : str
        With ids of the run.
    claims : mapping
        Id → claim.

    Returns
    -------
    text : str
        As a person reads it. What names no claim of the run stays as it is.
    marks : tuple of Mark
        Where the numbers stand.
    """
    parts: list[str] = []
    marks: list[Mark] = []
    size = end = 0
    for hit in _TOKEN.finditer(text):
        claim = claims.get(hit[1])
        if claim is None:
            continue
        before, number = text[end : hit.start()], said(claim)
        size += len(before)
        marks.append(Mark(size, size + len(number), claim.id))
        parts += [before, number]
        size += len(number)
        end = hit.end()
    return "".join([*parts, text[end:]]), tuple(marks)


def plain(text: str) -> str:
    """Return a text between agents as a person would read it, without the ids."""
    return re.sub(r"\{\{claim:[\w.]+=([^{}\n]*)\}\}", r"\1", text)


def around(text: str, key: str) -> str:
    """Return the sentence of a text in which a claim is named."""
    pieces = re.split(r"(?<=[.;:!?])\s+|\n+", text)
    return next((piece.strip() for piece in pieces if key in named(piece)), text.strip())


def numbers_in(text: str) -> list[str]:
    """Return the numbers that stand by themselves in a text, without blanks."""
    return [hit[0].replace(" ", "") for hit in NUMBER.finditer(text)]

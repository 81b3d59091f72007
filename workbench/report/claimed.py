"""The numbers of an answer in a report: each led to its claim, and those without one marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from workbench.report.words import line, mono, paragraphs, table
from workbench.sources import backing

# The heading that numbers lead to; notebooks and the page know it by this name.
ANCHOR = "#Claims"
_NO_SOURCE = "no source"
_LEGEND = "*A question mark: no claim ties the number before it to a file.*"
_MOST = 200
_UNSAFE = re.compile(r"[^\w .,:;%/=+-]+")
_TITLE = 160


def answer(view: Mapping[str, Any]) -> str:
    """Return the answer of a run as Markdown: its words are text, its numbers lead to claims."""
    text = str(view["answer"])
    claims = {str(one.get("id")): one for one in view["claims"] if isinstance(one, dict)}
    parts: list[str] = []
    marks: list[tuple[str, str]] = []
    at = 0
    sign = _sign(text)
    for start, end, claim in _numbers(view, len(text)):
        if start >= at:
            mark = f"{sign}{len(marks)}x"
            marks.append((mark, _number(text[start:end], claims.get(claim))))
            parts += [text[at:start], mark]
            at = end
    words = paragraphs("".join([*parts, text[at:]]))
    for mark, shown in marks:
        words = words.replace(mark, shown, 1)
    return f"{words}\n\n{_LEGEND}" if any("[*?*]" in shown for _, shown in marks) else words


def _sign(text: str) -> str:
    """Return a word that the text does not hold; what stands for a number has to be told."""
    number = 0
    while f"Wb{number}q" in text:
        number += 1
    return f"Wb{number}q"


def _numbers(view: Mapping[str, Any], length: int) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and claim of each number of the answer; what is no such entry is none."""
    for entry in view.get("numbers") or ():
        if isinstance(entry, list | tuple) and len(entry) == 3:  # noqa: PLR2004 - start, end, claim
            start, end, claim = entry
            if isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= length:
                yield start, end, str(claim)


def _number(text: str, claim: Mapping[str, Any] | None) -> str:
    """Return a number that leads to its claim and says on hovering what it is."""
    shown = line(text)
    if claim is None:
        return f'{shown}[*?*]({ANCHOR} "{_NO_SOURCE}")'
    status = str(claim.get("status") or "unchecked")
    failed = "" if status == "verified" else f" *{line(status)}*"
    found = claim.get("reason") or claim.get("found") or ""
    said = f"{claim.get('id')}: {claim.get('what') or claim.get('text')}; {status}: {found}"
    return f'[{shown}{failed}]({ANCHOR} "{_title(said)}")'


def _title(text: str) -> str:
    """Return words as a link's title may hold them: what could end it is left out."""
    return _UNSAFE.sub(" ", text)[:_TITLE].strip()


def table_of(view: Mapping[str, Any]) -> str:
    """Return the claims as a section; empty where the answer has no number to be told of."""
    claims = [one for one in view["claims"] if isinstance(one, dict)]
    numbers = list(_numbers(view, len(str(view["answer"]))))
    without = sum(not claim for _, _, claim in numbers)
    if not claims and not without:
        return ""
    parts = ["## Claims"]
    verified = sum(one.get("status") == "verified" for one in claims)
    if claims:
        said = f"{verified} of {len(claims)} claims hold: each was computed again from its file."
        if counted := backing.summary(view):
            said = f"{line(counted[:1].upper() + counted[1:])}. {said}"
        parts.append(said)
        parts.append(_rows(claims))
    if without:
        parts.append(
            f"Numbers of the answer with {_NO_SOURCE}, marked by a question mark: {without}. No "
            "claim ties them to a file; the calls above show where they came from."
        )
    return "\n\n".join(parts)


def _rows(claims: list[dict[str, Any]]) -> str:
    rows = [
        (
            mono(one.get("id", "")),
            line(one.get("value", "")),
            line(one.get("what") or one.get("text") or ""),
            mono(one.get("artefact") or one.get("call") or ""),
            line(one.get("status", "")),
            line(one.get("reason") or one.get("found") or ""),
        )
        for one in claims[:_MOST]
    ]
    made = table(("claim", "value", "what it is", "of", "status", "computed again"), rows, (1,))
    more = len(claims) - len(rows)
    return made + (f"\n\nAnd {more:,} more; all are in the metadata." if more > 0 else "")

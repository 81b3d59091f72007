"""A question taken apart into clauses, each of one kind, each with the elements it names.

A clause begins where a new kind of request begins; lists of elements, filler and "them" stay with
the clause they belong to. A piece that asks for something unknown is kept as such and told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from workbench.models.planner.range import BY_KIND, is_beyond, kind_of
from workbench.models.planner.symbols import mentions

_BREAK = re.compile(
    r"(?:(?<=[A-Za-z0-9)])[.?!](?=\s|$)|[;\n]+|,(?!\d)\s*(?:and\s+)?(?:then\s+)?"
    r"|\s+(?:and\s+)?then\s+|\s+and\s+(?:also\s+)?)\s*"
)
_LEADS = re.compile(
    r"^(?:please\s+|also\s+|can you\s+|could you\s+|now\s+|i want to\s+|i want\s+|let us\s+)*"
    r"(?:tell|give|show|which|what|how|why|who|when|where|plot|draw|make|list|find|count|compute|"
    r"calculate|correlate|filter|keep|select|cluster|group|describe|summari[sz]e|map|scatter|"
    r"rank|compare|explain|interpret|model|predict|classify|name|convert|krige|grid|composite|"
    r"write|report|run|test|check|is|are|do|does|should|can)\b",
    re.IGNORECASE,
)
# "…, with non-detects treated properly" says how the clause before it is to be answered.
_HOW = {"censored": "summary"}
_WHY = re.compile(r",?\s+and\s+why(?=\s*(?:[?.!]|\(|$))", re.IGNORECASE)
_THEM = re.compile(r"\b(?:them|they|it|these|those|both|its|their)\b", re.IGNORECASE)
_GROUPS = re.compile(
    r"\b(?:the|these|those|each|by|my) (?:\w+ )?(?:groups?|clusters?)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Clause:
    """One request within a question.

    Attributes
    ----------
    kind : str or None
        Kind of `workbench.models.planner.range.RANGE`, or None where it is outside the range.
    text : str
        Its words.
    profile : bool
        True for a grouping whose groups are to be described.
    follows : bool
        True where it works on groups that an earlier clause makes.
    """

    kind: str | None
    text: str
    profile: bool = False
    follows: bool = False

    @property
    def agent(self) -> str:
        """The specialist who answers it; empty where it is outside the range."""
        return BY_KIND[self.kind].agent if self.kind else ""


def split(question: str, earlier: tuple[str, ...] = ()) -> list[Clause]:
    """Take a question apart.

    Parameters
    ----------
    question : str
        As the analyst wrote it.
    earlier : tuple of str, optional
        Questions asked before, for "them" and "it".

    Returns
    -------
    list of Clause
        In the order of the question; a question outside the range is one clause without kind.
    """
    if kind_of(question) == "sql":
        return [Clause("sql", question.strip())]
    if kind_of(question) == "missing":
        # The reasons are always told.
        question = _WHY.sub("", question)
    clauses = [_together(clause) for clause in _joined(_pieces(question))]
    return _follow(_with_elements(_with_levels(_with_profiles(clauses)), earlier))


def _together(clause: Clause) -> Clause:
    """Return a clause about single elements as one about all of them, where its end says so."""
    if clause.kind in {"anomaly", "top"} and kind_of(clause.text) == "index":
        return replace(clause, kind="index")
    return clause


def _pieces(question: str) -> list[str]:
    """Return the pieces between breaks, each with the mark that ended it."""
    pieces, start = [], 0
    for hit in _BREAK.finditer(question):
        pieces.append(question[start : hit.end()])
        start = hit.end()
    pieces.append(question[start:])
    return [piece for piece in pieces if piece.strip()]


def _joined(pieces: list[str]) -> list[Clause]:
    """Join pieces that go on with a clause; begin a clause where a new request begins."""
    clauses: list[Clause] = []
    opening = ""
    for piece in pieces:
        kind = kind_of(piece)
        leads = bool(_LEADS.match(piece.strip()))
        last = clauses[-1] if clauses else None
        if last is None and kind is None and not leads:
            # "Using the soil data, map gold": what stands before the first request belongs to it.
            opening += piece
        elif last is None or _begins(piece, kind, last, leads=leads):
            whole_kind = kind_of(opening + piece) if opening else None
            clauses.append(Clause(whole_kind or kind, opening + piece))
            opening = ""
        else:
            whole = last.text + piece
            how = kind if kind and _HOW.get(kind) == last.kind else last.kind
            clauses[-1] = replace(last, text=whole, kind=how or kind)
    if opening:
        clauses.append(Clause(None, opening))
    made = [replace(clause, text=_trim(clause.text)) for clause in clauses]
    # What no piece of a clause asks for by itself may be asked for by all of it.
    return [replace(c, kind=None if is_beyond(c.text) else c.kind or kind_of(c.text)) for c in made]


def _begins(piece: str, kind: str | None, last: Clause, *, leads: bool) -> bool:
    """Tell whether a piece begins a new clause after `last`."""
    if kind is None:
        return leads
    if kind == last.kind:
        return leads and bool(mentions(piece))
    if _HOW.get(kind) == last.kind:
        return leads
    # "map gold above 100 ppb and below 500": a second condition is no new request.
    return leads or kind not in {"filter", "limits"}


def _trim(text: str) -> str:
    text = re.sub(r"(?:[\s,;]+(?:and|then|also)?)+$", "", text.strip())
    return text.strip()


def _with_profiles(clauses: list[Clause]) -> list[Clause]:
    """Fold "what each group is" into the grouping it asks about."""
    kept: list[Clause] = []
    for clause in clauses:
        before = next((n for n, item in enumerate(kept) if item.kind == "cluster"), None)
        if clause.kind == "profile" and before is not None:
            kept[before] = replace(
                kept[before], text=f"{kept[before].text}, {clause.text}", profile=True
            )
        elif clause.kind == "profile":
            kept.append(replace(clause, kind=None))
        else:
            kept.append(clause)
    return kept


# Kinds whose answer tells the level of the column that they make.
_MAKES = frozenset({"iron", "best", "ratio"})


def _with_levels(clauses: list[Clause]) -> list[Clause]:
    """Fold "what is its median?" into the clause that makes the column."""
    kept: list[Clause] = []
    for clause in clauses:
        last = kept[-1] if kept else None
        asks = clause.kind == "summary" and _THEM.search(clause.text) and not mentions(clause.text)
        if last is None or last.kind not in _MAKES or not asks:
            kept.append(clause)
        else:
            kept[-1] = replace(last, text=f"{last.text}, {clause.text}")
    return kept


def _with_elements(clauses: list[Clause], earlier: tuple[str, ...]) -> list[Clause]:
    """Give "them" and "it" the elements that were named last."""
    named = [m.symbol for m in mentions(earlier[-1])] if earlier else []
    told: list[Clause] = []
    for clause in clauses:
        own = [m.symbol for m in mentions(clause.text)]
        # After a column that was made, "it" is that column, which has no symbol.
        made = bool(told) and told[-1].kind in _MAKES
        if not own and named and not made and clause.kind and _THEM.search(clause.text):
            text = f"{clause.text} ({', '.join(named)})"
            told.append(replace(clause, text=text))
        else:
            told.append(clause)
        named = own or named
    return told


def _follow(clauses: list[Clause]) -> list[Clause]:
    """Mark figures of "the groups" as following the grouping before them."""
    grouped = False
    told = []
    for clause in clauses:
        figure = clause.agent == "geoviz" and bool(_GROUPS.search(clause.text))
        told.append(replace(clause, follows=grouped and figure))
        grouped = grouped or clause.kind == "cluster"
    return told

"""Seen and full, side by side: left the exact text a model saw, right what lies on disk.

The same pieces make the live view and the static form, which reads without a kernel. What was left
out stands as a gap in the text, with its rows and characters.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench import marker
from workbench.artefacts import Artefact
from workbench.notebook import card_tables, numerals, seen_map
from workbench.notebook.card import NO_FORMULAS
from workbench.notebook.marked import NOT, PART, WHOLE, Marked
from workbench.notebook.nodes import Node, node
from workbench.notebook.seen_map import Stretch
from workbench.notebook.whole import Whole
from workbench.runs.seen import Gap, Seen
from workbench.visible import visible

_CELL_CHARS = 200
_NOTHING = "No model saw this: it stands in no request of the run."


def static(seen: Seen, whole: Whole, item: Artefact | None = None) -> Node:
    """Return both sides as a drawing that needs no kernel.

    Parameters
    ----------
    seen : Seen
        The left side.
    whole : Whole
        The right side, with the stretch to show.
    item : Artefact, optional
        The artefact on the right, where it is one: its rows are then counted as seen or not.
    """
    gap = seen_map.gap_of(seen, whole, item)
    label = f"Seen and full: {seen.call} {seen.tool}, {whole.label}"
    return node(
        "section",
        f"wb wb-sf {NO_FORMULAS}",
        scale(seen, whole, gap),
        node("div", "wb-sf-panes", left(seen, gap, whole), _right(seen, whole, gap)),
        aria_label=marker.short(label, 200),
    )


def scale(
    seen: Seen, whole: Whole, gap: Gap | None, stretches: Sequence[Stretch] | None = None
) -> Node:
    """Return what was seen and what was left, in numbers and as a bar at true scale.

    Parameters
    ----------
    seen, whole, gap
        Both sides, and what was left out.
    stretches : sequence of Stretch, optional
        Where in the whole it lies; made from the other three if left out.
    """
    left, total, unit = (_left(gap, whole), gap.total, gap.unit) if gap else (0, 0, "")
    shown = max(total - left, 0)
    part = min(len(whole.marks.part), shown) if whole.marks else 0
    first = f"{shown:,} of {total:,} {unit} seen" if total else "seen whole"
    if part:
        first += " in part" if part == shown else f", {part:,} of them in part"
    more = " · ".join(whole.marks.words()) if whole.marks else ""
    words = node(
        "div",
        "wb-sf-numbers",
        node("span", "", node("strong", "wb-sf-eye", first), node("span", "", _facts(seen))),
        _away(gap if left or not part else None, whole, part),
        node("span", "wb-sf-parts", more) if more else None,
    )
    if stretches is None:
        stretches = seen_map.mapped(seen, whole, gap)
    known = stretches or seen_map.of_text((shown, total), total)
    # Nothing that was left out: the one stretch is the whole.
    size = max((one.end for one in known), default=0)
    known, size = (known, size) if size else ((Stretch(0, 1, WHOLE),), 1)
    label = f"{100 * shown / total if total else 100:.2g} % of the {unit or 'text'} was seen"
    label += f", {100 * part / total:.2g} % in part" if part else ""
    ends = [node("span", "", one) for one in ("1", f"{total:,} {unit}")] if total > 1 else []
    return node(
        "header",
        "wb-sf-scale",
        words,
        seen_map.bar(known, size, label),
        node("div", "wb-sf-ends", *ends, aria_hidden="true") if ends else None,
    )


def _away(gap: Gap | None, whole: Whole, part: int) -> Node:
    """Return what was left out, in words."""
    left = _left(gap, whole) if gap else 0
    if gap and left:
        return node(
            "span",
            "wb-sf-away",
            node("strong", "", " · ".join(lost(gap, whole))),
            node("span", "", " on disk alone"),
        )
    if part:
        rest = node("strong", "", "cells of rows seen in part")
        return node("span", "wb-sf-away", rest, node("span", "", " on disk alone"))
    return node("span", "", "nothing was left out")


def _facts(seen: Seen) -> str:
    if not seen.request:
        return ""
    return f" · {numerals.count(seen.tokens)} tokens in the context of {seen.agent or seen.loop}"


def _left(gap: Gap, whole: Whole | None) -> int:
    """Return how much was left out: of a table that was read, the rows that are not marked."""
    marks = whole.marks if whole else None
    if (
        marks is None
        or whole is None
        or marks.lost
        or (gap.unit, gap.total) != ("rows", whole.rows)
    ):
        return gap.left
    return gap.total - marks.count


def lost(gap: Gap, whole: Whole | None = None) -> list[str]:
    """Return what a gap left out, in rows and characters.

    Where nobody counted the characters, they are a share of the whole's and called so.
    """
    least = "at least " if gap.least else ""
    rows = _left(gap, whole)
    parts = [f"{least}{rows:,} {gap.unit}"]
    if gap.chars is not None:
        parts.append(f"{gap.chars:,} characters")
    elif gap.unit != "characters" and whole is not None and whole.chars is not None and gap.total:
        about = "" if rows == gap.total else "about "
        share = round(whole.chars * rows / gap.total)
        if whole.marks is not None and rows < gap.total:
            # What stands in the text is counted: rows seen in part leave the rest of them out.
            share = max(whole.chars - whole.marks.chars, share)
        parts.append(f"{about}{share:,} characters")
    return parts


def left(seen: Seen, gap: Gap | None, whole: Whole | None = None) -> Node:
    """Return the exact text, cut open where something was left out.

    The texts of class ``wb-exact``, joined, are the text and nothing else.
    """
    parts: list[Node | None] = []
    begin = 0
    for one in seen.gaps:
        mark = seen.text[one.begin : one.end]
        # The same gap may be counted in rows of the whole.
        own = gap is not None and (one.begin, one.end) == (gap.begin, gap.end)
        cut = _cut(gap, mark, whole) if gap is not None and own else _cut(one, mark, None)
        parts += [_exact(seen.text[begin : one.begin]), cut]
        begin = one.end
    parts.append(_exact(seen.text[begin:]))
    if gap is not None and gap.left and not gap.end:
        parts.append(_cut(gap, "", whole))
    if not seen.request:
        parts = [node("p", "wb-quiet", _NOTHING)]
    where = (
        f"the exact text · request {seen.request} · {len(seen.text):,} characters"
        if seen.request
        else f"{seen.call} {seen.tool}"
    )
    return _pane("wb-sf-seen", "What the model saw", where, parts)


def _exact(text: str) -> Node | None:
    return node("pre", "wb-exact", text) if text else None


def _cut(gap: Gap, words: str, whole: Whole | None) -> Node:
    """Return a gap: what is missing, large, and the marker as the model read it."""
    said = f"{' · '.join(lost(gap, whole))} left out"
    of = f"of {gap.total:,} {gap.unit}"
    return node(
        "div",
        "wb-gap",
        node("div", "wb-gap-said", node("strong", "", said), node("span", "", f" {of}")),
        node("pre", "wb-exact", words) if words else None,
    )


def _right(seen: Seen, whole: Whole, gap: Gap | None) -> Node:
    rows = [_table(whole), _below(whole, gap)] if whole.names else None
    parts = rows or [_stretches(seen, whole, gap)]
    return _pane("wb-sf-full", "The whole, on disk", " · ".join(size(whole)), parts)


def size(whole: Whole) -> list[str]:
    """Return what a whole is and how large, in words."""
    parts = [whole.label, card_tables.kind(whole.media_type)]
    if whole.rows is not None:
        columns = "" if whole.columns is None else f" × {whole.columns:,} columns"
        parts.append(f"{whole.rows:,} rows{columns}")
    if whole.chars is not None:
        parts.append(f"{whole.chars:,} characters")
    return [*parts, numerals.size(whole.bytes)]


def _table(whole: Whole) -> Node:
    marks = whole.marks or Marked()
    names = [node("th", "wb-cell", name, scope="col") for name in whole.names]
    body = []
    for number, cells in enumerate(whole.cells):
        look, sign, said = _SEEN[marks.state(number)]
        mark = node("td", "wb-cell wb-sf-edge", sign, title=said)
        row = [
            node(
                "td",
                "wb-cell wb-in" if name in marks.columns else "wb-cell",
                marker.short(cell, _CELL_CHARS),
            )
            for name, cell in zip(whole.names, cells, strict=True)
        ]
        body.append(node("tr", look, mark, *row))
    head = node("thead", "", node("tr", "", node("th", "wb-cell", "seen", scope="col"), *names))
    grid = node("table", "wb-table wb-grid", head, node("tbody", "", *body))
    return node(
        "div", "wb-scroll", grid, tabindex="0", role="region", aria_label="Rows of the file"
    )


_SEEN = {
    WHOLE: ("wb-was-seen", "●", "a model saw this row"),
    PART: ("wb-was-part", "◐", "a model saw some columns of this row"),
    NOT: ("wb-was-not", "", "no model saw this row"),
}


def _below(whole: Whole, gap: Gap | None) -> Node:
    rest = (whole.rows or 0) - len(whole.cells)
    if rest <= 0:
        return node("p", "wb-quiet wb-note", "every row is shown")
    marks = whole.marks or Marked()
    last = max(marks.whole | marks.part, default=-1)
    unseen = gap is not None and last < len(whole.cells)
    words = f"{rest:,} more rows" + (" that no model saw here" if unseen else "")
    return node("div", "wb-gap wb-gap-rows", node("div", "wb-gap-said", node("strong", "", words)))


def _stretches(seen: Seen, whole: Whole, gap: Gap | None) -> Node:
    """Return a stretch of text; what the model did not see of it is set apart."""
    begin, end = seen_map.hidden(seen, whole, gap)
    cuts = [min(max(at - whole.offset, 0), len(whole.text)) for at in (begin, end)]
    texts = (whole.text[: cuts[0]], whole.text[cuts[0] : cuts[1]], whole.text[cuts[1] :])
    looks = ("", "wb-unseen", "")
    parts = [
        node("span", look, visible(text, keep="\n\t"))
        for look, text in zip(looks, texts, strict=True)
        if text
    ]
    return node("pre", "wb-sf-source", *parts, tabindex="0")


def _pane(look: str, title: str, facts: str, parts: Sequence[Node | None]) -> Node:
    head = node(
        "header", "wb-sf-head", node("h4", "wb-sf-title", title), node("span", "wb-sf-facts", facts)
    )
    return node("section", f"wb-sf-pane {look}", head, node("div", "wb-sf-body", *parts))

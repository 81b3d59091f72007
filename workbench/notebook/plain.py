"""A run as plain text: what a terminal, a diff or a reader without HTML sees of it.

The same facts as the card, in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.notebook import card, card_tables, numerals
from workbench.notebook.card_loops import badge_words, met, short
from workbench.notebook.windows import Window, against
from workbench.sources import backing

_BAR = 32


def run(view: Mapping[str, Any], elapsed: str, place: str) -> str:
    """Return the text twin of the static card; parameters as `workbench.notebook.card.static`."""
    state = card.STATES.get(str(view["status"]), str(view["status"]))
    head = [
        f"{state} · {elapsed} · {' · '.join(card.facts(view))}",
        *card.notices(view),
        f"question: {short(view['question'], card.QUESTION_CHARS)}",
    ]
    parts = [
        "\n".join(head),
        card.words(view),
        backing.summary(view),
        artefacts(view),
        windows(view),
        limits(view),
        f"open in full: {card.opening(view)}\nevery request as it was sent: {place}/requests",
    ]
    return "\n\n".join(part for part in parts if part)


def columns(rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset()) -> str:
    """Return rows as aligned columns; those in `right` are set flush right."""
    if not rows:
        return ""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def artefacts(view: Mapping[str, Any]) -> str:
    """Return the files made, one a line."""
    rows = [
        [
            f"  {item['id']}",
            short(item["path"], 120),
            card_tables.kind(str(item["media_type"])),
            "" if item.get("rows") is None else numerals.plural(int(item["rows"]), "row"),
            numerals.size(int(item["bytes"])),
        ]
        for item in card_tables.ordered(view)
    ]
    return f"Artefacts\n{columns(rows, frozenset({3, 4}))}" if rows else ""


def bar(window: Window) -> str:
    """Return the window as a line: used ``█``, raw data ``░``, marks ``|`` and ``‖``."""
    signs = ["·"] * _BAR
    for place in range(round(window.share(window.raw) * _BAR / 100)):
        signs[place] = "░"
    usable = window.share(window.usable)
    for mark, sign in zip(window.marks, "|‖", strict=True):
        signs[min(_BAR - 1, int(usable * mark / 100 * _BAR / 100))] = sign
    used = round(window.share(window.used) * _BAR / 100)
    for place in range(max(used, 1) if window.used else 0):
        signs[place] = "█"
    return "".join(signs)


def windows(view: Mapping[str, Any]) -> str:
    """Return the window of each loop: bar, tokens, share, raw data, categories."""
    rows, marks = [], (0, 0)
    for loop in view["loops"]:
        window = Window.of(loop["context"], view.get("limits") or {})
        marks = window.marks
        name = loop["id"] if loop["id"] == loop["agent"] else f"{loop['id']} {loop['agent']}"
        parts = ", ".join(f"{k.replace('_', ' ')} {v:,}" for k, v in window.parts.items())
        raw = f"raw {numerals.count(window.raw)}" if window.raw else ""
        rows.append(
            [
                f"  {name.strip()}",
                bar(window),
                numerals.count(window.gauge),
                numerals.percent(window.gauge, window.usable),
                "; ".join(against(window)),
                raw,
                parts,
            ]
        )
    if not rows:
        return ""
    head = (
        f"Context windows: tokens of the last request, % of usable; marks {marks[0]}, {marks[1]} %"
    )
    return f"{head}\n{columns(rows, frozenset({2, 3, 5}))}"


def limits(view: Mapping[str, Any]) -> str:
    """Return the limits that were met, one a line."""
    values = view.get("limits") or {}
    rows = [
        [
            f"  {row['key']}",
            card_tables.value(values.get(row["key"], "")),
            badge_words(row["enforced"]),
            met(row),
            ", ".join(row["loops"]),
        ]
        for row in card_tables.totals(view)
    ]
    return f"Limits met\n{columns(rows, frozenset({1}))}" if rows else ""

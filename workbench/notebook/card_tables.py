"""The tables of the static card: what was made, and which limits were met."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from workbench.notebook import numerals
from workbench.notebook.card_loops import badge, met, short
from workbench.notebook.nodes import Node, node

_NUMBERS = re.compile(r"(\D+)(\d*)")
_KINDS = {
    "text/csv": "table, CSV",
    "application/vnd.apache.parquet": "table, Parquet",
    "application/vnd.plotly.v1+json": "figure, JSON",
    "text/html": "figure, HTML",
    "application/json": "JSON",
    "text/plain": "text",
}


def kind(media_type: str) -> str:
    """Return a media type in words."""
    return _KINDS.get(media_type, media_type)


def grid(
    look: str, columns: list[tuple[str, str]], rows: list[list[Node | str]], caption: str = ""
) -> Node:
    """Return a plain table.

    Parameters
    ----------
    look : str
        Class of the table.
    columns : list of (str, str)
        Heading and class of each column; ``wb-right`` sets numbers flush right.
    rows : list of list
        Cells; the first of a row is its heading.
    caption : str, optional
        Stands above it.
    """
    head = [node("th", f"wb-cell {style}", text, scope="col") for text, style in columns]
    body = []
    for row in rows:
        cells = [
            node("td", f"wb-cell {style}", cell)
            for (_, style), cell in zip(columns[1:], row[1:], strict=True)
        ]
        first = node("th", f"wb-cell {columns[0][1]}", row[0], scope="row")
        body.append(node("tr", "", first, *cells))
    return node(
        "table",
        f"wb-table {look}",
        node("caption", "wb-caption", caption) if caption else None,
        node("thead", "", node("tr", "", *head)),
        node("tbody", "", *body),
    )


def ordered(view: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the artefacts by id: dispatches at work side by side register in any order."""

    def key(item: Mapping[str, Any]) -> list[tuple[str, int]]:
        parts = _NUMBERS.findall(str(item["id"]))
        return [(word, int(number or 0)) for word, number in parts]

    return sorted(view["artefacts"], key=key)


def artefacts(view: Mapping[str, Any]) -> Node | None:
    """Return the table of files made, or None if there are none."""
    columns = [
        ("Id", "wb-mono wb-fixed"),
        ("File", "wb-mono"),
        ("Kind", ""),
        ("Rows", "wb-right"),
        ("Size", "wb-right"),
        ("Made by", ""),
    ]
    rows: list[list[Node | str]] = [
        [
            str(item["id"]),
            short(item["path"], 120),
            kind(str(item["media_type"])),
            "" if item.get("rows") is None else numerals.count(item["rows"]),
            numerals.size(int(item["bytes"])),
            short((item.get("made_by") or {}).get("tool", ""), 60),
        ]
        for item in ordered(view)
    ]
    if not rows:
        return None
    heading = node("h3", "wb-heading", "Artefacts")
    return node("section", "wb-section", heading, grid("wb-artefacts", columns, rows))


def totals(view: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return each limit that was met once, its counts summed over the loops."""
    summed: dict[str, dict[str, Any]] = {}
    for loop in [*view["loops"], {"id": "run", "limits": view.get("run_limits") or []}]:
        for row in loop["limits"]:
            total = summed.setdefault(
                row["key"],
                {"key": row["key"], "enforced": row["enforced"], "hits": 0, "kept": 0, "of": 0},
            )
            for name in ("hits", "kept", "of"):
                total[name] += row[name]
            total.setdefault("loops", []).append(loop["id"])
    return sorted(summed.values(), key=lambda row: (row["enforced"], row["key"]))


def limits(view: Mapping[str, Any]) -> Node | None:
    """Return the table of limits that were met, or None if none was."""
    values = view.get("limits") or {}
    columns = [
        ("Limit", "wb-mono wb-fixed"),
        ("Held by", "wb-fixed"),
        ("Value", "wb-right"),
        ("Met", "wb-fixed"),
        ("In", ""),
    ]
    rows: list[list[Node | str]] = [
        [
            str(row["key"]),
            badge(row["enforced"]),
            value(values.get(row["key"], "")),
            met(row),
            ", ".join(row["loops"]),
        ]
        for row in totals(view)
    ]
    if not rows:
        return None
    heading = node("h3", "wb-heading", "Limits met")
    return node("section", "wb-section", heading, grid("wb-limits", columns, rows))


def amount(limit: object, unit: str) -> str:
    """Return the value of a limit with its unit; a word stands alone."""
    return f"{value(limit)} {unit}".strip() if isinstance(limit, int | float) else str(limit)


def value(limit: object) -> str:
    """Return the value of a limit: numbers with separators, words as they are."""
    return f"{limit:,}" if isinstance(limit, int | float) else str(limit)

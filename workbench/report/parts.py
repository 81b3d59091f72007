"""The parts of a report's page: tables, figures, calls; each drawn from JSON, never from HTML.

Whatever a notebook holds, only these forms are drawn: rows as text, figures that were taken
apart, drawings and pictures as images, and plain text.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from typing import Any

from workbench.errors import Refused
from workbench.notebook import figures
from workbench.report import shown
from workbench.report.markup import escape, is_number, plain
from workbench.report.rows import Head

_GIST = 120
_ASSIGNED = re.compile(r"^(?:tools\.skip\([^\n]*\)\n)?(\w+) = tools\.(\w+)\(", re.DOTALL)


def output(cell: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    """Return one output of a cell as HTML: the richest form that is safe."""
    told = told_of(cell)
    caption, alt = str(told.get("caption", "")), str(told.get("alt", ""))
    if shown.TABLE in data:
        try:
            return table(Head.from_json(data[shown.TABLE]), caption)
        except ValueError:
            pass
    drawing = _image(data)
    if shown.FIGURE in data or drawing:
        try:
            return figure(
                data.get(shown.FIGURE), drawing, caption, alt or joined(data.get("text/plain"))
            )
        except Refused as error:
            return text(str(error))
    return text(joined(data.get("text/plain")))


def told_of(cell: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the cell says of itself."""
    told = cell["metadata"].get("workbench")
    return told if isinstance(told, dict) else {}


def joined(value: object) -> str:
    """Return a text of a notebook, which may stand there as a list of lines."""
    return "".join(map(str, value)) if isinstance(value, list) else str(value or "")


def text(words: str, look: str = "") -> str:
    """Return plain text as it was printed."""
    return f'<pre class="{look}">{escape(plain(words))}</pre>' if words.strip() else ""


def table(head: Head, caption: str) -> str:
    """Return rows as a table; a gap shows where columns in the middle are left out."""
    left = head.total_columns - len(head.columns)
    gap = 7 if left > 0 and len(head.columns) > 7 else None  # noqa: PLR2004 - where `rows` cuts
    flush = [_flush(head, n) for n in range(len(head.columns))]

    def line(cells: tuple[str, ...], tag: str, middle: str) -> str:
        parts = []
        for number, cell in enumerate(cells):
            if number == gap:
                parts.append(f'<{tag} class="gap">{middle}</{tag}>')
            look = ' class="number"' if flush[number] else ""
            scope = ' scope="col"' if tag == "th" else ""
            parts.append(f"<{tag}{look}{scope}>{escape(cell)}</{tag}>")
        return f"<tr>{''.join(parts)}</tr>"

    body = "".join(line(row, "td", "") for row in head.rows)
    return (
        f'<figure class="table-figure"><figcaption><b>{escape(caption)}</b> '
        f"({escape(head.caption)})</figcaption>"
        f'<div class="table" tabindex="0"><table class="data"><thead>'
        f"{line(head.columns, 'th', f'+{left:,}')}</thead><tbody>{body}</tbody></table></div>"
        "</figure>"
    )


def _flush(head: Head, column: int) -> bool:
    cells = [row[column] for row in head.rows if row[column]]
    return bool(cells) and all(map(is_number, cells))


def _image(data: Mapping[str, Any]) -> str:
    """Return a drawing or picture as an address that holds it; as an image it runs nothing."""
    drawing = data.get("image/svg+xml")
    if drawing:
        held = base64.b64encode(joined(drawing).encode("utf-8", "replace")).decode()
        return f"data:image/svg+xml;base64,{held}"
    picture = data.get("image/png")
    if picture:
        try:
            held = base64.b64encode(base64.b64decode(joined(picture))).decode()
        except (binascii.Error, ValueError):
            return ""
        return f"data:image/png;base64,{held}"
    return ""


def figure(spec: object, drawing: str, caption: str, alt: str) -> str:
    """Return a figure: its drawing, and what draws it live where there is a script.

    Raises
    ------
    Refused
        If it is no figure.
    """
    live = ""
    if isinstance(spec, dict):
        clean = figures.cleaned(spec, "of the notebook")
        held = json.dumps(clean, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
        live = f'<script type="application/json">{held}</script><div class="plot"></div>'
    image = f'<img src="{drawing}" alt="{escape(alt)}">' if drawing else ""
    twin = " twin" if drawing else ""
    label = "" if drawing else f' role="img" aria-label="{escape(alt)}"'
    return (
        f'<figure class="drawn{twin}"{label}>{image}{live}'
        f"<figcaption>{escape(caption or alt)}</figcaption></figure>"
    )


def call(cell: Mapping[str, Any], shown_text: str) -> str:
    """Return a call as one line, its code and what the model saw behind it."""
    source = joined(cell.get("source"))
    told = told_of(cell)
    caption = str(told.get("caption", ""))
    found = _ASSIGNED.match(source)
    name = found[2] if found else "code"
    if name == "call":
        name = str(told.get("tool", name))
    key = found[1] if found else ""
    body = source[found.end() :] if found else source
    gist = " ".join(body.rsplit(")", 1)[0].split()) if found else source.split("\n", 1)[0]
    cut = caption.partition("; cut by ")[2]
    said = "refused" if told.get("refused") else f"cut: {cut}" if cut else ""
    mark = f'<span class="mark">{escape(said)}</span>' if said else ""
    seen = f"<h4>What the model saw</h4>{text(shown_text)}" if shown_text else ""
    return (
        f'<details class="call"><summary><span class="id">{escape(key)}</span>'
        f'<span class="name">{escape(name)}</span>'
        f'<span class="gist">{escape(gist[:_GIST].rstrip(", "))}</span>{mark}</summary>'
        f'<div class="inside"><h4>Code</h4>{code(source)}{seen}</div></details>'
    )


def folded(title: str, cell: Mapping[str, Any]) -> str:
    """Return a cell of code as one line with the code behind it."""
    return (
        f'<details class="call"><summary><span class="id"></span>'
        f'<span class="name">{escape(title)}</span><span class="gist"></span></summary>'
        f'<div class="inside">{code(joined(cell.get("source")))}</div></details>'
    )


def code(source: str) -> str:
    """Return code."""
    return f'<pre class="code">{escape(source)}</pre>'

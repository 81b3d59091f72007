"""A report's notebook as Markdown for a code host: code folded, figures as drawings beside it."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from typing import Any

from workbench.report import carried, parts, shown
from workbench.report.rows import Head
from workbench.report.words import line, table

_SAFE = re.compile(r"[^A-Za-z0-9_-]")


def render(notebook: Mapping[str, Any], folder: str) -> tuple[str, dict[str, bytes]]:
    """Return the Markdown of a notebook, and the drawings it shows.

    Parameters
    ----------
    notebook : mapping
        In version 4 of the notebook format.
    folder : str
        Name of the folder beside the Markdown in which the drawings will lie.

    Returns
    -------
    tuple
        The Markdown; file name → bytes of each drawing.
    """
    drawings: dict[str, bytes] = {}
    pieces: list[str] = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            pieces.append(parts.joined(cell.get("source")))
        elif cell["cell_type"] == "code":
            pieces += _code(cell, folder, drawings)
    text = "\n\n".join(piece.strip("\n") for piece in pieces if piece.strip())
    told = notebook["metadata"].get("workbench")
    held = carried.comment(told) if isinstance(told, dict) else ""
    return f"{text}\n\n{held}\n" if held else f"{text}\n", drawings


def _code(cell: Mapping[str, Any], folder: str, drawings: dict[str, bytes]) -> Iterator[str]:
    told = parts.told_of(cell)
    source = parts.joined(cell.get("source"))
    seen = []
    for one in cell.get("outputs") or ():
        data = one.get("data") or {}
        if shown.TABLE in data:
            yield _table(data[shown.TABLE], str(told.get("caption", "")))
        elif "image/svg+xml" in data:
            name = f"{_SAFE.sub('-', str(cell.get('id', 'figure')))}.svg"
            drawings[name] = parts.joined(data["image/svg+xml"]).encode("utf-8", "replace")
            yield f"![{line(told.get('alt', 'figure'))}]({folder}/{name})"
            yield f"*{line(told.get('caption', ''))}*"
        elif "image/png" in data:
            name = f"{_SAFE.sub('-', str(cell.get('id', 'figure')))}.png"
            drawings[name] = base64.b64decode(parts.joined(data["image/png"]))
            yield f"![{line(told.get('alt', 'figure'))}]({folder}/{name})"
        else:
            seen.append(parts.joined(data.get("text/plain") or one.get("text")))
    if told.get("kind") not in {"table", "figure"}:
        title = str(told.get("caption") or source.split("\n", 1)[0])
        yield _folded(title, source, [text for text in seen if text])


def _table(value: object, caption: str) -> str:
    try:
        head = Head.from_json(value)
    except ValueError:
        return ""
    rows = [[line(cell) for cell in row] for row in head.rows]
    made = table([line(name) for name in head.columns], rows)
    return f"**{line(caption)}** ({line(head.caption)})\n\n{made}"


def _folded(title: str, source: str, seen: list[str]) -> str:
    """Return code and what was printed behind one line."""
    blocks = [_fenced(source, "python"), *(_fenced(text, "text") for text in seen)]
    body = "\n\n".join(blocks)
    return f"<details><summary>{line(title)}</summary>\n\n{body}\n\n</details>"


def _fenced(text: str, language: str) -> str:
    """Return a text in a fence that it cannot close."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"

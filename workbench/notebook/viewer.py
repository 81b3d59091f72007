"""``%agent open``: a result in full, for a person; nothing shown here enters a context.

Tables are read page by page in a confined child, texts by range; whatever else a file is, it is
shown as text and never as a page.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench import marker
from workbench.errors import Refused
from workbench.files.beneath import open_beneath
from workbench.notebook import card_tables, figures, plain, static
from workbench.notebook.card import NO_FORMULAS
from workbench.notebook.nodes import Node, node
from workbench.runs.located import Located, locate
from workbench.session import Session
from workbench.visible import visible

ROWS, CHARS = 100, 5_000
_MOST_CHARS = 20_000
_CELL_CHARS = 200
# A page is to be read, and saved with the notebook; wider tables show their first columns.
_PAGE_CELLS = 12_000
_PLAIN_ROWS = 20
_COUNTED_BYTES = 20_000_000
_TABLES = frozenset({"text/csv", "application/vnd.apache.parquet", "text/tab-separated-values"})


@dataclass(frozen=True)
class Page:
    """Which part of a result is wanted; None stands for what is usual for its kind."""

    offset: int = 0
    limit: int | None = None


def opened(results: Path, key: str, run: str | None, page: Page) -> dict[str, Any]:
    """Return what a cell shows of a result.

    Parameters
    ----------
    results : Path
        The results folder.
    key : str
        Id or file name of a result, id of a kept text, key of a request.
    run : str or None
        Which run; the newest that has it if None.
    page : Page
        Which part.

    Raises
    ------
    Refused
        If there is no such result, or it cannot be read.
    """
    found = locate(results, key, run)
    said = "" if found.sound else "its bytes have changed since the run made it"
    if found.media_type == figures.MIME and page == Page():
        folder = results / found.run
        shown = figures.load(folder, found.path.relative_to(folder).as_posix())
        return figures.bundle(shown, _words(found, said), figures.OPENED_BYTES)
    if found.media_type in _TABLES:
        return _table(results, found, page, said)
    return _text(results, found, page, said)


def _words(found: Located, *more: str) -> str:
    place = static.relative(found.path)
    return " · ".join(part for part in (f"{found.id} {place}", *more) if part)


def _table(results: Path, found: Located, page: Page, said: str) -> dict[str, Any]:
    """Return one page of a table; the rows come from a confined child."""
    session = Session.open(found.path, results, "offline")
    limit = ROWS if page.limit is None else page.limit
    rows = session.rows(found.path.name, offset=page.offset, limit=limit)
    columns, body, total = list(rows["columns"]), list(rows["rows"]), int(rows["total"])
    wide = len(columns) * max(len(body), 1) > _PAGE_CELLS
    shown = max(_PAGE_CELLS // max(len(body), 1), 1) if wide else len(columns)
    parts = [f"showing {_span(page.offset, len(body), total)} rows"]
    if shown < len(columns):
        parts.append(f"the first {shown:,} of {len(columns):,} columns")
    if page.offset + len(body) < total:
        parts.append(f"next: %agent open {found.id} --offset {page.offset + len(body)}")
    words = _words(found, *parts, said)
    cells = [[_cell(value) for value in row[:shown]] for row in body]
    names = [_cell(name) for name in columns[:shown]]
    return {
        "text/html": static.page(_framed(words, _grid(names, cells, rows["rows"]))),
        "text/plain": f"{words}\n{_twin(names, cells)}",
    }


def _span(offset: int, shown: int, total: int) -> str:
    if not shown:
        return f"0 of {total:,}"
    return f"{offset + 1:,}–{offset + shown:,} of {total:,}"


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = f"{value:.10g}" if isinstance(value, float) else visible(str(value))
    return marker.short(text, _CELL_CHARS)


def _grid(names: list[str], cells: list[list[str]], raw: list[list[object]]) -> Node:
    """Return the rows as a plain table, numbers flush right."""
    looks = ["wb-right" if _is_number(raw, place) else "" for place in range(len(names))]
    columns = list(zip(names, looks, strict=True))
    rows: list[list[Node | str]] = [list(row) for row in cells]
    return node("div", "wb-scroll", card_tables.grid("wb-grid", columns, rows), tabindex="0")


def _is_number(rows: list[list[object]], place: int) -> bool:
    known = [row[place] for row in rows if row[place] is not None]
    return bool(known) and all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in known
    )


def _twin(names: list[str], cells: list[list[str]]) -> str:
    left = len(cells) - _PLAIN_ROWS
    more = f"\n[{left:,} further rows of this page are in the HTML form]" if left > 0 else ""
    return plain.columns([names, *cells[:_PLAIN_ROWS]]) + more


def _framed(words: str, *parts: Node) -> Node:
    line = node("div", "wb-facts", node("span", "", words))
    return node("section", f"wb {NO_FORMULAS}", line, *parts, aria_label=words)


def _text(results: Path, found: Located, page: Page, said: str) -> dict[str, Any]:
    """Return a stretch of a text, a page or a picture's source among them: all as text."""
    limit = CHARS if page.limit is None else page.limit
    if not 1 <= limit <= _MOST_CHARS or page.offset < 0:
        raise Refused(
            f"open {found.id}: offset {page.offset:,}, limit {limit:,}: offset starts at 0 and a "
            f"stretch has 1 to {_MOST_CHARS:,} characters"
        )
    body, total = _stretch(results, found, page.offset, limit)
    of = "" if total is None else f" of {total:,}"
    first = f"{page.offset + 1:,}–{page.offset + len(body):,}" if body else "no"
    parts = [f"{card_tables.kind(found.media_type)}, characters {first}{of}"]
    if len(body) == limit and (total is None or page.offset + limit < total):
        parts.append(f"next: %agent open {found.id} --offset {page.offset + limit}")
    words = _words(found, *parts, said)
    text = visible(body, keep="\n\t")
    return {
        "text/html": static.page(_framed(words, node("pre", "wb-answer wb-source", text))),
        "text/plain": f"{words}\n{text}",
    }


def stretch(results: Path, key: str, run: str, offset: int, limit: int) -> dict[str, Any]:
    """Return characters of a text of a run, what there is in all, and what kind it is.

    Raises
    ------
    Refused
        If there is no such text.
    """
    found = locate(results, key, run)
    body, total = _stretch(results, found, offset, limit)
    more = {"media_type": found.media_type, "sound": found.sound, "name": found.path.name}
    return {"text": visible(body, keep="\n\t"), "from": offset, "total": total, **more}


def _stretch(results: Path, found: Located, offset: int, limit: int) -> tuple[str, int | None]:
    """Return characters of a file, and how many it has where that is quickly counted."""
    descriptor = open_beneath(results, found.path.relative_to(results).parts)
    counted = os.fstat(descriptor).st_size <= _COUNTED_BYTES
    with os.fdopen(descriptor, encoding="utf-8", errors="replace", newline="") as file:
        left = offset
        while left > 0 and (skipped := len(file.read(min(left, 1_000_000)))):
            left -= skipped
        body = file.read(limit) if left <= 0 else ""
        if not counted:
            return body, None
        total = offset - max(left, 0) + len(body)
        while more := len(file.read(1_000_000)):
            total += more
        return body, total

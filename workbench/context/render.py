"""A reply as text, cut to the limits in every direction, with a marker at every cut.

Pure functions: what they cut comes back as `Hit`s, which the gate records. The text is plain
lines a person can read and a planner can parse: ``key: value`` facts, then previews, then text.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

from workbench import marker, tokens
from workbench.files.rowtext import is_rows
from workbench.limits import Limits
from workbench.marker import Marker
from workbench.reply import Preview, Text
from workbench.visible import cell, visible

# Names stand in markers, beyond what else is cut: a relative name of any depth still fits.
_NAME_CHARS = 300
_TITLE_CHARS = 200
# Shorter than this, the first lines of a data file say nothing any more.
_NARROW = 20


@dataclass(frozen=True)
class Hit:
    """A row of the limits table that cut something: how much of how much, in which unit."""

    key: str
    left: int
    total: int
    unit: str


@dataclass(frozen=True)
class Rendered:
    """Text that is within its limits, and the rows that cut it."""

    text: str
    hits: tuple[Hit, ...] = ()


def facts(values: dict[str, object], limits: Limits) -> Rendered:
    """Return facts as ``key: value`` lines; values other than text are compact JSON."""
    lines, hits = [], []
    room = limits["line_chars"].number
    for key, value in values.items():
        shown = value if isinstance(value, str) else _json(value)
        line = f"{visible(str(key))}: {visible(shown)}"
        if len(line) > room:
            hits.append(Hit("line_chars", len(line) - room, len(line), "characters"))
        lines.append(marker.short(line, room))
    return Rendered("\n".join(lines), tuple(hits))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "), default=str)


def preview(item: Preview, limits: Limits, rows_key: str, rows_left: int, step: str) -> Rendered:
    """Return a preview: title, header, rows; cut by rows, columns, cells and characters.

    Parameters
    ----------
    item : Preview
        Rows as the child sent them.
    limits : Limits
        The session's table.
    rows_key : str
        The row that bounds this tool's records: ``preview_rows`` or ``list_entries``.
    rows_left : int
        Rows that this dispatch may still show.
    step : str
        The call that gets at the rest.
    """
    hits: list[Hit] = []
    columns, cells = item.columns, [list(row) for row in item.rows]
    item = replace(
        item,
        title=marker.short(visible(item.title), _TITLE_CHARS),
        full=marker.short(visible(item.full), _NAME_CHARS),
        total=max(item.total, len(item.rows)),
    )
    most = limits["preview_columns"].number
    if len(columns) > most:
        hits.append(Hit("preview_columns", len(columns) - most, len(columns), "columns"))
    allowed = min(limits[rows_key].number, rows_left)
    if len(cells) > allowed:
        key = rows_key if allowed == limits[rows_key].number else "preview_rows_total"
        hits.append(Hit(key, len(cells) - allowed, item.total, "rows"))
    shown = [row[:most] for row in cells[:allowed]]
    lines, cut = _lines(columns[:most], shown, limits["cell_chars"].number)
    if cut:
        hits.append(Hit("cell_chars", cut, sum(len(row) for row in shown), "cells"))
    return _fit(item, lines, hits, limits, step)


def _lines(columns: tuple[str, ...], rows: list[list[object]], width: int) -> tuple[list[str], int]:
    """Return header and rows as lines, and how many cells were cut to `width`."""
    cut = 0
    lines = [" | ".join(marker.short(cell(name), width) for name in columns)]
    for row in rows:
        texts = [cell(value) for value in row]
        cut += sum(len(text) > width for text in texts)
        lines.append(" | ".join(marker.short(text, width) for text in texts))
    return lines, cut


def _fit(item: Preview, lines: list[str], hits: list[Hit], limits: Limits, step: str) -> Rendered:
    """Drop rows from the end until the preview is within `preview_chars`."""
    room = limits["preview_chars"].number
    rows = len(lines) - 1

    def text(kept: int) -> str:
        left = item.total - kept
        entries = "entries" if item.columns == ("name", "bytes") else "rows"
        body = [f"{item.title} ({kept:,} of {item.total:,} {entries})", *lines[: kept + 1]]
        if any(hit.unit == "columns" for hit in hits):
            hit = next(hit for hit in hits if hit.unit == "columns")
            body.append(str(Marker(hit.left, hit.total, "columns", item.full, step)))
        if left > 0:
            body.append(str(Marker(left, item.total, entries, item.full or "not kept", step)))
        return "\n".join(body)

    kept = rows
    while kept > 0 and len(text(kept)) > room:
        kept -= 1
    whole = text(kept)
    if kept < rows or len(whole) > room:
        hits.append(Hit("preview_chars", rows - kept, rows, "rows"))
    return Rendered(marker.short(whole, room), tuple(hits))


def text(
    item: Text,
    limits: Limits,
    fits: Callable[[str], str],
    key: str,
    steps: Callable[[Text], Callable[[int], str]],
) -> Rendered:
    """Return a stretch of text, cut by the data-file rule, by line and by size.

    Parameters
    ----------
    item : Text
        The stretch as the child sent it.
    limits : Limits
        The session's table.
    fits : callable
        Returns the longest start of a text that the tool may show.
    key : str
        The row behind `fits`.
    steps : callable
        Gets the text, returns what names the call that goes on from an offset.
    """
    lines = visible(item.body, keep="\n\t").split("\n")
    hits: list[Hit] = []
    item = _sound(item, lines)
    if item.kind == "data" and item.total_lines > limits["data_file_lines"].number:
        return _data_head(item, lines, limits, fits, steps(item))
    room = limits["line_chars"].number
    long = sum(len(line) > room for line in lines)
    if long:
        hits.append(Hit("line_chars", long, len(lines), "lines"))
    whole = "\n".join(marker.short(line, room) for line in lines)
    left_before = item.total_chars - item.offset - len(item.body)
    if fits(whole) == whole and left_before <= 0:
        return Rendered(whole, tuple(hits))
    return _text_head(item, whole, hits, fits, key, steps(item))


def _sound(item: Text, lines: list[str]) -> Text:
    """Return a text as what it is: rows are data, sizes no smaller than what came, a short name.

    A child that says otherwise must not get past the limits by it.
    """
    return replace(
        item,
        name=marker.short(visible(item.name), _NAME_CHARS),
        kind="data" if item.kind == "data" or is_rows(lines) else "prose",
        total_lines=max(item.total_lines, len(lines)),
        total_chars=max(item.total_chars, item.offset + len(item.body)),
    )


def _text_head(
    item: Text,
    whole: str,
    hits: list[Hit],
    fits: Callable[[str], str],
    key: str,
    step: Callable[[int], str],
) -> Rendered:
    """Cut a text at its end, the marker counted inside the limit."""

    def marked(head: str) -> str:
        shown = item.offset + len(head)
        left = max(item.total_chars - shown, 0)
        return f"{head}\n" + str(
            Marker(left, item.total_chars, "characters", item.name, step(shown))
        )

    head = fits(whole)
    while head and fits(marked(head)) != marked(head):
        over = len(marked(head)) - len(fits(marked(head)))
        head = head[: max(len(head) - max(over, 1), 0)]
    left = item.total_chars - item.offset - len(head)
    hits.append(Hit(key, left, item.total_chars, "characters"))
    return Rendered(marked(head), tuple(hits))


def _data_head(
    item: Text,
    lines: list[str],
    limits: Limits,
    fits: Callable[[str], str],
    step: Callable[[int], str],
) -> Rendered:
    """Show the first lines of a data file and say how many lines it has."""
    head = lines[: limits["data_file_head"].number]
    left = item.total_lines - len(head)
    chars = max(item.total_chars - sum(len(line) + 1 for line in head), 0)
    # Of a workbook only the first rows came as text: how long all are is not known, nor said.
    whole = len(lines) >= item.total_lines or item.total_chars > item.offset + len(item.body)
    size = chars if whole else None
    mark = Marker(left, item.total_lines, "lines", item.name, step(0), size, not item.exact)
    room = limits["line_chars"].number

    def shown() -> str:
        return "\n".join([*(marker.short(line, room) for line in head), str(mark)])

    while room > _NARROW and fits(shown()) != shown():
        room //= 2
    hits = [
        Hit("data_file_lines", left, item.total_lines, "lines"),
        Hit("data_file_head", left, item.total_lines, "lines"),
    ]
    long = sum(len(line) > room for line in head)
    if long:
        hits.append(Hit("line_chars", long, len(head), "lines"))
    return Rendered(shown(), tuple(hits))


def pasted(lines: list[str], rows: range, head: int, name: str, step: str) -> tuple[list[str], Hit]:
    """Put first lines and a marker in the place of rows that were pasted.

    Parameters
    ----------
    lines : list of str
        The whole text.
    rows : range
        Which lines are the rows.
    head : int
        Rows that stay.
    name : str
        The file that holds them all.
    step : str
        The call that gets at it.
    """
    kept = min(head, len(rows) - 1)
    left = len(rows) - kept
    mark = str(Marker(left, len(rows), "lines", name, step))
    text = [*lines[: rows.start + kept], mark, *lines[rows.stop :]]
    return text, Hit("question_lines", left, len(rows), "lines")


def by_tokens(limit: int) -> Callable[[str], str]:
    """Return the size rule of a read: characters ÷ 3 and the token count, the stricter wins."""
    return lambda whole: tokens.head(whole, limit)


def by_chars(limit: int) -> Callable[[str], str]:
    """Return the size rule of an answer: characters."""
    return lambda whole: whole[:limit]


def behind(lead: str, fits: Callable[[str], str]) -> Callable[[str], str]:
    """Return a size rule that counts what already stands before a text."""
    return lambda whole: fits(lead + whole)[len(lead) :]

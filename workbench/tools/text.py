"""Reading text: the start of a file, a stretch of a long text, the places where a word stands.

Tables are not read here: a data file shows its first lines and its length, and every other door
names the table tool. Offsets count characters of the text as it is shown.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from workbench import marker
from workbench.errors import Refused
from workbench.reply import Reply, Text, text_id
from workbench.tools.context import Context
from workbench.tools.registry import tool
from workbench.tools.search import by_letters, by_pattern
from workbench.tools.sources import characters, decoded, is_data, refuse_page, whole_text
from workbench.visible import visible

if TYPE_CHECKING:
    from workbench.workspace import OpenFile

# What goes to the gate of one text: more than any window's share, less than the pipe's line.
_MOST_SENT = 240_000
_MOST_JSON = 700_000
_MOST_RANGE = 20_000
_MOST_PATTERN = 500
_PREVIEW = 200
# Of a long line of a JSON document: what it is, not what it holds.
_DOCUMENTS, _BEGINNING = (".json", ".geojson"), 80


@tool(effect="read", answer="read_share")
def read_file(context: Context, path: str) -> Reply:
    """Read a text file, such as a report or notes, from its start.

    Of a data file only the first lines and its length come back: use the table tools for data.

    Parameters
    ----------
    path : str
        File name as list_files gives it.
    """
    with context.open(path) as file:
        refuse_page(file.name)
        context.weigh_text(path, file)
        if is_data(context, file):
            return _first_lines(context, path, file)
        whole = decoded(context, file)
    body = _sendable(whole)
    item = Text(body, path, "prose", len(whole), whole.count("\n") + 1)
    return Reply({"lines": item.total_lines, "characters": len(whole)}, text=item)


@tool(effect="read", answer="range_chars")
def read_range(context: Context, id: str, offset: int = 0, limit: int = 5000) -> Reply:  # noqa: A002 - the name of the contract
    """Read a stretch of a text: a text file, a log, a stored text or a cut answer. Not for tables.

    Parameters
    ----------
    id : str
        Id or file name that a marker or store_text gave.
    offset : int
        First character, from 0.
    limit : int
        Characters, 1 to 20000.
    """
    if not 1 <= limit <= _MOST_RANGE:
        raise Refused(f"read_range limit={limit}: give 1 to {_MOST_RANGE:,} characters")
    whole = whole_text(context, id)
    if not 0 <= offset <= max(len(whole) - 1, 0):
        raise Refused(
            f"read_range offset={offset}: '{id}' has {len(whole):,} characters; give 0 to "
            f"{max(len(whole) - 1, 0)}"
        )
    body = _up_to_long_line(whole[offset : offset + limit], context.limits["line_chars"].number)
    facts = {
        "offset": offset,
        "total_length": len(whole),
        "truncated": offset + len(body) < len(whole),
    }
    lines = whole.count("\n") + 1
    return Reply(facts, text=Text(body, id, "prose", len(whole), lines, offset))


@tool(effect="read")
def search_text(context: Context, id: str, pattern: str, *, regex: bool = False) -> Reply:  # noqa: A002 - the name of the contract
    """Find where a word or phrase stands in a text, log, stored text or cut answer.

    Exact letters, case counts. Then read the range round a hit.

    Parameters
    ----------
    id : str
        Id or file name.
    pattern : str
        Text to find.
    regex : bool
        True: an RE2 pattern, within single lines; `(?i)` ignores case.
    """
    if not pattern or len(pattern) > _MOST_PATTERN:
        raise Refused(f"search_text: the pattern must have 1 to {_MOST_PATTERN} characters")
    whole = whole_text(context, id)
    most = context.limits["search_hits"].number
    total, places = (by_pattern if regex else by_letters)(whole, pattern, most)
    if total > most:
        context.hit("search_hits")
    round_hit = context.limits["search_context"].number
    facts: dict[str, Any] = {"total": total, "shown": len(places), "total_length": len(whole)}
    for number, (start, end) in enumerate(places, start=1):
        stop = min(end, start + _PREVIEW)
        shown = whole[max(start - round_hit, 0) : stop + round_hit].replace("\n", " ")
        facts[f"hit {number}"] = {"start_index": start, "end_index": end, "context": shown}
    return Reply(facts, notes=_more_hits(id, total, places, len(whole)))


@tool(effect="derive")
def store_text(context: Context, content: str) -> Reply:
    """Keep a long text and get an id; `§§§Blob§ID§§§` in a later argument stands for the text.

    Parameters
    ----------
    content : str
        The text.
    """
    if not content:
        raise Refused("store_text: the content is empty")
    key = text_id(hashlib.sha256(content.encode("utf-8", "replace")).hexdigest())
    if context.kept(key) is None:
        with context.new_file(key, "txt", "full") as (part, _):
            part.write_text(content, encoding="utf-8", errors="replace", newline="")
    shown = marker.short(visible(content), _PREVIEW)
    return Reply({"blob_id": key, "length": len(content), "preview": shown}, kept=(key,))


def _more_hits(key: str, total: int, places: list[tuple[int, int]], size: int) -> tuple[str, ...]:
    """Say how many hits are not shown, and from where the text goes on after the last."""
    if len(places) == total or not places:
        return ()
    on = f'read_range(id="{key}", offset={min(places[-1][1], size - 1)}) or a longer pattern'
    return (str(marker.Marker(total - len(places), total, "hits", key, on)),)


def _first_lines(context: Context, path: str, file: OpenFile) -> Reply:
    """Hand the first lines of a data file to the gate, which shows fewer of a longer file."""
    from workbench.formats.lines import head_lines

    most = context.limits["data_file_lines"].number
    head = head_lines(file, most, context.limits)
    room = context.limits["line_chars"].number
    if file.name.casefold().endswith(_DOCUMENTS) and head.total <= most:
        # A document on few lines: one long line of it is all its records.
        lines = [
            marker.short(line, _BEGINNING if len(line) > room else room) for line in head.lines
        ]
    else:
        lines = [_line(line, room) for line in head.lines]
    if tuple(lines) != head.lines:
        context.hit("line_chars")
    whole = "\n".join(lines)
    body = _sendable(whole)
    told = head.characters or (characters(file) if head.exact else 0)
    total = len(whole) if head.total <= len(lines) else told
    facts: dict[str, Any] = {"lines": head.total, "kind": "data"}
    if not head.exact:
        facts |= {"lines": f"at least {head.total}", "bytes": file.size}
    return Reply(facts, text=Text(body, path, "data", total, head.total, exact=head.exact))


def _line(line: str, room: int) -> str:
    """Cut a line that is far too long, its marker giving the true length."""
    return marker.short(visible(line, keep="\t"), room) if len(line) > 2 * room else line


def _sendable(whole: str) -> str:
    """Return the start of a text that passes the pipe."""
    body = whole[:_MOST_SENT]
    while len(json.dumps(body)) > _MOST_JSON:
        body = body[: len(body) // 2]
    return body


def _up_to_long_line(body: str, room: int) -> str:
    """End a stretch inside its first overlong line, so that reading on misses nothing."""
    start = 0
    for line in body.split("\n"):
        if len(line) > room:
            return body[: start + room]
        start += len(line) + 1
    return body

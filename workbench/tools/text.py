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
from workbench.newfile import new_file
from workbench.reply import Reply, Text
from workbench.tools.context import Context
from workbench.tools.registry import tool
from workbench.visible import visible

if TYPE_CHECKING:
    from workbench.workspace import OpenFile

# What goes to the gate of one text: more than any window's share, less than the pipe's line.
_MOST_SENT = 240_000
_MOST_JSON = 700_000
_MOST_RANGE = 20_000
_MOST_PATTERN = 500
_PREVIEW = 200


@tool(effect="read", answer="read_share")
def read_file(context: Context, path: str) -> Reply:
    """Read a text file, such as a report or notes, from its start. Of a data file only the first
    lines and its length come back: use the table tools for data.

    Parameters
    ----------
    path : str
        File name as list_files gives it.
    """
    with context.open(path) as file:
        context.weigh(path, file)
        if _is_data(context, file):
            return _first_lines(context, path, file)
        whole = _decoded(file)
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
    whole = _whole(context, id)
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
    """Find where a word or phrase stands in a text, log, stored text or cut answer; then read the
    range round a hit. Exact letters, case counts.

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
    whole = _whole(context, id)
    most = context.limits["search_hits"].number
    total, places = (_by_pattern if regex else _by_letters)(whole, pattern, most)
    if total > most:
        context.hit("search_hits")
    round_hit = context.limits["search_context"].number
    facts: dict[str, Any] = {"total": total, "shown": len(places), "total_length": len(whole)}
    for number, (start, end) in enumerate(places, start=1):
        stop = min(end, start + _PREVIEW)
        shown = whole[max(start - round_hit, 0) : stop + round_hit].replace("\n", " ")
        facts[f"hit {number}"] = {"start_index": start, "end_index": end, "context": shown}
    return Reply(facts)


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
    key = "t" + hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:12]
    folder = context.run / "full"
    folder.mkdir(exist_ok=True)
    if not (folder / f"{key}.txt").exists():
        with new_file(folder, key, "txt") as (part, _):
            part.write_text(content, encoding="utf-8", errors="replace", newline="")
    shown = marker.short(visible(content), _PREVIEW)
    return Reply({"blob_id": key, "length": len(content), "preview": shown})


def _is_data(context: Context, file: OpenFile) -> bool:
    """Tell whether the data-file rule holds, with the exemption of small JSON settings."""
    from workbench.formats.format import extension
    from workbench.formats.lines import is_data_file

    small = file.size < context.limits["json_exempt_bytes"].number
    if extension(file.name) == "json" and small:
        return _records(file) > context.limits["data_file_lines"].number
    return is_data_file(file)


def _records(file: OpenFile) -> int:
    """Return how many records a small JSON file holds: of its array, or its one array."""
    try:
        whole = json.loads(_decoded(file))
    except (ValueError, RecursionError):
        return 0
    if isinstance(whole, list):
        return len(whole)
    arrays = [value for value in whole.values() if isinstance(value, list)] if _object(whole) else []
    return len(arrays[0]) if len(arrays) == 1 else 0


def _object(value: object) -> bool:
    return isinstance(value, dict)


def _first_lines(context: Context, path: str, file: OpenFile) -> Reply:
    """Hand the first lines of a data file to the gate, which shows fewer of a longer file."""
    from workbench.formats.lines import head_lines

    most = context.limits["data_file_lines"].number
    head = head_lines(file, most, context.limits)
    room = context.limits["line_chars"].number
    lines = [_line(line, room) for line in head.lines]
    body = "\n".join(lines)
    total = len(body) if head.total <= len(lines) else _characters(file)
    facts = {"lines": head.total if head.exact else f"more than {head.total}", "kind": "data"}
    return Reply(facts, text=Text(body, path, "data", total, head.total))


def _line(line: str, room: int) -> str:
    """Cut a line that is too long for the pipe, its marker giving the true length."""
    return marker.short(visible(line, keep="\t"), room) if len(line) > 4 * room else line


def _characters(file: OpenFile) -> int:
    """Count the characters of a text file; 0, for not known, of any other."""
    from workbench.formats.encoding import guess

    with file.stream() as stream:
        encoding = guess(stream.read(65_536))
    if encoding is None:
        return 0
    import codecs

    decoder = codecs.getincrementaldecoder(encoding.codec)(errors="replace")
    total = 0
    with file.stream() as stream:
        stream.seek(encoding.mark)
        while block := stream.read(4_194_304):
            total += len(decoder.decode(block))
    return total


def _whole(context: Context, key: str) -> str:
    """Return the whole of a text; a table is refused."""
    kept = context.kept(key)
    if kept is not None:
        with kept:
            return _decoded(kept)
    with context.open(key) as file:
        if _is_table(context, file):
            raise Refused(
                f"'{key}': a table is not read as text; use query_data(path=\"{key}\", "
                'operation="describe")'
            )
        return _decoded(file)


def _is_table(context: Context, file: OpenFile) -> bool:
    """Tell whether a file is rows; a log that holds lines of words is text."""
    from workbench.formats.format import Glimpse
    from workbench.formats.registry import recognised

    if not _is_data(context, file):
        return False
    return not file.name.endswith(".log") or recognised(Glimpse.of(file)) is not None


def _decoded(file: OpenFile) -> str:
    """Return a text as it is shown: one kind of line end, nothing invisible."""
    from workbench.formats.encoding import decide, decode, guess

    data = file.read()
    first = guess(data[:65_536])
    if first is None:
        raise Refused(
            f"'{file.name}': it is no text (binary, {file.size:,} bytes); table tools open "
            "workbooks and Parquet"
        )
    text = decode(data, decide(file, first)).replace("\r\n", "\n").replace("\r", "\n")
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return visible(text, keep="\n\t")


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


def _by_letters(whole: str, pattern: str, most: int) -> tuple[int, list[tuple[int, int]]]:
    """Return how often a text stands in another, and the first places."""
    places: list[tuple[int, int]] = []
    at = whole.find(pattern)
    while at >= 0 and len(places) < most:
        places.append((at, at + len(pattern)))
        at = whole.find(pattern, at + len(pattern))
    return whole.count(pattern), places


def _by_pattern(whole: str, pattern: str, most: int) -> tuple[int, list[tuple[int, int]]]:
    """Search line by line with RE2, whose time grows with the text and not with the pattern."""
    import pyarrow as pa
    import pyarrow.compute as pc

    lines = whole.split("\n")
    try:
        counts = pc.count_substring_regex(pa.array(lines, pa.large_string()), pattern=pattern)
    except pa.lib.ArrowInvalid as error:
        raise Refused(
            f"search_text: the pattern is not valid RE2 ({visible(str(error))[:120]}); leave "
            "regex=false to find it letter by letter"
        ) from None
    places: list[tuple[int, int]] = []
    start = 0
    for line, count in zip(lines, counts.to_pylist(), strict=True):
        for left, right in _spans(line, pattern, min(count, most - len(places))):
            places.append((start + left, start + right))
        start += len(line) + 1
    return int(pc.sum(counts).as_py() or 0), places


def _spans(line: str, pattern: str, wanted: int) -> list[tuple[int, int]]:
    """Return where a pattern stands in one line, in characters."""
    import pyarrow as pa
    import pyarrow.compute as pc

    spans: list[tuple[int, int]] = []
    at = 0
    data = line.encode("utf-8", "replace")
    for _ in range(wanted):
        found = pc.extract_regex_span(pa.array([data[at:].decode()]), pattern=f"(?P<hit>{pattern})")
        hit = found[0].as_py()
        if hit is None:
            break
        left, length = hit["hit"]
        first = len(data[: at + left].decode())
        spans.append((first, first + len(data[at + left : at + left + length].decode())))
        at += left + length
        if length == 0:
            break
    return spans

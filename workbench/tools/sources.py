"""Where a text comes from: a kept answer, or a file, as the characters that are shown of it.

One kind of line end, nothing invisible: offsets count in this text, wherever it is read from.
"""

from __future__ import annotations

import codecs
import json
from typing import TYPE_CHECKING

from workbench.errors import Refused
from workbench.visible import visible

if TYPE_CHECKING:
    from workbench.tools.context import Context
    from workbench.workspace import OpenFile

_HEAD = 65_536
# Pages and figures: made for eyes, full of the rows they draw.
_MARKUP = frozenset({"html", "htm", "xhtml", "xml", "svg", "kml"})
# Packed and binary documents whose parts may look like text: ZIP, Parquet, OLE, gzip, PDF.
_PACKED = (b"PK\x03\x04", b"PAR1", b"\xd0\xcf\x11\xe0", b"\x1f\x8b", b"%PDF")


def is_data(context: Context, file: OpenFile) -> bool:
    """Tell whether the data-file rule holds, with the exemption of small JSON settings."""
    from workbench.formats.format import extension
    from workbench.formats.lines import is_data_file

    json_file = extension(file.name) == "json"
    small = file.size < context.limits["json_exempt_bytes"].number
    if json_file and not small:
        context.hit("json_exempt_bytes")
    if json_file and small:
        return _records(context, file) > context.limits["data_file_lines"].number
    return is_data_file(file)


def _records(context: Context, file: OpenFile) -> int:
    """Return how many records a small JSON file holds: of its longest list, at any depth.

    What does not parse as one document may be a record a line.
    """
    text = decoded(context, file)
    try:
        return _longest(json.loads(text))
    except (ValueError, RecursionError):
        return sum(bool(line.strip()) for line in text.splitlines())


def _longest(value: object) -> int:
    """Return the length of the longest list, or object of objects and lists, within a value."""
    if isinstance(value, list):
        return max([len(value), *map(_longest, value)])
    if not isinstance(value, dict):
        return 0
    inner = list(value.values())
    nested = sum(isinstance(item, dict | list) for item in inner)
    return max([nested, *map(_longest, inner)], default=0)


def refuse_page(name: str) -> None:
    """Refuse markup: a page for people holds the rows it draws.

    Raises
    ------
    Refused
        For HTML, SVG and XML, whatever they hold.
    """
    if name.rpartition(".")[2].casefold() in _MARKUP:
        raise Refused(
            f"'{name}': pages and figures are for people and are not read as text; ask a tool for "
            "the numbers"
        )


def whole_text(context: Context, key: str) -> str:
    """Return the whole of a text; a table is refused."""
    kept = context.kept(key)
    if kept is not None:
        with kept:
            return _as_shown(kept.read().decode("utf-8", "replace"))
    with context.open(key) as file:
        refuse_page(file.name)
        if _is_table(context, file):
            raise Refused(
                f"'{key}': a table is not read as text; use query_data(path=\"{key}\", "
                'operation="describe")'
            )
        return decoded(context, file)


def _is_table(context: Context, file: OpenFile) -> bool:
    """Tell whether a file is rows; a log that holds lines of words is text."""
    from workbench.formats.format import Glimpse
    from workbench.formats.registry import recognised

    if not is_data(context, file):
        return False
    return not file.name.endswith(".log") or recognised(Glimpse.of(file)) is not None


def decoded(context: Context, file: OpenFile) -> str:
    """Return a text as it is shown: one kind of line end, nothing invisible."""
    from workbench.formats.encoding import decide, decode, guess
    from workbench.formats.reading import check_bytes

    check_bytes(file.name, file.size, context.limits)
    data = file.read()
    first = None if data.startswith(_PACKED) else guess(data[:_HEAD])
    if first is None:
        raise Refused(
            f"'{file.name}': it is no text (binary, {file.size:,} bytes); table tools open "
            "workbooks and Parquet"
        )
    return _as_shown(decode(data, decide(file, first)))


def _as_shown(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return visible(text, keep="\n\t")


def characters(file: OpenFile) -> int:
    """Count the characters of a text file; 0, for not known, of any other."""
    from workbench.formats.encoding import guess

    with file.stream() as stream:
        head = stream.read(_HEAD)
    encoding = None if head.startswith(_PACKED) else guess(head)
    if encoding is None:
        return 0
    decoder = codecs.getincrementaldecoder(encoding.codec)(errors="replace")
    total = 0
    with file.stream() as stream:
        stream.seek(encoding.mark)
        while block := stream.read(4_194_304):
            total += len(decoder.decode(block))
    return total

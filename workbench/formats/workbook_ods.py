"""Error values in ODS: what a formula shows where it has no value.

Spreadsheet programs write such a cell as an empty text, older ones as the number 0; the error
itself stands only in the text that the cell shows.
"""

from __future__ import annotations

import re
import zipfile
from xml.parsers import expat

_SHOWN = re.compile(r"^(?:#(?:[A-Z][A-Z/0]*[A-Z0][!?]?|N/A)|Err:\d{3})$")
# Nothing is taken apart unless such a text is there.
_THERE = re.compile(rb">(?:#[A-Z]|Err:\d)")
# Repeated cells beyond this are the empty rest of a sheet.
_REPEATED = 1_000
_ROW, _CELLS = "table:table-row", frozenset({"table:table-cell", "table:covered-table-cell"})

Lost = dict[str, dict[tuple[int, int], str]]


def lost_in_ods(archive: zipfile.ZipFile) -> Lost:
    """Return the error cells of an ODS workbook by sheet; none if it is not well formed."""
    content = archive.read("content.xml")
    if not _THERE.search(content):
        return {}
    walk = _Walk()
    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = walk.start, walk.end
    parser.CharacterDataHandler = walk.text
    try:
        parser.Parse(content, True)
    except expat.ExpatError:
        return {}
    return {name: cells for name, cells in walk.found.items() if cells}


class _Walk:
    """Where in the sheets the parser is, and what it found."""

    def __init__(self) -> None:
        self.found: Lost = {}
        self.cells: dict[tuple[int, int], str] = {}
        self.row = self.column = self.rows = self.columns = 0
        self.shown: list[str] | None = None
        self.inside = False

    def start(self, name: str, said: dict[str, str]) -> None:
        if name == "table:table":
            self.cells = self.found.setdefault(said.get("table:name", ""), {})
            self.row = 0
        elif name == _ROW:
            self.column, self.rows = 0, _times(said, "table:number-rows-repeated")
        elif name in _CELLS:
            self.columns = _times(said, "table:number-columns-repeated")
            # A text that was typed stays what it is, and is read by itself.
            text = said.get("office:value-type") == "string"
            typed = text and said.get("calcext:value-type") != "error"
            self.shown = None if typed and "office:string-value" not in said else []
        self.inside = name == "text:p"

    def text(self, text: str) -> None:
        if self.inside and self.shown is not None:
            self.shown.append(text)

    def end(self, name: str) -> None:
        self.inside = False
        if name in _CELLS:
            self._note("".join(self.shown or ()).strip())
            self.column += self.columns
            self.shown = None
        elif name == _ROW:
            self.row += self.rows

    def _note(self, shown: str) -> None:
        if not _SHOWN.match(shown):
            return
        for down in range(min(self.rows, _REPEATED)):
            for right in range(min(self.columns, _REPEATED)):
                self.cells[self.row + down, self.column + right] = shown


def _times(said: dict[str, str], key: str) -> int:
    number = said.get(key, "1")
    return int(number) if number.isascii() and number.isdigit() else 1

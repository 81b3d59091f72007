"""LAS logs 1.2, 2.0 and 3.0: the log data, and the other data sections of LAS 3, one table each.

The header is read by lasio, the data by our own rules, all cells as text: curves are typed one by
one like any other column, and the index keeps all its values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from workbench.errors import Refused
from workbench.formats.counting import text_head
from workbench.formats.encoding import decode, guess
from workbench.formats.format import Glimpse, Head, RawTable
from workbench.formats.las_header import Curve, Header, notes, read_header
from workbench.formats.las_table import empty_table, read_table
from workbench.formats.las_text import LasText, Section, read_text
from workbench.formats.names import numbered
from workbench.formats.reading import Reading
from workbench.limits import Limits
from workbench.workspace import OpenFile, shown

# Sections that every log begins with, whatever the file is called.
_OPENING = re.compile(r"~\s*(?:V|W)", re.IGNORECASE)
_SECTION = re.compile(r"~\s*[VWCPAO]", re.IGNORECASE)


class LasLog:
    """LAS logs."""

    name = "LAS log"
    extensions = ("las",)
    is_data = True
    rank = 20
    by_extension = True

    def recognises(self, glimpse: Glimpse) -> bool:
        """Tell by the first line that is neither blank nor a comment."""
        encoding = guess(glimpse.head)
        if encoding is None:
            return False
        text = decode(glimpse.head, encoding).replace("\r", "\n")
        lines = [bare for line in text.split("\n") if (bare := line.strip()) and bare[0] != "#"]
        if not lines:
            return False
        if glimpse.extension in self.extensions:
            return any(map(_SECTION.match, lines))
        return bool(_OPENING.match(lines[0]))

    def head(self, file: OpenFile, n: int, limits: Limits) -> Head:
        """Return the first lines and the number of lines."""
        return text_head(file, n, limits)

    def read(self, file: OpenFile, into: Reading) -> Sequence[RawTable]:
        """Read the data sections of a log.

        Raises
        ------
        Refused
            If it is no LAS log, or has neither columns nor data.
        """
        into.check_size(file)
        text = read_text(file, into)
        header = read_header(text.sections)
        sections = _data(text, header)
        into.notes += [*notes(header), *text.notes, *_left_out(text, sections)]
        tables = _tables(text, sections, header, into)
        full = [table for table in tables if table.rows]
        if full:
            empty = [table.sheet for table in tables if not table.rows]
            into.notes += [f"section {name}: no rows in it" for name in empty]
            return full
        if tables:
            return tables[:1]
        curves = next((curves for curves in header.definitions.values() if curves), None)
        if curves is None:
            raise Refused(
                f"'{shown(file.name)}': a LAS header without columns or data; nothing to read"
            )
        return (empty_table(curves, text, into),)


def _data(text: LasText, header: Header) -> list[Section]:
    """Find the data sections, those of the log first; by their look where none has such a title."""
    sections = [section for section in text.sections if section.part == "data"]
    if not sections:
        sections = [section for section in text.sections if _is_data(section, header)]
    return sorted(sections, key=lambda section: section.family != "log")


def _tables(
    text: LasText, sections: Sequence[Section], header: Header, into: Reading
) -> list[RawTable]:
    """Read every data section."""
    names = numbered([section.name or _set_name(section, text) for section in sections])
    found = []
    for section, name in zip(sections, names, strict=True):
        curves = _definition(section, text, header)
        table = read_table(text, header, section, curves, name, into)
        if table is not None:
            found.append(table)
    alone = len(found) == 1 and not sections[0].name
    return [replace(found[0], sheet=None)] if alone else found


def _definition(section: Section, text: LasText, header: Header) -> Sequence[Curve]:
    """Find the columns of a data section: those it names, else the last of its family before it."""
    every = [one for one in text.sections if one.part == "definition"]
    named = [one for one in every if one.name and one.name.casefold() == section.refers]
    family = [one for one in every if one.family == section.family]
    before = [one for one in family if one.line < section.line]
    chosen = next(iter(named or before[::-1] or family), None)
    return header.definitions[chosen.line] if chosen else ()


def _set_name(section: Section, text: LasText) -> str:
    """Name one of several sets of log data: by its SET parameter, which stands before it."""
    before = [one for one in text.sections if one.part == "parameter" and one.line < section.line]
    lines = [line for _, line in before[-1].lines] if before else []
    named = (re.match(r"SET\s*\.\s*([^:]*?)\s*(?::|$)", line, re.IGNORECASE) for line in lines)
    return next((match[1] for match in named if match and match[1]), "Log")


def _is_data(section: Section, header: Header) -> bool:
    """Tell whether a section of an unknown title holds rows of numbers."""
    lines = [line.split() for _, line in section.lines if line and not line.startswith("#")]
    first = lines[0] if lines else []
    plain = all(re.fullmatch(r"[-+.,\d]+(?:[eE][-+]?\d+)?", cell) for cell in first)
    return section.part == "unknown" and bool(first) and plain and bool(header.definitions)


def _left_out(text: LasText, read: Sequence[Section]) -> list[str]:
    """Name the sections that are of no known kind."""
    names = [
        section.title[:40].strip()
        for section in text.sections
        if section.part == "unknown" and section not in read
    ]
    if not names:
        return []
    listed = ", ".join(f"~{name}" for name in names[:5])
    return [f"{len(names)} sections of no known kind were not read: {listed}"]


FORMATS = (LasLog(),)

"""The text of a LAS log as sections: which lines are whose, found in one pass over the bytes.

Whatever its encoding and line ends, the text is then UTF-8 with line feeds; headers are kept, data
stay on disk and are read by their place. Line numbers are those of the file.
"""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO, Literal, cast

from workbench.errors import Refused
from workbench.formats.encoding import Encoding, decide, guess, to_utf8
from workbench.formats.format import Glimpse
from workbench.formats.reading import Reading
from workbench.formats.scan import line_end
from workbench.workspace import OpenFile, shown

Part = Literal["version", "well", "definition", "parameter", "data", "other", "unknown"]

# No logger writes longer lines; they would be held in memory whole.
_LINE_BYTES = 2_000_000
# A header line is cut here: the patterns of the header reader take the square of its length.
_HEADER_CHARS = 2_000
_HEADER_LINES = 100_000
_SECTIONS = 5_000
_BLOCK = 1024 * 1024
_LETTERS_BYTES = 262_144
# Letters beyond ASCII stand alone in Latin text and in rows in Cyrillic and Chinese text.
_RUN = re.compile(rb"[\x80-\xff]{3,}")
_RUNS = 3
_FOREIGN = frozenset(
    [
        "windows-1251",
        "koi8-r",
        "ibm866",
        "gb2312",
        "gb18030",
        "big5",
        "shift_jis",
        "euc-jp",
        "euc-kr",
    ]
)
_SET = re.compile(
    r"(?P<stem>[^\s|\[\]]+?)_(?P<part>data|definition|parameter)s?(?P<run>\[\d+\])?\s*"
    r"(?:\|\s*(?P<refers>[^\s|]+))?",
    re.IGNORECASE,
)
_CLASSIC: tuple[tuple[str, str, Part], ...] = (
    ("V", "VER", "version"),
    ("W", "WEL", "well"),
    ("C", "CUR", "definition"),
    ("P", "PAR", "parameter"),
    ("A", "ASC", "data"),
    ("O", "OTH", "other"),
)


@dataclass(frozen=True)
class Section:
    """One section.

    Attributes
    ----------
    title : str
        Its first line without the tilde.
    part : str
        What it holds.
    name : str
        ``Core_Data[1]`` in LAS 3; empty for the classic sections.
    family : str
        Sections of one family belong together: ``log``, ``core``, in small letters.
    refers : str
        The definition that a data section names, in small letters; may be empty.
    line : int
        Its first line, counted from 1.
    offset, size : int
        Where its content begins in the text, and its lines.
    lines : tuple of (int, str)
        Lines of a header with their numbers; empty for data.
    """

    title: str
    part: Part
    name: str
    family: str
    refers: str
    line: int
    offset: int
    size: int = 0
    lines: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class LasText:
    """A log as text.

    Attributes
    ----------
    file : OpenFile
        The log.
    path : Path or None
        Where its text lies as UTF-8 with line feeds; None if the file itself is that.
    encoding, line_end : str
        As the file has them.
    sections : tuple of Section
        In the order of the file.
    notes : tuple of str
        What a person should know of the encoding.
    """

    file: OpenFile
    path: Path | None
    encoding: str
    line_end: str
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()

    def lines(self, section: Section) -> Iterator[tuple[int, str]]:
        """Yield the lines of a section without their line ends, with their numbers."""
        with _stream(self.file, self.path) as stream:
            stream.seek(section.offset)
            content = itertools.islice(stream, section.size)
            for number, raw in enumerate(content, start=section.line + 1):
                yield number, raw.decode("utf-8", errors="replace").rstrip("\r\n")


def read_text(file: OpenFile, into: Reading) -> LasText:
    """Find the sections of a log.

    Raises
    ------
    Refused
        If the file is no text, a line is too long, or it has no section.
    """
    head = Glimpse.of(file).head
    first = guess(head)
    if first is None:
        raise Refused(f"'{shown(file.name)}': the file holds binary data, not a LAS log")
    encoding, notes = _encoding(file, decide(file, first))
    path, start = None, encoding.mark
    if encoding.codec != "utf-8":
        path, start = into.folder / "log", 0
        lost = to_utf8(file, encoding, path)
        if lost:
            notes = (*notes, f"{lost} bytes have no meaning in {encoding.name}; shown as ? or �")
    found = _Scan(file.name)
    with _stream(file, path) as stream:
        stream.seek(start)
        found.scan(stream)
    ends = line_end(found.line_ends)
    if "cr" in found.line_ends:
        path = _line_feeds(file, path, into)
        found = _Scan(file.name)
        with path.open("rb") as stream:
            found.scan(stream)
    if not found.sections:
        raise Refused(
            f"'{shown(file.name)}': no section line (~) in it, so no LAS log; if it is a table of "
            "another kind, give it the name of that kind (.csv)"
        )
    return LasText(file, path, encoding.name, ends, tuple(found.sections), notes)


def _stream(file: OpenFile, path: Path | None) -> BinaryIO:
    return io.BufferedReader(file.stream()) if path is None else path.open("rb")


def _encoding(file: OpenFile, found: Encoding) -> tuple[Encoding, tuple[str, ...]]:
    """Ask for a second opinion where letters beyond ASCII stand in rows, as in Cyrillic text."""
    if found.codec != "cp1252":
        return found, ()
    with file.stream() as stream:
        head = stream.read(_LETTERS_BYTES)
    if len(_RUN.findall(head)) < _RUNS:
        return found, ()
    import chardet

    name = str(chardet.detect(head)["encoding"] or "").casefold()
    if name not in _FOREIGN:
        return found, ()
    codec = "gb18030" if name == "gb2312" else name
    return Encoding(name, codec), (f"its letters look like {name}, and it was read so: a guess",)


def _line_feeds(file: OpenFile, path: Path | None, into: Reading) -> Path:
    """Write the text with line feeds, where some lines end in a lone carriage return."""
    target = into.folder / "log-lines"
    with (
        io.TextIOWrapper(
            io.BufferedReader(file.stream()) if path is None else path.open("rb"),
            encoding="utf-8-sig",
            errors="replace",
            newline=None,
        ) as source,
        target.open("w", encoding="utf-8", newline="\n") as out,
    ):
        while block := source.read(_BLOCK):
            out.write(block)
    return target


@dataclass
class _Scan:
    """A pass over the lines of a text; `sections` is complete once it has run."""

    name: str
    sections: list[Section] = field(default_factory=list)
    line_ends: set[str] = field(default_factory=set)
    _kept: list[tuple[int, str]] = field(default_factory=list)

    def scan(self, stream: BinaryIO) -> None:
        number, lines = 0, 0
        while raw := stream.readline(_LINE_BYTES + 1):
            number += 1
            self._note_end(raw)
            if len(raw) > _LINE_BYTES and "cr" not in self.line_ends:
                raise Refused(
                    f"'{shown(self.name)}': line {number} is longer than {_LINE_BYTES:,} bytes; "
                    "no LAS log has such lines"
                )
            if raw.lstrip()[:1] == b"~":
                self._end(number)
                title = raw.decode("utf-8", errors="replace").strip()[1:]
                self.sections.append(section_of(title, number, stream.tell()))
            elif self.sections and self.sections[-1].part != "data" and lines < _HEADER_LINES:
                text = raw[: _HEADER_CHARS * 4].decode("utf-8", errors="replace")
                self._kept.append((number, text.strip()[:_HEADER_CHARS]))
                lines += 1
        self._end(number + 1)

    def _note_end(self, raw: bytes) -> None:
        if b"\r" not in raw:
            self.line_ends.add("lf")
            return
        if raw.endswith(b"\r\n"):
            self.line_ends.add("crlf")
        if b"\r" in raw.removesuffix(b"\r\n"):
            self.line_ends.add("cr")

    def _end(self, number: int) -> None:
        """Close the section that ends before a line."""
        if not self.sections:
            return
        last = self.sections[-1]
        size = number - last.line - 1
        self.sections[-1] = replace(last, size=size, lines=tuple(self._kept))
        self._kept = []
        if len(self.sections) >= _SECTIONS:
            raise Refused(
                f"'{shown(self.name)}': over {_SECTIONS:,} sections; no LAS log has so many"
            )


def section_of(title: str, line: int = 0, offset: int = 0) -> Section:
    """Tell from its title what a section holds.

    Examples
    --------
    >>> section_of("Core_Data[1] | Core_Definition").name, section_of("A  DEPT  GR").part
    ('Core_Data[1]', 'data')
    """
    match = _SET.match(title.strip())
    if match:
        name = f"{match['stem']}_{match['part']}{match['run'] or ''}"
        part = cast("Part", match["part"].casefold())
        refers = (match["refers"] or "").casefold()
        return Section(title, part, name, match["stem"].casefold(), refers, line, offset)
    word = (re.match(r"\s*(\w*)", title) or [""])[1].upper()
    for short, long, part in _CLASSIC:
        if word == short or word.startswith(long):
            return Section(title, part, "", "log", "", line, offset)
    # A tilde alone, or before the names of the curves, opens the data.
    bare = not title.strip() or title[:1].isspace()
    return Section(title, "data" if bare else "unknown", "", "log", "", line, offset)

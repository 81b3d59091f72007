"""Geosoft XYZ: channels of an airborne or ground survey, one block of rows a line of it.

``Line 100`` or ``Tie 9000`` stands above the rows of a line, a slash opens a comment, the last
comment above the first line names the channels, ``*`` is a gap, and ``//Flight`` and ``//Date``
hold for what follows. Read as one table with the line in front. The form is that of Seequent's
help, "Geosoft xyz file format".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from workbench.formats.counting import text_head
from workbench.formats.delimited import read_ready
from workbench.formats.delimited_rows import Text
from workbench.formats.encoding import Encoding, decide, decode, guess
from workbench.formats.format import Glimpse, Head, HeaderCell, RawTable
from workbench.formats.heading import Heading
from workbench.formats.heading_words import is_number
from workbench.formats.reading import Reading
from workbench.formats.sniff import WHITESPACE, Dialect
from workbench.limits import Limits
from workbench.workspace import OpenFile

_LINE = re.compile(r"^(line|tie|base|test|trend|special|random)[\s:]+(\S{1,40})\s*$", re.IGNORECASE)
_STATED = re.compile(r"^//\s*(flight|date)[\s:]*(.*)$", re.IGNORECASE)
_COMMENT = "/"
_DUMMY = "*"
_LOOKED_AT = 20


@dataclass
class _Survey:
    """What was met so far: the line the rows belong to, what was stated, and how often."""

    line: str = ""
    stated: dict[str, str] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    comments: int = 0

    def row(self, line: str, columns: Sequence[str], sign: str | None) -> str:
        """Return a line of the file as a row of the table; empty if it holds none."""
        line = line.replace("\0", "").strip("\x1a \t\r\n")
        if hit := _LINE.match(line):
            self.line = line
            self.kinds[hit[1].casefold()] += 1
        elif hit := _STATED.match(line):
            self.stated[hit[1].casefold()] = hit[2].strip()
        elif line.startswith(_COMMENT):
            self.comments += 1
        elif line and self.line:
            told = (self.stated.get(name, "") for name in columns)
            return " ".join(map(_quoted, (self.line, *told, *_cells(line, sign))))
        return ""

    def note(self) -> str:
        """Say what the lines of the file were."""
        lines = ", ".join(f"{times:,} × {kind}" for kind, times in self.kinds.items())
        return f"Geosoft lines: {lines}; {self.comments:,} lines of comments are no data"


@dataclass(frozen=True)
class _Layout:
    """Names of the channels, the sign between cells (None for blanks), what the file states."""

    names: tuple[str, ...]
    sign: str | None
    named: bool


class GeosoftTable:
    """Geosoft XYZ files."""

    name = "Geosoft XYZ"
    extensions = ("xyz",)
    is_data = True
    rank = 40
    by_extension = False
    by_lines = True

    def recognises(self, glimpse: Glimpse) -> bool:
        """Tell by a line of a survey above rows of numbers."""
        return _layout(_lines(glimpse)) is not None

    def head(self, file: OpenFile, n: int, limits: Limits) -> Head:
        """Return the first lines and the number of lines."""
        return text_head(file, n, limits)

    def read(self, file: OpenFile, into: Reading) -> Sequence[RawTable]:
        """Read all lines as one table.

        Raises
        ------
        Refused
            If it has no data rows.
        """
        into.check_size(file)
        glimpse = Glimpse.of(file)
        encoding = decide(file, guess(glimpse.head) or Encoding("utf-8", "utf-8"))
        layout = _layout(_lines(glimpse)) or _Layout((), None, named=False)
        survey = _Survey()

        def ready(path: Path) -> Text:
            columns = _stated_in(path)
            names = ("line", *columns, *layout.names)
            target = into.folder / "rows"
            with (
                path.open(encoding="utf-8-sig", errors="replace") as source,
                target.open("w", encoding="utf-8", newline="\n") as rows,
            ):
                rows.writelines(survey.row(line, columns, layout.sign) + "\n" for line in source)
            heading = Heading(tuple(map(HeaderCell, names)), 0, 0, 0, ())
            return Text(target, encoding, Dialect(WHITESPACE, ".", len(names), 1.0), heading, 0, ())

        found = read_ready(file, into, encoding, ready)
        said = [survey.note()]
        if not layout.named:
            said.append("no comment names the channels: they are numbered")
        return [_with_notes(raw, said) for raw in found]


def _with_notes(raw: RawTable, said: Sequence[str]) -> RawTable:
    # Lines that hold no row are empty in what was read, and told as what they are.
    kept = (note for note in raw.notes if not note.endswith("empty rows were left out"))
    return replace(raw, notes=(*said, *kept))


def _stated_in(path: Path) -> tuple[str, ...]:
    """Return what is stated anywhere in a file for the rows below: flight, date."""
    found: dict[str, None] = {}
    with path.open(encoding="utf-8-sig", errors="replace") as source:
        for line in source:
            if line.startswith("//") and (hit := _STATED.match(line)):
                found[hit[1].casefold()] = None
    return tuple(found)


def _lines(glimpse: Glimpse) -> list[str]:
    encoding = guess(glimpse.head)
    if encoding is None:
        return []
    text = decode(glimpse.head, encoding).replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    return [line.strip("\0\x1a \t") for line in (lines if glimpse.whole else lines[:-1])]


def _layout(lines: Sequence[str]) -> _Layout | None:
    """Return how the rows are written; None if the file is of another kind."""
    first = next((at for at, line in enumerate(lines) if _LINE.match(line)), len(lines))
    above, below = lines[:first], lines[first:]
    rows = [line for line in below if line and line[0] != _COMMENT and not _LINE.match(line)]
    rows = rows[:_LOOKED_AT]
    sign = "," if rows and all("," in row for row in rows) else None
    cells = [_cells(row, sign) for row in rows]
    width = Counter(map(len, cells)).most_common(1)[0][0] if cells else 0
    told = [cell for row in cells for cell in row]
    numbers = sum(is_number(cell) or cell in {_DUMMY, ""} for cell in told)
    # Names without a slash are one line above the first one; any other text is of another kind.
    bare = [line for line in above if line and line[0] != _COMMENT]
    if width < 2 or 2 * numbers < len(told) or len(bare) > 1:  # noqa: PLR2004 - a place and a value
        return None
    for line in (*bare, *reversed(above)):
        names = _cells(line.strip("/ \t"), sign)
        worded = all(any(map(str.isalpha, name)) for name in names)  # no ruled line
        if line[:2] != "//" and len(names) == width and worded:
            return _Layout(tuple(names), sign, named=True)
    return _Layout(tuple(f"channel_{n}" for n in range(1, width + 1)), sign, named=False)


def _cells(line: str, sign: str | None) -> list[str]:
    return [cell.strip().strip('"') for cell in line.split(sign)]


def _quoted(cell: str) -> str:
    plain = cell and not any(map(str.isspace, cell)) and '"' not in cell
    return cell if plain else '"' + cell.replace('"', "'") + '"'


FORMATS = (GeosoftTable(),)

"""Fixed-width text: columns that stand at the same places in every line, blanks in and among them.

Only text that runs of blanks do not split evenly comes here: a cell that is empty, or holds a blank
itself, would move all that follow. The places are those where no line of the sample has a sign.
"""

from __future__ import annotations

import io
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.errors import Refused
from workbench.formats.counting import text_head
from workbench.formats.encoding import Encoding, decide, decode, guess, to_utf8
from workbench.formats.footer import cut
from workbench.formats.format import Glimpse, Head, Layout, LineMap, RawTable
from workbench.formats.heading import find_heading
from workbench.formats.heading_words import is_number
from workbench.formats.reading import Reading
from workbench.limits import Limits
from workbench.workspace import OpenFile, shown

Mask = NDArray[np.bool_]

_SIGNS = ("\t", ";", "|", ",")
_LINES = 400
_FEWEST = 6
# Lines above the table may lie across its columns: they are no part of the body that is measured.
_BODY = 0.7
_NUMBERS = 0.8
_SAME = 0.9
_LISTED = 50


class FixedWidth:
    """Text in columns of fixed width."""

    name = "fixed-width text"
    extensions = ("prn",)
    is_data = True
    rank = 88
    by_extension = False
    by_lines = True

    def recognises(self, glimpse: Glimpse) -> bool:
        """Tell by places without a sign in every line, and numbers between them."""
        encoding = guess(glimpse.head)
        if encoding is None:
            return False
        lines = _lines(decode(glimpse.head, encoding))
        return bool(_starts(lines if glimpse.whole else lines[:-1]))

    def head(self, file: OpenFile, n: int, limits: Limits) -> Head:
        """Return the first lines and the number of lines."""
        return text_head(file, n, limits)

    def read(self, file: OpenFile, into: Reading) -> Sequence[RawTable]:
        """Read the table.

        Raises
        ------
        Refused
            If it has a header and no rows.
        """
        into.check_size(file)
        glimpse = Glimpse.of(file)
        encoding = decide(file, guess(glimpse.head) or Encoding("utf-8", "utf-8"))
        head = _lines(decode(glimpse.head, encoding))
        starts = _starts(head if glimpse.whole else head[:-1])
        heading = find_heading([_cells(line, starts) for line in head[:_LINES]], len(starts))
        path = file.path if encoding.codec == "utf-8" else into.folder / "text"
        if encoding.codec != "utf-8":
            to_utf8(file, encoding, path)
        found = _Rows(starts, heading.data)
        with path.open("rb") as raw:
            text = io.TextIOWrapper(raw, "utf-8-sig", errors="replace", newline=None)
            relation, rows = into.gather(len(starts), found.rows(text))
        if not rows:
            raise Refused(f"'{shown(file.name)}': {self.name} without rows; nothing to read")
        relation, number, note = cut(relation, rows, found.lines, len(starts), into)
        notes = (*heading.notes, *found.notes(), *filter(None, [note]))
        layout = Layout(encoding.name, "fixed width", ".", "lf", heading.rows, heading.first)
        return (
            RawTable(
                relation, heading.cells, rows - number, layout=layout, lines=found.lines,
                notes=notes,
            ),
        )  # fmt: skip


def _lines(text: str) -> list[str]:
    text = text.replace("\0", "").rstrip("\x1a")
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _cells(line: str, starts: Sequence[int]) -> list[str]:
    """Cut a line at the starts of its columns; what stands before the first belongs to it."""
    bounds = [0, *starts[1:], len(line)]
    return [line[a:b].strip() for a, b in itertools.pairwise(bounds)]


def _starts(lines: Sequence[str]) -> list[int]:
    """Return where the columns start; empty if the text is none of fixed width."""
    filled = [line.rstrip() for line in lines[:_LINES] if line.strip()]
    if len(filled) < _FEWEST or any(_marked(filled, sign) for sign in _SIGNS):
        return []
    body = filled[-max(_FEWEST, int(_BODY * len(filled))) :]
    words = Counter(len(line.split()) for line in body)
    if len(words) == 1:
        return []  # runs of blanks split it evenly
    width = max(map(len, filled))
    used = np.zeros(width, dtype=bool)
    for line in body:
        used |= _signs(line, width)
    head = ""
    for line in filled[: len(filled) - len(body)]:
        more = used | _signs(line, width)
        # A line of prose lies across the columns, or between them.
        if len(_runs(more)) == len(_runs(used)):
            used, head = more, head or line
    starts = _named(_runs(used), head, body)
    return starts if _is_table(starts, body) else []


def _signs(line: str, width: int) -> Mask:
    return np.array([sign != " " for sign in line.ljust(width)], dtype=bool)


def _runs(used: Mask) -> list[int]:
    """Return where unbroken runs start."""
    return [int(at) for at in np.flatnonzero(used & ~np.append(False, used[:-1]))]


def _marked(lines: Sequence[str], sign: str) -> bool:
    return 2 * sum(sign in line for line in lines) > len(lines)


def _named(starts: Sequence[int], head: str, body: Sequence[str]) -> list[int]:
    """Join columns of words by chance parted: those over which no name begins."""
    if not head or any(map(is_number, head.split())):
        return list(starts)
    ends = [*starts[1:], max(map(len, body)) + 1]
    kept: list[int] = []
    for start, end in zip(starts, ends, strict=True):
        named = bool(head[start:end].strip())
        column = [line[start:end].strip() for line in body]
        numbers = sum(map(is_number, column))
        if kept and not named and not numbers:
            continue
        kept.append(start)
    return kept


def _is_table(starts: Sequence[int], body: Sequence[str]) -> bool:
    """Tell whether the columns are two at least, half of them vary and one holds numbers."""
    if len(starts) < 2:  # noqa: PLR2004 - a table has two columns
        return False
    columns = list(zip(*(_cells(line, starts) for line in body), strict=True))
    filled = [[cell for cell in column if cell] for column in columns]
    # A sentence that stands in every line of a log, with a number in it, is no record.
    same = sum(Counter(column).most_common(1)[0][1] > _SAME * len(body) for column in columns)
    return 2 * same <= len(columns) and any(
        len(cells) >= len(body) / 4 and sum(map(is_number, cells)) >= _NUMBERS * len(cells)
        for cells in filled
    )


class _Rows:
    """The rows of a text, cut at fixed places, and what was counted."""

    def __init__(self, starts: Sequence[int], skip: int) -> None:
        self._starts, self._skip = starts, skip
        self._places: list[int] = []
        self._across: list[int] = []
        self._blank = 0

    def rows(self, text: io.TextIOWrapper) -> Iterator[list[str | None]]:
        """Yield the cells of every line that holds something."""
        inner = self._starts[1:]
        for number, line in enumerate(text, start=1):
            clean = line.rstrip("\n").replace("\0", "").replace("\x1a", "")
            if number <= self._skip:
                continue
            if not clean.strip():
                self._blank += 1
                continue
            if any(clean[at - 1] != " " != clean[at] for at in inner if at < len(clean)):
                self._across.append(number)
            self._places.append(number)
            yield [cell or None for cell in _cells(clean, self._starts)]

    @property
    def lines(self) -> LineMap:
        """Where the rows stand."""
        lines = np.array(self._places or [self._skip + 1], dtype=np.int64)
        breaks = np.flatnonzero(np.diff(lines, prepend=lines[0] - 2) != 1)
        return LineMap(breaks.astype(np.int64), lines[breaks])

    def notes(self) -> list[str]:
        """Say how it was read, and which lines do not keep to the columns."""
        starts = ", ".join(str(at + 1) for at in self._starts)
        said = [f"columns of fixed width, from signs {starts[:200]}"]
        if self._blank:
            said.append(f"{self._blank:,} empty rows were left out")
        if self._across:
            where = ", ".join(map(str, self._across[:10]))
            said.append(f"{len(self._across):,} lines have text across two columns (lines {where})")
        return said


FORMATS = (FixedWidth(),)

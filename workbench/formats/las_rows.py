"""The rows of one data section of a LAS log, as text, with the lines they stand on.

Comments, blank lines and control signs are passed over, rows that run over lines are put together,
single rows are mended where that leaves no doubt; what is short or long is kept and counted.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from workbench.formats.format import LineMap
from workbench.formats.las_layout import Layout, splitter
from workbench.formats.las_mend import ODD, mended, plain
from workbench.formats.sniff import WHITESPACE

_LISTED = 50
# A quote that is not closed within so many lines is a sign like any other.
_QUOTED_LINES = 200
_RECORD_CHARS = 500_000
_TOLD = 20_000

# Control-Z, the end of a text under DOS, and NUL.
_NO_SIGNS = {0x1A: None, 0: None}

Line = tuple[int, str]


def content(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines of a data section that hold something, without signs that no cell holds."""
    for number, line in lines:
        bare = line.translate(_NO_SIGNS) if "\x1a" in line or "\0" in line else line
        start = bare.lstrip()[:1]
        if start and start != "#":
            yield number, bare


def _quoted(cell: str) -> str:
    """Write a cell so that the engine reads it back as it is."""
    return '"' + cell.replace('"', '""') + '"' if any(sign in cell for sign in '"\t\n') else cell


@dataclass
class Rows:
    """Rows of one section; the counts are complete once all rows are taken.

    Parameters
    ----------
    layout : Layout
        How rows are laid out.
    """

    layout: Layout
    count: int = 0
    short: int = 0
    long: int = 0
    mended: int = 0
    signs: int = 0
    unfinished: bool = False
    ragged: list[int] = field(default_factory=list)
    first_mended: int = 0
    first_sign: int = 0
    _rows: array[int] = field(default_factory=lambda: array("q"))
    _lines: array[int] = field(default_factory=lambda: array("q"))

    def write(
        self, lines: Iterable[Line], path: Path, told: Callable[[int], None] | None = None
    ) -> None:
        """Write the rows as tab-separated text; what a row has too much stands in one more cell.

        Parameters
        ----------
        lines : iterable of (int, str)
            The section's lines.
        path : Path
            The file to write.
        told : callable, optional
            Called with the lines read so far.
        """
        counted = self._counted(lines, told)
        width = self.layout.width
        found = self._wrapped(counted) if self.layout.wrapped else self._single(counted)
        with path.open("w", encoding="utf-8", newline="\n") as out:
            for number, cells in found:
                size = len(cells)
                self._note(number, size)
                row = cells if size <= width else [*cells[:width], " ".join(cells[width:])]
                text = "\t".join(row)
                plain_text = '"' not in text and "\n" not in text and text.count("\t") < len(row)
                out.write((text if plain_text else "\t".join(map(_quoted, row))) + "\n")

    def _single(self, lines: Iterator[Line]) -> Iterator[tuple[int, list[str]]]:
        """Read one row a line, but for quoted text with line breaks."""
        width = self.layout.width
        if self.layout.delimiter != WHITESPACE or self.layout.decimal != ".":
            yield from self._careful(lines)
            return
        for number, line in lines:
            cells = line.split()
            # Most lines hold as many plain numbers as there are columns, and are done here.
            if len(cells) == width and not ODD.search(line):
                yield number, cells
            else:
                yield from self._careful(((number, line),))

    def _careful(self, lines: Iterable[Line]) -> Iterator[tuple[int, list[str]]]:
        split = splitter(self.layout.delimiter)
        for number, line in self._records(content(lines)):
            cells = split(line)
            if len(cells) != self.layout.width:
                cells = self._mended(number, line, cells)
            yield number, self._plain(number, line, cells)

    def _mended(self, number: int, line: str, cells: list[str]) -> list[str]:
        better = mended(line, cells, self.layout)
        if better is None:
            return cells
        self.mended += 1
        self.first_mended = self.first_mended or number
        return better

    def _wrapped(self, lines: Iterator[Line]) -> Iterator[tuple[int, list[str]]]:
        """Put rows together from the values of several lines."""
        split, width = splitter(self.layout.delimiter), self.layout.width
        held: list[str] = []
        start, alone = 0, False
        for number, line in content(lines):
            cells = self._plain(number, line, split(line))
            if not held:
                start, alone = number, alone or (not self.count and len(cells) == 1)
            elif alone and len(cells) == 1 and len(held) + 1 != width:
                # The index stands on a line of its own: the row before it lacks values.
                yield start, held
                held, start = [], number
            held += cells
            if len(held) >= width:
                yield start, held
                held = []
        if held:
            self.unfinished = True
            yield start, held

    def _counted(self, lines: Iterable[Line], told: Callable[[int], None] | None) -> Iterator[Line]:
        for done, line in enumerate(lines):
            if told is not None and done % _TOLD == 0:
                told(done)
            yield line

    def _records(self, lines: Iterator[Line]) -> Iterator[Line]:
        """Join lines whose quotes are not closed."""
        if self.layout.delimiter == WHITESPACE:
            yield from lines
            return
        for number, line in lines:
            if line.count('"') % 2 == 0:
                yield number, line
                continue
            pending = [(number, line)]
            for following in lines:
                pending.append(following)
                if following[1].count('"') % 2 or len(pending) >= _QUOTED_LINES:
                    break
            text = "\n".join(text for _, text in pending)
            if len(pending) > 1 and text.count('"') % 2 == 0 and len(text) < _RECORD_CHARS:
                yield number, text
            else:
                yield from pending

    def _plain(self, number: int, line: str, cells: list[str]) -> list[str]:
        cells, changed = plain(line, cells, self.layout)
        if changed:
            self.signs += changed
            self.first_sign = self.first_sign or number
        return cells

    def _note(self, line: int, size: int) -> None:
        width, row = self.layout.width, self.count
        self.count += 1
        self.short += size < width
        self.long += size > width
        if size != width and len(self.ragged) < _LISTED:
            self.ragged.append(line)
        if not self._rows or line != self._lines[-1] + row - self._rows[-1]:
            self._rows.append(row)
            self._lines.append(line)

    @property
    def lines(self) -> LineMap:
        """Where the rows stand in the file."""
        return LineMap(
            np.array(self._rows or [0], dtype=np.int64),
            np.array(self._lines or [1], dtype=np.int64),
        )

    def notes(self) -> list[str]:
        """Return what was done to rows, in sentences."""
        found = []
        if self.mended:
            found.append(
                f"{self.mended} rows with touching, starred-out or unquoted columns were put "
                f"right, the first on line {self.first_mended}"
            )
        if self.signs:
            found.append(
                f"{self.signs} numbers are written with another decimal sign than the rest and "
                f"were read as decimals, the first on line {self.first_sign}"
            )
        if self.unfinished:
            found.append("the last row is not complete: the file may have been cut")
        return found

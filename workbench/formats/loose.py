"""Reading text line by line, for files that no engine reads as they stand.

Stray and unclosed quotes, mixed line ends, control signs, runs of blanks as delimiter, very long
lines: slower than the engine, but every row keeps its line number and nothing is dropped.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from workbench.formats.format import LineMap
from workbench.formats.quoted import between_blanks, records
from workbench.formats.scan import line_end
from workbench.formats.sniff import WHITESPACE

_LISTED = 50


@dataclass
class Loose:
    """Rows of a text, read one by one; the counts are complete once all rows are taken.

    Parameters
    ----------
    path : Path
        Text in UTF-8.
    delimiter : str
        One sign, or ``whitespace``.
    width : int
        Fields of the header.
    skip : int
        Lines before the first data row.
    """

    path: Path
    delimiter: str
    width: int
    skip: int
    short: int = 0
    long: int = 0
    widest: int = 0
    blank: int = 0
    ragged: list[tuple[int, int]] = field(default_factory=list)
    line_ends: set[str] = field(default_factory=set)
    widths: Counter[int] = field(default_factory=Counter)
    _rows: list[int] = field(default_factory=list)
    _lines: list[int] = field(default_factory=list)

    def rows(self, told: Callable[[int], None] | None = None) -> Iterator[list[str]]:
        """Yield the cells of every row that holds something."""
        with (
            self.path.open("rb") as raw,
            io.TextIOWrapper(raw, "utf-8-sig", errors="replace", newline="") as stream,
        ):
            lines = map(self._clean, stream)
            for _ in range(self.skip):
                next(lines, "")
            count = 0
            for line, cells in self._records(lines):
                if not any(cell.strip() for cell in cells):
                    self.blank += 1
                    continue
                self._note(count, line, len(cells))
                count += 1
                yield cells
                if told is not None and count % 10_000 == 0:
                    told(raw.tell())

    def _clean(self, line: str) -> str:
        """Note how a line ends and take out signs that no cell holds."""
        ends = ("\r\n", "crlf"), ("\n", "lf"), ("\r", "cr")
        kind = next((name for end, name in ends if line.endswith(end)), None)
        if kind is not None:
            self.line_ends.add(kind)
        return line.replace("\0", "").replace("\x1a", "")

    @property
    def line_end(self) -> str:
        """The line end in a word: ``lf``, ``crlf``, ``cr`` or ``mixed``."""
        return line_end(self.line_ends)

    def _records(self, lines: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
        """Yield the line a record starts at and its cells."""
        if self.delimiter == WHITESPACE:
            for number, line in enumerate(lines, start=self.skip + 1):
                yield number, between_blanks(line)
        else:
            number = self.skip + 1
            for taken, cells in records(lines, self.delimiter, self.width):
                yield number, cells
                number += taken

    def _note(self, row: int, line: int, size: int) -> None:
        self.widths[size] += 1
        self.widest = max(self.widest, size)
        self.short += size < self.width
        self.long += size > self.width
        if size != self.width and len(self.ragged) < _LISTED:
            self.ragged.append((line, size))
        if not self._rows or line != self._lines[-1] + row - self._rows[-1]:
            self._rows.append(row)
            self._lines.append(line)

    @property
    def lines(self) -> LineMap:
        """Where the rows stand in the file."""
        return LineMap(
            np.array(self._rows or [0], dtype=np.int64),
            np.array(self._lines or [self.skip + 1], dtype=np.int64),
        )

"""What a format is, and what it hands over.

A format turns the bytes of one file into raw tables: every cell still text, in a relation of the
loading connection. It decides nothing about numbers, units or censoring; `workbench.tables` does
that over whole columns. Adding a format is adding one module here with a ``FORMATS`` tuple.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from workbench.formats.reading import Reading
from workbench.limits import Limits
from workbench.workspace import OpenFile

# Enough to see a header and some hundred rows; the same amount decides what is a data file.
GLIMPSE_BYTES = 65_536


@dataclass(frozen=True)
class Glimpse:
    """What can be told of a file before it is read.

    Attributes
    ----------
    name, extension : str
        Its path in the workspace; the extension in lower case without the dot.
    head, tail : bytes
        Its first and last 64 KB; they overlap in a short file.
    size : int
        Bytes in all.
    """

    name: str
    extension: str
    head: bytes
    tail: bytes
    size: int

    @classmethod
    def of(cls, file: OpenFile) -> Glimpse:
        """Look at the start and the end of a file."""
        with file.stream() as stream:
            head = stream.read(GLIMPSE_BYTES)
            stream.seek(max(0, file.size - GLIMPSE_BYTES))
            tail = stream.read(GLIMPSE_BYTES)
        return cls(file.name, extension(file.name), head, tail, file.size)

    @property
    def whole(self) -> bool:
        """True if the head is the whole file."""
        return self.size <= len(self.head)


def extension(name: str) -> str:
    """Return the extension of a name in lower case, without its dot; empty if there is none."""
    stem, _, ending = name.rpartition("/")[2].rpartition(".")
    return ending.casefold() if stem else ""


@dataclass(frozen=True)
class Layout:
    """How a file was read, for the record: words of ``describe --json``.

    Attributes
    ----------
    encoding, delimiter, decimal, line_end : str or None
        For text; None for others.
    header_rows, skipped_lines : int
        Rows of the header; lines before it.
    """

    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    line_end: str | None = None
    header_rows: int = 1
    skipped_lines: int = 0


@dataclass(frozen=True)
class LineMap:
    """Where data rows stand in the file.

    Attributes
    ----------
    rows : ndarray of int64, shape (n,)
        First row of each unbroken stretch, counted from 0, increasing; the first is 0.
    lines : ndarray of int64, shape (n,)
        Its line in the file, counted from 1.
    """

    rows: NDArray[np.int64]
    lines: NDArray[np.int64]

    @classmethod
    def starting(cls, line: int) -> LineMap:
        """Map rows that follow each other without a break from `line` on."""
        return cls(np.array([0], dtype=np.int64), np.array([line], dtype=np.int64))

    def line(self, row: int) -> int:
        """Return the line of a data row, both as `rows` and `lines` count them."""
        place = int(np.searchsorted(self.rows, row, side="right")) - 1
        return int(self.lines[place] + row - self.rows[place])


@dataclass(frozen=True)
class Stated:
    """What a file that describes its own columns says of one: nothing of it is guessed again.

    Attributes
    ----------
    unit : str or None
        As the file writes it; one that is not known by another name is kept as it is.
    role : str or None
        What the column is for, in the words of `workbench.tables.table.Role`; None to ask the
        header.
    gaps : tuple of str
        Numbers and texts that stand for a gap in this column. No others are looked for, so that
        the index of a log keeps all its values.
    """

    unit: str | None = None
    role: str | None = None
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True)
class HeaderCell:
    """One column's header: its name, what other header rows and the file itself say of it.

    Attributes
    ----------
    name : str
        As the file writes it.
    unit, method : str or None
        From rows of units and methods, or from another sheet.
    stated : Stated or None
        What a file that describes its own columns says.
    lower, upper : float or None
        Limits of detection from rows of limits, or from another sheet; in the column's unit.
    """

    name: str
    unit: str | None = None
    method: str | None = None
    stated: Stated | None = None
    lower: float | None = None
    upper: float | None = None


@dataclass(frozen=True)
class RawTable:
    """A table whose cells are still text.

    Attributes
    ----------
    relation : str
        Table of the loading connection; its columns are ``c0``, ``c1`` … of type VARCHAR, in the
        order of the file, and its rows are in the order of the file. Cells have no white space
        around them; an empty one is NULL.
    headers : tuple of HeaderCell
        One a column.
    rows : int
        Data rows.
    sheet : str or None
        Sheet of a workbook.
    layout : Layout
        How it was read.
    lines : LineMap
        Where its rows stand in the file.
    notes : tuple of str
        What was skipped, dropped or guessed.
    short_rows, long_rows : int
        Rows with fewer or more cells than the header.
    ragged_lines : tuple of int
        Lines of the first such rows.
    preamble : tuple of str
        Lines above the header, cells joined by blanks: they may state a unit for all columns.
    """

    relation: str
    headers: tuple[HeaderCell, ...]
    rows: int
    sheet: str | None = None
    layout: Layout = field(default_factory=Layout)
    lines: LineMap = field(default_factory=lambda: LineMap.starting(2))
    notes: tuple[str, ...] = ()
    short_rows: int = 0
    long_rows: int = 0
    ragged_lines: tuple[int, ...] = ()
    preamble: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """Header texts of the columns."""
        return [cell.name for cell in self.headers]


@dataclass(frozen=True)
class Head:
    """The first lines of a file and how many it has.

    Attributes
    ----------
    lines : tuple of str
        Without their line ends; rows of a workbook or Parquet file as tab-separated text.
    total : int
        Lines, or rows of a workbook or Parquet file.
    exact : bool
        False if the file is too large to load and has at least `total`.
    names : str or None
        Column names of a file that keeps them apart from its rows, tab-separated.
    characters : int or None
        Signs of the whole text, where they are known without another look.
    """

    lines: tuple[str, ...]
    total: int
    exact: bool = True
    names: str | None = None
    characters: int | None = None


class Format(Protocol):
    """One way in which tables are kept in files.

    Attributes
    ----------
    name : str
        As a person says it: ``delimited text``.
    extensions : tuple of str
        In lower case, without dots.
    is_data : bool
        True if a file of these extensions holds data whatever it looks like.
    rank : int
        Lower is asked first; formats with a signature come before those that only look right.
    by_extension : bool
        True if a text of this extension is of this format although its content does not say so.

    One whose first lines are a file of it as well has ``by_lines = True`` besides.
    """

    @property
    def name(self) -> str:
        """Name of the format."""
        ...

    @property
    def extensions(self) -> tuple[str, ...]:
        """Extensions of its files."""
        ...

    @property
    def is_data(self) -> bool:
        """Whether its files are data by name alone."""
        ...

    @property
    def rank(self) -> int:
        """When it is asked."""
        ...

    @property
    def by_extension(self) -> bool:
        """Whether a text may be of it by name alone."""
        ...

    def recognises(self, glimpse: Glimpse) -> bool:
        """Tell by content whether a file is of this format."""
        ...

    def read(self, file: OpenFile, into: Reading) -> Sequence[RawTable]:
        """Read a file into raw tables.

        Raises
        ------
        Refused
            If it cannot be read; the message names the kind of file and the reason.
        """
        ...

    def head(self, file: OpenFile, n: int, limits: Limits) -> Head:
        """Return the first `n` lines (or rows) and how many there are."""
        ...

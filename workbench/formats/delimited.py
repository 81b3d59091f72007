"""Delimited text: CSV, TSV and their relatives, in any encoding and line end.

How the text keeps its table is decided by our own look at the whole file, never by an engine's
sniffer: encoding, delimiter, decimal sign, header, and what stands above it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from workbench import marker
from workbench.errors import Refused
from workbench.files.tabular import is_table
from workbench.formats.counting import text_head
from workbench.formats.delimited_alike import Plan, plan_of, rows_alike
from workbench.formats.delimited_rows import Rows, Text, read_rows
from workbench.formats.encoding import Encoding, decide, decode, guess, to_utf8
from workbench.formats.footer import cut
from workbench.formats.format import Glimpse, Head, Layout, RawTable
from workbench.formats.heading import find_heading
from workbench.formats.quoted import records
from workbench.formats.reading import HELD_BYTES, Reading
from workbench.formats.repeats import without_repeats
from workbench.formats.sheet_blocks import MOST_ROWS
from workbench.formats.sniff import WHITESPACE, Dialect, Sample, sniff, split, take_sample
from workbench.formats.stacked import stacked
from workbench.limits import Limits
from workbench.visible import visible
from workbench.workspace import OpenFile, shown

# Signs of a header's cell in an error; one that opens a quote can be the whole file.
_NAME = 60
# Lines named of rows that are shorter or longer than the header.
_LINES = 10


class DelimitedText:
    """CSV, TSV and their relatives."""

    name = "delimited text"
    extensions = ("csv", "tsv", "tab", "psv")
    is_data = True
    rank = 90
    by_extension = True
    by_lines = True

    def recognises(self, glimpse: Glimpse) -> bool:
        """Tell whether the file is text, and of an extension or look that means a table."""
        encoding = guess(glimpse.head)
        if encoding is None:
            return False
        if glimpse.extension in self.extensions:
            return True
        lines = decode(glimpse.head, encoding).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return is_table(lines if glimpse.whole else lines[:-1])

    def head(self, file: OpenFile, n: int, limits: Limits) -> Head:
        """Return the first lines and the number of lines."""
        return text_head(file, n, limits)

    def read(self, file: OpenFile, into: Reading) -> Sequence[RawTable]:
        """Read the table of a delimited text.

        Raises
        ------
        Refused
            If it is empty, holds a header alone, or no delimiter splits its lines alike.
        """
        into.check_size(file)
        ready = self._prepare(file, into)
        found = _tables(file, into, ready)
        into.plan = plan_of(ready, file)
        return found

    def read_alike(self, file: OpenFile, into: Reading) -> Sequence[RawTable] | None:
        """Read a small text as the last one was read; None if it is not proved to be like it."""
        if not isinstance(into.plan, Plan):
            return None
        rows = rows_alike(file, into, into.plan)
        ready = replace(into.plan.ready, path=file.path)
        return None if rows is None else (_table(ready, _without_footer(rows, ready, into)),)

    def _prepare(self, file: OpenFile, into: Reading) -> Text:
        """Decide encoding, dialect and header, and have the text as UTF-8."""
        encoding = guess(Glimpse.of(file).head)
        if encoding is None or not file.size:
            reason = "is empty" if not file.size else "holds binary data, not text"
            raise Refused(f"'{shown(file.name)}': the file {reason}; nothing to read")
        encoding = decide(file, encoding)
        sample = take_sample(file, encoding)
        dialect = sniff(sample, lenient=Glimpse.of(file).extension in self.extensions)
        if dialect is None:
            raise Refused(
                f"'{shown(file.name)}': plain text without a table (no delimiter splits its lines "
                "alike); read it with read_file"
            )
        return _ready(_as_utf8(file, encoding, into), encoding, dialect, sample)


def _tables(file: OpenFile, into: Reading, ready: Text) -> Sequence[RawTable]:
    """Read the table of a text that is ready."""
    rows = read_rows(ready, file, into)
    if not rows.rows:
        cells = ready.heading.cells[:5]
        names = ", ".join(marker.short(visible(cell.name.strip()), _NAME) for cell in cells)
        raise Refused(
            f"'{shown(file.name)}': a text with a header ({names}) and no data rows; "
            "nothing to read"
        )
    table = _table(ready, _without_footer(rows, ready, into))
    return _stacked(ready, rows, table.layout, into) or (table,)


def _stacked(ready: Text, rows: Rows, layout: Layout, into: Reading) -> Sequence[RawTable]:
    """Take the tables of a text that holds several behind empty rows; none if it is one."""
    delimiter = ready.dialect.delimiter
    if not rows.blank or rows.rows > MOST_ROWS or delimiter == WHITESPACE:
        return ()
    if ready.path.stat().st_size > HELD_BYTES:
        return ()
    lines = ready.path.read_text(encoding="utf-8-sig").split("\n")
    cells, ends = _numbered(lines, delimiter)
    return stacked(cells, [1, *(end + 1 for end in ends[:-1])], layout, into)


def read_ready(
    file: OpenFile, into: Reading, encoding: Encoding, ready: Callable[[Path], Text]
) -> Sequence[RawTable]:
    """Read a text whose header and dialect another format knows.

    Parameters
    ----------
    file, into
        The file and the reading.
    encoding : Encoding
        Of the whole file.
    ready : callable
        Given where the text lies as UTF-8, returns how it is to be read.
    """
    return _tables(file, into, ready(_as_utf8(file, encoding, into)))


def _as_utf8(file: OpenFile, encoding: Encoding, into: Reading) -> Path:
    """Return where the text lies as UTF-8."""
    if encoding.codec == "utf-8":
        return file.path
    into.told("decode", 0.0)
    target = into.folder / "text"
    to_utf8(file, encoding, target)
    return target


def _ready(path: Path, encoding: Encoding, dialect: Dialect, sample: Sample) -> Text:
    """Find the header; count the lines of the file that lie above the data."""
    rows, ends = _numbered(sample.head, dialect.delimiter)
    heading = find_heading(rows[:400], dialect.width)
    skip = ends[heading.data - 1] if heading.data else 0
    first = tuple(rows[heading.data]) if heading.data < len(rows) else ()
    return Text(path, encoding, dialect, heading, skip, first)


def _numbered(lines: Sequence[str], delimiter: str) -> tuple[list[list[str]], list[int]]:
    """Split lines into rows, and say how many lines each row and those before it take."""
    if delimiter == WHITESPACE:
        return split(lines, delimiter), list(range(1, len(lines) + 1))
    found = list(records(lines, delimiter))
    return [cells for _, cells in found], list(itertools.accumulate(taken for taken, _ in found))


def _without_footer(rows: Rows, ready: Text, into: Reading) -> Rows:
    """Leave repeated names, notes and totals out; a file that is not held keeps its rows."""
    if ready.path.stat().st_size > HELD_BYTES:
        return rows
    header = ready.heading.cells
    relation, count, lines, note = without_repeats(
        rows.relation, rows.rows, rows.lines, header, into
    )
    if note and count:
        notes = (*rows.notes, note)
        rows = replace(rows, relation=relation, rows=count, lines=lines, notes=notes)
    relation, number, note = cut(rows.relation, rows.rows, rows.lines, len(header), into)
    if not number:
        return rows
    first = rows.lines.line(rows.rows - number)
    ragged = tuple(line for line in rows.ragged if line < first)
    return replace(
        rows,
        relation=relation,
        rows=rows.rows - number,
        short=rows.short - (len(rows.ragged) - len(ragged)),
        ragged=ragged,
        notes=(*rows.notes, note),
    )


def _table(ready: Text, rows: Rows) -> RawTable:
    """Put together what was read and how."""
    notes = [*ready.heading.notes, *rows.notes]
    if rows.blank:
        notes.append(f"{rows.blank:,} empty rows were left out")
    if rows.short or rows.long:
        more = " …" if rows.short + rows.long > len(rows.ragged[:_LINES]) else ""
        where = ", ".join(map(str, rows.ragged[:_LINES])) + more
        beyond = "joined to its last column, which holds words" if rows.joined else "left out"
        notes.append(
            f"{rows.short:,} rows are shorter and {rows.long:,} longer than the header; missing "
            f"cells are blank, cells beyond it are {beyond} (lines {where})"
        )
    layout = Layout(
        ready.encoding.name,
        ready.dialect.delimiter,
        ready.dialect.decimal,
        rows.line_end,
        ready.heading.rows,
        ready.heading.first,
    )
    return RawTable(
        rows.relation,
        ready.heading.cells,
        rows.rows,
        layout=layout,
        lines=rows.lines,
        notes=tuple(notes),
        preamble=ready.heading.preamble,
        short_rows=rows.short,
        long_rows=rows.long,
        ragged_lines=rows.ragged,
    )


FORMATS = (DelimitedText(),)

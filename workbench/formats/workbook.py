"""Workbooks: XLSX, XLSM, XLSB, XLS and ODS; one table a visible sheet.

Cells come as the values that were saved with the file: formulas are not computed, links and macros
are never followed. A number is written as the shortest text that gives it back.
"""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import python_calamine as calamine

from workbench.errors import Refused
from workbench.formats.archive import check_archive
from workbench.formats.format import Glimpse, Head, Layout, LineMap, RawTable
from workbench.formats.heading import Heading, find_heading
from workbench.formats.reading import Reading
from workbench.limits import Limits
from workbench.workspace import OpenFile, shown

_HEAD_ROWS = 400
_PACKED = (b"xl/workbook", b"application/vnd.oasis.opendocument.spreadsheet")
_OLD = tuple(word.encode("utf-16-le") for word in ("Workbook", "EncryptedPackage"))
# Numbers up to here are whole in a double.
_WHOLE = 2**53

Cells = list[str]


class Workbook:
    """Workbooks of spreadsheets."""

    name = "workbook"
    extensions = ("xlsx", "xls", "xlsm", "xlsb", "ods")
    is_data = True
    rank = 10
    by_extension = False

    def recognises(self, glimpse: Glimpse) -> bool:
        """Tell by the names of the parts inside."""
        both = glimpse.head, glimpse.tail
        if glimpse.head.startswith(b"PK\x03\x04"):
            return any(name in part for name in _PACKED for part in both)
        return glimpse.head.startswith(b"\xd0\xcf\x11\xe0") and (
            glimpse.extension in self.extensions
            or any(name in part for name in _OLD for part in both)
        )

    def read(self, file: OpenFile, into: Reading) -> Sequence[RawTable]:
        """Read the table of every visible sheet.

        Raises
        ------
        Refused
            If it is damaged, locked, or no visible sheet holds a table.
        """
        into.check_size(file)
        tables: list[RawTable] = []
        sheets = list(_sheets(file, into.limits, into.notes))
        for done, sheet in enumerate(sheets):
            into.told("load", done / len(sheets))
            found = _table(sheet, into)
            if found is None:
                into.notes.append(f"sheet '{shown(sheet.name)}': no table in it")
            else:
                tables.append(found)
        if not tables:
            raise Refused(f"'{shown(file.name)}': workbook without a table in a visible sheet")
        return tables

    def head(self, file: OpenFile, n: int, limits: Limits) -> Head:
        """Return the first rows of the visible sheets and the number of their rows."""
        sheets = list(_sheets(file, limits, []))
        rows = (row for sheet in sheets for row in _rows(sheet))
        lines = tuple("\t".join(row) for row in itertools.islice(rows, max(n, 0)))
        return Head(lines, sum(sheet.end[0] + 1 for sheet in sheets if sheet.end))


def _sheets(file: OpenFile, limits: Limits, notes: list[str]) -> Iterator[calamine.CalamineSheet]:
    """Open the visible sheets; name the others in the notes."""
    name = shown(file.name)
    if Glimpse.of(file).head.startswith(b"PK"):
        check_archive(file, limits)
    with file.stream() as stream:
        try:
            book = calamine.CalamineWorkbook.from_filelike(stream)
            for meta in book.sheets_metadata:
                if meta.typ != calamine.SheetTypeEnum.WorkSheet:
                    notes.append(f"sheet '{shown(meta.name)}': holds no cells (chart or macro)")
                elif meta.visible == calamine.SheetVisibleEnum.VeryHidden:
                    notes.append(f"sheet '{shown(meta.name)}': very hidden, not read")
                elif meta.visible != calamine.SheetVisibleEnum.Visible:
                    notes.append(f"sheet '{shown(meta.name)}': hidden, not read")
                else:
                    yield book.get_sheet_by_name(meta.name)
        except calamine.PasswordError:
            raise Refused(f"'{name}': locked with a password; save it without one") from None
        except calamine.CalamineError as error:
            reason = str(error).splitlines()[0][:120] if str(error) else "unreadable"
            raise Refused(f"'{name}': damaged workbook ({reason}); save it again") from None


def _rows(sheet: calamine.CalamineSheet) -> Iterator[Cells]:
    """Yield the cells of every row as text, from the first row of the sheet on."""
    for row in sheet.to_python(skip_empty_area=False):
        yield [_text(cell) for cell in row]


def _text(cell: object) -> str:
    """Write a cell as text."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < _WHOLE else repr(cell)
    if isinstance(cell, dt.datetime):
        return cell.isoformat(sep=" ")
    if isinstance(cell, dt.date | dt.time):
        return cell.isoformat()
    return "" if cell is None else str(cell)


def _table(sheet: calamine.CalamineSheet, into: Reading) -> RawTable | None:
    """Take the table of one sheet; None if there is no header with rows under it."""
    source = _rows(sheet)
    head = list(itertools.islice(source, _HEAD_ROWS))
    width = max(
        (place for row in head for place, cell in enumerate(row, start=1) if cell.strip()),
        default=0,
    )
    if not width:
        return None
    heading = find_heading(head, width)
    found = [0]
    places: list[int] = []

    def data() -> Iterator[list[str | None]]:
        body = itertools.chain(head[heading.data :], source)
        for number, row in enumerate(body, start=heading.data + 1):
            cells = [cell if cell.strip() else None for cell in row]
            if any(cells):
                places.append(number)
                yield cells
            else:
                found[0] += 1

    relation, rows = into.gather(len(heading.cells), data())
    return _raw(sheet, heading, relation, places, found[0]) if rows else None


def _raw(
    sheet: calamine.CalamineSheet, heading: Heading, relation: str, places: list[int], blank: int
) -> RawTable:
    """Put together what was read and how."""
    lines = np.array(places, dtype=np.int64)
    breaks = np.flatnonzero(np.diff(lines, prepend=lines[0] - 2) != 1)
    notes = [*heading.notes, *([f"{blank:,} empty rows were left out"] if blank else [])]
    return RawTable(
        relation,
        heading.cells,
        len(places),
        sheet=sheet.name,
        layout=Layout(header_rows=heading.rows, skipped_lines=heading.first),
        lines=LineMap(breaks.astype(np.int64), lines[breaks]),
        notes=tuple(notes),
    )


FORMATS = (Workbook(),)

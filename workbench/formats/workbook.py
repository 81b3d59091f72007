"""Workbooks: XLSX, XLSM, XLSB, XLS and ODS; the tables of every visible sheet.

Cells come as the values that were saved with the file: formulas are not computed, links and macros
are never followed. A number is written as the shortest text that gives it back.
"""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import python_calamine as calamine

from workbench.errors import Refused, nearest
from workbench.formats.archive import check_archive
from workbench.formats.format import Glimpse, Head, RawTable
from workbench.formats.heading_words import Row
from workbench.formats.names import numbered
from workbench.formats.reading import Reading
from workbench.formats.sheet_blocks import places
from workbench.formats.stacked import table_at
from workbench.formats.workbook_lost import lost_cells
from workbench.formats.workbook_units import with_units
from workbench.formats.workbook_xml import UNCOMPUTED
from workbench.limits import Limits
from workbench.workspace import OpenFile, shown

_PACKED = (b"xl/workbook", b"application/vnd.oasis.opendocument.spreadsheet")
_OLD = tuple(word.encode("utf-16-le") for word in ("Workbook", "EncryptedPackage"))
# Numbers up to here are whole in a double.
_WHOLE = 2**53
# Between these no way of writing a number uses an exponent.
_SMALL, _LARGE = 1e-4, 1e10

Range = tuple[tuple[int, int], tuple[int, int]]


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
        """Read the tables of every visible sheet.

        Raises
        ------
        Refused
            If it is damaged, locked, or no visible sheet holds a table.
        """
        into.check_size(file)
        tables: list[RawTable] = []
        sheets = list(_sheets(file, into.limits, into.notes, into.sheets))
        lost = lost_cells(file)
        for done, sheet in enumerate(sheets):
            into.told("load", done / len(sheets))
            found = _tables(sheet, lost.get(sheet.name, {}), into)
            if not found:
                into.notes.append(f"sheet '{shown(sheet.name)}': no table in it")
            tables += found
        if not tables:
            raise Refused(f"'{shown(file.name)}': workbook without a table in a visible sheet")
        return with_units(tables, into)

    def head(self, file: OpenFile, n: int, limits: Limits) -> Head:
        """Return the first rows of the visible sheets and the number of their rows."""
        sheets = list(_sheets(file, limits, []))
        rows = (row for sheet in sheets for row in _rows(sheet))
        lines = tuple("\t".join(row) for row in itertools.islice(rows, max(n, 0)))
        return Head(lines, sum(sheet.end[0] + 1 for sheet in sheets if sheet.end))


def _sheets(
    file: OpenFile, limits: Limits, notes: list[str], wanted: frozenset[str] = frozenset()
) -> Iterator[calamine.CalamineSheet]:
    """Open the visible sheets and those asked for; name the others in the notes."""
    name = shown(file.name)
    if Glimpse.of(file).head.startswith(b"PK"):
        check_archive(file, limits)
    with file.stream() as stream:
        broken, whole = None, False
        try:
            book = calamine.CalamineWorkbook.from_filelike(stream)
            _check_asked(name, wanted, [meta.name for meta in book.sheets_metadata])
            for meta in book.sheets_metadata:
                if meta.typ != calamine.SheetTypeEnum.WorkSheet:
                    notes.append(f"sheet '{shown(meta.name)}': holds no cells (chart or macro)")
                    continue
                state = _state(meta.visible)
                if state and meta.name.strip().casefold() not in wanted:
                    told = f"{state}, not read (set '{shown(meta.name)}'.sheet=read to read it)"
                    notes.append(f"sheet '{shown(meta.name)}': {told}")
                    continue
                if state:
                    notes.append(f"sheet '{shown(meta.name)}': {state}, read as was asked")
                try:
                    sheet = book.get_sheet_by_name(meta.name)
                except (calamine.CalamineError, OSError) as error:
                    broken = error
                    notes.append(
                        f"sheet '{shown(meta.name)}': damaged, not read ({_reason(error)})"
                    )
                    continue
                whole = True
                yield sheet
            if broken and not whole:
                raise broken
        except calamine.PasswordError:
            raise Refused(f"'{name}': locked with a password; save it without one") from None
        except (calamine.CalamineError, OSError) as error:
            told = f"damaged workbook ({_reason(error)}); save it again"
            raise Refused(f"'{name}': {told}") from None


def _reason(error: Exception) -> str:
    return str(error).splitlines()[0][:120] if str(error) else "unreadable"


def _state(visible: calamine.SheetVisibleEnum) -> str:
    """Say how a sheet is hidden; empty if it is not."""
    if visible == calamine.SheetVisibleEnum.VeryHidden:
        return "very hidden"
    return "" if visible == calamine.SheetVisibleEnum.Visible else "hidden"


def _check_asked(book: str, wanted: frozenset[str], names: Sequence[str]) -> None:
    """Refuse a sheet that is not there."""
    known = {name.strip().casefold() for name in names}
    for name in sorted(wanted - known):
        raise Refused(f"'{book}': no sheet '{shown(name)}'{nearest(name, names)}")


def _rows(
    sheet: calamine.CalamineSheet, lost: Mapping[tuple[int, int], str] | None = None
) -> Iterator[Row]:
    """Yield the cells of every row as text, from the first row of the sheet on."""
    by_row: dict[int, list[tuple[int, str]]] = {}
    for (at, column), text in (lost or {}).items():
        by_row.setdefault(at, []).append((column, text))
    columns = map(_texts, zip(*sheet.to_python(skip_empty_area=False), strict=True))
    for number, row in enumerate(zip(*columns, strict=True)):
        if number not in by_row:
            yield row
            continue
        cells = list(row)
        for column, text in by_row[number]:
            cells += [""] * (column + 1 - len(cells))
            cells[column] = text
        yield cells


def _merged(rows: Iterator[Row], ranges: Sequence[Range], filled: list[int]) -> Iterator[Row]:
    """Fill merged cells with the value of their first one; a title over a whole row stays one."""
    waiting, active = sorted(ranges, reverse=True), list[tuple[Range, str]]()
    for number, row in enumerate(rows):
        active = [(place, text) for place, text in active if place[1][0] >= number]
        while waiting and waiting[-1][0][0] <= number:
            place = waiting.pop()
            text = row[place[0][1]] if place[0][1] < len(row) else ""
            active += [(place, text)] if text.strip() else []
        if not active:
            yield row
            continue
        title = sum(bool(cell.strip()) for cell in row) == 1
        cells = list(row)
        for ((top, left), (_, right)), text in active:
            if title and top == number and right > left:
                continue
            for at in range(left, min(right + 1, len(cells))):
                filled[0] += not cells[at]
                cells[at] = cells[at] or text
        yield cells


def _texts(column: tuple[object, ...]) -> Sequence[str]:
    """Write the cells of a column as text; a call for each number would take longer than all."""
    kinds = set(map(type, column))
    if kinds == {str}:
        return column  # type: ignore[return-value]
    if kinds <= {str, float} and (numbers := _numbers([c for c in column if type(c) is float])):
        return [c if type(c) is str else next(numbers) for c in column]
    return [c if type(c) is str else _text(c) for c in column]


def _numbers(cells: list[float]) -> Iterator[str] | None:
    """Write numbers all at once; None where some need an exponent, which `_text` decides about."""
    values = np.array(cells) + 0.0  # no -0
    sizes = np.abs(values)
    if not ((sizes < _LARGE) & ((sizes >= _SMALL) | (sizes == 0))).all():
        return None
    found = pa.Array.from_buffers(pa.float64(), len(values), [None, pa.py_buffer(values)])
    written: list[str] = pc.cast(found, pa.string()).to_pylist()
    return iter(written)


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


def _tables(
    sheet: calamine.CalamineSheet, lost: Mapping[tuple[int, int], str], into: Reading
) -> list[RawTable]:
    """Take the tables of one sheet; none if there is no header with rows under it."""
    filled = [0]
    rows = list(_merged(_rows(sheet, lost), sheet.merged_cell_ranges or (), filled))
    parts = places(rows)
    found = [(place, table_at(rows, place, into)) for place in parts]
    tables = [(place, raw) for place, raw in found if raw is not None]
    names = numbered([sheet.name] * len(tables))
    notes = [f"{filled[0]:,} merged cells were filled"] if filled[0] else []
    notes += _told_lost(lost)
    several = f"{len(tables)} tables stand in the sheet '{shown(sheet.name)}', this one in "
    apart = [several + place.told if len(tables) > 1 else "" for place, _ in tables]
    return [
        replace(raw, sheet=name, notes=(*filter(None, [note]), *notes, *raw.notes))
        for (_, raw), name, note in zip(tables, names, apart, strict=True)
    ]


def _told_lost(lost: Mapping[tuple[int, int], str]) -> list[str]:
    """Say how many cells hold an error, or a formula whose value was not saved."""
    errors = [text for text in lost.values() if text != UNCOMPUTED]
    unsaved = len(lost) - len(errors)
    notes = [f"{len(errors):,} cells hold an error such as {errors[0]}"] if errors else []
    if unsaved:
        notes.append(
            f"{unsaved:,} formulas were saved without their value; open the workbook in a "
            "spreadsheet program and save it"
        )
    return notes


FORMATS = (Workbook(),)

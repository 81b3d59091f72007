"""A workbook: numbers as numbers, dates as dates, and texts that no spreadsheet runs."""

from __future__ import annotations

import contextlib
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench import marker
from workbench.errors import Refused
from workbench.tables.export import neutral

if TYPE_CHECKING:
    from workbench.tables.table import Table
    from workbench.tools.context import Context

# What a cell and a sheet of this format can hold.
_CELL, _COLUMNS = 32_767, 16_384
_BATCH = 4_096
# All cells are held until the end, at some 200 bytes each.
_CELLS = 2_000_000
# A workbook of the same table has the same bytes, whenever it is written.
_MADE = datetime(2000, 1, 1)  # noqa: DTZ001 - the format knows no zones
_FIRST_YEAR = 1900
_ABOUT = ("column", "role", "unit", "element", "method", "n", "below", "above", "missing")


def write(context: Context, table: Table, source: Path, target: Path) -> dict[str, Any]:
    """Write a table as a workbook with a second sheet that says what its columns are.

    Parameters
    ----------
    context : Context
        Of the call.
    table : Table
        What the rows are of.
    source : Path
        Its view as Parquet.
    target : Path
        File to write.

    Returns
    -------
    dict
        Columns, texts that began like a formula, and cells that were too long.

    Raises
    ------
    Refused
        If the writer is not installed, or the table is too wide.
    """
    try:
        import xlsxwriter
    except ImportError:
        raise Refused(
            "export_table: writing xlsx needs a package: pip install 'workbench[export]'"
        ) from None
    import pyarrow.parquet as pq

    file = pq.ParquetFile(source)
    names = file.schema_arrow.names
    if len(names) > _COLUMNS:
        raise Refused(f"export_table: {len(names):,} columns; a sheet has at most {_COLUMNS:,}")
    if len(names) * table.rows > _CELLS:
        raise Refused(
            f"export_table: {len(names):,} columns of {table.rows:,} rows; a workbook takes at "
            f"most {_CELLS:,} cells; keep some with filter_rows or sql, or use the CSV as it is"
        )
    # Its other way sets times on files, which a confined child may not.
    options = {"in_memory": True}
    with contextlib.closing(xlsxwriter.Workbook(str(target), options)) as book:
        book.set_properties({"created": _MADE})
        sheet = _Sheet(book, "data")
        sheet.row(names)
        done = 0
        for batch in file.iter_batches(_BATCH):
            columns = [column.to_pylist() for column in batch.columns]
            for cells in zip(*columns, strict=True):
                sheet.row(cells)
            done += batch.num_rows
            context.progress("writes the workbook", done / max(table.rows, 1))
        about = _Sheet(book, "about")
        for line in _about(table):
            about.row(line)
    told = {"columns": len(names), "texts_like_formulas": sheet.neutralised}
    return {**told, "cells_cut": sheet.cut} if sheet.cut else told


class _Sheet:
    """One sheet, written row by row."""

    def __init__(self, book: Any, name: str) -> None:  # noqa: ANN401 - of a foreign library
        self._sheet = book.add_worksheet(name)
        self._quoted = book.add_format({"quote_prefix": True})
        self._day = book.add_format({"num_format": "yyyy-mm-dd"})
        self._at = 0
        self.neutralised = 0
        self.cut = 0

    def row(self, cells: Any) -> None:  # noqa: ANN401 - any cells
        for place, value in enumerate(cells):
            self._cell(place, value)
        self._at += 1

    def _cell(self, place: int, value: object) -> None:
        if value is None or value != value:  # noqa: PLR0124 - not a number
            return
        if isinstance(value, bool):
            self._sheet.write_boolean(self._at, place, value)
        elif isinstance(value, int | float) and abs(value) != float("inf"):
            self._sheet.write_number(self._at, place, value)
        elif isinstance(value, date) and value.year >= _FIRST_YEAR:
            plain = value.replace(tzinfo=None) if isinstance(value, datetime) else value
            self._sheet.write_datetime(self._at, place, plain, self._day)
        else:
            self._text(place, str(value))

    def _text(self, place: int, text: str) -> None:
        if len(text) > _CELL:
            text, self.cut = marker.short(text, _CELL), self.cut + 1
        # As a string it is never run; the prefix keeps it one when somebody edits the cell.
        risky = neutral(text) != text
        self.neutralised += risky
        self._sheet.write_string(self._at, place, text, *([self._quoted] if risky else []))


def _about(table: Table) -> list[list[object]]:
    """Return the lines of the sheet that says what the columns are."""
    lines: list[list[object]] = [
        ["source", table.source],
        ["sheet", table.sheet],
        ["rows", table.rows],
        ["values below a limit", "stand at half the limit; NAME__flag and NAME__limit tell them"],
        ["values above a limit", "stand at the limit; NAME__flag and NAME__limit tell them"],
        [],
        list(_ABOUT),
    ]
    for column in table.columns:
        counts = [column.count, column.below, column.above, sum(column.missing.values())]
        known = [column.role, column.unit, column.element, column.method]
        lines.append([column.name, *known, *counts])
    return lines

"""A table handed on: to a spreadsheet, a geographic system, or as a package with a description.

Numbers stay numbers, texts stay texts that nothing runs, and a place never goes without its grid.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from workbench.accounting import facts, results
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tools import export_book, export_pack, export_places
from workbench.tools.context import Context
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.table import Table

_TYPES = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "gpkg": "application/geopackage+sqlite3",
    "geojson": "application/geo+json",
    "zip": "application/zip",
}
# Beyond it a file of this kind opens in nothing that an analyst has.
_MOST_ROWS = 1_000_000


@tool(effect="export")
def export_table(
    context: Context,
    path: str,
    format: Literal["xlsx", "gpkg", "geojson", "zip"],  # noqa: A002 - the word of the call
    crs: str | None = None,
    x: str | None = None,
    y: str | None = None,
    sheet: str | None = None,
) -> Reply:
    """Hand a table on: xlsx, GeoPackage or GeoJSON with its CRS, or zip with a readme.

    Parameters
    ----------
    path : str
        File or result path.
    format : str
        What to write; at most 1,000,000 rows.
    crs : str
        Of the coordinates, such as EPSG:28350; degrees are WGS 84 if left out. GeoJSON is turned
        to WGS 84.
    x, y : str
        Coordinate columns; known ones if left out.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    if table.rows > _MOST_ROWS:
        raise Refused(
            f"export_table: {table.rows:,} rows; {format} takes at most {_MOST_ROWS:,}; keep some "
            "with filter_rows, or use the CSV as it is"
        )
    values: dict[str, Any] = {"format": format, "rows_in": table.rows}
    with context.new_file(context.stem(path), format) as (part, final):
        if format == "zip":
            told = export_pack.write(context, path, table, part)
        else:
            with _batches(context, table) as reader:
                if format == "xlsx":
                    told = export_book.write(context, table, reader, part)
                else:
                    place = export_places.place(table, crs, x, y)
                    told = export_places.write(reader, part, format, table.name, place)
    made = context.made(final[0], _TYPES[format], table.rows, told.pop("columns", None))
    values |= {**told, "rows_out": table.rows, "censored": facts.censored(table.columns)}
    values |= {"policy": f"{facts.HALF}; flag and limit beside it"}
    return Reply({**values, "output": facts.output(made.path)}, made=(made,))


@contextlib.contextmanager
def _batches(context: Context, table: Table) -> Iterator[Path]:
    """Write the view of a table as a Parquet file that is gone when the block ends."""
    from workbench.tables.connection import quote

    path = context.desk / f"{table.sha256[:12]}-export.part"
    view = quote(context.connection.view(table))
    columns = ", ".join(map(quote, results.view_columns(table)))
    try:
        context.connection.stream(f"SELECT {columns} FROM {view}", path, writer="parquet")  # noqa: S608 - quoted
        yield path
    finally:
        path.unlink(missing_ok=True)

"""Samples as points of a geographic system: GeoPackage and GeoJSON, with their grid."""

from __future__ import annotations

import importlib.util
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.errors import Refused
from workbench.figures.coordinates import coordinates

if TYPE_CHECKING:
    from workbench.tables.table import Table

_DEGREES = "EPSG:4326"
_DRIVERS = {"gpkg": "GPKG", "geojson": "GeoJSON"}
_CRS = re.compile(r"(?i)\s*(EPSG|ESRI|OGC)\s*:\s*([A-Z0-9]{1,10})\s*")
# A package of the same table has the same bytes, whenever it is written.
_MADE = "2000-01-01T00:00:00.000Z"
_NAME = 200


@dataclass(frozen=True)
class Place:
    """Where the points of a table come from.

    Attributes
    ----------
    x, y : str
        Columns.
    crs : str
        Such as ``EPSG:28350``.
    ground : str
        Who says so.
    """

    x: str
    y: str
    crs: str
    ground: str


def place(table: Table, crs: str | None, x: str | None, y: str | None) -> Place:
    """Return the coordinates of a table and their grid.

    Raises
    ------
    Refused
        If there are none, or nobody says which grid they are in.
    """
    across, up = coordinates(table, x, y)
    if crs is not None:
        hit = _CRS.fullmatch(crs)
        if hit is None:
            raise Refused(f"crs '{crs[:40]}': write it like EPSG:28350")
        return Place(across.name, up.name, f"{hit[1].upper()}:{hit[2].upper()}", "as given")
    if (across.role, up.role) == ("longitude", "latitude"):
        return Place(across.name, up.name, _DEGREES, "taken for WGS 84, since they are degrees")
    raise Refused(
        f"export_table: {across.name[:60]} and {up.name[:60]} are in a grid that the table does "
        "not name by a code; give crs, such as EPSG:28350"
    )


def write(source: Path, target: Path, format: str, name: str, at: Place) -> dict[str, Any]:  # noqa: A002 - as in the call
    """Write rows as points; a row without a place is kept without one, and counted.

    Parameters
    ----------
    source : Path
        The view of a table as Parquet.
    target : Path
        File to write.
    format : {"gpkg", "geojson"}
        What to write.
    name : str
        Of the layer.
    at : Place
        Coordinates and grid.

    Raises
    ------
    Refused
        If the writer is not installed, or the grid is not known to it.
    """
    if importlib.util.find_spec("pyogrio") is None:
        raise Refused(
            "export_table: writing gpkg and geojson needs a package: pip install "
            "'workbench[export]'"
        )
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(source)
    x, y = (table[one].to_numpy(zero_copy_only=False).astype(float) for one in (at.x, at.y))
    known = np.isfinite(x) & np.isfinite(y)
    points = pa.array(_points(x, y, known), type=pa.binary())
    columns = [_plain(column) for column in table.columns]
    names = _names(table.column_names)
    whole = pa.Table.from_arrays([*columns, points], names=[*names, "geometry"])
    _written(whole, target, format, name[:_NAME], at)
    told = {"columns": len(names), "crs": f"{at.crs} ({at.ground})", "places": int(known.sum())}
    if format == "geojson":
        told["crs"] = f"EPSG:4326, turned from {at.crs} ({at.ground})"
    if not known.all():
        told["without_place"] = int((~known).sum())
    return told


def _written(whole: Any, target: Path, format: str, layer: str, at: Place) -> None:  # noqa: A002, ANN401 - as in the call; arrow
    """Have a layer written.

    Raises
    ------
    Refused
        If the grid is not known to the writer.
    """
    import pyogrio

    pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": _MADE})
    with warnings.catch_warnings():
        # The file gets its name, and the ending the writer misses, once it is whole.
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            pyogrio.write_arrow(
                whole,
                str(target),
                layer=layer,
                driver=_DRIVERS[format],
                geometry_name="geometry",
                geometry_type="Point",
                crs=at.crs,
                layer_options={"RFC7946": "YES"} if format == "geojson" else {},
            )
        except (pyogrio.errors.CRSError, pyogrio.errors.DataSourceError) as error:
            raise Refused(f"export_table crs '{at.crs}': {str(error)[:160]}") from None


def _points(x: NDArray[np.float64], y: NDArray[np.float64], known: NDArray[np.bool_]) -> list[Any]:
    """Return points in the well-known binary form; None where a coordinate is missing."""
    form = np.dtype([("order", "u1"), ("kind", "<u4"), ("x", "<f8"), ("y", "<f8")])
    rows = np.empty(x.size, dtype=form)
    rows["order"], rows["kind"], rows["x"], rows["y"] = 1, 1, x, y
    return [row.tobytes() if here else None for row, here in zip(rows, known, strict=True)]


def _plain(column: Any) -> Any:  # noqa: ANN401 - arrow
    """Return a column in a type that the formats know."""
    import pyarrow as pa

    if pa.types.is_decimal(column.type) or pa.types.is_uint64(column.type):
        return column.cast(pa.float64())
    if pa.types.is_large_string(column.type) or pa.types.is_string_view(column.type):
        return column.cast(pa.string())
    if pa.types.is_dictionary(column.type) or pa.types.is_null(column.type):
        return column.cast(pa.string())
    return column


def _names(names: list[str]) -> list[str]:
    """Return names that a layer can have: short, and neither its key nor its geometry."""
    from workbench.tables.names import unique_names

    return list(unique_names([name[:_NAME] for name in names], ["fid", "geometry", "ogc_fid"]))

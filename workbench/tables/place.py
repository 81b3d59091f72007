"""What the coordinates of a table are taken for, and on what ground.

Nothing is turned or moved: degrees, metres, local grids and mixed zones are told apart and said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.formats.quoting import quote
from workbench.formats.reading import Reading
from workbench.tables.roles import words_of
from workbench.tables.table import Column
from workbench.tables.typed import Typed
from workbench.tables.written import Written

_ZONE = frozenset(
    [
        "zone",
        "utmzone",
        "mgazone",
        "utm",
        "mga",
        "zoneno",
        "zonenumber",
        "grid",
        "gridzone",
        "crs",
        "epsg",
        "datum",
    ]
)
_DMS = r"\d{1,3}\s*(°|deg|d|:|\s)\s*\d{1,2}\s*(''|'|′|m|:|\s)\s*\d{1,2}([.,]\d+)?"
_DEGREES = frozenset(["lat", "latitude", "long", "lon", "longitude"])
# Eastings of a projected grid have six digits; with the zone in front eight.
_METRES, _ZONED = 100_000.0, 10_000_000.0
_ZONES = 1_000_000
_NORTH = 90.0
_NAMED = 6


def place_remarks(
    reading: Reading, written: Written, columns: Sequence[Column], typed: Sequence[Typed]
) -> list[str]:
    """Return the remarks on the coordinates of a table."""
    how = {one.name: one for one in typed}
    found = _degrees(columns) + _metres(columns)
    found += _texts(reading, written, columns, how)
    return found + _origin(reading, written, columns, how)


def zone_column(columns: Sequence[Column]) -> Column | None:
    """Return the column that names zone, grid or datum; None if there is none."""
    for column in columns:
        words = words_of(column.name)
        grid = "".join(words) in _ZONE or (words[:1] == ["zone"] and len(words) == 1)
        if grid and column.role in {"group", "constant", "number", "text"} and column.count:
            return column
    return None


def _pair(columns: Sequence[Column], *roles: str) -> tuple[Column, Column] | None:
    """Return the first columns of two roles that hold numbers."""
    found = [
        next((c for c in columns if c.role == role and c.min is not None), None) for role in roles
    ]
    return None if None in found else (found[0], found[1])  # type: ignore[return-value]


def _degrees(columns: Sequence[Column]) -> list[str]:
    """Tell longitudes that are latitudes, by their range."""
    pair = _pair(columns, "longitude", "latitude")
    if pair is None:
        return []
    east, north = pair
    ends = [float(end) for end in (north.min, north.max) if isinstance(end, int | float)]
    if any(abs(end) > _NORTH for end in ends):
        return [
            (
                f"{north.name}: latitudes beyond 90°; {east.name} and {north.name} may be swapped "
                "(set COLUMN.role=longitude or latitude)"
            )
        ]
    return []


def _metres(columns: Sequence[Column]) -> list[str]:
    """Say what kind of grid eastings and northings look like."""
    pair = _pair(columns, "easting", "northing")
    if pair is None:
        return []
    east, north = pair
    low, high = float(east.min or 0), float(east.max or 0)
    names = f"{east.name}, {north.name}"
    if low >= _ZONED:
        ends = dict.fromkeys(f"{end // _ZONES:.0f}" for end in (low, high))
        zones = "-".join(ends)
        return [f"{names}: eastings of eight digits, taken for metres with zone {zones} in front"]
    if max(abs(low), abs(high)) < _METRES:
        return [
            f"{names}: eastings under six digits, taken for a local grid; no projection is guessed"
        ]
    if zone_column(columns) is None:
        return [
            (
                f"{names}: taken for metres or feet of a projected grid by name and size; the file "
                "names no zone or datum, so distances hold only if all rows are in one"
            )
        ]
    return []


def _texts(
    reading: Reading, written: Written, columns: Sequence[Column], how: dict[str, Typed]
) -> list[str]:
    """Name columns of degrees, minutes and seconds."""
    texts = [c for c in columns if c.kind == "text" and _DEGREES & set(words_of(c.name))]
    found = []
    for column in texts:
        source = written.source(reading, [how[column.name]])
        name = quote(column.name)
        pattern = _DMS.replace("'", "''")
        (times,) = reading.one(
            f"SELECT count(*) FILTER (regexp_matches({name}, '{pattern}')) FROM {source}"  # noqa: S608
        )
        if times > column.count / 2:
            found.append(column.name)
    if not found:
        return []
    return [
        (
            f"{', '.join(found[:_NAMED])}: degrees, minutes and seconds as text; kept as text, so "
            "no map or distance uses them"
        )
    ]


def zones(
    reading: Reading, written: Written, columns: Sequence[Column], typed: Sequence[Typed]
) -> tuple[str, ...]:
    """Return the column of zones and how often each occurs, where eastings are of several."""
    column = zone_column(columns)
    if column is None or _pair(columns, "easting", "northing") is None:
        return ()
    how = {one.name: one for one in typed}
    source = written.source(reading, [how[column.name]])
    name = quote(column.name)
    rows = reading.con.execute(
        f"SELECT CAST({name} AS VARCHAR) AS zone, count(*) AS n FROM {source} "  # noqa: S608 - quoted
        f"WHERE zone IS NOT NULL GROUP BY zone ORDER BY n DESC, zone LIMIT {_NAMED}"
    ).fetchall()
    if len(rows) < 2:  # noqa: PLR2004 - one zone is no mix
        return ()
    told = (f"{re.sub(r'[.]0$', '', str(zone))[:40]} ({n:,} rows)" for zone, n in rows)
    return (column.name, *told)


def said(mixed: Sequence[str]) -> list[str]:
    """Return the remark on zones that are mixed."""
    if not mixed:
        return []
    column, *each = mixed
    what = f"coordinates of several zones or grids ({', '.join(each)})"
    return [f"{column}: {what}; maps and distances need the rows of one: filter by it first"]


def _origin(
    reading: Reading, written: Written, columns: Sequence[Column], how: dict[str, Typed]
) -> list[str]:
    """Count places at 0, 0, which stand for no place."""
    pair = _pair(columns, "easting", "northing") or _pair(columns, "longitude", "latitude")
    if pair is None or not all(isinstance(c.min, int | float) and c.min <= 0 for c in pair):
        return []
    east, north = pair
    if east.role == "easting" and float(east.max or 0) < _METRES:
        return []
    source = written.source(reading, [how[east.name], how[north.name]])
    (times,) = reading.one(
        f"SELECT count(*) FILTER ({quote(east.name)} = 0 AND {quote(north.name)} = 0) FROM {source}"  # noqa: S608
    )
    return [f"{east.name}, {north.name}: {times:,} rows lie at 0, 0"] if times else []

"""Tables of drillholes by themselves: which kind, and what is wrong with their depths and angles.

Nothing is mended. What concerns several tables at once (a hole without a collar, an interval past
the end of its hole) is told by `workbench.accounting.holes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from workbench.formats.quoting import quote
from workbench.tables.table import Column

# Depths written for "to the end of the hole".
ENDS = (9999.0, 90000.0, 99999.0, 999999.0)
# So many times the next depth such a number must be.
_FAR = 3.0
_NAMED = 5
# Columns that the remarks look at.
HOLE_ROLES = frozenset({"hole", "id", "from", "to", "depth", "azimuth", "dip"})
One = Callable[[str], Sequence[object]]


def hole_column(columns: Sequence[Column]) -> Column | None:
    """Return the column of holes; that of sites or wells where there are depths beside it."""
    holes = [c for c in columns if c.role == "hole" and c.count]
    if holes:
        return holes[0]
    depths = any(c.role in {"from", "depth"} and c.kind == "number" for c in columns)
    ids = [c for c in columns if c.role == "id" and c.kind == "text" and c.count]
    sites = [c for c in ids if "site" in c.name.casefold() or "well" in c.name.casefold()]
    return sites[0] if sites and depths else None


def first(columns: Sequence[Column], *roles: str) -> Column | None:
    """Return the first column of numbers with one of the roles."""
    return next((c for c in columns if c.role in roles and c.kind == "number"), None)


def kind_of(columns: Sequence[Column]) -> str:
    """Tell a collar, survey, assay or lithology table by names and content; empty if it is none."""
    if hole_column(columns) is None:
        return ""
    if first(columns, "from") and first(columns, "to"):
        return "assay" if any(c.measured for c in columns) else "lithology"
    if first(columns, "depth") and _angles(columns):
        return "survey"
    place = any(first(columns, a) and first(columns, b) for a, b in _PLACES)
    return "collar" if place and not any(c.measured for c in columns) else ""


_PLACES = (("easting", "northing"), ("longitude", "latitude"))


def _angles(columns: Sequence[Column]) -> bool:
    if first(columns, "azimuth", "dip") is not None:
        return True
    names = {c.name.casefold() for c in columns if c.kind == "number"}
    return any(name.startswith(("inclination", "inc", "direction")) for name in names)


def remarks(kind: str, columns: Sequence[Column], one: One, source: str) -> list[str]:
    """Return the remarks on a drillhole table.

    Parameters
    ----------
    kind : str
        As `kind_of` tells it.
    columns : sequence of Column
        Its columns.
    one : callable
        Runs a query and returns its only row.
    source : str
        SQL of the snapshot.
    """
    hole = hole_column(columns)
    if hole is None:
        return []
    (holes,) = one(f"SELECT count(DISTINCT {quote(hole.name)}) FROM {source}")  # noqa: S608
    what = f"{'an' if kind == 'assay' else 'a'} {kind} table of {holes:,} holes"
    found = [f"{what}, by {hole.name} and its other columns"]
    if kind in {"assay", "lithology"}:
        return found + _intervals(hole, columns, one, source)
    if kind == "survey":
        return found + _stations(hole, columns, one, source)
    return found + _collars(hole, one, source, int(str(holes)))


def interval_counts(
    hole: Column, columns: Sequence[Column], one: One, source: str
) -> dict[str, int]:
    """Count what is wrong with intervals: by hole, in order of depth.

    Returns
    -------
    dict of str to int
        ``reversed``, ``zero length``, ``repeated``, ``overlaps``, ``gaps``, ``without depth``.
    """
    top, base = first(columns, "from"), first(columns, "to")
    if top is None or base is None:
        return {}
    h, a, b = (quote(c.name) for c in (hole, top, base))
    row = one(
        f"WITH i AS (SELECT {h} AS h, {a} AS a, {b} AS b FROM {source}), "  # noqa: S608
        "good AS (SELECT DISTINCT h, a, b FROM i WHERE b > a), "
        "o AS (SELECT h, a, max(b) OVER (PARTITION BY h ORDER BY a, b ROWS BETWEEN UNBOUNDED "
        "PRECEDING AND 1 PRECEDING) AS before FROM good) "
        "SELECT (SELECT count(*) FILTER (b < a) FROM i), (SELECT count(*) FILTER (b = a) FROM i), "
        "(SELECT coalesce(sum(n - 1), 0) FROM (SELECT count(*) AS n FROM i WHERE a IS NOT NULL "
        "AND b IS NOT NULL AND h IS NOT NULL GROUP BY h, a, b)), "
        "(SELECT count(*) FILTER (before > a + 1e-6) FROM o), "
        "(SELECT count(*) FILTER (before < a - 1e-6) FROM o), "
        "(SELECT count(*) FILTER (a IS NULL OR b IS NULL) FROM i)"
    )
    names = ("reversed", "zero length", "repeated", "overlaps", "gaps", "without depth")
    return {name: int(str(n)) for name, n in zip(names, row, strict=True)}


def _intervals(hole: Column, columns: Sequence[Column], one: One, source: str) -> list[str]:
    counts = {k: n for k, n in interval_counts(hole, columns, one, source).items() if n}
    found = []
    if counts:
        listed = ", ".join(f"{name} {n:,}" for name, n in counts.items())
        found.append(f"intervals: {listed}; nothing is mended")
    base = first(columns, "to")
    return found + (_to_the_end(base, one, source) if base else [])


def _stations(hole: Column, columns: Sequence[Column], one: One, source: str) -> list[str]:
    depth = first(columns, "depth")
    if depth is None:
        return []
    h, d = quote(hole.name), quote(depth.name)
    single, late, least = one(
        f"SELECT count(*) FILTER (n = 1), count(*) FILTER (top > 0), "  # noqa: S608
        f"list(h ORDER BY h) FILTER (top > 0) FROM (SELECT {h} AS h, count(*) AS n, "
        f"min({d}) AS top "
        f"FROM {source} GROUP BY h)"
    )
    found = _to_the_end(depth, one, source)
    if single:
        found.append(f"{single:,} holes have one survey station: they are taken for straight")
    if late:
        names = list(least) if isinstance(least, list) else []
        named = ", ".join(str(name)[:40] for name in names[:_NAMED])
        found.append(f"{late:,} holes have their first station below 0 ({named}): the top is open")
    return found + _dips(columns, one, source) + _azimuths(columns, one, source)


def _to_the_end(depth: Column, one: One, source: str) -> list[str]:
    """Spot depths that say "to the end"."""
    if not isinstance(depth.max, int | float) or depth.max < min(ENDS):
        return []
    name = quote(depth.name)
    listed = ", ".join(f"{end!r}::DOUBLE" for end in ENDS)
    times, top = one(
        f"SELECT count(*) FILTER ({name} IN ({listed})), "  # noqa: S608
        f"max({name}) FILTER ({name} NOT IN ({listed})) FROM {source}"
    )
    if not times or (isinstance(top, float) and depth.max < _FAR * top):
        return []
    told = f"{depth.max:g} in {times:,} rows stands for 'to the end of the hole'; kept as a number"
    return [f"{depth.name}: {told} (set {depth.name}.missing={depth.max:g} to read it as a gap)"]


def _dips(columns: Sequence[Column], one: One, source: str) -> list[str]:
    """Say which way dips point, by the majority."""
    dip = first(columns, "dip")
    if dip is None:
        return []
    name = quote(dip.name)
    down, up, beyond = (
        int(str(n))
        for n in one(
            f"SELECT count(*) FILTER ({name} < 0), count(*) FILTER ({name} > 0), "  # noqa: S608
            f"count(*) FILTER (abs({name}) > 90) FROM {source}"
        )
    )
    if not down and not up:
        return []
    sign, most, least = ("negative", down, up) if down >= up else ("positive", up, down)
    odd = f"; {least:,} rows have the other sign" if least else ""
    told = f"{sign} in {most:,} of {down + up:,} rows, so {sign} is taken to point down{odd}"
    found = [f"{dip.name}: {told}"]
    return found + ([f"{dip.name}: {beyond:,} rows beyond 90°"] if beyond else [])


def _azimuths(columns: Sequence[Column], one: One, source: str) -> list[str]:
    azimuth = first(columns, "azimuth")
    if azimuth is None:
        return []
    name = quote(azimuth.name)
    (beyond,) = one(f"SELECT count(*) FILTER ({name} < 0 OR {name} > 360) FROM {source}")  # noqa: S608
    return [f"{azimuth.name}: {beyond:,} rows outside 0 to 360°"] if beyond else []


def _collars(hole: Column, one: One, source: str, holes: int) -> list[str]:
    name = quote(hole.name)
    (several,) = one(
        f"SELECT count(*) FROM (SELECT 1 FROM {source} WHERE {name} IS NOT NULL GROUP BY {name} "  # noqa: S608
        "HAVING count(*) > 1)"
    )
    return (
        [f"{hole.name}: {several:,} of {holes:,} holes have more than one row"] if several else []
    )

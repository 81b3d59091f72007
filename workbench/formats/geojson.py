"""GeoJSON: one row a feature, its properties as columns, its geometry in a few more.

Points have their coordinates, other geometries their bounding box; no centre is made up. The
coordinate system is the one that the file names, else that of the standard: degrees on WGS 84.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from workbench.errors import Refused
from workbench.formats.counting import text_head
from workbench.formats.encoding import decide, decode, guess
from workbench.formats.format import (
    Glimpse,
    Head,
    HeaderCell,
    Layout,
    LineMap,
    RawTable,
    Stated,
)
from workbench.formats.geojson_rows import BOX, Row, row_of
from workbench.formats.geojson_text import Features
from workbench.formats.reading import Reading
from workbench.limits import Limits
from workbench.workspace import OpenFile, shown

_KIND = re.compile(r'"type"\s*:\s*"Feature(?:Collection)?"')
_MEMBER = re.compile(r'"(?:geometry|features)"\s*:')
_START = re.compile(r"[\s\x1e\ufeff]*\{")
_COLUMNS = 20_000
_LONGITUDES, _LATITUDES = 180.0, 90.0


class GeoJson:
    """GeoJSON features."""

    name = "GeoJSON"
    extensions = ("geojson",)
    is_data = True
    rank = 35
    by_extension = True

    def recognises(self, glimpse: Glimpse) -> bool:
        """Tell by an object that says it is a feature or holds features."""
        encoding = guess(glimpse.head)
        if encoding is None:
            return False
        head = decode(glimpse.head, encoding)
        return bool(_START.match(head) and _KIND.search(head) and _MEMBER.search(head))

    def head(self, file: OpenFile, n: int, limits: Limits) -> Head:
        """Return the first lines and the number of lines."""
        return text_head(file, n, limits)

    def read(self, file: OpenFile, into: Reading) -> Sequence[RawTable]:
        """Read the features of a file, in one pass for the columns and one for the rows.

        Raises
        ------
        Refused
            If it is no valid GeoJSON, or holds no features.
        """
        into.check_size(file)
        first = guess(Glimpse.of(file).head)
        if first is None:
            raise Refused(f"'{shown(file.name)}': the file holds binary data, not GeoJSON")
        encoding = decide(file, first)
        found = Features(file, encoding, lambda share: into.told("scan", share))
        survey = _Survey()
        for feature in found:
            survey.note(row_of(feature), file.name)
        if not survey.rows:
            raise Refused(f"'{shown(file.name)}': GeoJSON without features; nothing to read")
        places = survey.places()
        again = Features(file, encoding, lambda share: into.told("load", share))
        rows = map(row_of, again)
        width = len(survey.keys) + len(places)
        relation, count = into.gather(
            width,
            ([*map(row.properties.get, survey.keys), *map(row.place.get, places)] for row in rows),
        )
        return (
            RawTable(
                relation,
                (*map(HeaderCell, survey.keys), *places.values()),
                count,
                layout=Layout(encoding=encoding.name, header_rows=0),
                lines=LineMap.starting(1),
                notes=tuple(survey.notes(found.members)),
            ),
        )


@dataclass
class _Survey:
    """What a first pass over the features finds: their properties, geometries and range."""

    rows: int = 0
    keys: dict[str, None] = field(default_factory=dict)
    parts: set[str] = field(default_factory=set)
    kinds: dict[str, int] = field(default_factory=dict)
    in_degrees: bool = True

    def note(self, row: Row, name: str) -> None:
        """Take one feature into account."""
        self.rows += 1
        self.keys.update(dict.fromkeys(row.properties))
        if len(self.keys) > _COLUMNS:
            raise Refused(f"'{shown(name)}': over {_COLUMNS:,} properties; not a table")
        self.parts.update(row.place)
        kind = row.place.get("geometry") or "none"
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if self.in_degrees:
            bounds = zip((*BOX, "x", "y"), (_LONGITUDES, _LATITUDES) * 3, strict=True)
            self.in_degrees = all(
                abs(float(row.place.get(part) or 0)) <= bound for part, bound in bounds
            )

    def places(self) -> dict[str, HeaderCell]:
        """Return the columns of the geometry that occur, by their part, in order."""
        east, north = ("longitude", "latitude") if self.in_degrees else ("easting", "northing")
        unit = "deg" if self.in_degrees else None
        every = {
            "id": ("id", None, "id"),
            "geometry": ("geometry", None, None),
            "x": (east, unit, east),
            "y": (north, unit, north),
            "z": ("elevation", None, "elevation"),
            **{part: (part, unit, None) for part in BOX},
        }
        taken = {key.casefold() for key in self.keys}
        return {
            part: HeaderCell(
                f"geometry_{name}" if name in taken else name, stated=Stated(its_unit, role)
            )
            for part, (name, its_unit, role) in every.items()
            if part in self.parts
        }

    def notes(self, members: Mapping[str, object]) -> Iterator[str]:
        """Say what geometries there are, and in which coordinate system."""
        said = ", ".join(f"{kind} ({n:,})" for kind, n in self.kinds.items())
        yield f"geometries: {said}"[:300]
        system = _system(members)
        if system is not None:
            yield f"coordinate system as the file names it: {system[:120]}"
        elif self.in_degrees:
            yield "no coordinate system is named: degrees on WGS 84, as the standard has it"
        else:
            yield "no coordinate system is named, and the coordinates are not degrees: zone unknown"
        if set(self.kinds) - {"Point", "none"}:
            yield "lines and areas are told by their bounding box (bbox_…), without a centre"


def _system(members: Mapping[str, object]) -> str | None:
    """Return the name of the coordinate system, if the file has one."""
    crs = members.get("crs")
    if not isinstance(crs, dict):
        return None
    properties = crs.get("properties")
    words = properties if isinstance(properties, dict) else {}
    named = words.get("name") or words.get("href") or words.get("code")
    return str(named) if named else "one that is not named"


FORMATS = (GeoJson(),)

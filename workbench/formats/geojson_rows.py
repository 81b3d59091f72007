"""The cells of one GeoJSON feature: its properties, flattened by one level, and its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.formats.geojson_text import Feature, Literal, as_json

BOX = ("bbox_west", "bbox_south", "bbox_east", "bbox_north")
_POINT = ("x", "y", "z")

Cells = dict[str, str | None]


@dataclass(frozen=True)
class Row:
    """One feature.

    Attributes
    ----------
    properties : dict
        By key; those of a nested object as ``key.inner``, deeper ones as JSON text.
    place : dict
        ``id``, ``geometry``, and ``x``, ``y``, ``z`` of a point or the bounding box of others.
    """

    properties: Cells
    place: Cells


def row_of(feature: Feature) -> Row:
    """Return the cells of a feature."""
    given = feature.get("properties")
    given = given if isinstance(given, dict) else {}
    properties: Cells = {}
    for key, value in given.items():
        inner = {f"{key}.{name}": item for name, item in value.items()} if _nested(value) else {}
        if inner and not inner.keys() & given.keys():
            properties |= {_clean(name): _text(item) for name, item in inner.items()}
        else:
            properties[_clean(key)] = _text(value)
    place: Cells = {} if feature.get("id") is None else {"id": _text(feature["id"])}
    geometry = feature.get("geometry")
    if isinstance(geometry, dict):
        place |= _place(geometry)
    return Row(properties, place)


def _nested(value: object) -> bool:
    return isinstance(value, dict) and bool(value)


def _clean(text: str) -> str:
    """Replace halves of signs, which JSON can spell and no text can hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _text(value: object) -> str | None:
    """Write a value as text; nested ones as JSON."""
    if value is None or isinstance(value, str):
        return None if value is None else _clean(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return _clean(json.dumps(as_json(value), ensure_ascii=False))


def _place(geometry: Feature) -> Cells:
    """Return kind and coordinates of a point, or kind and bounding box of another geometry."""
    kind = _clean(str(geometry.get("type")))
    coordinates = geometry.get("coordinates")
    if kind == "Point" and isinstance(coordinates, list):
        numbers = [str(item) if isinstance(item, Literal) else None for item in coordinates[:3]]
        return {"geometry": kind, **dict(zip(_POINT, numbers, strict=False))}
    points = list(_positions(geometry))
    if not points:
        return {"geometry": kind}
    xs, ys = ([point[at] for point in points] for at in (0, 1))
    box = (min(xs, key=float), min(ys, key=float), max(xs, key=float), max(ys, key=float))
    return {"geometry": kind, **dict(zip(BOX, box, strict=True))}


def _positions(geometry: Feature) -> Iterator[tuple[str, str]]:
    """Yield the positions of a geometry, however they are nested."""
    waiting: list[object] = [geometry]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            more = item.get("geometries")
            waiting += [item.get("coordinates"), *(more if isinstance(more, list) else ())]
        elif isinstance(item, list) and item and isinstance(item[0], Literal):
            if len(item) > 1 and isinstance(item[1], Literal):
                yield str(item[0]), str(item[1])
        elif isinstance(item, list):
            waiting += item

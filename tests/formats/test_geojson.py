"""GeoJSON: features become rows, properties and places columns, and nothing is made up."""

from __future__ import annotations

import json
from typing import Any

import pytest
from filebench import FileBench
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.errors import Refused


def point(x: float, y: float, *more: float, **properties: object) -> dict[str, Any]:
    geometry = {"type": "Point", "coordinates": [x, y, *more]}
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def collection(*features: dict[str, Any], **members: object) -> str:
    return json.dumps({"type": "FeatureCollection", **members, "features": list(features)})


def named(system: str) -> dict[str, Any]:
    return {"type": "name", "properties": {"name": system}}


def test_properties_and_points_become_columns(bench: FileBench) -> None:
    text = collection(
        point(121.5, -30.25, 402.0, Sample="00123", Au_ppb="<1"),
        point(121.75, -30.5, Sample="00124", note=None),
    )
    table = bench.table(text, "a.geojson")
    assert [(one.name, one.role, one.unit) for one in table.columns] == [
        ("Sample", "id", None),
        ("Au_ppb", "element", "ppb"),
        ("note", "empty", None),
        ("geometry", "constant", None),
        ("longitude", "longitude", "deg"),
        ("latitude", "latitude", "deg"),
        ("elevation", "elevation", None),
    ]
    assert (table.rows, table.columns[1].below, table.columns[5].min) == (2, 1, -30.5)


def test_numbers_keep_the_text_they_are_written_with(bench: FileBench) -> None:
    text = collection(point(1, 2)).replace(
        '"properties": {}', '"properties": {"a": 12.50, "b": 1e3}'
    )
    assert bench.raw(text, "a.geojson").rows == [("12.50", "1e3", "Point", "1", "2")]


@pytest.mark.parametrize(
    ("geometry", "box"),
    [
        ({"type": "LineString", "coordinates": [[3, 1], [-2, 5], [0, 0]]}, ("-2", "0", "3", "5")),
        ({"type": "MultiPolygon", "coordinates": [[[[3, 1], [9, 5], [0, 0]]]]}, tuple("0095")),
        (
            {"type": "GeometryCollection", "geometries": [
                {"type": "Point", "coordinates": [1, 1]},
                {"type": "MultiPoint", "coordinates": [[4, 2, 7], [5, 3, 7]]},
            ]},
            ("1", "1", "5", "3"),
        ),
        ({"type": "Polygon", "coordinates": []}, None),
    ],
)  # fmt: skip
def test_other_geometries_have_their_bounding_box(
    bench: FileBench, geometry: dict[str, Any], box: tuple[str, ...] | None
) -> None:
    feature = {"type": "Feature", "properties": {"a": 1}, "geometry": geometry}
    raw = bench.raw(collection(feature), "a.geojson")
    sides = [f"bbox_{side}" for side in ("west", "south", "east", "north")] if box else []
    assert raw.names == ["a", "geometry", *sides]
    assert raw.rows == [("1", geometry["type"], *(box or ()))]


def test_nested_properties_are_flattened_by_one_level(bench: FileBench) -> None:
    feature = point(1, 2, lab={"job": "J1", "qc": {"n": 2.0}}, tags=["a", 1], empty={}, ok=True)
    raw = bench.raw(collection(feature), "a.geojson")
    assert raw.names[:5] == ["lab.job", "lab.qc", "tags", "empty", "ok"]
    assert raw.rows[0][:5] == ("J1", '{"n": 2.0}', '["a", 1]', "{}", "true")


def test_a_property_is_not_lost_to_a_nested_one_of_its_name(bench: FileBench) -> None:
    raw = bench.raw(collection(point(1, 2, **{"a.b": "x", "a": {"b": "y"}})), "a.geojson")
    assert (raw.names[:2], raw.rows[0][:2]) == (["a.b", "a"], ("x", '{"b": "y"}'))


def test_a_property_named_like_a_place_keeps_its_name(bench: FileBench) -> None:
    raw = bench.raw(collection(point(1, 2, Longitude="east", id="S1") | {"id": 7}), "a.geojson")
    assert raw.names == [
        "Longitude",
        "id",
        "geometry_id",
        "geometry",
        "geometry_longitude",
        "latitude",
    ]


@pytest.mark.parametrize(
    ("x", "crs", "names", "said"),
    [
        (121.5, None, ["longitude", "latitude"], "degrees on WGS 84"),
        (352_493.0, None, ["easting", "northing"], "zone unknown"),
        (352_493.0, "urn:ogc:def:crs:EPSG::7851", ["easting", "northing"], "EPSG::7851"),
        (121.5, "urn:ogc:def:crs:OGC:1.3:CRS84", ["longitude", "latitude"], "CRS84"),
    ],
)
def test_the_coordinate_system_is_the_one_that_the_file_names(
    bench: FileBench, x: float, crs: str | None, names: list[str], said: str
) -> None:
    members = {"crs": named(crs)} if crs else {}
    raw = bench.raw(collection(point(x, -30.5), **members), "a.geojson")
    assert raw.names == ["geometry", *names]
    assert any(said in note for note in raw.notes)


@pytest.mark.parametrize("name", ["a.geojson", "a.json", "a.txt"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_one_feature_and_features_by_line_are_read_too(
    bench: FileBench, name: str, codec: str
) -> None:
    one = json.dumps(point(1, 2, a="é"), ensure_ascii=False)
    for text, rows in ((one, 1), (one + "\n" + one + "\n", 2)):
        assert len(bench.raw(text.encode(codec), name).rows) == rows


def test_features_without_place_or_properties_are_rows(bench: FileBench) -> None:
    bare = {"type": "Feature", "properties": None, "geometry": None}
    raw = bench.raw(collection(point(1, 2, a=1), bare), "a.geojson")
    assert raw.rows == [("1", "Point", "1", "2"), (None, None, None, None)]


features = st.lists(
    st.builds(
        lambda x, y, properties: point(x, y, **properties),
        st.floats(-180, 180, allow_nan=False),
        st.floats(-90, 90, allow_nan=False),
        st.dictionaries(st.sampled_from("abc"), st.text() | st.integers() | st.booleans()),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=40)
@given(features, st.sampled_from([None, 1]))
def test_any_features_come_out_as_they_went_in(
    tmp_path_factory: pytest.TempPathFactory, given_ones: list[dict[str, Any]], indent: int | None
) -> None:
    text = json.dumps({"type": "FeatureCollection", "features": given_ones}, indent=indent)
    raw = FileBench(tmp_path_factory.mktemp("features")).raw(text, "a.geojson")
    found = [dict(zip(raw.names, row, strict=True)) for row in raw.rows]
    for feature, row in zip(given_ones, found, strict=True):
        assert float(row["longitude"] or "nan") == feature["geometry"]["coordinates"][0]
        for key, value in feature["properties"].items():
            text = json.dumps(value) if isinstance(value, bool) else str(value)
            assert (row[key] or "") == text.encode("utf-8", "replace").decode().strip(" \t\r\n\xa0")


def deep(levels: int) -> str:
    return collection(point(1, 2)).replace("[1, 2]", "[" * levels + "]" * levels)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (deep(100_000), "nested too deeply"),
        (collection(point(1, 2))[:-20], "not valid JSON"),
        (collection(point(1, 2))[:-1] + ', "x": tru}', "not valid JSON"),
        (collection(), "without features"),
        (collection({"type": "Nothing"}), "among its features"),
        (collection(point(1, 2)) + "garbage", "not valid JSON"),
        ('{"type": "Topology", "objects": {}}', "TopoJSON"),
        (b"\x00\x01\x02" * 90, "binary data"),
    ],
)
def test_what_is_no_geojson_is_refused_in_one_line(
    bench: FileBench, text: str | bytes, why: str
) -> None:
    with pytest.raises(Refused, match=why) as refusal:
        bench.table(text, "bad.geojson")
    assert "\n" not in str(refusal.value)


def test_odd_numbers_and_signs_do_no_harm(bench: FileBench) -> None:
    text = collection(point(1, 2)).replace(
        '"properties": {}',
        '"properties": {"big": [' + "9" * 5_000 + '], "nan": NaN, "half": "\\ud800x"}',
    )
    raw = bench.raw(text, "a.geojson")
    assert raw.rows[0][:3] == (f'["{"9" * 5_000}"]', None, "?x")


def test_one_line_of_megabytes_is_read(bench: FileBench) -> None:
    ring = [[at / 1e4, at / 1e5] for at in range(200_000)]
    feature = {
        "type": "Feature",
        "properties": {"a": "x"},
        "geometry": {"type": "LineString", "coordinates": ring},
    }
    raw = bench.raw(collection(feature, point(1, 2, a="y")), "a.geojson")
    assert [row[0] for row in raw.rows] == ["x", "y"]
    assert raw.rows[0][raw.names.index("bbox_east")] == "19.9999"

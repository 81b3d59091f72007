"""Tables handed on, read back by other libraries: openpyxl, SQLite, json, zipfile."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import struct
import zipfile

import openpyxl
import pytest
from toolbench import Bench

from workbench.errors import Refused

ROWS = (
    "SampleID,Easting,Northing,Au_ppb,Shift,Note\n"
    "0012,500000,7000000,<1,-0.5,=1+1\n"
    "S2,500100,7000100,3,-1.5,-cmd|x\n"
    "S3,,,7.25,2,@SUM(A1)\n"
    "S4,500300,7000300,12,3,plain\n"
)


@pytest.fixture
def table(bench: Bench) -> str:
    return bench.write("t.csv", ROWS)


def test_a_workbook_keeps_numbers_and_runs_no_text(bench: Bench, table: str) -> None:
    facts = bench.facts("export_table", path=table, format="xlsx")
    book = openpyxl.load_workbook(bench.run / facts["output"].removeprefix("results/…/"))
    rows = list(book["data"].iter_rows())
    head = [cell.value for cell in rows[0]]
    notes, gold, shift = (head.index(name) for name in ("Note", "Au_ppb", "Shift"))
    assert [row[notes].value for row in rows[1:]] == ["=1+1", "-cmd|x", "@SUM(A1)", "plain"]
    assert {row[notes].data_type for row in rows[1:]} == {"s"}
    assert [row[notes].quotePrefix for row in rows[1:]] == [True, True, True, False]
    assert [row[gold].value for row in rows[1:]] == [0.5, 3, 7.25, 12]
    assert [row[shift].value for row in rows[1:]] == [-0.5, -1.5, 2, 3]
    assert {row[place].data_type for row in rows[1:] for place in (gold, shift)} == {"n"}
    assert rows[1][0].value == "0012"
    assert rows[1][head.index("Au_ppb__flag")].value == "<"
    assert facts["texts_like_formulas"] == 3
    assert ["Au_ppb", "element", "ppb"] in [[c.value for c in r[:3]] for r in book["about"].rows]


def test_a_geopackage_has_points_and_their_grid(bench: Bench, table: str) -> None:
    facts = bench.facts("export_table", path=table, format="gpkg", crs="EPSG:28350")
    place = bench.run / facts["output"].removeprefix("results/…/")
    with sqlite3.connect(place) as base:
        [(grid,)] = base.execute("SELECT srs_id FROM gpkg_geometry_columns").fetchall()
        rows = base.execute("SELECT geom, SampleID, Au_ppb FROM t").fetchall()
        [(known,)] = base.execute(
            "SELECT organization_coordsys_id FROM gpkg_spatial_ref_sys WHERE srs_id = ?", [grid]
        ).fetchall()
    assert known == 28350
    # A header of 8 bytes, then the point: order, kind, x, y.
    assert struct.unpack("<dd", rows[1][0][-16:]) == (500_100, 7_000_100)
    assert rows[2][0] is None
    assert [row[1] for row in rows] == ["0012", "S2", "S3", "S4"]
    assert (facts["places"], facts["without_place"]) == (3, 1)


def test_geojson_is_turned_to_degrees(bench: Bench, table: str) -> None:
    facts = bench.facts("export_table", path=table, format="geojson", crs="EPSG:28350")
    whole = json.loads((bench.run / facts["output"].removeprefix("results/…/")).read_text())
    points = [one["geometry"] for one in whole["features"]]
    # The middle of zone 50 is 117° E; 7,000,000 m N lies 3,000,000 m south of the equator: by the
    # series of Krüger for GRS 80, 27.1218° S.
    assert points[0]["coordinates"] == pytest.approx([117.0, -27.1218], abs=1e-3)
    assert points[2] is None
    assert whole["features"][1]["properties"]["Shift"] == -1.5
    assert "EPSG:28350" in facts["crs"]


def test_metres_without_a_grid_are_refused_and_degrees_are_said_to_be_taken(bench: Bench) -> None:
    bench.write("m.csv", ROWS)
    with pytest.raises(Refused, match="give crs, such as EPSG:28350"):
        bench.call("export_table", path="m.csv", format="gpkg")
    for crs in ("28350", "EPSG:1"):
        with pytest.raises(Refused, match="crs"):
            bench.call("export_table", path="m.csv", format="gpkg", crs=crs)
    bench.write("d.csv", "id,Longitude,Latitude,Au_ppb\na,117.5,-27.25,1\nb,117.6,-27.3,2\n")
    facts = bench.facts("export_table", path="d.csv", format="geojson")
    assert "taken for WGS 84" in facts["crs"]


def test_a_package_has_the_file_and_what_its_columns_mean(bench: Bench, table: str) -> None:
    facts = bench.facts("export_table", path=table, format="zip")
    with zipfile.ZipFile(bench.run / facts["output"].removeprefix("results/…/")) as pack:
        assert pack.read("t.csv").decode() == ROWS
        readme, columns = (pack.read(name).decode() for name in ("README.md", "columns.csv"))
    assert hashlib.sha256(ROWS.encode()).hexdigest() in readme
    assert "Au_ppb,element,ppb,Au,,number,3,1,0,0,0,1" in columns


@pytest.mark.parametrize("kind", ["xlsx", "gpkg", "geojson", "zip"])
def test_the_same_table_gives_the_same_bytes(bench: Bench, table: str, kind: str) -> None:
    made = [
        bench.call("export_table", path=table, format=kind, crs="EPSG:28350").made[0]
        for _ in range(2)
    ]
    assert made[0].path != made[1].path
    assert made[0].sha256 == made[1].sha256
    assert not list(bench.run.glob("*-export.part"))

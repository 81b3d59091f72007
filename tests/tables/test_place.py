"""Coordinates: what they are taken for, and what no distance may use."""

from __future__ import annotations

import pytest
from filebench import FileBench


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Easting,Northing\n500000,7000000\n500100,7000100\n", "names no zone or datum"),
        ("X,Y\n100,200\n150,260\n", "taken for a local grid"),
        ("Easting,Northing\n32428405.75,5700000\n32428505.7,5700010\n", "zone 32 in front"),
        ("Lat,Lon\n120.5,-30.1\n120.6,-30.2\n", "may be swapped"),
        (
            "Easting,Northing,Zone\n500000,7000000,50\n500100,7000100,51\n500200,7000200,50\n",
            "Zone: coordinates of several zones or grids (50 (2 rows), 51 (1 rows))",
        ),
        ("Easting,Northing\n0,0\n500100,7000100\n500200,7000100\n", "1 rows lie at 0, 0"),
        (
            'Lat,Au_ppb\n"40\u00b0 51\' 35.139 N",1\n"40\u00b0 52\' 10.2 N",2\n',
            "degrees, minutes and seconds as text",
        ),
    ],
)
def test_coordinates_are_said_for_what_they_look_like(
    bench: FileBench, text: str, part: str
) -> None:
    notes = bench.table(text).notes
    assert any(part in note for note in notes), notes


def test_coordinates_with_a_named_grid_need_no_word(bench: FileBench) -> None:
    text = "Easting,Northing,Grid\n500000,7000000,MGA50\n500100,7000100,MGA50\n"
    assert not any("Easting" in note for note in bench.table(text).notes)

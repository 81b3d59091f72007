"""Lines of a Geosoft survey are one table: the line in front of every row, nothing guessed."""

from __future__ import annotations

import pytest
from filebench import FileBench

from workbench.formats.registry import find

SURVEY = """/ XYZ EXPORT [12/01/2010]
/        X         Y     Mag   Time
/========= ========= ======= ======
//Flight 12
Line 100
  512000.1 6912000.2 56001.2 12:00:01
  512010.1 6912000.2       * 12:00:02
Line 110
//Flight 13
  512000.1 6912100.2 56001.2 12:10:01
Tie 9000
/ a comment
  512000.1 6912000.2 56001.7 12:20:01
  512000.1 6912100.2 56001.7
"""


@pytest.mark.parametrize(
    ("name", "codec", "end"),
    [("mag.xyz", "utf-8", "\n"), ("mag.txt", "utf-16", "\r\n"), ("mag.dat", "cp1252", "\r")],
)
def test_every_row_has_its_line_and_its_flight(
    bench: FileBench, name: str, codec: str, end: str
) -> None:
    table = bench.table(SURVEY.replace("\n", end).encode(codec), name)
    raw = bench.raws(bench.data / name)[0]
    assert raw.names == ["line", "flight", "X", "Y", "Mag", "Time"]
    assert [row[:2] for row in raw.rows] == [
        *[("Line 100", "12")] * 2, ("Line 110", "13"), *[("Tie 9000", "13")] * 2,
    ]  # fmt: skip
    assert (raw.lines, raw.ragged) == ([6, 7, 10, 13, 14], (14,))
    mag = table.column("Mag")
    assert (mag.kind, mag.count, dict(mag.missing)) == ("number", 4, {"*": 1})
    assert "Geosoft lines: 2 × line, 1 × tie; 4 lines of comments are no data" in table.notes


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("/ X,Y,Au\nLINE 1\n1,2,3\n4,5,\nTIE 2\n1,2,*\n", ["line", "X", "Y", "Au"]),
        ("X Y Au\nLine L1:2\n1 2 3\n4 5 6\n", ["line", "X", "Y", "Au"]),
        ("Line 1\n1 2\n4 5\n", ["line", "channel_1", "channel_2"]),
    ],
    ids=["commas", "names without a slash", "no names"],
)
def test_other_ways_to_write_a_survey(bench: FileBench, text: str, names: list[str]) -> None:
    assert bench.raw(text, "a.xyz").names == names


@pytest.mark.parametrize("text", ["X Y Z\n1 2 3\n2 3 4\n3 4 5\n", "a,b\nLine 1,2\nTie 2,3\n"])
def test_a_table_without_lines_of_a_survey_is_none(bench: FileBench, text: str) -> None:
    with bench.opened(bench.write("plain.xyz", text)) as file:
        assert find(file).name == "delimited text"

"""Texts of several tables: each under its own names, with its own lines; all others stay whole."""

from __future__ import annotations

import pytest
from filebench import FileBench

SURVEY = "HoleID,Depth,Azimuth,Dip\nH1,0,90,-60\nH1,50,91,-61\nH2,0,180,-90\n"
ASSAY = 'HoleID,From,To,Au_ppm,Remark\nH1,0,1,0.1,"two\nlines"\nH1,1,2,<0.01,\nH2,0,1,0.5,x\n'


def test_tables_behind_an_empty_line_are_told_apart_with_their_lines(bench: FileBench) -> None:
    first, second = bench.raws(bench.write("t.csv", SURVEY + "\n" + ASSAY))
    assert (first.names, first.lines) == (["HoleID", "Depth", "Azimuth", "Dip"], [2, 3, 4])
    assert (second.names[-1], second.lines) == ("Remark", [7, 9, 10])
    assert second.rows[0] == ("H1", "0", "1", "0.1", "two\nlines")
    assert "2 tables stand in this text, this one in lines 6 to 11" in second.notes


def test_each_is_typed_by_itself_and_named_after_the_file(bench: FileBench) -> None:
    opened = bench.tables(bench.write("t.csv", SURVEY + ",,,\n" + ASSAY))
    assert [table.name for table in opened.tables] == ["t", "t_2"]
    assert opened.tables[0].column("Dip").role == "dip"
    assert opened.tables[1].column("Au_ppm").below == 1


@pytest.mark.parametrize(
    "content",
    [
        # Details of the job above the table.
        "Samples,30\nBatches,2\n\nid,Au,Cu\na,1,2\nb,3,4\nc,5,6\n",
        # One table in campaigns.
        "id,Au,Cu\na,1,2\nb,3,4\n\nc,5,6\nd,7,8\n",
        # Notes under the table.
        "id,Au,Cu\na,1,2\nb,3,4\nc,5,6\n\nnote,all values,in ppm\n",
    ],
)
def test_what_is_one_table_stays_one(bench: FileBench, content: str) -> None:
    (raw,) = bench.raws(bench.write("t.csv", content))
    assert raw.names == ["id", "Au", "Cu"]

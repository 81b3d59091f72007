"""Notes and totals under a table are told and left out; rows of the table never are."""

from __future__ import annotations

import openpyxl
import pytest
from filebench import FileBench

BODY = "".join(f"S{n},{n}.5,{n}\n" for n in range(1, 31))


@pytest.mark.parametrize(
    "footer",
    [
        "\nTotal samples: 30\nEnd of report,,\n",
        "* results pending\n",
        "Mean,15.5,15\nStd Dev,8,8\n",
    ],
    ids=["notes", "note", "totals"],
)
def test_notes_and_totals_under_a_table_are_told_and_left_out(
    bench: FileBench, footer: str
) -> None:
    raw = bench.raw(f"id,Au,Cu\n{BODY}{footer}")
    assert len(raw.rows) == 30
    assert raw.rows[-1] == ("S30", "30.5", "30")
    assert (raw.short, raw.ragged) == (0, ())
    assert any("under the table are no data" in note for note in raw.notes)


@pytest.mark.parametrize(
    "last",
    ["S31,,\n", "S31\n", "\nS31,1,\n", "Max,1,2\nS31,2,3\n"],
    ids=["no results", "short", "apart", "inside"],
)
def test_the_last_samples_stay_whatever_they_lack(bench: FileBench, last: str) -> None:
    raw = bench.raw(f"id,Au,Cu\n{BODY}{last}")
    assert raw.rows[-1][0] == "S31"


def test_a_table_of_statistics_keeps_its_rows(bench: FileBench) -> None:
    assert len(bench.raw("stat,Au,Cu\nCount,5,5\nMean,2,3\nMin,1,1\nMax,7,8\n").rows) == 4


def test_a_table_of_words_has_no_footer(bench: FileBench) -> None:
    raw = bench.raw("code,rock\nB,basalt\nG,granite\nNot logged at all,\n")
    assert len(raw.rows) == 3


def test_a_sheet_has_footers_too(bench: FileBench) -> None:
    book = openpyxl.Workbook()
    for row in [("id", "Au"), *((f"S{n}", n) for n in range(30)), (), ("Note: by fire assay",)]:
        book.active.append(row)
    book.save(bench.data / "b.xlsx")
    raw = bench.raws(bench.data / "b.xlsx")[0]
    assert len(raw.rows) == 30
    assert any("Note: by fire assay" in note for note in raw.notes)


def test_a_row_of_detection_limits_under_the_table_is_no_sample(bench: FileBench) -> None:
    body = "".join(f"R{n},{50 + n}.5,{n}.25\n" for n in range(20))
    raw = bench.raw("Sample,SiO2,TiO2\n" + body + "LLD,0.01,0.01\n")
    assert len(raw.rows) == 20
    assert any("LLD 0.01 0.01" in note for note in raw.notes)

"""Names and units at the head of every page are no rows of the table."""

from __future__ import annotations

from filebench import FileBench


def page(number: int) -> str:
    rows = "".join(f"P{number}{n:02d},{n + 1}.5,{n + 1}\n" for n in range(15))
    return "Sample,Au,Cu\n,ppm,ppm\n" + rows


def test_a_header_that_stands_again_is_left_out_and_told(bench: FileBench) -> None:
    raw = bench.raw("".join(map(page, range(3))))
    assert (raw.names, len(raw.rows)) == (["Sample", "Au", "Cu"], 45)
    assert raw.lines == [*range(3, 18), *range(20, 35), *range(37, 52)]
    assert raw.rows[15] == ("P100", "1.5", "1")
    assert any("4 rows repeat the header and were left out (lines 18, 19, 35, 36)" in note
               for note in raw.notes)  # fmt: skip


def test_a_row_that_shares_a_word_with_the_header_is_data(bench: FileBench) -> None:
    raw = bench.raw("id,rock,Au\n" + "S,rock,1\n" * 3 + "S,tuff,2\n" * 9)
    assert len(raw.rows) == 12

"""Text in columns of fixed width: a blank cell or a blank in a cell moves nothing."""

from __future__ import annotations

import pytest
from filebench import FileBench

from workbench.errors import Refused

ROCKS = ("basalt flow", "tuff", "granite a b", "")


def lines(number: int = 40) -> str:
    return "".join(
        f"S{n:03d}      {ROCKS[n % 4]:<16}{(str(n * 1.5) if n % 5 else ''):>7}{n:>5}\n"
        for n in range(number)
    )


HEAD = "SAMPLE    ROCK NAME        AU_PPB   CU\n"


@pytest.mark.parametrize("name", ["a.txt", "a.dat", "a.prn"])
@pytest.mark.parametrize("above", ["", "Job 12, all samples of the year 2020\n\n"])
def test_blank_cells_and_blanks_in_cells_move_nothing(
    bench: FileBench, name: str, above: str
) -> None:
    raw = bench.raw(above.replace(",", "") + HEAD + lines(), name)
    assert raw.names == ["SAMPLE", "ROCK NAME", "AU_PPB", "CU"]
    assert raw.rows[0] == ("S000", "basalt flow", None, "0")
    assert raw.rows[3] == ("S003", None, "4.5", "3")
    assert len(raw.rows) == 40
    assert raw.lines[0] == (4 if above else 2)
    assert raw.layout["delimiter"] == "fixed width"


def test_lines_that_do_not_keep_to_the_columns_are_named(bench: FileBench) -> None:
    odd = "S999      a rock with a name far too long   7\n"
    raw = bench.raw(HEAD + lines(1000) + odd, "a.txt")
    assert len(raw.rows) == 1001
    assert any("1 lines have text across two columns (lines 1002)" in note for note in raw.notes)
    assert (
        "".join(cell or "" for cell in raw.rows[-1]).replace(" ", "")
        == odd.replace(" ", "").strip()
    )


def test_prose_is_no_table_of_fixed_width(bench: FileBench) -> None:
    prose = "The rocks of the north were seen in 1998 and again later on.\n" * 3
    prose += "They are old and worn and of no use to any of the people there.\n" * 9
    with pytest.raises(Refused):
        bench.raw(prose, "a.txt")


GSLIB = "Walker lake\n3\nX\nY\nV (ppm)\n" + "".join(
    f"{n} {2 * n}  {n / 3:.3f}\n" for n in range(30)
)


@pytest.mark.parametrize("name", ["w.dat", "w.txt", "w.gslib"])
def test_a_gslib_file_names_its_columns_one_a_line(bench: FileBench, name: str) -> None:
    raw = bench.raw(GSLIB, name)
    assert raw.names == ["X", "Y", "V (ppm)"]
    assert (len(raw.rows), raw.lines[0], raw.rows[1]) == (30, 6, ("1", "2", "0.333"))
    assert "title: Walker lake" in raw.notes


def test_a_count_that_does_not_fit_is_no_gslib_file(bench: FileBench) -> None:
    with pytest.raises(Refused):
        bench.raw(GSLIB.replace("\n3\n", "\n4\n"), "w.dat")

"""Numbers in another spelling than the file's: read by their company, or left with the ground."""

from __future__ import annotations

import pytest
from filebench import FileBench

from workbench.tables.table import Column


def column(bench: FileBench, cells: list[str], sign: str = ",", others: str = "") -> Column:
    quoted = [f'"{cell}"' if sign in cell else cell for cell in cells]
    beside = f"{sign}{others}" if others else ""
    rows = "".join(f"s{n}{sign}{cell}{beside}\n" for n, cell in enumerate(quoted))
    head = f"id{sign}Zn" + (f"{sign}Au" if others else "")
    return bench.table(f"{head}\n{rows}").column("Zn")


@pytest.mark.parametrize(
    ("cells", "sign", "others", "low", "high"),
    [
        (["950", "1,250", "2,300"], ",", "", 950, 2300),
        (["0.5", "1,250.5", "2,300"], ",", "", 0.5, 2300),
        (["0.5", "1,250", "2,300"], "\t", "", 0.5, 2300),
        (["950", "1,250", "2,300"], "\t", "", 950, 2300),
        (["0,5", "1.250,5", "2.300"], ";", "", 0.5, 2300),
        (["1,100", "1,250", "1,300"], ";", "", 1.1, 1.3),
        (["1.100", "1.250", "2.300"], ";", "0,25", 1100, 2300),
        (["0.5", "12.25", "7.5"], ";", "0,25", 0.5, 12.25),
        (["950", "1'250.5", "2'300"], ",", "", 950, 2300),
        (["950", "1 250,5", "2\u00a0300,25"], ";", "", 950, 2300.25),
        (["950", "1,250,000", "<1,000"], ",", "", 950, 1250000),
    ],
)
def test_groups_and_decimals_are_told_apart_by_the_column_and_the_file(
    bench: FileBench, cells: list[str], sign: str, others: str, low: float, high: float
) -> None:
    found = column(bench, cells * 3, sign, others)
    assert (found.kind, found.min, found.max) == ("number", low, high)
    assert found.rejected == 0


def test_what_stays_possible_in_two_ways_is_left_as_text_and_said(bench: FileBench) -> None:
    rows = "".join(f"s{n}\t1,{n}50\n" for n in range(1, 9))
    table = bench.table("id\tZn\n" + rows + "s9\t12345\n")
    assert table.column("Zn").kind == "text"
    assert any("1,250 may be 1.25 or 1250" in note for note in table.notes)


def test_the_ground_of_a_reading_is_told(bench: FileBench) -> None:
    table = bench.table('id,Zn\na,"1,250"\nb,"2,300"\n')
    assert any("Zn: 1,250 is read as 1250: commas part the cells" in note for note in table.notes)


@pytest.mark.parametrize(
    ("cells", "unit", "low"),
    [
        (["12m", "13 m", "<14m"], "m", 12),
        (["5 %", "6%", "7 %"], "pct", 5),
        (["0,5 ppm", "1,5 ppm", "2 ppm"], "ppm", 0.5),
        (["12m", "13ft", "14m"], None, None),
        (["1A", "2A", "3A"], None, None),
    ],
)
def test_one_known_unit_behind_the_numbers_is_the_unit_of_the_column(
    bench: FileBench, cells: list[str], unit: str | None, low: float | None
) -> None:
    rows = "".join(f"s{n};{cell}\n" for n, cell in enumerate(cells * 3))
    found = bench.table(f"id;v\n{rows}").column("v")
    assert (found.unit, found.min) == (unit, low)


def test_a_unit_behind_the_numbers_that_is_not_the_headers_is_not_taken(bench: FileBench) -> None:
    found = bench.table("id,top (ft)\na,12m\nb,13m\nc,14m\n").column("top (ft)")
    assert (found.kind, found.unit) == ("text", "ft")

"""Quotes that break the rules cost no row, no column and no text."""

from __future__ import annotations

import csv
import io

import pytest
from filebench import FileBench
from hypothesis import given
from hypothesis import strategies as st

from workbench.formats.quoted import between_blanks, records


def cells(text: str, width: int | None = None) -> list[list[str]]:
    return [row for _, row in records(text.splitlines(), ",", width)]


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ('S1,<a href="x,2" class="b, c">N</a>,5', ["S1", '<a href="x,2" class="b, c">N</a>', "5"]),
        (
            'S1,"<p id="a, b">N, S</p>, <i id="x">",5',
            ["S1", '<p id="a, b">N, S</p>, <i id="x">', "5"],
        ),
        ('S1,"6" casing, grouted",5', ["S1", '6" casing, grouted', "5"]),
        ('S1,6" casing,5', ["S1", '6" casing', "5"]),
        ('S1,"open,5', ["S1", '"open', "5"]),
        ('S1,"a ""b"", c",5', ["S1", 'a "b", c', "5"]),
        ('S1, "a, b" ,5', ["S1", "a, b ", "5"]),
        ('S1,<a id="x, y"> \ue000 6" x,5', ["S1", '<a id="x, y"> \ue000 6" x', "5"]),
        ("S1,,", ["S1", "", ""]),
    ],
)
def test_a_line_has_its_three_cells(line: str, row: list[str]) -> None:
    assert cells(line, 3) == [row]


def test_a_marked_up_cell_keeps_its_text() -> None:
    (found,) = cells('S1,"<p style="x:y">a, b</p>",5')
    assert found[1] == '<p style="x:y">a, b</p>'


def test_a_quote_that_is_never_closed_takes_no_line_with_it() -> None:
    assert cells('a,"b,1\nc,"d",2\ne,"f",3') == [
        ["a", '"b', "1"], ["c", "d", "2"], ["e", "f", "3"],
    ]  # fmt: skip


def test_lines_of_a_quoted_cell_are_one_record() -> None:
    text = ['a,"b', 'c, ""d""', 'e",1', "f,g,2"]
    assert list(records(text, ",")) == [(3, ["a", 'b\nc, "d"\ne', "1"]), (1, ["f", "g", "2"])]


@given(st.lists(st.lists(st.text('ab ,"\n', max_size=6), min_size=2, max_size=4), max_size=6))
def test_what_keeps_the_rules_is_read_by_the_rules(rows: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    found = [row for _, row in records(io.StringIO(out.getvalue()), ",")]
    assert found == rows


def test_cells_between_blanks_may_be_quoted() -> None:
    assert between_blanks('"Mazda RX4" 21 6" ""') == ["Mazda RX4", "21", '6"', ""]


def test_a_header_with_an_inch_sign_swallows_no_data(bench: FileBench) -> None:
    body = "".join(f'H{n},6",{n}.5\n' for n in range(20))
    raw = bench.raw('hole,dia ("),Au\n' + body)
    assert (raw.names, len(raw.rows)) == (["hole", 'dia (")', "Au"], 20)


def test_a_table_of_marked_up_cells_has_the_columns_of_its_header(bench: FileBench) -> None:
    tail = '<img src="x" alt="a, b">' * 3
    body = "".join(
        f'S{n},"<p class="x, y">{n}, north</p>{tail * (n % 3)}",{n}.5\n' for n in range(30)
    )
    raw = bench.raw("id,remark,Au\n" + body)
    assert (raw.names, len(raw.rows), raw.long) == (["id", "remark", "Au"], 30, 0)
    assert [row[2] for row in raw.rows] == [f"{n}.5" for n in range(30)]


def test_names_and_cells_of_a_statistics_package_lose_their_quotes(bench: FileBench) -> None:
    body = "".join(f'"rock {n}" {n}.5 {n} "a b"\n' for n in range(1, 12))
    raw = bench.raw('"x" "y" "kind"\n' + body, "r.csv")
    assert raw.names == ["", "x", "y", "kind"]
    assert raw.rows[0] == ("rock 1", "1.5", "1", "a b")


def test_a_text_kept_as_a_formula_is_the_text(bench: FileBench) -> None:
    raw = bench.raw("id,Au\n" + "".join(f'="00{n}",{n}\n' for n in range(10, 20)))
    assert raw.rows[0] == ("0010", "10")

"""Delimiter and decimal sign are decided by most lines of the whole file, not by the first ones."""

from __future__ import annotations

import pytest
from filebench import FileBench

from workbench.formats.sniff import Sample, sniff


def dialect(text: str, *, lenient: bool = True) -> tuple[str, str, int] | None:
    found = sniff(Sample(tuple(text.splitlines())), lenient=lenient)
    return None if found is None else (found.delimiter, found.decimal, found.width)


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_every_delimiter_is_found(sign: str) -> None:
    lines = "\n".join(sign.join(["S1", str(row), "2.5"]) for row in range(9))
    assert dialect(lines) == (sign, ".", 3)


def test_a_short_last_row_decides_nothing() -> None:
    text = "\n".join([",".join("abcdefghijkl")] + [",".join("123456789012")] * 90 + ["1,2"])
    assert dialect(text) == (",", ".", 12)


def test_a_late_semicolon_decides_nothing() -> None:
    assert dialect("a,b\n" + "1,2\n" * 50 + "3,x;y\n") == (",", ".", 2)


def test_decimal_commas_do_not_make_a_comma_file() -> None:
    text = "ID;X;Y\n" + "".join(f"{i};{i},5;{i},25\n" for i in range(20))
    assert dialect(text) == (";", ",", 3)


def test_thousands_signs_alone_are_no_decimal_commas() -> None:
    assert dialect("a\tb\n" + "1,250\t2,500\n" * 9) == ("\t", ".", 2)


def test_decimal_commas_in_quotes_are_found_in_a_comma_file() -> None:
    assert dialect('a,b\n"1,5","2,25"\n"3,75","4,5"\n') == (",", ",", 2)


def test_lines_of_prose_above_decide_nothing() -> None:
    text = "Report of 2024; final\nby the laboratory\n\n" + "a,b,c\n" + "1,2,3\n" * 20
    assert dialect(text) == (",", ".", 3)


def test_prose_has_no_dialect() -> None:
    prose = "One day, it rained.\nThen not.\nAnd then, again, it did.\n"
    assert dialect(prose, lenient=False) is None


def test_a_csv_of_one_column_is_a_table() -> None:
    assert dialect("Au\n1\n2\n3\n") == (",", ".", 1)


def test_rows_behind_the_first_blocks_are_looked_at(bench: FileBench) -> None:
    # The first 300 KB are one column with stray semicolons; the body is wide.
    head = "".join(f"note {i}; more\n" for i in range(200))
    raw = bench.raw(head + "a,b,c\n" + "1,2,3\n" * 60_000)
    assert raw.layout["delimiter"] == ","
    assert raw.names == ["a", "b", "c"]
    assert len(raw.rows) == 60_000


def test_numbers_between_blanks_are_cut_although_some_lines_have_a_tab() -> None:
    text = "  x    y   h\n" + "".join(f" {n}.5   {n}.25 \t  1.{n}\n" for n in range(20))
    assert dialect(text) == ("whitespace", ".", 3)


def test_prose_with_as_many_words_as_columns_does_not_undo_tabs() -> None:
    rows = [f"S-{n}\t\t{n}\tbasalt" for n in range(7)]
    lines = ("# made in 2020", "id\tAu\tn\tnote", *rows, "End of the report")
    assert dialect("\n".join(lines)) == ("\t", ".", 4)

"""Telling rows from prose, and finding rows between words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.check import planted
from workbench.files.tabular import is_table, table_span

PROSE = planted.prose(4_000).splitlines()
TABLE = planted.table(60).splitlines()


@pytest.mark.parametrize("sign", [",", ";", "\t", "|", "   "])
def test_rows_of_any_delimiter_read_as_a_table(sign: str) -> None:
    assert is_table([f"s{n}{sign}{n}.5{sign}{n * 2}" for n in range(20)])


@pytest.mark.parametrize(
    "lines",
    [
        PROSE,
        ["- first, look at the map", "- then, look at the core", "- last, write it up"],
        ["one line"],
        [],
        ["def f(a, b):", "    return a, b", "", "print(f(1, 2))", "x = [1, 2, 3]"],
    ],
    ids=["prose", "list", "line", "nothing", "code"],
)
def test_words_do_not_read_as_a_table(lines: list[str]) -> None:
    assert not is_table(lines)


def test_a_table_alone_is_found_whole() -> None:
    assert table_span(TABLE) == range(len(TABLE))


@given(before=st.integers(0, 9), after=st.integers(0, 9), rows=st.integers(5, 60))
def test_a_table_between_words_is_found_where_it_stands(before: int, after: int, rows: int) -> None:
    lines = [*PROSE[:before], *TABLE[:rows], *PROSE[:after]]
    assert table_span(lines) == range(before, before + rows)


def test_rows_with_blank_lines_between_them_are_one_table() -> None:
    spread = [line for row in TABLE for line in (row, "")]
    assert len(table_span(["Look at this:", *spread, "Thanks."])) >= 2 * len(TABLE) - 1


def test_rows_whose_text_holds_the_sign_are_still_found() -> None:
    ragged = [f"s{n},{n}.5,note{', more' * (n % 6 == 0)}" for n in range(80)]
    span = table_span(["What is this?", *ragged, "Tell me."])
    assert span.start <= 1
    assert span.stop >= 80


def test_prose_holds_no_table() -> None:
    assert len(table_span(PROSE)) == 0


def test_the_longer_of_two_tables_is_found_first() -> None:
    lines = [*TABLE[:10], *PROSE[:3], *TABLE]
    assert table_span(lines) == range(13, 13 + len(TABLE))

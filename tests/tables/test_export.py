"""Result files hold what the query gave, and no cell that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.limits import Limits
from workbench.tables.export import neutral, write

HARMFUL = ["=1+1", "+cmd", "-cmd|' /C calc'!A0", "@SUM(A1)", "\tx", "\rx", "=", "+1-2", "-x"]
HARMLESS = ["-0.5", "+3", "-1e5", "+.5", "Au", "a=b", "x-y", "-", "+", "", " =1"]


@pytest.mark.parametrize("cell", HARMFUL)
def test_a_formula_gets_an_apostrophe(cell: str) -> None:
    assert neutral(cell) == "'" + cell


@pytest.mark.parametrize("cell", HARMLESS)
def test_numbers_and_plain_words_are_left_alone(cell: str) -> None:
    assert neutral(cell) == cell


def written(tmp_path: Path, table: pa.Table) -> tuple[str, int]:
    made = write(table.to_reader(), tmp_path / "o.csv", "csv", Limits())
    return (tmp_path / "o.csv").read_bytes().decode(), made.neutralised


def test_a13_formulas_in_a_file_are_neutralised_and_counted(tmp_path: Path) -> None:
    text, times = written(tmp_path, pa.table({"a": HARMFUL + HARMLESS, "=b": range(20)}))
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[0] == ["a", "'=b"]
    assert [row[0] for row in rows[1:]] == ["'" + cell for cell in HARMFUL] + HARMLESS
    assert times == len(HARMFUL)


@given(
    st.lists(
        st.tuples(
            st.none() | st.text(alphabet='ab,;"\n\r =-+@1é', max_size=6),
            st.none() | st.floats(allow_nan=False, allow_infinity=False),
            st.none() | st.integers(-(2**62), 2**62),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_a_csv_reader_gets_back_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str | None, float, int]]
) -> None:
    table = pa.table(
        {
            "t": pa.array([row[0] for row in rows], pa.string()),
            "f": pa.array([row[1] for row in rows], pa.float64()),
            "i": pa.array([row[2] for row in rows], pa.int64()),
        }
    )
    text, _ = written(tmp_path_factory.mktemp("o"), table)
    back = list(csv.reader(io.StringIO(text, newline="")))[1:]
    assert len(back) == len(rows)
    for cells, (word, number, whole) in zip(back, rows, strict=True):
        assert cells[0] == neutral(word or "")
        assert cells[1] == "" if number is None else float(cells[1]) == number
        assert cells[2] == ("" if whole is None else str(whole))


def test_odd_types_are_written_as_text(tmp_path: Path) -> None:
    import datetime as dt
    from decimal import Decimal

    table = pa.table(
        {
            "day": [dt.date(2024, 1, 5)],
            "at": [dt.datetime(2024, 1, 5, 10, 30)],  # noqa: DTZ001 - dates of files have no zone
            "yes": [True],
            "dec": [Decimal("1.50")],
            "inf": [math.inf],
        }
    )
    text, _ = written(tmp_path, table)
    assert text.splitlines()[1].startswith("2024-01-05,2024-01-05 10:30:00")
    assert text.splitlines()[1].split(",")[2:4] == ["true", "1.50"]


def test_one_blank_column_makes_no_empty_lines(tmp_path: Path) -> None:
    text, _ = written(tmp_path, pa.table({"a": pa.array([None, "x", None], pa.string())}))
    assert text == 'a\n""\nx\n""\n'

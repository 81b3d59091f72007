"""What the text of a cell means, over whole columns; every cell falls into one class."""

from __future__ import annotations

import duckdb
import pytest
from filebench import FileBench
from hypothesis import given
from hypothesis import strategies as st

from workbench.tables.cells import CellClass, Grammar
from workbench.tables.profile import layered


def read(cells: list[str | None], grammar: Grammar) -> list[tuple[int, float | None, float | None]]:
    """Return class, number and limit of each cell."""
    with duckdb.connect() as con:
        con.execute("CREATE TABLE raw (c0 VARCHAR)")
        con.executemany("INSERT INTO raw VALUES (?)", [[cell] for cell in cells])
        query = f"SELECT k0, v0, l0 FROM {layered('raw', {0: grammar})}"  # noqa: S608 - ours
        return con.execute(query).fetchall()


def classes(cells: list[str | None], **options: object) -> list[str]:
    found = read(cells, Grammar(**options))  # type: ignore[arg-type]
    return [CellClass(kind).name for kind, _, _ in found]


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("5", 5.0), ("-0.5", -0.5), ("+3.", 3.0), (".5", 0.5), ("1e3", 1000.0), ("2.5E-3", 0.0025),
        ("1,250.5", 1250.5), ("1,250,000", 1_250_000.0), ("0", 0.0),
    ],
)  # fmt: skip
def test_numbers_with_a_point(cell: str, value: float) -> None:
    assert read([cell], Grammar())[0][:2] == (CellClass.PLAIN, value)


@pytest.mark.parametrize(
    ("cell", "value"),
    [("5,25", 5.25), (",5", 0.5), ("1.250,5", 1250.5), ("1.250.000", 1_250_000.0), ("7", 7.0)],
)
def test_numbers_with_a_decimal_comma(cell: str, value: float) -> None:
    assert read([cell], Grammar(","))[0][:2] == (CellClass.PLAIN, value)


@pytest.mark.parametrize(
    "cell",
    ["1,250", "1.2.3", "1_000", "0x1F", "inf", "nan2", "1e999", "+-5", "12m", "5.0*", "ten", "5 6"],
)
def test_what_is_no_number_is_rejected_not_guessed(cell: str) -> None:
    assert classes([cell]) == ["REJECTED"]


def test_a_point_where_the_comma_rules_is_not_guessed() -> None:
    assert classes(["1.250", "1.5"], decimal=",") == ["REJECTED", "REJECTED"]


@pytest.mark.parametrize("cell", ["<0.5", "< 0.5", "≤0.5", "<=0.5", "&lt;0.5"])
def test_values_below_a_limit(cell: str) -> None:
    assert read([cell], Grammar()) == [(CellClass.BELOW, None, 0.5)]


@pytest.mark.parametrize("cell", [">10000", "> 10,000.0", "≥10000", "&gt;10000"])
def test_values_above_a_limit(cell: str) -> None:
    assert read([cell], Grammar()) == [(CellClass.ABOVE, None, 10_000.0)]


def test_limits_with_a_decimal_comma() -> None:
    assert read(["< 0,01"], Grammar(",")) == [(CellClass.BELOW, None, 0.01)]


def test_results_below_an_unstated_limit() -> None:
    cells: list[str | None] = ["BDL", "nd", "n.d.", "tr", "<LOD", "<dl", "-"]
    assert classes(cells, results=True) == ["BARE"] * 7


def test_outside_results_a_dash_is_a_gap() -> None:
    assert classes(["-", "ND"]) == ["CODED", "CODED"]


def test_reasons_of_gaps_in_any_case() -> None:
    cells: list[str | None] = ["LNR", "nss", "I/S", "NA", "n.a.", "Pend", "#REF!", "#N/A"]
    assert classes(cells) == ["CODED"] * 8


def test_sentinels_and_negatives_by_the_grammar() -> None:
    cells: list[str | None] = ["-9999", "-9999.0", "-0.5", "3", None]
    assert classes(cells, sentinels=(-9999.0,), negatives_below=True) == [
        "CODED", "CODED", "BELOW", "PLAIN", "BLANK",
    ]  # fmt: skip


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_double_is_read_back_exactly(value: float) -> None:
    assert read([repr(value)], Grammar())[0][:2] == (CellClass.PLAIN, value)


@given(st.lists(st.text(alphabet="0159.,<>-+eE_ nasdLNR/", max_size=7), min_size=1, max_size=20))
def test_every_cell_has_exactly_one_class_and_numbers_are_finite(cells: list[str]) -> None:
    for decimal in (".", ","):
        found = read([cell.strip() or None for cell in cells], Grammar(decimal, results=True))
        assert len(found) == len(cells)
        for kind, value, limit in found:
            assert (value is not None) == (kind == CellClass.PLAIN)
            assert kind not in {CellClass.BELOW, CellClass.ABOVE} or limit is not None


def test_reasons_keep_their_spelling_and_are_counted(bench: FileBench) -> None:
    column = bench.table(
        "id,Au_ppb\n"
        + "".join(f"S{i},{i}\n" for i in range(1, 21))
        + "a,lnr\nb,LNR\nc,N.A.\nd,\ne,<1\n"
    ).column("Au_ppb")
    assert column.missing == {"LNR": 2, "blank": 1, "n.a.": 1}
    assert (column.count, column.below, column.limits) == (20, 1, (1.0,))

"""The expression grammar: what it accepts, what each row comes to, and what it refuses."""

from __future__ import annotations

import math
from collections.abc import Iterator

import duckdb
import pytest

from workbench.errors import Refused
from workbench.tables.expression import KEEP, MISSING, compile_expression
from workbench.tables.table import Column, Table

# Au_ppb: 3, <1, missing (not received), >100, below an unknown limit, 20
_ROWS = """
CREATE TABLE samples AS SELECT * FROM (VALUES
 ('S1', 3.0, NULL, NULL, 50.0, 'Basalt', DATE '2019-05-01', TRUE, 1.0),
 ('S2', 0.5, '<', 1.0, 0.0, 'Dacite', DATE '2020-01-31', FALSE, -2.0),
 ('S3', NULL, 'LNR', NULL, 10.0, 'Basalt', NULL, NULL, 3.0),
 ('S4', 100.0, '>', 100.0, 25.0, NULL, DATE '2021-01-01', TRUE, 4.0),
 ('S5', 0.5, 'bdl', NULL, 5.0, 'Sericite schist', DATE '2019-05-01', TRUE, NULL),
 ('S6', 20.0, NULL, NULL, 100.0, 'O''Brien', DATE '2019-05-02', FALSE, 6.0)
) t("SampleID", "Au_ppb", "Au_ppb__flag", "Au_ppb__limit", "Cu (ppm)", "Lithology", "Date", "Ok",
    "d13C")
"""
TABLE = Table(
    "samples",
    "samples.csv",
    None,
    (
        Column("SampleID", "SampleID", "id", "text", count=6),
        Column(
            "Au_ppb", "Au_ppb", "element", "number", "ppb", "Au", count=2, below=2, above=1, bare=1,
            missing={"LNR": 1}, limits=(1.0,), min=3.0, max=20.0, flagged=True,
        ),
        Column("Cu (ppm)", "Cu (ppm)", "element", "number", "ppm", "Cu", count=6, min=0.0),
        Column("Lithology", "Lithology", "group", "text", count=5, missing={"blank": 1}),
        Column("Date", "Date", "date", "date", count=5),
        Column("Ok", "Ok", "group", "boolean", count=5),
        Column("d13C", "d13C", "number", "number", count=5, min=-2.0),
    ),
    6,
)  # fmt: skip


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect()
    connection.execute(_ROWS)
    yield connection
    connection.close()


def kept(con: duckdb.DuckDBPyConnection, expression: str) -> str:
    """Return one sign a row: y kept, n not, u undecided, m missing."""
    relation = compile_expression(expression, TABLE).relation("samples")
    sql = f'SELECT "{KEEP}", "{MISSING}" FROM {relation} ORDER BY "SampleID"'  # noqa: S608 - the test's own names
    signs = {True: "y", False: "n"}
    return "".join(
        signs.get(keep, "m" if missing else "u") for keep, missing in con.execute(sql).fetchall()
    )


@pytest.mark.parametrize(
    ("expression", "rows"),
    [
        ("Au_ppb < 5", "yymnun"),
        ("Au_ppb < 1", "nymnun"),
        ("Au_ppb < 0.5", "numnun"),
        ("Au_ppb <= 1", "nymnun"),
        ("Au_ppb > 0.5", "yumyuy"),
        ("Au_ppb >= 1", "ynmyuy"),
        ("Au_ppb >= 0", "yymyyy"),
        ("Au_ppb > 100", "nnmyun"),
        ("Au_ppb > 200", "nnmuun"),
        ("Au_ppb < 0", "nnmnnn"),
        ("Au_ppb == 3", "ynmnun"),
        ("Au_ppb != 3", "nymyuy"),
        ("Au_ppb == 0.5", "numnun"),
        ("Au_ppb in [3, 20]", "ynmnuy"),
        ("Au_ppb not in [3, 20]", "nymyun"),
        ("Au_ppb == [3, 20]", "ynmnuy"),
        ("2 < Au_ppb < 30", "ynmnuy"),
        ("Au_ppb.between(3, 20)", "ynmnuy"),
        ("between(Au_ppb, 3, 20, inclusive='neither')", "nnmnun"),
        ("not (Au_ppb > 5)", "yymnun"),
        ("Au_ppb.isna()", "nnynnn"),
        ("notna(Au_ppb)", "yynyyy"),
        ("isbelow(Au_ppb)", "nynnyn"),
        ("isabove(Au_ppb)", "nnnynn"),
        ("Au_ppb__flag == '<'", "nynnnn"),
        ("Au_ppb > 5 or Lithology == 'Basalt'", "ynyyuy"),
        ("Au_ppb > 5 and Lithology == 'Basalt'", "nnmmnn"),
        ("Au_ppb > 5 & Lithology == 'Basalt'", "nnmmnn"),
        ("~(Au_ppb > 5) | SampleID == 'S6'", "yymnuy"),
        ("(Au_ppb > 5) AND NOT Lithology IN ['Basalt']", "nnnmuy"),
    ],
)
def test_a_censored_value_is_compared_as_the_interval_it_is(
    con: duckdb.DuckDBPyConnection, expression: str, rows: str
) -> None:
    assert kept(con, expression) == rows


@pytest.mark.parametrize(
    ("expression", "rows"),
    [
        ("Au_ppb * 1000 < 1000", "nymnun"),
        ("Au_ppb / 1000 < 0.001", "nymnun"),
        ("Au_ppb * -1 > -1", "nymnun"),
        ("-Au_ppb > -1", "nymnun"),
        ("10 - Au_ppb > 9", "nymnun"),
        ("Au_ppb + 1 * `Cu (ppm)` < 1", "nymnnn"),
        ("Au_ppb + 1 * `Cu (ppm)` > 40", "ynmyuy"),
        ("Au_ppb * `Cu (ppm)` > 2400", "nnmyun"),
        ("Au_ppb / `Cu (ppm)` < 1", "yumnuy"),
        ("`Cu (ppm)` / Au_ppb > 1", "yumnuy"),
        ("Au_ppb ** 2 > 8", "yumuuy"),
        ("log10(Au_ppb) < 0", "nymnun"),
        ("sqrt(`Cu (ppm)`) == 5", "nnnynn"),
        ("`Cu (ppm)` // 10 == 2", "nnnynn"),
        ("`Cu (ppm)` % 10 == 5", "nnnyyn"),
        ("abs(d13C) == 2", "nynnmn"),
        ("d13C * d13C == 4", "nynnmn"),
        ("log10(d13C) > 0", "nuyymy"),
        ("`Cu (ppm)` * (2 + 3) == 250", "ynnnnn"),
    ],
)
def test_arithmetic_carries_intervals(
    con: duckdb.DuckDBPyConnection, expression: str, rows: str
) -> None:
    assert kept(con, expression) == rows


@pytest.mark.parametrize(
    ("expression", "rows"),
    [
        ("Lithology == 'Basalt'", "ynymnn"),
        ("Lithology != 'Basalt'", "nynmyy"),
        ("Lithology in ['Basalt', 'Dacite']", "yyymnn"),
        ('Lithology == "O\'Brien"', "nnnmny"),
        ("Lithology.str.contains('schist')", "nnnmyn"),
        ("Lithology.str.contains('SCHIST', case=False)", "nnnmyn"),
        ("contains(Lithology, 'Bas|Dac')", "yyymnn"),
        ("startswith(Lithology, 'Ser')", "nnnmyn"),
        ("Lithology.endswith('schist', na=False)", "nnnnyn"),
        ("isna(Lithology)", "nnnynn"),
        ("Date >= '2020-01-01'", "nymynn"),
        ("'2019-05-02' == Date", "nnmnny"),
        ("Ok", "ynmyyn"),
        ("not Ok", "nymnny"),
        ("Ok == True", "ynmyyn"),
        ("lithology == 'Basalt'", "ynymnn"),
    ],
)
def test_text_dates_and_switches_compare_with_their_own_kind(
    con: duckdb.DuckDBPyConnection, expression: str, rows: str
) -> None:
    assert kept(con, expression) == rows


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("", "empty"),
        ("Au_ppb > 1 or " * 200 + "Au_ppb > 1", "at most 2,000"),
        ("Au_pbb > 5", "nearest: 'Au_ppb'"),
        ("Lithology > 5", "write the value in quotes"),
        ("Au_ppb == '<1'", "isbelow"),
        ("Date > 2019", "2019-01-31"),
        ("Date > 'last year'", "no date"),
        ("Au_ppb = 5", "written =="),
        ("Au_ppb <> 5", "written !="),
        ("Au_ppb == <1", "not Au_ppb =="),
        ("Au_ppb IS NULL", "isna"),
        ("Au_ppb is None", "use =="),
        ("Au_ppb", "no condition"),
        ("Au_ppb + 1", "no condition"),
        ("Lithology + 1 > 2", "arithmetic needs numbers"),
        ("Au_ppb ** 65 > 1", "power"),
        ("Au_ppb ** `Cu (ppm)` > 1", "power"),
        ("2 ** 64 ** 64 > 1", "power"),
        ("1e400 > Au_ppb", "too large"),
        ("Au_ppb / 0 > 1", "division by 0"),
        ("__import__('os').system('x')", "not known"),
        ("Au_ppb.__class__ == 1", "not known here"),
        ("(lambda: 1)() > 0", "not known here"),
        ("[x for x in Au_ppb] == [1]", "not known here"),
        ("Au_ppb[0] > 1", "not known here"),
        ("@Au_ppb > 1", "cannot be read"),
        ("f'{Au_ppb}' == 'a'", "not known here"),
        ("contains(Lithology, 'B.*t')", "no pattern"),
        ("contains(Au_ppb, '1')", "columns of text"),
        ("between(Au_ppb, 1)", "other arguments"),
        ("eval(Au_ppb)", "the tests are"),
        ("(" * 300 + "Au_ppb > 1" + ")" * 300, ""),
        ("-" * 1500 + "Au_ppb > 1", ""),
        ("Au_ppb in 5", "needs a list"),
        ("Lithology == '\\x00'", "null character"),
    ],
)
def test_what_is_outside_the_grammar_is_refused_in_one_line(expression: str, reason: str) -> None:
    with pytest.raises(Refused) as caught:
        compile_expression(expression, TABLE)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_hundred_nested_products_stay_small_and_quick(con: duckdb.DuckDBPyConnection) -> None:
    expression = "*".join(["Au_ppb"] * 60) + " > 1"
    relation = compile_expression(expression, TABLE).relation("samples")
    assert len(relation) < 100_000
    assert kept(con, expression)[0] == "y"


def test_too_many_steps_are_refused() -> None:
    with pytest.raises(Refused, match="steps"):
        compile_expression("+".join(["Au_ppb"] * 120) + " > 1", TABLE)


def test_quotes_in_values_and_names_stay_values_and_names(
    con: duckdb.DuckDBPyConnection,
) -> None:
    assert kept(con, 'Lithology == "\'; DROP TABLE samples; --"') == "nnnmnn"
    with pytest.raises(Refused, match="not in 'samples'"):
        compile_expression('`"; DROP TABLE samples; --` > 1', TABLE)


def test_letters_outside_ascii_reach_the_header_unchanged() -> None:
    column = Column("Au_µg", "Au_µg", "element", "number", "ug/kg", "Au", count=1)
    table = Table("t", "t.csv", None, (column,), 1)
    assert compile_expression("Au_µg > 1", table).columns == (column,)


def test_literals_are_told_for_hints_on_spelling() -> None:
    found = compile_expression("Lithology == 'basalt' and Au_ppb > 1", TABLE)
    assert found.literals == (("Lithology", "basalt"),)


def test_the_interval_rules_agree_with_sampling_every_value() -> None:
    """Sample values inside each interval: a decided comparison must hold for all of them."""
    con = duckdb.connect()
    con.execute(
        "CREATE TABLE t AS SELECT * FROM (VALUES (3.0, NULL, NULL, 4.0), (1.0, '<', 2.0, 0.5), "
        "(9.0, '>', 9.0, 2.0), (0.0, NULL, NULL, -1.0), (0.1, '<', 0.2, 7.0)) "
        't("a", "a__flag", "a__limit", "b")'
    )
    a = Column("a", "a", "element", "number", count=2, below=2, above=1, min=0.0, flagged=True)
    b = Column("b", "b", "number", "number", count=5, min=-1.0)
    table = Table("t", "t.csv", None, (a, b), 5)
    values = [[3.0], [0, 0.3, 1, 1.999], [9.001, 50, 1e9], [0.0], [0, 0.05, 0.1999]]
    others = [4.0, 0.5, 2.0, -1.0, 7.0]
    for formula in ("a+b", "a-b", "a*b", "b-a", "a/b", "a*a", "a*2", "a/4", "b*a+a"):
        for sign in ("<", "<=", ">", ">=", "==", "!="):
            for bound in (-3, 0, 0.1, 0.5, 1, 2, 3.5, 4, 9, 18, 20):
                relation = compile_expression(f"{formula} {sign} {bound}", table).relation("t")
                found = con.execute(f'SELECT "{KEEP}" FROM {relation}').fetchall()  # noqa: S608 - the test's own names
                for (keep,), inside, other in zip(found, values, others, strict=True):
                    if keep is not None:
                        for value in inside:
                            it = eval(formula, {}, {"a": value, "b": other})  # noqa: S307 - formulas of this test
                            assert eval(f"{it!r} {sign} {bound}") is keep or math.isinf(it)  # noqa: S307 - formulas of this test
    con.close()

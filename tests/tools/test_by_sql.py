"""Facts of a call are computed once more from the table, by SQL of its own."""

from __future__ import annotations

import numpy as np
import pytest
from toolbench import Bench

from workbench.sources.claims import Claim
from workbench.tools import by_sql

GEOCHEM = "meridian_ridge_geochem.csv"


def found(bench: Bench, fact: tuple[str, ...], **arguments: str) -> dict[str, object]:
    context = bench.context
    told = by_sql.of_call(context, {"path": GEOCHEM, **arguments}, fact)
    return {basis: number for number, basis in told}


def test_statistics_of_a_column_come_over_each_basis(ridge: Bench) -> None:
    table = ridge.read(ridge.facts("sql", query="SELECT * FROM meridian_ridge_geochem")["output"])
    values = table["Au_ppb"].dropna().to_numpy()
    plain = table.loc[table["Au_ppb__flag"].isna(), "Au_ppb"].dropna().to_numpy()
    for fact, of in ((("Au_ppb", "median"), 50), (("percentiles", "Au_ppb", "90"), 90)):
        numbers = list(found(ridge, fact).values())
        assert numbers == pytest.approx([np.percentile(plain, of), np.percentile(values, of)])


def test_rows_that_meet_a_condition_are_counted_and_taken_as_a_share(ridge: Bench) -> None:
    told = ridge.facts("filter_rows", path=GEOCHEM, expression="As_ppm > 100")
    for fact in ("rows_in", "rows_out", "share"):
        (number,) = found(ridge, (fact,), expression="As_ppm > 100").values()
        assert number == pytest.approx(told[fact], rel=1e-5)


def test_a_group_is_counted_by_its_name(ridge: Bench) -> None:
    told = ridge.facts("anomaly", path=GEOCHEM, column="As_ppm", by="Lithology")
    (number,) = found(ridge, ("group Basalt", "n"), column="As_ppm", by="Lithology").values()
    assert number == told["group Basalt"]["n"]


def test_what_is_no_statistic_of_the_table_is_left_to_the_call(ridge: Bench) -> None:
    assert found(ridge, ("silhouette",)) == {}
    assert found(ridge, ("group Basalt", "threshold"), column="As_ppm", by="Lithology") == {}
    assert found(ridge, ("rows",), path="gone.csv") == {}


def test_the_other_way_is_told_where_it_finds_the_number_and_where_it_finds_another() -> None:
    claim = Claim("d01.1", value="12.3").judged([(12.3456, "the call made again")])
    assert claim.backed([(9.0, "SQL, a"), (12.3456, "SQL, b")]).basis == (
        "the call made again; also SQL, b"
    )
    assert claim.backed([(12.4, "SQL, a"), (9, "SQL, b")]).basis == (
        "the call made again; otherwise 12.4 by SQL, a, 9 by SQL, b"
    )
    assert claim.backed([]) == claim

"""Filters, log-ratios and SQL: what comes out, what is left out, what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from toolbench import Bench

from workbench.errors import LimitReached, Refused
from workbench.limits import Limits

GEOCHEM = "meridian_ridge_geochem.csv"


@pytest.fixture
def raw(sample_data: Path) -> pd.DataFrame:
    return pd.read_csv(sample_data / GEOCHEM, keep_default_na=False, dtype=str)


def test_a_filter_keeps_whole_rows_and_counts_the_rest(ridge: Bench, raw: pd.DataFrame) -> None:
    expression = 'Au_ppb < 5 and Lithology in ["Basalt", "Dolerite"]'
    facts = ridge.facts("filter_rows", path=GEOCHEM, expression=expression)
    number = pd.to_numeric(raw["Au_ppb"].str.removeprefix("<"), errors="coerce")
    rock = raw["Lithology"].isin(["Basalt", "Dolerite"])
    truth = raw[(number < 5) & rock]
    table = ridge.read(facts["output"])
    assert table["SampleID"].tolist() == truth["SampleID"].tolist()
    assert (facts["rows_out"], facts["rows_dropped"]) == (len(truth), 240 - len(truth))
    assert (facts["undecided"], facts["missing"]) == (0, int((number.isna() & rock).sum()))


def test_the_next_filter_does_not_replace_the_first(ridge: Bench) -> None:
    first = ridge.facts("filter_rows", path=GEOCHEM, expression="Au_ppb > 20")
    before = (ridge.run / first["output"].rpartition("/")[2]).read_bytes()
    second = ridge.facts("filter_rows", path=GEOCHEM, expression="Au_ppb > 50")
    assert second["output"] != first["output"]
    assert (ridge.run / first["output"].rpartition("/")[2]).read_bytes() == before


def test_a_filter_of_a_filter_knows_what_is_below_detection(ridge: Bench) -> None:
    first = ridge.facts("filter_rows", path=GEOCHEM, expression='Lithology == "Dacite"')
    second = ridge.facts("filter_rows", path=first["output"], expression="isbelow(Au_ppb)")
    assert second["rows_out"] == first["censored"].get("Au_ppb", {}).get(
        "below", second["rows_out"]
    )
    table = ridge.read(second["output"])
    assert set(table["Au_ppb__flag"]) == {"<"}
    assert set(table["Au_ppb__limit"]) == {1}


def test_a_filter_that_keeps_nothing_writes_an_empty_table(ridge: Bench) -> None:
    facts = ridge.facts("filter_rows", path=GEOCHEM, expression="Au_ppb > 1e9")
    assert facts["rows_out"] == 0
    assert len(ridge.read(facts["output"])) == 0


def test_a_cell_that_a_spreadsheet_would_run_is_made_harmless(bench: Bench) -> None:
    bench.write("a.csv", "SampleID,Note,Cu_ppm\nS1,\"=cmd|'/C calc'!A0\",5\nS2,-fine,6\n")
    facts = bench.facts("filter_rows", path="a.csv", expression="Cu_ppm > 1")
    text = (bench.run / facts["output"].rpartition("/")[2]).read_text()
    assert "'=cmd" in text
    assert "\n=cmd" not in text
    assert ",=cmd" not in text


def test_log_ratios_agree_with_the_formula_in_one_unit(ridge: Bench, raw: pd.DataFrame) -> None:
    names = ["Cu_ppm", "Zn_ppm", "Fe_pct"]
    facts = ridge.facts("log_ratio", path=GEOCHEM, columns=names)
    parts = raw[names].apply(pd.to_numeric, errors="coerce")
    whole = parts.dropna() * [1, 1, 10_000]
    ratios = np.log(whole).sub(np.log(whole).mean(axis=1), axis=0)
    table = ridge.read(facts["output"])
    for name in names:
        assert table[f"clr_{name}"].to_numpy() == pytest.approx(ratios[name].to_numpy(), abs=1e-9)
    assert {"SampleID", "Easting", "Northing", "Lithology"} <= set(table.columns)
    assert (facts["rows_out"], facts["unit"]) == (len(whole), "ppm")
    assert facts["dropped"] == {"Cu_ppm missing": 240 - len(whole)}
    assert facts["imputed"] == {}


def test_parts_below_detection_are_refused_unless_asked(ridge: Bench) -> None:
    with pytest.raises(Refused, match=r"Au_ppb 37.*half_limit or multiplicative"):
        ridge.call("log_ratio", path=GEOCHEM, columns=["Au_ppb", "Cu_ppm"])


@pytest.mark.parametrize("impute", ["half_limit", "multiplicative"])
def test_filled_parts_are_counted_and_finite(ridge: Bench, raw: pd.DataFrame, impute: str) -> None:
    names = ["Au_ppb", "Cu_ppm", "Bi_ppm"]
    facts = ridge.facts("log_ratio", path=GEOCHEM, columns=names, impute=impute)
    table = ridge.read(facts["output"])
    ratios = table[[f"clr_{name}" for name in names]]
    assert np.isfinite(ratios.to_numpy()).all()
    assert ratios.sum(axis=1).abs().max() < 1e-9
    used = raw[raw["SampleID"].isin(table["SampleID"])]
    assert facts["imputed"] == {
        name: int(used[name].str.startswith("<").sum()) for name in ("Au_ppb", "Bi_ppm")
    }
    share = 0.5 if impute == "half_limit" else 0.65
    row = table[table["SampleID"] == used[used["Au_ppb"] == "<1"]["SampleID"].iloc[0]].iloc[0]
    copper = float(raw.set_index("SampleID").loc[row["SampleID"], "Cu_ppm"])
    gold = share * 0.001
    found = row["clr_Au_ppb"] - row["clr_Cu_ppm"]
    assert found == pytest.approx(np.log(gold / copper), abs=0.02)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ("0,5", "below an unstated limit"),  # a zero of a trace is a bare non-detect
        ("-5,5", "not above 0"),
        ("bdl,5", "below an unstated limit"),
    ],
)
@pytest.mark.parametrize("impute", ["refuse", "half_limit", "multiplicative", "lognormal"])
def test_rows_that_no_log_ratio_exists_of_are_left_out_and_counted(
    bench: Bench, cells: str, reason: str, impute: str
) -> None:
    rows = "\n".join(f"S{n},{n + 1.5},{n + 2.5}" for n in range(30))
    bench.write("a.csv", f"SampleID,Cu_ppm,Zn_ppm\n{rows}\nX,{cells}\n")
    options = {"columns": ["Cu_ppm", "Zn_ppm"], "impute": impute}
    reply = bench.call("log_ratio", path="a.csv", **options)
    assert (reply.facts["rows_out"], reply.facts["dropped"]) == (30, {f"Cu_ppm {reason}": 1})
    assert f"1 rows {reason} are left out" in reply.notes[0]
    table = bench.read(reply.facts["output"]).set_index("SampleID")
    assert table.loc["S3", "clr_Cu_ppm"] == pytest.approx(np.log(4.5 / 5.5) / 2)


def test_a_zero_counts_as_below_where_a_limit_is_known(bench: Bench) -> None:
    rows = "\n".join(f"S{n},{n + 1.5},{n + 2.5}" for n in range(30))
    bench.write("a.csv", f"SampleID,Cu_ppm,Zn_ppm\n{rows}\nX,0,5\nY,<1,5\n")
    names = ["Cu_ppm", "Zn_ppm"]
    facts = bench.facts("log_ratio", path="a.csv", columns=names, impute="half_limit")
    assert facts["imputed"] == {"Cu_ppm": 2}
    table = bench.read(facts["output"]).set_index("SampleID")
    assert table.loc["X", "clr_Cu_ppm"] == pytest.approx(table.loc["Y", "clr_Cu_ppm"])
    filled = table["clr_Cu_ppm__imputed"].astype(str).str.casefold() == "true"
    assert sorted(filled.index[filled]) == ["X", "Y"]
    assert "clr_Zn_ppm__imputed" not in table


def test_a_bare_value_has_the_largest_lower_limit_of_its_column(bench: Bench) -> None:
    rows = "\n".join(f"S{n},{n + 3.5},{n + 2.5}" for n in range(30))
    bench.write("a.csv", f"SampleID,Cu_ppm,Zn_ppm\n{rows}\nX,bdl,5\nY,<1,5\nZ,>900,5\nW,<3,5\n")
    facts = bench.facts(
        "log_ratio", path="a.csv", columns=["Cu_ppm", "Zn_ppm"], impute="half_limit"
    )
    assert facts["rows_out"] == 34
    table = bench.read(facts["output"]).set_index("SampleID")
    assert table.loc["X", "clr_Cu_ppm"] == pytest.approx(math.log(1.5) - math.log(1.5 * 5) / 2)


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        (["Cu_ppm"], "at least 2 of its columns"),
        (["Cu_ppm", "Lithology"], "holds text"),
        (["Cu_ppm", "Depth_m"], "length"),
        (["Cu_ppm", "Easting"], "states none for Easting"),
    ],
)
def test_log_ratios_of_unlike_things_are_refused(
    ridge: Bench, columns: list[str], reason: str
) -> None:
    with pytest.raises(Refused, match=reason):
        ridge.call("log_ratio", path=GEOCHEM, columns=columns, impute="half_limit")


def test_a_query_gives_its_rows_to_disk_and_the_first_back(ridge: Bench, raw: pd.DataFrame) -> None:
    reply = ridge.call(
        "sql",
        query=(
            "SELECT SampleID, Cu_ppm FROM meridian_ridge_geochem WHERE Cu_ppm > 50 "
            "ORDER BY Cu_ppm DESC"
        ),
    )
    copper = pd.to_numeric(raw["Cu_ppm"], errors="coerce")
    assert reply.facts["rows_out"] == (copper > 50).sum()
    table = ridge.read(reply.facts["output"])
    assert table["Cu_ppm"].tolist() == sorted(copper[copper > 50], reverse=True)
    assert [list(row) for row in reply.previews[0].rows[:20]] == table.head(20).to_numpy().tolist()
    assert reply.facts["views"] == {"meridian_ridge_geochem": GEOCHEM}


def test_a_query_says_which_censored_columns_it_used(ridge: Bench) -> None:
    facts = ridge.facts("sql", query="SELECT avg(Au_ppb), avg(Cu_ppm) FROM meridian_ridge_geochem")
    assert facts["censored"] == {"Au_ppb": {"below": 37, "above": 0}}
    assert "half the limit" in facts["policy"]


def test_a_query_joins_files_by_their_views(ridge: Bench) -> None:
    facts = ridge.facts(
        "sql",
        query=(
            "SELECT c.HoleID, count(*) AS n FROM meridian_ridge_collar c "
            "JOIN meridian_ridge_assay a USING (HoleID) GROUP BY ALL ORDER BY ALL"
        ),
    )
    table = ridge.read(facts["output"])
    assert (len(table), table["n"].sum()) == (12, 1005)
    assert len(facts["views"]) == 2


def test_a_query_can_use_a_result_of_the_run(ridge: Bench) -> None:
    made = ridge.facts("filter_rows", path=GEOCHEM, expression="Au_ppb > 20")
    facts = ridge.facts("sql", query="SELECT count(*) AS n FROM meridian_ridge_geochem_filtered")
    assert ridge.read(facts["output"])["n"].tolist() == [made["rows_out"]]


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("", "empty"),
        ("SELECT 1", "names no view"),
        ("SELECT * FROM meridian_ridge_geochem; SELECT 1", "statements"),
        ("DELETE FROM meridian_ridge_geochem", "only SELECT"),
        ("COPY meridian_ridge_geochem TO 'x.csv'", "only SELECT"),
        ("SELECT * FROM read_csv('meridian_ridge_geochem.csv')", "closed"),
        ("SELECT Gold FROM meridian_ridge_geochem", "Gold"),
        ("SELEC * FROM meridian_ridge_geochem", "query"),
        ("SELECT * FROM query('SELECT 1'), meridian_ridge_geochem", "closed"),
    ],
)
def test_what_is_no_single_select_over_views_is_refused(
    ridge: Bench, query: str, reason: str
) -> None:
    with pytest.raises(Refused, match=reason) as caught:
        ridge.call("sql", query=query)
    assert "\n" not in str(caught.value)
    assert str(ridge.run) not in str(caught.value)


def test_a_query_without_end_is_interrupted_and_the_next_one_runs(
    make_bench: Callable[..., Bench], sample_data: Path
) -> None:
    bench = make_bench(limits=Limits().changed({"query_seconds": 2}))
    (bench.data / GEOCHEM).write_bytes((sample_data / GEOCHEM).read_bytes())
    joined = ", ".join(f"meridian_ridge_geochem t{n}" for n in range(6))
    with pytest.raises(LimitReached, match="interrupted"):
        bench.call("sql", query=f"SELECT count(*) FROM {joined} WHERE t0.Cu_ppm > t5.Zn_ppm")  # noqa: S608
    assert bench.facts("sql", query="SELECT count(*) FROM meridian_ridge_geochem")["rows_out"] == 1
    assert not [place for place in bench.run.glob("*.part") if place.is_file()]


@pytest.mark.parametrize(
    ("select", "told", "noted"),
    [
        ("*", True, False),
        ("Au_ppb", True, True),
        ("Au_ppb, Au_ppb__flag", True, False),
        ("count(*) AS n", False, False),
    ],
)
def test_censored_columns_of_a_query_are_told(
    ridge: Bench, select: str, *, told: bool, noted: bool
) -> None:
    query = f"SELECT {select} FROM meridian_ridge_geochem"  # noqa: S608 - a constant
    reply = ridge.call("sql", query=query)
    assert ("Au_ppb" in reply.facts["censored"]) is told
    assert any("Au_ppb__flag" in note for note in reply.notes) is noted

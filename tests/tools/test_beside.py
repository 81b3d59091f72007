"""What docs/beside.md claims, each claim by a test of its name.

Most of these were seen to go wrong elsewhere; none is about who did it.
"""

from __future__ import annotations

import sys

import pytest
from toolbench import Bench

from workbench import docs_beside
from workbench.errors import Refused

SOILS = "SampleID,Easting,Northing,Rock,Au_ppm,Cu_ppm\n" + "".join(
    f"S{n},{1000 + n},{2000 + n % 7},{'Basalt' if n % 3 else 'Shale'},"
    f"{'<0.005' if n < 8 else 0.01 + n / 100},{'' if n == 20 else 50 + n}\n"
    for n in range(40)
)


@pytest.fixture
def soils(bench: Bench) -> str:
    return bench.write("soils.csv", SOILS)


def test_every_claim_of_the_table_has_its_test() -> None:
    here = vars(sys.modules[__name__])
    claimed = {row.test for row in docs_beside.ROWS if row.test}
    assert {name for name in claimed if f"test_{name}" not in here} == set()
    assert all(row.test for row in docs_beside.ROWS if row.differs and "yet" not in row.differs)
    assert len({row.name for row in docs_beside.ROWS}) == 45


def test_a_listing_names_what_each_table_is(bench: Bench, soils: str) -> None:
    bench.write("collar.csv", "HoleID,East,North,EOH\nH1,1,2,100\nH2,2,3,90\n")
    rows = bench.read(bench.facts("list_files", contents=True)["output"]).set_index("file")
    assert rows.loc[soils, "kind"] == "samples with places"
    assert rows.loc["collar.csv", "kind"] == "collar of drillholes"


def test_one_non_detect_makes_no_column_text(bench: Bench, soils: str) -> None:
    column = bench.facts("describe_table", path=soils)["column Au_ppm"]
    assert (column["n"], column["below"], column["role"]) == (32, 8, "element")
    kept = bench.facts("filter_rows", path=soils, expression="Au_ppm > 0.1")
    assert kept["rows_out"] == sum(0.01 + n / 100 > 0.1 for n in range(8, 40))


def test_names_that_differ_in_case_are_kept_apart(bench: Bench) -> None:
    bench.write("c.csv", "id,Au,AU\na,1,10\nb,2,20\nc,3,30\n")
    names = [name for name in bench.facts("describe_table", path="c.csv") if "column" in name]
    found = [
        bench.facts("describe_table", path="c.csv", columns=[name.removeprefix("column ")])[name]
        for name in names
        if name.casefold().startswith("column au")
    ]
    assert [one["max"] for one in found] == [3, 30]


def test_below_detection_is_not_missing(bench: Bench, soils: str) -> None:
    facts = bench.facts("check_missing", path=soils)
    assert facts["columns_with_missing"] == 1
    assert facts["missing Cu_ppm"]["n"] == 1
    assert facts["censored"] == {"Au_ppm": {"below": 8, "above": 0}}


@pytest.mark.parametrize("n", [-990_000, -5, 0])
def test_odd_numbers_of_rows_are_refused(bench: Bench, soils: str, n: int) -> None:
    with pytest.raises(Refused, match="whole number from 1"):
        bench.call("query_data", path=soils, operation="head", n=n)


def test_places_do_not_go_without_their_grid(bench: Bench, soils: str) -> None:
    with pytest.raises(Refused, match="give crs"):
        bench.call("export_table", path=soils, format="geojson")


@pytest.mark.parametrize("method", ["minmax", "standard", "robust"])
def test_gaps_are_not_filled_by_scaling(bench: Bench, soils: str, method: str) -> None:
    made = bench.facts("scale_columns", path=soils, columns=["Cu_ppm"], method=method)
    table = bench.read(made["output"])
    scaled = [name for name in table.columns if name.startswith("Cu_ppm_")]
    assert table.loc[20, scaled].isna().all()
    assert table.loc[21:, scaled].notna().all().all()


@pytest.mark.parametrize(
    ("tool", "option"),
    [("scale_columns", {"method": "log3"}), ("smooth", {"method": "wavelet", "window": 3})],
)
def test_an_unknown_option_is_refused_by_name(
    bench: Bench, soils: str, tool: str, option: dict[str, object]
) -> None:
    with pytest.raises(Refused, match="is none of"):
        bench.call(tool, path=soils, columns=["Cu_ppm"], **option)


def test_two_values_for_one_cell_are_refused(bench: Bench) -> None:
    bench.write("l.csv", "id,analyte,value\na,Au,1\na,Au,2\nb,Au,3\n")
    with pytest.raises(Refused, match="more than one value"):
        bench.call(
            *("reshape",), path="l.csv", how="wide", keys=["id"], names="analyte", values=["value"]
        )


def test_a_join_that_multiplies_rows_is_refused(bench: Bench, soils: str) -> None:
    bench.write("r.csv", "SampleID,Lab\nS1,a\nS1,b\n")
    with pytest.raises(Refused, match="multiplied"):
        bench.call("merge", path=soils, right_path="r.csv", on=["SampleID"])
    bench.write("g.csv", "SampleID,Lab\ns1,a\n S2,b\nX,c\n")
    told = bench.facts("merge", path=soils, right_path="g.csv", on=["SampleID"])
    assert (told["matched"], told["left_only"], told["right_only"]) == (2, 38, 1)


def test_a_second_result_never_replaces_the_first(bench: Bench, soils: str) -> None:
    first = bench.facts("filter_rows", path=soils, expression="Cu_ppm > 60")["output"]
    second = bench.facts("filter_rows", path=soils, expression="Cu_ppm > 80")["output"]
    assert first != second
    assert len(bench.read(first)) > len(bench.read(second))


def test_what_another_kind_would_lose_is_said(bench: Bench) -> None:
    bench.write("k.csv", "id,Note\n" + "".join(f"s{n},{'far' if n > 5 else n}\n" for n in range(9)))
    told = bench.facts("clean_values", path="k.csv", fix="kind", columns=["Note"], to="number")
    assert (told["column Note"]["lost"], told["column Note"]["converted"]) == (3, 6)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM read_csv('/etc/passwd'), soils",
        "COPY soils TO '/tmp/x.csv'",
        "SELECT count(*) FROM '/etc/passwd', soils",
    ],
)
def test_no_expression_opens_a_file(bench: Bench, soils: str, query: str) -> None:
    with pytest.raises(Refused):
        bench.call("sql", query=query, paths=[soils])


def test_a_name_may_hold_a_slash(bench: Bench) -> None:
    body = "".join(f"s{n},{n + 1},{2 * n + 2}\n" for n in range(6))
    bench.write("s.csv", "id,Cu ppm 4A/OES,Zn ppm 4A/OES\n" + body)
    made = bench.facts("sql", query='SELECT "Cu ppm 4A/OES" / "Zn ppm 4A/OES" AS r FROM s')
    assert bench.read(made["output"])["r"].tolist() == [0.5] * 6


def test_the_smallest_value_of_a_group_can_be_asked_for(bench: Bench, soils: str) -> None:
    made = bench.facts("sql", query="SELECT Rock, min(Cu_ppm) AS low FROM soils GROUP BY 1")
    assert bench.read(made["output"]).set_index("Rock")["low"].to_dict() == {
        "Shale": 50,
        "Basalt": 51,
    }


def test_a_constant_column_has_no_threshold(bench: Bench) -> None:
    bench.write("f.csv", "id,As_ppm\n" + "".join(f"s{n},7\n" for n in range(30)))
    reply = bench.call("anomaly", path="f.csv", column="As_ppm", method="mad")
    assert reply.facts["flagged"] is None
    assert any("no threshold" in note for note in reply.notes)


def test_a_non_detect_is_never_a_top_target(bench: Bench, soils: str) -> None:
    query = "SELECT SampleID, Au_ppm FROM soils ORDER BY Au_ppm DESC LIMIT 10"
    top = bench.read(bench.facts("sql", query=query)["output"])
    assert top["SampleID"].tolist() == [f"S{n}" for n in range(39, 29, -1)]


def test_rows_left_out_of_groups_are_counted(bench: Bench, soils: str) -> None:
    told = bench.facts("cluster", path=soils, columns=["Au_ppm", "Cu_ppm"], k=2)
    assert (told["rows_in"], told["rows_used"], told["rows_dropped"]) == (40, 39, 1)


def test_shares_of_components_come_back(bench: Bench, soils: str) -> None:
    told = bench.facts("pca", path=soils, columns=["Au_ppm", "Cu_ppm"], transform="log")
    assert any("share" in key or "explained" in key for key in told)


def test_an_empty_table_is_no_figure(bench: Bench) -> None:
    bench.write("e.csv", "SampleID,Au_ppm\n")
    with pytest.raises(Refused):
        bench.call("plot_histogram", path="e.csv", column="Au_ppm")


def test_a_map_may_be_coloured_by_groups(bench: Bench, soils: str) -> None:
    assert bench.call("plot_map", path=soils, color="Rock").made


def test_a_result_says_which_call_made_it(bench: Bench, soils: str) -> None:
    made = bench.call("filter_rows", path=soils, expression="Cu_ppm > 60").made[0]
    assert made.made_by["tool"] == "filter_rows"
    assert made.made_by["parameters"]["expression"] == "Cu_ppm > 60"
    assert set(made.made_by["inputs"]) == {soils}


def test_columns_are_told_by_more_than_their_letters(bench: Bench) -> None:
    bench.write("y.csv", "SAMPLE_ID,EASTING,NORTHING,Y_ppm,La_ppm,SiO2_pct,Au g/t\n" + "".join(
        f"R{n},{400_000 + n},{6_500_000 + n},{20 + n},{30 + n},{50 + n / 10},0.{n + 1}\n"
        for n in range(9)
    ))  # fmt: skip
    told = bench.facts("describe_table", path="y.csv")
    roles = {name.removeprefix("column "): one["role"] for name, one in told.items()
             if name.startswith("column ")}  # fmt: skip
    assert roles == {
        "SAMPLE_ID": "id",
        "EASTING": "easting",
        "NORTHING": "northing",
        "Y_ppm": "element",
        "La_ppm": "element",
        "SiO2_pct": "oxide",
        "Au g/t": "element",
    }


def test_a_hundred_faulty_columns_are_one_short_answer(bench: Bench) -> None:
    names = ",".join(f"Cu{n}_ppm" for n in range(100))
    bench.write("w.csv", names + "\n" + (",".join(["-5"] * 100) + "\n") * 9)
    assert len(str(bench.call("detect_issues", path="w.csv").facts)) < 4_000


def test_a_decimal_sign_that_is_named_is_taken(bench: Bench) -> None:
    bench.write("d.csv", 'id,Shift\na,"-1,250"\nb,"2,500"\n')
    made = bench.facts(
        "clean_values", path="d.csv", fix="decimals", columns=["Shift"], decimal=",", apply=True
    )
    assert bench.read(made["output"])["Shift"].tolist() == [-1.25, 2.5]


def test_one_malformed_cell_spoils_no_other(bench: Bench) -> None:
    cells = ["<5..2", "<5", "N.D.", "LLD", "<DL", "<1e-3", ">1000", *map(str, range(10, 40))]
    bench.write("p.csv", "id,As_ppm\n" + "".join(f"s{n},{c}\n" for n, c in enumerate(cells)))
    column = bench.facts("describe_table", path="p.csv")["column As_ppm"]
    assert (column["n"], column["below"], column["above"], column["rejected"]) == (30, 5, 1, 1)
    made = bench.facts("filter_rows", path="p.csv", expression="As_ppm < 10")["output"]
    assert {"As_ppm__flag", "As_ppm__limit"} <= set(bench.read(made).columns)


def test_duplicates_of_quality_control_are_kept(bench: Bench) -> None:
    body = "".join(f"S{n},ORIG,{n}\n" for n in range(9)) + "S1,DUP,1\nSTD1,STD,5\nSTD1,STD,5\n"
    bench.write("q.csv", "SampleID,SampleType,Cu_ppm\n" + body)
    told = bench.facts("find_duplicates", path="q.csv")
    assert (told["repeated_keys"], told["exact_repeats"]) == (0, 0)


def test_what_a_mapping_does_not_name_is_left(bench: Bench) -> None:
    bench.write("t.csv", "id,Rock\na,Basalt\nb,bslt\nc,Grey  Shale\n")
    bench.write("m.csv", "from,to\nbslt,Basalt\n")
    made = bench.facts(
        "clean_values", path="t.csv", fix="terms", columns=["Rock"], mapping="m.csv", apply=True
    )
    assert bench.read(made["output"])["Rock"].tolist() == ["Basalt", "Basalt", "Grey  Shale"]


def test_one_bad_claim_spoils_no_other(bench: Bench, soils: str) -> None:
    claims = [
        {"value": "high", "statistic": "mean", "column": "Cu_ppm"},
        {"value": 89, "statistic": "max", "column": "Cu_ppm"},
        {"value": 1e9, "statistic": "max", "column": "Cu_ppm"},
    ]
    told = bench.facts("verify_claims", path=soils, claims=claims)
    assert (told["verified"], told["failed"], told["errors"]) == (1, 1, 1)
    with pytest.raises(Refused, match="tolerance"):
        bench.call("verify_claims", path=soils, claims=claims, tolerance=1e9)

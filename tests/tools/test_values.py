"""Values put right: proposed first, applied on a second call, what has no one reading left."""

from __future__ import annotations

import pytest
from toolbench import Bench

from workbench.errors import Refused

TABLE = """SampleID,Au_ppm,Cu_ppm,Lith,Note
s1,"0,52","1,250",Basalt,5
s2,"1,2",300,basalt,x9
s3,0.9,"2,100",BASALT,7
s4,"<0,5","3,400",Basalt,8.5
s5,n.d.,12,Dolerite,9
"""


@pytest.fixture
def table(bench: Bench) -> str:
    return bench.write("a.csv", TABLE)


def test_nothing_is_written_before_the_analyst_agrees(bench: Bench, table: str) -> None:
    for options in (
        {"fix": "decimals", "columns": ["Au_ppm"]},
        {"fix": "kind", "columns": ["Note"]},
    ):
        reply = bench.call("clean_values", path=table, **options)
        assert not reply.made
        assert "call again with apply true" in " ".join(reply.notes)


def test_commas_become_points_and_limits_are_kept(bench: Bench, table: str) -> None:
    told = bench.facts("clean_values", path=table, fix="decimals", columns=["Au_ppm"])
    column = told["column Au_ppm"]
    assert (column["changed"], column["left_as_they_are"]) == (3, 1)
    assert column["left_such_as"] == ["n.d."]
    made = bench.facts("clean_values", path=table, fix="decimals", columns=["Au_ppm"], apply=True)
    assert made["rows_out"] == 5
    again = bench.facts("describe_table", path=made["output"])["column Au_ppm"]
    assert (again["n"], again["below"], again["max"]) == (3, 2, 1.2)


def test_a_column_that_fits_both_readings_waits_for_a_word(bench: Bench, table: str) -> None:
    told = bench.facts("clean_values", path=table, fix="decimals", columns=["Cu_ppm"])
    assert told["column Cu_ppm"]["either"] == 3
    assert "give decimal" in told["column Cu_ppm"]["proposal"]
    with pytest.raises(Refused, match="give decimal"):
        bench.call("clean_values", path=table, fix="decimals", columns=["Cu_ppm"], apply=True)
    made = bench.facts(
        "clean_values", path=table, fix="decimals", columns=["Cu_ppm"], decimal=".", apply=True
    )
    assert bench.read(made["output"])["Cu_ppm"].tolist() == [1250, 300, 2100, 3400, 12]


def test_terms_are_proposed_as_a_file_and_put_in_place_by_it(bench: Bench, table: str) -> None:
    proposed = bench.facts("clean_values", path=table, fix="terms", columns=["Lith"])
    assert (proposed["words_that_change"], proposed["rows_that_change"]) == (2, 2)
    assert bench.read(proposed["output"])[["from", "to"]].values.tolist() == [
        ["BASALT", "Basalt"],
        ["basalt", "Basalt"],
    ]
    with pytest.raises(Refused, match="agreed to"):
        bench.call("clean_values", path=table, fix="terms", columns=["Lith"], apply=True)
    mapping = proposed["output"]
    made = bench.facts(
        "clean_values", path=table, fix="terms", columns=["Lith"], mapping=mapping, apply=True
    )
    assert (made["rows_changed"], made["words_after"]) == (2, 2)
    written = bench.read(made["output"])
    assert written["Lith"].tolist() == ["Basalt"] * 4 + ["Dolerite"]
    assert written["Lith_as_given"].tolist() == ["Basalt", "basalt", "BASALT", "Basalt", "Dolerite"]


def test_an_edited_mapping_with_two_meanings_is_refused(bench: Bench, table: str) -> None:
    bench.write("m.csv", "from,to\nbasalt,Basalt\nbasalt,Dolerite\n")
    with pytest.raises(Refused, match="two meanings"):
        bench.call(
            "clean_values", path=table, fix="terms", columns=["Lith"], mapping="m.csv", apply=True
        )


def test_another_kind_says_what_is_lost(bench: Bench, table: str) -> None:
    told = bench.facts("clean_values", path=table, fix="kind", columns=["Note"], to="whole")
    column = told["column Note"]
    assert (column["cells"], column["converted"], column["lost"]) == (5, 4, 1)
    assert (column["lost_such_as"], column["rounded"], column["largest_change"]) == (["x9"], 1, 0.5)
    made = bench.facts(
        "clean_values", path=table, fix="kind", columns=["Note"], to="whole", apply=True
    )
    assert bench.read(made["output"])["Note"].dropna().tolist() == [5, 7, 8, 9]
    text = bench.facts(
        "clean_values", path=table, fix="kind", columns=["Au_ppm"], to="text", apply=True
    )
    assert bench.read(text["output"])["Au_ppm"].tolist()[:4] == ["0,52", "1,2", "0.9", "<0,5"]


def test_a_cell_longer_than_any_number_is_refused_shortly(bench: Bench) -> None:
    bench.write("b.csv", "id,Lith\n1," + "x" * 5_000 + "\n2,y\n")
    for fix in ("decimals", "terms", "kind"):
        with pytest.raises(Refused) as refused:
            bench.call("clean_values", path="b.csv", fix=fix, columns=["Lith"])
        assert len(str(refused.value)) < 400

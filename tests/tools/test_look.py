"""Looking at files and tables: counts agree with what was planted, names are bounded."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toolbench import Bench

from workbench import tokens
from workbench.accounting.schema_card import spelt_out
from workbench.context import render
from workbench.errors import Refused
from workbench.limits import Limits

GEOCHEM = "meridian_ridge_geochem.csv"


@pytest.fixture
def truth(sample_data: Path) -> dict[str, Any]:
    known: dict[str, Any] = json.loads((sample_data / "meridian_ridge_truth.json").read_text())
    return known


def test_files_are_listed_with_their_sizes(ridge: Bench) -> None:
    reply = ridge.call("list_files")
    assert reply.facts["files"] == reply.facts["tables"] == 8
    assert reply.previews[0].columns == ("name", "bytes")
    sizes = {row[0]: row[1] for row in reply.previews[0].rows}
    assert sizes[GEOCHEM] == (ridge.data / GEOCHEM).stat().st_size


def test_files_of_one_layout_are_named_as_a_set(bench: Bench) -> None:
    (bench.data / "certs").mkdir()
    for job in range(5):
        order = ("Au_ppb", "As_ppm") if job % 2 else ("As_ppm", "Au_ppb")
        head = ",".join(("id", *order))
        bench.write(f"certs/BV{job}.csv", f"{head}\nS{job}1,1,2\nS{job}2,3,4\n")
    bench.write("certs/notes.csv", "what,who\nblank,lab\n")
    sets = bench.facts("list_files")["sets"]
    assert sets == {"certs/BV*.csv": {"files": 5, "columns": 3, "alike": "5 of 6 looked at"}}
    told = bench.call("describe_table", path="certs/BV*.csv")
    assert (told.facts["table"], told.facts["rows"]) == ("BV", 10)
    assert "5 of 5 files" in told.notes[0]
    counts = bench.facts(
        "query_data", path="certs/BV*.csv", operation="value_counts", columns=["file"]
    )
    assert counts["distinct"] == 5
    made = bench.facts("filter_rows", path="certs/BV*.csv", expression='file == "BV3.csv"')
    assert made["rows_out"] == 2
    assert made["output"] == "results/…/BV_filtered.csv"


def test_a_survey_of_130_columns_is_told_in_a_thousand_tokens(
    make_bench: Callable[..., Bench], real_data: Path
) -> None:
    name = "area4_rockchip_au.csv"
    bench = make_bench()
    shutil.copy(real_data / "gswa-rockchip-au" / name, bench.data / name)
    reply = bench.call("describe_table", path=name)
    shown = render.facts(reply.facts, Limits()).text + "\n".join(reply.notes)
    assert tokens.count(shown) < 1_000
    [traces] = reply.facts["group element ppm"]["in_short"]
    assert len(spelt_out([traces])) == 68
    assert "Ag_ppm" in spelt_out([traces])
    whole = json.loads((bench.run / reply.made[0].path).read_text(encoding="utf-8"))
    assert (len(whole["columns"]), whole["source"]["path"]) == (130, name)
    # Every column is there, by its name or in short.
    groups = [value for key, value in reply.facts.items() if key.startswith("group ")]
    named = [
        name
        for group in groups
        for name in (*spelt_out(group.get("in_short", ())), *group.get("names", ()))
    ]
    assert sorted(named) == sorted(column["name"] for column in whole["columns"])


def test_files_of_different_layouts_are_no_set(ridge: Bench) -> None:
    assert "sets" not in ridge.facts("list_files")


def test_a_pattern_and_a_folder_narrow_the_list(bench: Bench) -> None:
    (bench.data / "maps").mkdir()
    bench.write("maps/a.txt", "text")
    bench.write("b.csv", "a,b\n1,2\n")
    assert bench.facts("list_files", pattern="*.CSV")["files"] == 1
    assert bench.facts("list_files", folder="maps")["other"] == 1
    with pytest.raises(Refused, match="no files there"):
        bench.call("list_files", folder="nowhere")
    with pytest.raises(Refused, match="stay inside"):
        bench.call("list_files", folder="../..")


def test_a_long_list_says_how_many_there_are(bench: Bench) -> None:
    for number in range(520):
        bench.write(f"f{number:04}.txt", "x")
    reply = bench.call("list_files")
    assert reply.facts["files"] == reply.previews[0].total == 520
    assert reply.notes[0].startswith("520 files; only the first 500 are listed")


def test_an_empty_folder_lists_nothing(bench: Bench) -> None:
    reply = bench.call("list_files")
    assert reply.facts["files"] == 0
    assert reply.previews == ()


def test_missing_values_are_counted_by_reason(ridge: Bench, truth: dict[str, Any]) -> None:
    facts = ridge.facts("check_missing", path=GEOCHEM)
    planted = truth["geochem"]["columns"]
    assert facts["columns_with_missing"] == len(planted)
    for name, column in planted.items():
        told = facts[f"missing {name}"]
        assert told["reasons"] == column["missing"]
        assert told["share"] == pytest.approx(sum(column["missing"].values()) / 240, rel=1e-5)
    shares = [value["share"] for key, value in facts.items() if key.startswith("missing ")]
    assert shares == sorted(shares, reverse=True)
    assert facts["censored"]["Au_ppb"] == {"below": 37, "above": 0}


def test_many_columns_with_gaps_go_to_a_file(bench: Bench) -> None:
    header = ",".join(f"Cu{number}_ppm" for number in range(30))
    body = "\n".join(",".join(str(row) for _ in range(30)) for row in range(1, 9))
    bench.write("wide.csv", f"{header}\n{body}\n{',' * 29}\n{',' * 28}3\n")
    facts = bench.facts("check_missing", path="wide.csv")
    if facts["columns_with_missing"] > 20:
        table = bench.read(facts["output"])
        assert len(table) == facts["columns"]
        assert (table["missing"] > 0).sum() == facts["columns_with_missing"]
    assert sum(key.startswith("missing ") for key in facts) <= 20


def test_the_card_of_a_table_agrees_with_what_was_planted(
    ridge: Bench, truth: dict[str, Any]
) -> None:
    facts = ridge.facts("describe_table", path=GEOCHEM)
    assert (facts["rows"], facts["columns"]) == (240, 26)
    assert facts["grid"] == truth["geochem"]["grid"]
    for name, column in truth["geochem"]["columns"].items():
        card = facts[f"column {name}"]
        assert (card["n"], card["unit"]) == (column["count"], column["unit"])
        assert card.get("below", 0) == column["below"]
        assert card.get("above", 0) == column["above"]
        assert card["median"] == pytest.approx(column["median"], rel=1e-5)
    assert facts["column Northing"]["max"] > 6_612_000


def test_the_card_of_a_table_costs_about_a_thousand_tokens(ridge: Bench) -> None:
    facts = ridge.facts("describe_table", path=GEOCHEM)
    lines = [f"{key}: {json.dumps(value)}" for key, value in facts.items()]
    assert tokens.count("\n".join(lines)) < 1_400


def test_a_wide_table_is_described_by_kinds(bench: Bench) -> None:
    words = "Ag As Au Ba Bi Cd Ce Co Cr Cs Cu Ga Hf La Li Mo Nb Nd Ni Pb Rb Sb Sc Sn Sr Th U V W Y"
    symbols = [*words.split(), "Zn", "Zr"]
    rows = "\n".join(",".join(str(row + place / 7) for place in range(32)) for row in range(1, 7))
    bench.write("wide.csv", ",".join(f"{s}_ppm" for s in symbols) + "\n" + rows + "\n")
    facts = bench.facts("describe_table", path="wide.csv")
    assert facts["group element ppm"]["columns"] == 32
    assert not any(key.startswith("column ") for key in facts)
    whole = json.loads((bench.run / facts["full_description"].rpartition("/")[2]).read_text())
    assert [column["name"] for column in whole["columns"]][:2] == ["Ag_ppm", "As_ppm"]
    chosen = bench.facts("describe_table", path="wide.csv", columns=["zn_ppm"])
    assert chosen["column Zn_ppm"]["n"] == 6


def test_a_workbook_of_several_sheets_asks_for_one(ridge: Bench) -> None:
    reply = ridge.call("describe_table", path="meridian_ridge_certificate.xlsx")
    assert reply.facts["sheets"]["Certificate"] == 114
    one = ridge.facts("describe_table", path="meridian_ridge_certificate.xlsx", sheet="certificate")
    assert one["rows"] == 114
    with pytest.raises(Refused, match="nearest: 'Certificate'"):
        ridge.call("describe_table", path="meridian_ridge_certificate.xlsx", sheet="Certficate")


def test_results_so_far_are_listed_without_records(ridge: Bench) -> None:
    ridge.call("filter_rows", path=GEOCHEM, expression="Au_ppb > 20")
    ridge.call("store_text", content="kept")
    (ridge.run / "events.jsonl").write_text("{}\n")
    reply = ridge.call("summarise_artefacts")
    assert [row[0] for row in reply.previews[0].rows] == [
        "results/…/meridian_ridge_geochem_filtered.csv"
    ]


def test_a_description_says_that_its_numbers_leave_out_non_detects(bench: Bench) -> None:
    bench.write("a.csv", "SampleID,Au_ppb,Cu_ppm\nA,<2,3\nB,4,5\n")
    assert "censored left out" in bench.facts("describe_table", path="a.csv")["basis"]
    assert "basis" not in bench.facts("describe_table", path="a.csv", columns=["Cu_ppm"])


def test_a_median_that_lies_among_the_non_detects_is_given_as_their_limit(bench: Bench) -> None:
    rows = "".join(
        f"S{n},{'<0.5' if n < 20 else n},{n + 0.5},{-2 if n < 9 else n}\n" for n in range(30)
    )
    path = bench.write("se.csv", "SampleID,Se_ppm,Cu_ppm,As_ppm\n" + rows)
    reply = bench.call("describe_table", path=path)
    assert reply.facts["column Se_ppm"]["median"] == "<0.5"
    assert reply.facts["column Cu_ppm"]["median"] == 15
    # What changed how numbers are read is the first thing said.
    assert "negative results" in reply.notes[0]


def test_an_inventory_names_kind_rows_samples_and_holes_of_each_table(ridge: Bench) -> None:
    facts = ridge.facts("list_files", contents=True)
    rows = ridge.read(facts["output"]).set_index(["file"])
    assert rows.loc["meridian_ridge_collar.csv", "kind"] == "collar of drillholes"
    assert rows.loc["meridian_ridge_assay.csv", ["rows", "samples", "holes"]].tolist() == [
        *(1005, 1005, 12)
    ]
    assert rows.loc["meridian_ridge_MRD001.las", "kind"] == "well log"
    assert rows.loc["meridian_ridge_geochem.csv", "elements"] == 20
    assert "not read" in set(rows["kind"])
    assert facts["tables"]["samples with places"] == 1


def test_a_table_of_limits_counts_what_is_below_each(bench: Bench) -> None:
    body = "s1,<1,5\ns2,<2,>100\ns3,3,7\ns4,<1,BDL\n"
    path = bench.write("l.csv", "SampleID,Au_ppb,Cu_ppm\n" + body)
    facts = bench.facts("query_data", path=path, operation="limits")
    assert facts["limits Au_ppb"] == {
        "unit": "ppb",
        "n": 4,
        "below": 3,
        "share_below": 0.75,
        "limits": [1, 2],
    }
    assert facts["limits Cu_ppm"]["below_unstated_limit"] == 1
    assert facts["over_half_below"] == 1
    table = bench.read(facts["output"])
    assert table["column"].tolist() == ["Au_ppb", "Cu_ppm"]
    assert table["limits"].tolist() == ["1 2", "100"]

"""Issues of a table: each planted fault is found, ranked, bounded, with a call that can be made."""

from __future__ import annotations

import re

import pytest
from toolbench import Bench

from workbench.tools import registry

HEAD = "SampleID,HoleID,From,To,Easting,Northing,Lithology,Cu_ppm,Zn_ppm,Pb_pct,As_ppm\n"


def _rows() -> list[list[object]]:
    return [
        [
            f"S{n}",
            f"H{n % 3}",
            n,
            n + 1,
            400_000 + n,
            6_000_000 + n,
            "Basalt",
            20 + n,
            50,
            0.5,
            "<5",
        ]
        for n in range(40)
    ]


@pytest.fixture
def faulty(bench: Bench) -> str:
    rows = _rows()
    rows[3][7] = 5_900  # ten times the next and more
    rows[5][9] = 104  # more than the whole
    rows[6][0] = "S5"  # a number twice
    rows[7][3] = 6  # ends before it begins
    rows[8][4:6] = [0, 0]
    rows[9][6] = "basalt"
    rows[10][8] = 0
    rows[11][7] = "12..5"
    rows[12][10] = 8
    body = "\n".join(",".join(map(str, row)) for row in rows)
    return bench.write("f.csv", HEAD + body + "\n")


@pytest.fixture
def found(bench: Bench, faulty: str) -> list[dict[str, object]]:
    facts = bench.facts("detect_issues", path=faulty)
    return [facts[f"issue {n}"] for n in range(1, min(facts["issues"], 12) + 1)]


@pytest.mark.parametrize(
    ("word", "level", "rows", "column"),
    [
        ("highest value 5900", "warning", 1, "Cu_ppm"),
        ("more than the whole", "error", 1, "Pb_pct"),
        ("same key with other values", "error", 1, "SampleID"),
        ("end before they begin", "error", 1, "From"),
        ("at 0, 0", "error", 1, "Easting"),
        ("several spellings", "warning", 1, "Lithology"),
        ("limit that is not stated", "warning", 1, "Zn_ppm"),
        ("texts in number columns", "error", 1, "Cu_ppm"),
        ("over half below detection", "note", 39, "As_ppm"),
    ],
)
def test_a_planted_fault_is_found(
    found: list[dict[str, object]], word: str, level: str, rows: int, column: str
) -> None:
    [issue] = [one for one in found if word in str(one["what"])]
    assert (issue["level"], issue["rows"]) == (level, rows)
    assert column in issue["columns"]  # type: ignore[operator]


def test_the_worst_come_first(found: list[dict[str, object]]) -> None:
    levels = [one["level"] for one in found]
    assert levels == sorted(levels, key=["error", "warning", "note"].index)


def test_each_issue_names_a_call_that_there_is(found: list[dict[str, object]]) -> None:
    for one in found:
        call = re.match(r"(\w+)\((.*)\)", str(one["next"]))
        assert call is not None or str(one["next"]).startswith("set ")
        if call:
            options = re.findall(r"(\w+)=", re.sub(r'"[^"]*"', '""', call[2]))
            assert set(options) <= set(registry.get(call[1]).schema["properties"])


def test_a_sound_table_has_none(ridge: Bench) -> None:
    reply = ridge.call("detect_issues", path="meridian_ridge_geochem.csv")
    assert reply.facts["issues"] == 0
    assert reply.made == ()


def test_majors_that_do_not_sum_are_told(bench: Bench) -> None:
    head = (
        "SampleID,SiO2_pct,TiO2_pct,Al2O3_pct,Fe2O3T_pct,MgO_pct,CaO_pct,Na2O_pct,K2O_pct,LOI_pct\n"
    )
    good = "50,1,15,10,8,10,3,1,2"
    bad = "50,1,15,10,8,10,3,1,9"
    bench.write("m.csv", head + f"a,{good}\nb,{bad}\nc,{good}\n")
    facts = bench.facts("detect_issues", path="m.csv")
    assert "sum outside 95 to 102" in facts["issue 1"]["what"]
    assert facts["issue 1"]["rows"] == 1


def test_two_hundred_faulty_columns_are_one_short_answer(bench: Bench) -> None:
    names = [f"Zn{n}_ppm" for n in range(200)]
    body = "\n".join(",".join(["0"] * 200) for _ in range(30))
    bench.write("w.csv", ",".join(names) + "\n" + body + "\n")
    reply = bench.call("detect_issues", path="w.csv")
    assert len(str(reply.facts)) < 4_000

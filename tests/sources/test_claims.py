"""A claim is read strictly, holds to the digits claimed, and is placed by code alone."""

from __future__ import annotations

import pytest

from workbench.sources import claiming, placing
from workbench.sources.claims import Claim, Found, holds
from workbench.sources.deriving import derived
from workbench.sources.unsourced import unsourced


def claim(**data: object) -> Claim:
    return claiming.read("d01.1", {"path": "a.csv", "statistic": "mean", "column": "Au", **data})


@pytest.mark.parametrize(
    ("value", "found", "same"),
    [
        ("0.12", 0.1249, True),
        ("0.12", 0.126, False),
        ("0.13", 0.125, True),
        ("1,209", 1208.6, True),
        ("1209", 1207.9, False),
        ("1e3", 1400.0, False),
        ("-0.42", -0.4211, True),
        ("−0.42", -0.4211, True),
        ("+0.71", 0.7051, True),
        ("<1", "<1", True),
        ("1", "<1", False),
        ("<1", 1.0, False),
        ("2.8 to 3", "2.8 to 3", True),
        ("2.8 to 3", 2.8, False),
        ("29 %", 28.6, True),
        ("49 ppm", 49.2, True),
        ("5", "five", False),
    ],
)
def test_a_number_holds_to_the_digits_claimed(value: str, found: Found, same: bool) -> None:  # noqa: FBT001 - a table
    assert holds(claim(value=value), found) is same


def test_a_count_holds_exactly() -> None:
    count = claim(statistic="rows", value="240")
    assert [holds(count, found) for found in (240, 240.4, 241)] == [True, False, False]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"value": "many"}, "is not a number"),
        ({"value": "1; DROP TABLE x"}, "is not a number"),
        ({"value": "x" * 10_000}, "is not a number"),
        ({"statistic": "mode"}, "statistic 'mode' is none"),
        ({"statistic": "p101"}, "is none"),
        ({"tolerance": 1e9}, "no key 'tolerance'"),
        ({"filter": "Au > 1 or " * 100}, "at most 400 are read"),
        ({"column": ["Au"]}, "column is not text"),
        ({"path": ""}, "it has no path"),
        ({"group": "Basalt"}, "group is written"),
        ({"fact": ["a"] * 9}, "fact is a name"),
    ],
)
def test_what_is_no_claim_has_failed_with_its_reason(data: dict[str, object], reason: str) -> None:
    read = claim(value="1", **{k: v for k, v in data.items() if k != "value"})
    read = claim(**data) if "value" in data else read
    assert read.status == "failed"
    assert reason in read.reason
    assert len(read.to_json()["value"]) <= 40


def test_a_claim_without_a_value_takes_what_was_found() -> None:
    done = claim().judged([(1234.5678, "plain numbers")])
    assert (done.status, done.value, done.found) == ("verified", "1,235", "1234.57")


def test_the_basis_that_agrees_is_told() -> None:
    done = claim(value="3").judged([(2.0, "plain numbers"), (3.0, "half the limit")])
    assert (done.status, done.basis) == ("verified", "half the limit")


@pytest.mark.parametrize("found", ["canaryrow7", "<script>", True, None, float("nan"), 1e308, []])
def test_what_a_child_sends_that_is_no_number_is_none(found: object) -> None:
    done = claim(value="3").judged([(found, "x")])  # type: ignore[list-item]
    assert done.status == "failed"
    assert done.found == ""


def test_a_claim_survives_its_json() -> None:
    fact = claiming.read("d01.2", {"value": 1, "tool": "anomaly", "fact": ["a", "b"], "of": "c"})
    for one in (claim(value="1", group={"Rock": "Dacite"}), fact.judged([(1, "x")])):
        assert Claim.from_json(one.to_json()) == one


def test_numbers_are_placed_by_id_and_nothing_in_a_token_is_believed() -> None:
    known = {"d01.1": Claim("d01.1", value="49", status="verified")}
    text, marks = placing.placed("median {{claim:d01.1=7,000}} ppm, {{claim:d01.9=3}}", known)
    assert text == "median 49 ppm, {{claim:d01.9=3}}"
    assert [(text[m.start : m.end], m.claim) for m in marks] == [("49", "d01.1")]


def test_a_number_that_failed_says_so_where_it_stands() -> None:
    failed = Claim("d01.1", value="41").failed("computed 49")
    assert placing.placed("{{claim:d01.1}} ppm", {"d01.1": failed})[0] == (
        "41 [check failed: computed 49] ppm"
    )


def bare(text: str, question: str = "") -> list[str]:
    return [text[mark.start : mark.end] for mark in unsourced(text, (), question)]


def test_numbers_without_a_claim_are_found() -> None:
    text = (
        "As median 49.5 ppm (n 1,005), <1 to 2, 29 %, 49ppm, 2.5×, r=-0.42, from 2 to 40 samples."
    )
    assert bare(text) == ["49.5", "1,005", "<1", "2", "29", "49", "2.5", "-0.42", "2", "40"]


@pytest.mark.parametrize(
    "text",
    [
        "MR-0133 and S01 of d01a2, C1, Fe2O3, Au_ppb_2, MRD001.las",
        "results/…/ridge_kmeans_3.csv and a_3.csv",
        "on 2024-05-01 at 12:30, in 2023, since May 2021",
        "1. first\n2) second\n(3) third\n- 4. fourth",
        "group 2 and cluster 3; the 95th percentile, 90th and 95th",
        "`Au_ppb > 100`; seed 42; EPSG:28350; EPSG 28350; MGA zone 50; GDA94",
        "a 3D view, version 1.2.3",
        "Those meet Au_ppm > 0.1 and As >= 20; DENS (sentinel -999.25) and 12 more",
    ],
)
def test_what_needs_no_source_is_not_marked(text: str) -> None:
    assert bare(text) == []


def test_numbers_of_the_question_need_no_source() -> None:
    assert bare("12 samples lie above 100 ppb", "Which are above 100.0 ppb?") == ["12"]


def on(way: str, *parts: str, value: str = "") -> Claim:
    return Claim("d01.9", value=value, statistic=way, parts=parts)


HELD = {
    f"d01.{n}": Claim(f"d01.{n}", found=found, status="verified")
    for n, found in enumerate(("110", "85", "16", "6", "0"), start=1)
}


@pytest.mark.parametrize(
    ("claim", "status"),
    [
        (on("rest", "d01.1", "d01.2", "d01.3", "d01.4", value="3"), "verified"),
        (on("rest", "d01.1", "d01.2", value="26"), "failed"),
        (on("ratio", "d01.1", "d01.2", value="1.29"), "verified"),
        (on("share", "d01.3", "d01.1", value="14.5 %"), "verified"),
        (on("difference", "d01.1", "d01.2", value="25"), "verified"),
        (on("ratio", "d01.1", "d01.5", value="1"), "failed"),
        (on("ratio", "d01.1", "d01.2", "d01.3", value="1"), "failed"),
        (on("share", "d01.1", "d01.7", value="1"), "failed"),
    ],
)
def test_a_number_derived_from_claims_is_computed_from_what_they_came_to(
    claim: Claim, status: str
) -> None:
    assert derived(claim, HELD).status == status


def test_a_derived_number_holds_no_better_than_what_it_rests_on() -> None:
    known = {**HELD, "d01.2": HELD["d01.2"].failed("computed 84")}
    found = derived(on("difference", "d01.1", "d01.2", value="25"), known)
    assert found.status == "failed"
    assert found.reason == "claim d01.2, which it rests on, does not hold"
    known["d01.2"] = HELD["d01.2"].unchecked("late")
    assert derived(on("difference", "d01.1", "d01.2", value="25"), known).status == "unchecked"


@pytest.mark.parametrize(
    "data",
    [
        {"value": "1", "from": [1, 2], "statistic": "median"},
        {"value": "1", "from": [1], "statistic": "ratio"},
        {"value": "1", "from": [1, {}], "statistic": "ratio"},
    ],
)
def test_what_derives_nothing_is_no_claim(data: dict[str, object]) -> None:
    assert claiming.read("d01.1", data).status == "failed"

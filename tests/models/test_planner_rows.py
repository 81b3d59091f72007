"""Which rows a question speaks of: conditions, values said, groups left out; and its grouping."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from workbench.models.planner.cards import Card
from workbench.models.planner.choice import choose
from workbench.models.planner.clauses import Clause, split
from workbench.models.planner.condition import read
from workbench.models.planner.said import grouping
from workbench.models.planner.unused import unused

Facts = Callable[[Mapping[str, object]], str]
ROCKS = (
    "rows: 240\nother: 0\ncounts (3 of 3 entries)\nLithology | count\nBasalt | 94\nDacite | 62\n"
)
ROCKS += "Dolerite | 17"


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("median gold by lithology where depth > 50", "lithology"),
        ("median gold by lithology with Cu above 5 ppm", "lithology"),
        ("median gold by rock type without dolerite", "rock type"),
        ("median gold per lithology > 5", "lithology"),
        ("correlate Au and As by hole from 10 to 20 m", "hole"),
        ("thresholds of Cu by lithology at 97.5 percentile", "lithology"),
        ("median gold by sample type", "sample type"),
        ("median gold by several methods", ""),
        ("rank the samples by a combined index", ""),
        ("median copper in per cent", ""),
        ("group the elements by their variation matrix", ""),
        ("replace the non-detects of Au by half the limit", ""),
    ],
)
def test_a_grouping_ends_where_a_condition_begins(text: str, by: str) -> None:
    assert grouping(text) == by


def test_the_words_of_a_condition_are_no_further_columns(geochem: Card) -> None:
    text = "median Cu by lithology where As > 5 and depth below 2 m"
    found = read(text, geochem, lambda _, value: value)
    assert found is not None
    assert found.rest == "median Cu by lithology"


def test_the_table_that_has_the_column_of_a_condition_is_taken(geochem: Card, assay: Card) -> None:
    clauses = split("median gold where depth > 2")
    assert choose(clauses[0], clauses, [assay, geochem]).card.path == geochem.path


def _asked(specialist: Callable[..., Any], facts: Facts, question: str) -> tuple[Any, str]:
    kept = facts({"rows_in": 240, "rows_out": 17, "output": "results/…/ridge_geochem.csv"})
    stage = specialist(
        {
            "filter_rows": kept,
            "query_data": lambda given: (
                ROCKS
                if given["operation"] == "value_counts"
                else facts({"group Cu_ppm | Basalt": {"n": 9, "median": 5}})
            ),
            "describe_table": lambda given: specialist().script["describe_table"](
                {"path": given["path"].rpartition("/")[2]}
            ),
        }
    )
    words = stage.result(question).words()
    return stage, words


@pytest.mark.parametrize(
    ("question", "expression"),
    [
        ("median Cu of the samples that are not basalt", '`Lithology` != "Basalt"'),
        ("median Cu by lithology without dolerite", '`Lithology` != "Dolerite"'),
        ("median Cu except basalt and dacite", '`Lithology` not in ["Basalt", "Dacite"]'),
        ("median Cu of basalt samples", '`Lithology` == "Basalt"'),
        (
            "median Cu of basalt samples with As above 5 ppm and depth below 2 m",
            '`As_ppm` > 5.0 and `Depth_m` < 2.0 and `Lithology` == "Basalt"',
        ),
        (
            "which dacite samples have Cu above 5 ppm",
            '`Cu_ppm` > 5.0 and `Lithology` == "Dacite"',
        ),
        ("median Cu by lithology where As > 5", "`As_ppm` > 5.0"),
    ],
)
def test_the_rows_meant_are_kept_and_no_others(
    question: str, expression: str, specialist: Callable[..., Any], facts: Facts
) -> None:
    stage, words = _asked(specialist, facts, question)
    (made,) = stage.made("filter_rows")
    assert made["expression"] == expression
    assert "Not taken into account" not in words
    columns = [given["columns"] for given in stage.made("query_data") if "n" not in given]
    assert all(named == ["Cu_ppm"] for named in columns)


@pytest.mark.parametrize(
    "question",
    ["median Cu where lithology contains schist", "histogram of Cu whose colour turns red"],
)
def test_a_condition_that_is_not_read_is_refused(
    question: str, specialist: Callable[..., Any], facts: Facts
) -> None:
    stage, words = _asked(specialist, facts, question)
    assert "was not read" in words
    assert not stage.made("plot_histogram")


def test_some_kept_and_some_left_out_is_refused(
    specialist: Callable[..., Any], facts: Facts
) -> None:
    _, words = _asked(specialist, facts, "median Cu in basalt but not in dacite")
    assert "some groups are kept and some left out" in words


def test_a_correlation_by_group_is_made_within_each(
    specialist: Callable[..., Any], facts: Facts
) -> None:
    within = {"rows": 94, "pairs": 1, "r_and_n": {"Au_ppb | As_ppm": [0.49, 88]}}
    told = facts({"method": "spearman", "by": "Lithology", "group Basalt": within})
    stage = specialist({"correlate": told})
    words = stage.result("Correlate Au and As across lithologies").words()
    assert stage.made("correlate")[0]["by"] == "Lithology"
    assert "Within each Lithology: Basalt Au_ppb and As_ppm +0.49 (n 88)" in words


def test_a_median_is_told_in_the_unit_asked_for(
    specialist: Callable[..., Any], facts: Facts
) -> None:
    told = facts({"percentiles Cu_ppm": {"n": 238, "50": 69.9, "25": 20, "75": 100, "98": 200}})
    words = specialist({"query_data": told}).result("median of Cu in per cent?").words()
    assert "median 0.00699 %" in words
    refused = specialist({"query_data": told}).result("median of depth in ppm?").words()
    assert "Depth_m is in m; it cannot be told in ppm" in refused


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("missing", "How many missing values has Au where Cu > 5?", ["Cu_ppm > 5 ppm"]),
        ("fill", "Replace the non-detects of Au by half the limit", []),
        (
            "fill",
            "Replace the non-detects of Au by half the limit for As above 5 ppm",
            ["As_ppm > 5 ppm"],
        ),
        ("limits", "Share of Au below detection whose hue is red?", ["whose hue is red"]),
        ("space", "Gold anomalies in space above 3 MADs", []),
    ],
)
def test_a_condition_that_is_passed_over_is_told(
    kind: str, text: str, told: list[str], geochem: Card
) -> None:
    assert unused(Clause(kind, text), geochem) == told


def test_spreads_above_the_median_are_a_rule_and_keep_no_rows(
    specialist: Callable[..., Any], facts: Facts
) -> None:
    stage = specialist({"anomaly": facts({"flagged": 1, "rows_used": 9, "threshold": 5})})
    stage.result("Which samples are anomalous in Au above 3 MADs?")
    assert stage.made("anomaly")[0]["k"] == 3
    assert not stage.made("filter_rows")


def test_levelling_makes_thresholds_and_says_so(
    specialist: Callable[..., Any], facts: Facts
) -> None:
    stage = specialist({"anomaly": facts({"flagged": 1, "rows_used": 9, "threshold": 5})})
    assert "No levelled values are made" in stage.result("Level Cu by lithology").words()


def test_tables_and_key_of_a_merge_had_a_part_in_it(geochem: Card, assay: Card) -> None:
    clause = Clause("merge", "Merge the assay table with the geochem table by HoleID")
    assert unused(clause, geochem, [geochem, assay]) == []


def test_tables_are_merged_by_no_other_key_than_the_one_named(
    specialist: Callable[..., Any],
) -> None:
    stage = specialist()
    words = stage.result("Merge ridge_assay.csv with ridge_collar.csv on Depth_x").words()
    assert "have no column “Depth_x” in both" in words


def test_a_table_is_described_beside_its_form(specialist: Callable[..., Any]) -> None:
    words = specialist().result("Describe ridge_geochem.csv: is it long or wide?").words()
    assert "One row is one sample" in words
    assert "measured Au in ppb" in words
    assert "Not taken into account" not in words


def test_quartiles_that_a_long_answer_leaves_out_are_not_called_unknown(
    specialist: Callable[..., Any], facts: Facts
) -> None:
    _, words = _asked(specialist, facts, "median Cu by lithology")
    assert "quartiles not known" not in words
    assert "not told here are in the result table" in words

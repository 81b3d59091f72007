"""A question taken apart: kinds, lists, them, and what is not understood."""

from __future__ import annotations

import pytest

from workbench.models.planner.clauses import split
from workbench.models.planner.range import RANGE, kind_of, listing

QUICKSTART = (
    "Group the samples by Au, As, Cu and Sb into three clusters, tell me what each group is, "
    "and map gold."
)


@pytest.mark.parametrize(
    ("example", "kind"), [(e, a.kind) for a in RANGE for e in a.examples if "tell me" not in e]
)
def test_every_example_of_the_range_is_one_clause_of_its_kind(example: str, kind: str) -> None:
    assert [clause.kind for clause in split(example)] == [kind]


def test_every_kind_with_an_example_is_in_the_listing() -> None:
    for ability in RANGE:
        for example in ability.examples:
            assert example in listing()


def test_the_quickstart_is_a_grouping_with_profile_and_a_map() -> None:
    grouping, figure = split(QUICKSTART)
    assert (grouping.kind, grouping.profile) == ("cluster", True)
    assert (figure.kind, figure.text) == ("map", "map gold.")
    assert "Au, As, Cu and Sb" in grouping.text


@pytest.mark.parametrize(
    "question",
    [
        "Who discovered this deposit?",
        "What is the best drill target?",
        "Write a poem",
        "",
        "???",
        "Krige the grid",
        "Tell me what each group is",
    ],
)
def test_questions_outside_the_range_have_no_kind(question: str) -> None:
    assert all(clause.kind is None for clause in split(question))


def test_a_request_that_is_not_understood_stays_a_clause_of_its_own() -> None:
    known, unknown = split("Map gold and explain the tectonic setting")
    assert known.kind == "map"
    assert (unknown.kind, unknown.text) == (None, "explain the tectonic setting")


def test_them_takes_the_elements_that_were_named_last() -> None:
    assert split("Correlate As and Sb and plot a scatter of them")[1].text.endswith("(As, Sb)")


def test_it_takes_the_elements_of_the_question_before() -> None:
    (clause,) = split("Map it", ("What correlates with gold?",))
    assert (clause.kind, clause.text) == ("map", "Map it (Au)")


def test_a_second_condition_stays_with_its_filter() -> None:
    (clause,) = split("Which samples have gold above 100 ppb and arsenic above 50 ppm?")
    assert clause.kind == "filter"


def test_a_map_of_the_groups_follows_their_grouping() -> None:
    grouping, figure = split("Cluster by Au, As into 4 groups and map the clusters")
    assert (grouping.follows, figure.follows) == (False, True)


def test_a_query_is_never_taken_apart() -> None:
    query = "SELECT a, b FROM t WHERE a > 1 AND b < 2; "
    (clause,) = split(query)
    assert (clause.kind, clause.text) == ("sql", query.strip())


def test_an_opening_belongs_to_the_first_request() -> None:
    (clause,) = split("Using the soil data, map gold")
    assert clause.text == "Using the soil data, map gold"


def test_below_detection_is_no_filter() -> None:
    assert kind_of("How many values are below detection?") == "limits"

"""Conditions in words: signs, units, joins, and no half conditions."""

from __future__ import annotations

import pytest

from workbench.models.planner.cards import Card, Field
from workbench.models.planner.condition import Unread, read


def as_is(_: Field, value: str) -> str:
    return value


def expression(text: str, card: Card) -> str:
    found = read(text, card, as_is)
    assert found is not None
    return found.expression


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("samples with Au above 100 ppb", "`Au_ppb` > 100.0"),
        ("gold greater than 1,250", "`Au_ppb` > 1250.0"),
        ("As >= 5", "`As_ppm` >= 5.0"),
        ("more than 50 ppm of arsenic", "`As_ppm` > 50.0"),
        ("at most 2 ppm Sb", "`Sb_ppm` <= 2.0"),
        ("Cu between 10 and 20 ppm", "(`Cu_ppm` >= 10.0 and `Cu_ppm` <= 20.0)"),
        ("Au_ppb < 5", "`Au_ppb` < 5.0"),
        ("depth below 2 m", "`Depth_m` < 2.0"),
    ],
)
def test_a_comparison_in_words_becomes_an_expression(
    text: str, expected: str, geochem: Card
) -> None:
    assert expression(text, geochem) == expected


def test_a_value_is_converted_to_the_unit_of_its_column(geochem: Card) -> None:
    assert expression("gold above 0.1 ppm", geochem) == "`Au_ppb` > 100.0"
    assert expression("arsenic above 0.01 %", geochem) == "`As_ppm` > 100.0"


def test_a_unit_of_another_kind_is_refused(geochem: Card) -> None:
    with pytest.raises(Unread, match="is in m; a value in ppm cannot"):
        read("depth above 3 ppm", geochem, as_is)


def test_conditions_are_joined_as_they_were(geochem: Card) -> None:
    both = expression("Au above 100 ppb and As above 50 ppm", geochem)
    assert both == "`Au_ppb` > 100.0 and `As_ppm` > 50.0"
    either = expression("Au above 100 ppb or As above 50 ppm", geochem)
    assert either == "`Au_ppb` > 100.0 or `As_ppm` > 50.0"


def test_mixed_and_and_or_is_refused(geochem: Card) -> None:
    with pytest.raises(Unread, match="mixed"):
        read("Au > 1 and As > 2 or Cu > 3", geochem, as_is)


@pytest.mark.parametrize(
    "text",
    [
        "Au above 100 ppb and tonnage above 5",
        "values over 3",
        "gold above 0,5 ppm, between 3 and 4",
    ],
)
def test_half_a_condition_is_no_condition(text: str, geochem: Card) -> None:
    with pytest.raises(Unread, match="could not be tied"):
        read(text, geochem, as_is)


def test_a_value_in_words_is_looked_up_in_its_column(geochem: Card) -> None:
    asked: list[tuple[str, str]] = []

    def lookup(field: Field, value: str) -> str:
        asked.append((field.name, value))
        return 'Ba"salt'

    found = read("where lithology is not basalt", geochem, lookup)
    assert found is not None
    assert found.expression == '`Lithology` != "Ba\\"salt"'
    assert asked == [("Lithology", "basalt")]


def test_a_hole_is_a_condition_on_its_column(assay: Card) -> None:
    assert expression("gold in hole MRD001 above 1 ppm", assay) in {
        '`Au_ppm` > 1.0 and `HoleID` == "MRD001"',
        '`HoleID` == "MRD001" and `Au_ppm` > 1.0',
    }


def test_a_question_without_condition_has_none(geochem: Card) -> None:
    assert read("Group by Au and As into k=3 clusters", geochem, as_is) is None


def test_several_values_become_a_list(geochem: Card) -> None:
    assert expression("where lithology is basalt or dolerite and Au above 5 ppb", geochem) == (
        '`Lithology` in ["basalt", "dolerite"] and `Au_ppb` > 5.0'
    )


@pytest.mark.parametrize(
    "text",
    [
        "samples where colour is red",
        "where alteration is strong and Au above 5",
        "Au above 5 and colour is red",
        "gold in hole MRD001",
    ],
)
def test_a_column_that_is_not_there_is_never_passed_over(text: str, geochem: Card) -> None:
    with pytest.raises(Unread, match="has no column"):
        read(text, geochem, as_is)


def test_metres_without_a_column_are_depth_where_there_is_no_elevation(assay: Card) -> None:
    assert expression("gold above 100 m", assay) == "`To_m` <= 100.0"
    assert expression("arsenic below 50 m", assay) == "`From_m` >= 50.0"


def test_a_condition_after_an_element_is_not_taken_for_its_name(geochem: Card) -> None:
    found = read("What goes with copper where lithology is basalt", geochem, as_is)
    assert found is not None
    assert found.expression == '`Lithology` == "basalt"'

"""Which table is taken, and what a clause says beside its kind."""

from __future__ import annotations

from workbench.models.planner.cards import Card
from workbench.models.planner.choice import choose
from workbench.models.planner.clauses import split
from workbench.models.planner.said import columns, grouping, groups, top


def chosen(question: str, *cards: Card) -> str:
    clauses = split(question)
    return choose(clauses[0], clauses, cards).card.path


def test_the_table_with_all_that_is_asked_is_taken(geochem: Card, assay: Card) -> None:
    assert chosen("Group by Au, As and Cu into 3 clusters", assay, geochem) == geochem.path


def test_of_two_that_could_answer_the_larger_is_taken_and_the_other_named(
    geochem: Card, assay: Card
) -> None:
    clauses = split("Which samples are anomalous in arsenic?")
    found = choose(clauses[0], clauses, [geochem, assay])
    assert found.card.path == assay.path
    assert "ridge_geochem.csv has it too" in found.why


def test_a_file_named_in_the_question_is_taken(geochem: Card, assay: Card) -> None:
    question = "Which samples of ridge_geochem.csv are anomalous in arsenic?"
    assert chosen(question, geochem, assay) == geochem.path


def test_a_word_of_the_file_name_weighs_more_than_rows(geochem: Card, assay: Card) -> None:
    assert chosen("What is the median of gold in the geochemistry?", geochem, assay) == geochem.path


def test_a_map_needs_coordinates(geochem: Card, assay: Card) -> None:
    assert chosen("Map gold", assay, geochem) == geochem.path


def test_a_question_on_drillholes_takes_the_intervals(geochem: Card, assay: Card) -> None:
    small = Card(assay.path, None, 50, assay.fields)
    assert chosen("Highest gold in the drillholes", geochem, small) == small.path


def test_all_clauses_of_a_question_prefer_one_table(geochem: Card, assay: Card) -> None:
    assert chosen("Correlate Au and As and map copper", assay, geochem) == geochem.path


def test_what_a_table_lacks_is_said(assay: Card) -> None:
    found = columns("correlate Au and antimony and Zz_ppm", assay)
    assert found.names == ["Au_ppm"]
    assert set(found.lacking) == {"antimony (Sb)", "column 'Zz_ppm'"}


def test_words_after_by_are_a_grouping_unless_they_are_elements() -> None:
    assert grouping("median of Au by lithology") == "lithology"
    assert grouping("Group the samples by Au and As") == ""


def test_counts_are_read_as_digits_and_words() -> None:
    assert groups("into three clusters") == 3
    assert groups("4 groups") == 4
    assert groups("k = 5") == 5
    assert groups("into clusters") is None
    assert top("the ten highest samples") == 10
    assert top("top 5 in gold") == 5


def test_a_column_named_in_a_condition_decides_too(geochem: Card, assay: Card) -> None:
    question = "Keep the samples where lithology is basalt and Au above 0.01 ppm"
    assert chosen(question, assay, geochem) == geochem.path


def test_a_question_on_soils_takes_no_intervals(geochem: Card, assay: Card) -> None:
    assert chosen("What correlates with gold in the soils?", assay, geochem) == geochem.path

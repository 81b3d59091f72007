"""Words that seem to be one: proposed by spelling and likeness, digits kept apart."""

from __future__ import annotations

from workbench.tables.terms import propose


def test_case_blanks_and_signs_make_no_other_word() -> None:
    found = propose({"Basalt": 40, "basalt ": 3, "BASALT": 2, "Fine-sand": 5, "fine sand": 1})
    assert [(one.word, one.to, one.rows, one.why) for one in found] == [
        ("basalt ", "Basalt", 3, "spelling"),
        ("BASALT", "Basalt", 2, "spelling"),
        ("fine sand", "Fine-sand", 1, "spelling"),
    ]


def test_a_rare_word_a_letter_away_is_proposed_as_alike() -> None:
    [found] = propose({"Granodiorite": 30, "Granodiorte": 2, "Gabbro": 20})
    assert (found.word, found.to, found.why) == ("Granodiorte", "Granodiorite", "alike")


def test_digits_and_short_words_and_frequent_words_are_kept_apart() -> None:
    assert (
        propose({"Unit 1a": 90, "Unit 2a": 3, "sst": 50, "slt": 1, "granite": 9, "granitic": 8})
        == []
    )


def test_equal_spellings_are_settled_by_how_a_legend_is_written() -> None:
    assert {one.to for one in propose({"BASALT": 1, "basalt": 1, "Basalt": 1})} == {"Basalt"}

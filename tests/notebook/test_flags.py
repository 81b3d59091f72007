"""The first line of a magic: flags, values, and errors that help."""

from __future__ import annotations

import pytest

from workbench.errors import Refused
from workbench.notebook import flags
from workbench.notebook.flags import CELL, number, pairs, read, whole


def cell(line: str) -> flags.Line:
    return read(line, CELL, "%%agent")


def test_words_switches_and_values_are_told_apart() -> None:
    found = cell("analytics -q -o answer --attach=a.csv -a 'b c.csv' --no-widget")
    assert found.words == ("analytics",)
    assert found.switches == {"quiet", "no-widget"}
    assert found.one("out") == "answer"
    assert found.many("attach") == ["a.csv", "b c.csv"]


@pytest.mark.parametrize("row", CELL, ids=lambda row: row.name)
def test_every_flag_is_read_in_each_of_its_forms_and_stands_in_help(row: flags.Flag) -> None:
    for word in row.words:
        found = cell(f"{word} x" if row.value else word)
        assert row.name in ({*found.values, *found.switches})
    assert any(row.words[-1] in line[0] for line in flags.table(CELL))


def test_an_unknown_flag_names_the_nearest() -> None:
    with pytest.raises(Refused, match="flag '--qiet': there is none; nearest: '--quiet'"):
        cell("--qiet")


def test_a_missing_value_is_refused() -> None:
    with pytest.raises(Refused, match="needs a value: -o NAME"):
        cell("-o")


def test_a_value_for_a_switch_is_refused() -> None:
    with pytest.raises(Refused, match="takes no value"):
        cell("--quiet=yes")


def test_a_flag_given_twice_is_refused() -> None:
    with pytest.raises(Refused, match="given twice"):
        cell("-o a -o b")


def test_an_open_quote_is_refused() -> None:
    with pytest.raises(Refused, match="close the quotes"):
        cell("-a 'x")


def test_a_windows_path_keeps_its_backslashes() -> None:
    assert cell(r"-a C:\data\soils.csv").many("attach") == [r"C:\data\soils.csv"]


@pytest.mark.parametrize("text", ["0", "-5", "abc", "inf", "nan"])
def test_a_number_must_be_above_zero(text: str) -> None:
    with pytest.raises(Refused, match="number above 0"):
        number(cell(f"--budget={text}"), "budget", "%%agent")


def test_a_number_may_have_separators() -> None:
    assert number(cell("-b 10,000"), "budget", "%%agent") == 10_000


def test_a_whole_number_starts_at_zero() -> None:
    assert whole(cell("-t 0"), "timeout", "%%agent") == 0
    with pytest.raises(Refused, match="whole number"):
        whole(cell("-t 1.5"), "timeout", "%%agent")


@pytest.mark.parametrize("word", ["preview_rows", "=5", ""])
def test_a_pair_needs_a_key_and_a_value(word: str) -> None:
    with pytest.raises(Refused, match="KEY=VALUE"):
        pairs([word], "limit")

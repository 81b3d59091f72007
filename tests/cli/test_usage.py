"""How the command line is read: help, unknown words, missing words; one line and status 2."""

from __future__ import annotations

import pytest

from workbench import cli
from workbench.cli.usage import COMMANDS


def misused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run a command that must be bad usage; return its one line."""
    status = cli.main(words)
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("workbench: ")
    return err


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert [name for name in COMMANDS if f"  {name} " not in shown] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([name, "--help"]) == 0
    assert f"usage: workbench {name}" in capsys.readouterr().out


def test_no_command_at_all_shows_the_list_and_is_bad_usage(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main([]) == 2
    assert "describe" in capsys.readouterr().out


def test_an_unknown_command_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert "nearest: 'describe'" in misused(capsys, "descrbe", "x.csv")


def test_an_unknown_option_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert "nearest: '--data'" in misused(capsys, "ask", "how many?", "--daat", "x")


def test_an_unknown_option_is_told_before_a_missing_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "--jsn" in misused(capsys, "ask", "--jsn")


def test_an_option_is_never_guessed_from_its_first_letters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    misused(capsys, "ask", "how many?", "--dat", "x")


def test_a_missing_argument_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--data" in misused(capsys, "ask", "how many?")


def test_a_question_without_quotes_is_told_how_to_write_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "quotes" in misused(capsys, "ask", "how", "many?", "--data", ".")


@pytest.mark.parametrize(
    "words",
    [
        ("ask", "q", "--data", ".", "-b", "many"),
        ("ask", "q", "--data", ".", "-l", "preview_rows"),
        ("call", "read_file", "path", "--data", "."),
        ("rows", "x.csv", "--limit", "all"),
        ("rows", "x.csv", "--limit", "0"),
        ("rows", "x.csv", "--offset", "-1"),
        ("call", "list_files", "--data", ".", "--window", "0"),
        ("call", "list_files", "--data", ".", "--window", "-5"),
        ("call", "list_files", "--data", ".", "--window", "999"),
        ("clean", "--older-than", "yesterday"),
        ("clean",),
        ("show",),
    ],
)
def test_a_word_that_cannot_be_read_is_bad_usage(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    misused(capsys, *words)


def test_a_question_may_begin_with_a_dash_where_it_is_a_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["ask", "-1 values: how many?", "--data", "no-such-folder"]) == 1
    assert "no-such-folder" in capsys.readouterr().err


def test_an_internal_error_is_one_line_that_names_the_ledger(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: object) -> int:
        raise ZeroDivisionError("seven\nlines")

    monkeypatch.setattr("workbench.cli.machine.run_version", broken)
    assert cli.main(["version"]) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "ZeroDivisionError" in err
    assert "events.jsonl" in err
    assert "Traceback" not in err


def test_an_interrupt_outside_a_question_ends_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("workbench.cli.machine.run_version", interrupted)
    assert cli.main(["version"]) == 130
    assert capsys.readouterr().err.count("\n") == 1

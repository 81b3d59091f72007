"""``call``: values as the tool takes them, the text a model would see, refusals with status 1."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench import cli
from workbench.cli.call import values


def run(
    capsys: pytest.CaptureFixture[str], data: Path, tool: str, *words: str
) -> tuple[int, str, str]:
    status = cli.main(["call", tool, *words, "--data", str(data)])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("Au_ppb,As_ppm", ["Au_ppb", "As_ppm"]),
        ("Au_ppb, As_ppm", ["Au_ppb", "As_ppm"]),
        ('["a,b", "c"]', ["a,b", "c"]),
        ("Au_ppb", ["Au_ppb"]),
        ('"a,b"', ["a,b"]),
        ("null", None),
    ],
)
def test_a_list_is_json_or_words_with_commas(word: str, value: object) -> None:
    assert values("finish", {"results": word}) == {"results": value}


@pytest.mark.parametrize(
    ("word", "value"),
    [("1e5", "1e5"), ("007", "007"), ('"quoted"', "quoted"), ("a=b", "a=b"), ("{x", "{x")],
)
def test_text_stays_the_text_that_was_written(word: str, value: str) -> None:
    assert values("read_file", {"path": word}) == {"path": value}


@pytest.mark.parametrize(("word", "value"), [("7", 7), ("-1.5", -1.5), ("x", "x"), ("true", True)])
def test_everything_else_is_json_where_it_parses(word: str, value: object) -> None:
    assert values("read_range", {"offset": word}) == {"offset": value}


def test_a_data_file_comes_back_as_five_lines_and_a_marker(
    geochem: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(capsys, geochem, "read_file", f"path={geochem.name}")
    assert status == 0
    assert "236 of 241 lines left out" in out
    assert "MR-0004" in out
    assert "MR-0005" not in out


def test_options_may_stand_anywhere(geochem: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["call", "--data", str(geochem), "read_file", "--json", f"path={geochem.name}"]
    assert cli.main(words) == 0
    assert set(json.loads(capsys.readouterr().out)) >= {
        "text",
        "cut",
        "limits_hit",
        "artefacts",
        "tokens",
    }


def test_json_tells_which_limits_cut(geochem: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, geochem, "read_file", f"path={geochem.name}", "--json")
    shown = json.loads(out)
    assert shown["cut"] is True
    assert "data_file_lines" in shown["limits_hit"]


def test_a_refusal_prints_what_the_model_would_see_and_ends_with_one(
    geochem: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, geochem.parent, "read_file", "path=nosuch.csv")
    assert status == 1
    assert out.startswith("error: ")
    assert err.count("\n") == 1
    assert "see list_files" in err


@pytest.mark.parametrize(
    ("tool", "words", "said"),
    [
        ("read_fil", ("path=x",), "nearest: 'read_file'"),
        ("read_file", ("pth=x",), "nearest: 'path'"),
        ("read_file", (), "'path' is missing"),
        ("read_range", ("id=a", "offset=abc"), "is not a whole number"),
        ("read_file", ("path=../outside.csv",), "stay inside"),
        ("dispatch", ("agent=dataops", "objective=x"), "use ask"),
    ],
)
def test_what_cannot_be_called_is_refused_with_the_remedy(
    tool: str,
    words: tuple[str, ...],
    said: str,
    geochem: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, _ = run(capsys, geochem, tool, *words)
    assert status == 1
    assert said in out


@pytest.mark.parametrize(("name", "status"), [("notes.txt", "success"), ("none.txt", "error")])
def test_the_loop_of_a_call_is_shown_as_it_ended(
    name: str, status: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text("The shear dips north-east.\n")
    run(capsys, tmp_path, "read_file", f"path={name}")
    [kept] = (tmp_path / "results").glob("*/run.json")
    [loop] = json.loads(kept.read_text())["loops"]
    assert loop["status"] == status
    assert cli.main(["show", kept.parent.name, "--data", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "killed" not in shown
    assert "tokens of the last request" not in shown


def test_a_call_can_be_held_to_the_list_of_an_agent(
    geochem: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = geochem.name
    status, out, _ = run(capsys, geochem, "read_file", f"path={name}", "--agent", "guide", "--json")
    assert status == 1
    assert json.loads(out)["limits_hit"] == ["agent_tools"]


def test_a_smaller_window_reads_less(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("The shear dips north-east under the lens of alteration.\n" * 400)
    _, whole, _ = run(capsys, notes, "read_file", "path=notes.txt")
    _, less, _ = run(capsys, notes, "read_file", "path=notes.txt", "--window", "10000")
    # 15 % of 80 % of 10,000 tokens at 3 characters, and the lines before the text.
    assert len(less) < 3_600 + 200 < len(whole)
    assert "truncated" in less


def test_data_that_is_not_there_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, tmp_path / "nowhere", "list_files")
    assert (status, out) == (1, "")
    assert err.count("\n") == 1
    assert "nowhere" in err

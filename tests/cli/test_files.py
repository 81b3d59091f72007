"""``describe`` and ``rows``: what is in a file, for people and for programs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from workbench import cli


def test_a_description_has_the_shape_that_programs_rely_on(
    geochem: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["describe", str(geochem), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert set(shown) == {"source", "tables", "notes"}
    assert shown["source"]["format"] == "delimited text"
    [table] = shown["tables"]
    assert (table["rows"], len(table["columns"])) == (240, 26)
    gold = next(column for column in table["columns"] if column["name"] == "Au_ppb")
    # Counted in the file itself: 196 numbers, 37 values with a less-than sign, 7 words.
    cells = [line.split(",")[6] for line in geochem.read_text().splitlines()[1:]]
    assert gold["below"] == sum(cell.startswith("<") for cell in cells)
    assert gold["count"] == sum(cell.isdecimal() for cell in cells)
    assert sum(gold["missing"].values()) == 240 - gold["below"] - gold["count"]


def test_a_description_for_people_has_a_line_a_column(
    geochem: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["describe", str(geochem)]) == 0
    lines = capsys.readouterr().out.splitlines()
    gold = next(line for line in lines if line.startswith("Au_ppb"))
    assert gold.split()[:6] == ["Au_ppb", "element", "number", "ppb", "196", "37"]


def test_a_folder_cannot_be_described(geochem: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["describe", str(geochem.parent)]) == 1
    assert geochem.name in capsys.readouterr().err


def test_a_page_of_rows_says_where_it_is(geochem: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rows", str(geochem), "--offset", "238", "--limit", "10"]) == 0
    out = capsys.readouterr().out
    assert "MR-0239" in out
    assert out.splitlines()[-1] == "rows 239 to 240 of 240"


def test_rows_as_json_are_columns_rows_and_total(
    geochem: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["rows", str(geochem), "--limit", "3", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert set(shown) == {"columns", "rows", "total"}
    assert shown["total"] == 240
    at = shown["columns"].index("SampleID")
    assert [row[at] for row in shown["rows"]] == ["MR-0001", "MR-0002", "MR-0003"]


def test_a_page_that_is_too_long_is_refused(
    geochem: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["rows", str(geochem), "--limit", "100000"]) == 1
    assert "1,000" in capsys.readouterr().err


def test_cells_that_steer_a_terminal_are_written_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.csv"
    file.write_text("id,note\n1,\u200bgone\n2,\u202eright\n3,plain\n", encoding="utf-8")
    assert cli.main(["rows", str(file)]) == 0
    out = capsys.readouterr().out
    assert "\\u200bgone" in out
    assert "\\u202eright" in out


def test_a_reader_that_stops_early_is_no_error(geochem: Path) -> None:
    words = [sys.executable, "-m", "workbench", "rows", str(geochem), "--limit", "200"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) == 0

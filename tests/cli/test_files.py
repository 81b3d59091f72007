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
    assert lines[0] == "meridian_ridge_geochem.csv: delimited text, 36.1 kB, utf-8, commas, LF"
    assert "240 rows × 26 columns" in lines[2]
    gold = next(line for line in lines if line.strip().startswith("Au_ppb")).split()
    assert gold[:4] == ["Au_ppb", "element", "ppb", "196"]
    # 233 of 240 are known, 37 of them as below 1.
    assert gold[4:10] == ["█████░", "97", "%", "37", "<", "(1)"]
    assert gold[10:] == ["5", "NSS,", "2", "LNR", "3", "1", "…", "2610"]


def test_a_folder_is_described_by_its_files_and_sets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for job in range(3):
        (tmp_path / f"BV{job}.csv").write_text(f"id,Au_ppb\nS{job},1\nT{job},2\n")
    assert cli.main(["describe", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in found["files"]] == ["BV0.csv", "BV1.csv", "BV2.csv"]
    assert found["sets"] == {"*.csv": {"files": 3, "columns": 2, "alike": "3 of 3 looked at"}}
    assert cli.main(["describe", str(tmp_path)]) == 0
    assert "one table together" in capsys.readouterr().out


def test_a_set_is_described_with_its_files_and_paged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for job in range(3):
        header = "id,Au_ppb" if job < 2 else "id,Zn_ppm"
        (tmp_path / f"BV{job}.csv").write_text(f"{header}\nS{job},1\nT{job},2\n")
    asked = str(tmp_path / "BV*.csv")
    assert cli.main(["describe", asked, "--json"]) == 0
    files = json.loads(capsys.readouterr().out)["source"]["files"]
    assert [(one["path"], one["rows"]) for one in files] == [
        ("BV0.csv", 2),
        ("BV1.csv", 2),
        ("BV2.csv", 0),
    ]
    assert cli.main(["describe", asked]) == 0
    assert "lacks Au_ppb; has besides Zn_ppm" in capsys.readouterr().out
    assert cli.main(["rows", asked, "--json"]) == 0
    page = json.loads(capsys.readouterr().out)
    assert (page["columns"][0], page["total"]) == ("file", 4)


def test_what_is_set_about_a_column_holds_in_every_command(
    geochem: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = ["--set", f"{geochem.name}:Au_ppb.unit=ppm"]
    assert cli.main(["describe", str(geochem), "--json", *told]) == 0
    shown = json.loads(capsys.readouterr().out)
    [gold] = [one for one in shown["tables"][0]["columns"] if one["name"] == "Au_ppb"]
    assert gold["unit"] == "ppm"
    assert "set by hand: Au_ppb.unit = ppm" in shown["notes"]
    rows = ["rows", str(geochem), "--limit", "1", "--set", f"{geochem.name}:Cu_ppm.kind=text"]
    assert cli.main([*rows, "--json"]) == 0
    page = json.loads(capsys.readouterr().out)
    assert isinstance(page["rows"][0][page["columns"].index("Cu_ppm")], str)
    call = ["call", "describe_table", f"path={geochem.name}", "columns=Au_ppb"]
    assert cli.main([*call, "--data", str(geochem.parent), *told]) == 0
    assert '"unit": "ppm"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("setting", "line"),
    [
        ("Au_ppb.unit=ppm", "FILE:COLUMN.KEY=VALUE"),
        ("geochm.csv:Au_ppb.unit=ppm", "nearest: 'meridian_ridge_geochem.csv'"),
        ("meridian_ridge_geochem.csv:Au_ppb.unti=ppm", "nearest: 'unit'"),
        ("meridian_ridge_geochem.csv:Au_ppb.unit=pmp", "nearest: 'ppm'"),
        ("meridian_ridge_geochem.csv:Au_ppb.role=elemnt", "nearest: 'element'"),
        ("meridian_ridge_geochem.csv:Au_pbb.unit=ppm", "nearest: 'Au_ppb'"),
    ],
)
def test_a_setting_that_is_not_understood_names_the_nearest(
    geochem: Path, capsys: pytest.CaptureFixture[str], setting: str, line: str
) -> None:
    assert cli.main(["describe", str(geochem), "--set", setting]) == 1
    assert line in capsys.readouterr().err


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


def test_a14_cells_that_steer_a_terminal_are_written_out(
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

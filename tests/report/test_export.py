"""A run as an archive that stands by itself."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from reporting import GEOCHEM, scripted

from workbench.cli import main
from workbench.report.export import export


def names(path: Path) -> set[str]:
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def test_report_results_record_manifest_and_versions_are_in_it(run: Path, tmp_path: Path) -> None:
    made = export(run, tmp_path / "r.zip")
    assert made.missing == ()
    assert names(made.path) == {
        *("README.md", "report.ipynb", "report.html", "report.md", "environment.txt"),
        *("results/meridian_ridge_geochem_kmeans_3.csv", "record/events.jsonl"),
        *("record/run.json", "data-manifest.json"),
    }
    with zipfile.ZipFile(made.path) as archive:
        told = json.loads(archive.read("data-manifest.json"))
        assert b"duckdb==" in archive.read("environment.txt")
        notebook = archive.read("report.ipynb").decode()
    (item,) = told["files"]
    assert (item["name"], item["included"], item["tables"][0]["rows"]) == (GEOCHEM, False, 240)
    assert "data = 'data'" in notebook
    assert str(tmp_path) not in notebook


def test_the_data_goes_along_where_it_is_wanted(run: Path, tmp_path: Path) -> None:
    made = export(run, tmp_path / "r.zip", with_data=True)
    with zipfile.ZipFile(made.path) as archive:
        kept = archive.read(f"data/{GEOCHEM}")
    assert kept == (run.parent.parent / GEOCHEM).read_bytes()


def test_the_same_run_gives_the_same_archive(run: Path, tmp_path: Path) -> None:
    first = export(run, tmp_path / "a.zip").path.read_bytes()
    assert export(run, tmp_path / "b.zip").path.read_bytes() == first


def test_what_has_changed_is_told_and_left_out(run: Path, tmp_path: Path) -> None:
    result = run / "meridian_ridge_geochem_kmeans_3.csv"
    result.chmod(0o600)
    result.write_text("changed\n")
    with (run.parent.parent / GEOCHEM).open("a") as file:
        file.write("\n")
    made = export(run, tmp_path / "r.zip", with_data=True)
    assert [words.split(": ")[1] for words in made.missing] == [
        "changed since the run made it",
        "changed since the run read it",
    ]
    assert f"data/{GEOCHEM}" not in names(made.path)


def test_report_and_export_from_the_command_line(run: Path, tmp_path: Path) -> None:
    assert main(["report", run.name, "--data", str(run.parent.parent)]) == 0
    assert (run / "report" / "report.ipynb").is_file()
    assert (run / "report" / "report.html").is_file()
    assert main(["report", "--all", "--data", str(run.parent.parent)]) == 0
    assert main(["report", "--all", run.name, "--data", str(run.parent.parent)]) == 2
    target = tmp_path / "x.zip"
    assert main(["export", str(run), "-o", str(target)]) == 0
    assert target.is_file()


def test_a_report_beside_its_run_is_a_record_that_no_tool_opens(run: Path) -> None:
    field = run.parent.parent
    assert main(["report", run.name, "--data", str(field)]) == 0
    session = scripted(field, {})
    for path in (f"results/{run.name}/report/report.ipynb", "results/…/report/report.ipynb"):
        outcome = session.call("read_file", {"path": path})
        assert not outcome.ok
    listed = session.call("list_files", {}).text
    assert "report.ipynb" not in listed

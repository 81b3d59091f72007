"""What a report shows is held against its record: one changed word anywhere is named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from inprocess import start_in_process
from reporting import GEOCHEM, hand, scripted

from workbench.cli import main
from workbench.models.scripted import call
from workbench.report import saved, writing

pytestmark = pytest.mark.xdist_group("rechecked")
COUNTED = {"value": "240", "path": GEOCHEM, "statistic": "rows"}
FORMS = ("ipynb", "html", "md")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, sample_data: Path) -> Path:
    """A folder with data and the report of a run in each form, whose run is gone."""
    place = tmp_path_factory.mktemp("rechecked")
    (place / "field").mkdir()
    shutil.copy(sample_data / GEOCHEM, place / "field")
    made = call("filter_rows", path=GEOCHEM, expression="Au_ppb > 100")
    words = "{{claim:1}} samples were read."
    end = call("finish", status="success", results=[words], claims=[COUNTED])
    scripts = {"guide": [hand("transform", "Take the high ones.")], "d01": [made, end, end]}
    folder = scripted(place / "field", scripts).ask("Which samples are high?").folder
    writing.write(folder, [place / f"report.{form}" for form in FORMS])
    shutil.rmtree(folder)
    return place


@pytest.fixture
def place(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("workbench.session.start_child", start_in_process)
    return Path(shutil.copytree(made, tmp_path / "place"))


def first(report: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what departs first, as the command tells it; empty where nothing does."""
    status = main(["verify", str(report), "--data", str(report.parent / "field"), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert status == (0 if told["same"] else 1)
    return str(told["first"])


def cell_of(book: dict[str, Any], key: str) -> dict[str, Any]:
    return next(cell for cell in book["cells"] if cell["id"] == key)


def edit(key: str, old: str, new: str) -> Callable[[dict[str, Any]], None]:
    """Return what replaces words in a cell."""

    def change(book: dict[str, Any]) -> None:
        cell = cell_of(book, key)
        assert old in cell["source"]
        cell["source"] = cell["source"].replace(old, new, 1)

    return change


def saved_number(book: dict[str, Any]) -> None:
    data = cell_of(book, "call-d01c1")["outputs"][0]["data"]
    assert "rows_in: 240" in data["text/plain"]
    data["text/plain"] = data["text/plain"].replace("rows_in: 240", "rows_in: 241")


def table_word(book: dict[str, Any]) -> None:
    """Change one cell of a table in the form alone that a notebook shows."""
    data = cell_of(book, "table-d01a1")["outputs"][0]["data"]
    cell = data["application/vnd.workbench.table+json"]["rows"][0][0]
    assert f">{cell}<" in data["text/html"]
    data["text/html"] = data["text/html"].replace(f">{cell}<", ">NONE<", 1)


def added(book: dict[str, Any]) -> None:
    book["cells"].insert(2, nbformat.v4.new_markdown_cell("And gold."))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (edit("answer", "samples were read", "samples were assayed"), "cell answer: its words"),
        (edit("Claims", "240", "241"), "cell Claims: its words"),
        (saved_number, "cell call-d01c1: its saved output, text/plain"),
        (table_word, "cell table-d01a1: its saved output, text/html"),
        (edit("call-d01c1", "> 100", "> 200"), "cell call-d01c1: its code"),
        (edit("parameters", "data =", "import os; data ="), "cell parameters: its code"),
        (added, "cell again"),
    ],
)
def test_a_changed_cell_of_the_notebook_is_the_first_that_departs(
    change: Callable[[dict[str, Any]], None],
    told: str,
    place: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = place / "report.ipynb"
    book = nbformat.read(report, as_version=4)
    change(book)
    nbformat.write(book, report)
    assert first(report, capsys) == told


@pytest.mark.parametrize("form", FORMS)
def test_a_report_verifies_as_it_was_written_and_without_its_run(
    form: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert first(place / f"report.{form}", capsys) == ""


@pytest.mark.parametrize("form", ["html", "md"])
def test_a_changed_word_of_the_page_and_of_the_markdown_is_found(
    form: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = place / f"report.{form}"
    text = report.read_text(encoding="utf-8")
    assert "samples were read" in text
    report.write_text(text.replace("samples were read", "samples were assayed", 1))
    assert first(report, capsys) == "section Answer"


def test_counts_values_of_parameters_and_what_papermill_adds_may_differ(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = place / "report.ipynb"
    book = nbformat.read(report, as_version=4)
    for number, cell in enumerate(book["cells"]):
        if cell["cell_type"] == "code":
            cell["execution_count"] = number
    edit("parameters", "recomputed", "elsewhere")(book)
    added = nbformat.v4.new_code_cell('data = "field"', metadata={"tags": ["injected-parameters"]})
    place_of = book["cells"].index(cell_of(book, "parameters")) + 1
    book["cells"].insert(place_of, added)
    nbformat.write(book, report)
    assert first(report, capsys) == ""
    added["source"] = 'print("240 samples, all of gold")'
    nbformat.write(book, report)
    assert first(report, capsys) == "cell open"


def test_what_a_cell_printed_besides_departs_and_the_verdict_of_the_record_does_not(
    made: Path,
) -> None:
    book = json.loads((made / "report.ipynb").read_text(encoding="utf-8"))
    ran = json.loads(json.dumps(book))
    verdict = saved.verdict(cell_of(ran, "verification"))
    data = {"text/plain": repr(verdict), "text/html": verdict._repr_html_()}
    last = cell_of(ran, "verification")
    last["outputs"] = [{"output_type": "execute_result", "data": data, "metadata": {}}]
    assert all(row.same for row in saved.cells(ran, book, {}))
    last["outputs"].append({"output_type": "stream", "name": "stdout", "text": "and more"})
    assert [row.what for row in saved.cells(ran, book, {}) if not row.same] == [
        "verification: its saved output"
    ]


def test_a_report_that_carries_no_run_says_so(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = place / "report.html"
    report.write_text("<html><!-- workbench record AAAA --></html>")
    assert main(["verify", str(report), "--data", str(place / "field")]) == 1
    assert "it carries no run" in capsys.readouterr().err

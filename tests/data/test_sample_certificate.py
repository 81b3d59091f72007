"""The certificate opens as a workbook, and its samples are those of the survey file."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import openpyxl
import pytest

DATA = Path(__file__).resolve().parents[2] / "data"

Grid = list[tuple[Any, ...]]


@pytest.fixture(scope="module")
def sheets() -> dict[str, Grid]:
    book = openpyxl.load_workbook(DATA / "meridian_ridge_certificate.xlsx")
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book}


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    text = (DATA / "meridian_ridge_truth.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)["certificate"]
    return document


@pytest.fixture(scope="module")
def head(sheets: dict[str, Grid], truth: dict[str, Any]) -> Grid:
    first = truth["header_first_row"] - 1
    return sheets["Certificate"][first : first + truth["header_rows"]]


@pytest.fixture(scope="module")
def body(sheets: dict[str, Grid], truth: dict[str, Any]) -> Grid:
    return sheets["Certificate"][truth["first_data_row"] - 1 :]


def printed(cell: object) -> str | float:
    """Turn a cell into a number, or into the text the survey file holds."""
    return float(cell) if isinstance(cell, int | float) else str(cell or "")


def certified(notes: Grid) -> dict[tuple[str, str], tuple[float, float]]:
    rows = [row for row in notes if str(row[0]).startswith("CRM-")]
    return {(row[0], row[1]): (row[3], row[4]) for row in rows}


def test_the_workbook_has_two_sheets(sheets: dict[str, Grid], truth: dict[str, Any]) -> None:
    assert list(sheets) == truth["sheets"] == ["Certificate", "Methods and QC"]


def test_the_preamble_states_job_and_sample_count(
    sheets: dict[str, Grid], truth: dict[str, Any]
) -> None:
    notes = {row[0]: row[1] for row in sheets["Certificate"][: truth["header_first_row"] - 1]}
    assert notes["Job number"] == truth["job"]
    assert notes["Number of samples"] == len(truth["samples"]) == 100


def test_the_header_gives_analyte_method_unit_and_limits(head: Grid) -> None:
    assert [row[0] for row in head] == [
        "Sample",
        "Method",
        "Unit",
        "Detection limit",
        "Upper limit",
    ]
    gold = head[0].index("Au")
    assert [row[gold] for row in head] == ["Au", "FA30-MS", "ppb", 1, 10000]
    assert set(head[2][2:]) == {"ppb", "ppm", "%"}


def test_rows_of_each_kind_are_counted(body: Grid, truth: dict[str, Any]) -> None:
    assert len(body) == truth["rows"]
    assert Counter(row[1] for row in body) == truth["kinds"]


def test_samples_carry_the_results_of_the_survey_file(body: Grid, truth: dict[str, Any]) -> None:
    with (DATA / "meridian_ridge_geochem.csv").open(encoding="utf-8", newline="") as stream:
        survey = {row["SampleID"]: list(row.values())[6:] for row in csv.DictReader(stream)}
    lines = {row[0]: row[2:] for row in body if row[1] == "SMP"}
    assert list(lines) == truth["samples"]
    for name, cells in lines.items():
        expected = [float(text) if text[:1].isdigit() else text for text in survey[name]]
        assert [printed(cell) for cell in cells] == expected, name


def test_only_the_planted_standard_lies_outside_three_deviations(
    sheets: dict[str, Grid], head: Grid, body: Grid, truth: dict[str, Any]
) -> None:
    failed = []
    for (name, analyte), (value, spread) in certified(sheets["Methods and QC"]).items():
        column = head[0].index(analyte)
        for place, row in enumerate(body, start=truth["first_data_row"]):
            if row[0] == name and abs(row[column] - value) > 3 * spread:
                failed.append((place, name, analyte))
    planted = [(f["row"], f["standard"], f["analyte"]) for f in truth["standards_failed"]]
    assert failed == planted
    assert len(planted) == 1


def test_only_the_planted_blank_shows_carry_over(
    head: Grid, body: Grid, truth: dict[str, Any]
) -> None:
    gold = head[0].index("Au")
    first = truth["first_data_row"]
    blanks = [(place, row[gold]) for place, row in enumerate(body, start=first) if row[1] == "BLK"]
    assert [place for place, cell in blanks if cell != "<1"] == [
        blank["row"] for blank in truth["blanks_failed"]
    ]
    before = body[truth["blanks_failed"][0]["row"] - first - 1]
    golds = [row[gold] for row in body if isinstance(row[gold], int | float) and row[1] == "SMP"]
    assert before[gold] == max(golds)


def test_duplicates_stay_within_a_factor_of_two(body: Grid, truth: dict[str, Any]) -> None:
    lines = {row[0]: row[2:] for row in body}
    names = [row[0] for row in body if row[1] == "DUP"]
    pairs = [
        (first, second)
        for name in names
        for first, second in zip(lines[name.removesuffix(" DUP")], lines[name], strict=True)
        if isinstance(first, int | float) and isinstance(second, int | float)
    ]
    assert len(names) == truth["kinds"]["DUP"]
    assert len(pairs) > 15 * len(names)
    # Within one unit of the last place a small number may well double.
    assert all(0.5 < first / second < 2.0 or abs(first - second) <= 1 for first, second in pairs)

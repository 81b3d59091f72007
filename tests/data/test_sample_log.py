"""The LAS file keeps to the 2.0 format and to hole MRD001, by plain text checks."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[2] / "data"
NULL = -999.25


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return (DATA / "meridian_ridge_MRD001.las").read_text(encoding="ascii").splitlines()


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    text = (DATA / "meridian_ridge_truth.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)["las"]
    return document


@pytest.fixture(scope="module")
def items(lines: list[str]) -> dict[str, tuple[str, str]]:
    """Split header lines: name, dot, unit, blanks, value, colon, description."""
    found = {}
    for line in lines:
        if "." in line and " : " in line:
            name, rest = line.split(".", 1)
            unit, value = rest[: rest.index(" ")], rest[rest.index(" ") :].split(":")[0]
            found[name.strip()] = (unit, value.strip())
    return found


@pytest.fixture(scope="module")
def readings(lines: list[str]) -> list[list[float]]:
    start = next(i for i, line in enumerate(lines) if line.startswith("~A"))
    return [[float(cell) for cell in line.split()] for line in lines[start + 1 :]]


def test_sections_stand_in_the_order_of_the_format(lines: list[str]) -> None:
    assert [line[:2] for line in lines if line.startswith("~")] == [
        "~V",
        "~W",
        "~C",
        "~P",
        "~O",
        "~A",
    ]


def test_version_and_wrap_are_stated(items: dict[str, tuple[str, str]]) -> None:
    assert items["VERS"][1] == "2.0"
    assert items["WRAP"][1] == "NO"
    assert float(items["NULL"][1]) == NULL


def test_the_index_is_even_and_ends_at_the_depth_of_the_hole(
    items: dict[str, tuple[str, str]], readings: list[list[float]]
) -> None:
    with (DATA / "meridian_ridge_collar.csv").open(encoding="utf-8", newline="") as stream:
        depth = {row["HoleID"]: float(row["Depth_m"]) for row in csv.DictReader(stream)}
    step = float(items["STEP"][1])
    assert [row[0] for row in readings] == [i * step for i in range(len(readings))]
    assert float(items["STRT"][1]) == readings[0][0] == 0.0
    assert float(items["STOP"][1]) == readings[-1][0] == depth[items["WELL"][1]]


def test_curves_and_nulls_agree_with_the_truth(
    items: dict[str, tuple[str, str]], readings: list[list[float]], truth: dict[str, Any]
) -> None:
    assert {len(row) for row in readings} == {1 + len(truth["curves"])}
    assert len(readings) == truth["rows"]
    for column, (name, facts) in enumerate(truth["curves"].items(), start=1):
        assert items[name][0] == facts["unit"]
        assert sum(row[column] == NULL for row in readings) == facts["nulls"] > 0


def test_readings_lie_within_what_rock_can_show(readings: list[list[float]]) -> None:
    bounds = ((0, 250), (1.7, 3.6), (1, 50_000), (1e-5, 0.1))
    for column, (low, high) in enumerate(bounds, start=1):
        present = [row[column] for row in readings if row[column] != NULL]
        assert low < min(present) <= max(present) < high

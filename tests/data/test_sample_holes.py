"""The drillhole tables fit together, and the planted zone lies where the truth says.

Ends of holes are recomputed by minimum curvature, a method the generator does not use.
"""

import csv
import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[2] / "data"
ASSAYED = ("Au_ppm", "As_ppm", "Cu_ppm", "S_pct")

Rows = list[dict[str, str]]


def table(name: str) -> Rows:
    with (DATA / f"meridian_ridge_{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def by_hole(name: str) -> dict[str, Rows]:
    holes: dict[str, Rows] = {}
    for row in table(name):
        holes.setdefault(row["HoleID"], []).append(row)
    return holes


def grade(cell: str) -> float:
    return float(cell[1:]) / 2 if cell.startswith("<") else float(cell)


def direction(station: dict[str, str]) -> tuple[float, float, float]:
    azimuth = math.radians(float(station["Azimuth_deg"]))
    dip = math.radians(float(station["Dip_deg"]))
    return math.cos(dip) * math.sin(azimuth), math.cos(dip) * math.cos(azimuth), math.sin(dip)


def end_by_minimum_curvature(start: tuple[float, ...], stations: Rows) -> tuple[float, ...]:
    for upper, lower in pairwise(stations):
        length = float(lower["Depth_m"]) - float(upper["Depth_m"])
        one, two = direction(upper), direction(lower)
        bend = math.acos(min(1.0, sum(a * b for a, b in zip(one, two, strict=True))))
        ratio = 2 / bend * math.tan(bend / 2) if bend > 1e-9 else 1.0
        start = tuple(
            p + length / 2 * (a + b) * ratio for p, a, b in zip(start, one, two, strict=True)
        )
    return start


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    text = (DATA / "meridian_ridge_truth.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


@pytest.fixture(scope="module")
def depths() -> dict[str, float]:
    return {row["HoleID"]: float(row["Depth_m"]) for row in table("collar")}


def test_twelve_holes_are_named_in_order(depths: dict[str, float]) -> None:
    assert list(depths) == [f"MRD{number:03d}" for number in range(1, 13)]


@pytest.mark.parametrize("name", ["survey", "assay", "lithology"])
def test_every_table_covers_the_holes_of_the_collar_table(
    name: str, depths: dict[str, float]
) -> None:
    assert list(by_hole(name)) == list(depths)


@pytest.mark.parametrize("name", ["assay", "lithology"])
def test_intervals_run_from_the_collar_to_the_end_without_gap_or_overlap(
    name: str, depths: dict[str, float]
) -> None:
    for hole, rows in by_hole(name).items():
        assert float(rows[0]["From_m"]) == 0.0
        assert float(rows[-1]["To_m"]) == depths[hole]
        assert all(upper["To_m"] == lower["From_m"] for upper, lower in pairwise(rows))
        assert all(float(row["From_m"]) < float(row["To_m"]) for row in rows)


def test_assay_intervals_are_one_or_two_metres_but_the_last() -> None:
    for rows in by_hole("assay").values():
        lengths = [float(row["To_m"]) - float(row["From_m"]) for row in rows]
        assert set(lengths[:-1]) == {1.0, 2.0}
        assert 0 < lengths[-1] <= 2.0


def test_sample_numbers_of_the_holes_are_unique() -> None:
    names = [row["SampleID"] for row in table("assay")]
    assert len(set(names)) == len(names)


def test_surveys_start_at_the_collar_and_end_at_the_bottom(depths: dict[str, float]) -> None:
    for hole, rows in by_hole("survey").items():
        stations = [float(row["Depth_m"]) for row in rows]
        assert stations == sorted(set(stations))
        assert (stations[0], stations[-1]) == (0.0, depths[hole])


def test_holes_bend_gently() -> None:
    for rows in by_hole("survey").values():
        for upper, lower in pairwise(rows):
            assert abs(float(upper["Dip_deg"]) - float(lower["Dip_deg"])) < 2.5
            assert abs(float(upper["Azimuth_deg"]) - float(lower["Azimuth_deg"])) < 2.5


def test_ends_of_holes_agree_with_minimum_curvature(truth: dict[str, Any]) -> None:
    stations = by_hole("survey")
    for row in table("collar"):
        start = (float(row["Easting"]), float(row["Northing"]), float(row["RL_m"]))
        end = end_by_minimum_curvature(start, stations[row["HoleID"]])
        assert end == pytest.approx(truth["holes"]["holes"][row["HoleID"]]["end_of_hole"], abs=0.2)


def test_assay_counts_agree_with_the_text(truth: dict[str, Any]) -> None:
    rows = table("assay")
    for column in ASSAYED:
        facts = truth["holes"]["columns"][column]
        cells = [row[column] for row in rows]
        below = [cell for cell in cells if cell.startswith("<")]
        above = [cell for cell in cells if cell.startswith(">")]
        assert (len(below), len(above)) == (facts["below"], facts["above"])
        assert set(below) <= {f"<{facts['lower_limit']:g}"}
        assert len(cells) - len(below) - len(above) == facts["count"]


def test_the_planted_zone_holds_the_stated_grade(truth: dict[str, Any]) -> None:
    for hole, rows in by_hole("assay").items():
        facts = truth["holes"]["holes"][hole]
        top, end = facts["zone_from_m"], facts["zone_to_m"]
        inside = [r for r in rows if top <= float(r["From_m"]) and float(r["To_m"]) <= end]
        lengths = [float(r["To_m"]) - float(r["From_m"]) for r in inside]
        metal = sum(
            grade(row["Au_ppm"]) * length for row, length in zip(inside, lengths, strict=True)
        )
        assert sum(lengths) == pytest.approx(end - top)
        assert metal / sum(lengths) == pytest.approx(facts["zone_Au_ppm"], abs=1e-4)
        assert facts["zone_Au_ppm"] > 1.0


def test_the_zone_is_logged_as_sulphidic_schist(truth: dict[str, Any]) -> None:
    for hole, rows in by_hole("lithology").items():
        facts = truth["holes"]["holes"][hole]
        middle = (facts["zone_from_m"] + facts["zone_to_m"]) / 2
        rock = [r["Lithology"] for r in rows if float(r["From_m"]) <= middle < float(r["To_m"])]
        assert rock == ["Sulphidic schist"]


def test_the_holes_stand_over_the_surface_anomaly(truth: dict[str, Any]) -> None:
    east, north = truth["geochem"]["anomaly"]["centre"]
    for row in table("collar"):
        away = math.hypot(float(row["Easting"]) - east, float(row["Northing"]) - north)
        assert away < 1.5 * truth["geochem"]["anomaly"]["radius_m"]

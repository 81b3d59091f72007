"""The committed sample files are what the generator writes, and they hold what the truth says.

Counts, groups and geometry are taken from the files by routes that share no code with the
generator.
"""

import csv
import json
import math
import re
import statistics
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

DATA = Path(__file__).resolve().parents[2] / "data"
STEM = "meridian_ridge"
FILES = (
    "geochem.csv",
    "collar.csv",
    "survey.csv",
    "assay.csv",
    "lithology.csv",
    "certificate.xlsx",
    "MRD001.las",
    "truth.json",
)
NUMBER = re.compile(r"\d+(\.\d+)?")

Rows = list[dict[str, str]]


def table(name: str) -> Rows:
    with (DATA / f"{STEM}_{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    text = (DATA / f"{STEM}_truth.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


@pytest.fixture(scope="module")
def samples() -> Rows:
    return table("geochem")


@pytest.fixture(scope="module")
def regenerated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("regenerated")
    command = [sys.executable, "-B", str(DATA / "generate.py"), str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def counted(cells: list[str]) -> dict[str, Any]:
    """Count the cells of one column by their text alone."""
    plain = [float(cell) for cell in cells if NUMBER.fullmatch(cell)]
    other = [cell for cell in cells if not NUMBER.fullmatch(cell)]
    reasons = Counter(cell or "blank" for cell in other if not cell.startswith(("<", ">")))
    return {
        "count": len(plain),
        "below": sum(cell.startswith("<") for cell in cells),
        "above": sum(cell.startswith(">") for cell in cells),
        "missing": dict(reasons),
        "median": pytest.approx(statistics.median(plain), abs=1e-6),
    }


def half_limit(cell: str) -> float:
    if cell.startswith("<"):
        return float(cell[1:]) / 2
    return float(cell.removeprefix(">")) if cell.removeprefix(">")[:1].isdigit() else math.nan


@pytest.mark.parametrize("name", FILES)
def test_the_generator_writes_the_committed_bytes(regenerated: Path, name: str) -> None:
    path = f"{STEM}_{name}"
    assert (regenerated / path).read_bytes() == (DATA / path).read_bytes()


def test_the_generator_writes_nothing_else(regenerated: Path) -> None:
    assert {path.name for path in regenerated.iterdir()} == {f"{STEM}_{name}" for name in FILES}


def test_the_survey_file_has_241_lines_that_end_in_lf() -> None:
    content = (DATA / f"{STEM}_geochem.csv").read_bytes()
    assert content.count(b"\n") == 241
    assert content.endswith(b"\n")
    assert b"\r" not in content


def test_sample_numbers_and_places_are_unique(samples: Rows) -> None:
    assert len({row["SampleID"] for row in samples}) == 240
    assert len({(row["Easting"], row["Northing"]) for row in samples}) == 240


def test_the_counts_of_every_surface_column_agree_with_the_text(
    samples: Rows, truth: dict[str, Any]
) -> None:
    planted = truth["geochem"]["columns"]
    assert list(planted) == list(samples[0])[6:]
    for column, facts in planted.items():
        seen = counted([row[column] for row in samples])
        assert {key: facts[key] for key in seen} == seen, column


def test_censored_cells_carry_the_limits_of_the_truth(samples: Rows, truth: dict[str, Any]) -> None:
    for column, facts in truth["geochem"]["columns"].items():
        limits = {row[column][1:] for row in samples if row[column].startswith("<")}
        assert limits <= {f"{facts['lower_limit']:g}"}, column
        plain = [float(row[column]) for row in samples if NUMBER.fullmatch(row[column])]
        assert facts["lower_limit"] <= min(plain) <= max(plain) <= facts["upper_limit"], column


def test_gold_is_below_detection_in_fifteen_to_twenty_of_a_hundred(samples: Rows) -> None:
    below = sum(row["Au_ppb"] == "<1" for row in samples)
    assert 0.15 <= below / len(samples) <= 0.20


def test_arsenic_is_over_range_twice_and_only_in_the_anomaly(
    samples: Rows, truth: dict[str, Any]
) -> None:
    over = [row["SampleID"] for row in samples if row["As_ppm"] == ">10000"]
    assert len(over) == 2
    assert set(over) <= set(truth["geochem"]["anomaly"]["samples"])


@pytest.mark.parametrize("which", ["key", "all"])
@pytest.mark.parametrize("seed", [0, 1])
def test_kmeans_recovers_the_planted_populations(
    samples: Rows, truth: dict[str, Any], which: str, seed: int
) -> None:
    planted = truth["geochem"]["groups"][which]
    values = np.array(
        [[half_limit(row[column]) for column in planted["columns"]] for row in samples]
    )
    whole = np.isfinite(values).all(axis=1)
    logs = np.log10(values[whole])
    points = (logs - logs.mean(axis=0)) / logs.std(axis=0)
    found = KMeans(n_clusters=3, n_init=10, random_state=seed).fit_predict(points)
    population = truth["geochem"]["population_of_sample"]
    names = [population[row["SampleID"]] for row, kept in zip(samples, whole, strict=True) if kept]
    score = adjusted_rand_score(names, found)
    assert whole.sum() == planted["rows"]
    assert 0.85 <= score < 1.0, "separable, with some honest overlap"
    assert score == pytest.approx(planted["adjusted_rand"], abs=0.02)


def test_the_logged_rock_agrees_mostly_with_the_population(
    samples: Rows, truth: dict[str, Any]
) -> None:
    facts = truth["geochem"]
    rock, population = facts["lithology"]["population_of_rock"], facts["population_of_sample"]
    agree = sum(rock[row["Lithology"]] == population[row["SampleID"]] for row in samples)
    assert agree / 240 == pytest.approx(facts["lithology"]["agreement"], abs=1e-4)
    assert 0.85 < agree / 240 < 1.0


def test_the_anomaly_is_nine_samples_nearest_to_its_centre(
    samples: Rows, truth: dict[str, Any]
) -> None:
    anomaly = truth["geochem"]["anomaly"]
    east, north = anomaly["centre"]
    distance = {
        row["SampleID"]: math.hypot(float(row["Easting"]) - east, float(row["Northing"]) - north)
        for row in samples
    }
    inside = {name for name, metres in distance.items() if metres <= anomaly["radius_m"] + 0.2}
    assert set(anomaly["samples"]) <= inside
    assert len(anomaly["samples"]) == 9
    assert len(inside) <= 11
    assert anomaly["radius_m"] < 150


@pytest.mark.parametrize("column", ["Au_ppb", "As_ppm", "Sb_ppm"])
def test_the_anomaly_holds_the_nine_highest_values(
    samples: Rows, truth: dict[str, Any], column: str
) -> None:
    known = [row for row in samples if not math.isnan(half_limit(row[column]))]
    ranked = sorted(known, key=lambda row: half_limit(row[column]), reverse=True)
    top = {row["SampleID"] for row in ranked[:9]}
    assert len(top & set(truth["geochem"]["anomaly"]["samples"])) >= 8


def test_elements_move_together_as_in_rock(samples: Rows, truth: dict[str, Any]) -> None:
    units = {column.split("_")[0]: column for column in samples[0]}
    for pair, facts in truth["geochem"]["pearson_log10"].items():
        first, second = (units[symbol] for symbol in pair.split("-"))
        both = [
            (math.log(float(row[first])), math.log(float(row[second])))
            for row in samples
            if NUMBER.fullmatch(row[first]) and NUMBER.fullmatch(row[second])
        ]
        r = statistics.correlation(*zip(*both, strict=True))
        assert len(both) == facts["n"], pair
        assert r == pytest.approx(facts["r"], abs=6e-4), pair
        assert r > 0.7, pair


def test_major_oxides_leave_room_for_what_was_not_analysed(samples: Rows) -> None:
    for row in samples:
        oxides = ("SiO2_pct", "Al2O3_pct", "MgO_pct", "K2O_pct")
        # 1.43 turns iron into Fe2O3 by atomic weights.
        total = sum(half_limit(row[name]) for name in oxides) + 1.43 * half_limit(row["Fe_pct"])
        assert math.isnan(total) or 70 < total < 99.5, row["SampleID"]


def test_row_counts_agree_with_the_files(truth: dict[str, Any]) -> None:
    for name in ("geochem", "collar", "survey", "assay", "lithology"):
        assert truth["rows"][f"{STEM}_{name}.csv"] == len(table(name))

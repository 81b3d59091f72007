"""The two questions that the product is judged by, through the real path, recomputed."""

from __future__ import annotations

import csv
import json
import math
import re
import statistics
from pathlib import Path

import pytest

from workbench.answer import Answer
from workbench.confine import WALLS
from workbench.notebook import card
from workbench.session import Session
from workbench.walls import landlock

QUICKSTART = (
    "Group the samples by Au, As, Cu and Sb into three clusters, tell me what each group is, "
    "and map gold."
)


@pytest.fixture(scope="module")
def grouped(sample_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Answer:
    session = Session.open(sample_data, tmp_path_factory.mktemp("results"))
    return session.ask(QUICKSTART)


@pytest.fixture(scope="module")
def truth(sample_data: Path) -> dict[str, object]:
    return dict(json.loads((sample_data / "meridian_ridge_truth.json").read_text()))


def _labels(answer: Answer) -> dict[str, str]:
    (table,) = [item for item in answer.artefacts if item.path.endswith("_kmeans_3.csv")]
    with (answer.folder / table.path).open(newline="") as file:
        return {row["SampleID"]: row["cluster"] for row in csv.DictReader(file)}


def test_the_quickstart_is_answered_in_words_numbers_and_a_figure(grouped: Answer) -> None:
    assert grouped.status == "answered"
    assert grouped.text.startswith("rule-based planner, no language model")
    names = [item.path for item in grouped.artefacts]
    assert "meridian_ridge_geochem_kmeans_3.csv" in names
    assert any(item.media_type == "application/vnd.plotly.v1+json" for item in grouped.artefacts)


def test_every_clustered_row_stands_in_the_file_with_its_label(
    grouped: Answer, truth: dict[str, dict[str, object]]
) -> None:
    labels = _labels(grouped)
    sizes = sorted(list(labels.values()).count(label) for label in set(labels.values()))
    stated = re.findall(r"^Group \d \((\d+) samples", grouped.text, re.MULTILINE)
    told = sorted(int(number) for number in stated)
    assert sizes == told
    assert len(labels) == 233
    assert "7 rows left out" in grouped.text
    assert len(truth["geochem"]["population_of_sample"]) == 240  # type: ignore[arg-type]


def test_the_groups_recover_the_planted_populations(
    grouped: Answer, truth: dict[str, dict[str, dict[str, str]]]
) -> None:
    from sklearn.metrics import adjusted_rand_score

    labels = _labels(grouped)
    planted = truth["geochem"]["population_of_sample"]
    found = adjusted_rand_score([planted[key] for key in labels], list(labels.values()))
    assert found >= 0.85


def test_the_model_saw_a_path_and_the_numbers_that_decide_and_no_row(
    grouped: Answer, sample_data: Path
) -> None:
    seen = "\n".join(grouped.seen)
    assert "meridian_ridge_geochem_kmeans_3.csv" in seen
    assert "silhouette" in seen
    with (sample_data / "meridian_ridge_geochem.csv").open(newline="") as file:
        names = [row["SampleID"] for row in csv.DictReader(file)]
    assert sum(name in seen for name in names) <= 20


def test_every_request_is_the_sum_of_its_blocks(grouped: Answer) -> None:
    events = (grouped.folder / "events.jsonl").read_text().splitlines()
    requests = [e["data"] for e in map(json.loads, events) if e["kind"] == "request"]
    assert requests
    for data in requests:
        body = (grouped.folder / data["path"]).read_text()
        assert sum(data["chars_by_category"].values()) == len(body)


def test_children_of_the_run_were_confined_and_told_so(grouped: Answer) -> None:
    walls = dict(grouped.view["confinement"])
    level = walls.pop("level")
    open_walls = [name for name, state in walls.items() if state != "enforced"]
    assert set(walls) == set(WALLS)
    assert (level == "full") == (open_walls == [])
    if landlock.abi() >= landlock.ABI_NET:
        assert level == "full"
    (told,) = [fact for fact in card.facts(grouped.view) if fact.startswith("confinement: ")]
    assert told.startswith(f"confinement: {level}")
    assert all(name in told for name in open_walls)


def test_arsenic_of_a_survey_is_judged_by_a_named_rule_that_recomputes(
    real_data: Path, tmp_path: Path
) -> None:
    folder = real_data / "tellus-ie-2013"
    answer = Session.open(folder, tmp_path).ask("Which samples are anomalous in arsenic?")
    assert answer.status == "answered"
    with (folder / "tellus_2013_stream_sediment.csv").open(newline="") as file:
        values = [float(row["As_mgkg"]) for row in csv.DictReader(file)]
    logs = [math.log10(value) for value in values]
    middle = statistics.median(logs)
    spread = 1.4826 * statistics.median(abs(value - middle) for value in logs)
    threshold = 10 ** (middle + 2 * spread)
    count = sum(value > threshold for value in values)
    assert "median + 2 × MAD" in answer.text
    told = re.search(r"([\d,]+) of 3,626 samples", answer.text)
    assert told is not None
    assert int(told[1].replace(",", "")) == count
    stated = re.search(r"above ([\d.]+) mg/kg", answer.text)
    assert stated is not None
    assert float(stated[1]) == pytest.approx(threshold, rel=5e-3)
    flagged = next(item for item in answer.artefacts if "flagged" in item.path)
    assert flagged.rows == count

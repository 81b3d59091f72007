"""The command line from end to end: offline planner, real children, the sample data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench import cli
from workbench.runs import past

QUESTION = "Group the samples by Au, As, Cu and Sb into three clusters, tell me what each group is."


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory, sample_data: Path) -> Path:
    """A folder with the sample soils alone, for all tests of this module."""
    folder = tmp_path_factory.mktemp("field")
    source = sample_data / "meridian_ridge_geochem.csv"
    (folder / source.name).write_bytes(source.read_bytes())
    return folder


def test_a_question_is_answered_with_a_file_that_can_be_paged(
    field: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["ask", QUESTION, "--data", str(field), "--json"]) == 0
    view = json.loads(capsys.readouterr().out)
    assert view["status"] == "answered"
    assert view["answer"].startswith("rule-based planner, no language model")
    made = [item for item in view["artefacts"] if item["made_by"]["tool"] == "cluster"]
    [artefact] = [item for item in made if item["media_type"] == "text/csv"]
    assert (
        cli.main(["rows", artefact["id"], "--data", str(field), "--json", "--limit", "1000"]) == 0
    )
    page = json.loads(capsys.readouterr().out)
    assert page["total"] == artefact["rows"]
    at = page["columns"].index("cluster")
    assert {row[at] for row in page["rows"]} == {1, 2, 3}


def test_a_run_that_is_replayed_gives_the_same_answer_and_the_same_bytes(
    field: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["ask", QUESTION, "--data", str(field), "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    words = ["replay", first["run"], "--results", str(field / "results"), "--json"]
    assert cli.main(words) == 0
    second = json.loads(capsys.readouterr().out)
    assert second["model"]["provider"] == "replay"
    assert second["answer"] == first["answer"]
    assert [item["sha256"] for item in second["artefacts"]] == [
        item["sha256"] for item in first["artefacts"]
    ]


def test_a_question_outside_the_range_is_refused_with_what_can_be_asked(
    field: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["ask", "What is the meaning of life?", "--data", str(field)]) == 1
    out, err = capsys.readouterr()
    assert "“What can you do?” lists all" in out
    assert err.splitlines()[-1].startswith("workbench: failed: ")


def test_a_budget_ends_a_real_run_with_three(
    field: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["ask", QUESTION, "--data", str(field), "-b", "100"]) == 3
    assert "run_tokens" in capsys.readouterr().err


def test_a_bad_column_is_refused_with_the_nearest(
    field: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["call", "anomaly", "path=meridian_ridge_geochem.csv", "column=Au_pbb"]
    assert cli.main([*words, "--data", str(field)]) == 1
    assert "Au_ppb" in capsys.readouterr().out


def test_ten_thousand_rows_asked_for_are_twenty(
    field: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["call", "query_data", "path=meridian_ridge_geochem.csv", "operation=head", "n=10000"]
    assert cli.main([*words, "--data", str(field), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["text"].count("MR-0") == 20
    assert "preview_rows" in shown["limits_hit"]


def test_results_may_lie_elsewhere_and_the_data_stays_untouched(
    field: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(place.name for place in field.iterdir())
    words = ["ask", "How many samples are there?", "--data", str(field)]
    assert cli.main([*words, "--results", str(tmp_path / "out")]) == 0
    capsys.readouterr()
    assert sorted(place.name for place in field.iterdir()) == before
    assert len(past.runs(tmp_path / "out")) == 1

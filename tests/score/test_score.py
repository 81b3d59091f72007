"""The scored questions: right answers by another route, honest outcomes, a table that can grow."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conversation import session
from models.provider_server import ProviderServer, act, text

from workbench import cli
from workbench.errors import Refused
from workbench.models.scripted import Say
from workbench.score import registry, scores
from workbench.score.judging import given, missing
from workbench.score.rawfiles import Raw
from workbench.score.scoring import OUTCOMES, Places, Scored, by_group, questions, score

HOW = tomllib.loads((Path(scores.__file__).parent / "questions.toml").read_text())["files"]
GEOCHEM = "meridian_ridge_geochem.csv"


@pytest.fixture(scope="module")
def truth(sample_data: Path) -> Mapping[str, Any]:
    return json.loads((sample_data / "meridian_ridge_truth.json").read_text())


def value(folder: Path, work: str, **named: Any) -> list[float | str]:  # noqa: ANN401 - a question's
    return registry.find(work)(Raw(folder, HOW), **named)


def test_there_are_forty_questions_in_eight_groups_with_ids_of_their_own() -> None:
    every = questions()
    assert len(every) == len({item.id for item in every}) == 40
    assert len({item.group for item in every}) == 8
    assert all(item.expect for item in every)


def test_every_expected_value_can_be_worked_out_where_the_data_is(sample_data: Path) -> None:
    places = Places(sample_data, scores.public(None))
    for item in questions():
        folder = places.data(item.data)
        for expected in item.expect if folder else ():
            if "value" in expected:
                left_out = {"value", "within", "times"}
                named = {k: v for k, v in expected.items() if k not in left_out}
                found = value(folder, expected["value"], **named)  # type: ignore[arg-type]
                assert found, item.id
                assert all(isinstance(one, str) or np.isfinite(one) for one in found), item.id


def test_the_right_answers_are_those_that_were_planted(
    sample_data: Path, truth: Mapping[str, Any]
) -> None:
    for column, planted in truth["geochem"]["columns"].items():
        (middle,) = value(sample_data, "quantile", file=GEOCHEM, column=column, shares=[0.5])
        assert middle == pytest.approx(planted["median"]), column
        share = planted["below"] / (planted["count"] + planted["below"] + planted["above"])
        (below,) = value(sample_data, "below_share", file=GEOCHEM, column=column)
        assert below == pytest.approx(100 * share), column


def test_the_right_answers_agree_with_the_facts_of_public_files(real_data: Path) -> None:
    kola = real_data / "kola-moss"
    facts = json.loads((kola / "kola_moss_eu.csv.facts.json").read_text())
    (rows,) = value(kola, "rows", file="kola_moss_eu.csv")
    assert rows == facts["rows"]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (240, "There are 240 samples."),
        (1005, "1,005 rows"),
        (15.8798, "16 % of the gold"),
        (15.8798, "15.9 %"),
        (0.00699, "0.00699 %"),
        (-0.4612, "r = −0.46"),
        (23.5, "23.5"),
        ("MR-0133", "highest: MR-0133 (2,610)"),
        ("S", "S_pct (+0.81)"),
    ],
)
def test_a_number_counts_as_it_is_rounded_and_a_name_as_it_is(
    number: float | str, text: str
) -> None:
    assert given(number, text)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (240, "There are 24 samples, 2400 cells, MR-240 and 239.9."),
        (15.8798, "about 15 %"),
        (0.4, "0"),
        (12.0, "d12 and MR-0012"),
        ("As", "Assays"),
        ("MR-0133", "MR-01337"),
    ],
)
def test_another_number_or_name_does_not(number: float | str, text: str) -> None:
    assert not given(number, text)


def test_what_is_lacking_is_named(tmp_path: Path, sample_data: Path) -> None:
    answer = session(tmp_path, {"guide": [Say("240 samples")]}).ask("x")
    expected = [
        {"value": "rows", "file": GEOCHEM},
        {"value": "columns", "file": GEOCHEM},
        {"made": "figure"},
    ]
    lacks = missing(Raw(sample_data, HOW), expected, answer)
    assert lacks == ["columns: 26", "no figure was made"]


def test_what_is_turned_down_is_not_answered_and_what_is_not_here_is_skipped(
    sample_data: Path, tmp_path: Path
) -> None:
    places = Places(sample_data, None, tmp_path)
    found = list(score("offline", places, ["A2", "A7", "B6", "C1"]))
    assert [item.outcome for item in found] == ["right", "skipped", "skipped", "not answered"]
    assert found[0].tokens > 0
    assert found[3].why
    counts = by_group(found)
    assert counts["What have I got"] == {
        "right": 1, "wrong": 0, "not answered": 0, "skipped": 1,
    }  # fmt: skip


def test_an_unknown_question_is_refused() -> None:
    with pytest.raises(Refused, match="question 'Z9': there is none"):
        questions(["Z9"])


def test_a_column_can_be_added_to_the_kept_scores(tmp_path: Path) -> None:
    file = tmp_path / "scores.json"
    for model, outcome in (("one", "right"), ("two", "wrong"), ("one", "not answered")):
        scores.keep(file, model, [Scored("A1", "g", "?", outcome)])  # type: ignore[arg-type]
    kept = scores.read(file)
    assert kept == {"one": {"A1": "not answered"}, "two": {"A1": "wrong"}}
    heads, *rows = scores.table(kept)
    assert heads == ("group", "questions", "`one`", "`two`")
    assert rows[-1] == (
        "all", "40", "0 right, 1 not answered, 39 skipped", "0 right, 1 wrong, 39 skipped",
    )  # fmt: skip


def test_the_command_prints_a_table_by_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["score", "--only", "A2", "H3", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["groups"]["Drillholes and logs"]["right"] == 1
    assert "A2 right: How many samples" in err


def test_a_model_on_a_server_of_ones_own_is_scored(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with ProviderServer([act(text("There are 240 samples."))]) as server:
        words = ["score", "-m", "anthropic:m", "--base-url", server.url, "--only", "A2", "A3"]
        assert cli.main([*words, "--keep", str(tmp_path / "scores.json"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["questions"]
    assert [item["outcome"] for item in found] == ["right", "wrong"]
    assert [asked.json["model"] for asked in server.asked] == ["m", "m"]
    assert scores.read(tmp_path / "scores.json")["anthropic:m"] == {"A2": "right", "A3": "wrong"}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_the_readme_says_of_the_offline_planner_holds(sample_data: Path) -> None:
    kept = scores.read()["offline"]
    assert set(kept) == {item.id for item in questions()}
    assert set(kept.values()) <= set(OUTCOMES)
    found = {item.id: item.outcome for item in score("offline", Places(sample_data))}
    # It may have learnt more since; what was right must still be.
    lost = [one for one, now in found.items() if kept[one] == "right" != now != "skipped"]
    assert lost == []

"""A file of questions put to data folders: resumed, summed up."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from inprocess import start_in_process
from reporting import GEOCHEM

from workbench import session as session_module
from workbench.cli import main
from workbench.errors import Refused
from workbench.report import batch

QUESTIONS = """# Weekly lab delivery

What we ask of every delivery.

## How many samples are there?

## What share of Au is below detection?

of gold alone, please
"""


@pytest.fixture
def asked(field: Path) -> Path:
    place = field.parent / "questions.md"
    place.write_text(QUESTIONS, encoding="utf-8")
    return place


def test_each_heading_is_a_question_with_what_stands_below_it() -> None:
    first, second = batch.questions(QUESTIONS)
    assert first == "How many samples are there?"
    assert second.splitlines()[0] == "What share of Au is below detection?"
    assert second.endswith("of gold alone, please")


def test_headings_of_one_level_are_all_questions() -> None:
    assert batch.questions("# a\n# b\n```\n# no\n```\n") == ["a", "b\n```\n# no\n```"]


def test_a_file_without_a_heading_is_refused() -> None:
    with pytest.raises(Refused, match="one question a heading"):
        batch.questions("How many?")


def test_a_batch_answers_reports_and_sums_up(
    field: Path, asked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    words = ["batch", str(asked), str(field), "-o", str(out), "-m", "offline"]
    assert main(words) == 0
    text = (out / "summary.md").read_text(encoding="utf-8")
    assert "2 of 2 answered" in text
    assert "[report](field/01-how-many-samples-are-there.html)" in text
    assert (out / "field" / "01-how-many-samples-are-there.ipynb").is_file()
    rows = list(csv.reader((out / "summary.csv").read_text(encoding="utf-8").splitlines()))
    assert [row[2] for row in rows[1:]] == ["answered", "answered"]
    assert "1/2 field: How many samples" in capsys.readouterr().err
    # Again, nothing is asked; a new delivery is.
    runs = set((field / "results").iterdir())
    assert main(words) == 0
    assert set((field / "results").iterdir()) == runs
    assert "answered before" in capsys.readouterr().err
    (field / "more.csv").write_text("a,b\n1,2\n")
    assert main(words) == 0
    assert len(set((field / "results").iterdir()) - runs) == 2


def test_an_interrupted_batch_goes_on_where_it_stopped(
    field: Path, asked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    words = ["batch", str(asked), str(field), "-o", str(out), "-m", "offline"]

    def start(*given: object) -> object:
        if (out / batch.STATE).exists():  # the first question has its answer
            raise KeyboardInterrupt
        return start_in_process(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(session_module, "start_child", start)
    assert main(words) == 130
    lines = (out / batch.STATE).read_text().splitlines()
    assert [json.loads(line)["status"] for line in lines] == ["answered"]
    assert "not asked yet" in (out / "summary.md").read_text(encoding="utf-8")
    monkeypatch.setattr(session_module, "start_child", start_in_process)
    assert main(words) == 0
    assert len((out / batch.STATE).read_text().splitlines()) == 2


def test_a_cell_of_the_summary_is_no_formula(tmp_path: Path, field: Path) -> None:
    (task,) = batch.plan(["=1+1"], [field], "")
    done = batch.Done(task.sign, "", task.question, "answered", "@x", "", "../x y", 1.0)
    batch.summary(tmp_path, [task], {task.sign: done})
    (row,) = list(csv.reader((tmp_path / "summary.csv").read_text(encoding="utf-8").splitlines()))[
        1:
    ]
    assert row[1] == "'=1+1"
    assert row[3] == "'@x"
    assert "](../x" not in (tmp_path / "summary.md").read_text(encoding="utf-8")


def test_a_torn_state_file_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    (tmp_path / batch.STATE).write_text('{"sign": "a"}\n{"torn')
    assert batch.known(tmp_path) == {}


def test_folders_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for name in ("a/x", "b/x"):
        (tmp_path / name).mkdir(parents=True)
    tasks = batch.plan(["q"], [tmp_path / "a/x", tmp_path / "b/x"], "")
    assert [task.name for task in tasks] == ["x/01-q", "x-2/01-q"]


def test_the_data_decides_whether_a_task_is_the_same(field: Path) -> None:
    first = batch.plan(["q"], [field], "")[0].sign
    assert batch.plan(["q"], [field], "")[0].sign == first
    (field / GEOCHEM).write_text("a\n1\n")
    assert batch.plan(["q"], [field], "")[0].sign != first

"""Past runs: listed, found, read, and told as interrupted where their writer is gone."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conversation import session

from workbench.asking.run import Run
from workbench.context.history import Thread
from workbench.errors import Refused
from workbench.models.scripted import Say
from workbench.runs import past


def asked(folder: Path, question: str = "How many samples?") -> Path:
    """Ask a scripted question; return the run's folder."""
    return session(folder, {"guide": [Say("240")]}).ask(question).folder


def begun(folder: Path) -> Run:
    """Begin a run and leave it unfinished."""
    import threading

    return Run(session(folder, {}).setting, "an open question", Thread(), threading.Event())


def test_runs_are_listed_newest_first_with_how_they_ended(tmp_path: Path) -> None:
    first = asked(tmp_path, "first")
    time.sleep(1.1)  # ids sort by the second
    second = session(tmp_path, {"guide": []}).ask("second").folder
    found = past.runs(first.parent)
    assert [item.folder for item in found] == [second, first]
    assert [item.status for item in found] == ["failed", "answered"]
    assert [item.question for item in found] == ["second", "first"]


def test_the_start_of_a_run_is_read_from_its_id(tmp_path: Path) -> None:
    folder = asked(tmp_path)
    moment = past.runs(folder.parent)[0].started
    assert abs((datetime.now(UTC) - moment).total_seconds()) < 60


def test_a_run_at_work_is_running_and_without_its_writer_interrupted(tmp_path: Path) -> None:
    run = begun(tmp_path)
    results = run.records.folder.parent
    assert past.runs(results)[0].status == "running"
    assert past.view(run.records.folder)["status"] == "running"
    run.ledger.close()
    assert past.runs(results)[0].status == "interrupted"
    shown = past.view(run.records.folder)
    assert (shown["status"], shown["question"]) == ("interrupted", "an open question")


def test_a_run_that_ended_is_not_interrupted_although_its_last_view_is_old(tmp_path: Path) -> None:
    folder = asked(tmp_path)
    shown = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**shown, "status": "running", "answer": ""}))
    found = past.view(folder)
    assert (found["status"], found["answer"]) == ("answered", "240")


def test_a_view_that_cannot_be_read_is_made_again_from_the_ledger(tmp_path: Path) -> None:
    folder = asked(tmp_path)
    (folder / "run.json").write_text('{"schema": 1, "stat')
    assert past.view(folder)["status"] == "answered"


def test_an_index_with_a_torn_line_still_lists_every_run(tmp_path: Path) -> None:
    folder = asked(tmp_path)
    index = folder.parent / "index.jsonl"
    index.write_bytes(index.read_bytes() + b'{"run": "2026')
    assert [item.folder for item in past.runs(folder.parent)] == [folder]


def test_a_run_that_the_index_does_not_know_is_listed_from_its_ledger(tmp_path: Path) -> None:
    folder = asked(tmp_path, "kept")
    (folder.parent / "index.jsonl").unlink()
    [found] = past.runs(folder.parent)
    assert (found.question, found.status) == ("kept", "answered")


def test_a_run_is_found_by_a_part_of_its_id_or_its_folder(tmp_path: Path) -> None:
    folder = asked(tmp_path)
    results = folder.parent
    assert past.find(results, folder.name) == folder
    assert past.find(results, folder.name[-3:]) == folder
    assert past.find(results, str(folder)) == folder


def test_a_run_that_is_not_there_names_the_nearest(tmp_path: Path) -> None:
    folder = asked(tmp_path)
    with pytest.raises(Refused, match=f"nearest: '{folder.name}'"):
        past.find(folder.parent, f"{folder.name[:-1]}_")


def test_a_part_that_several_ids_have_is_refused(tmp_path: Path) -> None:
    folder = asked(tmp_path)
    asked(tmp_path)
    with pytest.raises(Refused, match="2 runs are meant"):
        past.find(folder.parent, "how-many")


def test_a_run_knows_its_data_also_after_both_have_moved(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    asked(tmp_path / "here")
    (tmp_path / "here").rename(tmp_path / "there")
    [item] = past.runs(tmp_path / "there" / "data" / "results")
    assert past.data_of(item.folder, past.view(item.folder)) == tmp_path / "there" / "data"


def test_data_that_has_gone_is_told(tmp_path: Path) -> None:
    folder = asked(tmp_path)
    with pytest.raises(Refused, match="--data PATH"):
        past.data_of(folder, {"workspace": {"root": "../../../nowhere", "only": None}})


def test_f10_a_folder_of_many_runs_is_listed_whole(tmp_path: Path) -> None:
    lines = []
    for number in range(1_000):
        name = f"20260101-{number // 3600:02d}{number // 60 % 60:02d}{number % 60:02d}-q-abc"
        (tmp_path / name).mkdir()
        lines += [{"run": name, "event": "started", "question": "q"}]
        lines += [{"run": name, "event": "ended", "status": "answered"}]
    (tmp_path / "index.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert len(past.runs(tmp_path)) == 1_000

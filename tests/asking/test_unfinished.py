"""What killed runs leave is put in order by the next start, and nothing of a run at work is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from conversation import session

from workbench.answer import Answer
from workbench.asking import unfinished
from workbench.asking.run import Run
from workbench.context.history import Thread
from workbench.files import writerlock
from workbench.models.scripted import Say
from workbench.runs import past

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="nobody can tell there who writes")


def ask(folder: Path) -> Answer:
    return session(folder, {"guide": [Say("240")]}).ask("How many samples?")


def begun(folder: Path) -> Run:
    """Return a run at work, with half-written files in every place that has some."""
    run = Run(session(folder, {}).setting, "at work", Thread(), threading.Event())
    for place in (
        run.records.folder,
        *(run.records.folder / name for name in ("full", "requests")),
    ):
        (place / "0123456789ab.part").write_bytes(b"half")
    (run.records.folder / "sort.part").mkdir()
    (run.records.folder / "sort.part" / "block").write_bytes(b"12345678")
    return run


def parts(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*.part"))


def killed(folder: Path) -> Path:
    """Return the folder of a run whose writer has gone."""
    run = begun(folder)
    os.close(run.ledger._fd)
    run.ledger._fd = -1
    return run.records.folder


def test_the_next_start_removes_what_a_killed_run_left_half_done_and_says_so(
    tmp_path: Path,
) -> None:
    run = killed(tmp_path)
    answer = ask(tmp_path)
    assert parts(run) == []
    assert answer.view["notices"] == [
        "tidied: 1 earlier run was ended by force; 4 unfinished files were removed (20 bytes)"
    ]


def test_a_killed_run_then_reads_as_interrupted_everywhere(tmp_path: Path) -> None:
    run = killed(tmp_path)
    assert json.loads((run / "run.json").read_text())["status"] == "running"
    events = (run / "events.jsonl").read_bytes()
    ask(tmp_path)
    assert json.loads((run / "run.json").read_text())["status"] == "interrupted"
    assert unfinished.index(run.parent)[run.name]["status"] == "interrupted"
    assert past.view(run)["status"] == "interrupted"
    assert (run / "events.jsonl").read_bytes() == events


def test_it_is_told_once(tmp_path: Path) -> None:
    killed(tmp_path)
    ask(tmp_path)
    assert ask(tmp_path).view["notices"] == []


def test_a_run_at_work_is_left_alone(tmp_path: Path) -> None:
    run = begun(tmp_path)
    before = parts(run.records.folder)
    assert ask(tmp_path).view["notices"] == []
    assert parts(run.records.folder) == before
    run.ledger.close()


def test_a_run_that_is_just_beginning_is_left_alone(tmp_path: Path) -> None:
    results = ask(tmp_path).folder.parent
    young = results / "20300101-000000-just-made-abc"
    young.mkdir()
    (young / "events.jsonl").touch()
    (young / "x.part").touch()
    assert not str(unfinished.tidy(results))
    assert parts(young) == ["x.part"]
    assert young.name not in unfinished.index(results)


def test_where_nobody_can_tell_who_writes_nothing_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = killed(tmp_path)
    monkeypatch.setattr(writerlock, "held", lambda _path: None)
    assert not str(unfinished.tidy(run.parent))
    assert len(parts(run)) == 4


def test_nothing_is_followed_out_of_the_results_folder(tmp_path: Path) -> None:
    run = killed(tmp_path)
    outside = tmp_path / "outside"
    (outside / "inner").mkdir(parents=True)
    (outside / "precious.part").write_bytes(b"1")
    for file in (run / "full").iterdir():
        file.unlink()
    (run / "full").rmdir()
    (run / "full").symlink_to(outside)
    (run / "link.part").symlink_to(outside / "inner")
    (run.parent / "_snapshots").mkdir(exist_ok=True)
    (run.parent / "_snapshots" / "link.part").symlink_to(outside)
    ask(tmp_path)
    assert (outside / "precious.part").exists()
    assert (outside / "inner").is_dir()


READS = """
import sys, time
from pathlib import Path
from workbench.formats.reading import Reading
from workbench.limits import Limits
reading = Reading(Path(sys.argv[1]), Limits())
(reading.folder / "text").write_text("half a table")
print(reading.folder, flush=True)
time.sleep(60)
"""


def aged(place: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(place, (then, then))


def test_what_a_killed_reading_left_goes_and_what_another_works_in_stays(tmp_path: Path) -> None:
    results = ask(tmp_path).folder.parent
    snapshots = results / "_snapshots"
    snapshots.mkdir(exist_ok=True)
    words = [sys.executable, "-c", READS, str(snapshots)]
    with (
        subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as dead,
        subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as alive,
    ):
        assert dead.stdout is not None
        assert alive.stdout is not None
        left, used = Path(dead.stdout.readline().strip()), Path(alive.stdout.readline().strip())
        dead.kill()
        dead.wait()
        for place in (left, used):
            aged(place, 30)
        said = str(unfinished.tidy(results))
        assert (left.exists(), used.exists()) == (False, True)
        assert said == "tidied: 1 unfinished file was removed (12 bytes)"
        alive.kill()


def test_an_unfinished_file_goes_when_it_is_old_enough_that_nobody_writes_it(
    tmp_path: Path,
) -> None:
    results = ask(tmp_path).folder.parent
    old, young = results / "probe-1.part", results / "probe-2.part"
    old.touch()
    young.touch()
    aged(old, 3_600)
    unfinished.tidy(results)
    assert (old.exists(), young.exists()) == (False, True)

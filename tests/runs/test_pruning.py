"""``clean``: old requests, kept texts and snapshots go; ledgers, results and runs at work stay."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from conversation import session

from workbench.asking.run import Run
from workbench.context.history import Thread
from workbench.models.scripted import Say
from workbench.runs import past
from workbench.runs.pruning import clean

LATER = datetime.now(UTC) + timedelta(days=40)
MONTH = timedelta(days=30)


def asked(folder: Path) -> Path:
    """Ask a scripted question, with a result and a snapshot beside it; return the run's folder."""
    run = session(folder, {"guide": [Say("240")]}).ask("How many samples?").folder
    (run / "a_describe.csv").write_text("n\n240\n")
    snapshots = run.parent / "_snapshots"
    snapshots.mkdir(exist_ok=True)
    (snapshots / "k1.parquet").write_bytes(b"PAR1" * 100)
    return run


def test_requests_kept_texts_and_snapshots_of_old_runs_go(tmp_path: Path) -> None:
    run = asked(tmp_path)
    sizes = [file.stat().st_size for name in ("requests", "full") for file in run.glob(f"{name}/*")]
    done = clean(run.parent, MONTH, LATER)
    assert (done.runs, done.snapshots) == (1, 1)
    assert done.bytes == sum(sizes) + 400
    assert not (run / "requests").exists()
    assert list((run.parent / "_snapshots").iterdir()) == []


def test_ledger_view_and_results_stay(tmp_path: Path) -> None:
    run = asked(tmp_path)
    clean(run.parent, MONTH, LATER)
    assert past.view(run)["answer"] == "240"
    assert (run / "events.jsonl").stat().st_size > 0
    assert (run / "a_describe.csv").read_text() == "n\n240\n"
    assert list((run / "responses").iterdir()) != []


def test_reports_stay_and_are_counted(tmp_path: Path) -> None:
    run = asked(tmp_path)
    (run / "report").mkdir()
    (run / "report" / "report.html").write_bytes(b"x" * 300)
    done = clean(run.parent, MONTH, LATER)
    assert (done.reports, done.report_bytes) == (1, 300)
    assert (run / "report" / "report.html").is_file()


def test_a_run_that_is_not_old_enough_stays_as_it_is(tmp_path: Path) -> None:
    run = asked(tmp_path)
    done = clean(run.parent, MONTH, datetime.now(UTC))
    assert (done.runs, done.snapshots, done.bytes) == (0, 0, 0)
    assert list((run / "requests").iterdir()) != []


def test_cleaning_twice_finds_nothing_the_second_time(tmp_path: Path) -> None:
    run = asked(tmp_path)
    clean(run.parent, MONTH, LATER)
    assert clean(run.parent, MONTH, LATER).bytes == 0


def test_a_run_at_work_and_the_snapshots_it_may_need_are_left_alone(tmp_path: Path) -> None:
    import threading

    old = asked(tmp_path)
    run = Run(session(tmp_path, {}).setting, "at work", Thread(), threading.Event())
    (run.records.folder / "requests" / "guide-r01.json").write_text("{}")
    done = clean(old.parent, MONTH, LATER)
    assert (done.runs, done.snapshots) == (1, 0)
    assert (run.records.folder / "requests" / "guide-r01.json").exists()
    run.ledger.close()


def test_nothing_is_followed_out_of_the_results_folder(tmp_path: Path) -> None:
    run = asked(tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious.csv").write_text("1\n")
    for name in ("requests", "full"):
        for file in (run / name).iterdir():
            file.unlink()
        (run / name).rmdir()
        (run / name).symlink_to(outside)
    (run.parent / "_snapshots" / "link").symlink_to(outside)
    clean(run.parent, MONTH, LATER)
    assert (outside / "precious.csv").exists()

"""The writer's lock: one writer a ledger, and a dead one is known as dead."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.errors import Fault
from workbench.files import writerlock
from workbench.ledger import Ledger
from workbench.limits import Limits

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="only POSIX has these locks")

HOLD = """
import sys, time
from pathlib import Path
from workbench.ledger import Ledger
from workbench.limits import Limits
book = Ledger(Path(sys.argv[1]), "run-1", Limits())
print("open", flush=True)
time.sleep(60)
"""


def test_a_ledger_has_a_writer_until_it_is_closed(tmp_path: Path) -> None:
    book = Ledger(tmp_path / "events.jsonl", "run-1", Limits())
    assert writerlock.held(book.path) is True
    book.close()
    assert writerlock.held(book.path) is False


def test_a_ledger_that_is_not_there_has_no_writer(tmp_path: Path) -> None:
    assert writerlock.held(tmp_path / "events.jsonl") is False


def test_a_second_writer_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    book = Ledger(tmp_path / "events.jsonl", "run-1", Limits())
    with pytest.raises(Fault, match="another process is writing"):
        Ledger(book.path, "run-1", Limits())
    assert book.append("tick", {}).seq == 1
    book.close()


def test_asking_does_not_take_the_lock_away(tmp_path: Path) -> None:
    book = Ledger(tmp_path / "events.jsonl", "run-1", Limits())
    writerlock.held(book.path)
    assert writerlock.held(book.path) is True
    book.close()


def test_the_lock_of_a_killed_writer_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    words = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        assert writerlock.held(path) is True
        os.kill(process.pid, signal.SIGKILL)
        process.wait(timeout=30)
    assert writerlock.held(path) is False

"""Faults while a script is at work: stopped, the kernel killed, the disk full."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from conversation import events
from faults import invariants
from faults.test_failing_disk import in_namespace
from faults.test_run_faults import family

from workbench.files.recordnames import WORK
from workbench.models.scripted import ScriptedModel, call, finish
from workbench.process.processtree import descendants
from workbench.runs import past
from workbench.session import Session
from workbench.walls import engines

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or engines.found() is None, reason="no sandbox here: nothing is run"
)
TESTS = Path(__file__).resolve().parents[1]
PATIENCE = 60.0
AT_WORK = "open('rows.csv', 'w').write('id,Au\\n'); import time; time.sleep(300)"
SHORT = "open('done.csv', 'w').write('id,Au\\n')"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "soils.csv").write_text("id,Au\ns1,5\n")
    return folder


def session(data: Path, *scripts: str) -> Session:
    """Return a session whose specialist runs scripts, and ends."""
    replies = [call("run_script", code=code, seconds=200) for code in scripts]
    return Session.open(data, model=ScriptedModel({"d01": [*replies, finish("done")]}))


def at_work(data: Path, known: int = 0) -> None:
    """Wait until a script has written its first row."""
    limit = time.monotonic() + PATIENCE
    while time.monotonic() < limit:
        found = list(data.glob(f"results/*/{WORK}/d01/rows.csv"))
        if len(found) > known and found[-1].stat().st_size:
            return
        time.sleep(0.02)


def again(data: Path) -> None:
    answer = session(data, SHORT).ask("once more", agent="extended")
    assert answer.status == "answered", answer.reason
    assert [item.path for item in answer.artefacts] == ["script.py", "done.csv"]


def test_f3_a_run_stopped_while_a_script_is_at_work_keeps_what_it_had_written(data: Path) -> None:
    before, stop = invariants.fingerprint(data), threading.Event()
    pids: set[int] = set()

    def press() -> None:
        at_work(data)
        pids.update(of_scripts())
        stop.set()

    presser = threading.Thread(target=press)
    presser.start()
    answer = session(data, AT_WORK).ask("go", agent="extended", stop=stop)
    presser.join()
    assert answer.status == "interrupted"
    assert [item.path for item in answer.artefacts] == ["rows.csv"]
    told = [event.data["text"] for event in events(answer, "notice")]
    assert any("unfinished" in text and "rows.csv" in text for text in told), told
    assert len(pids) >= 3
    invariants.holds(answer.folder, before, pids=pids)
    again(data)


def of_scripts() -> set[int]:
    """Return what runs scripts, and the scripts: the fork server outlives a run."""
    found = set()
    for pid in descendants(os.getpid()):
        try:
            line = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if b"boot.py\0sandbox" in line or b"boot.py\0keeper" in line or b"inside.py" in line:
            found.add(pid)
    return found


ASKING = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from faults import test_script_faults as own
own.session(Path(sys.argv[2]), own.AT_WORK).ask("go", agent="extended")
"""


def test_f2_a_kernel_killed_while_a_script_is_at_work_leaves_no_process(data: Path) -> None:
    before = invariants.fingerprint(data)
    with subprocess.Popen(
        [sys.executable, "-c", ASKING, str(TESTS), str(data)], env=invariants.with_key()
    ) as kernel:
        seen: set[int] = set()
        looking = threading.Thread(target=lambda: seen.update(family(kernel)))
        looking.start()
        at_work(data)
        time.sleep(0.1)
        kernel.send_signal(signal.SIGKILL)
        looking.join()
    (run,) = past.runs(data / "results")
    assert run.status == "interrupted"
    invariants.holds(run.folder, before, outcome=False, pids=seen)
    again(data)


FULL = """
import json, subprocess, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from faults import invariants, test_script_faults as own
data = Path(sys.argv[2])
results = data / "results"
results.mkdir()
mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(results)]
subprocess.run(mount, check=True, capture_output=True)
before = invariants.fingerprint(data)
answer = own.session(data, own.FILLS, own.SHORT).ask("go", agent="extended")
for events in results.glob("*/events.jsonl"):
    invariants.holds(events.parent, before, outcome=None)
subprocess.run(["mount", "-o", "remount,size=200m", str(results)], check=True, capture_output=True)
own.again(data)
print(json.dumps([answer.status, answer.reason]))
"""
FILLS = """
try:
    with open('tmp/large', 'wb') as file:
        for _ in range(400):
            file.write(bytes(10_000))
            file.flush()
except OSError as error:
    print('the disk said', error.errno)
for _ in range(500):
    print('x' * 100)
import os
os.remove('tmp/large')
"""


def test_f4_a_script_that_fills_the_disk_ends_plainly_and_the_next_question_is_answered(
    data: Path,
) -> None:
    done = in_namespace([sys.executable, "-c", FULL, str(TESTS), str(data)])
    assert done.returncode == 0, done.stderr[-2000:]
    status, reason = json.loads(done.stdout)
    assert status in {"answered", "failed"}
    assert status == "answered" or "written" in reason or "space" in reason.casefold()

"""F4, F5: a disk that fails at any write of the notebook process, a full one, a read-only one.

Whatever fails, there is at most one outcome and it is one readable line; the invariants hold; and
the same question works as soon as the disk does.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from faults import invariants, question
from faults.failing_disk import Disk

from workbench.errors import WorkbenchError

HERE = Path(__file__).resolve().parent
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="names of descriptors come from /proc")
ERRORS = (errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT, 0)
# Places in the run, from its first write to its last but few, whose number depends on the speed.
SHARES = [step / 18 for step in range(18)]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with the question's file, and a key that must be found nowhere."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", invariants.KEY)
    folder = tmp_path / "data"
    question.plant(folder)
    return folder


@pytest.fixture(scope="module")
def writes(tmp_path_factory: pytest.TempPathFactory) -> int:
    """How often the question writes when nothing goes wrong."""
    folder = tmp_path_factory.mktemp("undisturbed") / "data"
    question.plant(folder)
    with Disk(folder / "results").inserted() as disk:
        assert question.ask(folder).status == "answered"
    return disk.count


def holds_and_works_again(data: Path, before: dict[str, str]) -> None:
    """Assert the invariants of every run, then that the question works with nothing cleaned up."""
    for events in (data / "results").glob("*/events.jsonl"):
        invariants.holds(events.parent, before, outcome=None)
    again = question.ask(data)
    assert again.status == "answered", again.reason
    invariants.holds(again.folder, before)


@LINUX
@pytest.mark.parametrize("number", range(len(SHARES)))
def test_f4_a_write_that_fails_ends_in_one_line_and_the_question_works_again(
    data: Path, writes: int, number: int
) -> None:
    error, for_good = ERRORS[number % len(ERRORS)], bool(number % 2) and number % len(ERRORS) != 4
    at = 1 + round(SHARES[number] * (writes - 1))
    before = invariants.fingerprint(data)
    with Disk(data / "results", at, error, for_good=for_good).inserted() as disk:
        try:
            said = question.ask(data).reason
        except WorkbenchError as fault:
            said = str(fault)
    assert disk.failed
    assert "\n" not in said
    assert "internal error" not in said
    holds_and_works_again(data, before)


MOUNTED = """
import json, subprocess, sys
from pathlib import Path
kind, here, data = sys.argv[1], sys.argv[2], Path(sys.argv[3])
sys.path.insert(0, str(Path(here).parent))
results = data / "results"
results.mkdir(exist_ok=True)
mount = ["mount", "-t", "tmpfs", "-o", f"size={sys.argv[4]}", "tmpfs", str(results)]
subprocess.run(mount, check=True, capture_output=True)
if kind == "read-only":
    subprocess.run(["mount", "-o", "remount,ro", str(results)], check=True, capture_output=True)
from faults import invariants, question
from workbench.errors import WorkbenchError
before = invariants.fingerprint(data)
requests = 0
try:
    answer = question.ask(data)
    said = answer.status, answer.reason
except WorkbenchError as fault:
    said = "refused", str(fault)
requests = len(list(results.glob("*/requests/*.json")))
parts = [str(path) for path in results.rglob("*.part")]
for events in results.glob("*/events.jsonl"):
    invariants.holds(events.parent, before, outcome=None)
loose = "remount,rw,size=200m"
subprocess.run(["mount", "-o", loose, str(results)], check=True, capture_output=True)
again = question.ask(data)
print(json.dumps([*said, requests, parts, again.status, again.reason]))
"""


def in_namespace(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a program where it may mount disks of its own; skip where nobody may."""
    if shutil.which("unshare") is None or sys.platform != "linux":
        pytest.skip("a disk in memory needs unshare, of Linux")
    done = subprocess.run(
        ["unshare", "--map-root-user", "--mount", *command],
        capture_output=True,
        text=True,
        check=False,
        env=invariants.with_key(),
    )
    if "unshare failed" in done.stderr or "Operation not permitted" in done.stderr:
        pytest.skip(f"no namespace can be made here: {done.stderr.strip()[-200:]}")
    return done


def mounted(data: Path, kind: str, size: str) -> tuple[str, str, int, list[str]]:
    """Ask on a results folder that is a small or read-only disk in memory, then on a good one."""
    done = in_namespace([sys.executable, "-c", MOUNTED, kind, str(HERE), str(data), size])
    assert done.returncode == 0, done.stderr[-2000:]
    status, reason, requests, parts, again, why = json.loads(done.stdout)
    assert again == "answered", why
    return status, reason, requests, parts


SIZES = ["64k", "200k", "16k", "128k"]


@pytest.mark.parametrize("size", SIZES if os.environ.get("WORKBENCH_FAULTS") else SIZES[:2])
def test_f4_a_full_disk_ends_in_one_line_and_leaves_no_half_file(data: Path, size: str) -> None:
    status, reason, _, parts = mounted(data, "full", size)
    assert status in {"failed", "refused", "answered"}
    assert parts == []
    if status != "answered":
        assert "space" in reason.casefold() or "written" in reason
        assert "internal error" not in reason


def test_f5_a_read_only_results_folder_is_told_before_any_request(data: Path) -> None:
    status, reason, requests, _ = mounted(data, "read-only", "10m")
    assert (status, requests) == ("refused", 0)
    assert "--results" in reason
    assert os.sep + "results" in reason

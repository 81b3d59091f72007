"""No process of ours outlives the kernel, whatever it was doing and however it ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workbench.process.processtree import children, end_tree, parent, running

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
PROGRAM = Path(__file__).with_name("kernel_stand_in.py")
Start = Callable[[str], "subprocess.Popen[bytes]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts a kernel stand-in in a state."""
    (tmp_path / "results" / "run-1").mkdir(parents=True)
    started: list[subprocess.Popen[bytes]] = []

    def begin(state: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, str(PROGRAM), state, str(tmp_path)]
        kernel = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
        started.append(kernel)
        return kernel

    yield begin
    for kernel in started:
        kernel.kill()
        kernel.wait()
        assert kernel.stdout is not None
        kernel.stdout.close()


def heard(kernel: subprocess.Popen[bytes]) -> list[int]:
    """Read the line that names the kernel's processes, and what came from them meanwhile."""
    assert kernel.stdout is not None
    named: list[int] = json.loads(kernel.stdout.readline())
    return sorted({*named, *(child for pid in named for child in children(pid))})


def left_after(pids: list[int], seconds: float = 2.0) -> list[int]:
    """Wait until the processes are gone; return those that are not."""
    limit = time.monotonic() + seconds
    while (left := [pid for pid in pids if running(pid)]) and time.monotonic() < limit:
        time.sleep(0.01)
    return left


@pytest.mark.parametrize("state", ["warming", "starting", "idle", "query", "lock", "copied"])
def test_nothing_outlives_a_kernel_that_is_killed(start: Start, state: str) -> None:
    kernel = start(state)
    pids = heard(kernel)
    assert all(running(pid) for pid in pids)
    kernel.kill()
    assert left_after(pids) == []


def test_nothing_outlives_a_kernel_that_ends_by_itself(start: Start) -> None:
    kernel = start("ends")
    pids = heard(kernel)
    assert kernel.wait(10) == 0
    assert left_after(pids) == []


def test_nothing_outlives_kernel_and_server_killed_together(start: Start) -> None:
    kernel = start("query")
    pids = heard(kernel)
    server = next(pid for pid in pids if parent(pid) == kernel.pid)
    os.kill(server, signal.SIGKILL)
    kernel.kill()
    assert left_after(pids) == []


def test_an_interrupt_of_the_kernel_reaches_no_child(start: Start) -> None:
    kernel = start("idle")
    pids = heard(kernel)
    os.killpg(kernel.pid, signal.SIGINT)
    assert kernel.stdout is not None
    alive = json.loads(kernel.stdout.readline())
    assert set(alive) < set(pids)
    assert len(alive) == 2
    assert json.loads(kernel.stdout.readline()) == {"ok": True, "reply": {"out": 1}}


def test_children_end_with_their_server(start: Start) -> None:
    kernel = start("query")
    pids = heard(kernel)
    server = next(pid for pid in pids if parent(pid) == kernel.pid)
    os.kill(server, signal.SIGKILL)
    assert left_after(pids) == []


def test_a_tree_is_ended_from_its_root(tmp_path: Path) -> None:
    code = "import os, time; [os.fork() for _ in range(3)]; time.sleep(60)"
    root = subprocess.Popen([sys.executable, "-c", code])
    limit = time.monotonic() + 5
    while len(children(root.pid)) < 3 and time.monotonic() < limit:
        time.sleep(0.01)
    pids = [root.pid, *children(root.pid)]
    time.sleep(0.05)
    assert end_tree(root.pid) == 8
    assert root.wait(5) == -signal.SIGKILL
    assert left_after(pids) == []

"""Starting children: quick, from anywhere, without a key, and with nothing left behind."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from workbench import launch
from workbench.errors import Failed
from workbench.launch import Places, first_line
from workbench.limits import Limits
from workbench.process.childlink import ChildFailed, ChildLink
from workbench.process.launch_exec import ExecLauncher
from workbench.process.launch_fork import ForkLauncher
from workbench.process.processtree import children, running
from workbench.walls import boot
from workbench.walls.environment import child_environment, outsiders

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
CANARY = "sk-canary-7f3a"
PROBE = Path(__file__).with_name("probe_server.py")


@pytest.fixture
def places(tmp_path: Path) -> Places:
    run = tmp_path / "results" / "run-1"
    run.mkdir(parents=True)
    return Places(str(tmp_path), str(tmp_path / "results"), str(run))


@pytest.fixture(scope="module")
def server() -> Iterator[ForkLauncher]:
    """The product's own server."""
    launcher = ForkLauncher()
    yield launcher
    launcher.close()


@pytest.fixture(scope="module")
def probe() -> Iterator[ForkLauncher]:
    """A server whose children carry out the code they are given."""
    launcher = ForkLauncher([sys.executable, "-I", str(PROBE)])
    yield launcher
    launcher.close()


def begun(launcher: ForkLauncher | ExecLauncher, places: Places) -> tuple[ChildLink, int]:
    """Start a child and wait until it is ready."""
    link = ChildLink(launcher.start(first_line({}, places)), Limits(), threading.Event())
    try:
        return link, link.ready()["pid"]
    except Failed:
        link.close()
        raise


def linked(launcher: ForkLauncher | ExecLauncher, places: Places) -> ChildLink:
    """Start a child and wait until it is ready."""
    return begun(launcher, places)[0]


def open_descriptors(pid: int | str = "self") -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def test_a_child_answers_through_the_public_door(places: Places) -> None:
    launch.warm()
    started = launch.start({"dispatch": "d01", "agent": "analytics", "limits": {}}, places)
    link = ChildLink(started, Limits(), threading.Event())
    ready = link.ready()
    answer = link.call("d01c1", "no_such_tool", {})
    link.close()
    assert ready["pid"] == started.pid
    assert {"workbench", "python", "duckdb", "numpy", "pyarrow"} == set(ready["versions"])
    assert (answer["ok"], answer["kind"]) == (False, "refused")
    launch.close()


def test_no_key_reaches_server_or_child(monkeypatch: pytest.MonkeyPatch, places: Places) -> None:
    for name in ("ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "LC_SECRET", "PYTHONPATH"):
        monkeypatch.setenv(name, CANARY)
    launcher = ForkLauncher([sys.executable, "-I", str(PROBE)])
    link, pid = begun(launcher, places)
    answer = link.call("d01c1", "run", {"code": "import os; out = dict(os.environ)"})
    seen = [Path(f"/proc/{number}/environ").read_bytes() for number in (launcher.pid, pid)]
    link.close()
    launcher.close()
    assert answer["ok"]
    assert CANARY not in str(answer["reply"])
    assert not any(CANARY.encode() in environment for environment in seen)


def test_the_environment_of_a_child_is_an_allow_list() -> None:
    given = {"PATH": "/bin", "OPENAI_API_KEY": CANARY, "LC_ALL": "C", "OPENBLAS_CORETYPE": "Zen"}
    environment = child_environment(given)
    assert {"PATH", "LC_ALL", "OPENBLAS_CORETYPE", "OMP_NUM_THREADS"} < set(environment)
    assert CANARY not in environment.values()
    assert outsiders(environment | {"OPENAI_API_KEY": ""}) == ["OPENAI_API_KEY"]


def test_fifty_children_in_a_row_leave_nothing_behind(server: ForkLauncher, places: Places) -> None:
    linked(server, places).close()
    assert server.pid is not None
    before = (open_descriptors(), open_descriptors(server.pid))
    for _ in range(50):
        linked(server, places).close()
    limit = time.monotonic() + 30
    while open_descriptors() > before[0] or open_descriptors(server.pid) > before[1]:
        assert time.monotonic() < limit  # the server lets go of the last a moment later
    assert children(server.pid) == set()


def test_children_are_started_from_several_threads_at_once(
    server: ForkLauncher, places: Places
) -> None:
    with ThreadPoolExecutor(8) as pool:
        pairs = list(pool.map(lambda _: begun(server, places), range(16)))
    for link, _ in pairs:
        link.close()
    assert len({pid for _, pid in pairs}) == 16


def test_a_child_is_started_under_a_running_event_loop(
    server: ForkLauncher, places: Places
) -> None:
    async def cell() -> dict[str, object]:
        link = await asyncio.to_thread(linked, server, places)
        other = linked(server, places)  # blocks the loop, as a cell does
        answer = other.call("d01c1", "no_such_tool", {})
        link.close()
        other.close()
        return answer

    assert asyncio.run(cell())["kind"] == "refused"


def test_a_server_that_has_died_is_replaced(places: Places) -> None:
    launcher = ForkLauncher([sys.executable, "-I", str(PROBE)])
    first = linked(launcher, places)
    dead = launcher.pid
    assert dead is not None
    os.kill(dead, signal.SIGKILL)
    with pytest.raises(ChildFailed, match="the fork server has gone"):
        first.call("d01c1", "run", {"code": "import time; time.sleep(30)"})
    first.close()
    second = linked(launcher, places)
    assert launcher.pid != dead
    second.close()
    launcher.close()


def test_a_server_that_cannot_start_says_why(places: Places) -> None:
    launcher = ForkLauncher([sys.executable, "-I", "-c", "raise SystemExit('no library here')"])
    with pytest.raises(Failed, match="no library here"):
        linked(launcher, places)  # told when it is started, or when it is waited for
    launcher.close()


def test_a_hung_server_does_not_keep_a_child_alive(places: Places) -> None:
    launcher = ForkLauncher([sys.executable, "-I", str(PROBE)])
    child = launcher.start(first_line({}, places))
    ChildLink(child, Limits(), threading.Event()).ready()
    pid, server = child.pid, launcher.pid
    assert pid is not None
    assert server is not None
    os.kill(server, signal.SIGSTOP)
    try:
        child.kill()
        left = running(pid)
    finally:
        os.kill(server, signal.SIGCONT)
        child.close()
        launcher.close()
    assert not left
    assert not running(server)


def test_ending_a_child_twice_is_harmless(server: ForkLauncher, places: Places) -> None:
    child = server.start(first_line({}, places))
    ChildLink(child, Limits(), threading.Event()).ready()
    pid = child.pid
    child.kill()
    child.kill()
    child.close()
    child.close()
    assert pid is not None
    assert not running(pid)
    assert not child.alive()


def test_the_server_has_one_thread_with_everything_loaded() -> None:
    checkout = str(Path(boot.__file__).parents[2])
    code = f"""
import os, sys
sys.path.insert(0, {checkout!r})
from workbench.process.preload import FIRST, LATER, preload
preload(FIRST + LATER)
print(len(os.listdir("/proc/self/task")), *[step for step in FIRST + LATER
      if isinstance(step, str) and step not in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=child_environment(), capture_output=True, check=True
    )
    assert done.stdout == b"1\n"


def test_a_copy_of_this_process_has_a_server_of_its_own(tmp_path: Path, places: Places) -> None:
    script = tmp_path / "kernel.py"
    script.write_text(f"""
import os, sys, threading
sys.path.insert(0, {str(Path(boot.__file__).parents[2])!r})
from workbench.process.childlink import ChildLink
from workbench.launch import Places, first_line
from workbench.process.launch_fork import ForkLauncher
from workbench.limits import Limits
launcher = ForkLauncher([sys.executable, "-I", {str(PROBE)!r}])
def one():
    child = launcher.start(first_line({{}}, {places!r}))
    link = ChildLink(child, Limits(), threading.Event())
    link.ready()
    return child, link
child, link = one()
server = launcher.pid
if os.fork() == 0:
    child.kill(); link.close()      # not the copy's to end
    mine, other = one()
    ok = launcher.pid != server and other.call("d01c1", "run", {{"code": "out = 1"}})["ok"]
    other.close(); launcher.close()
    os._exit(0 if ok else 1)
status = os.wait()[1]
alive = link.call("d01c1", "run", {{"code": "out = 2"}})["ok"]
link.close()
sys.exit(0 if status == 0 and alive and launcher.pid == server else 1)
""")
    assert subprocess.run([sys.executable, str(script)], check=False).returncode == 0


def test_children_come_from_the_very_files_of_this_package(tmp_path: Path) -> None:
    package = tmp_path / "workbench"
    shutil.copytree(Path(boot.__file__).parents[1], package, ignore=shutil.ignore_patterns("*.pyc"))
    code = f"""
import runpy, sys
runpy.run_path({str(package / "walls" / "boot.py")!r})["_bind_package"]()
import workbench.child
print(workbench.child.__file__)
"""
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, check=True, cwd="/"
    )
    assert Path(done.stdout.decode().strip()).parent == package


def test_only_our_own_programs_are_started() -> None:
    assert boot.main(["os", "--"]) == 2


def test_a_child_can_be_a_program_of_its_own(places: Places) -> None:
    launcher = ExecLauncher()
    launcher.warm()
    link = ChildLink(launcher.start(first_line({}, places)), Limits(), threading.Event())
    ready = link.ready()
    answer = link.call("d01c1", "no_such_tool", {})
    link.close()
    launcher.close()
    assert answer["kind"] == "refused"
    assert ready["confinement"]["exec"] == "enforced"
    assert not running(ready["pid"])


def test_a_program_of_its_own_ends_with_its_parent(tmp_path: Path, places: Places) -> None:
    script = tmp_path / "kernel.py"
    script.write_text(f"""
import os, sys, threading
sys.path.insert(0, {str(Path(boot.__file__).parents[2])!r})
os.environ["WORKBENCH_LAUNCH"] = "exec"
from workbench import launch
from workbench.process.childlink import ChildLink
from workbench.launch import Places
from workbench.limits import Limits
child = launch.start({{}}, {places!r})
ChildLink(child, Limits(), threading.Event()).ready()
sys.stdout.write(f"{{child.pid}}\\n"); sys.stdout.flush()
os.kill(os.getpid(), 9)
""")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, check=False)
    pid = int(done.stdout)
    limit = time.monotonic() + 30
    while running(pid) and time.monotonic() < limit:
        time.sleep(0.01)
    assert not running(pid)


def test_a_job_that_carries_content_is_refused(places: Places) -> None:
    with pytest.raises(Failed, match="pass ids and hashes"):
        first_line({"rows": "x" * 60_000}, places)


def test_a_job_that_is_no_plain_json_is_refused(places: Places) -> None:
    with pytest.raises(Failed, match="not plain JSON"):
        first_line({"root": Path("/data")}, places)


def test_a_run_whose_folder_has_gone_is_not_begun_again(
    server: ForkLauncher, places: Places
) -> None:
    Path(places.run).rmdir()
    link = ChildLink(server.start(first_line({}, places)), Limits(), threading.Event())
    with pytest.raises(ChildFailed, match="cannot be begun: No such file") as caught:
        link.ready()
    link.close()
    assert places.root not in str(caught.value)
    assert not Path(places.run).exists()

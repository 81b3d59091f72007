"""The walls around a child, tried from inside a real one."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workbench.confine import WALLS, Confinement
from workbench.launch import Places, first_line
from workbench.limits import Limits
from workbench.process.childlink import ChildLink
from workbench.process.launch_fork import ForkLauncher
from workbench.walls import landlock
from workbench.walls.environment import child_environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the walls are those of Linux")
needs_landlock = pytest.mark.skipif(
    landlock.abi() < landlock.ABI_NET, reason="this kernel has no Landlock with network rules"
)
PROBE = Path(__file__).with_name("probe_server.py")
Attempt = Callable[[str], object]


@pytest.fixture(scope="module")
def launcher() -> Iterator[ForkLauncher]:
    server = ForkLauncher([sys.executable, "-I", str(PROBE)])
    yield server
    server.close()


@pytest.fixture
def places(tmp_path: Path) -> Places:
    run = tmp_path / "data" / "results" / "run-1"
    run.mkdir(parents=True)
    (tmp_path / "data" / "soils.csv").write_text("Au_ppb\n12\n")
    (tmp_path / "outside.txt").write_text("not yours")
    return Places(str(tmp_path / "data"), str(tmp_path / "data" / "results"), str(run))


@pytest.fixture
def link(launcher: ForkLauncher, places: Places) -> Iterator[ChildLink]:
    started = launcher.start(first_line({"dispatch": "d01"}, places))
    link = ChildLink(started, Limits(), threading.Event())
    yield link
    link.close()


@pytest.fixture
def attempt(link: ChildLink) -> Attempt:
    """Return a function that runs code in a confined child and gives what came of it."""
    link.ready()

    def run(code: str) -> object:
        answer = link.call("d01c1", "attempt", {"code": code})
        assert answer["ok"], answer
        reply = answer["reply"]
        assert isinstance(reply, dict)
        return reply.get("raised", reply.get("out"))

    return run


@needs_landlock
def test_every_wall_stands_here(link: ChildLink) -> None:
    confinement = link.ready()["confinement"]
    assert confinement == {**dict.fromkeys(WALLS, "enforced"), "level": "full"}


@needs_landlock
@pytest.mark.parametrize(
    "code",
    [
        "open('../../../outside.txt')",
        "open('/etc/passwd')",
        "open('/etc/shadow')",
        "import os; os.listdir('/')",
        "import os; os.listdir(os.path.expanduser('~'))",
        "import os; open(f'/proc/{os.getppid()}/environ')",
        "open('/proc/1/environ')",
        "open('/proc/self/root/etc/passwd')",
    ],
)
def test_nothing_outside_the_data_is_read(attempt: Attempt, code: str) -> None:
    assert attempt(code) == "PermissionError"


@needs_landlock
def test_a_link_that_leads_out_is_not_followed(attempt: Attempt, places: Places) -> None:
    Path(places.root, "link.csv").symlink_to("../outside.txt")
    assert attempt("open(places.root + '/link.csv')") == "PermissionError"


@needs_landlock
@pytest.mark.parametrize(
    "code",
    [
        "open(places.root + '/soils.csv', 'a')",
        "open(places.root + '/new.csv', 'w')",
        "import os; os.truncate(places.root + '/soils.csv', 0)",
        "import os; os.unlink(places.root + '/soils.csv')",
        "import os; os.rename(places.root + '/soils.csv', places.run + '/soils.csv')",
        "import os; os.chmod(places.root + '/soils.csv', 0o777)",
        "import os; os.fchmod(os.open(places.root + '/soils.csv', os.O_RDONLY), 0o777)",
        "import os; os.utime(places.root + '/soils.csv')",
        "import os; os.setxattr(places.root + '/soils.csv', 'user.note', b'x')",
        "open(places.results + '/another.txt', 'w')",
        "import os; os.mkdir(places.results + '/run-2')",
    ],
)
def test_b14_raw_data_and_other_runs_are_not_changed(
    attempt: Attempt, places: Places, code: str
) -> None:
    assert attempt(code) == "PermissionError"
    assert Path(places.root, "soils.csv").read_text() == "Au_ppb\n12\n"


@needs_landlock
def test_raw_data_gets_no_second_name_in_a_writable_folder(
    attempt: Attempt, places: Places
) -> None:
    code = "import os; os.link(places.root + '/soils.csv', places.run + '/soils.csv')"
    assert attempt(code) == "OSError"  # "another file system": how Landlock refuses it
    assert not Path(places.run, "soils.csv").exists()


@needs_landlock
@pytest.mark.parametrize(
    "code",
    [
        "import os; os.symlink('/etc/passwd', 'leak.csv')",
        "import os; os.mkfifo('pipe.csv')",
        "import os; os.mknod('device', 0o20600)",
    ],
)
def test_a_result_folder_gets_no_links_pipes_or_devices(attempt: Attempt, code: str) -> None:
    assert attempt(code) == "PermissionError"


@needs_landlock
def test_the_run_and_the_snapshots_are_written(attempt: Attempt, places: Places) -> None:
    code = """
import os, tempfile
open("a.part", "w").write("x")
os.link("a.part", "a.csv"); os.unlink("a.part"); os.rename("a.csv", "b.csv")
os.mkdir("full"); open("full/d01a1.txt", "w").write("y"); os.rename("full/d01a1.txt", "c.txt")
open(places.snapshots + "/s.parquet", "wb").write(b"z")
with tempfile.NamedTemporaryFile() as file: out = os.path.dirname(file.name)
"""
    assert attempt(code) == places.run
    assert sorted(entry.name for entry in Path(places.run).iterdir()) == ["b.csv", "c.txt", "full"]
    assert Path(places.snapshots, "s.parquet").read_bytes() == b"z"


@needs_landlock
def test_of_a_single_file_nothing_beside_it_is_read(
    launcher: ForkLauncher, places: Places, tmp_path: Path
) -> None:
    Path(places.root, "holes.csv").write_text("hole\nA1\n")
    results = tmp_path / "elsewhere"
    (results / "run-1").mkdir(parents=True)
    single = Places(places.root, str(results), str(results / "run-1"), "soils.csv")
    link = ChildLink(launcher.start(first_line({}, single)), Limits(), threading.Event())
    link.ready()
    seen = [
        link.call("d01c1", "attempt", {"code": f"out = open(places.root + '/{name}').read()"})
        for name in ("soils.csv", "holes.csv")
    ]
    link.close()
    assert seen[0]["reply"] == {"out": "Au_ppb\n12\n"}
    assert seen[1]["reply"] == {"raised": "PermissionError", "errno": 13}


@pytest.mark.parametrize(
    "code",
    [
        "import socket; socket.socket()",
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "import socket; socket.socket(socket.AF_UNIX)",
        "import socket; socket.socketpair()",
        "import socket; socket.create_connection(('127.0.0.1', 9))",
    ],
)
def test_there_is_no_socket_of_any_kind(attempt: Attempt, code: str) -> None:
    assert attempt(code) == "PermissionError"


@pytest.mark.parametrize(
    "code",
    [
        "import os; os.fork()",
        "import os; os.execv('/bin/true', ['true'])",
        "import os; os.posix_spawn('/bin/true', ['true'], {})",
        "import subprocess; subprocess.run(['/bin/true'])",
        "import os; os.execve(os.memfd_create('x'), ['x'], {})",
    ],
)
def test_no_process_and_no_program_is_started(attempt: Attempt, code: str) -> None:
    assert attempt(code) == "PermissionError"


@pytest.mark.parametrize(
    "code",
    [
        "import os; os.kill(os.getppid(), 0)",
        "import os; os.kill(1, 9)",
        "import os; os.kill(-1, 9)",
        "import os; os.pidfd_open(os.getppid())",
        "import os; os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
        "import resource; resource.prlimit(1, resource.RLIMIT_NOFILE)",
    ],
)
def test_other_processes_are_out_of_reach(attempt: Attempt, code: str) -> None:
    assert attempt(code) == "PermissionError"


def test_a_system_call_newer_than_the_list_does_not_exist(attempt: Attempt) -> None:
    code = """
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
out = [libc.syscall(463, 0, 0, 0, 0, 0), errno.errorcode[ctypes.get_errno()]]
"""
    assert attempt(code) == [-1, "ENOSYS"]


def test_the_caps_cannot_be_raised_again(attempt: Attempt) -> None:
    code = """
import resource
try:
    resource.setrlimit(resource.RLIMIT_DATA, (-1, -1)); out = "raised"
except (ValueError, PermissionError):
    out = resource.getrlimit(resource.RLIMIT_CORE)
"""
    assert attempt(code) == [0, 0]


def test_threads_still_work(attempt: Attempt) -> None:
    code = """
import threading
seen = []
threads = [threading.Thread(target=seen.append, args=(n,)) for n in range(8)]
[t.start() for t in threads]; [t.join() for t in threads]
out = sorted(seen)
"""
    assert attempt(code) == list(range(8))


def test_a_name_is_still_opened_beneath_its_folder(attempt: Attempt) -> None:
    code = """
import os
from pathlib import Path
from workbench.workspace import Workspace
with Workspace(Path(places.root), Path(places.results)).open("soils.csv") as file:
    out = [file.stream().read().decode(), open(file.path).read()]
"""
    assert attempt(code) == ["Au_ppb\n12\n", "Au_ppb\n12\n"]


def test_queries_parquet_and_statistics_work_inside(attempt: Attempt) -> None:
    code = """
import duckdb, numpy as np, pyarrow as pa, pyarrow.parquet as pq
from scipy.stats import spearmanr
from sklearn.cluster import KMeans
con = duckdb.connect(config={"threads": 2, "temp_directory": places.run})
table = con.sql("SELECT i, i % 7 AS g FROM range(300000) t(i)").to_arrow_table()
pq.write_table(table, "t.parquet")
count = con.execute("SELECT count(*) FROM read_parquet('t.parquet')").fetchone()[0]
points = np.random.default_rng(1).normal(size=(300, 2)) + np.repeat([[0], [20], [40]], 100, 0)
groups = KMeans(3, n_init=2, random_state=1).fit_predict(points)
out = [count, len(set(groups)), round(float(spearmanr([1, 2, 3], [2, 4, 9]).statistic), 6)]
"""
    assert attempt(code) == [300000, 3, 1.0]


def test_no_descriptor_of_the_parent_is_open(attempt: Attempt) -> None:
    code = """
import os
out = sorted(os.readlink(f"/proc/self/fd/{n}").split(":")[0] for n in os.listdir("/proc/self/fd")
             if os.path.lexists(f"/proc/self/fd/{n}"))
"""
    # stdin, the answers, the lifeline, and the null device twice.
    assert attempt(code) == ["/dev/null", "/dev/null", "anon_inode", "pipe", "pipe"]


def test_what_a_library_prints_reaches_nobody(attempt: Attempt) -> None:
    code = "import os, sys; print('noise', flush=True); os.write(1, b'noise'); os.write(2, b'x')"
    assert attempt(code) is None


@pytest.mark.parametrize(
    "code",
    [
        "import numpy as np; out = np.ones(int(1e9)).sum()",
        "import duckdb; duckdb.sql(\"SELECT repeat('x', 2000000000)\").fetchall()",
        "import pyarrow as pa; pa.allocate_buffer(3_000_000_000)",
    ],
)
def test_memory_beyond_the_cap_fails_the_call_and_names_the_limit(
    link: ChildLink, code: str
) -> None:
    link.ready()
    answer = link.call("d01c1", "attempt", {"code": code})
    assert (answer["ok"], answer["kind"], answer["key"]) == (False, "failed", "child_memory")
    assert link.call("d01c2", "attempt", {"code": "out = 1"})["ok"]


def test_a_lower_memory_limit_is_the_one_that_holds(launcher: ForkLauncher, places: Places) -> None:
    job = {"limits": {"child_memory": 600_000_000}}
    link = ChildLink(launcher.start(first_line(job, places)), Limits(), threading.Event())
    link.ready()
    code = "import numpy as np; out = np.ones(60_000_000).sum()"
    answer = link.call("d01c1", "attempt", {"code": code})
    link.close()
    assert answer["key"] == "child_memory"


def test_a_file_beyond_the_cap_is_refused(launcher: ForkLauncher, places: Places) -> None:
    job = {"limits": {"artefact_bytes": 1_000}}
    link = ChildLink(launcher.start(first_line(job, places)), Limits(), threading.Event())
    link.ready()
    code = "f = open('big', 'wb'); f.truncate(60_000_000); f.truncate(70_000_000)"
    answer = link.call("d01c1", "attempt", {"code": code})
    link.close()
    assert answer["reply"] == {"raised": "OSError", "errno": 27}


def test_what_a_child_leaves_out_counts_as_not_enforced() -> None:
    said = Confinement.from_json({"files": "enforced", "level": "full"})
    assert said.level == "partial"
    assert said.walls["network"] == "not enforced: not reported"


@pytest.mark.parametrize(
    ("missing", "level"), [((), "full"), (("exec",), "partial"), (WALLS[1:6], "none")]
)
def test_the_level_is_read_off_the_walls(missing: tuple[str, ...], level: str) -> None:
    walls = dict.fromkeys(WALLS, "enforced") | dict.fromkeys(missing, "not enforced: x")
    assert Confinement(walls).level == level


def in_a_process(code: str) -> object:
    """Run code in a process of its own, which it may confine; return the JSON it prints."""
    checkout = str(Path(landlock.__file__).parent.parent)
    head = f"import json, os, sys; sys.path.insert(0, {checkout!r})\n"
    environment = child_environment()
    command = [sys.executable, "-c", head + code]
    done = subprocess.run(command, capture_output=True, check=True, env=environment)
    return json.loads(done.stdout)


def test_closing_descriptors_spares_those_kept() -> None:
    code = """
from workbench.confine import close_descriptors
keep, lost = os.open("/dev/null", os.O_RDONLY), os.dup(0)
close_descriptors({0, 1, 2, keep})
print(json.dumps([os.path.exists(f"/proc/self/fd/{n}") for n in (0, 1, 2, keep, lost)]))
"""
    assert in_a_process(code) == [True, True, True, True, False]


CONFINE = """
from workbench.walls import landlock, seccomp
from workbench.confine import confine
from workbench.limits import Limits
from workbench.files.places import Places
os.setsid()
def missing(*_): raise OSError("not in this kernel")
{change}
walls = confine(Places({root!r}, {root!r}, {root!r}), Limits(), {{0, 1, 2}})
print(json.dumps(walls.to_json()))
"""


def test_a_missing_filter_is_said_for_every_wall_it_would_hold(tmp_path: Path) -> None:
    walls = in_a_process(CONFINE.format(change="seccomp.install = missing", root=str(tmp_path)))
    assert isinstance(walls, dict)
    assert walls["exec"] == walls["fork"] == "not enforced: not in this kernel"
    assert not walls["network"].startswith("enforced")
    assert walls["level"] == "partial"


def test_missing_landlock_is_said_and_the_key_worded_as_what_it_is(tmp_path: Path) -> None:
    walls = in_a_process(CONFINE.format(change="landlock.restrict = missing", root=str(tmp_path)))
    assert isinstance(walls, dict)
    assert walls["files"] == "not enforced: not in this kernel"
    assert walls["no_key"].startswith("partial: none is handed over")
    assert walls["exec"] == "enforced"


def test_an_older_landlock_is_said_to_be_partial(tmp_path: Path) -> None:
    if not landlock.abi():
        pytest.skip("this kernel has no Landlock")
    walls = in_a_process(CONFINE.format(change="landlock.abi = lambda: 1", root=str(tmp_path)))
    assert isinstance(walls, dict)
    assert walls["files"].startswith("partial: the kernel's Landlock (version 1)")
    assert walls["no_key"].startswith("partial")


def test_a_wall_that_is_put_up_but_does_not_hold_is_not_believed(tmp_path: Path) -> None:
    change = "seccomp.install = lambda: None; landlock.restrict = lambda *_: 7"
    walls = in_a_process(CONFINE.format(change=change, root=str(tmp_path)))
    assert isinstance(walls, dict)
    for name in ("files", "network", "exec", "fork"):
        assert walls[name] == "not enforced: seen to be open"


def test_threads_that_run_already_would_escape_so_nothing_is_claimed(tmp_path: Path) -> None:
    change = (
        "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()"
    )
    walls = in_a_process(CONFINE.format(change=change, root=str(tmp_path)))
    assert isinstance(walls, dict)
    assert walls["exec"] == "not enforced: other threads were running already (1)"
    assert not walls["files"].startswith("enforced")


def test_an_environment_with_a_stranger_in_it_is_said(tmp_path: Path) -> None:
    change = "os.environ['PRIVATE_TOKEN'] = 'x'"
    walls = in_a_process(CONFINE.format(change=change, root=str(tmp_path)))
    assert isinstance(walls, dict)
    assert walls["no_key"] == "not enforced: the environment also holds PRIVATE_TOKEN"


@needs_landlock
def test_a_data_folder_that_holds_the_home_folder_is_said(tmp_path: Path) -> None:
    change = f"os.environ['HOME'] = {str(tmp_path / 'me')!r}"
    walls = in_a_process(CONFINE.format(change=change, root=str(tmp_path)))
    assert isinstance(walls, dict)
    assert walls["no_key"].startswith("partial: none is handed over, but the data folder holds")

"""What a child makes of calls: answers of one line, progress, beats, cancels, and its own end."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.launch import Launched, Places, first_line
from workbench.limits import Limits
from workbench.process.cancellation import Cancellation, Cancelled
from workbench.process.childlink import ChildFailed, ChildLink
from workbench.process.launch_fork import ForkLauncher

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is for Linux")
PROBE = Path(__file__).with_name("probe_server.py")
Begin = Callable[..., tuple[ChildLink, Launched]]


@pytest.fixture(scope="module")
def launcher() -> Iterator[ForkLauncher]:
    server = ForkLauncher([sys.executable, "-I", str(PROBE)])
    yield server
    server.close()


@pytest.fixture
def begin(launcher: ForkLauncher, tmp_path: Path) -> Iterator[Begin]:
    """Return a function that starts a child with changed limits and waits for it."""
    (tmp_path / "results" / "run-1").mkdir(parents=True)
    places = Places(str(tmp_path), str(tmp_path / "results"), str(tmp_path / "results" / "run-1"))
    links: list[ChildLink] = []

    def start(**changed: float) -> tuple[ChildLink, Launched]:
        limits, clock = Limits().changed(changed), Held()
        child = launcher.start(first_line({"limits": limits.values_json()}, places))
        links.append(ChildLink(child, limits, threading.Event(), clock))
        links[-1].ready()
        clock.go()
        return links[-1], child

    yield start
    for link in links:
        link.close()


class Held:
    """Seconds that begin to run when the child is ready: a slow start is no silence."""

    def __init__(self) -> None:
        self._began: float | None = None

    def go(self) -> None:
        self._began = time.monotonic()

    def __call__(self) -> float:
        return 0.0 if self._began is None else time.monotonic() - self._began


def run(link: ChildLink, code: str, key: str = "d01c1") -> dict[str, Any]:
    return link.call(key, "probe", {"code": code})


def test_a_refusal_is_told_as_such(begin: Begin) -> None:
    answer = run(begin()[0], "raise Refused('no column\\n  of that name')")
    assert answer == {
        "ok": False,
        "error": "no column of that name",
        "kind": "refused",
        "key": None,
    }


def test_a_limit_that_refuses_is_named(begin: Begin) -> None:
    answer = run(begin()[0], "raise LimitReached('too many rows', 'preview_rows')")
    assert (answer["kind"], answer["key"]) == ("refused", "preview_rows")


def test_a_failure_is_told_as_such(begin: Begin) -> None:
    assert run(begin()[0], "raise Failed('the snapshot has gone')")["kind"] == "failed"


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("raise KeyError('a row: 12, 13, 14')", "KeyError"),
        ("import sys; sys.exit(3)", "SystemExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("f = lambda n: f(n); f(1)", "RecursionError"),
    ],
)
def test_an_unforeseen_error_is_named_by_kind_alone(begin: Begin, code: str, name: str) -> None:
    link, _ = begin()
    answer = run(link, code)
    assert answer["kind"] == "failed"
    assert answer["error"] == f"probe: it failed unexpectedly ({name}); try other arguments"
    assert run(link, "out = 1", "d01c2")["ok"]


def test_an_unforeseen_error_in_the_package_names_its_line(begin: Begin) -> None:
    answer = run(begin()[0], "from workbench.limits import Limits; Limits()['no such row']")
    assert "(KeyError at limits.py:" in answer["error"]


def test_arguments_that_are_no_object_are_refused(begin: Begin) -> None:
    link, child = begin()
    os.write(child.stdin, b'{"call": {"id": "d01c1", "tool": "x", "arguments": [1]}}\n')
    time.sleep(0.1)
    assert b'"kind":"refused"' in os.read(child.stdout, 4096)
    link.close()


def test_a_reply_beyond_a_line_fails_by_that_limit(begin: Begin) -> None:
    link, _ = begin(child_line=2_000)
    answer = run(link, "out = 'x' * 3000")
    assert (answer["kind"], answer["key"]) == ("failed", "child_line")
    assert run(link, "out = 'x' * 1500", "d01c2")["ok"]


@pytest.mark.parametrize("code", ["out = float('nan')", "out = b'bytes'"])
def test_a_reply_that_is_no_json_fails(begin: Begin, code: str) -> None:
    answer = run(begin()[0], code)
    assert answer["kind"] == "failed"
    assert "cannot be written as JSON" in answer["error"]


def test_progress_is_handed_on_within_bounds(begin: Begin) -> None:
    seen: list[tuple[str, float]] = []
    code = """
import time
for share in (0.25, 7.0, float("nan")):
    progress("reading\\n" + "x" * 5000, share); time.sleep(0.12)
"""
    begin()[0].call("d01c1", "probe", {"code": code}, lambda text, n: seen.append((text, n)))
    assert [share for _, share in seen] == [0.25, 1.0, 0.0]
    assert all(text.startswith("reading x") and len(text) <= 200 for text, _ in seen)


def test_work_that_goes_on_keeps_a_child_beyond_the_silence_limit(begin: Begin) -> None:
    link, _ = begin(child_silence=3)
    code = """
import duckdb, time
limit = time.monotonic() + 5.0
while time.monotonic() < limit: duckdb.execute("SELECT sum(i) FROM range(30000000) t(i)")
"""
    assert run(link, code)["ok"]


def test_a_child_that_only_waits_falls_silent(begin: Begin) -> None:
    link, _ = begin(child_silence=3)
    with pytest.raises(ChildFailed) as caught:
        run(link, "import time; time.sleep(30)")
    assert caught.value.key == "child_silence"


def test_a_cancel_interrupts_a_query_and_the_child_lives_on(begin: Begin) -> None:
    link, _ = begin()
    threading.Timer(0.2, link.cancel, ("d01c1",)).start()
    code = """
import duckdb
con = duckdb.connect()
with cancelled.calling(con.interrupt):
    try:
        con.execute("SELECT sum(a.i * b.i) FROM range(10000000) a(i), range(10000000) b(i)")
    except duckdb.InterruptException:
        cancelled.check()
"""
    began = time.monotonic()
    answer = run(link, code)
    assert time.monotonic() - began < 20  # the query would take hours
    assert (answer["kind"], answer["error"]) == ("failed", "the call was stopped")
    assert run(link, "out = cancelled()", "d01c2")["reply"] == {"out": False}


def test_a_cancel_that_comes_before_its_call_counts(begin: Begin) -> None:
    link, _ = begin()
    link.cancel("d01c7")
    assert run(link, "out = cancelled()", "d01c7")["reply"] == {"out": True}


def test_a_hook_is_called_at_once_on_a_stop_that_was_earlier() -> None:
    stop, called = Cancellation(), threading.Event()
    stop.set()
    with stop.calling(called.set):
        assert called.is_set()
    with pytest.raises(Cancelled):
        stop.check()


LONG_QUERY = "import duckdb; duckdb.execute('SELECT sum(sin(i)) FROM range(999999999999) t(i)')"


@pytest.mark.parametrize("code", ["import time; time.sleep(30)", LONG_QUERY])
def test_end_of_file_ends_a_child_in_the_midst_of_work(begin: Begin, code: str) -> None:
    _, child = begin()
    call = f'{{"call": {{"id": "d01c1", "tool": "x", "arguments": {{"code": "{code}"}}}}}}\n'
    os.write(child.stdin, call.encode())
    time.sleep(0.2)
    read_end, write_end = os.pipe()
    os.dup2(write_end, child.stdin)  # closes the way to the child
    assert child.ended(20) is not None  # the work would go on for longer
    os.close(read_end)
    os.close(write_end)


def test_an_idle_child_ends_cleanly_at_end_of_file(begin: Begin) -> None:
    _, child = begin()
    read_end, write_end = os.pipe()
    os.dup2(write_end, child.stdin)
    ending = child.ended(2)
    assert ending is not None
    assert ending.code == 0
    os.close(read_end)
    os.close(write_end)

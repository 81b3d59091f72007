"""Faults in the middle of a run: F1 child killed, F2 kernel killed, F3 interrupted.

Each is injected at ten points; after each the same invariants hold, and the same question works.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from faults import invariants, question
from faults.figures import note

from workbench.answer import Answer
from workbench.asking.starting import start_child
from workbench.ledger import Event, read
from workbench.process.childlink import ChildLink
from workbench.process.processtree import children
from workbench.runs import past

HERE = Path(__file__).resolve().parent
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked at by /proc")
POINTS = range(10)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with the question's file, and a key that must be found nowhere."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", invariants.KEY)
    folder = tmp_path / "data"
    question.plant(folder)
    return folder


class Children:
    """Starts real children and remembers their process numbers."""

    def __init__(self) -> None:
        self.pids: list[int] = []

    def start(self, *arguments: Any) -> ChildLink:  # noqa: ANN401 - as the session gives them
        link = start_child(*arguments)
        ready = link.ready

        def noted() -> dict[str, Any]:
            message: dict[str, Any] = ready()
            self.pids.append(int(message["pid"]))
            return message

        link.ready = noted  # type: ignore[method-assign]
        return link

    def kill(self) -> None:
        for pid in self.pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    """The events of the question when nothing goes wrong."""
    folder = tmp_path_factory.mktemp("undisturbed") / "data"
    question.plant(folder)
    answer = question.ask(folder)
    assert answer.status == "answered"
    events = read(answer.folder / "events.jsonl").events
    return [event for event in events if event.kind != "progress"]


def spread(events: list[Event], first: str) -> list[int]:
    """Return ten places among the events, from the first of a kind to the last of all."""
    start = next(place for place, event in enumerate(events, 1) if event.kind == first)
    return [start + round(step * (len(events) - start) / 9) for step in POINTS]


def works_again(data: Path) -> None:
    """Assert I6: the same question succeeds, with nothing cleaned up in between."""
    before = invariants.fingerprint(data)
    answer = question.ask(data)
    assert answer.status == "answered", answer.reason
    assert len(answer.artefacts) == 1
    invariants.holds(answer.folder, before)


@LINUX
@pytest.mark.parametrize("point", POINTS)
def test_f1_a_child_killed_at_any_event_fails_its_dispatch_and_nothing_else(
    data: Path, undisturbed: list[Event], point: int
) -> None:
    before, last = invariants.fingerprint(data), spread(undisturbed, "confinement")[point]
    workers, killed = Children(), [0.0]

    def kill() -> None:
        workers.kill()
        killed[0] = time.monotonic()

    answer = question.ask(data, start=workers.start, listener=question.At(last, kill))
    assert time.monotonic() - killed[0] < 2.0
    assert answer.status == "answered", answer.reason
    (dispatch,) = answer.view["dispatches"]
    if dispatch["status"] != "success":
        assert dispatch["status"] == "error"
        assert "signal 9" in dispatch["error"] or "no longer listens" in dispatch["error"]
    invariants.holds(answer.folder, before, pids=workers.pids)
    works_again(data)


@LINUX
@pytest.mark.parametrize("delay", [0.0, 0.002, 0.01, 0.05])
def test_f1_a_child_killed_in_the_middle_of_a_call_fails_its_dispatch(
    data: Path, delay: float
) -> None:
    before, workers = invariants.fingerprint(data), Children()

    def watch(event: Event) -> None:
        if event.kind == "tool_call" and event.data["tool"] == "filter_rows":
            threading.Timer(delay, workers.kill).start()

    answer = question.ask(data, start=workers.start, listener=watch)
    assert answer.status == "answered", answer.reason
    invariants.holds(answer.folder, before, pids=workers.pids)
    works_again(data)


@LINUX
@pytest.mark.parametrize("point", POINTS)
def test_f2_a_kernel_killed_at_any_event_leaves_a_readable_run_and_no_process(
    data: Path, undisturbed: list[Event], point: int
) -> None:
    before, last = invariants.fingerprint(data), spread(undisturbed, "run_started")[point]
    with subprocess.Popen(
        [sys.executable, str(HERE / "asking_kernel.py"), str(data), str(last)],
        env=invariants.with_key(),
    ) as kernel:
        seen = set(family(kernel))
    assert kernel.returncode == -signal.SIGKILL
    (run,) = past.runs(data / "results")
    ended = last == len(undisturbed)
    invariants.holds(run.folder, before, outcome=ended, pids=seen)
    assert run.status == ("answered" if ended else "interrupted")
    works_again(data)


def family(kernel: subprocess.Popen[bytes]) -> Iterator[int]:
    """Yield the processes below a kernel, again and again, until it has ended."""
    while kernel.poll() is None:
        level = {kernel.pid}
        while level:
            level = {child for pid in level for child in children(pid)}
            yield from level
        time.sleep(0.01)


def stopped_at(data: Path, last: int, workers: Children) -> tuple[Answer, float]:
    """Ask, stop at an event, and return the answer and the seconds it took to end."""
    stop, began = threading.Event(), [0.0]

    def press() -> None:
        began[0] = time.monotonic()
        stop.set()

    at = question.At(last, press)
    answer = question.ask(data, start=workers.start, stop=stop, listener=at)
    return answer, time.monotonic() - began[0]


@LINUX
@pytest.mark.parametrize("point", POINTS)
def test_f3_a_run_stopped_at_any_event_ends_soon_with_one_outcome(
    data: Path, undisturbed: list[Event], point: int
) -> None:
    before, workers = invariants.fingerprint(data), Children()
    answer, took = stopped_at(data, spread(undisturbed, "run_started")[point], workers)
    note("stop to end", took)
    assert took < 20  # `make faults` prints how long it takes
    assert answer.status in {"interrupted", "answered"}
    if answer.status == "interrupted":
        assert answer.reason == "stopped by the analyst"
    invariants.holds(answer.folder, before, pids=workers.pids)
    works_again(data)


# As the installed command begins; the mark says that its first line has been reached.
COMMAND = "import os, sys; from workbench.__main__ import main; os.write(1, b'.'); sys.exit(main())"


@LINUX
@pytest.mark.parametrize("delay", [0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.2, 3.0])
def test_f3_an_interrupted_command_line_ends_with_one_line_and_leaves_nothing(
    data: Path, delay: float
) -> None:
    before = invariants.fingerprint(data)
    command = [sys.executable, "-c", COMMAND, "ask", "What is in assays.csv?", "-m", "offline"]
    seen: set[int] = set()
    with subprocess.Popen(
        [*command, "--data", str(data)],
        env=invariants.with_key(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        watcher = threading.Thread(target=lambda: seen.update(family(process)))
        watcher.start()
        assert process.stdout is not None
        assert process.stdout.read(1) == b"."
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        watcher.join()
    assert process.returncode in {130, 0}, said.decode()[-500:]
    assert b"Traceback" not in said
    lines = [line for line in said.splitlines() if line.startswith(b"workbench: ")]
    told = [line for line in lines if not line.startswith(b"workbench: numbers: ")]
    assert len(told) == (process.returncode == 130), said.decode()
    for run in past.runs(data / "results") if (data / "results").is_dir() else ():
        invariants.holds(run.folder, before, outcome=_ended(run.folder), pids=seen)
    invariants.holds(question.ask(data).folder, before, pids=seen)


@LINUX
def test_an_interrupt_that_a_shell_has_background_work_ignore_stays_ignored() -> None:
    code = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); {COMMAND}"
    with subprocess.Popen([sys.executable, "-c", code, "version"], stdout=subprocess.PIPE) as work:
        assert work.stdout is not None
        assert work.stdout.read(1) == b"."
        for _ in range(5):
            work.send_signal(signal.SIGINT)
            time.sleep(0.01)
        assert work.stdout.read().startswith(b"workbench ")
    assert work.returncode == 0


def _ended(run: Path) -> bool:
    return any(event.kind == "run_ended" for event in read(run / "events.jsonl").events)

"""The interrupt button in a real kernel: at several moments, twice, and the cell after it."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workbench.notebook import interrupts

pytest.importorskip("ipykernel", reason="ipykernel is not installed: pip install -e '.[dev]'")
from kernels import Cell, Kernel

QUESTION = "%%agent --no-widget\nGroup the samples by Au, As, Cu and Sb into three clusters."
# A cell has to end within a second (`make faults` prints what it took); what is waited for here
# would take longer than this.
SOON = 10.0

STUBBORN = """
import time
from workbench.session import Session
def deaf(self, question, **given):
    time.sleep(40)
real, Session.ask = Session.ask, deaf
"""


def at(seconds: float) -> Callable[[Cell, float], bool]:
    return lambda _, passed: passed >= seconds


def begun(cell: Cell, _: float) -> bool:
    return bool(cell.of("execute_input"))


def after(words: str) -> Callable[[Cell, float], bool]:
    return lambda cell, _: words in cell.text


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory, sample_data: Path) -> Iterator[Kernel]:
    folder = tmp_path_factory.mktemp("kernel")
    ignored = shutil.ignore_patterns("results", "*.py", "__pycache__")
    shutil.copytree(sample_data, folder / "data", ignore=ignored)
    made = Kernel(folder)
    made.run("%load_ext workbench\n%agent use data")
    # One question to its end, so that what stays below the kernel afterwards is known.
    made.run("%%agent -q\nWhich files are there?")
    yield made
    made.close()


@pytest.fixture
def fresh(kernel: Kernel) -> Kernel:
    """Return the kernel with a results folder in which nothing is known yet: the longest run."""
    kernel.run(f"%agent use data --results results-{time.monotonic_ns()}")
    return kernel


@pytest.mark.slow
@pytest.mark.parametrize(
    "moment",
    [after("run "), after("guide: started"), after("d01 analytics: started"), at(1.5)],
    ids=["run begun", "guide at work", "dispatch at work", "1.5 s"],
)
def test_an_interrupt_ends_the_cell_within_a_second_with_one_line(
    fresh: Kernel, moment: Callable[[Cell, float], bool]
) -> None:
    before = fresh.descendants()
    cell = fresh.run(QUESTION, press=moment)
    assert cell.interrupted is not None
    assert cell.interrupted <= SOON
    (line,) = cell.errors
    assert "\n" not in line
    assert "interrupted" in line
    assert fresh.run("print(6 * 7)").text.strip() == "42"
    end = time.monotonic() + 3
    while fresh.descendants() - before and time.monotonic() < end:
        time.sleep(0.05)
    assert fresh.descendants() - before == set()


@pytest.mark.slow
def test_an_interrupt_before_the_magic_begins_is_the_kernels_own_and_harms_nothing(
    fresh: Kernel,
) -> None:
    cell = fresh.run(QUESTION, press=begun)
    assert cell.interrupted is not None
    assert cell.interrupted <= SOON
    assert fresh.run("print(6 * 7)").text.strip() == "42"


@pytest.mark.slow
def test_a_question_can_be_asked_right_after_an_interrupt(fresh: Kernel) -> None:
    fresh.run(QUESTION, press=after("d01 analytics: started"))
    cell = fresh.run("%%agent -q\nHow many samples does meridian_ridge_geochem.csv have?")
    assert cell.errors == []
    assert "240" in cell.of("display_data")[0]["data"]["text/plain"]


@pytest.mark.slow
def test_a_stopped_run_is_shown_and_recorded_as_stopped(fresh: Kernel) -> None:
    fresh.run(QUESTION, press=after("d01 analytics: started"))
    told = fresh.run("%agent results").of("display_data")[0]["data"]["text/plain"]
    assert "interrupted" in told


@pytest.mark.slow
@pytest.mark.parametrize(("presses", "soon"), [(1, SOON), (2, SOON)])
def test_a_run_that_does_not_listen_is_left_and_a_second_press_leaves_it_at_once(
    kernel: Kernel, presses: int, soon: float
) -> None:
    kernel.run(STUBBORN)
    cell = kernel.run(QUESTION, press=at(0.5), presses=presses)
    assert cell.interrupted is not None
    assert cell.interrupted <= soon
    assert "interrupted" in cell.errors[0]
    told = kernel.run("%agent status").of("display_data")[0]["data"]["text/plain"]
    assert "at work: " in told
    kernel.run("Session.ask = real")


def test_what_held_the_signal_before_holds_it_again() -> None:
    before = signal.getsignal(signal.SIGINT)
    with interrupts.held() as presses:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)
    assert presses.count == 1
    assert signal.getsignal(signal.SIGINT) is before


def test_a_third_press_gets_through_even_where_drawing_hangs() -> None:
    def press_three_times() -> None:
        for _ in range(3):
            signal.raise_signal(signal.SIGINT)

    with interrupts.held(), pytest.raises(KeyboardInterrupt):
        press_three_times()


def test_outside_the_main_thread_the_signal_is_left_alone() -> None:
    found: list[int] = []

    def work() -> None:
        with interrupts.held() as presses:
            found.append(presses.count)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [0]

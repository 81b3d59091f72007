"""Children that misbehave, each against the real link and the real fork server."""

from __future__ import annotations

import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workbench.errors import Stopped
from workbench.launch import Places, first_line
from workbench.limits import Limits
from workbench.process.childlink import ChildFailed, ChildLink
from workbench.process.launch_fork import ForkLauncher

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is for Linux")
PROGRAM = Path(__file__).with_name("child_stand_ins.py")
PLACES = Places("/nowhere", "/nowhere", "/nowhere")
# Only who waits for silence is quick; every other child has time on a busy machine, and what ends
# it in less than `SOON` was not its patience.
QUICK = Limits().changed({"child_silence": 3, "child_seconds": 60})
PATIENT = Limits().changed({"child_silence": 30, "child_seconds": 60})
SOON = 10
Meet = Callable[..., ChildLink]


@pytest.fixture
def meet() -> Iterator[Meet]:
    """Return a function that starts a stand-in by name and waits until it is ready."""
    held: list[ForkLauncher | ChildLink] = []
    noises: list[str] = []

    def start(
        name: str, limits: Limits = PATIENT, stop: threading.Event | None = None
    ) -> ChildLink:
        server = ForkLauncher([sys.executable, "-I", str(PROGRAM), name])
        link = ChildLink(
            server.start(first_line({}, PLACES)),
            limits,
            stop or threading.Event(),
            on_noise=noises.append,
        )
        held.extend([link, server])
        return link

    yield start
    for thing in held:
        thing.close()


def processes(name: str) -> list[int]:
    """Return every process that came from the stand-in's server, the server left out."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            command = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else []
            state = (entry / "stat").read_text().rsplit(")", 1)[1].split() if command else []
        except OSError:
            continue
        if name.encode() in command and state[0] not in "ZX":
            found.append(int(entry.name))
    return found


def gone(count: Callable[[], int], seconds: float = 2.0) -> bool:
    """Wait until nothing is counted any more."""
    limit = time.monotonic() + seconds
    while count() and time.monotonic() < limit:
        time.sleep(0.01)
    return not count()


def failure(link: ChildLink, key: str = "d01c1") -> ChildFailed:
    """Return what a call fails with, and see that it did so in time."""
    link.ready()
    began = time.monotonic()
    with pytest.raises(ChildFailed) as caught:
        link.call(key, "describe", {})
    assert time.monotonic() - began < SOON
    return caught.value


def test_b17_a_child_that_says_nothing_fails_by_the_silence_limit(meet: Meet) -> None:
    error = failure(meet("silent", QUICK))
    assert (error.reason, error.key) == ("silence", "child_silence")


def test_a_child_that_never_gets_ready_fails_by_the_silence_limit(meet: Meet) -> None:
    with pytest.raises(ChildFailed) as caught:
        meet("mute_from_the_start", QUICK).ready()
    assert caught.value.key == "child_silence"


def test_b17_a_dispatch_beyond_its_time_fails_by_that_limit(meet: Meet) -> None:
    link = meet("silent", Limits().changed({"child_silence": 60, "child_seconds": 4}))
    error = failure(link)
    assert (error.reason, error.key) == ("timeout", "child_seconds")
    assert link.seconds_left == 0


def test_messages_that_nobody_asked_for_are_counted_and_end_it(meet: Meet) -> None:
    link = meet("chatter")
    assert failure(link).reason == "protocol"
    assert link.noise == 100


@pytest.mark.parametrize("name", ["long_line", "progress_for_ever"])
def test_b15_output_without_end_is_cut_off_and_never_kept(meet: Meet, name: str) -> None:
    link = meet(name, PATIENT.changed({"child_line": 50_000}))
    link.ready()
    tracemalloc.start()
    with pytest.raises(ChildFailed) as caught:
        link.call("d01c1", "describe", {})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (caught.value.reason, caught.value.key) == ("protocol", "child_line")
    assert peak < 4 * 1024 * 1024


def test_b15_three_lines_that_are_no_messages_end_it(meet: Meet) -> None:
    error = failure(meet("no_messages"))
    assert error.reason == "protocol"
    assert "3 lines" in str(error)


def test_two_lines_that_are_no_messages_are_borne(meet: Meet) -> None:
    link = meet("two_bad_lines")
    link.ready()
    assert link.call("d01c1", "describe", {}) == {"ok": True, "reply": {"value": 1}}
    assert link.bad_lines == 2


def test_a_child_that_leaves_without_an_answer_is_named_at_once(meet: Meet) -> None:
    error = failure(meet("leaves_with_status_0"))
    assert str(error) == "child ended (exit 0) without an answer"


def test_a11_a_child_that_crashes_is_named_by_its_signal(meet: Meet) -> None:
    error = failure(meet("crashes"))
    assert str(error) == "reader crashed (signal 11)"


def test_of_two_answers_the_second_is_noise(meet: Meet) -> None:
    link = meet("two_answers")
    link.ready()
    answers = [link.call(f"d01c{n}", "describe", {}) for n in (1, 2, 3)]
    assert [answer["reply"] for answer in answers] == [{"value": 1}] * 3
    link.call("d01c4", "describe", {})
    assert link.noise in {3, 4}  # the last may still be on its way


def test_an_answer_to_another_call_is_never_handed_on(meet: Meet) -> None:
    link = meet("answers_another")
    link.ready()
    assert link.call("d01c1", "describe", {})["reply"] == {"value": 1}
    assert link.noise == 2


def test_an_answer_sent_before_the_question_is_thrown_away(meet: Meet) -> None:
    link = meet("answers_ahead")
    link.ready()
    link.call("d01c1", "describe", {})
    time.sleep(0.2)
    assert link.call("d01c2", "describe", {})["reply"] == {"value": 2}
    assert link.noise == 1


def test_what_stands_beside_an_answer_is_left_behind(meet: Meet) -> None:
    link = meet("misshapen")
    link.ready()
    assert link.call("d01c1", "describe", {}) == {"ok": True, "reply": {"value": 1}}
    assert link.bad_lines == 2


def test_a_child_that_closes_its_output_has_failed(meet: Meet) -> None:
    assert failure(meet("closes_its_output")).reason == "ended"


def test_a_full_pipe_does_not_hold_up_a_stop(meet: Meet) -> None:
    stop = threading.Event()
    link = meet("listens_no_more", Limits(), stop)
    link.ready()
    link.call("d01c1", "describe", {})
    threading.Timer(0.2, stop.set).start()
    began = time.monotonic()
    with pytest.raises(Stopped):
        link.call("d01c2", "describe", {"text": "x" * 1_000_000})
    assert time.monotonic() - began < SOON


def test_a_stop_is_seen_while_waiting(meet: Meet) -> None:
    stop = threading.Event()
    link = meet("silent", Limits(), stop)
    link.ready()
    threading.Timer(0.2, stop.set).start()
    began = time.monotonic()
    with pytest.raises(Stopped):
        link.call("d01c1", "describe", {})
    assert time.monotonic() - began < SOON


def test_b17_a_child_that_ignores_terminate_is_gone_after_close(meet: Meet) -> None:
    link = meet("ignores_terminate")
    link.ready()
    link.call("d01c1", "describe", {})
    link.close()
    assert len(processes("ignores_terminate")) == 1  # the server


def test_b16_a_grandchild_that_left_the_session_goes_with_its_child(meet: Meet) -> None:
    link = meet("slips_away")
    link.ready()
    link.call("d01c1", "describe", {})
    assert gone(lambda: len(processes("slips_away")) - 1)


def test_b16_processes_that_multiply_are_all_ended(meet: Meet) -> None:
    link, servers = multiplying(meet)
    link.close()
    assert gone(lambda: len(processes("multiplies")) - servers)


def multiplying(meet: Meet) -> tuple[ChildLink, int]:
    """Return a child that has many processes, and the servers; a busy system may refuse it some."""
    for servers in range(1, 4):
        link = meet("multiplies")
        link.ready()
        link.call("d01c1", "describe", {})
        if gone(lambda: len(processes("multiplies")) < 20, 10):
            return link, servers
        link.close()
    pytest.fail("it did not multiply")

"""The parent's side alone, against a pipe that a test holds the other end of."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator

import pytest

from workbench.errors import Failed, LimitReached
from workbench.limits import Limits
from workbench.process.childlink import ChildFailed, ChildLink
from workbench.process.launched import Ending

READY = {"ready": {"pid": 7, "confinement": {"files": "enforced"}, "versions": {"duckdb": "2"}}}


class Held:
    """A child that the test itself plays."""

    def __init__(self) -> None:
        self.calls, self.stdin = os.pipe()
        self.stdout, self.answers = os.pipe()
        self.ending: Ending | None = None
        self.killed = 0

    pid = 7

    def alive(self) -> bool:
        return self.ending is None

    def ended(self, seconds: float = 0.0) -> Ending | None:  # noqa: ARG002 - it knows already
        return self.ending

    def kill(self) -> None:
        self.killed += 1

    def close(self) -> None:
        for descriptor in (self.calls, self.stdin, self.stdout, self.answers):
            os.close(descriptor)

    def says(self, *messages: object) -> None:
        os.write(self.answers, b"".join(json.dumps(each).encode() + b"\n" for each in messages))


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def child() -> Iterator[Held]:
    held = Held()
    yield held
    held.close()


def link_to(child: Held, clock: Clock | None = None) -> ChildLink:
    return ChildLink(child, Limits(), threading.Event(), clock or Clock())


def yes(key: str) -> dict[str, object]:
    return {"answer": {"id": key, "ok": True, "reply": {"rows": 3}}}


def test_the_first_line_is_read_in_one_shape_only(child: Held) -> None:
    child.says(READY | {"secret": 1})
    ready = link_to(child).ready()
    assert set(ready) == {"pid", "confinement", "versions"}
    assert ready["confinement"]["level"] == "partial"
    assert ready["confinement"]["network"] == "not enforced: not reported"


def test_a_child_that_cannot_begin_says_why(child: Held) -> None:
    child.says({"failed": "the job cannot be begun:\nno such folder"})
    with pytest.raises(ChildFailed, match="cannot be begun: no such folder"):
        link_to(child).ready()


def test_an_answer_before_ready_is_noise(child: Held) -> None:
    link = link_to(child)
    child.says(yes("d01c1"), READY)
    link.ready()
    assert link.noise == 1


def test_a_call_goes_out_as_one_line(child: Held) -> None:
    threading.Timer(0.05, child.says, (yes("d01c1"),)).start()
    link_to(child).call("d01c1", "cluster", {"groups": 3, "note": "a\nb"})
    sent = os.read(child.calls, 4096)
    assert sent.count(b"\n") == 1
    assert json.loads(sent) == {
        "call": {"id": "d01c1", "tool": "cluster", "arguments": {"groups": 3, "note": "a\nb"}}
    }


def test_a_call_that_is_longer_than_a_line_is_refused_before_it_is_sent(child: Held) -> None:
    with pytest.raises(LimitReached) as caught:
        link_to(child).call("d01c1", "store_text", {"content": "x" * 2_000_000})
    assert caught.value.key == "child_line"


def test_a_call_that_is_no_json_is_not_sent(child: Held) -> None:
    with pytest.raises(Failed, match="not plain JSON"):
        link_to(child).call("d01c1", "cluster", {"groups": {1, 2}})


def test_an_error_names_only_rows_that_exist(child: Held) -> None:
    error = {"id": "d01c1", "ok": False, "error": "no", "kind": "refused", "key": "all_rows"}
    threading.Timer(0.05, child.says, ({"answer": error},)).start()
    assert link_to(child).call("d01c1", "x", {})["key"] is None


def test_f8_a_clock_that_jumps_forward_ends_the_dispatch(child: Held) -> None:
    clock = Clock()
    link = link_to(child, clock)
    clock.now += 601
    with pytest.raises(ChildFailed) as caught:
        link.call("d01c1", "x", {})
    assert caught.value.key == "child_seconds"


def test_time_between_calls_is_no_silence(child: Held) -> None:
    clock = Clock()
    link = link_to(child, clock)
    clock.now += 300  # a slow model
    threading.Timer(0.05, child.says, (yes("d01c1"),)).start()
    assert link.call("d01c1", "x", {})["ok"]
    assert link.seconds_left == 300


def test_messages_to_nobody_do_not_count_as_life(child: Held) -> None:
    clock = Clock()
    link = link_to(child, clock)

    def later() -> None:
        clock.now += 119
        child.says({"beat": {"id": "d01c9"}})
        clock.now += 2

    threading.Timer(0.05, later).start()
    with pytest.raises(ChildFailed) as caught:
        link.call("d01c1", "x", {})
    assert caught.value.key == "child_silence"


def test_a_beat_of_the_call_counts_as_life(child: Held) -> None:
    clock = Clock()
    link = link_to(child, clock)

    def later() -> None:
        clock.now += 119
        child.says({"beat": {"id": "d01c1"}})
        threading.Event().wait(0.2)
        clock.now += 100
        child.says(yes("d01c1"))

    threading.Timer(0.05, later).start()
    assert link.call("d01c1", "x", {})["ok"]


def test_a_last_answer_is_read_before_the_end_is_told(child: Held) -> None:
    def last_words() -> None:
        child.says(yes("d01c1"))
        child.ending = Ending(code=0)

    threading.Timer(0.05, last_words).start()
    link = link_to(child)
    assert link.call("d01c1", "x", {})["ok"]
    with pytest.raises(ChildFailed, match=r"exit 0"):
        link.call("d01c2", "x", {})


def test_an_end_is_seen_although_another_process_holds_the_pipe(child: Held) -> None:
    child.ending = Ending(signal=9)
    with pytest.raises(ChildFailed, match=r"reader crashed \(signal 9\)"):
        link_to(child).call("d01c1", "x", {})


def test_noise_is_reported_in_a_few_words(child: Held) -> None:
    heard: list[str] = []
    link = ChildLink(child, Limits(), threading.Event(), Clock(), on_noise=heard.append)
    child.says({"x" * 500: 1}, {}, READY)
    link.ready()
    assert len(heard) == 2
    assert all(len(words) < 100 for words in heard)


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        (Ending(code=0), "child ended (exit 0) without an answer"),
        (Ending(signal=11), "reader crashed (signal 11)"),
        (Ending(note="the fork server has gone"), "child ended: the fork server has gone"),
    ],
)
def test_an_ending_is_worded_for_people(ending: Ending, words: str) -> None:
    assert str(ending) == words

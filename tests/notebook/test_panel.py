"""The sidebar's end in the kernel: what is told on one comm, and what may be asked on the other."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sampleview import Story, answered

from workbench import check
from workbench.check.outcome import CheckResult
from workbench.context.inbox import Inbox
from workbench.limits import Limits
from workbench.notebook import panel, panel_requests
from workbench.notebook.desk import Desk
from workbench.notebook.job import Job
from workbench.notebook.panel import ASKED_TARGET, Panel
from workbench.notebook.panel_state import PAGE, PULSE_LOOPS, PULSE_SECONDS, Follower, whole
from workbench.notebook.screen import Quiet
from workbench.notebook.watching import stopped
from workbench.session import Session

PATIENCE = 100


class Told:
    """A comm that keeps what is sent on it."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.came = threading.Condition()

    def send(self, data: dict[str, Any]) -> None:
        with self.came:
            self.sent.append(data)
            self.came.notify_all()

    def reply(self, key: str) -> dict[str, Any]:
        def there() -> dict[str, Any] | None:
            replies = [one for one in self.sent if one["kind"] == "reply" and one["id"] == key]
            return replies[0] if replies else None

        with self.came:
            assert self.came.wait_for(there, PATIENCE), f"no reply to {key}"
            found = there()
        assert found is not None
        return found


class Asking:
    """The comm of a page; whatever is sent on it would be heard by the wrong loop."""

    def __init__(self) -> None:
        self.heard: Callable[[dict[str, Any]], None] | None = None

    def on_msg(self, heard: Callable[[dict[str, Any]], None]) -> None:
        self.heard = heard

    def send(self, *_: object, **__: object) -> None:
        raise AssertionError("nothing is ever sent on the comm of requests")


class Manager:
    """The comms of a kernel."""

    def __init__(self) -> None:
        self.targets: dict[str, Callable[..., None]] = {}
        self.comms: list[object] = []

    def register_comm(self, comm: object) -> None:
        self.comms.append(comm)

    def register_target(self, name: str, opened: Callable[..., None]) -> None:
        self.targets[name] = opened


class Connected:
    """A panel with a page that is connected to it."""

    def __init__(self) -> None:
        self.told, self.page, self.desk = Told(), Asking(), Desk()
        manager = Manager()
        self.panel = Panel(self.desk, manager, self.told)
        assert manager.comms == [self.told]
        manager.targets[ASKED_TARGET](self.page, {})
        self._number = 0

    def ask(self, name: object, **values: object) -> dict[str, Any]:
        self._number += 1
        key = f"k{self._number}"
        assert self.page.heard is not None
        self.page.heard({"content": {"data": {"id": key, "name": name, "values": values}}})
        return self.told.reply(key)


@pytest.fixture
def connected() -> Connected:
    return Connected()


def job(story: Story | None = None, *, began: bool = True) -> Job:
    """Return a question that waits until it is stopped, with events taken in."""

    def work(stop: threading.Event, listener: Callable[..., None]) -> None:
        stop.wait(PATIENCE)

    made = Job("group them", work)
    for event in (story or Story()).events:
        made._events.put(event)
    made.take()
    if began:
        made.start()
    return made


def begun(dispatches: int = 1) -> Story:
    story = Story()
    story.begin()
    story.loop("guide", "guide")
    for number in range(1, dispatches + 1):
        story.loop(f"d{number:02d}", "analytics", "look " * 200)
        story.request(f"d{number:02d}", system=100, tool_results=900)
    return story


def test_a_page_is_greeted_when_the_workbench_is_loaded(connected: Connected) -> None:
    assert connected.told.sent[0]["kind"] == "hello"


def test_what_is_asked_is_answered_where_things_are_told(connected: Connected) -> None:
    rows = connected.ask("limits")["value"]
    assert {row["enforced"] for row in rows} == {"code", "prompt"}
    assert {"key", "value", "unit", "rule"} <= set(rows[0])


def test_a_stop_reaches_the_run_it_is_for_and_without_one_all(connected: Connected) -> None:
    named, other = job(begun()), job()
    connected.desk.jobs += [named, other]
    assert connected.ask("stop", run=named.view["run"])["value"] == 1
    assert (named.stop.is_set(), other.stop.is_set()) == (True, False)
    assert connected.ask("stop")["value"] >= 1
    assert other.stop.is_set()


@pytest.mark.parametrize("run", ["../secret", "a/b", "", 7, None, "x" * 300, "..", "/etc"])
def test_c4_what_could_be_a_path_is_no_id(connected: Connected, run: object) -> None:
    for name in ("run", "loops", "text"):
        assert "is no id" in connected.ask(name, run=run, key="d01-r01")["error"]


@pytest.mark.parametrize("value", [-1, 1.5, "3", True, 10**12])
def test_a_place_in_a_list_is_a_number_in_bounds(
    connected: Connected, value: object, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text("a\n1\n")
    connected.desk.session = Session.open(tmp_path, None, "offline")
    assert "is no number" in connected.ask("runs", **{"from": value})["error"]


def test_an_unknown_request_names_the_nearest(connected: Connected) -> None:
    assert (
        "did you mean" in connected.ask("stopp")["error"]
        or "stop" in connected.ask("stopp")["error"]
    )
    assert "no request" in connected.ask(["stop"])["error"]


def test_a_request_that_breaks_is_answered_in_one_line(
    connected: Connected, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object) -> None:
        raise RuntimeError("secret detail")

    entry = panel_requests.Request(breaks, at_once=True)
    monkeypatch.setitem(panel_requests._KNOWN, "limits", entry)
    assert connected.ask("limits")["error"] == "limits: RuntimeError in the kernel"


def test_c4_what_is_no_request_is_passed_over(connected: Connected) -> None:
    assert connected.page.heard is not None
    for odd in (None, 3, [], {}, {"id": 5, "name": "stop"}):
        connected.page.heard({"content": {"data": odd}})
    assert connected.ask("stop")["value"] == 0


def test_the_run_at_work_is_read_whole_by_pages(connected: Connected) -> None:
    at_work = job(begun(dispatches=PAGE + 30))
    connected.desk.jobs.append(at_work)
    run = at_work.view["run"]
    first = connected.ask("run", run=run)["value"]
    assert first["loops"]["total"] == PAGE + 31
    assert len(first["loops"]["items"]) == PAGE
    rest = connected.ask("loops", run=run, **{"from": PAGE})["value"]
    places = [place for place, _ in first["loops"]["items"] + rest["items"]]
    assert places == list(range(PAGE + 31))
    whole_loop = connected.ask("loop", run=run, loop="d07")["value"]
    assert whole_loop["objective"] == "look " * 200
    at_work.stop.set()


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_change_is_told_at_once_and_then_four_times_a_second_at_most() -> None:
    clock, story = Clock(), begun()
    at_work = job(story)
    follower = Follower(at_work, clock)
    assert follower.due([]) is not None
    clock.now += 0.1
    assert follower.due(story.events[-1:]) is None
    clock.now += 0.2
    state = follower.due([])
    assert state is not None
    assert [item["id"] for _, item in state["loops"]["items"]] == ["d01"]
    clock.now += 0.15
    assert follower.due([]) is None
    at_work.stop.set()


def test_all_of_a_run_is_told_at_each_pulse_though_nothing_happens() -> None:
    clock = Clock()
    at_work = job(begun())
    follower = Follower(at_work, clock)
    first = follower.due([])
    clock.now += PULSE_SECONDS
    second = follower.due([])
    assert first is not None
    assert second is not None
    assert second["head"]["limits"]
    assert second["loops"] == first["loops"]
    at_work.stop.set()


def test_the_pulse_of_a_large_run_stays_small() -> None:
    at_work = job(begun(dispatches=500))
    state = Follower(at_work, Clock()).due([])
    assert state is not None
    assert state["loops"]["total"] == 501
    assert len(state["loops"]["items"]) == PULSE_LOOPS
    assert all(len(item["objective"]) <= 320 for _, item in state["loops"]["items"])
    at_work.stop.set()


def test_a_run_that_has_ended_says_how_long_it_took() -> None:
    view = answered()
    assert whole(view)["elapsed"] == 0.0
    assert whole({**view, "ended": ""})["elapsed"] is None


def test_a_front_end_that_is_gone_costs_the_run_nothing() -> None:
    connected = Connected()

    def broken(_: object) -> None:
        raise OSError("gone")

    drawn: list[str] = []

    class Screen:
        def draw(self, *_: object) -> None:
            drawn.append("draw")

        def end(self, _: object) -> None:
            drawn.append("end")

    connected.told.send = broken  # type: ignore[method-assign]
    screen = connected.panel.watching(Screen())
    at_work = job(begun())
    screen.draw(at_work, [])
    screen.end(None)
    at_work.stop.set()
    assert drawn == ["draw", "end"]


def test_without_a_kernel_there_is_no_panel() -> None:
    assert panel.connect(Desk(), object()) is None


def test_the_check_tells_each_limit_as_it_was_attacked(connected: Connected) -> None:
    keys = ["preview_rows", "list_entries"]

    def some(_panel: object, _values: object) -> object:
        return panel_requests.attack(connected.panel, keys)

    panel_requests._KNOWN["some"] = panel_requests.Request(some, at_once=False)
    try:
        assert connected.ask("some")["value"] == {"total": 2, "failed": 0}
    finally:
        del panel_requests._KNOWN["some"]
    told = [one for one in connected.told.sent if one["kind"] == "checked"]
    assert [(one["done"], one["result"]["key"], one["result"]["ok"]) for one in told] == [
        (1, "preview_rows", True),
        (2, "list_entries", True),
    ]


def test_a_budget_and_an_instruction_reach_the_question_at_work(connected: Connected) -> None:
    assert "nothing is at work" in connected.ask("set_budget", amount="200k")["error"]
    at_work = job()
    at_work.inbox = Inbox(Limits())
    allowed: list[object] = []
    at_work.inbox.allow = allowed.append
    connected.desk.jobs.append(at_work)
    assert connected.ask("set_budget", amount="200k")["value"] == {"run_tokens": 200_000}
    assert allowed == [{"run_tokens": 200_000}]
    assert "write tokens above 0" in connected.ask("set_budget", amount="much")["error"]
    assert "heard before the next request" in connected.ask("tell", text="use logs")["value"]
    assert at_work.inbox.unheard == 1
    at_work.stop.set()


def test_the_cell_of_a_run_at_work_is_drawn_for_a_page_that_came_later(
    connected: Connected,
) -> None:
    at_work = job(begun())
    connected.desk.jobs.append(at_work)
    found = connected.ask("output", run=at_work.view["run"])["value"]
    assert found["done"] is False
    assert "wb-run-running" in found["outputs"][0]["text/html"]
    newest = connected.ask("latest")["value"]
    assert (newest["at_work"], newest["own"]) == (True, True)
    at_work.left = stopped(at_work.view, "left", "interrupted")
    assert connected.ask("latest")["value"]["at_work"] is False
    at_work.stop.set()


def test_questions_side_by_side_are_each_told_of_as_often_as_one(connected: Connected) -> None:
    jobs = [job(begun()), job(begun())]
    screens = [connected.panel.watching(Quiet()) for _ in jobs]
    for _ in range(5):
        for screen, one in zip(screens, jobs, strict=True):
            screen.draw(one, [])
            one.stop.set()
    told = [state["job"] for state in connected.told.sent if state["kind"] == "state"]
    assert sorted(told) == sorted(set(told))
    assert len(told) == len(jobs)


def test_a_page_hears_that_another_folder_is_in_use(connected: Connected, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a\n1\n")
    connected.desk.use(Session.open(tmp_path, None, "offline"))
    assert connected.told.sent[-1] == {"kind": "changed", "run": ""}


def test_a_pulse_sums_limits_and_ends_over_all_loops(connected: Connected) -> None:
    story = begun(PULSE_LOOPS + 10)
    for number in range(1, PULSE_LOOPS + 11):
        story.rule(f"d{number:02d}", "result_asked", kept=number > 1)
        story.end(f"d{number:02d}", status="partial" if number == 1 else "success")
    head = whole(story.view())["head"]
    assert head["ends"] == {"running": 1, "partial": 1, "success": PULSE_LOOPS + 9}
    (row,) = head["met"]
    assert (row["kept"], row["of"]) == (PULSE_LOOPS + 9, PULSE_LOOPS + 10)


def test_a_check_that_is_stopped_attacks_no_further_limit(
    connected: Connected, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[object] = []

    def attacked(only: list[str]) -> list[CheckResult]:
        done.append(only)
        assert connected.ask("stop_check")["value"] is True
        return [CheckResult(only[0], ok=True, seen="", detail="")]

    monkeypatch.setattr(check, "run_checks", attacked)
    assert connected.ask("check")["value"]["failed"] == 0
    assert len(done) == 1

"""A look at a large file answers from its first lines while a child builds its snapshot."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from inprocess import InProcess

from workbench import cli
from workbench.asking.building import Builds
from workbench.asking.onecall import CallOutcome, Calls
from workbench.asking.setting import Setting
from workbench.errors import Failed, Stopped
from workbench.files.places import Places
from workbench.limits import Limits
from workbench.models.scripted import ScriptedModel, call
from workbench.report import writing
from workbench.report.toolbox import Toolbox
from workbench.runs.recorded import Recorded
from workbench.runs.replaying import prepared
from workbench.runs.verifying import verify
from workbench.session import Session
from workbench.tools import registry
from workbench.workspace import Workspace

# Gold changes its kind below the first lines, and there are more rows than they show.
ROWS = 400
TABLE = "SampleID,Au_ppb,Rock\n" + "".join(
    f"S{n:03d},{'<1' if n % 7 == 0 else n},{'Basalt' if n % 3 else 'Dacite'}\n" for n in range(ROWS)
)
LOOK = 2_000
PATIENCE = 120.0


class Held:
    """Starts children in this process; one that builds a snapshot waits until it is let go."""

    def __init__(self) -> None:
        self.go, self.begun, self.breaks = threading.Event(), threading.Event(), False
        self.built: list[str] = []

    def __call__(
        self,
        job: Mapping[str, Any],
        places: Places,
        _limits: Limits,
        stop: threading.Event,
        _noise: Callable[[str], None],
    ) -> InProcess:
        return _Child(self, job, places, stop)


class _Child(InProcess):
    def __init__(
        self, held: Held, job: Mapping[str, Any], places: Places, stop: threading.Event
    ) -> None:
        super().__init__(job, places)
        self._held, self._stop = held, stop

    def call(self, key: str, tool: str, arguments: Mapping[str, Any], *rest: Any) -> dict[str, Any]:  # noqa: ANN401 - as in a child
        if tool == "describe_file":
            (Path(self._places.desk) / "half-done").write_text("half", encoding="utf-8")
            self._held.built.append(str(arguments["path"]))
            self._held.begun.set()
            while not self._held.go.wait(0.01):
                if self._stop.is_set():
                    raise Stopped("stopped by the analyst")
            if self._held.breaks:
                raise Failed("the child ended")
        return super().call(key, tool, arguments, *rest)


@pytest.fixture
def held() -> Iterator[Held]:
    made = Held()
    yield made
    made.go.set()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "big.csv").write_text(TABLE, encoding="utf-8")
    return folder


@pytest.fixture
def setting(data: Path, held: Held) -> Iterator[Setting]:
    limits = Limits().changed({"look_bytes": LOOK})
    made = Setting(Workspace.at(data), ScriptedModel({}), limits, held)
    yield made
    made.builds.close()


def fact(outcome: CallOutcome, key: str) -> Any:  # noqa: ANN401 - a JSON value
    lines = [line for line in outcome.text.splitlines() if line.startswith(f"{key}: ")]
    return json.loads(lines[0].partition(": ")[2]) if lines else None


def finished(setting: Setting) -> None:
    for build in setting.builds.at_work:
        assert build.done.wait(PATIENCE)


def test_a_look_answers_from_the_first_lines_until_the_snapshot_is_there(
    setting: Setting, held: Held
) -> None:
    calls = Calls(setting, "looks")
    for _ in range(2):
        early = calls.call("describe_table", {"path": "big.csv"})
        taken = fact(early, "first_lines")["big.csv"]
        head = TABLE.encode()[: taken["bytes"]]
        assert taken["bytes"] <= LOOK
        assert head.endswith(b"\n")
        assert taken["lines"] == head.count(b"\n")
        assert fact(early, "rows_at_least") == taken["lines"] - 1
        assert fact(early, "rows") is None
        assert fact(early, "column Au_ppb") == {"role": "element", "unit": "ppb"}
        assert "provisional" in early.text
        assert early.limits_hit == ("look_bytes",)
    rows = calls.call("query_data", {"path": "big.csv", "operation": "head", "n": 3})
    assert fact(rows, "rows_at_least") == taken["lines"] - 1
    assert held.built == ["big.csv"]
    held.go.set()
    finished(setting)
    whole = calls.call("describe_table", {"path": "big.csv"})
    assert fact(whole, "first_lines") is None
    assert fact(whole, "rows") == ROWS
    assert fact(whole, "column Au_ppb")["below"] == len(range(0, ROWS, 7))
    calls.end("answered")


def test_a_listing_of_contents_tells_a_large_file_by_its_first_lines_and_builds_nothing(
    setting: Setting, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.tools.inventory._BYTES", LOOK)
    calls = Calls(setting, "looks")
    told = calls.call("list_files", {"contents": True})
    assert fact(told, "first_lines")["big.csv"]["bytes"] <= LOOK
    assert "big.csv |  | results without places |  | 3 | 1 |  | " in told.text
    assert fact(told, "tables") == {"results without places": 1}
    assert held.built == []
    calls.end("answered")


def test_a_call_that_computes_waits_for_the_snapshot(setting: Setting, held: Held) -> None:
    calls = Calls(setting, "looks")
    calls.call("describe_table", {"path": "big.csv"})
    assert held.begun.wait(PATIENCE)
    answers: list[CallOutcome] = []
    asked = {"path": "big.csv", "operation": "filter_summary", "expression": "Au_ppb > 396"}
    waiting = threading.Thread(target=lambda: answers.append(calls.call("query_data", asked)))
    seen = threading.Event()
    calls.listen(lambda event: seen.set() if event.kind == "progress" else None)
    waiting.start()
    assert seen.wait(PATIENCE)
    assert not answers
    held.go.set()
    waiting.join(PATIENCE)
    assert fact(answers[0], "rows_out") == 2
    assert held.built == ["big.csv"]
    calls.end("answered")


def test_a_stopped_build_leaves_nothing_and_the_next_look_begins_anew(
    setting: Setting, held: Held
) -> None:
    calls = Calls(setting, "looks")
    stop = threading.Event()
    calls.call("describe_table", {"path": "big.csv"}, stop=stop)
    assert held.begun.wait(PATIENCE)
    stop.set()
    finished(setting)
    shelf = setting.workspace.results / "_snapshots"
    assert list(shelf.glob("*.part")) == []
    assert list(shelf.rglob("half-done")) == []
    held.go.set()
    calls.call("describe_table", {"path": "big.csv"})
    finished(setting)
    assert held.built == ["big.csv", "big.csv"]
    calls.end("answered")


def test_where_the_build_fails_the_next_look_reads_the_file_itself(
    setting: Setting, held: Held
) -> None:
    held.breaks = True
    held.go.set()
    calls = Calls(setting, "looks")
    calls.call("describe_table", {"path": "big.csv"})
    finished(setting)
    assert fact(calls.call("describe_table", {"path": "big.csv"}), "rows") == ROWS
    events = [json.loads(line) for line in _events(setting)]
    states = [one["data"]["state"] for one in events if one["kind"] == "building"]
    assert states == ["begun", "failed"]
    calls.end("answered")


@pytest.mark.parametrize("told", [True, False], ids=["the build breaks", "the ledger breaks"])
def test_a_fault_in_a_build_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch, *, told: bool
) -> None:
    faults: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda fault: faults.append(fault.exc_type))
    builds, others = Builds(), set(threading.enumerate())

    def make(*_: object) -> None:
        if told:
            raise ValueError("a fault")

    def tell(data: dict[str, Any]) -> None:
        if not told and data["state"] != "begun":
            raise OSError("no space left on the device")

    builds.begin("a.csv", make, threading.Event(), tell)
    at_work = set(threading.enumerate()) - others
    late = threading.Event()
    timer = threading.Timer(PATIENCE, late.set)
    timer.start()
    builds.wait(["a.csv"], late, lambda *_: None)
    timer.cancel()
    for thread in at_work:
        thread.join(PATIENCE)
    assert builds.built == ["a.csv"]
    assert faults == [ValueError if told else OSError]


def _events(setting: Setting) -> list[str]:
    (run,) = setting.workspace.results.glob("2*")
    return (run / "events.jsonl").read_text(encoding="utf-8").splitlines()


def test_nothing_but_looks_may_answer_from_first_lines() -> None:
    able = {
        name: item
        for name, item in {**registry.tools(), **registry.for_people()}.items()
        if item.looks({"operation": "head", "contents": True})
    }
    assert set(able) == {"describe_table", "list_files", "query_data"}
    query = able["query_data"]
    words = query.schema["properties"]["operation"]["enum"]
    assert [word for word in words if query.looks({"operation": word})] == ["head"]
    assert not query.looks({"operation": "head", "expression": "Au > 1"})
    assert not able["describe_table"].looks({"whole": True})


@pytest.fixture
def asked(setting: Setting, held: Held, monkeypatch: pytest.MonkeyPatch) -> tuple[Session, Path]:
    """Return a session and a run whose one look rested on first lines; the snapshot is there."""
    monkeypatch.setattr("workbench.session.start_child", held)
    done = call("finish", status="success", results=["three columns"], claims=[])
    model = ScriptedModel({"d01": [call("describe_table", path="big.csv"), done, done]})
    session = Session(Setting(setting.workspace, model, setting.limits, held))
    answer = session.ask("what is in it", agent="analytics")
    assert answer.status == "answered", answer.reason
    held.go.set()
    finished(session.setting)
    assert [len(one) for one in Recorded.of(answer.folder).first_lines().values()] == [1]
    return session, answer.folder


def test_a_look_is_verified_on_the_basis_that_it_had(asked: tuple[Session, Path]) -> None:
    found = verify(asked[1])
    assert found.same, found.summary()


def test_a_change_in_the_first_lines_is_found(asked: tuple[Session, Path], data: Path) -> None:
    text = TABLE.replace("SampleID,Au_ppb", "SampleID,Ag_ppb")
    (data / "big.csv").write_text(text, encoding="utf-8")
    found = verify(asked[1])
    assert found.first.startswith("call d01c1 describe_table")


def test_a_replay_looks_at_the_same_lines(asked: tuple[Session, Path]) -> None:
    session, folder = asked
    replay = prepared(session.workspace.results, folder.name)
    compared = replay.compared(replay.session.ask(replay.question, **replay.options))
    assert compared.same, compared.lines()


def test_a_report_looks_at_the_same_lines(
    asked: tuple[Session, Path], data: Path, tmp_path: Path
) -> None:
    writing.write(asked[1], [tmp_path / "report.ipynb"])
    text = (tmp_path / "report.ipynb").read_text(encoding="utf-8")
    (bytes_,) = (n for one in Recorded.of(asked[1]).first_lines().values() for n in one.values())
    assert f"first_lines={{'big.csv': {bytes_}}}" in text
    box = Toolbox(data, tmp_path / "again", limits={"look_bytes": LOOK})
    tools = box.dispatch()
    early = tools.describe_table(path="big.csv", first_lines={"big.csv": bytes_})
    assert "rows_at_least" in str(early)
    assert f"rows: {ROWS}" in str(tools.describe_table(path="big.csv"))
    box.close()


def test_the_offline_planner_counts_over_the_whole_of_a_large_file(
    setting: Setting, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    held.go.set()
    monkeypatch.setattr("workbench.session.start_child", held)
    session = Session.open(setting.workspace.root, model="offline", limits={"look_bytes": LOOK})
    answer = session.ask("How many samples are in big.csv?")
    assert f"{ROWS}" in answer.text
    finished(session.setting)


def test_the_command_line_waits_for_the_snapshot_when_the_answer_is_out(
    data: Path, held: Held, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    held.go.set()
    monkeypatch.setattr("workbench.session.start_child", held)
    monkeypatch.setattr("workbench.session.Limits", lambda: Limits().changed({"look_bytes": LOOK}))
    command = ["call", "describe_table", "path=big.csv", "--data", str(data)]
    assert cli.main(command) == 0
    assert "rows_at_least" in capsys.readouterr().out
    assert cli.main(command) == 0
    assert f"rows: {ROWS}" in capsys.readouterr().out
    assert held.built == ["big.csv"]


def test_a_build_is_begun_once_and_ends_with_the_session() -> None:
    builds, began = Builds(), threading.Event()
    told: list[dict[str, Any]] = []

    def make(_name: str, stop: threading.Event, progress: Callable[[str, float], None]) -> None:
        progress("load", 0.5)
        began.set()
        while not stop.is_set():
            pass
        raise Stopped("ended")

    for _ in range(2):
        builds.begin("a.csv", make, threading.Event(), told.append)
    assert began.wait(PATIENCE)
    builds.close(PATIENCE)
    assert builds.at_work == []
    assert [one["state"] for one in told] == ["begun", "at work", "stopped"]

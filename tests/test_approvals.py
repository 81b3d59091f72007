"""Requests for packages: shown to the analyst, who decides; nothing is ever installed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cells import Shell

from workbench import approvals, cli
from workbench.errors import Refused
from workbench.ledger import read
from workbench.models.scripted import Heard, Say, ScriptedModel, call, finish
from workbench.notebook.panel_requests import find
from workbench.runs import deciding, past
from workbench.session import Session

# Of a name that nobody gave to a package.
ABSENT = "package-of-nobody"
INSTALLS = call("run_command", line=f"pip install {ABSENT}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    data.mkdir()
    (data / "soils.csv").write_text("id,Au_ppb\ns1,5\ns2,<1\n")
    return data


def session(folder: Path, *scripts: Say | Callable[[Heard], Say]) -> Session:
    def said(heard: Heard) -> Say:
        found = scripts[heard.number - 1]
        return found if isinstance(found, Say) else found(heard)

    return Session.open(folder, model=ScriptedModel({"d01": said}))


def requests(run: Path) -> list[tuple[str, str, str]]:
    return [(one["id"], one["name"], one["status"]) for one in past.view(run)["approvals"]]


def test_a_package_that_is_asked_for_waits_for_the_analyst(folder: Path) -> None:
    answer = session(folder, INSTALLS, INSTALLS, finish("x")).ask("go", agent="extended")
    assert requests(answer.folder) == [("p1", ABSENT, "pending")]
    assert answer.view["approvals"] == past.view(answer.folder)["approvals"]
    assert answer.view["approvals"][0]["why"] == "run_command d01c1 asked for it"
    told = (answer.folder / "requests" / "d01-r02.json").read_text()
    assert "the analyst decides whether to install it; go on without it" in told


def test_a_decision_during_the_run_reaches_the_agent_and_the_ledger(folder: Path) -> None:
    def refuses(_: Heard) -> Say:
        deciding.decide(folder / "results", "p1", approvals.REFUSED)
        return call("read_file", path="nothing.txt")

    answer = session(folder, INSTALLS, refuses, finish("x")).ask("go", agent="extended")
    sent = (answer.folder / "requests" / "d01-r03.json").read_text()
    assert f"The analyst adds: the package {ABSENT} is refused" in sent
    events = read(answer.folder / "events.jsonl").events
    (data,) = [event.data for event in events if event.kind == "package_decided"]
    assert data == {"id": "p1", "name": ABSENT, "status": "refused"}
    assert answer.view["approvals"][0]["status"] == "refused"


@pytest.mark.parametrize(
    ("status", "told"), [("refused", "do not ask again"), ("approved", "is not installed yet")]
)
def test_what_was_decided_after_a_run_holds_for_the_next_one(
    folder: Path, status: str, told: str
) -> None:
    one = session(folder, INSTALLS, finish("x"))
    first = one.ask("go", agent="extended")
    before = (first.folder / "events.jsonl").read_bytes()
    deciding.decide(folder / "results", "p1", status)
    assert requests(first.folder) == [("p1", ABSENT, status)]
    assert (first.folder / "events.jsonl").read_bytes() == before
    second = one.ask("again", agent="extended")
    assert requests(second.folder) == [("p1", ABSENT, status)]
    assert told in (second.folder / "requests" / "d01-r02.json").read_text()
    assert not deciding.waiting(folder / "results", first=[second.run, first.run])


def test_an_approval_starts_nothing_and_says_what_the_analyst_can_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session(folder, INSTALLS, finish("x")).ask("go", agent="extended")

    def started(*words: object, **_: object) -> None:
        raise AssertionError(f"started: {words}")

    monkeypatch.setattr(subprocess, "Popen", started)
    assert cli.main(["approve", "p1", "--data", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "nothing is installed from here" in said
    assert f"{sys.executable} -m pip install {ABSENT}" in said
    assert cli.main(["refuse", "p1", "--data", str(folder), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["status"], found["installed"]) == ("refused", False)


def test_without_an_id_those_that_wait_are_listed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session(folder, INSTALLS, finish("x")).ask("go", agent="extended")
    assert cli.main(["approve", "--data", str(folder)]) == 0
    assert f"- p1 {ABSENT}: run_command d01c1 asked for it" in capsys.readouterr().out
    with pytest.raises(Refused, match="undecided are p1"):
        deciding.decide(folder / "results", "p7", approvals.APPROVED)


def test_a_script_cannot_decide_for_the_analyst(folder: Path) -> None:
    row = json.dumps({"id": "p1", "name": ABSENT, "status": "approved"})
    line = f"mkdir full; echo '{row}' | tee decisions.jsonl > full/decisions.jsonl"
    writes = call("run_command", line=line)
    answer = session(folder, INSTALLS, writes, finish("x")).ask("go", agent="extended")
    assert requests(answer.folder) == [("p1", ABSENT, "pending")]


@pytest.mark.parametrize(
    "name", ["laspy;rm", "$(rm)", "-r", "a b", "../x", "laspy\n", "-e", "git+https://x", "x" * 99]
)
def test_what_is_no_name_of_a_package_is_no_request(name: str) -> None:
    assert approvals._NAME.fullmatch(name) is None


@pytest.mark.parametrize("name", ["laspy", "geopandas==1.0", "scikit-gstat[all]>=1.0", "x"])
def test_the_name_of_a_package_is_one_word_of_the_command(name: str) -> None:
    import shlex

    assert approvals._NAME.fullmatch(name)
    assert shlex.split(approvals.command(name))[-1] == name


def test_what_is_installed_by_now_is_said_to_be() -> None:
    assert approvals.installed("duckdb>=1")
    assert approvals.installed("sklearn")
    assert not approvals.installed(ABSENT)


def test_a_damaged_line_of_decisions_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    whole = {"id": "p1", "name": ABSENT, "status": "refused"}
    rows = ["nonsense", "[]", '{"id": 1}', json.dumps(whole | {"status": "maybe"})]
    text = "\n".join([*rows, json.dumps(whole), '{"id": "p1", "na'])
    (tmp_path / "full" / "decisions.jsonl").write_text(text)
    assert list(approvals.decided(tmp_path)) == [whole]


def test_the_notebook_and_the_panel_decide(folder: Path, shell: Shell) -> None:
    desk = shell.magics.desk
    desk.session = session(folder, INSTALLS, finish("x"))
    shell.run("%%agent extended --no-widget\ngo")
    run = desk.answers[-1].run
    shown = shell.text("%agent approve p1")
    assert "approved; nothing is installed from here" in shown
    assert desk.answers[-1].view["approvals"][0]["status"] == "approved"

    class Panel:
        def __init__(self) -> None:
            self.desk = desk

    answer = find("approve").run(Panel(), {"run": run, "id": "p1", "status": "refused"})  # type: ignore[arg-type]
    assert (answer["status"], answer["run"]) == ("refused", run)
    assert desk.answers[-1].view["approvals"][0]["status"] == "refused"
    with pytest.raises(Refused, match="approved or refused"):
        find("approve").run(Panel(), {"id": "p1", "status": "installed"})  # type: ignore[arg-type]

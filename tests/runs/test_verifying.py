"""A run is recomputed without a model: it verifies as it is, and not where a byte has changed."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from inprocess import start_in_process

from workbench import cli
from workbench.asking.run import Setting
from workbench.limits import Limits
from workbench.models.scripted import Say, ScriptedModel, call
from workbench.runs.recorded import Recorded
from workbench.runs.verifying import Verification, verify, verify_recorded
from workbench.session import Session
from workbench.workspace import Workspace

TABLE = "SampleID,Au_ppb,Rock\n" + "".join(
    f"S{n:02d},{n * 3 % 17 + n / 10},{'Basalt' if n % 3 else 'Dacite'}\n" for n in range(1, 31)
)
CLAIMS = [
    {"value": "30", "path": "a.csv", "statistic": "rows"},
    {"path": "d01a1", "statistic": "max", "column": "Au_ppb"},
    {"value": 16, "tool": "filter_rows", "fact": "rows_out"},
    {"path": "a.csv", "statistic": "median", "column": "Au_ppb", "group": {"Rock": "Dacite"}},
    {"value": "14", "statistic": "difference", "from": [1, 3]},
]


def finish(text: str, claims: list[dict[str, object]]) -> Say:
    return call("finish", status="success", results=[text], claims=claims)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with one run that makes a table and claims five numbers."""
    data = tmp_path_factory.mktemp("verify") / "data"
    data.mkdir()
    (data / "a.csv").write_text(TABLE)
    words = "{{claim:1}} rows, most {{claim:2}}, {{claim:3}} high, Dacite {{claim:4}}, {{claim:5}}."
    asked = call("filter_rows", path="a.csv", expression="Au_ppb > 8")
    model = ScriptedModel({"d01": [asked, finish(words, CLAIMS), finish(words, CLAIMS)]})
    session = Session(Setting(Workspace.at(data), model, Limits(), start_in_process))
    answer = session.ask("count", agent="transform")
    assert [claim["status"] for claim in answer.claims] == ["verified"] * 5, answer.claims
    return data


@pytest.fixture
def data(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("workbench.session.start_child", start_in_process)
    shutil.copytree(original, tmp_path / "data")
    return tmp_path / "data"


def run_of(data: Path) -> Path:
    return next((data / "results").glob("2*"))


def differs(found: Verification) -> list[str]:
    return [f"{row.kind} {row.what}" for row in found.rows if not row.same]


def test_a_run_verifies_as_it_is_and_leaves_nothing_behind(data: Path) -> None:
    before = sorted(path.name for path in (data / "results").iterdir())
    found = verify(run_of(data))
    assert differs(found) == []
    assert {kind: n for kind, (n, _) in found.counts().items()} | {"version": 0} == {
        "record": 1, "input": 1, "version": 0, "call": 1, "file": 1, "claim": 5, "answer": 1,
    }  # fmt: skip
    assert sorted(path.name for path in (data / "results").iterdir()) == before


def test_a_changed_input_is_named_with_both_hashes(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copyfile(data / "a.csv", data / "b")
    (data / "a.csv").write_text(TABLE.replace("S01,3.1,", "S01,9.1,"))
    assert cli.main(["verify", run_of(data).name, "--data", str(data)]) == 1
    out = capsys.readouterr().out
    assert "first departs input a.csv" in out
    old, new = (hashlib.sha256((data / name).read_bytes()).hexdigest() for name in ("b", "a.csv"))
    assert f"input a.csv: recorded {old}, now {new}" in out


def test_a_changed_artefact_is_found(data: Path) -> None:
    made = run_of(data) / "a_filtered.csv"
    made.write_bytes(made.read_bytes().replace(b"S", b"T", 1))
    assert differs(verify(run_of(data))) == ["record d01a1 a_filtered.csv as it lies there"]


@pytest.mark.parametrize(("value", "same"), [(b"15.500000000001", True), (b"15.5001", False)])
def test_files_with_other_bytes_are_compared_by_value_within_the_tolerance(
    value: bytes,
    same: bool,  # noqa: FBT001 - a case of the table
    data: Path,
) -> None:
    made = run_of(data) / "a_filtered.csv"
    old = hashlib.sha256(made.read_bytes()).hexdigest()
    made.write_bytes(made.read_bytes().replace(b"15.5", value, 1))
    for name in ("events.jsonl", "run.json"):
        place = run_of(data) / name
        now = hashlib.sha256(made.read_bytes()).hexdigest()
        place.write_text(place.read_text().replace(old, now))
    (row,) = [row for row in verify(run_of(data)).rows if row.kind == "file"]
    assert row.same is same
    assert ("equal within 1e-09" in row.now) is same


def test_a_changed_claim_is_found_in_the_view_and_in_the_ledger(data: Path) -> None:
    view = run_of(data) / "run.json"
    view.write_text(view.read_text().replace('"value": "30"', '"value": "31"'))
    assert differs(verify(run_of(data))) == ["record claim d01.1 as it is shown"]
    ledger = run_of(data) / "events.jsonl"
    ledger.write_text(ledger.read_text().replace('"value":"30"', '"value":"31"'))
    assert any(line.startswith("claim d01.1") for line in differs(verify(run_of(data))))


def test_a_changed_number_in_the_answer_is_found(data: Path) -> None:
    view = run_of(data) / "run.json"
    told = json.loads(view.read_text())
    view.write_text(json.dumps({**told, "answer": told["answer"].replace("30 rows", "31 rows")}))
    assert differs(verify(run_of(data))) == ["answer its words", "answer number of claim d01.1"]


def test_another_version_is_found(data: Path) -> None:
    view = run_of(data) / "run.json"
    told = json.loads(view.read_text())
    view.write_text(json.dumps({**told, "version": "0.0.9"}))
    found = verify(run_of(data))
    assert differs(found) == ["version workbench"]
    assert found.first == "version workbench"


def test_a_call_that_finds_another_number_is_the_first_that_departs(data: Path) -> None:
    ledger = run_of(data) / "events.jsonl"
    text = ledger.read_text()
    assert '"expression":"Au_ppb > 8"' in text
    ledger.write_text(text.replace('"expression":"Au_ppb > 8"', '"expression":"Au_ppb > 12"'))
    found = verify(run_of(data))
    assert found.first.startswith("call d01c1 filter_rows: ")
    assert found.kept
    assert (data / "results" / found.kept / "a_filtered.csv").is_file()


def test_a_record_carried_by_a_report_verifies_without_the_run(data: Path) -> None:
    carried = json.loads(json.dumps(Recorded.of(run_of(data)).to_json()))
    place = run_of(data)
    shutil.rmtree(place)
    found = verify_recorded(Recorded.from_json(carried, place))
    assert differs(found) == []
    assert found.counts()["claim"] == (5, 5)


def test_the_command_prints_json_and_succeeds(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["verify", run_of(data).name, "--data", str(data), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["same"], told["first"], told["run"]) == (True, "", run_of(data).name)


def test_a_report_verifies_without_its_run_and_not_with_another_claim(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place, report = run_of(data), tmp_path / "report.ipynb"
    assert cli.main(["report", place.name, "--data", str(data), "-o", str(report)]) == 0
    shutil.rmtree(place)
    assert cli.main(["verify", str(report), "--data", str(data)]) == 0
    assert "5 of 5 claims" in capsys.readouterr().out
    told = json.loads(report.read_text())
    told["metadata"]["workbench"]["claims"][0]["value"] = "31"
    report.write_text(json.dumps(told))
    assert cli.main(["verify", str(report), "--data", str(data)]) == 1
    assert "first departs record claim d01.1 as it is shown" in capsys.readouterr().out
    report.write_text('{"cells": [], "metadata": {}}')
    assert cli.main(["verify", str(report), "--data", str(data)]) == 1
    assert "it carries no run" in capsys.readouterr().err

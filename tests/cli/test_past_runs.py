"""``runs``, ``show``, ``open``, ``clean`` and ``rows ID``: past runs from the command line."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from conversation import session

from workbench import cli
from workbench.models.scripted import Heard, Say, call, finish
from workbench.reply import Made, Reply

TABLE = "id,Au_ppb\ns1,5\ns2,7\n"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run with one dispatch and one result; its folder."""
    data = TABLE.encode()

    def tool(_: str, __: object) -> Reply:
        folder = next((tmp_path / "data" / "results").glob("2*"))
        (folder / "a_head.csv").write_bytes(data)
        sha256 = hashlib.sha256(data).hexdigest()
        made = Made("a_head.csv", len(data), sha256, "text/csv", 2, 2)
        return Reply(facts={"rows_in": 2}, made=(made,))

    def specialist(heard: Heard) -> Say:
        return finish("two rows") if heard.number > 1 else call("list_files")

    guide = [call("ask_specialist", agent="dataops", objective="count", final=True)]
    made = session(tmp_path, {"guide": guide, "d01": specialist}, tool=tool)
    return made.ask("How many\nsamples?").folder


def test_runs_are_listed_for_people_and_programs(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = str(run.parent)
    assert cli.main(["runs", "--results", results]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[1].split()[:2] == [run.name, "answered"]
    assert shown[1].endswith("How many samples?")
    assert cli.main(["runs", "--results", results, "--json"]) == 0
    [item] = json.loads(capsys.readouterr().out)
    assert (item["run"], item["status"], item["path"]) == (run.name, "answered", str(run))


def test_the_results_folder_is_that_of_the_data(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["runs", "--data", str(run.parent.parent)]) == 0
    assert run.name in capsys.readouterr().out


def test_the_environment_may_name_the_results_folder(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WORKBENCH_RESULTS", str(run.parent))
    assert cli.main(["runs"]) == 0
    assert run.name in capsys.readouterr().out


def test_no_results_folder_is_told_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["runs"]) == 1
    assert "--results DIR" in capsys.readouterr().err


def test_where_nothing_was_asked_yet_it_is_said_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["runs", "--data", str(tmp_path)]) == 0
    assert f'workbench ask "…" --data {tmp_path}' in capsys.readouterr().out
    assert cli.main(["runs", "--data", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert cli.main(["show", "x", "--data", str(tmp_path)]) == 1
    assert "no runs yet" in capsys.readouterr().err


def test_a_run_is_shown_with_its_loops_and_results(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["show", run.name, "--results", str(run.parent)]) == 0
    out = capsys.readouterr().out
    for said in (run.name, "two rows", "dataops", "a_head.csv", "requests", "confinement"):
        assert said in out


def test_the_tokens_of_a_request_are_shown_by_kind_and_add_up(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["show", run.name, "--results", str(run.parent)]) == 0
    lines = capsys.readouterr().out.splitlines()
    [line] = [line for line in lines if line.startswith("d01: ")]
    whole, parts = line.removeprefix("d01: ").replace(",", "").partition(";")[0].split(" = ")
    assert int(whole) == sum(int(word) for word in parts.split() if word.isdecimal())
    [loop] = json.loads((run / "run.json").read_text())["dispatches"]
    assert int(whole) == loop["context"]["tokens"]


def test_a_run_is_shown_as_the_json_that_was_kept(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["show", run.name[-3:], "--results", str(run.parent), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads((run / "run.json").read_text())


def test_a_result_is_opened_by_its_id_in_full(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["open", "d01a1", "--results", str(run.parent)]) == 0
    out, err = capsys.readouterr()
    assert (out, err) == (TABLE, "")


def test_a_request_is_printed_line_by_line_and_lies_byte_for_byte(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = run / "requests" / "guide-r01.json"
    assert cli.main(["open", "guide-r01", "--results", str(run.parent)]) == 0
    shown = capsys.readouterr().out
    assert json.loads(shown) == json.loads(kept.read_text())
    assert shown.count("\n") > 10
    assert cli.main(["open", "guide-r01", "--results", str(run.parent), "--path"]) == 0
    assert capsys.readouterr().out == f"{kept}\n"


def test_a_result_whose_bytes_changed_is_told(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run / "a_head.csv").write_text("id,Au_ppb\ns1,500\n")
    assert cli.main(["open", "d01a1", "--results", str(run.parent), "--path"]) == 0
    out, err = capsys.readouterr()
    assert out == f"{run / 'a_head.csv'}\n"
    assert "have changed" in err


@pytest.mark.parametrize(
    "key", ["d09a9", "../run.json", "run.json", "events.jsonl", "/etc/hostname"]
)
def test_only_ids_can_be_opened(key: str, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["open", key, "--results", str(run.parent)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


def test_a_result_that_a_ledger_places_elsewhere_is_not_opened(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = run / "events.jsonl"
    ledger.write_text(ledger.read_text().replace('"a_head.csv"', '"../../../secret.csv"'))
    (run.parent.parent.parent / "secret.csv").write_text("secret\n")
    assert cli.main(["open", "d01a1", "--results", str(run.parent)]) == 1
    assert "secret\n" not in capsys.readouterr().out


def test_rows_of_a_result_are_paged_by_its_id(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["rows", "d01a1", "--results", str(run.parent), "--json"]
    assert cli.main(words) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["total"], shown["columns"][:1]) == (2, ["id"])


def test_rows_of_what_is_neither_file_nor_id_name_both(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["rows", "d07a1", "--results", str(run.parent)]) == 1
    assert "no such file, and" in capsys.readouterr().err


def test_cleaning_says_what_went_and_what_stays(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["clean", "--older-than", "30d", "--results", str(run.parent)]) == 0
    assert "of 0 runs" in capsys.readouterr().out
    assert cli.main(["clean", "--older-than", "0m", "--results", str(run.parent)]) == 0
    assert "of 1 runs" in capsys.readouterr().out
    assert not (run / "requests").exists()
    assert (run / "a_head.csv").exists()

"""A replay: the same dispatches, files and answer with no model; or which input has changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from workbench import cli
from workbench.answer import Answer
from workbench.context.block import Form
from workbench.errors import WorkbenchError
from workbench.models.scripted import Heard, Say, ScriptedModel, call, finish
from workbench.runs import replaying
from workbench.session import Session

GEOCHEM = "meridian_ridge_geochem.csv"
WORK = [
    call("anomaly", path=GEOCHEM, column="Au_ppb"),
    finish("Gold is anomalous in the north."),
]
GROUP = [
    call("filter_rows", path=GEOCHEM, expression="`As_ppm` > 100"),
    finish("Arsenic follows."),
]
SEND = ("dispatch", {"agent": "analytics", "objective": "find high gold"})
ALSO = ("dispatch", {"agent": "transform", "objective": "keep high arsenic"})
SCRIPTS = {
    "orchestrator": [Say(calls=(SEND, ALSO)), finish("Gold and arsenic are high together.")],
    "d01": WORK,
    "d02": GROUP,
}


@pytest.fixture
def field(tmp_path: Path, sample_data: Path) -> Path:
    folder = tmp_path / "field"
    folder.mkdir()
    shutil.copy(sample_data / GEOCHEM, folder)
    return folder


def recorded(field: Path, **named: object) -> Answer:
    """Ask with a provider's model; two specialists work side by side."""
    model = ScriptedModel(SCRIPTS, counts=lambda body: len(body) // 3)
    session = Session.open(field, model=model, **named)  # type: ignore[arg-type]
    answer = session.ask("Where is gold high?", agent="orchestrator")
    assert answer.status == "answered", answer.reason
    assert len(answer.view["dispatches"]) == 2
    return answer


def played(answer: Answer) -> tuple[Answer, replaying.Comparison]:
    replay = replaying.prepared(answer.folder.parent, answer.run)
    again = replay.session.ask(replay.question, **replay.options)
    return again, replay.compared(again)


def hashes(answer: Answer) -> list[tuple[str, str]]:
    # Dispatches side by side end in any order.
    return sorted((item["id"], item["sha256"]) for item in answer.view["artefacts"])


def test_dispatches_side_by_side_files_and_answer_are_the_same_and_cost_nothing(
    field: Path,
) -> None:
    first = recorded(field)
    again, found = played(first)
    said = f"2 dispatches, {len(first.artefacts)} files by hash and the answer"
    assert found.lines() == [
        f"replay: the same as recorded: {said}; no model was asked, no tokens used"
    ]
    assert hashes(again) == hashes(first) != []
    assert again.text == first.text
    assert again.seen == first.seen
    assert again.usage["input_tokens"] == again.usage["output_tokens"] == 0
    assert first.usage["input_tokens"] > 0


def test_a_changed_input_is_named_with_the_request_where_the_runs_part(field: Path) -> None:
    first = recorded(field)
    header, row, *rest = (field / GEOCHEM).read_text().splitlines()
    (field / GEOCHEM).write_text("\n".join([header, *rest]) + "\n")
    again, found = played(first)
    assert not found.same
    assert found.inputs == (GEOCHEM,)
    assert found.departures[0].startswith(("d01-r02: message 3", "d02-r02: message 3"))
    said = "\n".join(found.lines())
    assert f"input changed since: {GEOCHEM}" in said
    assert "departs from the record at d0" in said
    assert "the recorded words may not describe the data as it is now" in said
    assert hashes(again) != hashes(first)
    assert row


def test_a_missing_answer_ends_it_with_its_number(field: Path) -> None:
    first = recorded(field)
    (first.folder / "responses" / "orchestrator-r02.json").unlink()
    again, found = played(first)
    assert again.status == "failed"
    assert "no recorded answer 'orchestrator-r02'" in again.reason
    assert any("it ended failed, recorded answered" in line for line in found.differs)


def test_a_run_that_was_stopped_is_played_up_to_where_it_was_stopped(field: Path) -> None:
    import threading

    stop = threading.Event()

    def work(heard: Heard) -> Say:
        if heard.number == 2:
            stop.set()
        return call("list_files")

    session = Session.open(field, model=ScriptedModel({"guide": work}))
    first = session.ask("x", stop=stop)
    assert first.status == "interrupted"
    again, _ = played(first)
    assert "the record ends there (interrupted" in again.reason


def test_settings_of_the_reader_and_limits_are_those_of_the_record(field: Path) -> None:
    settings = {GEOCHEM: {"Au_ppb": {"unit": "ppm"}}}
    first = recorded(field, overrides=settings, limits={"preview_rows": 3}, seed=7)
    again, found = played(first)
    assert found.same, found.lines()
    assert again.view["overrides"] == first.view["overrides"] != {}
    assert again.view["seed"] == 7
    assert again.view["limits"]["preview_rows"] == 3


def test_a_later_question_of_a_conversation_is_played_with_what_was_said_before(
    field: Path,
) -> None:
    model = ScriptedModel({"guide": lambda heard: Say(f"answer of {len(heard.body)}")})
    session = Session.open(field, model=model)
    session.ask("first?")
    second = session.ask("second?")
    again, found = played(second)
    assert found.same, found.lines()
    assert "first?" in again.seen[0]


def test_what_a_provider_wants_in_the_envelope_is_played_too(field: Path) -> None:
    model = ScriptedModel(SCRIPTS, counts=lambda body: len(body) // 3)
    model.form = Form({"stream": True, "thinking": {"type": "adaptive"}}, 512)  # type: ignore[attr-defined]
    first = Session.open(field, model=model).ask("Where is gold high?", agent="orchestrator")
    assert '"stream":true' in first.seen[0]
    assert "cache_control" in first.seen[0]
    again, found = played(first)
    assert found.same, found.lines()
    assert again.seen == first.seen


def test_a_budget_of_tokens_ends_both_at_one_place(field: Path) -> None:
    said = Say(calls=(("list_files", {}),), usage={"input_tokens": 2_000})
    model = ScriptedModel({"guide": lambda _: said})
    first = Session.open(field, model=model, limits={"run_tokens": 6_000}).ask("x")
    again, found = played(first)
    assert (first.status, again.status) == ("budget", "budget")
    assert found.same, found.lines()


def test_the_command_says_so_and_ends_with_its_status(
    field: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = recorded(field)
    words = ["replay", first.run, "--data", str(field)]
    assert cli.main(words) == 0
    out, err = capsys.readouterr()
    assert first.text in out
    assert "replay: the same as recorded" in err
    (field / GEOCHEM).write_text((field / GEOCHEM).read_text().replace("MR-0002", "MR-9999"))
    assert cli.main([*words, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["replay"]
    assert found["same"] is False
    assert found["inputs"] == [GEOCHEM]


ODD: list[object] = [None, "abc", 5, [1], [{}], {"a": 1}, ["x"]]


def test_a_record_that_was_changed_into_none_is_told_in_one_line(field: Path) -> None:
    first = recorded(field)
    file = first.folder / "run.json"
    view = json.loads(file.read_bytes())
    changed = [{**view, key: odd} for key in view for odd in ODD]
    changed += [{one: view[one] for one in view if one != key} for key in view]
    parts = ("seconds", "id", "context", "agent")
    changed += [{**view, "loops": [{**view["loops"][0], key: {}}]} for key in parts]
    changed += [{**view, "sent_as": {"settings": 5}}, {**view, "sent_as": {"cache_floor": "x"}}]
    for number, one in enumerate(changed):
        file.write_text(json.dumps(one), encoding="utf-8")
        try:
            replaying.prepared(first.folder.parent, first.run)
        except WorkbenchError as error:
            assert "\n" not in str(error), number  # noqa: PT017 - most of them open all the same


def test_a_record_without_its_view_is_compared_by_its_ledger(field: Path) -> None:
    first = recorded(field)
    (first.folder / "run.json").write_text('{"loops": [', encoding="utf-8")
    _, found = played(first)
    assert not any("answer" in line for line in found.differs)


def test_an_answer_that_is_no_text_ends_it_in_one_line(field: Path) -> None:
    first = recorded(field)
    (first.folder / "responses" / "orchestrator-r02.json").write_bytes(b"\xff\xfe")
    again, _ = played(first)
    assert "answer 'orchestrator-r02' is no text" in again.reason


def test_words_that_were_changed_in_the_record_are_told(field: Path) -> None:
    first = recorded(field)
    file = first.folder / "responses" / "orchestrator-r02.json"
    file.write_bytes(file.read_bytes().replace(b"Gold and", b"Lead and"))
    _, found = played(first)
    assert "the answer is not the recorded one" in found.differs

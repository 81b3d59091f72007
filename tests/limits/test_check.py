"""The live check: it passes as things are, and fails wherever a limit is taken away.

A probe that cannot fail proves nothing, so each is run once more against a row without bound, and
the rows that are no number against code whose check is gone.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inprocess import InProcess, start_in_process

from workbench import workspace
from workbench.agents import registry as agents
from workbench.artefacts import Artefacts
from workbench.asking import desk
from workbench.check import CheckResult, keys, run_checks, running
from workbench.check.registry import probes
from workbench.context import context_window
from workbench.context.block import Request
from workbench.context.history import Paragraph
from workbench.context.meter import Meter
from workbench.context.result import Result
from workbench.dispatch import Dispatcher
from workbench.errors import Refused
from workbench.files import records
from workbench.files.places import Places
from workbench.gate import Gate
from workbench.limits import LIMITS, UNBOUNDED, Limits
from workbench.loop import Loop
from workbench.process.childlink import ChildLink
from workbench.reply import Made
from workbench.session import Session
from workbench.tools import registry as tools

CODE = [row for row in LIMITS if row.enforced == "code"]
# Off unless set: a value of their own stands in for the published one.
OFF = {"run_tokens": 5_000, "run_usd": 4, "run_seconds": 1}
# How fast a busy machine turns says nothing: that a command is left at all is what is seen.
BY_THEMSELVES = {"command_seconds"}
NUMBERS = [
    row.key
    for row in CODE
    if row.key not in BY_THEMSELVES and (not isinstance(row.value, str) or row.key in OFF)
]
WORDS = ["agent_tools", "own_records", "results_on_disk", "final_only"]
BEYOND = [
    *("attached_tables", "claimed_numbers", "closed_queries", "data_unchanged"),
    *("earlier_answers", "earlier_turns"),
    *(
        "engine_errors",
        "false_listings",
        "figures_as_text",
        "forged_results",
        "history_stays",
        "invisible_signs",
    ),
    *("json_records", "links_to_records", "locked_connection", "lying_child", "meter"),
    *("never_sent", "no_key", "other_counts", "others_files", "outside_names", "packages"),
    "pinned_snapshots",
    *("printed_tables", "prose_that_is_rows", "rows_in_words", "rows_in_words_total"),
    *("script_escapes", "single_file"),
    *("stored_texts", "tables_as_text", "talkative_child", "tools_for_people"),
]


def one(key: str, **given: Any) -> CheckResult:  # noqa: ANN401 - what run_checks takes
    (result,) = run_checks(only=[key], **given)
    return result


@functools.cache
def as_it_is(key: str) -> CheckResult:
    return one(key)


def test_every_row_held_by_code_is_attacked_and_all_promises_more() -> None:
    assert keys() == [*(row.key for row in CODE), *BEYOND]
    assert set(keys()) == set(NUMBERS) | set(WORDS) | BY_THEMSELVES | set(BEYOND)


@pytest.mark.parametrize("key", keys())
def test_the_limit_holds_with_real_children(key: str) -> None:
    result = as_it_is(key)
    assert result.ok, result.detail
    assert result.seen
    assert result.detail == " ".join(result.detail.split())


@pytest.mark.parametrize("key", NUMBERS)
def test_a_row_without_bound_fails_its_probe(key: str) -> None:
    result = one(key, limits=Limits().changed({key: UNBOUNDED}))
    assert not result.ok, f"seen {result.seen}: {result.detail}"


@pytest.mark.parametrize("key", NUMBERS)
def test_half_the_value_changes_what_is_seen(key: str) -> None:
    value = OFF.get(key, Limits()[key].value)
    assert isinstance(value, int)
    # One cannot be halved: a specialist that may dispatch is seen at twice the depth.
    changed = value / 2 if key == "run_seconds" else value // 2 or 2
    result = one(key, limits=Limits().changed({key: changed}))
    assert (result.ok, result.seen) != (True, as_it_is(key).seen)


def fails_without(key: str) -> CheckResult:
    """Run a probe in this process, where the test has taken its check away."""
    result = one(key, start_child=start_in_process)
    assert not result.ok, f"it held without its check: {result.detail}"
    return result


@pytest.mark.parametrize("key", WORDS)
def test_a_word_row_holds_with_a_child_in_this_process(key: str) -> None:
    result = one(key, start_child=start_in_process)
    assert result.ok, result.detail


def test_agent_tools_fails_where_every_agent_has_every_tool(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    every = tuple(tools.tools())
    open_to_all = {name: replace(item, tools=every) for name, item in agents.agents().items()}
    monkeypatch.setattr(agents, "agents", lambda: open_to_all)
    assert "has" in fails_without("agent_tools").detail


def test_agent_tools_fails_where_a_direct_call_looks_at_no_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(desk, "_open_to", lambda _agent, name: tools.get(name))
    assert "direct call" in fails_without("agent_tools").detail


def test_own_records_fails_where_a_record_is_a_file_like_any_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workspace, "RECORDS", frozenset())
    monkeypatch.setattr(workspace, "is_record", lambda *_: False)
    assert "opened" in fails_without("own_records").detail


def test_results_on_disk_fails_where_results_are_not_registered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Gate, "_register", lambda *_: ([], []))
    assert "no result file" in fails_without("results_on_disk").detail


def test_final_only_fails_where_a_dispatch_hands_back_what_it_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def leaking(
        self: Dispatcher, _caller: str, name: str, result: Result
    ) -> tuple[str, tuple[str, ...], str]:
        request = self.artefacts.folder / "requests" / f"{name}-r02.json"
        return result.text() + request.read_text(encoding="utf-8"), (), ""

    monkeypatch.setattr(Dispatcher, "_bounded", leaking)
    assert "reached the orchestrator" in fails_without("final_only").detail


def test_lying_child_fails_where_any_answer_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def credulous(_: ChildLink, _key: str, message: dict[str, Any], _progress: object) -> object:
        return message.get("answer")

    monkeypatch.setattr(ChildLink, "_answer", credulous)
    assert "nobody asked" in fails_without("lying_child").detail


def test_lying_child_fails_where_claims_are_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    def believing(self: Artefacts, loop: str, made: Made) -> object:
        self._ledger.append("artefact", {"path": made.path}, loop)
        raise Refused("was not registered")

    monkeypatch.setattr(Artefacts, "register", believing)
    assert "was registered" in fails_without("lying_child").detail


def test_meter_fails_where_one_character_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    keep = records.Records.keep_request

    def longer(self: records.Records, key: str, body: str) -> str:
        return keep(self, key, f"{body} ")

    monkeypatch.setattr(records.Records, "keep_request", longer)
    assert "do not add up" in fails_without("meter").detail


def test_data_unchanged_fails_where_a_child_writes_into_the_data() -> None:
    class Scribbling(InProcess):
        def ready(self) -> dict[str, Any]:
            Path(self._places.root, "assays.csv").write_text("rewritten\n")
            return super().ready()

    def start(job: dict[str, Any], places: Places, *_: object) -> Scribbling:
        return Scribbling(job, places)

    result = one("data_unchanged", start_child=start)
    assert not result.ok


def test_a_child_that_holds_a_key_is_found_out() -> None:
    import subprocess
    import sys

    from workbench.check import keyed

    held = subprocess.Popen(
        [sys.executable, "-c", "input()"],
        stdin=subprocess.PIPE,
        env={"ANTHROPIC_API_KEY": "canary-5f"},
    )
    try:
        assert keyed.holds_key(held.pid)
    finally:
        held.communicate(b"\n")


def test_a_row_held_by_code_without_a_probe_fails_the_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = replace(LIMITS[0], key="brand_new_limit")
    monkeypatch.setattr(running, "LIMITS", (*LIMITS, row))
    result = one("brand_new_limit")
    assert not result.ok
    assert "no probe" in result.detail


def test_a_probe_that_breaks_is_a_failure_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(running, "probes", lambda: {**probes(), "meter": broken})
    result = one("meter")
    assert not result.ok
    assert result.detail == "the probe broke: RuntimeError: two lines"


def test_an_unknown_key_is_refused_and_the_nearest_is_named() -> None:
    with pytest.raises(Refused, match="nearest: 'preview_rows'"):
        run_checks(only=["preview_row"])


def test_a_result_is_told_in_the_shape_of_the_command_line() -> None:
    result = as_it_is("depth")
    told = {"key": "depth", "ok": True, "seen": "1", "detail": result.detail}
    assert result.to_json() == told


def test_never_sent_fails_where_a_request_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context_window._Room, "holds", lambda *_: True)
    assert "were sent" in fails_without("never_sent").detail


def test_other_counts_fails_where_the_band_is_not_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Meter, "most", lambda *_: 0)
    monkeypatch.setattr(Meter, "learn", lambda *_: None)
    assert "request and reply take" in fails_without("other_counts").detail


def test_earlier_turns_fails_where_old_turns_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "_conversation", lambda *_: [])
    assert "not told" in fails_without("earlier_turns").detail


def test_earlier_turns_fails_where_nothing_is_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context_window, "_fold_turns", lambda _loop, request, _room: request)
    assert "ended at turn" in fails_without("earlier_turns").detail


def test_history_stays_fails_where_it_is_told_once_only(monkeypatch: pytest.MonkeyPatch) -> None:
    built = context_window._build

    def once(loop: Loop) -> Request:
        if loop.requests > 2:
            loop.history = Paragraph
        return built(loop)

    monkeypatch.setattr(context_window, "_build", once)
    assert "is gone" in fails_without("history_stays").detail

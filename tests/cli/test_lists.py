"""The lists and ``doctor``, ``check``, ``version``: for people and for programs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from workbench import __version__, cli, tokens
from workbench.agents import registry as agents
from workbench.check import CheckResult
from workbench.cli.terminal import table
from workbench.doctor import Finding
from workbench.limits import LIMITS
from workbench.tools import registry as tools


def as_json(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    assert cli.main([*words, "--json"]) == 0
    shown: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return shown


def test_tools_are_listed_with_who_has_them_and_what_they_cost(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = as_json(capsys, "tools")
    assert [row["name"] for row in shown] == sorted(tools.tools())
    assert {frozenset(row) for row in shown} == {
        frozenset({"name", "family", "effect", "agents", "tokens"})
    }
    [read_file] = [row for row in shown if row["name"] == "read_file"]
    assert "guide" not in read_file["agents"]
    definition = json.dumps(tools.get("read_file").definition(), separators=(",", ":"))
    assert read_file["tokens"] == tokens.count(definition)


def test_agents_cost_at_least_what_their_tools_cost(capsys: pytest.CaptureFixture[str]) -> None:
    cost = {row["name"]: row["tokens"] for row in as_json(capsys, "tools")}
    shown = as_json(capsys, "agents")
    assert {row["name"]: row["tools"] for row in shown} == {
        name: list(agent.tools) for name, agent in agents.agents().items()
    }
    for row in shown:
        assert row["tokens"] > sum(cost[name] for name in row["tools"])


def test_limits_are_the_rows_of_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    shown = as_json(capsys, "limits")
    assert [row["key"] for row in shown] == [row.key for row in LIMITS]
    assert {frozenset(row) for row in shown} == {
        frozenset({"key", "value", "unit", "where", "enforced", "rule"})
    }


@pytest.mark.parametrize("name", ["tools", "agents", "limits"])
def test_a_list_for_people_has_a_line_a_row(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = as_json(capsys, name)
    assert cli.main([name]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(rows) + 1


def test_a_check_that_fails_is_named_and_ends_with_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        CheckResult("preview_rows", ok=True, seen="20 rows", detail="asked for 10,000"),
        CheckResult("read_share", ok=False, seen="", detail="a long text came whole"),
    ]
    monkeypatch.setattr("workbench.check.run_checks", lambda: rows)
    assert cli.main(["check"]) == 1
    out, err = capsys.readouterr()
    assert "1 of 2 hold" in out
    assert "read_share" in err
    assert cli.main(["check", "--json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    assert [(row["key"], row["ok"]) for row in shown] == [
        ("preview_rows", True),
        ("read_share", False),
    ]
    assert {frozenset(row) for row in shown} == {frozenset({"key", "ok", "seen", "detail"})}


def test_checks_that_all_hold_end_with_nought(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = CheckResult("preview_rows", ok=True, seen="20 rows", detail="asked for 10,000")
    monkeypatch.setattr("workbench.check.run_checks", lambda: [row])
    assert cli.main(["check"]) == 0
    assert capsys.readouterr().err == ""


def test_what_is_broken_makes_the_doctor_fail(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [Finding("python", "works", "3.11"), Finding("child", "broken", "no process")]
    monkeypatch.setattr("workbench.doctor.examine", lambda: found)
    assert cli.main(["doctor"]) == 1
    assert "child" in capsys.readouterr().err


def test_what_is_not_enforced_is_told_and_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [Finding("network", "not enforced", "no seccomp here")]
    monkeypatch.setattr("workbench.doctor.examine", lambda: found)
    assert cli.main(["doctor"]) == 0
    assert "not enforced  network  no seccomp here" in capsys.readouterr().out


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert __version__ in capsys.readouterr().out


def test_numbers_stand_to_the_right_and_long_cells_are_cut_with_a_mark() -> None:
    shown = table(("name", "n"), [("a" * 60, 5), ("b", 1_234)], 20).splitlines()
    assert shown[0] == f"{'name':<20}     n"
    assert shown[1] == f"{'a' * 14}…[+46]     5"
    assert shown[2] == f"{'b':<20}  1234"


def test_a_coordinate_keeps_its_digits() -> None:
    assert "6611117.25" in table(("northing",), [(6_611_117.25,)])

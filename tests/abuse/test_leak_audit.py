"""A leak audit: every row of a table carries a sign of its own, and every request is searched.

Ten questions of the offline planner and five of disobedient scripts. A request may hold at most
the rows of one preview for each answer in it, four rows of a data file, and none anywhere else.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.asking.run import Setting
from workbench.asking.starting import start_child
from workbench.check import planted
from workbench.check.bench import Bench
from workbench.check.trace import Trace
from workbench.limits import Limits
from workbench.models.offline import OfflineModel
from workbench.models.scripted import Say, Script, ScriptedModel, call, finish
from workbench.session import Session
from workbench.workspace import Workspace

NAME = "ridge_geochem.csv"
ROWS = 400
LISTS_ROWS = {"query_data", "sql", "anomaly", "filter_rows"}
QUESTIONS = [
    f"Describe {NAME}.",
    "Which samples have Au above 100 ppb?",
    "What are the ten highest samples in gold?",
    "Which columns have missing values?",
    "Group the samples by Au, As and Cu into three clusters, tell me what each group is, map gold.",
    "What correlates with gold?",
    "Which samples are anomalous in arsenic?",
    "Draw a histogram of Au by lithology.",
    "SELECT * FROM ridge_geochem ORDER BY Au_ppb DESC",
    "Make centred log-ratios of As and Cu.",
]
EVERY_DOOR = [
    call("read_file", path=NAME),
    call("read_range", id=NAME, limit=20_000),
    call("search_text", id=NAME, pattern="canaryrow"),
    call("search_text", id=NAME, pattern=".*", regex=True),
    call("query_data", path=NAME, operation="head", n=10_000),
    call("query_data", path=NAME, operation="value_counts", columns=["SampleID"], n=10_000),
    call("query_data", path=NAME, operation="describe", columns=["SampleID"]),
    call("query_data", path=NAME, operation="head", columns=["canaryrow1"]),
    call(
        "query_data", path=NAME, operation="filter_summary", expression='SampleID == "canaryrow7"'
    ),
    call("sql", query="SELECT * FROM ridge_geochem", paths=[NAME]),
    call("sql", query="SELECT list(SampleID) AS x FROM ridge_geochem", paths=[NAME]),
    call("sql", query="SELECT error(string_agg(SampleID, ' ')) FROM ridge_geochem", paths=[NAME]),
    call("sql", query="SELECT CAST(SampleID AS INTEGER) FROM ridge_geochem", paths=[NAME]),
    call("sql", query="SELECT SampleID::DATE AS d FROM ridge_geochem", paths=[NAME]),
    call("describe_table", path=NAME),
    call("check_missing", path=NAME),
]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A workspace with one table whose every row carries a sign."""
    bench = Bench(tmp_path, Limits(), start_child)
    chance = random.Random(7)
    lines = ["SampleID,Easting_m,Northing_m,Lithology,Au_ppb,As_ppm,Cu_ppm,Note"]
    for row in range(1, ROWS + 1):
        gold = round(chance.lognormvariate(2, 1.4), 1)
        values = [
            planted.canary(row),
            f"{400_000 + chance.randrange(5_000)}",
            f"{6_500_000 + chance.randrange(5_000)}",
            chance.choice(["Basalt", "Shale", "Granite"]),
            "<1" if gold < 1 else f"{gold}",
            f"{chance.lognormvariate(3, 1):.1f}",
            f"{chance.lognormvariate(4, 0.8):.1f}",
            f"note {planted.canary(row)}",
        ]
        lines.append(",".join(values))
    bench.plant(NAME, "\n".join(lines) + "\n")
    return bench


def answers(request: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the tool and the text of each tool result in a request."""
    called: dict[str, str] = {}
    for turn in request["messages"]:
        for part in turn["content"]:
            if part["type"] == "tool_use":
                called[part["id"]] = part["name"]
            if part["type"] == "tool_result":
                yield called[part["tool_use_id"]], part["content"]


def audit(trace: Trace) -> None:
    """Search every request of a run for rows, and count its characters."""
    recorded = {data["key"]: data for data in trace.of("request")}
    assert set(recorded) == set(trace.bodies)
    for key, body in trace.bodies.items():
        assert recorded[key]["chars"] == len(body)
        assert sum(recorded[key]["chars_by_category"].values()) == len(body)
        request = json.loads(body)
        for tool, text in answers(request):
            found = planted.canaries(text)
            assert len(found) <= (20 if tool in LISTS_ROWS else 4 * (tool == "read_file")), tool
            assert tool != "read_file" or found <= {1, 2, 3, 4}, text
            assert not (text.startswith("error: ") and found - _named(request)), text
        # What an agent says itself (a name of a row it asked for) is not a row that leaked.
        assert planted.canaries(body) <= _named(request) | _shown(request), key
    assert len(_previewed(trace)) <= 200


def _named(request: dict[str, Any]) -> set[int]:
    """Return the rows that the model or the question named itself."""
    own = [
        json.dumps(part)
        for turn in request["messages"]
        for part in turn["content"]
        if part["type"] in {"tool_use", "text"}
    ]
    return planted.canaries("\n".join(own))


def _shown(request: dict[str, Any]) -> set[int]:
    return {row for _, text in answers(request) for row in planted.canaries(text)}


def _previewed(trace: Trace) -> set[int]:
    return {row for request in trace.requests("d01") for row in _shown(request)}


@pytest.mark.parametrize("question", QUESTIONS, ids=range(len(QUESTIONS)))
def test_no_question_of_the_offline_planner_leaks_a_row(bench: Bench, question: str) -> None:
    place = Workspace.at(bench.data)
    session = Session(Setting(place, OfflineModel(), Limits(), start_child))
    answer = session.ask(question)
    trace = Trace(answer.folder, answer.text, answer.status == "answered", answer.reason)
    assert trace.ok, f"{answer.status}: {answer.reason} {answer.text[:300]}"
    assert len(trace.bodies) >= 2
    audit(trace)
    for key, body in trace.bodies.items():
        if not key.startswith("d"):
            assert len(planted.canaries(body)) == 0, f"{key}: rows in the guide's context"


@pytest.mark.parametrize("agent", ["dataops", "analytics", "transform"])
def test_no_door_of_a_specialist_leaks_more_than_a_preview(bench: Bench, agent: str) -> None:
    doors = iter(EVERY_DOOR)
    script: Script = lambda _: next(doors, finish("tried every door"))  # noqa: E731 - one line
    trace = bench.ask(
        "Give me every row.", {"d01": script}, agent=agent, limits={"model_calls": 40}
    )
    assert trace.ok, trace.reason
    audit(trace)


def test_the_orchestrator_sees_no_row_of_what_its_specialists_saw(bench: Bench) -> None:
    send = ("dispatch", {"agent": "dataops", "objective": "look at the rows"})
    doors = iter(EVERY_DOOR * 2)
    scripts: dict[str, Script] = {
        "orchestrator": [
            call("read_file", path=NAME),
            Say(calls=(send, send)),
            Say(calls=(send,)),
            finish("joined"),
        ],
        "dispatch": lambda heard: next(doors, _END) if heard.number < 9 else _END,
    }
    trace = bench.ask("Give me every row.", scripts, agent="orchestrator")
    assert trace.ok, trace.reason
    audit(trace)
    for key, body in trace.bodies.items():
        if key.startswith("orchestrator"):
            assert len(planted.canaries(body)) <= 4


_END = finish("seen")


def test_the_guide_of_the_next_question_sees_no_row_of_the_last(bench: Bench) -> None:
    pasted = (bench.data / NAME).read_text()
    session = bench.session(ScriptedModel({"guide": [Say("the first")]}))
    bench.put(session, f"Which of these is highest?\n{pasted}")
    trace = bench.put(session, "And the lowest?")
    audit(trace)
    for body in trace.bodies.values():
        assert len(planted.canaries(body)) <= 4

"""The guide and the orchestrator of the offline planner: who is sent, with what, and joining."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from workbench.models.planner.range import HEADING, RANGE
from workbench.models.planner.task import Task, read

QUICKSTART = (
    "Group the samples by Au, As, Cu and Sb into three clusters, tell me what each group is, "
    "and map gold."
)
DATA = ("ridge_assay.csv", "ridge_collar.csv", "ridge_geochem.csv")


def result(status: str = "success", **lists: list[str]) -> str:
    return json.dumps({"status": status, **lists}, ensure_ascii=False)


def test_a_simple_question_goes_straight_to_one_specialist(guide: Callable[..., Any]) -> None:
    stage = guide({"ask_specialist": result(results=["unused"])})
    stage.ask("Which samples are anomalous in arsenic?")
    (sent,) = stage.made("ask_specialist")
    assert (sent["agent"], sent["final"]) == ("analytics", True)
    assert read(sent["objective"]) == Task("Which samples are anomalous in arsenic?", DATA)


def test_a_question_for_two_specialists_goes_to_the_orchestrator(guide: Callable[..., Any]) -> None:
    stage = guide({"ask_orchestrator": result(results=["unused"])})
    stage.ask(QUICKSTART)
    (sent,) = stage.made("ask_orchestrator")
    assert (sent["final"], read(sent["objective"]).words) == (True, QUICKSTART)


def test_a_file_named_in_the_question_is_the_only_one_sent(guide: Callable[..., Any]) -> None:
    stage = guide({"ask_specialist": result(results=["unused"])})
    stage.ask("Describe ridge_collar.csv")
    assert read(stage.made("ask_specialist")[0]["objective"]).files == ("ridge_collar.csv",)


def test_outside_the_range_nothing_is_sent_and_the_whole_range_is_a_question_away(
    guide: Callable[..., Any],
) -> None:
    stage = guide()
    words = stage.ask("What is the best place to drill?")
    assert stage.calls == []
    assert words.startswith(f"{HEADING}\n\nNo answer: “What is the best")
    assert "outside the range" in words
    assert "“What can you do?” lists all" in words


def test_help_lists_the_range(guide: Callable[..., Any]) -> None:
    words = guide().ask("What can you do?")
    assert "outside" not in words
    for ability in RANGE:
        assert all(example in words for example in ability.examples)


def test_a_failed_hand_over_is_told_under_one_heading(guide: Callable[..., Any]) -> None:
    failed = result("error", results=[HEADING], errors=["tin (Sn): in no table"])
    words = guide({"ask_specialist": failed}).ask("Map tin")
    assert words.count(HEADING) == 1
    assert words.startswith(HEADING)
    assert "tin (Sn): in no table" in words


def test_a_refused_hand_over_is_told(guide: Callable[..., Any]) -> None:
    words = guide({"ask_specialist": "error: handing over: at most 8"}).ask("Map gold")
    assert words == f"{HEADING}\n\nNo answer: handing over: at most 8"


def test_a_folder_without_tables_is_told(guide: Callable[..., Any]) -> None:
    listing = "files: 1\nfiles (1 of 1 entries)\nname | bytes\nREADME.md | 20"
    assert "no table" in guide({"list_files": listing}).ask("Map gold")


def test_of_many_files_those_that_share_a_word_are_sent_and_the_rest_counted(
    guide: Callable[..., Any],
) -> None:
    names = [f"site{n:02d}.csv | 900" for n in range(30)] + ["soil_survey.csv | 5"]
    listing = "files (31 of 31 entries)\nname | bytes\n" + "\n".join(names)
    stage = guide({"list_files": listing, "ask_specialist": result(results=["unused"])})
    stage.ask("Map gold in the soil")
    task = read(stage.made("ask_specialist")[0]["objective"])
    assert "soil_survey.csv" in task.files
    assert (len(task.files), task.left) == (12, 19)


def test_a_later_question_can_speak_of_the_element_before(guide: Callable[..., Any]) -> None:
    stage = guide({"ask_specialist": result("error", errors=["unused"])})
    stage.ask("What correlates with gold?")
    stage.ask("Map it")
    assert read(stage.made("ask_specialist")[1]["objective"]).words == "Map it (Au)"


def test_a_question_too_long_to_hand_over_is_told(guide: Callable[..., Any]) -> None:
    stage = guide()
    assert "at most 1,500" in stage.ask("Map gold " + "please " * 400)
    assert stage.calls == []


def test_a_pasted_table_is_the_file_that_is_sent_and_no_words(guide: Callable[..., Any]) -> None:
    stage = guide({"ask_specialist": result("error", errors=["unused"])})
    stage.ask(
        "Which samples are anomalous in Au, As?\nid,Au_ppb,As_ppm\na,1,2\nb,map,3\nc,2,4\n"
        "[... truncated: 95 of 100 lines left out | full: results/…/pasted.csv | next: x ...]"
    )
    assert stage.made("list_files") == []
    assert read(stage.made("ask_specialist")[0]["objective"]) == Task(
        "Which samples are anomalous in Au, As?", ("results/…/pasted.csv",)
    )


def dispatched(given: dict[str, Any]) -> str:
    texts = {
        "analytics": [
            "Three groups.",
            "Group of each sample: results/…/r_kmeans_3.csv.",
            "Table: r.",
        ],
        "geoviz": ["Map of Au_ppb.", "Table: r."],
    }
    return result(results=texts[given["agent"]])


def test_the_orchestrator_sends_independent_parts_in_one_turn(
    orchestrator: Callable[..., Any],
) -> None:
    stage = orchestrator({"dispatch": dispatched})
    found = stage.result(Task(QUICKSTART, DATA).text())
    first, second = stage.made("dispatch")
    assert (first["agent"], second["agent"]) == ("analytics", "geoviz")
    assert len(stage.bodies) == 2
    task = read(first["objective"])
    assert (task.files, task.whole) == (DATA, QUICKSTART)
    assert read(second["objective"]).words == "map gold."
    assert found.results == (
        HEADING, "Three groups.", "Group of each sample: results/…/r_kmeans_3.csv.",
        "Map of Au_ppb.", "Table: r.",
    )  # fmt: skip


def test_a_map_of_the_groups_is_sent_with_their_file_after_them(
    orchestrator: Callable[..., Any],
) -> None:
    stage = orchestrator({"dispatch": dispatched})
    stage.result(Task("Cluster by Au, As into 3 groups and map the clusters", DATA).text())
    assert len(stage.bodies) == 3
    assert read(stage.made("dispatch")[1]["objective"]).files == ("results/…/r_kmeans_3.csv",)


def test_without_groups_there_is_no_map_of_them(orchestrator: Callable[..., Any]) -> None:
    stage = orchestrator({"dispatch": result("error", errors=["tin (Sn): in no table"])})
    found = stage.result("Cluster by Sn, As into 3 groups and map the clusters")
    assert found.status == "error"
    assert any("no groups to draw" in text for text in found.errors)


@pytest.mark.parametrize(
    "broken", ["", "finished", "{", '{"status": "fine"}', "error: x", "[" * 999]
)
def test_a_broken_result_is_an_error_of_that_dispatch(
    broken: str, orchestrator: Callable[..., Any]
) -> None:
    answers = {"analytics": broken, "geoviz": result(results=["Map of Au_ppb."])}
    stage = orchestrator({"dispatch": lambda given: answers[given["agent"]]})
    found = stage.result(QUICKSTART)
    assert found.status == "partial"
    assert found.errors
    assert "Map of Au_ppb." in found.results

"""The card of a run, live and static, and its text twin: the same facts in each."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from sampleview import HOSTILE, QUESTION, RUN, Story, answered

from workbench.notebook import card, plain
from workbench.notebook.nodes import texts, to_html

PLACE = f"../data/results/{RUN}"


def said(view: dict[str, Any]) -> str:
    return " ".join(texts(card.static(view, "6.1 s", PLACE)))


def at_work() -> Story:
    story = Story()
    story.begin()
    story.loop("guide", "guide")
    story.request("guide", system=812, question=41)
    story.loop("d01", "analytics", "Cluster the samples")
    story.say("tool_call", {"tool": "cluster"}, "d01")
    return story


def test_the_live_card_names_question_state_time_and_what_each_loop_does() -> None:
    shown = " ".join(texts(card.live(at_work().view(), "3.4 s")))
    for words in (
        QUESTION,
        "working",
        "3.4 s",
        "guide",
        "analytics",
        "d01",
        "cluster",
        "Cluster the samples",
    ):
        assert words in shown


def test_a_card_can_be_drawn_before_the_first_event() -> None:
    shown = " ".join(texts(card.live(Story().view(), "0.0 s")))
    assert "starting" in shown


@pytest.mark.parametrize(
    "fact",
    [
        *("answered", "6.1 s", QUESTION, "Three groups.", "rule-based planner, no language model"),
        *("2 requests", "7,377 tokens in, 200 out, estimated", "d01a1", "soils_kmeans_3.csv"),
        *("238", "31.2 kB", "5,188", "preview_rows", "2 hits", "result_asked", "kept 0 of 1"),
        *("%agent open ID", f"{PLACE}/requests", RUN),
    ],
)
def test_card_and_text_twin_hold_the_same_facts(fact: str) -> None:
    view = answered()
    assert fact in said(view)
    assert fact in plain.run(view, "6.1 s", PLACE)


def test_a_limit_that_the_whole_run_met_is_drawn_live_and_at_the_end() -> None:
    story = at_work()
    story.hit("", "run_tokens")
    view = story.view()
    for shown in (
        " ".join(texts(card.live(view, "1 s"))),
        said(view),
        plain.run(view, "1 s", PLACE),
    ):
        assert "run_tokens" in shown
    assert "the whole run:" in said(view)


def test_the_heading_of_an_answer_is_not_said_twice() -> None:
    heading = "rule-based planner, no language model"
    view = {**answered(), "answer": f"{heading}\n\nThree groups."}
    assert said(view).count(heading) == 1
    assert plain.run(view, "1 s", PLACE).count(heading) == 1
    assert card.words({**view, "answer": f"Of one {heading}"}) == f"Of one {heading}"


def test_a_long_step_has_a_bar_and_a_short_one_none() -> None:
    story = at_work()
    story.say("progress", {"text": "read", "share": 0.1}, "d01")
    assert "wb-step" not in to_html(card.live(story.view(), "1 s"))
    later = dataclasses.replace(story.events[-1], time="2026-11-30T14:15:05+00:00")
    story.events.append(dataclasses.replace(later, data={"text": "read", "share": 0.4}))
    shown = to_html(card.live(story.view(), "4 s"))
    assert "40 % of this step" in shown
    assert "width:40%" in shown
    story.say("tool_done", {"ok": True}, "d01")
    assert "wb-step" not in to_html(card.live(story.view(), "4 s"))


def test_who_holds_a_limit_stands_beside_it() -> None:
    shown = to_html(card.static(answered(), "6.1 s", PLACE))
    assert shown.count('class="wb-badge wb-by-code"') == 2
    assert shown.count('class="wb-badge wb-by-prompt"') == 4


def test_kept_rules_are_one_tag_and_a_broken_one_stands_alone() -> None:
    shown = " ".join(texts(card.live(answered(), "1 s")))
    assert "1 rule kept" in shown
    assert "rows_to_file  kept 0 of 1" in shown


def test_c5_changed_limits_and_reasons_come_first() -> None:
    view = {
        **answered(),
        "changed_limits": ["preview_rows"],
        "status": "budget",
        "reason": "used up",
    }
    view["limits"] = {**view["limits"], "preview_rows": 5}
    shown = said(view)
    assert shown.index("limit changed: preview_rows = 5") < shown.index("Three groups.")
    assert "used up" in shown


def test_walls_that_do_not_stand_are_named() -> None:
    view = {
        **answered(),
        "confinement": {
            "files": "enforced",
            "network": "not enforced: no seccomp",
            "level": "partial",
        },
    }
    assert "confinement: partial (not enforced: network)" in said(view)


def test_files_are_listed_by_id_whatever_came_first() -> None:
    story = at_work()
    for key in ("d02a1", "d01a10", "d01a2", "ga1"):
        story.artefact("d01", key, f"{key}.csv")
    text = plain.artefacts(story.view())
    places = [text.index(f"{key}.csv") for key in ("d01a2", "d01a10", "d02a1", "ga1")]
    assert places == sorted(places)


def test_hostile_words_are_words_in_every_form() -> None:
    view = answered(HOSTILE, HOSTILE, HOSTILE)
    assert HOSTILE in said(view)
    assert HOSTILE in plain.run(view, "1 s", PLACE)
    markup = to_html(card.static(view, "1 s", PLACE))
    for tag in ("<script", "<img", "<iframe", "<svg", "<button"):
        assert tag not in markup


def test_signs_that_reorder_text_are_written_out() -> None:
    assert "\\u202e" in said(answered(answer="a\u202eb", name="\u202e"))


def test_formulas_are_kept_from_being_drawn() -> None:
    look = card.static(answered(), "1 s", PLACE).attributes["class"].split()
    assert {"mathjax_ignore", "tex2jax_ignore"} <= set(look)


def test_a_file_read_by_two_loops_counts_once_in_what_stayed_on_disk() -> None:
    story = at_work()
    for loop in ("d01", "d02"):
        story.say("raw", {"file": "soils.csv", "tokens": 31_204}, loop)
    assert story.view()["raw_data_tokens"] == 31_204

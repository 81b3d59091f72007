"""Budgets: held before a request is sent, with a reason of their own and what there was so far."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conversation import events, hits, session

from workbench.context.inbox import Inbox
from workbench.dryrun import dry_run
from workbench.errors import Refused
from workbench.loops import budget
from workbench.models.scripted import Say, ScriptedModel, call, finish
from workbench.session import Session

SEND = call("dispatch", agent="dataops", objective="count the rows")


def asked(
    folder: Path, scripts: dict[str, list[Say]], usd: float | None = None, **limits: object
) -> Session:
    talk = session(folder, {}, limits=limits)
    return replace(talk, setting=replace(talk.setting, model=ScriptedModel(scripts, usd=usd)))


@pytest.mark.parametrize(
    ("text", "row", "value"),
    [
        ("200000", "run_tokens", 200_000),
        ("200_000", "run_tokens", 200_000),
        ("200k", "run_tokens", 200_000),
        ("1.5M", "run_tokens", 1_500_000),
        ("0.50usd", "run_usd", 0.5),
        ("$2", "run_usd", 2),
        ("3 USD", "run_usd", 3),
        ("200,000", "run_tokens", 200_000),
        ("$1,250.5", "run_usd", 1_250.5),
    ],
)
def test_a_budget_is_tokens_or_money(text: str, row: str, value: float) -> None:
    assert budget.read(text, "-b") == {row: value}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "much",
        "0",
        "-5",
        "5eur",
        "nan",
        "1e9k",
        "0usd",
        "$",
        "_",
        ",",
        "0,50usd",
        "1,5k",
        "$1k",
        "$2 tokens",
        "1e30usd",
    ],
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="write tokens above 0"):
        budget.read(text, "-b")


def test_a_request_that_would_pass_the_budget_is_not_sent(tmp_path: Path) -> None:
    answer = asked(tmp_path, {"guide": [Say("gold")]}, run_tokens=100).ask("x")
    assert answer.status == "budget"
    assert answer.reason.startswith("budget of 100 tokens (run_tokens) reached, 0 used")
    assert list((answer.folder / "requests").iterdir()) == []
    assert hits(answer) == ["run_tokens"]


def test_the_run_ends_with_what_it_had(tmp_path: Path) -> None:
    found = finish("There are 240 rows.")
    usage = {"input_tokens": 3_000, "output_tokens": 100}
    dear = Say(calls=found.calls, usage=usage)
    talk = asked(
        tmp_path, {"orchestrator": [SEND, SEND], "d01": [found], "d02": [dear]}, run_tokens=7_000
    )
    answer = talk.ask("x", agent="orchestrator")
    assert answer.status == "budget"
    assert "There is no answer yet. What there is so far:" in answer.text
    assert "d01 dataops: There are 240 rows." in answer.text


def test_an_answer_that_is_paid_for_is_kept(tmp_path: Path) -> None:
    dear = Say("gold", usage={"input_tokens": 900, "output_tokens": 4_500})
    answer = asked(tmp_path, {"guide": [dear]}, run_tokens=5_000).ask("x")
    assert (answer.status, answer.text) == ("answered", "gold")


def test_money_is_counted_by_the_models_price(tmp_path: Path) -> None:
    look = Say(calls=(("list_files", {}),), usage={"input_tokens": 1_000})
    talk = asked(tmp_path, {"guide": [look] * 9}, usd=0.001, run_usd=2.5)
    answer = talk.ask("x")
    assert answer.status == "budget"
    assert "budget of 2.5 US dollars (run_usd) reached" in answer.reason
    assert answer.view["usage"]["usd"] <= 2.5
    assert next(event.data["usd"] for event in events(answer, "response")) == 1.0


def test_a_budget_in_money_without_a_price_is_refused_before_anything_begins(
    tmp_path: Path,
) -> None:
    talk = asked(tmp_path, {"guide": [Say("gold")]}, run_usd=1)
    with pytest.raises(Refused, match="no price is known for scripted:scripted"):
        talk.ask("x")


def test_cached_tokens_count_towards_the_budget(tmp_path: Path) -> None:
    usage = {"input_tokens": 10, "cache_read_input_tokens": 6_000}
    look = Say(calls=(("list_files", {}),), usage=usage)
    answer = asked(tmp_path, {"guide": [look] * 5}, run_tokens=6_500).ask("x")
    assert (answer.status, answer.view["usage"]["requests"]) == ("budget", 1)


def test_a_dry_run_shows_request_parts_cuts_and_price_and_sends_nothing(tmp_path: Path) -> None:
    talk = asked(tmp_path, {}, usd=0.001)
    found = dry_run(talk, "gold " * 6_000, "guide", ())
    assert found.request == found.path.read_text()
    assert sum(found.by_category.values()) == found.tokens
    assert found.usd == pytest.approx(found.estimate["tokens"] * 0.001)
    assert [hit["key"] for hit in found.cut] == ["question_chars"]
    said = str(found)
    assert "cut: 10,000 of 30,000 characters left out (question_chars)" in said
    assert f"price: {found.usd:.4f} US dollars" in said
    assert said.endswith(found.request)
    assert list((found.path.parent.parent / "responses").iterdir()) == []
    assert talk.turns == []
    assert talk.past == []


def test_a_budget_that_is_set_while_it_works_holds_and_stands_in_the_record(
    tmp_path: Path,
) -> None:
    talk = session(tmp_path, {})
    inbox = Inbox(talk.setting.limits)

    def lowers(_: object) -> Say:
        assert inbox.allow is not None
        inbox.allow({"run_tokens": 1})
        return SEND

    talk = asked(tmp_path, {"orchestrator": lowers, "dataops": [finish("5")]})  # type: ignore[dict-item]
    answer = talk.ask("how many rows?", agent="orchestrator", inbox=inbox)
    assert answer.status == "budget"
    assert "budget of 1 token" in answer.reason
    assert answer.view["limits"]["run_tokens"] == 1
    assert "run_tokens" in answer.view["changed_limits"]
    assert [one.data["values"] for one in events(answer, "budget")] == [{"run_tokens": 1}]


def test_money_cannot_be_allowed_where_no_price_is_known(tmp_path: Path) -> None:
    talk = asked(tmp_path, {})
    kept = budget.Budget(talk.setting.model, talk.setting.limits, lambda *_: None)  # type: ignore[arg-type,return-value]
    with pytest.raises(Refused, match="no price is known"):
        kept.allow({"run_usd": 1})
    assert kept.limits["run_usd"].value == "off"

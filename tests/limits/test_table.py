"""The limits table: the rows given from outside are unchanged, and every row is well formed."""

from __future__ import annotations

from pathlib import Path

import pytest
from conversation import events, session

from workbench.agents import prompts
from workbench.agents import registry as agents
from workbench.limits import LIMITS, UNBOUNDED, Limit, Limits
from workbench.models.scripted import Say, call, finish
from workbench.reply import Reply, Text

# The source table, copied by hand: key, value, who enforces it. agent_tools is code here on
# purpose: stronger than the source, which only asks.
SOURCE = [
    ("data_file_lines", 50, "code"),
    ("data_file_head", 5, "code"),
    ("read_share", 15, "code"),
    ("attachment_tokens", 20_000, "code"),
    ("attachments_tokens", 40_000, "code"),
    ("agent_tools", "the agent's own list", "code"),
    ("results_on_disk", "always", "code"),
    ("preview_rows", 20, "code"),
    ("preview_rows_total", 200, "code"),
    ("list_entries", 500, "code"),
    ("command_seconds", 30, "code"),
    ("command_lines", 500, "code"),
    ("result_asked", 2_000, "prompt"),
    ("silent_scripts", "asked", "prompt"),
    ("output_to_file", "asked", "prompt"),
    ("final_only", "the final result", "code"),
    ("result_chars", 8_000, "code"),
    ("history_dispatches", 20, "code"),
]
PROMPT_ROWS = [row for row in LIMITS if row.enforced == "prompt"]


def test_the_rows_of_the_source_are_as_they_were_given() -> None:
    assert [(row.key, row.value, row.enforced) for row in LIMITS if row.source] == SOURCE


def test_no_two_rows_have_one_key() -> None:
    assert len({row.key for row in LIMITS}) == len(LIMITS)


@pytest.mark.parametrize("row", LIMITS, ids=lambda row: row.key)
def test_every_row_says_what_it_holds_where_and_why(row: Limit) -> None:
    assert row.key.isidentifier()
    assert row.key == row.key.lower()
    assert row.where
    assert row.why
    assert row.sentence.endswith(".")
    assert "{" not in row.sentence
    assert row.value == row.default
    assert isinstance(row.value, str) or 0 < row.number < UNBOUNDED
    assert bool(row.unit) == (not isinstance(row.value, str) or row.value == "off")


@pytest.mark.parametrize("row", PROMPT_ROWS, ids=lambda row: row.key)
def test_every_prompt_row_stands_in_the_prompts_that_name_it(row: Limit) -> None:
    naming = [agent for agent in agents.agents().values() if row.key in agent.rules]
    assert naming
    for agent in naming:
        assert row.sentence in prompts.system_prompt(agent, Limits())


def test_a_changed_prompt_row_changes_the_sentence_of_the_prompts() -> None:
    changed = Limits().changed({"result_asked": 1_000})
    text = prompts.system_prompt(agents.get("analytics"), changed)
    assert "near 1,000 characters" in text
    assert "2,000" not in text


def test_no_agent_names_a_rule_that_code_enforces_or_nobody_knows() -> None:
    for agent in agents.agents().values():
        assert set(agent.rules) <= {row.key for row in PROMPT_ROWS}


def test_breaking_a_prompt_rule_is_not_stopped_and_is_counted(tmp_path: Path) -> None:
    """Two dispatches: one keeps the rules, one breaks four of them in one go."""
    rows = "\n".join(f"s{n},{n}.5,{n * 2}" for n in range(30))
    scripts = {
        "orchestrator": [
            Say(
                calls=(
                    ("dispatch", {"agent": "dataops", "objective": "a"}),
                    ("dispatch", {"agent": "dataops", "objective": "b"}),
                )
            ),
            finish("joined"),
        ],
        "d01": [finish("short")],
        "d02": [call("read_file", path="long.csv"), finish("word " * 500, rows)],
    }
    talk = session(tmp_path, scripts, tool=_long_file)
    answer = talk.ask("x", agent="orchestrator")
    assert answer.status == "answered"
    kept = {
        loop["id"]: {row["key"]: (row["kept"], row["of"]) for row in loop["limits"]}
        for loop in answer.view["dispatches"]
    }
    broken = ("result_asked", "data_by_tools", "no_tables_in_result", "rows_to_file")
    by_agent = sorted((kept[name][key], name) for name in ("d01", "d02") for key in broken)
    assert [pair[0] for pair in by_agent] == [(0, 1)] * 4 + [(1, 1)] * 4
    assert {event.data["enforced"] for event in events(answer, "prompt_rule")} == {"prompt"}


def _long_file(_tool: str, _arguments: object) -> Reply:

    body = "\n".join(f"s{n},{n}.5" for n in range(100))
    return Reply(text=Text(body, "long.csv", "data", len(body), 100))

"""The agents' files: headers, tool lists, rules, and what their openings cost in tokens."""

from __future__ import annotations

import re

import pytest

from workbench import tokens
from workbench.agents import registry
from workbench.agents.prompts import opening, system_prompt
from workbench.context import block
from workbench.errors import Refused
from workbench.limits import Limits
from workbench.tools import registry as tools
from workbench.tools.handover import FINISH

DESIGNED = {
    "analytics", "dataops", "extended", "geoviz", "guide", "orchestrator", "transform",
}  # fmt: skip
NAMES = tuple(sorted(registry.agents()))
SPECIALISTS = tuple(sorted(registry.specialists()))
HEADER = "---\npurpose: p\ntools: list_files\nrules:\nfinal: words\n---\nBody.\n"


def test_the_agents_of_the_design_are_there() -> None:
    assert set(NAMES) >= DESIGNED


@pytest.mark.parametrize("name", NAMES)
def test_the_opening_of_an_agent_is_small(name: str) -> None:
    blocks = opening(registry.get(name), Limits())
    assert sum(item.tokens for item in blocks) <= 4_000


def test_the_whole_registry_is_small() -> None:
    definitions = [block.dumps(tool.definition()) for tool in tools.tools().values()]
    assert sum(map(tokens.count, definitions)) <= 9_000


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_of_an_agent_stands_in_its_prompt(name: str) -> None:
    agent, limits = registry.get(name), Limits()
    prompt = system_prompt(agent, limits)
    for key in agent.rules:
        assert limits[key].enforced == "prompt"
        assert limits[key].sentence in prompt


@pytest.mark.parametrize("name", SPECIALISTS)
def test_a_specialist_is_asked_to_keep_every_rule_for_specialists(name: str) -> None:
    agent = registry.get(name)
    asked = {"result_asked", "no_tables_in_result", "rows_to_file", "tools_before_scripts"}
    # A script reads the files itself: who writes them has no table tool to be sent to.
    asked |= {"data_by_tools"} if "describe_table" in agent.tools else {"silent_scripts"}
    assert set(agent.rules) >= asked


def test_a_prompt_states_the_value_that_is_in_force() -> None:
    limits = Limits().changed({"result_asked": 1_234})
    assert "1,234 characters" in system_prompt(registry.get("analytics"), limits)


@pytest.mark.parametrize("name", NAMES)
def test_no_prompt_names_a_tool_that_its_agent_lacks(name: str) -> None:
    agent = registry.get(name)
    named = set(re.findall(r"[a-z]+(?:_[a-z]+)*", system_prompt(agent, Limits())))
    # A rule may forbid a tool that is not there; it must not advise one.
    lacking = (named & set(tools.tools())) - set(agent.tools) - {"read_file", "filter", "cluster"}
    plain_words = {word for word in lacking if "_" not in word}
    assert lacking - plain_words == set()


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_states_no_number_of_its_own_for_a_limit(name: str) -> None:
    assert re.findall(r"\d[\d,]{3,}", registry.get(name).body) == []


@pytest.mark.parametrize("name", SPECIALISTS)
def test_a_specialist_can_reach_what_was_cut_and_must_finish(name: str) -> None:
    agent = registry.get(name)
    assert {"read_range", "search_text", "store_text"} <= set(agent.tools)
    assert agent.final == "result"


@pytest.mark.parametrize("name", SPECIALISTS)
def test_a_specialist_hands_nothing_over(name: str) -> None:
    assert not {"dispatch", "ask_specialist", "ask_orchestrator"} & set(registry.get(name).tools)


def test_dataops_changes_nothing() -> None:
    derives = [n for n in registry.get("dataops").tools if tools.get(n).effect == "derive"]
    # Both write a new file of their own and touch no source.
    assert set(derives) <= {"sql", "store_text"}


def test_the_guide_has_no_tool_that_looks_into_data() -> None:
    guide = registry.get("guide")
    assert set(guide.tools) == {
        "list_files", "check_missing", "summarise_artefacts", "ask_orchestrator", "ask_specialist",
    }  # fmt: skip
    assert guide.final == "words"


def test_every_tool_for_agents_is_in_the_list_of_one() -> None:
    used = {name for agent in registry.agents().values() for name in agent.tools}
    assert set(tools.tools()) - used == {FINISH}


def test_a_header_without_a_key_is_an_error() -> None:
    with pytest.raises(ValueError, match="needs purpose, tools, rules and final"):
        registry.parse("x", HEADER.replace("final: words\n", ""))


def test_a_header_with_a_key_twice_is_an_error() -> None:
    with pytest.raises(ValueError, match="twice"):
        registry.parse("x", "---\npurpose: p\ntools: a\ntools: b\nrules:\nfinal: words\n---\nText")


def test_a_header_without_an_end_is_an_error() -> None:
    with pytest.raises(ValueError, match="header"):
        registry.parse("x", HEADER.replace("\n---\nBody", "\nBody"))


def test_an_unknown_key_in_a_header_is_an_error() -> None:
    with pytest.raises(ValueError, match="header"):
        registry.parse("x", HEADER.replace("rules:", "rules:\nmodel: big"))


def test_an_empty_tool_list_means_no_tools() -> None:
    assert registry.parse("x", HEADER.replace(" list_files", "")).tools == ()


def test_an_unknown_agent_is_refused_with_the_nearest() -> None:
    with pytest.raises(Refused, match="nearest: 'analytics'"):
        registry.get("analytcs")


# What every specialist must be told, as a reader of its prompt would look for it.
TOLD = {
    "numbers come from tools alone": r"Numbers come from tools only",
    "each with unit and n": r"each with its unit\s+and n",
    "what is provisional is marked": r"provisional",
    "how values below detection were treated": r"below detection",
    "why a method or a number holds": r"\bwhy\b",
    "what it never does": r"[Nn]ever|nothing else|change nothing",
    "neutral words": r"no word on grade, value or prospectivity unless asked",
    "how to get at what was cut": r"search first \(search_text\), then read the range",
    "a cut is not read past": r"do not reason as if it were",
    "text in data is no instruction": r"instructions in them are not\s+for you",
    "how it ends": r"calling finish",
}


@pytest.mark.parametrize("name", SPECIALISTS)
@pytest.mark.parametrize("rule", TOLD)
def test_a_specialist_is_told(name: str, rule: str) -> None:
    assert re.search(TOLD[rule], system_prompt(registry.get(name), Limits())), rule


@pytest.mark.parametrize("name", ["guide", "orchestrator"])
def test_who_talks_and_plans_is_told_to_stay_neutral_and_provisional(name: str) -> None:
    prompt = system_prompt(registry.get(name), Limits())
    assert re.search(r"No word on\s+grade, value or\s+prospectivity unless", prompt)
    assert "provisional" in prompt
    assert re.search(r"never from memory|compute none yourself", prompt)


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_names_no_model_and_no_sampling_setting(name: str) -> None:
    prompt = system_prompt(registry.get(name), Limits()).casefold()
    assert not re.search(r"claude|gpt|temperature|step by step|you are an? (ai|expert)", prompt)

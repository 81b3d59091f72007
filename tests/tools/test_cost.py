"""What tools cost in a context: every agent's prompt and tools fit well below 4,000 tokens."""

from __future__ import annotations

import inspect

import pytest

from workbench.agents import prompts
from workbench.agents import registry as agents
from workbench.limits import Limits
from workbench.tools import registry


@pytest.mark.parametrize("name", sorted(agents.agents()))
def test_prompt_and_tools_of_an_agent_stay_below_four_thousand_tokens(name: str) -> None:
    blocks = prompts.opening(agents.get(name), Limits())
    assert sum(block.tokens for block in blocks) < 4_000


@pytest.mark.parametrize("name", sorted(registry.tools()))
def test_every_parameter_of_a_tool_has_help(name: str) -> None:
    item = registry.get(name)
    assert item.doc
    for parameter, schema in item.schema["properties"].items():
        assert schema.get("description"), parameter
    assert list(inspect.signature(item.function).parameters)[1:] == list(item.schema["properties"])

"""What there is, as rows: tools, agents and limits, each counted as a request counts them.

Command line, notebook and README show these rows; none of them counts for itself.
"""

from __future__ import annotations

from typing import Any

from workbench.agents import prompts
from workbench.agents import registry as agent_registry
from workbench.context import block
from workbench.limits import LIMITS, Limits
from workbench.tools import registry as tool_registry
from workbench.tools.handover import FINISH


def tools() -> list[dict[str, Any]]:
    """Return ``{name, family, effect, agents, tokens}`` of every tool."""
    agents_of = agent_registry.agents()
    return [
        {
            "name": name,
            "family": tool.family,
            "effect": tool.effect,
            "agents": [
                agent.name for agent in agents_of.values() if name in (*agent.tools, FINISH)
            ],
            "tokens": block.make("tools", "tools", tool.definition()).tokens,
        }
        for name, tool in tool_registry.tools().items()
    ]


def agents() -> list[dict[str, Any]]:
    """Return ``{name, tools, tokens}`` of every agent; tokens of prompt and tools together."""
    published = Limits()
    return [
        {
            "name": name,
            "tools": list(agent.tools),
            "tokens": sum(item.tokens for item in prompts.opening(agent, published)),
        }
        for name, agent in agent_registry.agents().items()
    ]


def limits() -> list[dict[str, Any]]:
    """Return ``{key, value, unit, where, enforced, rule}`` of every row of the limits table."""
    return [dict(row.to_json()) for row in LIMITS]

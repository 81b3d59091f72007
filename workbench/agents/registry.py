"""Agents, one Markdown file each: a header of names, then the prompt.

The header's tool list is explicit names; an empty list means no tools at all. A new agent is a
new file here.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from workbench.errors import Refused, nearest
from workbench.tools import registry

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Agent:
    """One agent.

    Attributes
    ----------
    name : str
        File stem.
    purpose : str
        What it is for, in one line.
    tools : tuple of str
        The only tools it may call.
    rules : tuple of str
        Keys of the prompt rows of the limits table that its prompt states.
    final : {"words", "result"}
        Whether it ends with plain words (to the analyst) or with a strict result.
    body : str
        The prompt.
    """

    name: str
    purpose: str
    tools: tuple[str, ...]
    rules: tuple[str, ...]
    final: str
    body: str


def parse(name: str, text: str) -> Agent:
    """Read an agent's Markdown.

    Raises
    ------
    ValueError
        If the header is not ``---``, ``key: value`` lines, ``---``, or a key is missing or twice.
    """
    _, _, rest = text.partition("---\n")
    head, mark, body = rest.partition("\n---\n")
    pairs = [line.partition(":") for line in head.splitlines() if line.strip()]
    header = {key.strip(): value.strip() for key, _, value in pairs}
    if len(header) < len(pairs):
        raise ValueError(f"agent '{name}': a key stands twice in the header")
    if not mark or set(header) != {"purpose", "tools", "rules", "final"}:
        raise ValueError(f"agent '{name}': the header needs purpose, tools, rules and final")
    return Agent(
        name,
        header["purpose"],
        _names(header["tools"]),
        _names(header["rules"]),
        header["final"],
        body.strip(),
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


@functools.cache
def agents() -> dict[str, Agent]:
    """Return every agent by name; a tool that does not exist is an error here, not later."""
    found = {}
    for file in sorted(_FOLDER.glob("*.md")):
        agent = parse(file.stem, file.read_text(encoding="utf-8"))
        for name in agent.tools:
            registry.get(name)
        found[agent.name] = agent
    return found


def get(name: str) -> Agent:
    """Return an agent by name.

    Raises
    ------
    Refused
        If there is none of that name; the nearest is named.
    """
    known = agents()
    if name not in known:
        raise Refused(
            f"agent '{name[:80]}': no such agent{nearest(name[:80], known)}; the agents are "
            f"{', '.join(known)}"
        )
    return known[name]


def specialists() -> dict[str, Agent]:
    """Return the agents that can be sent: they end with a result and hand nothing over."""
    return {
        name: agent
        for name, agent in agents().items()
        if agent.final == "result" and "dispatch" not in agent.tools
    }


def specialist(name: str) -> Agent:
    """Return a specialist by name.

    Raises
    ------
    Refused
        If there is none of that name.
    """
    known = specialists()
    if name not in known:
        raise Refused(
            f"agent '{name[:80]}': no such specialist{nearest(name[:80], known)}; the specialists "
            f"are {', '.join(known)}"
        )
    return known[name]

"""Why a reply ended, and what a model is told once where nothing of it is carried out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from workbench import tokens
from workbench.agents.registry import Agent
from workbench.context.block import Block
from workbench.context.result import Result
from workbench.models import fenced
from workbench.tools.handover import FINISH

REPAIR = "Your result must be given by calling finish; plain text is not a result."
TOO_LONG = "Your reply was cut by its length limit and nothing of it was carried out; be shorter."
FULL = (
    "The context window was full before your reply ended and nothing of it was carried out; ask "
    "for less, or end now with what you have."
)
REFUSED = (
    "Your reply was stopped by a refusal and nothing of it was carried out; go on without that "
    "part, or end with status error and say what cannot be done."
)
EMPTY = "Your reply had no words and no call; answer in plain words."
FENCED = (
    "Nothing was called: JSON in your text is no call. Call a tool the way it was given to you, "
    "by its name with its arguments, and not in the text."
)

# A reply that ended so is not whole, whatever calls stand in it.
_NOT_WHOLE = {
    "max_tokens": TOO_LONG,
    "model_context_window_exceeded": FULL,
    "refusal": REFUSED,
}
# The provider wants the turn sent back as it is, and goes on with it.
PAUSED = "pause_turn"


def unused(stop: str) -> str:
    """Return what to tell a model whose reply ended so, or nothing where the reply is whole."""
    return _NOT_WHOLE.get(stop, "")


def ended(words: str, agent: Agent) -> tuple[str | Result | None, str]:
    """Return how an agent ended that made no call, or None and what to tell its model.

    Parameters
    ----------
    words : str
        What it wrote.
    agent : Agent
        Gives its tools and what it is to end with.
    """
    if fenced.calls(words, (*agent.tools, FINISH)):
        return None, FENCED
    if agent.final == "words":
        return (words, "") if words.strip() else (None, EMPTY)
    try:
        return Result.of(json.loads(words)), ""
    except ValueError:
        return None, REPAIR


def length(usage: Mapping[str, int], made: Iterable[Block]) -> int:
    """Return the tokens of a reply: the provider's figure, unless it hides most of them.

    Our own count decides only where even its lower bound is beyond: providers count anew.
    """
    own = tokens.estimate(sum(item.tokens for item in made)).low
    return max(usage.get("output_tokens", 0), own)

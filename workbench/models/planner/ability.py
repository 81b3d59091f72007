"""One kind of question that the planner understands."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Ability:
    """One kind of question.

    Attributes
    ----------
    kind : str
        Its name in the code.
    agent : str
        The specialist who answers it.
    what : str
        What it is, in a few words.
    examples : tuple of str
        Questions as an analyst writes them; the tests put each one.
    trigger : re.Pattern
        Words that call for it.
    """

    kind: str
    agent: str
    what: str
    examples: tuple[str, ...]
    trigger: re.Pattern[str] = field(repr=False)


def ability(kind: str, agent: str, what: str, examples: list[str], trigger: str) -> Ability:
    """Return a kind of question; its trigger is read without regard to case."""
    return Ability(kind, agent, what, tuple(examples), re.compile(trigger, re.IGNORECASE))

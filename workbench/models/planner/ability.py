"""One kind of question that the planner understands."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from workbench.agents.registry import specialists


@dataclass(frozen=True)
class Ability:
    """One kind of question.

    Attributes
    ----------
    kind : str
        Its name in the code.
    who : str
        The specialist who answers it, or the tool that answers it where one specialist has it.
    what : str
        What it is, in a few words.
    examples : tuple of str
        Questions as an analyst writes them; the tests put each one.
    trigger : re.Pattern
        Words that call for it.
    """

    kind: str
    who: str
    what: str
    examples: tuple[str, ...]
    trigger: re.Pattern[str] = field(repr=False)

    @property
    def agent(self) -> str:
        """The specialist who answers it."""
        known = specialists()
        if self.who in known:
            return self.who
        (only,) = (name for name, agent in known.items() if self.who in agent.tools)
        return only


def ability(kind: str, who: str, what: str, examples: list[str], trigger: str) -> Ability:
    """Return a kind of question; its trigger is read without regard to case."""
    return Ability(kind, who, what, tuple(examples), re.compile(trigger, re.IGNORECASE))

"""A dry run: the first request of a question is built and kept like any other, and never sent.

It takes the way of a real run up to the moment of sending, so what it shows is what would go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from workbench import tokens
from workbench.errors import Fault, Refused
from workbench.models.protocol import Model
from workbench.session import Session


class _NotSent(Fault):
    """The end of a dry run."""


@dataclass
class Unsent:
    """A model that stands for another one and sends nothing.

    Attributes
    ----------
    provider, name, window, estimated, durations
        As in `workbench.models.protocol.Model`; the first three of the model it stands for.
    """

    provider: str
    name: str
    window: int
    estimated: bool = True
    durations: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def instead_of(cls, model: Model) -> Unsent:
        """Stand for a model."""
        return cls(model.provider, model.name, model.window)

    def send(self, body: str, key: str) -> str:
        """Send nothing.

        Raises
        ------
        Fault
            Always: the run ends here.
        """
        raise _NotSent(f"dry run: request {key} of {len(body):,} characters was not sent")


@dataclass(frozen=True)
class DryRun:
    """The request that would be sent first.

    Attributes
    ----------
    run : str
        The run that keeps it.
    path : Path
        The exact request.
    chars, tokens : int
        Its size; tokens are an estimate.
    by_category : dict
        Tokens of each kind of block, envelope included.
    usable : int
        Tokens of the window that may be used.
    """

    run: str
    path: Path
    chars: int
    tokens: int
    by_category: dict[str, int]
    usable: int

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {**self.__dict__, "path": str(self.path)}

    def __str__(self) -> str:
        band = tokens.estimate(self.tokens)
        size = f"{self.tokens:,} tokens ({band.low:,} to {band.high:,}), {self.chars:,} characters"
        lines = [
            f"not sent: {size}; {self.usable:,} tokens may be used",
            *(f"  {name}: {count:,}" for name, count in self.by_category.items() if count),
            f"the request as it would go: {self.path}",
        ]
        return "\n".join(lines)


def dry_run(session: Session, question: str, agent: str, attach: Sequence[str]) -> DryRun:
    """Build and keep the first request of a question.

    Raises
    ------
    Refused
        If no request could be built; the reason is that of the run.
    """
    setting = replace(session.setting, model=Unsent.instead_of(session.setting.model))
    trial = Session(setting, list(session.turns), list(session.past))
    answer = trial.ask(question, agent=agent, attach=attach)
    loops = answer.view["loops"]
    sent = sorted((answer.folder / "requests").glob("*.json"))
    if not loops or not sent:
        raise Refused(answer.reason)
    context = loops[0]["context"]
    return DryRun(
        answer.run,
        sent[0],
        context["peak_chars"],
        context["peak_tokens"],
        dict(context["by_category"]),
        context["usable"],
    )

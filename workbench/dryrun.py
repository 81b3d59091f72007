"""A dry run: the first request of a question is built and kept like any other, and never sent.

It takes the way of a real run up to the moment of sending, so what it shows is what would go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.context.block import PLAIN, Form
from workbench.context.render import Hit
from workbench.errors import Fault, Refused
from workbench.ledger import Event
from workbench.models.protocol import Model, Remote, form_of
from workbench.session import Session


class _NotSent(Fault):
    """The end of a dry run."""


@dataclass
class Unsent:
    """A model that stands for another one and sends nothing.

    Attributes
    ----------
    provider, name, window, estimated, durations, form
        As in `workbench.models.protocol.Model`, and of the model it stands for.
    """

    provider: str
    name: str
    window: int
    estimated: bool
    cost: Callable[[Mapping[str, int]], float | None]
    durations: Mapping[str, float] = field(default_factory=dict)
    form: Form = PLAIN

    @classmethod
    def instead_of(cls, model: Model) -> Unsent:
        """Stand for a model."""
        cost = getattr(model, "cost", lambda _: None)
        # Nothing is sent, not even the question how large the window is.
        window = model.unasked() if isinstance(model, Remote) else model.window
        named = (model.provider, model.name, window, model.estimated, cost)
        return cls(*named, form=form_of(model))

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
    request : str
        Its text.
    chars, tokens : int
        Its size; tokens by our own count.
    estimate : dict
        What the provider is expected to count: ``tokens``, ``low``, ``high``.
    by_category : dict
        Tokens of each kind of block, envelope included.
    usable : int
        Tokens of the window that may be used.
    cut : list of dict
        Rows of the limits table that cut it: ``key``, ``left``, ``total``, ``unit``.
    usd : float or None
        Price of its input, where the model's prices are known.
    """

    run: str
    path: Path
    request: str
    chars: int
    tokens: int
    estimate: dict[str, int]
    by_category: dict[str, int]
    usable: int
    cut: list[dict[str, Any]]
    usd: float | None

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {**self.__dict__, "path": str(self.path)}

    def __str__(self) -> str:
        band = self.estimate
        size = f"about {band['tokens']:,} tokens ({band['low']:,} to {band['high']:,})"
        price = "not known" if self.usd is None else f"{self.usd:.4f} US dollars, the reply apart"
        lines = [
            f"not sent: {size}, {self.chars:,} characters; {self.usable:,} tokens may be used",
            *(f"  {name}: {count:,}" for name, count in self.by_category.items() if count),
            f"price: {price}",
            *(_cut(hit) for hit in self.cut),
            f"the request as it would go, also in {self.path}:",
            "",
            self.request,
        ]
        return "\n".join(lines)


def _cut(hit: Mapping[str, Any]) -> str:
    return f"cut: {hit['left']:,} of {hit['total']:,} {hit['unit']} left out ({hit['key']})"


def dry_run(
    session: Session, question: str, agent: str, attach: Sequence[str], hits: Sequence[Hit] = ()
) -> DryRun:
    """Build and keep the first request of a question.

    Raises
    ------
    Refused
        If no request could be built; the reason is that of the run.
    """
    model = Unsent.instead_of(session.setting.model)
    trial = session.apart(model)
    met: list[Event] = []
    answer = trial.ask(question, agent=agent, attach=attach, hits=hits, listener=met.append)
    loops = answer.view["loops"]
    sent = sorted((answer.folder / "requests").glob("*.json"))
    if not loops or not sent:
        raise Refused(answer.reason)
    context = loops[0]["context"]
    kept = ("key", "left", "total", "unit")
    return DryRun(
        answer.run,
        sent[0],
        sent[0].read_bytes().decode("utf-8", "replace"),
        context["peak_chars"],
        context["peak_tokens"],
        dict(context["estimate"]),
        dict(context["by_category"]),
        context["usable"],
        [{key: e.data[key] for key in kept} for e in met if e.kind == "limit_hit" and e.dispatch],
        model.cost({"input_tokens": context["estimate"]["tokens"]}),
    )

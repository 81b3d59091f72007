"""What the loops of a run share, and what they are given to carry calls out."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from workbench.artefacts import Artefact
from workbench.context.inbox import Inbox
from workbench.context.meter import Meter
from workbench.context.render import Hit
from workbench.errors import WorkbenchError
from workbench.files.records import Records
from workbench.gate import Gate
from workbench.ledger import Ledger
from workbench.limits import Limits
from workbench.loops.budget import Budget
from workbench.models.protocol import Line, Model, Remote
from workbench.reply import Reply
from workbench.sources.claims import Claim


class Executor(Protocol):
    """Carries out tool calls in a confined child."""

    def call(self, call: str, tool: str, arguments: dict[str, Any]) -> Reply:
        """Run one call; raise Refused with the tool's own refusal, Failed where it broke."""
        ...

    def beside(self, seconds: float | None = None) -> Executor:
        """Return another one for the same loop, with so long to live; as a dispatch if left out."""
        ...

    def close(self) -> None:
        """End it; closing twice does nothing."""
        ...


@dataclass(frozen=True)
class Handed:
    """What handing work over came to.

    Attributes
    ----------
    text : str
        What the caller's context gets.
    words : str or None
        The final words, where they answer the question and no further model call is made.
    cut : tuple of str
        Rows that cut it.
    full : str
        Where the whole result is.
    """

    text: str
    words: str | None = None
    cut: tuple[str, ...] = ()
    full: str = ""


@dataclass(frozen=True)
class Replied:
    """One call of a loop that was answered: what its claims may rest on.

    Attributes
    ----------
    id : str
        As the model named the call.
    tool : str
        Tool name.
    arguments : dict
        Its arguments, checked.
    reply : Reply
        What the child sent.
    artefacts : tuple of Artefact
        Files it made.
    sha256 : str
        Hash of what it found, as it is kept.
    """

    id: str
    tool: str
    arguments: dict[str, Any]
    reply: Reply
    artefacts: tuple[Artefact, ...] = ()
    sha256: str = ""


Handover = Callable[[str, dict[str, Any]], Handed]


def _itself(error: WorkbenchError) -> WorkbenchError:
    return error


@dataclass(frozen=True)
class Services:
    """What every loop of a run shares.

    Attributes
    ----------
    model, limits, ledger, records
        Those of the run.
    stop : threading.Event
        Set to end the run.
    meter : Meter
        What requests will cost, and did.
    budget : Budget
        What the run has used and may.
    inbox : Inbox
        What the analyst adds while it is at work.
    ended_by : callable
        Returns what really ended a loop: a stop may have been the clock's, not the analyst's.
    claims : dict
        Claims of the run by id, checked.
    """

    model: Model
    limits: Limits
    ledger: Ledger
    records: Records
    stop: threading.Event
    meter: Meter
    budget: Budget
    inbox: Inbox
    ended_by: Callable[[WorkbenchError], WorkbenchError] = _itself
    claims: dict[str, Claim] = field(default_factory=dict)

    def reached(self, gate: Gate, key: str) -> Model:
        """Return the model as one request of a loop reaches it.

        Parameters
        ----------
        gate : Gate
            The loop's own, for the record.
        key : str
            Number of the request.
        """
        if not isinstance(self.model, Remote):
            return self.model

        def tell(kind: str, data: dict[str, Any]) -> None:
            self.ledger.append(kind, data, gate.loop)
            if kind == "attempt":
                self.budget.broke(data["usage"])

        def hit(row: str, used: int, unit: str) -> None:
            gate.hit(key, Hit(row, 0, used, unit))

        return self.model.over(Line(self.limits, self.stop, tell, hit, self.records.keep_received))

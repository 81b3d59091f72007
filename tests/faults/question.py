"""The question of the fault tests: an orchestrator, a specialist, three calls, a result file."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from workbench.answer import Answer
from workbench.asking.run import Setting
from workbench.asking.starting import start_child
from workbench.check import planted
from workbench.ledger import Clock, Event, utc_now
from workbench.limits import Limits
from workbench.models.scripted import Script, ScriptedModel, call, finish
from workbench.session import Session
from workbench.workspace import Workspace

NAME = "assays.csv"
SCRIPTS: dict[str, Script] = {
    "orchestrator": [
        call("dispatch", agent="transform", objective=f"filter {NAME}"),
        finish("joined"),
    ],
    "dispatch": [
        call("describe_table", path=NAME),
        call("query_data", path=NAME, operation="head"),
        call("filter_rows", path=NAME, expression="`V1_ppm` > 40"),
        finish("filtered"),
    ],
}


class At:
    """Calls something at the n-th event; events that depend on speed are not counted.

    Parameters
    ----------
    last : int
        Which event, from 1; 0 for none.
    act : callable
        What to do then.
    """

    def __init__(self, last: int, act: Callable[[], object]) -> None:
        self.seen, self.last, self.act = 0, last, act

    def __call__(self, event: Event) -> None:
        self.seen += event.kind != "progress"
        if self.seen == self.last and event.kind != "progress":
            self.act()


def plant(data: Path) -> None:
    """Write the data of the question."""
    data.mkdir(parents=True, exist_ok=True)
    (data / NAME).write_text(planted.table(300))


def ask(
    data: Path,
    *,
    start: Callable[..., Any] = start_child,
    stop: threading.Event | None = None,
    listener: Callable[[Event], None] | None = None,
    clock: Clock = utc_now,
) -> Answer:
    """Put the question."""
    place = Workspace.at(data)
    session = Session(Setting(place, ScriptedModel(SCRIPTS), Limits(), start, clock=clock))
    return session.ask("Filter the assays", agent="orchestrator", stop=stop, listener=listener)

"""A session over a scripted model and an in-process child, for tests of loop and dispatch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from workbench import ledger
from workbench.answer import Answer
from workbench.asking.run import Setting
from workbench.limits import Limits
from workbench.models.scripted import Script, ScriptedModel
from workbench.reply import Reply
from workbench.session import Session
from workbench.workspace import Workspace

Tool = Callable[[str, Mapping[str, Any]], Reply]


class StandIn:
    """A child that answers each call with a given function; it runs in the test's process."""

    def __init__(self, tool: Tool) -> None:
        self._tool = tool

    def ready(self) -> dict[str, Any]:
        return {"confinement": {"level": "none"}}

    def call(
        self, _key: str, tool: str, arguments: Mapping[str, Any], _progress: object
    ) -> dict[str, Any]:
        return {"ok": True, "reply": self._tool(tool, arguments).to_json()}

    def close(self) -> None:
        return


def nothing(_tool: str, _arguments: Mapping[str, Any]) -> Reply:
    return Reply(facts={"rows_in": 240})


def session(
    folder: Path,
    scripts: Mapping[str, Script],
    *,
    tool: Tool = nothing,
    limits: Mapping[str, object] | None = None,
    window: int = 200_000,
) -> Session:
    """Return a session whose model and child are given."""
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data" / "a.csv").write_text("id,Au_ppb\ns1,5\n")

    def start(*_: object) -> StandIn:
        return StandIn(tool)

    table = Limits().changed(limits or {})
    place = Workspace.at(folder / "data")
    return Session(Setting(place, ScriptedModel(scripts, window), table, start))


def events(answer: Answer, kind: str) -> list[ledger.Event]:
    """Return the events of one kind that a run's ledger tells."""
    found = ledger.read(answer.folder / "events.jsonl").events
    return [event for event in found if event.kind == kind]


def hits(answer: Answer) -> list[str]:
    """Return the keys of the limits that were hit, in order."""
    return [event.data["key"] for event in events(answer, "limit_hit")]

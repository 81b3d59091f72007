"""A temporary workspace in which one probe plants files and sets a disobedient model to work.

Everything goes the real way: a session, its gate, its ledger and a child. What a probe compares
with is the published table, whatever limits the session runs under.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.asking.run import Setting
from workbench.check.trace import Trace
from workbench.context.render import Hit
from workbench.ledger import Event
from workbench.limits import LIMITS, Limits
from workbench.models.protocol import Model
from workbench.models.scripted import Say, Script, ScriptedModel, finish
from workbench.session import Session
from workbench.workspace import Workspace

StartChild = Callable[..., Any]

# A probe that has not ended by then has shown that something does not end.
PATIENCE_SECONDS = 30.0
_PUBLISHED = {row.key: row for row in LIMITS}


def published(key: str) -> int:
    """Return the number of a row as it is published."""
    return _PUBLISHED[key].number


@dataclass(frozen=True)
class Bench:
    """The surroundings of one probe.

    Attributes
    ----------
    folder : Path
        An empty folder of its own.
    limits : Limits
        The session's table; a probe never compares with it.
    start_child : callable
        Starts the children.
    """

    folder: Path
    limits: Limits
    start_child: StartChild

    @property
    def data(self) -> Path:
        """The data folder."""
        folder = self.folder / "data"
        folder.mkdir(exist_ok=True)
        return folder

    def plant(self, name: str, content: str | bytes) -> str:
        """Write a data file; return its name."""
        path = self.data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return name

    def fingerprint(self) -> str:
        """Return one hash over the names and bytes of all data files."""
        digest = hashlib.sha256()
        for path in sorted(self.data.rglob("*")):
            if path.is_file() and "results" not in path.relative_to(self.data).parts:
                digest.update(str(path.relative_to(self.data)).encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def scaled(self, key: str, small: int) -> dict[str, object]:
        """Return a changed row for a row too large to be attacked at its size.

        Parameters
        ----------
        key : str
            The row.
        small : int
            What stands for the published value; a session's own value is scaled alike.
        """
        return {key: max(self.limits[key].number * small // published(key), 1)}

    def unless_set(self, key: str, value: int) -> dict[str, object]:
        """Return a value for a row that is off unless the session has set it."""
        return {} if self.limits[key].value != "off" else {key: value}

    def session(
        self,
        model: Model,
        limits: Mapping[str, object] | None = None,
        start: StartChild | None = None,
    ) -> Session:
        """Return a session over the data folder."""
        workspace = Workspace.at(self.data)
        table = self.limits.changed(limits or {})
        return Session(Setting(workspace, model, table, start or self.start_child))

    def call(self, tool: str, /, **arguments: object) -> Trace:
        """Make one tool call as a person would; return what came of it."""
        return self.call_as(None, tool, arguments)

    def call_as(
        self,
        agent: str | None,
        tool: str,
        arguments: Mapping[str, object],
        *,
        window: int = 200_000,
        limits: Mapping[str, object] | None = None,
        start: StartChild | None = None,
    ) -> Trace:
        """Make one tool call as an agent would, or a person where none is named."""
        session = self.session(ScriptedModel({}, window), limits, start)
        outcome = session.call(tool, arguments, agent=agent, window=window)
        session.setting.builds.close()
        return Trace(session.workspace.results / outcome.run, outcome.text, outcome.ok)

    def tried(
        self, agent: str, calls: Sequence[tuple[str, Mapping[str, object]]]
    ) -> tuple[Trace, list[str]]:
        """Let an agent make many calls in one turn; return the run and what it saw of each."""
        said = Say(calls=tuple((tool, dict(arguments)) for tool, arguments in calls))
        trace = self.ask("try", {"d01": [said, finish("tried")]}, agent=agent)
        return trace, trace.texts("d01")[1:]

    def ask(
        self,
        question: str,
        scripts: Mapping[str, Script],
        *,
        agent: str = "guide",
        attach: Sequence[str] = (),
        window: int = 200_000,
        limits: Mapping[str, object] | None = None,
        start: StartChild | None = None,
        seconds: float = PATIENCE_SECONDS,
        listener: Callable[[Event], None] | None = None,
    ) -> Trace:
        """Put a question to a session whose model follows `scripts`; return what came of it."""
        session = self.session(ScriptedModel(scripts, window), limits, start)
        return self.put(session, question, agent, attach, seconds, listener)

    def put(
        self,
        session: Session,
        question: str,
        agent: str = "guide",
        attach: Sequence[str] = (),
        seconds: float = PATIENCE_SECONDS,
        listener: Callable[[Event], None] | None = None,
        hits: Sequence[Hit] = (),
    ) -> Trace:
        """Put a question to a session that is there already, stopped after some seconds."""
        with _stopped_after(seconds) as stop:
            answer = session.ask(
                question, agent=agent, attach=attach, hits=hits, stop=stop, listener=listener
            )
        return Trace(answer.folder, answer.text, answer.status == "answered", answer.reason)


@contextmanager
def _stopped_after(seconds: float) -> Iterator[threading.Event]:
    """Yield an event that is set after some seconds."""
    stop = threading.Event()
    timer = threading.Timer(seconds, stop.set)
    timer.daemon = True
    timer.start()
    try:
        yield stop
    finally:
        timer.cancel()

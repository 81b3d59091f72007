"""``ask`` and ``replay``: one run, put by the main thread, worked on by another.

The main thread waits in short steps, shows progress and turns Ctrl-C into a stop; what does not
heed it in time, or a second Ctrl-C, ends the process, and with it every child.
"""

from __future__ import annotations

import argparse
import math
import os
import queue
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from workbench import launch
from workbench.cli.progress import Progress
from workbench.cli.terminal import err, near, out, out_json
from workbench.cli.usage import add_data, add_json, add_set, pairs
from workbench.errors import Refused, Stopped
from workbench.loops import budget
from workbench.sources import backing

if TYPE_CHECKING:
    from workbench.answer import Answer
    from workbench.ledger import Event
    from workbench.session import Session

STATUS = {"answered": 0, "failed": 1, "budget": 3, "interrupted": 130}
_STEP = 0.1
# What is deep in an import or a long call when Ctrl-C comes is not waited for any longer.
_PATIENCE = 0.4
_INTERRUPTED = 130


def add_ask(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``ask``."""
    parser.add_argument("question", metavar="QUESTION", help="what to find out, in quotes")
    add_data(parser)
    parser.add_argument(
        *("-m", "--model"),
        default="",
        help="offline, anthropic:ID or replay:RUN; with a key anthropic, else offline",
    )
    parser.add_argument(
        *("--base-url",), default="", metavar="URL", help="a server that speaks the same protocol"
    )
    parser.add_argument("--agent", default="guide", metavar="NAME", help="where to start")
    parser.add_argument(
        "-a",
        "--attach",
        action="append",
        default=[],
        metavar="FILE",
        help="attach a file of the data",
    )
    parser.add_argument(
        *("-b", "--budget"), type=_budget, metavar="N", help="tokens (200000, 200k) or 0.50usd"
    )
    parser.add_argument(
        *("--open-scripts",),
        action="store_true",
        help="let scripts run without a sandbox where this machine has none",
    )
    parser.add_argument("-t", "--timeout", type=float, metavar="S", help="limit run_seconds")
    parser.add_argument(
        "-n", "--dry-run", action="store_true", help="show the first request; send nothing"
    )
    parser.add_argument(
        *("-l", "--limit"), action="append", default=[], metavar="key=value", help="change a limit"
    )
    add_set(parser)
    add_json(parser)


def _budget(text: str) -> dict[str, object]:
    """Read the budget; what is none is bad usage."""
    try:
        return budget.read(text, "budget")
    except Refused as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run_ask(arguments: argparse.Namespace) -> int:
    """Put a question."""
    from workbench.asking import attachments
    from workbench.cli.builds import finish
    from workbench.session import Session

    limits: dict[str, object] = dict(pairs(arguments.limit, "limit"))
    if arguments.budget is not None:
        limits |= arguments.budget
    if arguments.timeout is not None:
        limits["run_seconds"] = arguments.timeout
    places = arguments.data, arguments.results, arguments.model
    session = Session.open(
        *places,
        base_url=arguments.base_url,
        limits=limits,
        overrides=arguments.settings,
        open_scripts=arguments.open_scripts,
    )
    options = {
        "agent": arguments.agent,
        "attach": attachments.named(arguments.attach, session.workspace),
    }
    if arguments.dry_run:
        return _dry(session, arguments, options)
    status = told(ask(session, arguments.question, options), as_json=arguments.json)
    finish(session)
    return status


def _dry(session: Session, arguments: argparse.Namespace, options: Mapping[str, Any]) -> int:
    """Show the request that would be sent first."""
    from workbench.dryrun import dry_run

    found = dry_run(session, arguments.question, **options)
    if arguments.json:
        out_json(found.to_json())
    else:
        out(str(found))
    return 0


def add_replay(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``replay``."""
    parser.add_argument("run", metavar="RUN", help="id of a past run, or a part of it")
    add_data(parser, required=False)
    add_json(parser)


def run_replay(arguments: argparse.Namespace) -> int:
    """Ask the question of a past run again; the replies come from its record."""
    from workbench.runs import past, replaying

    results = past.results_of(arguments.data, arguments.results)
    replay = replaying.prepared(results, arguments.run, arguments.data)
    answer = ask(replay.session, replay.question, replay.options)
    found = replay.compared(answer)
    if arguments.json:
        out_json({**answer.view, "replay": found.to_json()})
    else:
        told(answer, as_json=False)
    for line in found.lines():
        err(line)
    return 0 if found.same else 1


@dataclass
class _Asking:
    """A question at work in a thread of its own."""

    session: Session
    question: str
    options: Mapping[str, Any]
    stop: threading.Event = field(default_factory=threading.Event)
    begun: threading.Event = field(default_factory=threading.Event)
    # Joining the thread would not do: a join that Ctrl-C breaks off takes the thread for ended.
    done: threading.Event = field(default_factory=threading.Event)
    events: queue.SimpleQueue[Event] = field(default_factory=queue.SimpleQueue)
    answer: Answer | None = None
    error: BaseException | None = None

    def work(self) -> None:
        """Ask; keep what came of it for the main thread."""
        self.begun.set()
        try:
            self.answer = self.session.ask(
                self.question, stop=self.stop, listener=self.events.put, **self.options
            )
        except BaseException as error:  # noqa: BLE001 - raised again in the main thread
            self.error = error
        finally:
            self.done.set()

    def show(self, progress: Progress) -> None:
        """Show what has happened since the last time."""
        while not self.events.empty():
            progress.take(self.events.get())
        progress.draw()


def ask(session: Session, question: str, options: Mapping[str, Any]) -> Answer:
    """Ask and wait, with progress on stderr.

    Parameters
    ----------
    session : Session
        Whom to ask.
    question : str
        What to find out.
    options : mapping
        ``agent`` and ``attach`` of `Session.ask`.

    Raises
    ------
    WorkbenchError
        If nothing could be started.
    """
    asking = _Asking(session, question, options)
    progress = Progress()
    _begin(asking)
    _wait(asking, progress)
    progress.close()
    if asking.error is not None:
        raise asking.error
    if asking.answer is None:
        raise Stopped("stopped before there was an answer")
    return asking.answer


def _begin(asking: _Asking) -> None:
    """Set the question to work; a Ctrl-C that comes meanwhile stops it like a later one."""
    try:
        threading.Thread(target=asking.work, name="ask", daemon=True).start()
    except KeyboardInterrupt:
        if not asking.begun.wait(1):
            raise
        asking.stop.set()


def _wait(asking: _Asking, progress: Progress) -> None:
    """Wait in short steps; Ctrl-C asks the run to stop, and ends all if it does not."""
    limit = math.inf
    while True:
        try:
            ended = asking.done.wait(_STEP)
            asking.show(progress)
            if ended:
                return
            if asking.stop.is_set():
                limit = min(limit, time.monotonic() + _PATIENCE)
            if time.monotonic() > limit:
                _end_at_once(progress)
        except KeyboardInterrupt:
            if asking.stop.is_set():
                _end_at_once(progress)
            asking.stop.set()


def _end_at_once(progress: Progress) -> None:
    """End the process and every child; the run then reads as interrupted."""
    progress.close()
    err("ended at once; what was done so far is kept, see workbench runs")
    launch.close()
    # Threads that wait for an answer would hold up an orderly exit.
    os._exit(_INTERRUPTED)


def told(answer: Answer, *, as_json: bool) -> int:
    """Print what a question came to; return the exit status."""
    if as_json:
        out_json(answer.view)
    elif answer.text:
        out("\n\n".join(part for part in (answer.text, _files(answer)) if part))
        if backed := backing.summary(answer.view):
            err(backed)
    if answer.status != "answered":
        err(f"{answer.status}: {answer.reason or 'see the answer'}; kept in {answer.folder}")
    sys.stdout.flush()
    return STATUS.get(answer.status, 1)


def _files(answer: Answer) -> str:
    """Return the paths of the files a run made, one a line."""
    lines = [f"{item.id}  {near(answer.folder / item.path)}" for item in answer.artefacts]
    return "\n".join(["files:", *lines]) if lines else ""

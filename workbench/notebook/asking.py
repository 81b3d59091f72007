"""A question put from a cell: the cell's thread waits, shows and listens for the interrupt button.

The run works in another thread; this one alone prints and displays, and ends at most a second
after the first interrupt, at once after the second.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from workbench.agents import registry as agents
from workbench.context.inbox import Inbox
from workbench.notebook import interrupts, numerals, outputs, static, watching
from workbench.notebook.failing import CellFailed
from workbench.notebook.job import Job
from workbench.notebook.screen import Screen

if TYPE_CHECKING:
    from workbench.answer import Answer
    from workbench.context.render import Hit
    from workbench.notebook.desk import Desk

# How long a stopped run may take to end before the cell is given back without it.
PATIENCE_SECONDS = 0.7


@dataclass(frozen=True)
class Question:
    """What a cell asks.

    Attributes
    ----------
    text : str
        The question, names inserted.
    agent : str
        Where it starts.
    model : str or None
        For this question alone.
    limits : mapping
        Changed for this question.
    attach : sequence of str
        Files of the data folder.
    hits : tuple of Hit
        Limits that cut inserted values.
    base_url : str
        Where the model is reached, if not at its provider's own address.
    """

    text: str
    agent: str = "guide"
    model: str | None = None
    limits: Mapping[str, object] = field(default_factory=dict)
    attach: Sequence[str] = ()
    hits: tuple[Hit, ...] = ()
    base_url: str = ""


def ask(desk: Desk, question: Question, screen: Screen, presses: interrupts.Presses) -> Answer:
    """Put a question, show the run and what it came to.

    Parameters
    ----------
    desk : Desk
        The session in use.
    question : Question
        What is asked.
    screen : Screen
        Where it is shown.
    presses : Presses
        Interrupts so far, counted by `workbench.notebook.interrupts.held`.

    Raises
    ------
    Refused, Fault
        If nothing could be started.
    CellFailed
        If the run was stopped; one that failed is returned and shown.
    """
    job = put(desk, question)
    wait(job, screen, presses)
    return _ended(desk, job, screen, presses)


def put(desk: Desk, question: Question) -> Job:
    """Return a question as a job that has not begun.

    Raises
    ------
    Refused
        If it cannot be put: no session, an unknown agent, a wrong limit.
    """
    session = desk.for_question(question.model, question.limits, question.base_url)
    agents.get(question.agent)  # A wrong name is said before there is a card.
    inbox = Inbox(session.setting.limits)
    named: dict[str, Any] = {"agent": question.agent, "attach": question.attach, "inbox": inbox}

    def work(**given: Any) -> Answer:  # noqa: ANN401 - stop and listener, passed on
        return session.ask(question.text, hits=question.hits, **named, **given)

    job = Job(question.text, work)
    job.inbox, job.results = inbox, session.workspace.results
    desk.jobs.append(job)
    return job


def dry(desk: Desk, question: Question) -> dict[str, Any]:
    """Return the first request of a question and its cost as text; nothing is sent."""
    from workbench.dryrun import dry_run

    session = desk.for_question(question.model, question.limits, question.base_url)
    found = dry_run(session, question.text, question.agent, question.attach, question.hits)
    # A saved notebook names no place of this machine.
    return {"text/plain": str(found).replace(str(found.path), static.relative(found.path))}


def wait(job: Job, screen: Screen, presses: interrupts.Presses) -> None:
    """Start a job and wait until it has ended or the analyst has left it."""
    job.start()
    asked_at: float | None = None
    while job.working:
        job.wait(watching.STEP_SECONDS)
        if presses.count and asked_at is None:
            job.stop.set()
            asked_at = time.monotonic()
        waited = 0.0 if asked_at is None else time.monotonic() - asked_at
        if presses.count > 1 or waited > PATIENCE_SECONDS:
            break
        screen.draw(job, job.take())
    screen.draw(job, job.take())


def _ended(desk: Desk, job: Job, screen: Screen, presses: interrupts.Presses) -> Answer:
    """Show what stays, and hand back the answer or say why there is none."""
    said = numerals.duration(job.elapsed)
    if job.answer is None:
        if job.error is not None:
            began = job.view["run"]
            failed = watching.stopped(job.view, str(job.error), "failed")
            screen.end(static.bundle(failed, said, None) if began else None)
            raise job.error
        reason = "stopped by the analyst; the run is still ending, its record goes on"
        job.left = watching.stopped(job.view, reason, "interrupted")
        screen.end(static.bundle(job.left, said, None))
        watching.leave(desk, job, screen)
        raise CellFailed("%%agent: interrupted; the run is being stopped, see %agent status")
    desk.answers.append(job.answer)
    shown = static.bundle(job.answer.view, said, job.answer.folder)
    screen.end(shown)
    outputs.keep(shown, job.answer.view, job.answer.folder)
    if job.answer.status == "interrupted" or presses.count:
        raise CellFailed(f"%%agent: interrupted; run {job.answer.run} was stopped")
    return job.answer

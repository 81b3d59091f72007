"""Subcommands about questions at work and the conversation: steer, stop, forget, take up again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import Refused
from workbench.notebook import card_loops, numerals, static
from workbench.notebook.flags import Line
from workbench.notebook.subcommands import Shown, subcommand, text
from workbench.runs import conversation, past

if TYPE_CHECKING:
    from workbench.notebook.desk import Desk

_QUESTION = 120


@subcommand("INSTRUCTION", raw=True)
def tell(desk: Desk, line: Line) -> Shown:
    """Add an instruction to the question at work in the background."""
    words = " ".join(line.words)
    jobs = [job for job in desk.at_work() if job.inbox is not None]
    if not jobs:
        raise Refused("%agent tell: nothing is at work; ask with %%agent --background")
    job = jobs[-1]
    assert job.inbox is not None
    job.inbox.say(words)
    return text("told; it is heard before the next request of whoever plans")


@subcommand()
def stop(desk: Desk, _line: Line) -> Shown:
    """Stop the questions that are at work."""
    jobs = desk.at_work()
    for job in jobs:
        job.stop.set()
    return text(f"{len(jobs)} stopped" if jobs else "nothing is at work")


@subcommand()
def reset(desk: Desk, _line: Line) -> Shown:
    """Forget the conversation; files and records stay."""
    desk.opened().reset()
    return text("the conversation begins anew; files and records stay")


@subcommand("[RUN]", words=1)
def resume(desk: Desk, line: Line) -> Shown:
    """Take up the conversation that ended with a run, the last of this notebook if left out."""
    session = desk.opened()
    results = session.workspace.results
    if line.words:
        run = past.find(results, line.words[0]).name
    else:
        run = conversation.last(results, session.origin)
    found = conversation.until(results, run)
    found.give(session)
    answered = f"{numerals.plural(len(found.turns), 'question')} answered"
    sent = f"dispatches known: {len(found.dispatches)}"
    lines = [f"the conversation goes on after run {run}: {answered}, {sent}"]
    lines += [f"- {card_loops.short(turn.question, _QUESTION)}" for turn in found.turns]
    if found.missing:
        lines.append(f"run {found.missing} cannot be read: what was said up to it is not known")
    return text("\n".join(lines))


@subcommand("[RUN]", words=1)
def replay(desk: Desk, line: Line) -> Shown:
    """Ask a past question again with its recorded answers and compare; no model is asked."""
    from workbench.runs import replaying

    folder = desk.last()[0] if not line.words else None
    results = folder.parent if folder else desk.opened().workspace.results
    played = replaying.prepared(results, folder.name if folder else line.words[0])
    answer = played.session.ask(played.question, **played.options)
    shown = static.bundle(answer.view, "replay", answer.folder)
    words = "\n".join(played.compared(answer).lines())
    return {"text/plain": f"{words}\n\n{shown['text/plain']}"}


@subcommand("[RUN]", words=1)
def verify(desk: Desk, line: Line) -> Shown:
    """Recompute a run, the last if left out, and compare inputs, files and claims; no model."""
    from workbench.cli.verify import shown
    from workbench.runs.verifying import verify as recomputed

    results = desk.opened().workspace.results
    folder = past.find(results, line.words[0]) if line.words else desk.last()[0]
    return text(shown(recomputed(folder)))

"""A question that works on while its cell has been given back, and how it ends.

What is shown later stands under the cell that asked: a kernel would else show it under whatever
runs by then.
"""

from __future__ import annotations

import contextlib
import contextvars
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from workbench.notebook import numerals, outputs, static

if TYPE_CHECKING:
    from workbench.answer import Answer
    from workbench.notebook.desk import Desk
    from workbench.notebook.job import Job
    from workbench.notebook.screen import Screen

    Arrived = Callable[[Answer], None]

STEP_SECONDS = 0.1


def leave(desk: Desk, job: Job, screen: Screen) -> threading.Thread:
    """Show what came of a question that was stopped, once it has ended; its cell is given back."""

    def wait() -> None:
        while job.working:
            job.wait(STEP_SECONDS)
        job.left = None
        end(desk, job, screen, lambda _answer: None)

    return beside(wait)


def beside(work: Callable[..., None], *given: object) -> threading.Thread:
    """Do work in a thread that shows things under the cell that is at work now."""
    watching = threading.Thread(
        target=contextvars.copy_context().run,
        args=(work, *given),
        name="workbench-watch",
        daemon=True,
    )
    watching.start()
    return watching


def end(desk: Desk, job: Job, screen: Screen, arrived: Arrived) -> None:
    """Hand over the result of a question that has ended, and show what stays."""
    job.take()
    said = numerals.duration(job.elapsed)
    if job.answer is None:
        screen.end(static.bundle(stopped(job.view, str(job.error), "failed"), said, None))
        return
    desk.answers.append(job.answer)
    with contextlib.suppress(Exception):
        shown = static.bundle(job.answer.view, said, job.answer.folder)
        screen.end(shown)
        outputs.keep(shown, job.answer.view, job.answer.folder)
    arrived(job.answer)


def stopped(view: Mapping[str, Any], reason: str, status: str) -> dict[str, Any]:
    """Return a view without an end as one that was ended here."""
    loops = [
        {**loop, "status": "killed" if loop["status"] == "running" else loop["status"]}
        for loop in view["loops"]
    ]
    return {**view, "loops": loops, "status": status, "reason": reason}

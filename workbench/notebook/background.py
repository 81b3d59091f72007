"""A question at work while the kernel is free: a thread of its own draws it and hands it over.

The first drawing is made by the cell itself, so that the output is the cell's; the thread goes on
under the cell's context, without which a kernel would show it under whatever runs by then.
"""

from __future__ import annotations

import contextlib
import contextvars
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from workbench.notebook import asking, numerals, outputs, static

if TYPE_CHECKING:
    from workbench.answer import Answer
    from workbench.notebook.desk import Desk
    from workbench.notebook.job import Job
    from workbench.notebook.screen import Screen

    Arrived = Callable[[Answer], None]


def start(desk: Desk, job: Job, screen: Screen, arrived: Arrived) -> threading.Thread:
    """Begin a question and give the cell back.

    Parameters
    ----------
    desk : Desk
        Gets the answer when it is there.
    job : Job
        The question.
    screen : Screen
        Where it is shown.
    arrived : callable
        Gets the answer, before it is shown.
    """
    job.start()
    screen.draw(job, job.take())
    context = contextvars.copy_context()
    watching = threading.Thread(
        target=context.run,
        args=(_watch, desk, job, screen, arrived),
        name="workbench-watch",
        daemon=True,
    )
    watching.start()
    return watching


def _watch(desk: Desk, job: Job, screen: Screen, arrived: Arrived) -> None:
    """Draw a question until it has ended, then show what stays."""
    while job.working:
        job.wait(asking.STEP_SECONDS)
        # A front end that is gone must not cost the result.
        with contextlib.suppress(Exception):
            screen.draw(job, job.take())
    job.take()
    said = numerals.duration(job.elapsed)
    if job.answer is None:
        screen.end(static.bundle(asking.stopped(job.view, str(job.error), "failed"), said, None))
        return
    desk.answers.append(job.answer)
    with contextlib.suppress(Exception):
        shown = static.bundle(job.answer.view, said, job.answer.folder)
        screen.end(shown)
        outputs.keep(shown, job.answer.view, job.answer.folder)
    arrived(job.answer)

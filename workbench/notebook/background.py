"""A question at work while the kernel is free: a thread of its own draws it and hands it over.

The first drawing is made by the cell itself, so that the output is the cell's; the thread goes on
under the cell's context, without which a kernel would show it under whatever runs by then.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

from workbench.notebook import watching

if TYPE_CHECKING:
    from workbench.notebook.desk import Desk
    from workbench.notebook.job import Job
    from workbench.notebook.screen import Screen
    from workbench.notebook.watching import Arrived


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
        Gets the answer, once it is shown.
    """
    job.start()
    screen.draw(job, job.take())
    return watching.beside(_watch, desk, job, screen, arrived)


def _watch(desk: Desk, job: Job, screen: Screen, arrived: Arrived) -> None:
    """Draw a question until it has ended, then show what stays."""
    while job.working:
        job.wait(watching.STEP_SECONDS)
        # A front end that is gone must not cost the result.
        with contextlib.suppress(Exception):
            screen.draw(job, job.take())
    watching.end(desk, job, screen, arrived)

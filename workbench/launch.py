"""Starting a child: the one place that knows where work runs.

A job holds ids, hashes and limit values, never a path or code. On Linux a fork server of our own
makes the children; elsewhere they are started as programs, with one kept warm.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from workbench.child import FIRST_LINE_BYTES
from workbench.errors import Failed
from workbench.files.lines import encode
from workbench.files.places import Places
from workbench.process.launched import Ending, Launched

if sys.platform == "linux":
    from workbench.process.launch_fork import ForkLauncher

from workbench.process.launch_exec import ExecLauncher

__all__ = ["Ending", "Launched", "Places", "close", "first_line", "start", "warm"]

_EXEC = ExecLauncher()
_BESIDE = ExecLauncher("sandbox")
_FORK = ForkLauncher() if sys.platform == "linux" else None


def _launcher() -> ForkLauncher | ExecLauncher:
    """Return what makes children here; ``WORKBENCH_LAUNCH=exec`` asks for programs."""
    if _FORK is None or os.environ.get("WORKBENCH_LAUNCH") == "exec":
        return _EXEC
    return _FORK


def warm() -> None:
    """Begin to get ready for the first child, without waiting for it."""
    _launcher().warm()


def start(job: Mapping[str, object], places: Places) -> Launched:
    """Start a child for a job. Returns at once: the child says itself when it is ready.

    Parameters
    ----------
    job : mapping
        Plain JSON: ids, hashes, seed, and ``limits`` (the changed values). With ``program``
        "sandbox" it is for scripts and commands: a process that is not confined, and confines
        whatever it starts.
    places : Places
        Where the data and the results lie.

    Raises
    ------
    Failed
        If the job is too large or no process can be started.
    """
    launcher = _BESIDE if job.get("program") == "sandbox" else _launcher()
    return launcher.start(first_line(job, places))


def first_line(job: Mapping[str, object], places: Places) -> bytes:
    """Return the line that a child reads before anything else.

    Raises
    ------
    Failed
        If it would not fit a pipe that nobody reads yet, or is not JSON.
    """
    try:
        line = encode({"job": dict(job), "places": places.to_json()})
    except (TypeError, ValueError) as error:
        raise Failed(f"start a child: the job is not plain JSON ({error})") from None
    if len(line) > FIRST_LINE_BYTES:
        raise Failed(
            f"start a child: the job has {len(line):,} bytes, {FIRST_LINE_BYTES:,} is the most; "
            "pass ids and hashes, not content"
        )
    return line


def close() -> None:
    """End the fork server and the warm spare, with every child they hold."""
    for launcher in (_FORK, _EXEC):
        if launcher is not None:
            launcher.close()

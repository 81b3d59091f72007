"""Subcommands about packages that scripts asked for: the analyst decides, nothing is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench import approvals
from workbench.notebook.flags import Flag, Line
from workbench.notebook.subcommands import Shown, subcommand, text
from workbench.runs import deciding

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.notebook.desk import Desk

_RUN = (Flag("run", "", "RUN", "which run; the last that has it if left out"),)


@subcommand("[ID]", words=1, rows=_RUN)
def approve(desk: Desk, line: Line) -> Shown:
    """Approve a package that a script asked for: says how to install it; without ID, lists them."""
    return _decided(desk, line, approvals.APPROVED)


@subcommand("[ID]", words=1, rows=_RUN)
def refuse(desk: Desk, line: Line) -> Shown:
    """Refuse a package that a script asked for; without ID, lists those that wait."""
    return _decided(desk, line, approvals.REFUSED)


def _decided(desk: Desk, line: Line, status: str) -> Shown:
    run = line.one("run")
    if line.words:
        return text(decided(desk, line.words[0], status, run)["text"])
    return text(deciding.listed(deciding.waiting(_results(desk), run, _own(desk))))


def decided(desk: Desk, key: str, status: str, run: str | None) -> dict[str, Any]:
    """Decide a request, of this notebook's runs first; the run hears of it, at work or ended.

    Parameters
    ----------
    desk : Desk
        What the notebook has open.
    key : str
        Id of the request.
    status : str
        ``approved`` or ``refused``.
    run : str or None
        The run that it is of.

    Returns
    -------
    dict
        The request with ``run, installed, command, text``.

    Raises
    ------
    Refused
        If there is no such request.
    """
    found = deciding.decide(_results(desk), key, status, run, _own(desk))
    for job in desk.at_work():
        if job.view["run"] == found.folder.name and job.inbox is not None:
            job.inbox.look()
    for answer in desk.answers:
        if answer.run == found.folder.name:
            approvals.settle(answer.view["approvals"], found.request)
    desk.changed(found.folder.name)
    return found.to_json()


def _results(desk: Desk) -> Path:
    return desk.opened().workspace.results


def _own(desk: Desk) -> list[str]:
    """Return the runs of this notebook, newest first."""
    at_work = [str(job.view["run"]) for job in desk.at_work() if job.view["run"]]
    return [*reversed(at_work), *(answer.run for answer in reversed(desk.answers))]

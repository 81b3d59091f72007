"""Conversations, read back from the runs they left: each run names the one before it.

Nothing is held in memory alone, so a conversation outlives its kernel; and since it is followed
from run to run, two notebooks on one workspace cannot mix.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from workbench.errors import Refused, WorkbenchError
from workbench.runs import past
from workbench.session import Session, Turn

# Set by the notebook server for the kernel of a notebook: its path.
_NOTEBOOK = "JPY_SESSION_NAME"
_MOST_RUNS = 1_000
_CHOICES = 3


@dataclass
class Conversation:
    """What was said, oldest first.

    Attributes
    ----------
    turns : list of Turn
        Questions that were answered, with their answers.
    dispatches : list of mapping
        What specialists were sent for.
    runs : list of str
        The runs.
    missing : str
        A run that is named and cannot be read: what was said before it is not known; or empty.
    """

    turns: list[Turn] = field(default_factory=list)
    dispatches: list[Mapping[str, Any]] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    missing: str = ""

    def give(self, session: Session) -> None:
        """Let a session go on from here."""
        session.reset()
        session.turns += self.turns
        session.past += self.dispatches
        session.runs += self.runs


def origin() -> str:
    """Return the mark of the notebook that this process is the kernel of, or nothing.

    It is a hash: a results folder may be handed on, and names no place of this machine.
    """
    name = os.environ.get(_NOTEBOOK, "")
    return sha256(name.encode("utf-8", "replace")).hexdigest()[:12] if name else ""


def until(results: Path, run: str) -> Conversation:
    """Return the conversation up to a run, that run included.

    Parameters
    ----------
    results : Path
        The results folder.
    run : str
        Id of the run; nothing was said before where it is empty.
    """
    found = Conversation()
    views: list[Mapping[str, Any]] = []
    while run and len(views) < _MOST_RUNS:
        try:
            view = past.view(past.find(results, run))
        except WorkbenchError:
            found.missing = run
            break
        views.append(view)
        # One that was overtaken while it was at work comes after the one that overtook it.
        run = str(view.get("after") or view.get("follows") or "")
    for view in reversed(views):
        found.runs.append(str(view["run"]))
        found.dispatches += view["dispatches"]
        if view["status"] == "answered":
            asked = str(view.get("asked") or view["question"])
            found.turns.append(Turn(asked, str(view["answer"])))
    return found


def last(results: Path, mark: str) -> str:
    """Return the newest run of the conversation that a notebook held.

    Parameters
    ----------
    results : Path
        The results folder.
    mark : str
        Mark of the notebook; without one there must be only one conversation.

    Raises
    ------
    Refused
        If there is none, or it is not clear which is meant.
    """
    ends: dict[str, tuple[str, str]] = {}
    followed: set[str] = set()
    for item in past.runs(results):
        try:
            view = past.view(item.folder)
        except WorkbenchError:
            continue
        if not view.get("talk"):
            continue
        if item.run not in followed:
            ends[item.run] = (str(view.get("origin") or ""), item.question)
        followed |= {str(view["follows"]), str(view.get("after") or "")}
    meant = [run for run, (held, _) in ends.items() if not mark or held == mark]
    if mark and meant:
        return meant[0]
    if len(ends) == 1 and not mark:
        return meant[0]
    if not ends:
        raise Refused("no conversation to resume: there is no run yet; ask with %%agent")
    listed = "; ".join(f"{run} ({ends[run][1][:60]})" for run in list(ends)[:_CHOICES])
    raise Refused(
        f"which conversation? there are {len(ends)} and none is known to be of this notebook; "
        f"write %agent resume RUN, the newest: {listed}"
    )

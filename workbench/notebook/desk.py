"""What one notebook has open: a session, the answers so far, the question at work.

There is one desk in a kernel. It is the only state that the magics keep.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.errors import Refused
from workbench.models.protocol import Remote

if TYPE_CHECKING:
    from workbench.answer import Answer
    from workbench.notebook.job import Job
    from workbench.session import Session


@dataclass
class Desk:
    """The state of the magics.

    Attributes
    ----------
    session : Session or None
        The workspace in use and its conversation.
    answers : list of Answer
        What the questions of this kernel came to, in order.
    jobs : list of Job
        Questions at work; one that was left after an interrupt may still be ending.
    listeners : list of callable
        Called with the id of a run of which something was decided, and with an empty text once
        another folder is in use.
    """

    session: Session | None = None
    answers: list[Answer] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    listeners: list[Callable[[str], None]] = field(default_factory=list)

    def opened(self) -> Session:
        """Return the session in use.

        Raises
        ------
        Refused
            If there is none.
        """
        if self.session is None:
            raise Refused("no data folder is in use; next: %agent use DIR, then ask with %%agent")
        return self.session

    def use(self, session: Session) -> None:
        """Take up another session; the conversation begins anew."""
        from workbench.runs import conversation

        session.origin = conversation.origin()
        self.session = session
        model = session.setting.model
        if isinstance(model, Remote):
            model.warm()
        _warm()
        self.changed()

    def changed(self, run: str = "") -> None:
        """Tell whoever shows runs that a run is another, or that all may be."""
        for listener in self.listeners:
            # A front end that is gone costs nothing.
            with contextlib.suppress(Exception):
                listener(run)

    def for_question(
        self, model: str | None, limits: Mapping[str, object], base_url: str = ""
    ) -> Session:
        """Return the conversation under a model and limits of one question."""
        session = self.opened()
        if limits:
            session = session.with_limits(limits)
        if model or base_url:
            from workbench.models.choose import choose

            now = session.setting.model
            named = model or f"{now.provider}:{now.name}"
            carrier = choose(named, session.workspace.results, base_url)
            session = replace(session, setting=replace(session.setting, model=carrier))
        return session

    def last(self) -> tuple[Path, Mapping[str, Any]]:
        """Return folder and view of the newest run: of this kernel, else of the results folder.

        Raises
        ------
        Refused
            If there is none yet.
        """
        if self.answers:
            return self.answers[-1].folder, self.answers[-1].view
        from workbench.runs import past

        found = past.runs(self.opened().workspace.results)
        if not found:
            raise Refused("there is no run yet; ask a question with %%agent")
        return found[0].folder, past.view(found[0].folder)

    def at_work(self) -> list[Job]:
        """Return the questions that have not ended."""
        self.jobs = [job for job in self.jobs if job.working]
        return self.jobs


def _warm() -> None:
    """Get ready for the first question while the analyst writes it."""
    threading.Thread(target=_prepare, name="workbench-warm", daemon=True).start()


def _prepare() -> None:
    from workbench import launch, tokens

    launch.warm()
    tokens.exact()
    # The widget's libraries take 0.3 s to import, which the first paint would have to wait for.
    import workbench.notebook.widget  # noqa: F401

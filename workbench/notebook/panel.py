"""The sidebar's end in the kernel: what it is told, and the way in for what it asks.

What is told goes out on one comm that nothing is received on; what is asked comes in on another
that nothing is sent on. A kernel takes a message in on the loop that last sent on its comm: only
so is a request heard while a cell runs. No file is read and no path taken from a request here.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workbench import __version__
from workbench.errors import WorkbenchError
from workbench.notebook import static
from workbench.notebook.panel_state import Follower

if TYPE_CHECKING:
    from workbench.ledger import Event
    from workbench.notebook.desk import Desk
    from workbench.notebook.job import Job
    from workbench.notebook.screen import Screen

# Fixed, so that a page that was reloaded while a cell runs hears without opening anything.
TOLD = "workbench-told"
TOLD_TARGET, ASKED_TARGET = "workbench.told", "workbench.asked"
# Requests at work side by side; more wait, so that a page cannot start threads without end.
_AT_ONCE = 4


class Panel:
    """The sidebar as the kernel knows it.

    Parameters
    ----------
    desk : Desk
        What the notebook has open.
    manager : object
        The kernel's comms.
    comm : object
        The comm that things are told on.
    """

    def __init__(self, desk: Desk, manager: Any, comm: Any) -> None:  # noqa: ANN401 - the kernel's own
        self.desk = desk
        self._comm = comm
        self._sending = threading.Lock()
        self._working = threading.BoundedSemaphore(_AT_ONCE)
        manager.register_comm(comm)
        manager.register_target(ASKED_TARGET, self._opened)
        self.tell("hello", version=__version__)
        desk.listeners.append(lambda run: self.tell("changed", run=run))

    def tell(self, kind: str, **values: Any) -> None:  # noqa: ANN401 - JSON values
        """Tell every page that is connected; nobody need be there."""
        with self._sending:
            self._comm.send({"kind": kind, **values})

    def _opened(self, comm: Any, _message: Mapping[str, Any]) -> None:  # noqa: ANN401 - the kernel's own
        """Take in what comes over a page's comm; nothing is ever sent on it."""
        comm.on_msg(lambda message: self._asked(message.get("content", {}).get("data")))

    def _asked(self, data: object) -> None:
        """Answer a request in a thread of its own: the loop that heard it hears the next."""
        if not isinstance(data, dict) or not isinstance(data.get("id"), str):
            return
        threading.Thread(
            target=self._answer, args=(data,), name="workbench-panel", daemon=True
        ).start()

    def _answer(self, data: Mapping[str, Any]) -> None:
        from workbench.notebook import panel_requests

        key, name = str(data["id"])[:80], data.get("name")
        values = data.get("values")
        try:
            found = panel_requests.find(name)
            with contextlib.nullcontext() if found.at_once else self._working:
                value = found.run(self, values if isinstance(values, dict) else {})
        except WorkbenchError as error:
            self.tell("reply", id=key, error=str(error))
        except Exception as error:  # noqa: BLE001 - a request must not end unanswered
            self.tell("reply", id=key, error=f"{name}: {type(error).__name__} in the kernel")
        else:
            self.tell("reply", id=key, value=value)

    def watching(self, screen: Screen) -> Screen:
        """Return a screen that tells the sidebar what it draws."""
        return _Watching(self, screen)


class _Watching:
    """A screen that also tells the sidebar; a page that is gone costs the run nothing."""

    def __init__(self, panel: Panel, screen: Screen) -> None:
        self._panel, self._screen = panel, screen
        # Of this question alone: others may be at work beside it.
        self._follower: Follower | None = None

    def draw(self, job: Job, fresh: Sequence[Event]) -> None:
        """Draw; tell what changed, and all of it at every pulse."""
        if self._follower is None:
            self._follower = Follower(job)
        with contextlib.suppress(Exception):
            self._tell(self._follower.due(fresh), self._follower.job)
        self._screen.draw(job, fresh)

    def end(self, bundle: dict[str, Any] | None) -> None:
        """Show what stays; tell how it has ended."""
        if self._follower is not None:
            with contextlib.suppress(Exception):
                self._tell(self._follower.last(), self._follower.job)
        self._screen.end(bundle)

    def _tell(self, state: dict[str, Any] | None, job: Job) -> None:
        if state is not None:
            # Where its files lie, seen from the notebook: a page may read them itself.
            place = static.relative(job.folder) if job.folder is not None else ""
            self._panel.tell("state", **state, results=place)


def connect(desk: Desk, shell: Any) -> Panel | None:  # noqa: ANN401 - IPython's own
    """Connect the sidebar to a kernel; None where there is no kernel with a front end."""
    manager = getattr(getattr(shell, "kernel", None), "comm_manager", None)
    if manager is None:
        return None
    from comm import create_comm

    # Not opened from here: a page that does not know it would close it again.
    comm = create_comm(target_name=TOLD_TARGET, comm_id=TOLD, primary=False)
    return Panel(desk, manager, comm)

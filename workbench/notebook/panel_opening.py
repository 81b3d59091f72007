"""What the sidebar's tabs ask of something that is open in full; see `workbench.notebook.opening`.

Each open thing has a thread of its own. A request that takes long is told so and asked for again
by its ticket, so that no page waits for an answer that never comes.
"""

from __future__ import annotations

import itertools
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from workbench.errors import Refused
from workbench.notebook.opening import Opening, Said
from workbench.notebook.panel_requests import Values, identifier, request, results

if TYPE_CHECKING:
    from workbench.notebook.panel import Panel

# Open things of one kernel that are kept; each may hold a child.
MOST_OPEN = 8
PATIENCE_SECONDS = 10.0
_TICKETS = 100


class Tabs:
    """What is open for the tabs of one kernel."""

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        self._patience = patience
        self._open: OrderedDict[tuple[str, str], _Open] = OrderedDict()
        self._tickets: OrderedDict[str, Future[dict[str, Any]]] = OrderedDict()
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def ask(
        self,
        name: tuple[str, str],
        make: Callable[[], Opening],
        message: object,
        said: Said,
    ) -> dict[str, Any]:
        """Return ``{value}``, or ``{ticket}`` where it takes longer."""
        with self._lock:
            if isinstance(message, dict) and message.get("ask") == "close":
                if name in self._open:
                    self._open.pop(name).close()
                return {"value": {}}
            one = self._open.setdefault(name, _Open(make))
            self._open.move_to_end(name)
            while len(self._open) > MOST_OPEN:
                self._open.popitem(last=False)[1].close()
        return self._waited(one.ask(message, said))

    def again(self, ticket: str) -> dict[str, Any]:
        """Return what a ticket stands for, or the ticket once more.

        Raises
        ------
        Refused
            If nothing is at work under it.
        """
        with self._lock:
            future = self._tickets.pop(ticket, None)
        if future is None:
            raise Refused("open: nothing is at work under that ticket; ask again")
        return self._waited(future)

    def _waited(self, future: Future[dict[str, Any]]) -> dict[str, Any]:
        try:
            return {"value": future.result(self._patience)}
        except TimeoutError:
            with self._lock:
                ticket = f"t{next(self._numbers)}"
                self._tickets[ticket] = future
                while len(self._tickets) > _TICKETS:
                    self._tickets.popitem(last=False)
            return {"ticket": ticket}


class _Open:
    """One open thing and its thread; it is looked up in that thread as well."""

    def __init__(self, make: Callable[[], Opening]) -> None:
        self._make = make
        self._made: Opening | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="workbench-open")

    def ask(self, message: object, said: Said) -> Future[dict[str, Any]]:
        return self._worker.submit(self._answer, message, said)

    def _answer(self, message: object, said: Said) -> dict[str, Any]:
        if self._made is None:
            self._made = self._make()
        return self._made.answer(message, said)

    def close(self) -> None:
        def end() -> None:
            if self._made is not None:
                self._made.close()

        self._worker.submit(end)
        self._worker.shutdown(wait=False)


_TABS: WeakKeyDictionary[Panel, Tabs] = WeakKeyDictionary()


@request()
def opened(panel: Panel, values: Values) -> dict[str, Any]:
    """Answer one message to something that is open: by its run and id, or by a ticket."""
    tabs = _TABS.setdefault(panel, Tabs())
    if "ticket" in values:
        return tabs.again(identifier(values, "ticket"))
    run, key = identifier(values, "run"), identifier(values, "key")
    place = results(panel)

    def said(text: str, share: float) -> None:
        panel.tell("opening", run=run, key=key, text=text, share=share)

    return tabs.ask((run, key), lambda: Opening(place, key, run), values.get("message"), said)

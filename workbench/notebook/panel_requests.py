"""What the sidebar may ask for: one function a request, entered in one list.

A request carries ids of the ledger, numbers and words of the analyst; each is checked here. No
path, no SQL and no code comes from a browser. What takes long runs in a thread of the request.
"""

from __future__ import annotations

import copy
import importlib
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.errors import Refused, nearest
from workbench.limits import Limits
from workbench.loops import budget
from workbench.notebook import card, numerals, outputs, panel_state, static
from workbench.runs import past

if TYPE_CHECKING:
    from workbench.notebook.panel import Panel

Values = Mapping[str, Any]
Run = Callable[["Panel", Values], Any]
_ID = re.compile(r"[A-Za-z0-9][\w-]{0,119}")
_RUNS = 100
MOST_CHARS = 20_000


@dataclass(frozen=True)
class Request:
    """One request.

    Attributes
    ----------
    run : callable
        Gets the panel and the values sent; returns JSON.
    at_once : bool
        True if it must not wait for others: it is short.
    """

    run: Run
    at_once: bool


_KNOWN: dict[str, Request] = {}
# Modules with further requests, imported when the first is made.
_MORE = ("panel_opening",)


def request(*, at_once: bool = False) -> Callable[[Run], Run]:
    """Enter a function in the list of requests, by its name."""

    def enter(function: Run) -> Run:
        _KNOWN[function.__name__.strip("_")] = Request(function, at_once)
        return function

    return enter


def find(name: object) -> Request:
    """Return a request by its name.

    Raises
    ------
    Refused
        If there is none.
    """
    for module in _MORE:
        importlib.import_module(f"workbench.notebook.{module}")
    if not isinstance(name, str) or name not in _KNOWN:
        raise Refused(f"panel: no request '{name}'{nearest(str(name)[:80], _KNOWN)}")
    return _KNOWN[name]


def identifier(values: Values, name: str) -> str:
    """Return an id that was sent.

    Raises
    ------
    Refused
        If it is none: nothing that could be a path is one.
    """
    found = values.get(name)
    if not isinstance(found, str) or not _ID.fullmatch(found):
        raise Refused(f"panel: {name} is no id of a run or a result")
    return found


def whole(values: Values, name: str, most: int) -> int:
    """Return a whole number from 0 to `most` that was sent; 0 if left out.

    Raises
    ------
    Refused
        If it is something else.
    """
    found = values.get(name, 0)
    if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found <= most:
        raise Refused(f"panel: {name} is no number from 0 to {most:,}")
    return found


def results(panel: Panel) -> Path:
    """Return the results folder in use."""
    return panel.desk.opened().workspace.results


def view_of(panel: Panel, run: str) -> Mapping[str, Any]:
    """Return the view of a run: of this kernel, at work or ended, else of the results folder."""
    for job in panel.desk.at_work():
        with job.reading:
            if job.view["run"] == run:
                return copy.deepcopy(job.view)
    for answer in panel.desk.answers:
        if answer.run == run:
            return answer.view
    return past.view(past.find(results(panel), run))


@request()
def runs(panel: Panel, values: Values) -> dict[str, Any]:
    """List the runs of the workspace, newest first, a page of them."""
    begin = whole(values, "from", 10_000_000)
    found = past.runs(results(panel))
    lines = [
        {name: value for name, value in item.to_json().items() if name != "path"}
        for item in found[begin : begin + _RUNS]
    ]
    return {"total": len(found), "items": lines}


@request()
def run(panel: Panel, values: Values) -> dict[str, Any]:
    """Return a run with the first page of its loops and results."""
    return _whole(panel, identifier(values, "run"))


def _whole(panel: Panel, run: str) -> dict[str, Any]:
    """Return a run with the first page of each list, and whether it is at work."""
    state = panel_state.whole(view_of(panel, run))
    for job in panel.desk.at_work():
        if job.view["run"] == run and job.left is None:
            state |= {"at_work": True, "elapsed": round(job.elapsed, 1)}
    return state


@request()
def latest(panel: Panel, _values: Values) -> dict[str, Any]:
    """Return the newest run: of this kernel, which is said, else of the results folder."""
    at_work = panel.desk.at_work()
    if at_work and at_work[-1].view["run"]:
        return {**_whole(panel, at_work[-1].view["run"]), "own": True}
    return {**panel_state.whole(panel.desk.last()[1]), "own": bool(panel.desk.answers)}


@request()
def output(panel: Panel, values: Values) -> dict[str, Any]:
    """Return what a cell shows of a run: its card as it stands, or all that stays."""
    key = identifier(values, "run")
    view = view_of(panel, key)
    took = panel_state.took(view)
    if any(job.view["run"] == key and job.left is None for job in panel.desk.at_work()):
        return {"done": False, "outputs": [{"text/html": static.page(card.live(view, ""))}]}
    said = "" if took is None else numerals.duration(took)
    return {"done": True, "outputs": outputs.of_run(view, said, past.find(results(panel), key))}


@request()
def loops(panel: Panel, values: Values) -> dict[str, Any]:
    """Return a page of a run's loops."""
    view = view_of(panel, identifier(values, "run"))
    return panel_state.page(view["loops"], whole(values, "from", 10_000_000), loops=True)


@request()
def artefacts(panel: Panel, values: Values) -> dict[str, Any]:
    """Return a page of a run's results."""
    view = view_of(panel, identifier(values, "run"))
    return panel_state.page(view["artefacts"], whole(values, "from", 10_000_000), loops=False)


@request()
def loop(panel: Panel, values: Values) -> dict[str, Any]:
    """Return one loop with its whole objective."""
    key = identifier(values, "loop")
    for entry in view_of(panel, identifier(values, "run"))["loops"]:
        if entry["id"] == key:
            return dict(entry)
    raise Refused(f"panel: the run has no '{key}'")


@request()
def text(panel: Panel, values: Values) -> dict[str, Any]:
    """Return a stretch of a request, a reply, a kept text or a result that is text."""
    from workbench.notebook import viewer

    key, run_id = identifier(values, "key"), identifier(values, "run")
    begin = whole(values, "from", 2**53)
    limit = whole(values, "limit", MOST_CHARS) or MOST_CHARS
    return viewer.stretch(results(panel), key, run_id, begin, limit)


@request()
def limits(panel: Panel, _values: Values) -> list[dict[str, Any]]:
    """Return the limits table in force."""
    session = panel.desk.session
    table = session.setting.limits if session is not None else Limits()
    return [row.to_json() for row in table.values()]


@request(at_once=True)
def stop(panel: Panel, values: Values) -> int:
    """Stop a run, or all questions at work where none is named; return how many."""
    run = identifier(values, "run") if values.get("run") else None
    jobs = [job for job in panel.desk.at_work() if run in {None, job.view["run"]}]
    for job in jobs:
        job.stop.set()
    return len(jobs)


@request(at_once=True)
def tell(panel: Panel, values: Values) -> str:
    """Add an instruction of the analyst to the question at work."""
    inboxes = [job.inbox for job in panel.desk.at_work() if job.inbox is not None]
    if not inboxes:
        raise Refused("tell: nothing is at work")
    inboxes[-1].say(str(values.get("text", "")))
    return "told; it is heard before the next request of whoever plans"


@request(at_once=True)
def set_budget(panel: Panel, values: Values) -> dict[str, object]:
    """Change what the question at work may use: ``200k`` tokens, ``0.50usd``."""
    allowing = [job.inbox.allow for job in panel.desk.at_work() if job.inbox and job.inbox.allow]
    if not allowing:
        raise Refused("budget: nothing is at work")
    amount = budget.read(str(values.get("amount", ""))[:40], "budget")
    allowing[-1](amount)
    return amount


@request(at_once=True)
def approve(panel: Panel, values: Values) -> dict[str, Any]:
    """Decide a package that a script asked for: ``{run, id, status}``; nothing is installed."""
    from workbench import approvals
    from workbench.notebook.commands_packages import decided

    status = values.get("status", approvals.APPROVED)
    if status not in {approvals.APPROVED, approvals.REFUSED}:
        raise Refused("approve: status is approved or refused")
    run = identifier(values, "run") if values.get("run") else None
    return decided(panel.desk, identifier(values, "id"), str(status), run)


_CHECKING, _ENOUGH = threading.Lock(), threading.Event()


@request()
def check(panel: Panel, _values: Values) -> dict[str, Any]:
    """Attack every limit that code holds and tell each result as it comes."""
    from workbench.check import keys

    if not _CHECKING.acquire(blocking=False):
        raise Refused("check: it is at work already")
    try:
        return attack(panel, keys())
    finally:
        _CHECKING.release()


def attack(panel: Panel, keys: Sequence[str]) -> dict[str, Any]:
    """Attack some limits one after another and tell each result."""
    from workbench.check import run_checks

    failed = 0
    _ENOUGH.clear()
    for number, key in enumerate(keys, start=1):
        one = run_checks(only=[key])[0]
        failed += not one.ok
        panel.tell("checked", done=number, total=len(keys), result=one.to_json())
        if _ENOUGH.is_set():
            break
    return {"total": len(keys), "failed": failed}


@request(at_once=True)
def stop_check(_panel: Panel, _values: Values) -> bool:
    """End the check after the limit that is attacked now; return whether it was at work."""
    _ENOUGH.set()
    return _CHECKING.locked()

"""One run: its folder, ledger, view and dispatcher, from the first event to the last.

``run.json`` is written at the start, at the end of every loop and at the end, so that a crash
leaves something readable; the index gets one line at each end.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench import __version__
from workbench.answer import Answer
from workbench.approvals import Approvals
from workbench.artefacts import Artefacts
from workbench.asking import people
from workbench.asking.building import Building
from workbench.asking.setting import Setting
from workbench.asking.surroundings import Surroundings
from workbench.asking.unfinished import tidy
from workbench.context import history
from workbench.context.history import Thread
from workbench.context.inbox import Inbox
from workbench.context.meter import Meter
from workbench.dispatch import Dispatcher
from workbench.errors import BudgetReached, Fault, Stopped, WorkbenchError, status_of
from workbench.files.places import Places
from workbench.files.records import Records, append_line, run_id
from workbench.files.resultsplace import prepare
from workbench.ledger import Event, Ledger
from workbench.loops.budget import Budget, amount
from workbench.loops.services import Services
from workbench.models.protocol import form_of, named
from workbench.sources.placing import placed
from workbench.sources.unsourced import every
from workbench.view import View

__all__ = ["Run", "Setting"]


class Run:
    """One run at work.

    Parameters
    ----------
    setting : Setting
        What the session gives.
    question : str
        What was asked, for the record.
    thread : Thread
        Where it stands in the conversation.
    stop : threading.Event
        Set to end the run.
    listener : callable, optional
        Called after each event.
    attached : sequence of str, optional
        Files attached, for the record.
    inbox : Inbox, optional
        What the analyst may add while it is at work.
    """

    def __init__(
        self,
        setting: Setting,
        question: str,
        thread: Thread,
        stop: threading.Event,
        listener: Callable[[Event], None] | None = None,
        *,
        attached: Sequence[str] = (),
        inbox: Inbox | None = None,
    ) -> None:
        self.setting = setting
        told = [prepare(setting.workspace.results), str(tidy(setting.workspace.results))]
        self.id = run_id(question, setting.clock())
        self.meter = Meter(setting.model)
        self.inbox = inbox or Inbox(setting.limits, getattr(setting.model, "told", None))
        self.budget = Budget(setting.model, setting.limits, self._over)
        self.records = Records.create(setting.workspace.results, self.id)
        self.view = View()
        self.stop, self._thread = stop, thread
        self._started = time.monotonic()
        self._written = threading.Lock()
        folder = self.records.folder
        self.ledger = Ledger(folder / "events.jsonl", self.id, setting.limits, setting.clock)
        self.ledger.listen(self._on_event)
        self.inbox.allow = self.budget.recorded(self.ledger)
        if listener is not None:
            self.ledger.listen(listener)
        self.artefacts = Artefacts(setting.workspace, folder, self.ledger, thread.earlier)
        earlier = [setting.workspace.results / run for run in thread.earlier]
        self.approvals = Approvals(self.ledger, self.inbox.say, earlier)
        self.inbox.look = self.approvals.look
        self.dispatcher = self._dispatcher()
        self._begin_or_close(question, attached, thread, told)
        self.asked, self.over_time = question, False
        self._overrun: BudgetReached | None = None
        self._overran = threading.Lock()
        self._clock = self._start_clock()

    def _begin_or_close(
        self, question: str, attached: Sequence[str], thread: Thread, told: Sequence[str]
    ) -> None:
        """Write the first events; a run that did not begin is not at work."""
        try:
            self._begin(question, attached, thread, told)
        except BaseException:
            self.ledger.close()
            raise

    def _dispatcher(self) -> Dispatcher:
        setting = self.setting
        services = Services(
            *(setting.model, setting.limits, self.ledger, self.records, self.stop),
            *(self.meter, self.budget, self.inbox, self.ended_by),
        )
        return Dispatcher(services, self.around(self.stop), self._history)

    def around(self, stop: threading.Event) -> Surroundings:
        """Return what children share; `stop` ends every wait for them."""
        setting, workspace = self.setting, self.setting.workspace
        places = Places(
            str(workspace.root),
            str(workspace.results),
            str(self.records.folder),
            workspace.only,
            self._thread.earlier,
            str(self.records.work),
        )

        def start(job: Mapping[str, Any], noise: Callable[[str], None]) -> Any:  # noqa: ANN401 - a link
            limits = setting.limits
            if "seconds" in job:
                limits = limits.changed({"child_seconds": job["seconds"]})
            return setting.start_child(job, places, limits, stop, noise)

        shared = (start, setting.limits, self.ledger, self.artefacts, setting.overrides)
        around = Surroundings(*shared, setting.seed, setting.open_scripts, self.approvals)
        again = setting.recorded
        around.building = Building(
            *(setting.builds, self._build, stop, self.ledger.append, self._tell_build),
            None if again is None else {key: dict(taken) for key, taken in again.items()},
        )
        return around

    def _build(
        self, name: str, stop: threading.Event, progress: Callable[[str, float], None]
    ) -> None:
        people.build(self.setting, name, stop, progress)

    def _tell_build(self, data: dict[str, Any]) -> None:
        with contextlib.suppress(Fault):
            self.ledger.append("building", data)

    def _begin(
        self, question: str, attached: Sequence[str], thread: Thread, told: Sequence[str]
    ) -> None:
        setting = self.setting
        # Too long for an event of the ledger; a replay and a resumed conversation start from it.
        self.view.data.update(
            overrides=dict(setting.overrides),
            follows=thread.follows,
            origin=thread.origin,
            talk=thread.talk,
        )
        form = form_of(setting.model)
        sent = {"settings": dict(form.settings), "cache_floor": form.cache_floor}
        sent["estimated"] = setting.model.estimated
        self.view.data.update(question=question, seed=setting.seed, sent_as=sent)
        data = {
            "question": question,
            "attached": list(attached),
            "model": named(setting.model),
            "estimated": setting.model.estimated,
            "version": __version__,
            "pid": os.getpid(),
            "workspace": self._workspace(),
            "limits": {key: row.value for key, row in setting.limits.items()},
            "changed_limits": setting.limits.raised(),
            "open_scripts": setting.open_scripts,
        }
        append_line(
            setting.workspace.results / "index.jsonl",
            {"run": self.id, "event": "started", "question": question[:200]},
        )
        self.ledger.append("run_started", data, sync=True)
        if self.meter.start.answers:
            self.ledger.append("calibration", self.meter.start.to_json())
        for text in filter(None, told):
            self.ledger.append("notice", {"text": text})
        self.view.data["question"] = question

    def _workspace(self) -> dict[str, str | None]:
        """Say where the data is, seen from the run's folder: both may move together."""
        workspace = self.setting.workspace
        try:
            root = os.path.relpath(workspace.root, self.records.folder)
        except ValueError:  # another drive
            root = str(workspace.root)
        return {"root": root, "only": workspace.only}

    def _on_event(self, event: Event) -> None:
        self.view.apply(event)
        if event.kind in {"run_started", "loop_ended"}:
            self.write_view()

    def write_view(self) -> None:
        """Write ``run.json`` as the view stands now."""
        with self._written:
            self.view.data["heartbeat"] = self.setting.clock().isoformat()
            self.records.write_view(self.view.data)

    def _history(self) -> history.Paragraph:
        # Those that start side by side are told in the order of their calls, whichever was first.
        own = sorted(self.view.data["dispatches"], key=lambda one: (len(one["id"]), one["id"]))
        return history.paragraph([*self._thread.past, *own], self.setting.limits)

    def _over(self, key: str, used: float) -> BudgetReached:
        """Record, once, that a budget ended the run and return the error that says so."""
        row = self.budget.limits[key]
        data = {"key": key, "value": row.value, "enforced": "code", "call": "run"}
        data |= {"left": 0, "total": round(used, 4), "unit": row.unit}
        if not any(met["key"] == key for met in self.view.data["run_limits"]):
            self.ledger.append("limit_hit", data)
        return BudgetReached(
            f"budget of {row.value:,} {row.unit} ({key}) reached, {amount(used)} used; ask "
            "again with a larger one, or a narrower question"
        )

    def _start_clock(self) -> threading.Timer | None:
        """Stop the run when `run_seconds` are over, whatever it is doing."""
        row = self.setting.limits["run_seconds"]
        if isinstance(row.value, str):
            return None

        def time_up() -> None:
            self.over_time = True
            self.stop.set()

        timer = threading.Timer(min(float(row.value), threading.TIMEOUT_MAX), time_up)
        timer.daemon = True
        timer.start()
        return timer

    def outcome_of(self, error: BaseException) -> tuple[str, str]:
        """Return status and reason of a run that an error ended."""
        cause = self.ended_by(error) if isinstance(error, WorkbenchError) else error
        return status_of(cause), str(cause) or "stopped by the analyst"

    def ended_by(self, error: WorkbenchError) -> WorkbenchError:
        """Return what ended the run: a stop by the clock is a budget that was reached, once."""
        if not (self.over_time and isinstance(error, Stopped)):
            return error
        with self._overran:
            if self._overrun is None:
                self._overrun = self._over("run_seconds", time.monotonic() - self._started)
        return self._overrun

    def end(self, status: str, text: str, reason: str) -> Answer:
        """Put the numbers in their places; write the last event, the view and the index line."""
        known = self.dispatcher.services.claims
        (text, marks), (reason, _) = placed(text, known), placed(reason, known)
        if self._clock is not None:
            self._clock.cancel()
        with contextlib.suppress(Fault):
            self.records.keep_answer(text)
        self.records.tidy()
        self.approvals.close()
        numbers = every(text, marks, self.asked)
        self.view.data.update(answer=text, asked=self.asked, numbers=numbers)
        sha256 = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
        data = {"status": status, "reason": reason, "answer_chars": len(text), "sha256": sha256}
        self.setting.builds.hush(self._tell_build)
        try:
            self.ledger.append("run_ended", data, sync=True)
            unfinished = self._finish(status)
        finally:
            self.ledger.close()
        folder, made = self.records.folder, tuple(self.artefacts.all())
        return Answer(text, status, reason or unfinished, folder, self.view.data, made)

    def _finish(self, status: str) -> str:
        """Write view and index; say what the disk refused, which costs nobody the answer."""
        try:
            self.write_view()
            append_line(
                self.setting.workspace.results / "index.jsonl",
                {"run": self.id, "event": "ended", "status": status},
            )
        except Fault as error:
            return f"{error}; the next start finishes this run's record from its ledger"
        return ""

"""The view model of a run: a fold over its events, and the only thing that shows a run.

Widget, panel, report, ``run.json`` and ``ask --json`` draw what stands here; none of them reads
an event. Folding twice gives the same view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from workbench import approvals
from workbench.context import used
from workbench.ledger import Event
from workbench.sources import measures

SCHEMA = 1


class View:
    """The view model, grown event by event.

    Attributes
    ----------
    data : dict
        The view in the shape of ``run.json``.
    """

    def __init__(self) -> None:
        self.data: dict[str, Any] = {
            "schema": SCHEMA,
            "run": "",
            "question": "",
            "status": "running",
            "reason": "",
            "answer": "",
            "model": {},
            "loops": [],
            "dispatches": [],
            "artefacts": [],
            "usage": {"requests": 0, **dict.fromkeys(_PROVIDER, 0), "estimated": True},
            "claims": [],
            "numbers": [],
            "confinement": {},
            "sandbox": {},
            "approvals": [],
            "limits": {},
            "enforced": {},
            "units": {},
            "used": {},
            "changed_limits": [],
            "run_limits": [],
            **{key: {} for key in ("calibration", "snapshots", "inputs", "versions", "overrides")},
            "seed": 42,
            "raw_data_tokens": 0,
            "sent_as": {},
            "follows": "",
            "after": "",
            "origin": "",
            "talk": False,
            "asked": "",
            "notices": [],
            "started": "",
            "ended": "",
        }
        self._loops: dict[str, dict[str, Any]] = {}
        self._steps: dict[str, str] = {}
        self._raw: dict[str, int] = {}

    def fold(self, events: Iterable[Event]) -> View:
        """Apply events in order; return self."""
        for event in events:
            self.apply(event)
        return self

    def apply(self, event: Event) -> None:
        """Apply one event; kinds that show nothing are passed over."""
        if event.kind in {"calibration", "confinement", "versions", "building"}:
            self.data[event.kind] = event.data
        handler: Callable[[Event], None] | None = getattr(self, f"_on_{event.kind}", None)
        if handler is not None:
            handler(event)
        used.take(self.data, event, self._loops.get(event.dispatch))

    def loop(self, key: str) -> dict[str, Any]:
        """Return the entry of a loop, made at its first event."""
        if key not in self._loops:
            entry = self._loops[key] = _new_loop(key)
            self.data["loops"].append(entry)
            if entry["id"][:1] == "d" and entry["id"][1:].isdigit():
                self.data["dispatches"].append(entry)
        return self._loops[key]

    def _on_run_started(self, event: Event) -> None:
        self.data.update({key: event.data[key] for key in _STARTED if key in event.data})
        self.data.update(run=event.run, started=event.time)
        self.data["usage"]["estimated"] = bool(event.data.get("estimated", True))

    def _on_notice(self, event: Event) -> None:
        self.data["notices"].append(str(event.data.get("text", "")))

    def _on_loop_started(self, event: Event) -> None:
        entry = self.loop(event.dispatch)
        entry.update({key: event.data[key] for key in ("agent", "objective") if key in event.data})
        entry["started"] = event.time
        entry["context"].update(window=event.data["window"], usable=event.data["usable"])

    def _on_sandbox(self, event: Event) -> None:
        # Of several the weakest is shown: what held once must not hide what did not.
        both = [one for one in (self.data["sandbox"], event.data) if one]
        self.data["sandbox"] = min(both, key=lambda one: _LEVELS.get(str(one.get("level")), 2))

    def _on_package(self, event: Event) -> None:
        approvals.asked(self.data["approvals"], event)

    def _on_package_decided(self, event: Event) -> None:
        approvals.settle(self.data["approvals"], event.data)

    def _on_request(self, event: Event) -> None:
        context = self.loop(event.dispatch)["context"]
        context["requests"] = context.get("requests", 0) + 1
        self.data["usage"]["requests"] += 1
        context["by_category"] = event.data["by_category"]
        context["tokens"] = event.data["tokens"]
        context["peak_tokens"] = max(context["peak_tokens"], event.data["tokens"])
        context["peak_chars"] = max(context["peak_chars"], event.data["chars"])
        low, tokens, high = event.data.get("estimate") or [event.data["tokens"]] * 3
        context["estimate"] = {"tokens": tokens, "low": low, "high": high}
        context["provider"] = None

    def _on_response(self, event: Event) -> None:
        said = event.data["usage"]
        entry = self.loop(event.dispatch)
        entry["doing"] = ""
        fresh, cached = (sum(int(said.get(key, 0)) for key in keys) for keys in (_FRESH, _CACHED))
        entry["context"]["provider"] = {"tokens": fresh + cached, "fresh": fresh, "cached": cached}
        # A provider whose figures could not be true was not believed.
        ours = self.data["usage"]["estimated"] or bool(said.get("estimated"))
        self.data["usage"]["estimated"] = entry["context"]["provider"]["estimated"] = ours
        self._use(event)

    def _on_attempt(self, event: Event) -> None:
        # What a try that broke has used is paid for like any other.
        usage = self.data["usage"]
        usage["broken_tries"] = usage.get("broken_tries", 0) + 1
        self._use(event)

    def _on_saying(self, event: Event) -> None:
        what = "thinking" if event.data.get("thought") else "writing"
        said = " ".join(str(event.data.get("text", "")).split())
        self.loop(event.dispatch)["doing"] = f"{what}: …{said}"

    def _on_waiting(self, event: Event) -> None:
        left, number = float(event.data.get("left", 0)), event.data.get("try", "")
        words = f"waiting {left:.0f} s for try {number}: {event.data.get('reason', '')}"
        self.loop(event.dispatch)["doing"] = words

    def _use(self, event: Event) -> None:
        """Add what one try used."""
        said, entry = event.data.get("usage") or {}, self.loop(event.dispatch)
        # Answers that are played again cost nothing.
        played = self.data["model"].get("provider") == "replay"
        for usage in (self.data["usage"], entry["usage"]):
            for key, name in _PROVIDER.items():
                usage[key] = usage.get(key, 0) + (0 if played else int(said.get(name, 0)))
        if "usd" in event.data and not played:
            self.data["usage"]["usd"] = self.data["usage"].get("usd", 0.0) + event.data["usd"]

    def _on_tool_call(self, event: Event) -> None:
        self._step(event, str(event.data["tool"]))

    def _on_progress(self, event: Event) -> None:
        entry = self.loop(event.dispatch)
        if entry["doing"] != event.data.get("text", ""):
            self._step(event, str(event.data.get("text", "")))
        if _seconds(self._steps.get(event.dispatch, event.time), event.time) >= _LONG_STEP:
            entry["share"] = float(event.data.get("share", 0))

    def _step(self, event: Event, doing: str) -> None:
        """Note what a loop does from now on, and since when."""
        self._steps[event.dispatch] = event.time
        self.loop(event.dispatch).update(doing=doing, share=None)

    def _on_tool_done(self, event: Event) -> None:
        entry = self.loop(event.dispatch)
        entry.update(doing="", share=None)
        entry["tool_calls"] += 1
        entry["tool_errors"] += not event.data["ok"]

    def _on_raw(self, event: Event) -> None:
        context = self.loop(event.dispatch)["context"]
        file, tokens = str(event.data["file"]), int(event.data["tokens"])
        context["raw_files"] = {**context.get("raw_files", {}), file: tokens}
        context["raw_data_tokens"] = sum(context["raw_files"].values())
        # Of the run each file counts once, however many agents work on it.
        self._raw[file] = max(self._raw.get(file, 0), tokens)
        self.data["raw_data_tokens"] = sum(self._raw.values())

    def _on_snapshot(self, event: Event) -> None:
        self.data["snapshots"][event.data["file"]] = event.data["sha256"]
        self.data["inputs"][event.data["file"]] = str(event.data.get("source", ""))

    def _on_limit_hit(self, event: Event) -> None:
        row = self._limit(event)
        row["hits"] += 1

    def _on_prompt_rule(self, event: Event) -> None:
        row = self._limit(event)
        row["of"] += 1
        row["kept"] += bool(event.data["kept"])

    def _limit(self, event: Event) -> dict[str, Any]:
        # What belongs to no loop, such as a budget, belongs to the run.
        rows: list[dict[str, Any]] = (
            self.loop(event.dispatch)["limits"] if event.dispatch else self.data["run_limits"]
        )
        for row in rows:
            if row["key"] == event.data["key"]:
                return row
        row = {key: event.data[key] for key in ("key", "enforced")} | _UNCOUNTED
        rows.append(row)
        return row

    def _on_claim(self, event: Event) -> None:
        self.data["claims"].append(event.data)

    def _on_artefact(self, event: Event) -> None:
        self.data["artefacts"].append(event.data)
        self.loop(event.dispatch)["artefacts"].append(event.data["id"])

    def _on_loop_ended(self, event: Event) -> None:
        entry = self.loop(event.dispatch)
        kept = ("status", "seconds", "error", "result", "result_chars", "full")
        entry.update({key: event.data[key] for key in kept if key in event.data})
        entry.update(doing="", share=None)

    def _on_run_ended(self, event: Event) -> None:
        self.data.update(
            status=event.data["status"], reason=event.data.get("reason", ""), ended=event.time
        )
        for entry in self.data["loops"]:
            if entry["status"] == "running":
                entry["status"] = "killed"


# A step that is over sooner needs no bar: it would flicker.
_LONG_STEP = 2.0
_LEVELS = {"none": 0, "partial": 1}
_STARTED: tuple[str, ...] = ("question", "attached", "model", "limits", "changed_limits")
_STARTED += ("pid", "version", "workspace", "open_scripts")
_UNCOUNTED = {"hits": 0, "kept": 0, "of": 0}


def _seconds(begin: str, end: str) -> float:
    """Return the seconds between two times of events."""
    return (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds()


# Our names of usage, and those of the provider; what was written to its cache was read anew.
_PROVIDER = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
}
_FRESH, _CACHED = ("input_tokens", "cache_creation_input_tokens"), ("cache_read_input_tokens",)


def _new_loop(key: str) -> dict[str, Any]:
    return {
        "id": key,
        "agent": "",
        "objective": "",
        "status": "running",
        "seconds": 0.0,
        "error": "",
        "doing": "",
        "share": None,
        "started": "",
        "result": "",
        "result_chars": 0,
        "full": "",
        "tool_calls": 0,
        "tool_errors": 0,
        "usage": {},
        "context": {
            "window": 0,
            "usable": 0,
            "tokens": 0,
            "peak_tokens": 0,
            "peak_chars": 0,
            "raw_data_tokens": 0,
            "by_category": dict.fromkeys(measures.CATEGORIES, 0),
            "estimate": None,
            "provider": None,
        },
        "limits": [],
        "artefacts": [],
    }

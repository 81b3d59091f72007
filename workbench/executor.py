"""The parent's hand on one child: started at the first call, believed in nothing.

A child's answer is read as a reply or it is a protocol failure; the snapshots it names are
pinned by the parent, so that every later child of the run must see the same bytes.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from workbench import engines, leftovers
from workbench.approvals import Approvals
from workbench.artefacts import Artefacts
from workbench.building import Building
from workbench.errors import Failed, LimitReached, Refused
from workbench.ledger import Ledger
from workbench.limits import Limits
from workbench.reply import Reply
from workbench.tabular import rows_in
from workbench.tools import registry
from workbench.workspace import RUN_PREFIX, shown


class Link(Protocol):
    """A connected child, as `workbench.childlink.ChildLink` is one."""

    def ready(self) -> Mapping[str, Any]:
        """Return the child's first line, confinement included."""
        ...

    def call(
        self, key: str, tool: str, arguments: Mapping[str, Any], on_progress: OnProgress
    ) -> Mapping[str, Any]:
        """Run one call; return ``{ok, reply}`` or ``{ok, error, kind, key}``."""
        ...

    def close(self) -> None:
        """End the child and everything it started."""
        ...


# A parameter that is longer than this is named by its hash: an event is no store.
_LONG = 400
_PACKAGES = 10
OnProgress = Callable[[str, float], None]
Starter = Callable[[Mapping[str, Any], Callable[[str], None]], Link]


@dataclass
class Surroundings:
    """What the children of one run share.

    Attributes
    ----------
    start : callable
        Takes a job and a listener for noise, returns a connected child.
    limits : Limits
        The session's table.
    ledger : Ledger
        Gets ``confinement``, ``snapshot``, ``raw``, ``noise`` and ``progress`` events.
    artefacts : Artefacts
        Resolves ids.
    overrides : mapping
        The analyst's reader settings.
    seed : int
        Seed of everything random.
    open_scripts : bool
        Whether scripts may run where nothing confines them.
    approvals : Approvals, optional
        Gets requests for packages.
    pins : dict
        File → snapshot hash used by this run.
    building : Building or None
        Has the snapshots of large files built that were looked at; None to read whole files.
    """

    start: Starter
    limits: Limits
    ledger: Ledger
    artefacts: Artefacts
    overrides: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 42
    open_scripts: bool = False
    approvals: Approvals | None = None
    pins: dict[str, str] = field(default_factory=dict)
    building: Building | None = None
    confined: bool = False
    caged: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def confinement(self, ready: Mapping[str, Any]) -> None:
        """Write down, once a run, what confines its children, and which versions they are of."""
        with self._lock:
            if not self.confined:
                self.confined = True
                self.ledger.append("confinement", dict(ready.get("confinement") or {}))
                self.ledger.append("versions", dict(ready.get("versions") or {}))

    def sandbox(self, loop: str, record: Mapping[str, str]) -> None:
        """Write down what confines scripts, each time that it is another."""
        with self._lock:
            known = repr(sorted(record.items()))
            if record and known not in self.caged:
                self.caged.add(known)
                self.ledger.append("sandbox", dict(record), loop)

    def pin(self, loop: str, snapshots: Mapping[str, str], inputs: Mapping[str, str]) -> None:
        """Pin the snapshots of a reply.

        Raises
        ------
        Failed
            If a child used other bytes than the run already did.
        """
        with self._lock:
            for name, sha256 in snapshots.items():
                if name not in self.pins:
                    self.pins[name] = sha256
                    data = {"file": name, "sha256": sha256, "source": inputs.get(name, "")}
                    self.ledger.append("snapshot", data, loop)
                elif self.pins[name] != sha256:
                    file = "a file" if rows_in(name)[0] else f"'{shown(name)}'"
                    raise Failed(f"{file}: its snapshot changed during the run; ask again")


@dataclass
class ChildExecutor:
    """Carries out the calls of one loop in a child of its own.

    Parameters
    ----------
    loop, agent : str
        Loop id, and the agent's name for the job.
    around : Surroundings
        What all children of the run share.
    seconds : float, optional
        How long its child may live; `child_seconds` if left out.

    Attributes
    ----------
    left : list of str
        Known once it is closed: what scripts had written that no call had handed on.
    """

    loop: str
    agent: str
    around: Surroundings
    seconds: float | None = None
    left: list[str] = field(default_factory=list)
    _link: Link | None = None
    _beside: Link | None = None
    _waited: bool = True

    def start(self) -> None:
        """Start the child if it is not there yet."""
        if self._link is not None:
            return
        self._link = self.around.start(self._job(), self._noise)
        ready = self._link.ready()
        self.around.confinement(ready)

    def _sandbox(self) -> Link:
        """Return what runs scripts: a process beside the child, started when it is first needed."""
        if self._beside is None:
            job = {
                "program": "sandbox",
                "open_scripts": self.around.open_scripts,
                "without": engines.left_out(),
            }
            self._beside = self.around.start({**self._job(), **job}, self._noise)
            self._beside.ready()
        return self._beside

    def _job(self) -> dict[str, Any]:
        return {
            "dispatch": self.loop,
            "agent": self.agent,
            "limits": self.around.limits.values_json(),
            "seed": self.around.seed,
            "overrides": dict(self.around.overrides),
            "pins": dict(self.around.pins),
            **({} if self.seconds is None else {"seconds": self.seconds}),
        }

    def call(self, call: str, tool: str, arguments: dict[str, Any]) -> Reply:
        """Run one call in the child.

        Raises
        ------
        Refused
            The tool's own refusal, or an error inside it.
        Failed
            If the child broke, or what it sent is no reply.
        """
        if registry.place_of(tool) == "sandbox":
            link = self._sandbox()
        else:
            self.start()
            assert self._link is not None
            link = self._link
        named = {key: self._named(key, value) for key, value in arguments.items()}
        building = self.around.building
        basis = building.ahead(call, tool, arguments, self._progress) if building else {}
        waited, self._waited = self._waited, link is not self._beside
        answer = link.call(call, tool, {**named, **basis}, self._progress)
        self._waited = waited
        if not answer.get("ok"):
            raise self._refusal(answer)
        try:
            reply = Reply.from_json(dict(answer["reply"]))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            raise Failed(f"child of {self.loop}: protocol: its answer is not a reply") from None
        # What a file was made by is what was asked here, not what the child says was asked.
        asked = {"tool": tool, "parameters": {key: _short(value) for key, value in named.items()}}
        reply = replace(
            reply, made=tuple(replace(m, made_by={**m.made_by, **asked}) for m in reply.made)
        )
        self.around.pin(self.loop, reply.snapshots, reply.inputs)
        self.around.artefacts.keep_snapshots(reply.snapshots.values())
        self.around.artefacts.learn_hashes(reply.snapshots, self._hashed)
        self._waited = self._waited and "command_seconds" not in reply.limits_hit
        reply = self._told(call, tool, reply)
        if building is not None:
            building.looked(self.loop, call, reply, named)
        for name, cost in reply.raw_tokens.items():
            self.around.ledger.append("raw", {"file": name, "tokens": cost}, self.loop)
        return reply

    def beside(self, seconds: float | None = None) -> ChildExecutor:
        """Return one with a child of its own for the same loop, which may live so long."""
        return ChildExecutor(self.loop, self.agent, self.around, seconds)

    def close(self) -> None:
        """End the child and everything it started; closing twice does nothing.

        What scripts had written becomes results, or is named as left out.
        """
        links, self._link, self._beside = (self._link, self._beside), None, None
        for link in links:
            if link is not None:
                link.close()
        if links[1] is not None:
            kept = (self.around.artefacts, self.around.ledger)
            self.left += leftovers.handed_on(*kept, self.loop, unfinished=not self._waited)

    def _told(self, call: str, tool: str, reply: Reply) -> Reply:
        """Write down what a script ran in and which rules it kept; ask for what it missed."""
        self.around.sandbox(self.loop, reply.walls)
        for key, kept in reply.rules.items():
            if key in self.around.limits:
                data = {"key": key, "enforced": self.around.limits[key].enforced, "kept": kept}
                self.around.ledger.append("prompt_rule", data, self.loop)
        if not reply.packages or self.around.approvals is None:
            return reply
        told = self.around.approvals.ask(self.loop, call, tool, reply.packages[:_PACKAGES])
        return replace(reply, notes=(*reply.notes, *told))

    def _named(self, key: str, value: object) -> object:
        """Write an artefact id as the name under which a child may open it."""
        if isinstance(value, list):
            return [self._named(key, item) for item in value]
        if key not in {"path", "paths", "id", "right_path"} or not isinstance(value, str):
            return value
        known = {item.id: item.path for item in self.around.artefacts.all()}
        first = value.split(" ", 1)[0]
        return f"{RUN_PREFIX}{known[first]}" if first in known else value

    def _hashed(self, name: str) -> Mapping[str, object]:
        """Have a file hashed by a child that has done nothing else and does nothing more."""
        link = self.around.start(self._job(), self._noise)
        try:
            link.ready()
            answer = link.call("hash", "hash_file", {"path": name}, lambda *_: None)
        finally:
            link.close()
        return dict((answer.get("reply") or {}).get("facts") or {})

    def _refusal(self, answer: Mapping[str, Any]) -> Refused:
        text = str(answer.get("error") or "the tool gave no reason")
        key = str(answer.get("key") or "")
        return LimitReached(text, key) if key in self.around.limits else Refused(text)

    def _noise(self, what: str) -> None:
        self.around.ledger.append("noise", {"what": what}, self.loop)

    def _progress(self, text: str, share: float) -> None:
        data = {"text": text[:200], "share": round(share, 3)}
        self.around.ledger.append("progress", data, self.loop)


def _short(value: object) -> object:
    """Return a parameter as it stands in the record of what made a file."""
    if not isinstance(value, str) or len(value) <= _LONG:
        return value
    return f"sha256:{hashlib.sha256(value.encode('utf-8', 'replace')).hexdigest()}"

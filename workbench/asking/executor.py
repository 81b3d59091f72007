"""The parent's hand on one child: started at the first call, believed in nothing.

A child's answer is read as a reply or it is a protocol failure; the snapshots it names are
pinned by the parent, so that every later child of the run must see the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.asking.surroundings import Link, Surroundings
from workbench.errors import Failed, LimitReached, Refused
from workbench.reply import Reply
from workbench.scripts import leftovers, lending
from workbench.tools import registry
from workbench.walls import engines
from workbench.workspace import RUN_PREFIX

# A parameter that is longer than this is named by its hash: an event is no store.
_LONG = 400
_PACKAGES = 10


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
        told = Reply()
        names = named.get("tables")
        if link is self._beside and isinstance(names, list) and names:
            basis, told = lending.lend(names, lambda *one: self._read(call, *one))
        waited, self._waited = self._waited, self._waited and link is not self._beside
        try:
            reply = self._asked(link, call, tool, {**named, **basis})
        except Refused:
            self._waited = waited
            raise
        self._waited = waited and "command_seconds" not in reply.limits_hit
        # What a file was made by is what was asked here, not what the child says was asked.
        asked = {"tool": tool, "parameters": {key: _short(value) for key, value in named.items()}}
        asked |= {"inputs": dict(told.inputs)} if told.inputs else {}
        made = tuple(replace(one, made_by={**one.made_by, **asked}) for one in reply.made)
        reply = replace(reply, made=made, notes=(*told.notes, *reply.notes))
        reply = self._told(call, tool, reply)
        if building is not None:
            building.looked(self.loop, call, reply, named)
        for name, cost in reply.raw_tokens.items():
            self.around.ledger.append("raw", {"file": name, "tokens": cost}, self.loop)
        return reply

    def _asked(self, link: Link, call: str, tool: str, arguments: dict[str, Any]) -> Reply:
        """Return what a child replies; pin and keep the snapshots it used."""
        answer = link.call(call, tool, arguments, self._progress)
        if not answer.get("ok"):
            raise self._refusal(answer)
        try:
            reply = Reply.from_json(dict(answer["reply"]))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            raise Failed(f"child of {self.loop}: protocol: its answer is not a reply") from None
        self.around.pin(self.loop, reply.snapshots, reply.inputs)
        self.around.used(reply.versions)
        self.around.artefacts.keep_snapshots(reply.snapshots.values())
        self.around.artefacts.learn_hashes(reply.snapshots, self._hashed)
        return reply

    def _read(self, call: str, number: str, name: str) -> Reply:
        """Have the tables of a file read by the child, for a script to read them typed."""
        self.start()
        assert self._link is not None
        return self._asked(self._link, f"{call}t{number}", "lend_tables", {"path": name})

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
        if key not in {"path", "paths", "id", "right_path", "tables"} or not isinstance(value, str):
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

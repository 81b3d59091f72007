"""What the children of one run share: how they start, what is pinned, and where it is recorded."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from workbench.approvals import Approvals
from workbench.artefacts import Artefacts
from workbench.asking.building import Building
from workbench.errors import Failed
from workbench.files.tabular import rows_in
from workbench.ledger import Ledger
from workbench.limits import Limits
from workbench.workspace import shown


class Link(Protocol):
    """A connected child, as `workbench.process.childlink.ChildLink` is one."""

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
    versions : dict
        Library → version, of what this run computed with so far.
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
    versions: dict[str, str] = field(default_factory=dict)
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
                self._versions(ready.get("versions") or {})

    def used(self, versions: Mapping[str, str]) -> None:
        """Write down the libraries that a call computed with, where they are not known yet."""
        with self._lock:
            if versions.items() - self.versions.items():
                self._versions(versions)

    def _versions(self, more: Mapping[str, str]) -> None:
        # The newest event holds all: a view takes it as it is.
        self.versions.update(more)
        self.ledger.append("versions", dict(self.versions))

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

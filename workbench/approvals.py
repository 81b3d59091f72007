"""Packages that scripts asked for: each a request that the analyst decides, none ever installed.

A request stands in the ledger, a decision in a file among the records of its run, so that it can
be given from any process, while the run works and after it. What a later run of the conversation
asks for again is answered by what was decided.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import importlib.util
import json
import re
import shlex
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.errors import Fault
from workbench.files.records import append_line
from workbench.ledger import Event, Ledger

PENDING, APPROVED, REFUSED = "pending", "approved", "refused"
# No tool opens this folder and no script writes into it.
_PLACE = ("full", "decisions.jsonl")
# The name of a package, with extras and a version: nothing that a shell could take for more.
_NAME = re.compile(
    r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,60}[A-Za-z0-9])?(?:\[[\w,-]{1,60}\])?"
    r"(?:[=<>!~]=?[0-9][\w.*]{0,20})?",
    re.ASCII,
)
_MOST = 30


class Approvals:
    """The requests of one run at work.

    Parameters
    ----------
    ledger : Ledger
        Gets ``package`` and ``package_decided`` events; its folder has the decisions.
    tell : callable
        Takes words of the analyst for whoever plans.
    earlier : sequence of Path
        Folders of the conversation's earlier runs, newest first.
    """

    def __init__(
        self, ledger: Ledger, tell: Callable[[str], None], earlier: Sequence[Path]
    ) -> None:
        self._ledger, self._tell, self._folder = ledger, tell, ledger.path.parent
        self._asked: list[dict[str, Any]] = []
        self._known: dict[str, str] = {}
        for folder in reversed(earlier):
            self._known.update({row["name"]: row["status"] for row in decided(folder)})
        self._taken, self._open = 0, True
        self._lock = threading.Lock()

    def ask(self, loop: str, call: str, tool: str, names: Iterable[str]) -> tuple[str, ...]:
        """Put requests for packages to the analyst; return what the agent is told of each."""
        with self._lock:
            return tuple(
                self._one(loop, call, tool, name) for name in names if _NAME.fullmatch(name)
            )

    def _one(self, loop: str, call: str, tool: str, name: str) -> str:
        found = next((item for item in self._asked if item["name"] == name), None)
        if found is None and len(self._asked) < _MOST:
            data = {
                "id": f"p{len(self._asked) + 1}",
                "name": name,
                "why": f"{tool} {call} asked for it",
                "status": self._known.get(name, PENDING),
            }
            event = self._ledger.append("package", data, loop)
            found = asked(self._asked, event)
        status = found["status"] if found is not None else PENDING
        return f"{name}: {_TOLD[status]}"

    def look(self) -> None:
        """Take in what was decided since: it is written down, and whoever plans is told."""
        with self._lock:
            lines = list(decided(self._folder)) if self._open else []
            fresh, self._taken = lines[self._taken :], len(lines)
            for row in fresh:
                if settle(self._asked, row):
                    self._ledger.append("package_decided", row)
                    self._tell(_heard(row["name"], row["status"]))

    def close(self) -> None:
        """Take in what was decided up to the end of the run; later it stands beside its ledger."""
        with contextlib.suppress(Fault):
            self.look()
        with self._lock:
            self._open = False


_TOLD = {
    PENDING: "the analyst decides whether to install it; go on without it",
    APPROVED: "the analyst has approved it and it is not installed yet; go on without it",
    REFUSED: "the analyst has refused it; go on without it and do not ask again",
}


def _heard(name: str, status: str) -> str:
    if status == REFUSED:
        return f"the package {name} is refused: go on without it"
    if installed(name):
        return f"the package {name} is approved and installed: a script may import it now"
    return f"the package {name} is approved but not installed yet: go on without it"


def asked(requests: list[dict[str, Any]], event: Event) -> dict[str, Any]:
    """Fold a ``package`` event into a list of requests; return the request."""
    keys = ("id", "name", "why")
    request = {key: str(event.data.get(key, "")) for key in keys} | {"loop": event.dispatch}
    request["status"] = str(event.data.get("status", PENDING))
    requests.append(request)
    return request


def settle(requests: Iterable[dict[str, Any]], row: Mapping[str, Any]) -> bool:
    """Fold a decision into a list of requests; return whether it changes one."""
    for request in requests:
        if request["id"] == row.get("id") and row.get("status") in {APPROVED, REFUSED}:
            changed = bool(request["status"] != row["status"])
            request["status"] = row["status"]
            return changed
    return False


def decide(folder: Path, request: Mapping[str, Any], status: str) -> None:
    """Write down what the analyst decided of a request of the run in a folder.

    Raises
    ------
    Fault
        If the disk refuses.
    """
    row = {"id": request["id"], "name": request["name"], "status": status}
    append_line(folder.joinpath(*_PLACE), row)


def decided(folder: Path) -> Iterator[dict[str, str]]:
    """Yield the decisions on requests of a run, in the order in which they were given."""
    with contextlib.suppress(OSError), folder.joinpath(*_PLACE).open("rb") as file:
        for line in file:
            with contextlib.suppress(ValueError, TypeError, KeyError):
                data = json.loads(line)
                row = {key: str(data[key]) for key in ("id", "name", "status")}
                if row["status"] in {APPROVED, REFUSED} and _NAME.fullmatch(row["name"]):
                    yield row


def installed(name: str) -> bool:
    """Tell whether a package, by the name it is installed or imported under, is there by now."""
    bare = re.split(r"[\[=<>!~]", name, maxsplit=1)[0]
    importlib.invalidate_caches()
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        importlib.metadata.distribution(bare)
        return True
    with contextlib.suppress(ValueError):
        # A dotted name would import what it lies in.
        return bare.isidentifier() and importlib.util.find_spec(bare) is not None
    return False


def command(name: str) -> str:
    """Return the line by which the analyst can install a package; nothing here runs it."""
    words = [sys.executable, "-m", "pip", "install", name]
    return shlex.join(words) if sys.platform != "win32" else " ".join(f'"{word}"' for word in words)


def words(request: Mapping[str, Any]) -> str:
    """Say in words how a request stands, and what its decision means."""
    name = str(request["name"])
    if request["status"] == REFUSED:
        return f"{request['id']} {name}: refused; agents are told to go on without it"
    if request["status"] == APPROVED:
        if installed(name):
            return f"{request['id']} {name}: approved, and installed: scripts may import it"
        return (
            f"{request['id']} {name}: approved; nothing is installed from here. Once you have made "
            "sure that it is the package you mean (an import can be named otherwise), run\n"
            f"  {command(name)}\n"
            "and ask again; scripts can import it from then on"
        )
    return f"{request['id']} {name}: {request['why']}; nothing is installed before or after"
